"""The contract between the storeys and a backend: what it brings, and what its kernels are given."""

from .backend import PROTOCOL, Backend, Kernel
from .operands import Flat, Kernels, Operand, Row, Strided, StridedLayout

__all__ = ["PROTOCOL", "Backend", "Flat", "Kernel", "Kernels", "Operand", "Row", "Strided", "StridedLayout"]
