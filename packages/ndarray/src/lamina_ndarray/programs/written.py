"""Recorded calls as JSON, and read again: each layout and each operand is written once, and told by its number from then on."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from lamina_flatarray import CheckpointError, Device, DType
from lamina_flatarray.backends import registry
from lamina_flatarray.dtypes import dtype_of
from lamina_flatarray.ops import OPS

from ..layouts.layout import Layout
from .recorder import Call, Numbers, Operand, Storage, Unrepeatable

__all__ = ["Reader", "Writer"]

_PLAIN: Final = (type(None), bool, int, float, str)


class Writer:
    """Writes calls, and what they refer to.

    Args:
        begins: per storage, the byte of its memory that the file's begins with.

    Attributes:
        layouts, operands: what has been referred to so far, in the order of numbers.
    """

    def __init__(self, begins: Sequence[int]) -> None:
        self._begins = begins
        self.layouts: dict[Layout, int] = {}
        self.operands: dict[Operand, int] = {}

    def layout(self, layout: Layout) -> int:
        """The number of a layout."""
        return self.layouts.setdefault(layout, len(self.layouts))

    def operand(self, operand: Operand) -> int:
        """The number of an operand."""
        self.layout(operand.layout)
        return self.operands.setdefault(operand, len(self.operands))

    def call(self, call: Call) -> list[Any]:
        """A call as JSON.

        Raises:
            Unrepeatable: it is given something that JSON does not tell.
        """
        values = (call.out, tuple(call.inputs), call.params)
        return [call.op, call.kernels.dtype.name, *(self._value(value, call.op) for value in values)]

    def table(self) -> dict[str, Any]:
        """The layouts and operands that were referred to."""
        return {
            "layouts": [[list(x.shape), list(x.strides), x.offset] for x in self.layouts],
            "operands": [
                [x.storage, x.offset - self._begins[x.storage], x.size, x.kernels.dtype.name, self.layouts[x.layout], x.plain]
                for x in self.operands
            ],
        }

    def _value(self, value: Any, op: str) -> Any:
        kind = type(value)
        if kind in _PLAIN:
            return value
        if isinstance(value, Operand):
            return {"operand": self.operand(value)}
        if kind is list or kind is tuple:
            parts = [self._value(part, op) for part in value]
            return parts if kind is list else {"tuple": parts}
        if kind is dict:
            return {"dict": {name: self._value(part, op) for name, part in value.items()}}
        if kind is complex:
            return {"complex": [value.real, value.imag]}
        if isinstance(value, DType):
            return {"dtype": value.name}
        if isinstance(value, Numbers):
            items = value.array
            return {"numbers": [items.dtype.str, list(items.shape), base64.b64encode(items.tobytes()).decode()]}
        raise Unrepeatable(f"{op} is given a {kind.__name__}, which no file holds")


class Reader:
    """Reads what a `Writer` wrote, for one device. All that is read lies within the storages.

    Args:
        table: the layouts and operands.
        storages: what these lie in.
        device: whose kernels are called.

    Raises:
        CheckpointError: an operand leads out of its storage.
    """

    def __init__(self, table: dict[str, Any], storages: Sequence[Storage], device: Device) -> None:
        self._device = device
        self.layouts = [Layout.of(tuple(shape), tuple(strides), offset) for shape, strides, offset in table["layouts"]]
        self.operands = [self._operand(row, storages) for row in table["operands"]]

    def _operand(self, row: list[Any], storages: Sequence[Storage]) -> Operand:
        storage, offset, size, dtype, layout, plain = row
        kernels = registry.kernels(self._device, dtype_of(dtype))
        operand = Operand(storage, offset, size, kernels, self.layouts[layout], plain)
        first, last = operand.layout.extent()
        if not (0 <= storage < len(storages) and offset >= 0 <= size and first >= 0 and last < size):
            raise CheckpointError(f"operand {row} has items that are not in its memory")
        if offset + size * kernels.itemsize > storages[storage].nbytes:
            raise CheckpointError(f"operand {row} leads out of its storage of {storages[storage].nbytes} bytes")
        return operand

    def call(self, row: list[Any]) -> Call:
        """A call from JSON.

        Raises:
            CheckpointError: there is no such op.
        """
        op, dtype, *values = row
        if op not in OPS:
            raise CheckpointError(f"it calls {op}, which this version has no kernel for")
        out, inputs, params = map(self._value, values)
        return Call(op, registry.kernels(self._device, dtype_of(dtype)), out, inputs, params)

    def _value(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._value(part) for part in value]
        if not isinstance(value, dict):
            return value
        ((what, content),) = value.items()
        if what == "operand":
            return self.operands[content]
        if what == "tuple":
            return tuple([self._value(part) for part in content])
        if what == "dict":
            return {name: self._value(part) for name, part in content.items()}
        if what == "complex":
            return complex(*content)
        if what == "dtype":
            return dtype_of(content)
        if what == "numbers":
            dtype, shape, items = content
            return Numbers(np.frombuffer(base64.b64decode(items), np.dtype(dtype)).reshape(shape))
        raise CheckpointError(f"a value is written as {what!r}, which this version does not know")
