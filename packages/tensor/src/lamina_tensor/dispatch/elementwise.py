"""Ops item by item on tensors: the op of arrays, a node where a gradient is wanted, and the same in place.

Each public function of `functions.elementwise` is one call of `unary` or `binary`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from lamina_flatarray import DTypeError, ShapeError
from lamina_flatarray import dtypes as dt
from lamina_flatarray.dtype_rules import DTYPE_RULES
from lamina_flatarray.ops import OPS
from lamina_flatarray.twins import compiled
from lamina_ndarray.creation.scalars import HELD_BY_ALL, fitting
from lamina_ndarray.dispatch.functions import RANKED
from lamina_ndarray.dispatch.operands import promoted_by_rank
from lamina_ndarray.elementwise.dispatcher import MapOp
from lamina_ndarray.elementwise.dispatcher import binary as map_binary
from lamina_ndarray.elementwise.dispatcher import ternary as map_ternary
from lamina_ndarray.elementwise.dispatcher import unary as map_unary

from ..autograd.recording import array_of, out_array, recorded
from ..autograd.rules import Plan, Rule, rule_of
from ..tensor_fields import AnyTensor, tensor_of
from .out import written

if TYPE_CHECKING:
    from ..tensor_class import Tensor

__all__ = ["Elementwise", "binary", "elementwise", "on_tensors", "refuse_numbers", "row_major", "unary", "weighted"]


_DISPATCHERS: Final = (map_unary, map_binary, map_ternary)


class Elementwise:
    """One op item by item.

    Attributes:
        name: in the op table.
        inputs: how many operands it has, 1 to 3.
        compute: its function of arrays, with PyTorch's type promotion.
        op: what the dispatcher of arrays calls it; None where more than the dispatcher is run.
        casts: whether a result is cast to the dtype of `out`. PyTorch casts neither products nor what keeps the dtype of its one
            operand, be it integers; a square is a power there, which has two.
        rule: its gradients; None where it has none. It and the plans are found when they are first wanted.
        plans: the rule's plan by which operands want gradients, of ops with one or two.
    """

    __slots__ = ("casts", "compute", "inputs", "name", "op", "plans", "rule")

    name: str
    inputs: int
    compute: Callable[..., Any]
    op: MapOp | None
    casts: bool
    rule: Rule | None
    plans: dict[Any, Plan]

    def __init__(self, name: str, inputs: int) -> None:
        self.name = name
        self.inputs = inputs
        self.compute = RANKED[name]
        compute = self.compute
        self.op = compute.args[0] if isinstance(compute, partial) and compute.func in _DISPATCHERS else None
        row = OPS[name]
        keeps_dtype = inputs == 1 and DTYPE_RULES[row.rule](dt.int64) in (None, (dt.int64, dt.int64)) and name != "square"
        self.casts = row.family == "map" and not keeps_dtype

    def __getattr__(self, name: str) -> Any:  # of a slot that is empty
        if name not in ("rule", "plans"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)
        self.rule = rule_of(self.name)
        choices: dict[int, list[Any]] = {1: [(True,)], 2: [(True, True), (True, False), (False, True)], 3: []}
        self.plans = {} if self.rule is None else {choice: self.rule.plan(choice) for choice in choices[self.inputs]}
        return getattr(self, name)


_OPS: Final[dict[str, Elementwise]] = {}


def elementwise(name: str, inputs: int) -> Elementwise:
    """The op of this name in the op table.

    Args:
        name: the op's.
        inputs: how many operands it has, 1 to 3.

    Returns:
        The one object that stands for it.
    """
    op = _OPS.get(name)
    if op is None:
        op = _OPS[name] = Elementwise(name, inputs)
    return op


def unary(op: Elementwise, input: Any, out: Tensor | None = None) -> Tensor:
    """An op with one operand.

    Args:
        op: which.
        input: a tensor, or what becomes an array.
        out: where the result is written; it comes back.
    """
    if out is not None:
        return _into(op, out, input)
    if not isinstance(input, AnyTensor):
        return tensor_of(op.compute(input))
    result = op.compute(input.array)
    return tensor_of(result) if op.rule is None else recorded(op.rule, result, (input,))


def binary(op: Elementwise, input: Any, other: Any, out: Tensor | None = None) -> Tensor:
    """An op with two operands, either of which may be a number.

    Args:
        op: which.
        input, other: tensors that broadcast together, numbers, or what becomes an array.
        out: where the result is written; it comes back.
    """
    if out is not None:
        return _into(op, out, input, other)
    result = op.compute(
        input.array if isinstance(input, AnyTensor) else input, other.array if isinstance(other, AnyTensor) else other
    )
    return tensor_of(result) if op.rule is None else recorded(op.rule, result, (input, other))


def _into(op: Elementwise, out: Tensor, *operands: Any) -> Tensor:
    """An op whose result is written to `out`, which comes back."""
    name = OPS[op.name].torch or op.name
    target, arrays = out_array(name, out, () if op.rule is None else operands), list(map(array_of, operands))
    if target.layout.size and (op.casts or target.dtype is arrays[0].dtype):
        try:
            op.compute(*arrays, out=target)
        except ShapeError:
            if any(x is out for x in operands):
                raise
        else:
            return out
    result = tensor_of(op.compute(*arrays))
    # The modulus of complex numbers goes into real ones of any precision, and into complex ones of theirs.
    is_modulus = len(arrays) == 1 and result.dtype is not arrays[0].dtype and (not out.dtype.is_complex or out.dtype is arrays[0].dtype)
    return written(name, out, result, casts=op.casts or is_modulus)  # type: ignore[no-any-return]


if compiled is not None:
    compiled.use_ops(Elementwise, Plan)
    unary, binary = compiled.unary_on_tensors(unary), compiled.binary_on_tensors(binary)


def on_tensors(name: str, inputs: int) -> Callable[..., Tensor]:
    """The op of this name as a function of operands and `out`, for gradient rules and generic functions.

    Args:
        name: the op's.
        inputs: how many operands it has, 1 or 2.
    """
    op = elementwise(name, inputs)
    if inputs == 1:

        def function(input: Any, out: Tensor | None = None) -> Tensor:
            return unary(op, input, out)

    else:

        def function(input: Any, other: Any, out: Tensor | None = None) -> Tensor:  # type: ignore[misc]
            return binary(op, input, other, out)

    function.__name__ = function.__qualname__ = OPS[name].spelling
    return function


def weighted(op: Elementwise, input: Any, other: Any, alpha: Any) -> Any:
    """`alpha * other`, which `op` adds to or subtracts from `input`. Booleans to subtract stay as they are, for it to refuse them.

    Raises:
        DTypeError: the dtype of both together cannot hold the weight, or is one of integers, and the weight a float.
    """
    if isinstance(input, AnyTensor) and isinstance(other, AnyTensor) and isinstance(alpha, (int, float)):
        dtype = input.array.flat.dtype
        if dtype is other.array.flat.dtype and dtype.is_inexact and -HELD_BY_ALL <= alpha <= HELD_BY_ALL:
            return other * alpha
    operands = [x.array if isinstance(x, AnyTensor) else x for x in (input, other)]
    if op.name == "subtract" and (operands[1] is True or operands[1] is False or getattr(operands[1], "dtype", None) is dt.bool):
        return other
    if isinstance(alpha, (int, float)):
        dtype = promoted_by_rank(op.name, operands)
        if isinstance(alpha, float) and not dtype.is_inexact:
            raise DTypeError(f"{op.name}: alpha = {alpha}: For integral input tensors, argument alpha must not be a floating point number.")
        fitting(op.name, -alpha if op.name == "subtract" else alpha, dtype)
    return other * alpha


def row_major(operand: Any) -> Any:
    """A tensor in row-major order; a number as it is."""
    return operand if not isinstance(operand, AnyTensor) or operand.array.layout.contiguous else operand.contiguous()


def refuse_numbers(function: str, *operands: Any) -> None:
    """Refuse numbers where PyTorch wants tensors.

    Raises:
        TypeError: one of the operands is no tensor.
    """
    names = ("input", "other")
    for i, operand in enumerate(operands):
        if not isinstance(operand, AnyTensor):
            raise TypeError(
                f"{function}(): argument '{names[i]}' (position {i + 1}) must be Tensor, not {type(operand).__name__}"
            )
