"""A strict stand-in for CUDA on host memory: it refuses what a device refuses, and runs the very sources of the kernels."""

from .port import HostPort
from .refusals import Refused

__all__ = ["HostPort", "Refused"]
