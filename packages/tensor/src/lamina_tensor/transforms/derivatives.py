"""Jacobians, Hessians and their products of a function at a point: PyTorch's `torch.autograd.functional`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

import lamina_ndarray as nd
from lamina_flatarray import ArgumentTypeError, AutogradError

from ..autograd.backward import grad
from ..autograd.modes import enable_grad
from ..dispatch.tensor_functions import af
from ..tensor_fields import AnyTensor, tensor_of
from . import func as transforms

__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]

if TYPE_CHECKING:
    from ..tensor_class import Tensor

    Tensors: TypeAlias = Tensor | tuple[Tensor, ...]


def _tuple(x: Any) -> tuple[Any, ...]:
    return tuple(x) if isinstance(x, (tuple, list)) else (x,)


def _tensors(op: str, inputs: Any) -> tuple[Any, ...]:
    """The inputs as a tuple.

    Raises:
        ArgumentTypeError: they are neither a tensor nor a tuple of tensors.
    """
    every = _tuple(inputs)
    for x in every:
        if not isinstance(x, AnyTensor):
            raise ArgumentTypeError(
                f"The inputs given to {op} must be either a Tensor or a tuple of Tensors but one of them has type {type(x).__name__}."
            )
    return every


def _like(gradients: tuple[Any, ...], inputs: Any) -> Any:
    return gradients if isinstance(inputs, (tuple, list)) else gradients[0]


def _detached(tree: Any, create_graph: bool) -> Any:
    if isinstance(tree, tuple):
        return tuple(_detached(x, create_graph) for x in tree)
    return tree if create_graph else tensor_of(tree.array)


def _stacked(tree: Any) -> Any:
    """Tensors in tuples, each with items of its own, row by row, as PyTorch stacks them."""
    return tuple(map(_stacked, tree)) if isinstance(tree, tuple) else af.contiguous(tree)


def _scalar(func: Callable[..., Any], op: str) -> Callable[..., Any]:
    def checked(*inputs: Any) -> Any:
        out = func(*inputs)
        if not isinstance(out, AnyTensor) or out.array.layout.size != 1:
            raise AutogradError(f"{op}: the Tensor returned by the function should contain a single element")
        return out.reshape(()) if out.array.layout.ndim else out

    return checked


def _check_dependence(func: Callable[..., Any], inputs: tuple[Any, ...], together: bool, gradient: bool = False) -> None:
    """Refuse a function of which an output does not depend on an input: what `strict` asks for, by one more call of it.

    Args:
        func: the function.
        inputs: where.
        together: whether each input need be in some output only, rather than in every one.
        gradient: whether the function is the gradient of that which the message speaks of.

    Raises:
        AutogradError: an output does not depend on an input.
    """
    leaves = tuple(tensor_of(x.array).requires_grad_() for x in inputs)
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
    for i, group in enumerate([outputs] if together else [(out,) for out in outputs]):
        ones = [tensor_of(nd.ones_like(out.array)) for out in group]
        for j, derivative in enumerate(grad(group, leaves, ones, retain_graph=True, allow_unused=True)):
            if derivative is None:
                raise AutogradError(
                    f"{'The output' if together else f'Output {i}'} of the user-provided function is independent of input {j}. "
                    "This is not allowed in strict mode."
                )


def jacobian(
    func: Callable[..., Tensors], inputs: Tensors, create_graph: bool = False, strict: bool = False, vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:  # fmt: skip
    """Compute the Jacobian of a function at a point.

    Args:
        func: a function from tensors to a tensor or a tuple of them.
        inputs: the point: a tensor, or a tuple of arguments.
        create_graph: whether the result can be differentiated.
        strict: whether an output that does not depend on an input is an error.
        vectorize: accepted; rows are always computed together.
        strategy: "reverse-mode" or "forward-mode".

    Returns:
        For an output (*out) and an input (*in), the block (*out, *in); tuples of them for several outputs or inputs.

    Raises:
        ArgumentTypeError: the inputs are neither a tensor nor a tuple of tensors.
        AutogradError: an output does not depend on an input, if `strict`.

    >>> torch.autograd.functional.jacobian(torch.square, torch.tensor([1.0, 2.0]))
    tensor([[2., 0.],
            [0., 4.]])
    """
    tensors = _tensors("jacobian", inputs)
    if strict:
        _check_dependence(func, tensors, together=False)
    transform = transforms.jacfwd if strategy == "forward-mode" else transforms.jacrev
    result = transform(func, tuple(range(len(tensors))))(*tensors)
    if isinstance(inputs, AnyTensor):
        several = isinstance(result, tuple) and len(result) > 0 and isinstance(result[0], tuple)
        result = tuple(row[0] for row in result) if several else result[0]
    return _stacked(_detached(result, create_graph))


def hessian(
    func: Callable[..., Tensors], inputs: Tensors, create_graph: bool = False, strict: bool = False, vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:  # fmt: skip
    """Compute the second derivatives of a function at a point.

    Args:
        func: a function from tensors to a tensor of one item.
        inputs: the point: a tensor, or a tuple of arguments.
        create_graph: whether the result can be differentiated.
        strict: whether an output that does not depend on an input is an error.
        vectorize: accepted; rows are always computed together.
        outer_jacobian_strategy: accepted; it is always "reverse-mode".

    Returns:
        For inputs (*in_i) and (*in_j), the block (*in_i, *in_j); tuples of tuples of them for several inputs.

    Raises:
        ArgumentTypeError: the inputs are neither a tensor nor a tuple of tensors.
        AutogradError: the function gives no single number; or it, or its gradient, does not depend on an input, if `strict`.

    >>> torch.autograd.functional.hessian(lambda x: (x ** 3).sum(), torch.tensor([1.0, 2.0]))
    tensor([[ 6.,  0.],
            [ 0., 12.]])
    """
    tensors = _tensors("hessian", inputs)
    places = tuple(range(len(tensors)))
    if strict:
        _check_dependence(func, tensors, together=False)
        _check_dependence(transforms.grad(_scalar(func, "hessian"), places), tensors, together=False, gradient=True)
    result = transforms.jacrev(transforms.jacrev(_scalar(func, "hessian"), places), places)(*tensors)
    return _stacked(_detached(result if not isinstance(inputs, AnyTensor) else result[0][0], create_graph))


def vjp(
    func: Callable[..., Tensors], inputs: Tensors, v: Tensors | None = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """Compute the value of a function and the product of a vector with its Jacobian.

    Args:
        func: a function from tensors to a tensor or a tuple of them.
        inputs: the point: a tensor, or a tuple of arguments.
        v: the vector, of the outputs' shapes; None for ones, where there is one output of one item.
        create_graph: whether the result can be differentiated.
        strict: whether an output that does not depend on an input is an error.

    Returns:
        (value, product); the product has the inputs' shapes.

    Raises:
        ArgumentTypeError: the inputs are neither a tensor nor a tuple of tensors.
        AutogradError: `v` is left out, and there is no single number; or an output does not depend on an input, if `strict`.

    >>> torch.autograd.functional.vjp(torch.square, torch.tensor([1.0, 2.0]), torch.tensor([1.0, 1.0]))
    (tensor([1., 4.]), tensor([2., 4.]))
    """
    tensors = _tensors("vjp", inputs)
    if strict:
        _check_dependence(func, tensors, together=True)
    value, pull = transforms.vjp(func, *tensors)
    if v is None:
        if not isinstance(value, AnyTensor) or value.array.layout.size != 1:
            raise AutogradError(
                "The vector v can only be None if the user-provided function returns a single Tensor with a single element."
            )
        v = tensor_of(nd.ones_like(value.array))
    return _detached(value, create_graph), _detached(_like(pull(*_tuple(v)), inputs), create_graph)


def jvp(
    func: Callable[..., Tensors], inputs: Tensors, v: Tensors | None = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """Compute the value of a function and the product of its Jacobian with a vector.

    Args:
        func: a function from tensors to a tensor or a tuple of them.
        inputs: the point: a tensor, or a tuple of arguments.
        v: the vector, of the inputs' shapes; None for ones, where there is one input of one item.
        create_graph: whether the result can be differentiated.
        strict: whether an output that does not depend on an input is an error.

    Returns:
        (value, product); the product has the outputs' shapes.

    Raises:
        ArgumentTypeError: the inputs are neither a tensor nor a tuple of tensors.
        AutogradError: `v` is left out, and the input is no single number; or an output does not depend on an input, if
            `strict`.

    >>> torch.autograd.functional.jvp(torch.square, torch.tensor([1.0, 2.0]), torch.tensor([1.0, 1.0]))
    (tensor([1., 4.]), tensor([2., 4.]))
    """
    tensors = _tensors("jvp", inputs)
    if strict:
        _check_dependence(func, tensors, together=True)
    if v is None:
        if len(tensors) != 1 or tensors[0].array.layout.size != 1:
            raise AutogradError(
                "The vector v can only be None if the input to the user-provided function is a single Tensor with a "
                "single element."
            )
        v = tensor_of(nd.ones_like(tensors[0].array))
    value, tangent = transforms.jvp(func, tensors, _tuple(v))
    return _detached(value, create_graph), _detached(tangent, create_graph)


def vhp(
    func: Callable[..., Tensors], inputs: Tensors, v: Tensors | None = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """Compute the value of a function and the product of a vector with its Hessian.

    Args:
        func: a function from tensors to a tensor of one item.
        inputs: the point: a tensor, or a tuple of arguments.
        v: the vector, of the inputs' shapes; None for ones.
        create_graph: whether the result can be differentiated.
        strict: whether an output that does not depend on an input is an error.

    Returns:
        (value, product); the product has the inputs' shapes.

    Raises:
        ArgumentTypeError: the inputs are neither a tensor nor a tuple of tensors.
        AutogradError: the function gives no single number; or it, or its gradient, does not depend on an input, if `strict`.

    >>> torch.autograd.functional.vhp(lambda x: (x ** 3).sum(), torch.tensor([1.0, 2.0]), torch.tensor([1.0, 1.0]))
    (tensor(9.), tensor([ 6., 12.]))
    """
    tensors = _tensors("vhp", inputs)
    if strict:
        places = tuple(range(len(tensors)))
        _check_dependence(func, tensors, together=True)
        _check_dependence(transforms.grad(_scalar(func, "vhp"), places), tensors, together=True, gradient=True)
    gradient = transforms.grad_and_value(_scalar(func, "vhp"), tuple(range(len(tensors))))
    (_, value), pull = transforms.vjp(gradient, *tensors)
    zero = tensor_of(nd.zeros_like(value.array))
    vector = (tensor_of(nd.ones_like(tensors[0].array)),) if v is None else _tuple(v)
    return _detached(value, create_graph), _detached(_like(pull((vector, zero)), inputs), create_graph)


def hvp(
    func: Callable[..., Tensors], inputs: Tensors, v: Tensors | None = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """Compute the value of a function and the product of its Hessian with a vector.

    Args:
        func: a function from tensors to a tensor of one item.
        inputs: the point: a tensor, or a tuple of arguments.
        v: the vector, of the inputs' shapes; None for ones.
        create_graph: whether the result can be differentiated.
        strict: whether an output that does not depend on an input is an error.

    Returns:
        (value, product); the product has the inputs' shapes.

    Raises:
        ArgumentTypeError: the inputs are neither a tensor nor a tuple of tensors.
        AutogradError: the function gives no single number; or it, or its gradient, does not depend on an input, if `strict`.

    >>> torch.autograd.functional.hvp(lambda x: (x ** 3).sum(), torch.tensor([1.0, 2.0]), torch.tensor([1.0, 1.0]))
    (tensor(9.), tensor([ 6., 12.]))
    """
    tensors = _tensors("hvp", inputs)
    if strict:
        places = tuple(range(len(tensors)))
        _check_dependence(func, tensors, together=True)
        _check_dependence(transforms.grad(_scalar(func, "hvp"), places), tensors, together=True, gradient=True)
    vector = (tensor_of(nd.ones_like(tensors[0].array)),) if v is None else _tuple(v)
    gradient = transforms.grad_and_value(_scalar(func, "hvp"), tuple(range(len(tensors))))
    (_, value), (product, _) = transforms.jvp(gradient, tensors, vector)
    return _detached(value, create_graph), _detached(_like(product, inputs), create_graph)
