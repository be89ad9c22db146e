"""Faults of fused kernels: steps that are right one by one, and give other bits together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lamina_flatarray.backends.kernel_table import KernelTable
from lamina_flatarray.contract import Kernel
from lamina_flatarray.dtypes import DTYPES, DType
from lamina_flatarray.fused_steps import FusedStep
from lamina_flatarray.ops import OPS
from lamina_ndarray.array import NDArray
from lamina_ndarray.array_fields import empty_of
from lamina_ndarray.layouts.layout import Layout

from .fault import BrokenBackend, faulty_backend

__all__: list[str] = []


class FusesStepByStep(BrokenBackend):
    """The reference, with fused kernels that make their steps one after the other, on memory for each: nothing is wrong with it."""

    name = "fuses_step_by_step"

    def fuses(self, op: str, dtype: DType) -> bool:
        """Whether it is of a family that is fused; what refuses some whole numbers is not."""
        if op == "copy":
            return True
        refuses = op in OPS and OPS[op].domain in ("divisor", "power") and not dtype.is_inexact
        return OPS[op].family in ("map", "reduce") and dtype.name in self.capabilities().get(op, ()) and not refuses

    def fuse(self, steps: Sequence[FusedStep], operands: Sequence[DType], temporaries: Sequence[DType]) -> Kernel:
        """A kernel that calls the reference's."""
        dtypes = [*operands, *temporaries]

        def kernel(*arrays: Any) -> None:
            values = dict(enumerate(arrays))
            for step in steps:
                inputs = [values[x[0]] if isinstance(x, tuple) else x for x in step.inputs]
                if step.result >= len(arrays):
                    values[step.result] = empty_of(KernelTable.of(self, 0, dtypes[step.result]), Layout.dense(_shape(step, inputs)))
                self.do(step, values[step.result], inputs)

        return kernel

    def do(self, step: FusedStep, out: Any, inputs: Sequence[Any]) -> None:
        """Make one step, on arrays."""
        if "axes" in step.params:
            layout = out.layout if step.is_total else out.layout.squeeze(step.params["axes"])
            out = NDArray(out.flat, layout)
        else:
            inputs = [NDArray(x.flat, x.layout.broadcast_to(out.layout.shape)) if isinstance(x, NDArray) else x for x in inputs]
        KernelTable.of(self, 0, step.dtype)[step.op](out, *inputs, **step.params)


def _shape(step: FusedStep, inputs: Sequence[Any]) -> tuple[int, ...]:
    """Of a step's result, in which a row is one item."""
    shape = np.broadcast_shapes(*[x.layout.shape for x in inputs if isinstance(x, NDArray)])
    return tuple([1 if axis in step.params.get("axes", ()) else n for axis, n in enumerate(shape)])


@faulty_backend("test_fusing.py::test_fused_totals_are_their_steps[sum-shape1-1]", FusesStepByStep)
class AddsUpTotalsInHalves(FusesStepByStep):
    """A total is that of the first rows and that of the others, added up: another order than that of the sum by itself."""

    name = "broken_adds_up_totals_in_halves"

    def do(self, step: FusedStep, out: Any, inputs: Sequence[Any]) -> None:
        """Make one step; a sum of the first axes in halves."""
        if step.op != "sum" or not step.is_total:
            super().do(step, out, inputs)
            return
        (x,), other = inputs, empty_of(out.flat.kernels, out.layout.like)
        half = x.layout.shape[0] // 2
        super().do(step, out, [NDArray(x.flat, x.layout.slice(0, 0, half))])
        super().do(step, other, [NDArray(x.flat, x.layout.slice(0, half, None))])
        out.flat.kernels["add"](out, out, other)


@faulty_backend("test_fusing.py::test_fused_totals_are_their_steps[mean-shape1-1]", FusesStepByStep)
class ForgetsTheLastRowOfTotals(FusesStepByStep):
    """The last row is left out of what is added up, and of how many there are."""

    name = "broken_forgets_the_last_row_of_totals"

    def do(self, step: FusedStep, out: Any, inputs: Sequence[Any]) -> None:
        """Make one step; a total without its last row."""
        if step.is_total:
            inputs = [NDArray(x.flat, x.layout.slice(0, 0, x.layout.shape[0] - 1)) for x in inputs]
        super().do(step, out, inputs)


@faulty_backend("test_fusing.py::test_fused_casts_are_their_steps[int64]", FusesStepByStep)
class CastsThroughFloat32(FusesStepByStep):
    """Whole numbers are cast to float64 by way of float32, which rounds those of more than 24 bits."""

    name = "broken_casts_through_float32"

    def do(self, step: FusedStep, out: Any, inputs: Sequence[Any]) -> None:
        """Make one step; a cast to float64 in two."""
        if step.op == "copy" and step.dtype.name == "float64":
            x = inputs[0]
            floats = empty_of(KernelTable.of(self, 0, DTYPES["float32"]), Layout.dense(x.layout.shape))
            x.flat.kernels["copy"](floats, x)
            inputs = [floats]
        super().do(step, out, inputs)


@faulty_backend("test_fusing.py::test_fused_casts_are_their_steps[float64]", FusesStepByStep)
class LeavesOutACast(FusesStepByStep):
    """A cast into a narrower dtype and back is left out, as if nothing were rounded on the way."""

    name = "broken_leaves_out_a_cast"

    def fuse(self, steps: Sequence[FusedStep], operands: Sequence[DType], temporaries: Sequence[DType]) -> Kernel:
        """A kernel in which temporaries of two bytes have the dtype of what is cast into them."""
        dtypes = [*operands, *temporaries]
        for step in steps:
            (x, *_) = step.inputs
            if step.op == "copy" and isinstance(x, tuple) and step.result >= len(operands) and dtypes[step.result].itemsize == 2:
                dtypes[step.result] = dtypes[x[0]]
        return super().fuse(steps, operands, dtypes[len(operands) :])
