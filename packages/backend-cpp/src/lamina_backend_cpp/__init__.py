"""The cpp backend of lamina: native kernels and pooled memory for the CPU, over the numpy backend's memory model."""

from .backend import CppBackend, lamina_backend
from .threads import get_num_threads, set_num_threads

__all__ = ["CppBackend", "get_num_threads", "lamina_backend", "set_num_threads"]
