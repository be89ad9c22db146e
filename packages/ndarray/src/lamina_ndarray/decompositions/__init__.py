"""Every derived op, written with others: what a backend that lacks a kernel for it runs instead.

A decomposition takes the kernel's inputs and parameters (`axes` normalised, one dtype, one shape) and returns arrays. The
conformance kit compares each with the reference's own kernel. Each file of this folder registers its own; those of special
functions are in `special`.
"""

from importlib import import_module
from pkgutil import walk_packages

from .registering import composed

__all__ = ["composed"]

for _module in walk_packages(__path__, f"{__name__}."):
    import_module(_module.name)
