"""Jacobians, Hessians and their products of a function at a point: PyTorch's `torch.autograd.functional`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import lamina_ndarray as nd
from lamina_flatarray import AutogradError

from ..autograd.engine import grad
from ..autograd.modes import enable_grad
from ..tensor_fields import TensorFields, tensor_of
from . import func as transforms

__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]

Tensors = TensorFields | tuple[TensorFields, ...]


def _tuple(x: Any) -> tuple[Any, ...]:
    return tuple(x) if isinstance(x, (tuple, list)) else (x,)


def _like(found: tuple[Any, ...], given: Any) -> Any:
    return found if isinstance(given, (tuple, list)) else found[0]


def _detached(tree: Any, create_graph: bool) -> Any:
    if isinstance(tree, tuple):
        return tuple(_detached(x, create_graph) for x in tree)
    return tree if create_graph else tensor_of(tree.array)


def _scalar(func: Callable[..., Any], op: str) -> Callable[..., Any]:
    def checked(*inputs: Any) -> Any:
        out = func(*inputs)
        if not isinstance(out, TensorFields) or out.array.layout.size != 1:
            raise AutogradError(f"{op}: the Tensor returned by the function should contain a single element")
        return out.reshape(()) if out.array.layout.ndim else out  # type: ignore[attr-defined]

    return checked


def _check_dependence(func: Callable[..., Any], given: tuple[Any, ...], together: bool, gradient: bool = False) -> None:
    """Refuse a function of which an output does not depend on an input: what `strict` asks for, by one more call of it.

    Args:
        func: the function.
        given: where.
        together: whether each input need be in some output only, rather than in every one.
        gradient: whether the function is the gradient of that which the message speaks of.

    Raises:
        AutogradError: an output does not depend on an input.
    """
    leaves = tuple(tensor_of(x.array).requires_grad_() for x in given)  # type: ignore[attr-defined]
    with enable_grad():
        outputs = _tuple(func(*leaves))
    for i, out in enumerate(outputs):
        if not out.requires_grad and gradient:
            raise AutogradError(
                f"While computing the hessian, found that the jacobian of the user-provided function with respect to input {i} is "
                "independent of the input. This is not allowed in strict mode."
            )
        if not out.requires_grad:
            raise AutogradError(
                f"Output {i} of the user-provided function does not require gradients. The outputs must be computed in a "
                "differentiable manner from the input when running in strict mode."
            )
    for i, some in enumerate([outputs] if together else [(out,) for out in outputs]):
        ones = [tensor_of(nd.ones_like(out.array)) for out in some]
        for j, found in enumerate(grad(some, leaves, ones, retain_graph=True, allow_unused=True)):
            if found is None:
                raise AutogradError(
                    f"{'The output' if together else f'Output {i}'} of the user-provided function is independent of input {j}. "
                    "This is not allowed in strict mode."
                )


def jacobian(
    func: Callable[..., Any], inputs: Tensors, create_graph: bool = False, strict: bool = False, vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:  # fmt: skip
    """The Jacobian of `func`: for output and input tensors of shapes (*out) and (*in), blocks of shape (*out, *in); in
    tuples where there are several outputs or inputs.

    Args:
        func: from tensors to a tensor or a tuple of them.
        inputs: where; a tensor or a tuple.
        create_graph: whether the result can be differentiated.
        strict: raise where an output does not depend on an input.
        vectorize: accepted; rows are computed one by one.
        strategy: "reverse-mode" or "forward-mode".

    Raises:
        AutogradError: an output does not depend on an input, if `strict`.
    """
    given = _tuple(inputs)
    if strict:
        _check_dependence(func, given, together=False)
    transform = transforms.jacfwd if strategy == "forward-mode" else transforms.jacrev
    found = transform(func, tuple(range(len(given))))(*given)
    if isinstance(inputs, TensorFields):
        several = isinstance(found, tuple) and len(found) > 0 and isinstance(found[0], tuple)
        found = tuple(row[0] for row in found) if several else found[0]
    return _detached(found, create_graph)


def hessian(
    func: Callable[..., Any], inputs: Tensors, create_graph: bool = False, strict: bool = False, vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:  # fmt: skip
    """The second derivatives of a function of one number: blocks of shape (*in_i, *in_j).

    Raises:
        AutogradError: the function gives no single number; or it, or its gradient, does not depend on an input, if `strict`.
    """
    given = _tuple(inputs)
    places = tuple(range(len(given)))
    if strict:
        _check_dependence(func, given, together=False)
        _check_dependence(transforms.grad(_scalar(func, "hessian"), places), given, together=False, gradient=True)
    found = transforms.jacrev(transforms.jacrev(_scalar(func, "hessian"), places), places)(*given)
    return _detached(found if not isinstance(inputs, TensorFields) else found[0][0], create_graph)


def vjp(
    func: Callable[..., Any], inputs: Tensors, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """The value of `func` and the product of `v` with its Jacobian; `v` may be left out for a single number.

    Raises:
        AutogradError: `v` is left out, and there is no single number; or an output does not depend on an input, if `strict`.
    """
    given = _tuple(inputs)
    if strict:
        _check_dependence(func, given, together=True)
    value, pull = transforms.vjp(func, *given)
    if v is None:
        if not isinstance(value, TensorFields) or value.array.layout.size != 1:
            raise AutogradError(
                "The vector v can only be None if the user-provided function returns a single Tensor with a single element."
            )
        v = tensor_of(nd.ones_like(value.array))
    return _detached(value, create_graph), _detached(_like(pull(*_tuple(v)), inputs), create_graph)


def jvp(
    func: Callable[..., Any], inputs: Tensors, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """The value of `func` and the product of its Jacobian with `v`; `v` may be left out for an input of one number.

    Raises:
        AutogradError: `v` is left out, and the input is no single number; or an output does not depend on an input, if
            `strict`.
    """
    given = _tuple(inputs)
    if strict:
        _check_dependence(func, given, together=True)
    if v is None:
        if len(given) != 1 or given[0].array.layout.size != 1:
            raise AutogradError(
                "The vector v can only be None if the input to the user-provided function is a single Tensor with a "
                "single element."
            )
        v = tensor_of(nd.ones_like(given[0].array))
    value, tangent = transforms.jvp(func, given, _tuple(v))
    return _detached(value, create_graph), _detached(tangent, create_graph)


def vhp(
    func: Callable[..., Any], inputs: Tensors, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """The value of a function of one number and the product of `v` with its Hessian.

    Raises:
        AutogradError: the function gives no single number; or it, or its gradient, does not depend on an input, if `strict`.
    """
    given = _tuple(inputs)
    if strict:
        places = tuple(range(len(given)))
        _check_dependence(func, given, together=True)
        _check_dependence(transforms.grad(_scalar(func, "vhp"), places), given, together=True, gradient=True)
    gradient = transforms.grad_and_value(_scalar(func, "vhp"), tuple(range(len(given))))
    (_, value), pull = transforms.vjp(gradient, *given)
    zero = tensor_of(nd.zeros_like(value.array))
    along = (tensor_of(nd.ones_like(given[0].array)),) if v is None else _tuple(v)
    return _detached(value, create_graph), _detached(_like(pull((along, zero)), inputs), create_graph)


def hvp(
    func: Callable[..., Any], inputs: Tensors, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """The value of a function of one number and the product of its Hessian with `v`.

    Raises:
        AutogradError: the function gives no single number; or it, or its gradient, does not depend on an input, if `strict`.
    """
    given = _tuple(inputs)
    if strict:
        places = tuple(range(len(given)))
        _check_dependence(func, given, together=True)
        _check_dependence(transforms.grad(_scalar(func, "hvp"), places), given, together=True, gradient=True)
    along = (tensor_of(nd.ones_like(given[0].array)),) if v is None else _tuple(v)
    gradient = transforms.grad_and_value(_scalar(func, "hvp"), tuple(range(len(given))))
    (_, value), (moved, _) = transforms.jvp(gradient, given, along)
    return _detached(value, create_graph), _detached(_like(moved, inputs), create_graph)
