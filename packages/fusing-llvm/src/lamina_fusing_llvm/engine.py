"""LLVMEngine: which steps are written as LLVM's instructions, and the loops of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec

from lamina_flatarray.dtypes import DType
from lamina_flatarray.fused_steps import FusedStep
from lamina_flatarray.fusing_engines import FusingEngine, MachineLoop

__all__ = ["LLVMEngine"]

_NUMBERS = {"float32": (int, float), "float64": (int, float), "int64": (int,), "bool": ()}


class LLVMEngine(FusingEngine):
    """Loops of arithmetic, comparisons and choices, as machine code for this processor.

    No step is reordered, contracted or approximated: each rounds as it does by itself. What needs a polynomial, such as exp, is left to
    the loops of the backend.

    >>> LLVMEngine()
    <fusing engine llvm>
    """

    name = "llvm"
    protocol = (2, 0)

    def unavailable(self) -> str | None:
        """Return what to install where llvmlite is not there, which brings LLVM; None where it is.

        Returns:
            The reason, in one line, or None.
        """
        return None if find_spec("llvmlite") else "llvmlite is not installed; run: pip install llvmlite"

    def takes(self, step: FusedStep) -> bool:
        """Return whether a step is one of the maps that are written here, in float32, float64, int64 or bool.

        Args:
            step: the step; its slots do not matter.

        Returns:
            Whether it is.

        >>> from lamina_flatarray import float32
        >>> [LLVMEngine().takes(FusedStep(op, float32, 0, ((1,),))) for op in ("square", "exp")]
        [True, False]
        """
        from .expressions import EXPRESSIONS, POWERS  # LLVM is loaded when a loop is wanted

        dtype = step.dtype.name
        numbers = [x for x in step.inputs if not isinstance(x, tuple)]
        if dtype not in _NUMBERS or step.params or len(numbers) == len(step.inputs):
            return False
        if step.op == "pow":
            exponent = step.inputs[1]
            return type(exponent) in (int, float) and exponent in POWERS.get(dtype, ())
        if step.op == "where" and not isinstance(step.inputs[0], tuple):
            return False
        return step.op in EXPRESSIONS[dtype] and all(type(x) in _NUMBERS[dtype] for x in numbers)

    def loop(self, steps: Sequence[FusedStep], results: Sequence[int], inputs: Sequence[int], dtypes: Mapping[int, DType]) -> MachineLoop:
        """Return a loop that does steps in their order.

        Args:
            steps: those that `takes` takes.
            results: the slots that are wanted afterwards.
            inputs: the slots that are read before they are written.
            dtypes: the dtype of each slot.

        Returns:
            A `MachineLoop`; equal steps share one.

        Raises:
            ValueError: a step is not taken.

        >>> from lamina_flatarray import float32
        >>> step = FusedStep("add", float32, 0, ((1,), 0.5))
        >>> LLVMEngine().loop([step], [0], [1], {0: float32, 1: float32}).width
        16
        """
        from .loops import WIDTH, compiled, written

        for step in steps:
            if not self.takes(step):
                raise ValueError(f"loop: {step.op} of {step.dtype.name} is not taken")
        code = compiled(written(steps, results, inputs, dtypes))
        return MachineLoop(code.address, WIDTH, code)
