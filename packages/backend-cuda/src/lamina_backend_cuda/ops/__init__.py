"""The kernels: what of CUDA C++ each op is, and how it is launched over operands of any layout."""

from .table import capabilities, kernel

__all__ = ["capabilities", "kernel"]
