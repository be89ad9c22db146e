"""Recording: from a function of arrays and a gradient rule to a function of tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import lamina_ndarray as nd
from lamina_flatarray import AutogradError, DTypeError
from lamina_ndarray import NDArray
from lamina_ndarray.functions import FUNCTIONS

from .modes import mode
from .node import made_node
from .rules import RULES, Rule
from .tensor import Tensor, tensor_of

__all__ = ["array_of", "binary", "check_rewritable", "in_place", "recorded", "unary", "variadic"]


def array_of(x: Any) -> Any:
    """A tensor's array; anything else as it is."""
    return x.array if isinstance(x, Tensor) else x


def recorded(rule: Rule, result: NDArray, inputs: tuple[Any, ...], base: Tensor | None = None, **params: Any) -> Tensor:
    """A tensor over `result`, with a node if recording is on and an input wants gradients.

    Args:
        rule: the op's gradients.
        result: what the op computed.
        inputs: what it was given: tensors, arrays or numbers, in the order of the rule's inputs.
        base: the tensor that the result is a view of.
        params: the op's parameters, as far as the rule names them.
    """
    made = tensor_of(result)
    made.base = base
    if mode.recording and result.flat.dtype.is_inexact:
        wanted = tuple([isinstance(x, Tensor) and x.requires_grad for x in inputs])
        if True in wanted:
            attach(made, rule, wanted, inputs, params)
    return made


def attach(made: Tensor, rule: Rule, wanted: tuple[bool, ...], inputs: tuple[Any, ...], params: dict[str, Any]) -> None:
    """Give a tensor the node of the op that made it."""
    plan = rule.plan(wanted)
    saved = plan.collect(tuple([array_of(x) for x in inputs]), made.array, params)
    edges = tuple([(x.node or x) if want else None for x, want in zip(inputs, wanted, strict=True)])
    made.node = made_node(plan, edges, saved, made.array)
    made.requires_grad = True


def _written(op: str, out: Tensor, inputs: tuple[Any, ...]) -> NDArray:
    """The array of an `out=` argument.

    Raises:
        AutogradError: gradients would have to flow through it.
    """
    if mode.recording and (out.requires_grad or any(isinstance(x, Tensor) and x.requires_grad for x in inputs)):
        raise AutogradError(
            f"{op}(): functions with out=... arguments don't support automatic differentiation, but one of the "
            "arguments requires grad."
        )
    return out.array


def unary(op: str) -> Callable[..., Tensor]:
    """The tensor function of an op with one input."""
    compute = FUNCTIONS[op]
    rule = RULES.get(op)
    plan = rule.plan((True,)) if rule else None

    def function(x: Any, /, *, out: Tensor | None = None) -> Tensor:
        if out is not None:
            compute(array_of(x), out=_written(op, out, (x,)))
            return out
        if not isinstance(x, Tensor):
            return tensor_of(compute(x))
        array = x.array
        made = tensor_of(compute(array))
        if x.requires_grad and plan is not None and mode.recording:
            made.node = made_node(plan, (x.node or x,), plan.collect((array,), made.array, {}), made.array)
            made.requires_grad = True
        return made

    return function


def binary(op: str) -> Callable[..., Tensor]:
    """The tensor function of an op with two inputs, either of which may be a number."""
    compute = FUNCTIONS[op]
    rule = RULES.get(op)
    choices = ((True, True), (True, False), (False, True))
    plans = {wanted: rule.plan(wanted) for wanted in choices} if rule else {}

    def function(a: Any, b: Any, /, *, out: Tensor | None = None) -> Tensor:
        if out is not None:
            compute(array_of(a), array_of(b), out=_written(op, out, (a, b)))
            return out
        if isinstance(a, Tensor):
            x, want_a = a.array, a.requires_grad
        else:
            x, want_a = a, False
        if isinstance(b, Tensor):
            y, want_b = b.array, b.requires_grad
        else:
            y, want_b = b, False
        made = tensor_of(compute(x, y))
        if (want_a or want_b) and plans and mode.recording:
            plan = plans[want_a, want_b]
            array = made.array
            edges = ((a.node or a) if want_a else None, (b.node or b) if want_b else None)
            pick = plan.pick
            saved = plan.collect((x, y), array, {}) if pick is None else pick((x, y, array))
            made.node = made_node(plan, edges, saved, array)
            made.requires_grad = True
        return made

    return function


def variadic(op: str) -> Callable[..., Tensor]:
    """The tensor function of an op with any other number of inputs, and parameters by name."""
    compute = FUNCTIONS[op]
    rule = RULES.get(op)

    def function(*inputs: Any, **params: Any) -> Tensor:
        result = compute(*[array_of(x) for x in inputs], **params)
        return tensor_of(result) if rule is None else recorded(rule, result, inputs, **params)

    return function


def in_place(op: str) -> Callable[..., Tensor]:
    """The in-place twin of an op: it writes into its first input.

    Raises (when called):
        AutogradError: that is a leaf which requires gradients, or shares memory with views whose history would change.
    """
    compute = FUNCTIONS[op]
    rule = RULES.get(op)

    def function(self: Tensor, *others: Any) -> Tensor:
        array = self.array
        wanted = (self.requires_grad, *[isinstance(x, Tensor) and x.requires_grad for x in others])
        if not (mode.recording and True in wanted):
            compute(array, *[array_of(x) for x in others], out=array)
            return self
        check_rewritable(op, self)
        if rule is None:
            raise AutogradError(f"{op}_: the op has no gradient, so it cannot change a tensor that records one")
        before = nd.copy(array) if ("input", 0) in rule.plan(wanted).saves else array
        edge = self.node or self
        compute(array, *[array_of(x) for x in others], out=array)
        plan = rule.plan(wanted)
        saved = plan.collect((before, *[array_of(x) for x in others]), array, {})
        edges = tuple([(x.node or x) if want else None for x, want in zip(others, wanted[1:], strict=True)])
        self.node = made_node(plan, (edge if wanted[0] else None, *edges), saved, array)
        self.requires_grad = True
        return self

    return function


def check_rewritable(op: str, tensor: Tensor) -> None:
    """Refuse to record a write where it cannot be.

    Raises:
        AutogradError: the tensor is a leaf that requires gradients, or a view.
        DTypeError: its dtype carries no gradients.
    """
    if tensor.requires_grad and tensor.node is None:
        raise AutogradError("a leaf Variable that requires grad is being used in an in-place operation.")
    if tensor.base is not None:
        raise AutogradError(
            f"{op}_: recording an in-place op on a view is not supported; use the op that returns a new tensor"
        )
    if not tensor.array.dtype.is_inexact:
        raise DTypeError(f"{op}_: {tensor.array.dtype!r} cannot record gradients")
