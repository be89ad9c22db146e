"""The device `meta`: arrays that have a shape, a dtype and strides, and no memory. Kernels write nothing."""

from .backend import MetaBackend

__all__ = ["MetaBackend"]
