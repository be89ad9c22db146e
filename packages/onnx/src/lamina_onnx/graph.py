"""A graph in the making: nodes, initializers, and sizes as expressions of the shapes of tensors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, prod
from typing import Any

import numpy as np
import onnx
from onnx import helper, numpy_helper

from .errors import OnnxExporterError, UnsupportedOperatorError
from .recording import Call
from .sizes import Size, settled

__all__ = ["Graph", "Operand", "elem_type"]

INT64 = np.dtype(np.int64)
MOST = 2**63 - 1


def elem_type(dtype: Any) -> int:
    """ONNX's number of a dtype of lamina's or NumPy's.

    Raises:
        UnsupportedOperatorError: ONNX has none.
    """
    try:
        return int(helper.np_dtype_to_tensor_dtype(np.dtype(getattr(dtype, "numpy", dtype))))
    except (KeyError, TypeError, ValueError) as error:
        raise UnsupportedOperatorError(f"export: ONNX has no dtype like {dtype}") from error


@dataclass(frozen=True)
class Operand:
    """A tensor of the graph that the record knows.

    Args:
        name: its name in the graph.
        shape: its lengths, a `Size` where runs differ.
        dtype: lamina's.
        constant: its items where they are known; else None.
    """

    name: str
    shape: tuple[int | Size, ...]
    dtype: Any
    constant: Any = None

    @property
    def ndim(self) -> int:
        """How many dims it has."""
        return len(self.shape)


class Graph:
    """Nodes in the order in which they are made.

    Args:
        opset: the version of the ops.
        symbols: the named sizes: (the input, the axis, the size in each run).
    """

    def __init__(self, opset: int, symbols: Mapping[str, tuple[str, int, Size]]) -> None:
        self.opset, self.symbols = opset, symbols
        self.nodes: list[onnx.NodeProto] = []
        self.initializers: dict[str, Any] = {}
        self.call: Call = Call("", {}, None, "", "", True)
        self.results: tuple[Operand, ...] = ()
        self._constants: dict[tuple[Any, ...], str] = {}
        self._items: dict[str, Any] = {}  # of the constants
        self._sizes: dict[tuple[int, ...], str] = {}
        self._seen: dict[tuple[int, ...], tuple[str, int]] = {}  # a size -> a tensor and its axis of that length
        self._count = 0

    # -- nodes --------------------------------------------------------------------------------------------------------

    def fresh(self, hint: str) -> str:
        """A name that nothing has."""
        self._count += 1
        return f"{hint}_{self._count}"

    def op(self, op_type: str, *inputs: Any, outputs: int = 1, domain: str = "", **attributes: Any) -> Any:
        """Add a node.

        Args:
            op_type: ONNX's name.
            *inputs: operands, names of tensors, arrays, or None where an optional one is left out.
            outputs: how many it has.
            domain: of the op.
            **attributes: those that are None are left out.

        Returns:
            The name of its output, or a tuple of them.
        """
        names = [self.named(x) for x in inputs]
        while names and not names[-1]:
            names.pop()
        made = [self.fresh(op_type.lower()) for _ in range(outputs)]
        kept = {key: value for key, value in attributes.items() if value is not None}
        scope = self.call.module.replace(".", "/")
        node = helper.make_node(
            op_type, names, made, name=f"/{scope}/{made[0]}".replace("//", "/"), domain=domain, **kept
        )
        self.nodes.append(node)
        return made[0] if outputs == 1 else tuple(made)

    def named(self, x: Any) -> str:
        """The name in the graph of what a node may take."""
        if x is None:
            return ""
        if isinstance(x, str):
            return x
        return x.name if isinstance(x, Operand) else self.constant(x)

    def constant(self, items: Any) -> str:
        """A constant of these items; the same one for the same."""
        array = np.ascontiguousarray(items).reshape(np.shape(items))
        key = (array.dtype, array.shape, array.tobytes())
        name = self._constants.get(key)
        if name is None:
            name = self._constants[key] = self.fresh("constant")
            self._items[name] = array
        return name

    def unsupported(self, why: str) -> UnsupportedOperatorError:
        """The error that a lowering raises: the function, the reason and the place."""
        return UnsupportedOperatorError(
            f"export: {self.call.name} {why} has no ONNX here; it is called {self.call.place}"
        )

    # -- numbers and dtypes -------------------------------------------------------------------------------------------

    def cast(self, x: Any, dtype: Any, of: Any = None) -> Any:
        """In another dtype; itself where it is known to have it.

        Args:
            x: an operand, or the name of a tensor.
            dtype: lamina's or NumPy's.
            of: the dtype that it has, where it is only a name.
        """
        have = x.dtype if isinstance(x, Operand) else of
        if have is not None and elem_type(have) == elem_type(dtype):
            return x
        return self.op("Cast", x, to=elem_type(dtype))

    def number(self, value: Any, dtype: Any) -> str:
        """A scalar of a dtype: a number, or a size."""
        if isinstance(value, Size):
            scalar = self.op("Squeeze", self.size(value), np.zeros(1, INT64))
            return str(self.cast(scalar, dtype, INT64))
        if isinstance(value, complex):
            raise self.unsupported("of complex numbers")
        return self.constant(np.asarray(value, np.dtype(getattr(dtype, "numpy", dtype))))

    def operand(self, x: Any, dtype: Any) -> Any:
        """A tensor or a number as a tensor of a dtype."""
        return self.cast(x, dtype) if isinstance(x, Operand) else self.number(x, dtype)

    def ints(self, values: Sequence[Any]) -> str:
        """An int64 tensor of one dim, of integers and sizes."""
        if not any(isinstance(v, (Size, Operand)) for v in values):
            return self.constant(np.asarray(values, INT64).reshape(len(values)))
        parts = [self._one(v) for v in values]
        return parts[0] if len(parts) == 1 else str(self.op("Concat", *parts, axis=0))

    def _one(self, value: Any) -> str:
        if isinstance(value, Size):
            return self.size(value)
        if isinstance(value, Operand):
            return str(self.op("Reshape", self.cast(value, INT64), np.array([1], INT64)))
        return self.constant(np.array([value], INT64))

    # -- sizes --------------------------------------------------------------------------------------------------------

    def knows(self, x: Operand) -> None:
        """Note a tensor that is there: its lengths may be asked for."""
        for axis, n in enumerate(x.shape):
            if isinstance(n, Size):
                self._seen.setdefault(n.values, (x.name, axis))

    def size(self, n: Size) -> str:
        """An int64 tensor of length 1 that holds a size.

        Raises:
            OnnxExporterError: it is no function, that can be found, of named sizes and of lengths of tensors before.
        """
        name = self._sizes.get(n.values)
        if name is None:
            name = self._named_sizes(n) or self._earlier_length(n)
            if name is None:
                raise OnnxExporterError(
                    f"export: an integer that {self.call.name!r}, called {self.call.place}, is given was {list(n.values)} in runs with the "
                    f"sizes {self._told()}: it is no affine function or product of these, and no length of a tensor before"
                )
            self._sizes[n.values] = name
        return name

    def _told(self) -> str:
        return ", ".join(f"{name}={list(size.values)}" for name, (_, _, size) in self.symbols.items())

    def length(self, tensor: str, axis: int) -> str:
        """An int64 tensor of length 1: a tensor's length."""
        return str(self.op("Shape", tensor, start=axis, end=axis + 1))

    def symbol_of(self, n: Size) -> str | None:
        """The name of the named size that it is."""
        return next((name for name, (_, _, size) in self.symbols.items() if size == n), None)

    def _symbol(self, name: str) -> str:
        tensor, axis, size = self.symbols[name]
        if size.values not in self._sizes:
            self._sizes[size.values] = self.length(tensor, axis)
        return self._sizes[size.values]

    def _named_sizes(self, n: Size) -> str | None:
        """The size by the named ones: an affine function of them, or a multiple of a product."""
        known = [(name, size.values) for name, (_, _, size) in self.symbols.items()]
        runs = range(len(n.values))
        slopes = [Fraction(n.values[i] - n.values[0], s[i] - s[0]) for i, (_, s) in enumerate(known, 1)]
        start = n.values[0] - sum(slope * s[0] for slope, (_, s) in zip(slopes, known, strict=True))
        if all(
            start + sum(slope * s[r] for slope, (_, s) in zip(slopes, known, strict=True)) == n.values[r] for r in runs
        ):
            return self._affine(
                [(name, slope) for (name, _), slope in zip(known, slopes, strict=True) if slope], Fraction(start)
            )
        factors = [(name, s) for i, (name, s) in enumerate(known, 1) if n.values[i] * s[0] == n.values[0] * s[i]]
        products = [prod(s[r] for _, s in factors) for r in runs]
        if factors and all(products) and len({Fraction(n.values[r], products[r]) for r in runs}) == 1:
            ratio = Fraction(n.values[0], products[0])
            whole = self._symbol(factors[0][0])
            for name, _ in factors[1:]:
                whole = self.op("Mul", whole, self._symbol(name))
            return self._scaled(whole, ratio)
        return None

    def _scaled(self, name: str, ratio: Fraction) -> str:
        if ratio.numerator != 1:
            name = self.op("Mul", name, np.array([ratio.numerator], INT64))
        return name if ratio.denominator == 1 else str(self.op("Div", name, np.array([ratio.denominator], INT64)))

    def _affine(self, terms: Sequence[tuple[str, Fraction]], start: Fraction) -> str:
        denominator = lcm(start.denominator, *(slope.denominator for _, slope in terms))
        total = None
        for name, slope in terms:
            term = self._scaled(self._symbol(name), slope * denominator)
            total = term if total is None else self.op("Add", total, term)
        if start:
            total = self.op("Add", total, np.array([int(start * denominator)], INT64))
        return self._scaled(str(total), Fraction(1, denominator))

    def _earlier_length(self, n: Size) -> str | None:
        """The size by lengths of tensors that are there: one of them, one more or less a constant, or a multiple."""
        at = self._seen.get(n.values)
        if at is not None:
            return self.length(*at)
        for values, (tensor, axis) in self._seen.items():
            more = settled(tuple([a - b for a, b in zip(n.values, values, strict=True)]))
            if isinstance(more, int):
                return str(self.op("Add", self.length(tensor, axis), np.array([more], INT64)))
        for values, (tensor, axis) in self._seen.items():
            if not all(values) or any(a % b for a, b in zip(n.values, values, strict=True)):
                continue
            times = settled(tuple([a // b for a, b in zip(n.values, values, strict=True)]))
            if times == 1 or (
                isinstance(times, Size) and times.values not in self._seen and times.values not in self._sizes
            ):
                continue
            factor = np.array([times], INT64) if isinstance(times, int) else self.size(times)
            return str(self.op("Mul", self.length(tensor, axis), factor))
        return None

    # -- results ------------------------------------------------------------------------------------------------------

    @property
    def result(self) -> Operand:
        """What the call is to give: the shape and the dtype of its only, or first, result."""
        return self.results[0]

    def tensors(self) -> list[onnx.TensorProto]:
        """The initializers as ONNX keeps them: parameters and buffers."""
        return [numpy_helper.from_array(array, name) for name, array in self.initializers.items()]

    def constants(self) -> list[onnx.NodeProto]:
        """The constants as nodes, which no one takes for parameters."""
        return [
            helper.make_node("Constant", [], [name], name=f"/{name}", value=numpy_helper.from_array(array, name))
            for name, array in self._items.items()
        ]


Lowering = Callable[..., Any]
