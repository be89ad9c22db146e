"""An emulated device: it runs the very PTX that NVRTC made of the kernels, and faults where a device might."""

from .faults import Fault, UnknownInstruction
from .nvrtc import CompileError, NotInstalled
from .port import EmulatedPort

__all__ = ["CompileError", "EmulatedPort", "Fault", "NotInstalled", "UnknownInstruction"]
