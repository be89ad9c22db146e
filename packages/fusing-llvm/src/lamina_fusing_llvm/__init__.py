"""lamina_fusing_llvm: machine code of fused steps, through LLVM."""

from lamina_flatarray.fusing_engines import hookimpl

from .engine import LLVMEngine

__all__ = ["LLVMEngine", "lamina_fusing_engine"]


@hookimpl
def lamina_fusing_engine() -> LLVMEngine:
    """Make the engine."""
    return LLVMEngine()
