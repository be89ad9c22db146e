"""Recording: from a function of arrays and a gradient rule to a function of tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lamina_flatarray import AutogradError
from lamina_flatarray.dtypes import dtype_of
from lamina_flatarray.modes import NO_GRAD, RECORD, word
from lamina_flatarray.twins import compiled
from lamina_ndarray import NDArray
from lamina_ndarray.dispatch.functions import RANKED

from ..tensor_fields import AnyTensor, TensorFields, tensor_of, viewing
from .node import Node, made_node, output_node
from .rules import Plan, Rule, rule_of

if TYPE_CHECKING:
    from lamina_flatarray import DType

    from ..tensor_class import Tensor

__all__ = ["array_of", "out_array", "recorded", "recorded_several", "refuse_complex_numbers", "refuse_whole_numbers", "variadic"]


def array_of(x: Any) -> Any:
    """A tensor's array; anything else as it is."""
    return x.array if isinstance(x, AnyTensor) else x


def recorded(rule: Rule, result: NDArray, inputs: tuple[Any, ...], base: TensorFields | None = None, **params: Any) -> Tensor:
    """A tensor over `result`, with a node if recording is on and an input wants gradients.

    Args:
        rule: the op's gradients.
        result: what the op computed.
        inputs: what it was given: tensors, arrays or numbers, in the order of the rule's inputs.
        base: the tensor that the result is a view of.
        params: the op's parameters, as far as the rule names them.
    """
    tensor = tensor_of(result)
    if base is not None:
        viewing(tensor, base)
    flags = word.get()
    if not flags & NO_GRAD:
        for x in inputs:
            if isinstance(x, AnyTensor) and (x._requires_grad or flags & RECORD):
                node = _noted(rule, result, result, inputs, params) if result.flat.dtype.is_inexact else None
                if node is not None:
                    tensor.node = node
                    tensor.requires_grad = True
                break
    return tensor


def _noted(rule: Rule, outputs: Any, result: NDArray, inputs: tuple[Any, ...], params: dict[str, Any]) -> Node | None:
    """The node of an op, None where no input wants gradients; `outputs` is all that it gave, `result` the first of that."""
    recording = word.get() & RECORD  # else the slots themselves tell, sooner
    arrays, edges, needs_grad = [], [], []
    for x in inputs:
        if isinstance(x, AnyTensor):
            arrays.append(x.array)
            wants = x.requires_grad if recording else x._requires_grad
            edges.append((x.node if recording else x._node) or x if wants else None)
            needs_grad.append(wants)
        else:
            arrays.append(x)
            edges.append(None)
            needs_grad.append(False)
    if True not in needs_grad:
        return None
    choice = tuple(needs_grad)
    plan = rule.plans.get(choice) or rule.plan(choice)
    return made_node(plan, tuple(edges), plan.collect(tuple(arrays), outputs, params), result)


if compiled is not None:
    compiled.use_rules(Rule, Plan)
    recorded = compiled.recorded(recorded, viewing)


def recorded_several(rule: Rule, results: tuple[NDArray, ...], inputs: tuple[Any, ...], **params: Any) -> tuple[Tensor, ...]:
    """Tensors over the results of one op; the rule's gradients get a list with one gradient per result, None where
    there is none. Results that are not floating or complex carry no gradient.

    Args:
        rule: the op's gradients; a parameter called `y` gets all results.
        results: what the op computed.
        inputs: what it was given, in the order of the rule's inputs.
        params: the op's parameters, as far as the rule names them.
    """
    tensors = tuple(map(tensor_of, results))
    if word.get() & NO_GRAD:
        return tensors
    parent = _noted(rule, results, results[0], inputs, params)
    if parent is None:
        return tensors
    parent.results = tuple([(r.shape, r.dtype, r.device) for r in results])
    for i, (tensor, result) in enumerate(zip(tensors, results, strict=True)):
        if result.flat.dtype.is_inexact and (rule.results is None or i < rule.results):
            tensor.node = output_node(parent, i, len(tensors), result)
            tensor.requires_grad = True
    return tensors


def out_array(op: str, out: Tensor, inputs: tuple[Any, ...]) -> NDArray:
    """The array of an `out=` argument.

    Raises:
        AutogradError: gradients would have to flow through it.
    """
    if not word.get() & NO_GRAD:
        for x in (out, *inputs):
            if isinstance(x, AnyTensor) and x.requires_grad:
                raise AutogradError(
                    f"{op}(): functions with out=... arguments don't support automatic differentiation, but one of the "
                    "arguments requires grad."
                )
    return out.array


def refuse_whole_numbers(op: str, input: Tensor, dtype: DType) -> None:
    """Refuse to compute in integers or booleans where gradients would have to flow back.

    Raises:
        AutogradError: the input requires gradients, and the dtype carries none.
    """
    if not dtype_of(dtype).is_inexact and input.requires_grad and not word.get() & NO_GRAD:
        raise AutogradError(f"{op}: Autograd not support dtype: {dtype!r}; detach() the input, or sum in a floating-point dtype")


def refuse_complex_numbers(op: str, input: Tensor) -> None:
    """Refuse complex numbers where gradients would have to flow back through a function that has none of them.

    Raises:
        AutogradError: the input is complex, and requires gradients.
    """
    if input.array.flat.dtype.is_complex and input.requires_grad and not word.get() & NO_GRAD:
        raise AutogradError(f"{op} does not support automatic differentiation for outputs with complex dtype.")


def variadic(op: str) -> Callable[..., Tensor]:
    """The tensor function of an op with any other number of inputs, and parameters by name."""
    compute = RANKED[op]

    def function(*inputs: Any, **params: Any) -> Tensor:
        result, rule = compute(*[x.array if isinstance(x, AnyTensor) else x for x in inputs], **params), rule_of(op)
        return tensor_of(result) if rule is None else recorded(rule, result, inputs, **params)

    return function
