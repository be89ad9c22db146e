"""The cuda backend of lamina: kernels on NVIDIA devices, memory and compiler by way of CuPy."""

from .backend import CudaBackend, lamina_backend

__all__ = ["CudaBackend", "lamina_backend"]
