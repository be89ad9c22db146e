"""What a call would run: the very code of the call, on stand-ins, while no kernel touches an item.

Stand-ins have the dtype, device and layout of the arguments, and zeros in memory of their own that is never really
used. While the call runs on them, kernels of its thread are written down instead of run; only those that are composed
of other ops are, for the sake of these others.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lamina_flatarray import DTypeError, FlatArray
from lamina_flatarray.backends import kernel_table as table
from lamina_flatarray.contract import Kernel
from lamina_flatarray.instruments import Instrument, installed, kernel_within, operands_of

from ..array_fields import array_of

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["Operand", "Plan", "StandIns", "Step", "planned"]


class Operand(NamedTuple):
    """What a kernel is given.

    Attributes:
        dtype: the name of its dtype.
        shape, strides: as the kernel reads it; a stride of 0 repeats.
        memory: whose items they are: the name of an argument, or "" for memory that the call made itself.
    """

    dtype: str
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    memory: str


class Step(NamedTuple):
    """One kernel call.

    Attributes:
        op: its name in the op table.
        depth: 0, or in how many derived ops it is a part.
        backend: whose kernel table it is found in.
        origin: "native", "overridden", "inherited from NAME", "derived" or "missing".
        outputs, inputs: its operands; a number among the inputs is itself.
    """

    op: str
    depth: int
    backend: str
    origin: str
    outputs: tuple[Operand, ...]
    inputs: tuple[Any, ...]


class Plan(NamedTuple):
    """What a call would do.

    Attributes:
        result: what it would return, with stand-ins for arrays.
        steps: the kernels, in order.
        stand_ins: what the arguments were replaced by.
    """

    result: Any
    steps: tuple[Step, ...]
    stand_ins: StandIns


class StandIns:
    """Arrays like others, over zeros; views of one memory get stand-ins over one memory."""

    def __init__(self) -> None:
        self._twins: dict[int, Any] = {}  # by id of the memory that they stand for
        self._names: dict[int, str] = {}  # by id of their own memory

    def of(self, x: NDArray, name: str) -> NDArray:
        """An array like x. The memory is called by the name of the first array that is in it."""
        flat = x.flat
        memory = self._twins.get(id(flat.memory))
        if memory is None:
            nbytes = flat.offset + flat.nbytes
            if flat.backend.host:  # pages of zeros that take no memory until they are written to
                memory = np.zeros(nbytes, np.uint8)
            else:
                memory = FlatArray.of(flat.kernels, math.ceil(nbytes / flat.itemsize)).fill(0).memory
            self._twins[id(flat.memory)] = memory
            self._names[id(memory)] = name
        return array_of(FlatArray(memory, flat.offset, flat.size, flat.kernels), x.layout)

    def name(self, flat: FlatArray) -> str:
        """The argument whose memory it is; "" for what the call made itself."""
        return self._names.get(id(flat.memory), "")


class _Planner(Instrument):
    def __init__(self, stand_ins: StandIns) -> None:
        self.thread = threading.get_ident()
        self.stand_ins = stand_ins
        self.steps: list[Step] = []
        self.depth = 0

    def call(self, op: str, kernel: Kernel, out: Any, inputs: tuple[Any, ...], params: dict[str, Any]) -> Any:
        if threading.get_ident() != self.thread:
            return kernel(out, *inputs, **params)
        outs = operands_of((out,))
        kernels = (operands_of(inputs) or outs)[0].flat.kernels
        self.steps.append(
            Step(
                op,
                self.depth,
                kernels.backend.name,
                table.origin(kernels.backend, op, kernels.dtype),
                tuple(map(self._operand, outs)),
                tuple(map(self._operand, inputs)),
            )
        )
        if table.decompositions.get(op) is kernel_within(kernel):
            self.depth += 1
            try:
                kernel(out, *inputs, **params)
            finally:
                self.depth -= 1
        for output in outs:
            _zero(output)
        return None

    def _operand(self, x: Any) -> Any:
        if isinstance(x, list):
            return [self._operand(part) for part in x]
        if not hasattr(x, "layout"):
            return x
        return Operand(x.flat.dtype.name, x.layout.shape, x.layout.strides, self.stand_ins.name(x.flat))


def _zero(x: Any) -> None:
    """Few items are set to 0, so that code that looks at one (a greatest index, say) sees a number that it can use."""
    flat = x.flat
    if flat.size > 64 or not flat.backend.holds_items:
        return
    if flat.backend.host:
        flat.bytes_view()[:] = 0
    else:
        flat.backend.copy_in(flat.memory, flat.offset, memoryview(bytes(flat.nbytes)))


def planned(
    call: Callable[..., Any],
    args: Sequence[Any],
    params: dict[str, Any],
    replace: Callable[[Any, Callable[[NDArray, str], NDArray]], Any],
) -> Plan:
    """Run a call on stand-ins.

    Args:
        call, args, params: the call.
        replace: from an argument and a function (array, which part of the argument) -> stand-in, to the argument with
            stand-ins in it.

    Raises:
        DTypeError: `call` cannot be called.
        LaminaError: whatever the call itself would raise for these dtypes and shapes.
    """
    if not callable(call):
        raise DTypeError(f"explain: {call!r} given; it wants the name of an op or a function")
    stand_ins = StandIns()

    def replaced(value: Any, name: str) -> Any:
        return replace(value, lambda array, part: stand_ins.of(array, name + part))

    arguments = [replaced(value, f"argument {i}") for i, value in enumerate(args)]
    options = {key: replaced(value, f"argument {key!r}") for key, value in params.items()}
    planner = _Planner(stand_ins)
    with installed(planner):
        result = call(*arguments, **options)
    return Plan(result, tuple(planner.steps), stand_ins)
