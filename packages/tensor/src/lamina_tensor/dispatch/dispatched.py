"""The named ops that gradient rules use: on NDArrays they compute, on Tensors they are recorded as well."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import lamina_ndarray as nd
from lamina_ndarray.dispatch.functions import FUNCTIONS
from lamina_ndarray.elementwise.operations import RANKED

from ..tensor_fields import AnyTensor
from .tensor_functions import af

__all__ = ["dispatched", "dispatched_of_list", "formula_of", "fused_or_formula"]


def dispatched(name: str) -> Callable[..., Any]:
    """The op of this name with PyTorch's results, recorded if one of its operands is a tensor."""
    plain = RANKED.get(name) or getattr(nd, name)

    def op(*operands: Any, **params: Any) -> Any:
        for operand in operands:
            if isinstance(operand, AnyTensor):
                return getattr(af, name)(*operands, **params)
        return plain(*operands, **params)

    op.__name__ = name
    return op


def dispatched_of_list(name: str) -> Callable[..., Any]:
    """The op of this name that takes a sequence of arrays, recorded if one of them is a tensor."""
    plain = getattr(nd, name)

    def op(arrays: Any, *others: Any) -> Any:
        if any(isinstance(x, AnyTensor) for x in arrays):
            return getattr(af, name)(arrays, *others)
        return plain(arrays, *others)

    op.__name__ = name
    return op


def formula_of(op: str) -> Callable[..., Any]:
    """What an op is composed of, written for the arrays of any storey; decompositions are loaded when one is first wanted."""
    from lamina_ndarray.decompositions.registering import FORMULAS

    return FORMULAS[op]


def _reachable(result: Any, operands: tuple[Any, ...]) -> Any:
    """A gradient of which a backward pass finds what it was computed at, also where it only changes by steps, as that of `relu`."""
    if isinstance(result, AnyTensor) and not result.requires_grad:
        for x in operands:
            if isinstance(x, AnyTensor) and x.requires_grad and x.shape == result.shape:
                return af.where(nd.zeros((), dtype=nd.bool, device=x.device), x, result)
    return result


def fused_or_formula(op: str) -> Callable[..., Any]:
    """The gradient op of this name, which has no gradient of its own: on NDArrays one kernel call, on Tensors what it is composed
    of, recorded. The latter takes None for what the op gave `beside` its result: that carries no history."""
    fused = FUNCTIONS[op]

    def gradient(*operands: Any, beside: dict[str, Any] | None = None, **params: Any) -> Any:
        for operand in operands:
            if isinstance(operand, AnyTensor):
                return _reachable(formula_of(op)(*operands, **dict.fromkeys(beside or ()), **params), operands)
        return fused(*operands, **params) if beside is None else fused(*operands, **beside, **params)

    gradient.__name__ = op
    return gradient
