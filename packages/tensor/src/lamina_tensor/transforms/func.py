"""Functions of functions: gradients, Jacobians, tangents and mapping over a dimension, nested as deep as one likes.

What `torch.func` has. A function is run on stand-ins for its arguments, and what was recorded is then followed backward, or
forward. A stand-in for an argument that is itself being differentiated stays connected to it, so transforms nest.
https://docs.pytorch.org/docs/stable/func.html
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, TypeVar, overload

import lamina_ndarray as nd
from lamina_flatarray import ArgumentValueError, AutogradError, UsageError

from ..autograd.backward import grad as gradients_of
from ..autograd.modes import enable_grad
from ..autograd.node import Node
from ..autograd.recording import recorded
from ..autograd.rules import RULES
from ..dispatch.tensor_functions import af
from ..tensor_fields import AnyTensor, tensor_of
from .forward_mode import pushed_forward
from .mapping.batches import mapped_over
from .trees import flattened, mapped, rebuilt

if TYPE_CHECKING:
    from ..tensor_class import Tensor

__all__ = ["cut", "grad", "grad_and_value", "hessian", "jacfwd", "jacrev", "jvp", "linearize", "stand_in", "value_and_grad", "vjp"]

Argnums = int | tuple[int, ...]
P = ParamSpec("P")
Value = TypeVar("Value")


def stand_in(x: Any) -> Any:
    """A tensor in an argument's place: the same items, recorded as its view if it is being differentiated already."""
    if not isinstance(x, AnyTensor) or not x.array.dtype.is_inexact:
        return x
    if x.requires_grad:
        return recorded(RULES["reshape"], x.array, (x,))
    result = tensor_of(x.array)
    result.requires_grad = True
    return result


def _free_of(x: Any, stand_ins: Sequence[Tensor]) -> bool:
    """Whether what was recorded for x leads to no other leaf than to stand-ins made here."""
    own = {id(s) for s in stand_ins}
    seen: set[int] = set()
    stack = [x.node or x] if isinstance(x, AnyTensor) and x.requires_grad else []
    while stack:
        at = stack.pop()
        if id(at) in seen:
            continue
        seen.add(id(at))
        if isinstance(at, Node):
            stack.extend(edge for edge in at.inputs if edge is not None)
        elif id(at) not in own:
            return False
    return True


def cut(tree: Any, stand_ins: Sequence[Tensor]) -> Any:
    """Results without the history that only leads to stand-ins."""
    return mapped(lambda x: tensor_of(x.array) if isinstance(x, AnyTensor) and x.requires_grad and _free_of(x, stand_ins) else x, tree)


def _chosen(args: tuple[Any, ...], argnums: Argnums) -> tuple[list[Any], tuple[int, ...], list[Any]]:
    """The arguments with stand-ins for those that are differentiated, which these are, and the stand-ins."""
    places = (argnums,) if isinstance(argnums, int) else tuple(argnums)
    for place in places:
        if not -len(args) <= place < len(args):
            raise UsageError(f"Got argnum={place}, but only {len(args)} positional inputs")
    places = tuple(place % len(args) for place in places)
    operands = list(args)
    for place in places:
        operands[place] = mapped(stand_in, args[place])
    leaves = [leaf for place in places for leaf in flattened(operands[place]) if isinstance(leaf, AnyTensor)]
    return operands, places, leaves


def _single(out: Any, name: str) -> Tensor:
    if not isinstance(out, AnyTensor):
        raise AutogradError(f"{name}: the function must return a Tensor, got {type(out).__name__}")
    if out.array.layout.ndim:
        raise AutogradError(f"{name}: the function must return a scalar tensor, got one of shape {out.shape}")
    return out


def _backward(out: Sequence[Tensor], leaves: list[Tensor], seeds: Sequence[Tensor | None] | None = None) -> list[Tensor]:
    """Gradients, zeros where there are none; recorded only where more than the stand-ins is behind the results."""
    reached = [(o, None if seeds is None else s) for o, s in zip(out, seeds or out, strict=True) if o.requires_grad]
    if not reached:
        return [tensor_of(nd.zeros_like(leaf.array)) for leaf in leaves]
    outs, cotangents = zip(*reached, strict=True)
    nested = not all(_free_of(o, leaves) for o in outs) or any(s is not None and s.requires_grad for s in cotangents)
    gradients = gradients_of(
        list(outs), leaves, None if seeds is None else list(cotangents), retain_graph=True, create_graph=nested,
        allow_unused=True, materialize_grads=True,
    )  # fmt: skip
    return [g for g in gradients if g is not None]


def grad_and_value(func: Callable[P, Any], argnums: Argnums = 0, has_aux: bool = False) -> Callable[P, tuple[Any, Any]]:
    """Make a function that computes the gradient and the value of `func`.

    Args:
        func: returns a tensor without dims; with `has_aux`, that and anything else.
        argnums: which arguments to differentiate: one, or several for a tuple of gradients. Arguments may be trees.
        has_aux: whether `func` returns (value, aux).

    Returns:
        A function from the arguments of `func` to (gradient, value), or to (gradient, (value, aux)).

    Raises (when called):
        UsageError: there is no argument of a number in `argnums`.
        AutogradError: `func` does not return a tensor without dims.

    >>> torch.func.grad_and_value(lambda x: (x * x).sum())(torch.tensor([1.0, 2.0]))
    (tensor([2., 4.]), tensor(5.))
    """

    @wraps(func)
    def transformed(*args: Any, **kwargs: Any) -> Any:
        operands, places, leaves = _chosen(args, argnums)
        with enable_grad():
            out = func(*operands, **kwargs)
            value, aux = out if has_aux else (out, None)
            grads = iter(_backward([_single(value, "grad")], leaves))
            parts = tuple(mapped(lambda x: next(grads) if isinstance(x, AnyTensor) else x, operands[place]) for place in places)
        value, aux = cut(value, leaves), cut(aux, leaves)
        gradient = parts[0] if isinstance(argnums, int) else parts
        return (gradient, (value, aux)) if has_aux else (gradient, value)

    return transformed


def value_and_grad(func: Callable[P, Any], argnums: Argnums = 0, has_aux: bool = False) -> Callable[P, tuple[Any, Any]]:
    """Make a function that computes the value and the gradient of `func`: `grad_and_value` with the value first.

    Args:
        func, argnums, has_aux: as for `grad_and_value`.

    Returns:
        A function from the arguments of `func` to (value, gradient), or to ((value, aux), gradient).

    >>> torch.func.value_and_grad(lambda x: (x * x).sum())(torch.tensor([1.0, 2.0]))
    (tensor(5.), tensor([2., 4.]))
    """
    inner = grad_and_value(func, argnums, has_aux)

    @wraps(func)
    def transformed(*args: Any, **kwargs: Any) -> Any:
        gradient, value = inner(*args, **kwargs)
        return value, gradient

    return transformed


def grad(func: Callable[P, Any], argnums: Argnums = 0, has_aux: bool = False) -> Callable[P, Any]:
    """Make a function that computes the gradient of `func`.

    Args:
        func, argnums, has_aux: as for `grad_and_value`.

    Returns:
        A function from the arguments of `func` to the gradient, or to (gradient, aux).

    Raises (when called):
        UsageError: there is no argument of a number in `argnums`.
        AutogradError: `func` does not return a tensor without dims.

    >>> torch.func.grad(torch.sin)(torch.tensor(0.0))
    tensor(1.)
    """
    inner = grad_and_value(func, argnums, has_aux)

    @wraps(func)
    def transformed(*args: Any, **kwargs: Any) -> Any:
        gradient, value = inner(*args, **kwargs)
        return (gradient, value[1]) if has_aux else gradient

    return transformed


@overload
def vjp(
    func: Callable[..., Value], *primals: Any, has_aux: Literal[False] = False
) -> tuple[Value, Callable[..., tuple[Any, ...]]]: ...
@overload
def vjp(
    func: Callable[..., tuple[Value, Any]], *primals: Any, has_aux: Literal[True]
) -> tuple[Value, Callable[..., tuple[Any, ...]], Any]: ...
def vjp(func: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    """Compute the value of `func`, and make a function that multiplies gradients of the value by its Jacobian.

    Args:
        func: returns a tensor, or a tree of them; with `has_aux`, that and anything else.
        primals: its arguments.
        has_aux: whether `func` returns (value, aux).

    Returns:
        (value, vjp_fn), or (value, vjp_fn, aux). `vjp_fn` takes the gradients of the value, and returns the tuple of those of
        the arguments.

    Raises (when `vjp_fn` is called):
        UsageError: there are not as many gradients as outputs.

    >>> value, vjp_fn = torch.func.vjp(torch.square, torch.tensor([1.0, 2.0]))
    >>> vjp_fn(torch.tensor([1.0, 1.0]))
    (tensor([2., 4.]),)
    """
    operands, _, leaves = _chosen(primals, tuple(range(len(primals))))
    with enable_grad():
        out = func(*operands)
    value, aux = out if has_aux else (out, None)
    outputs = flattened(value)

    def vjp_fn(*cotangents: Any) -> Any:
        seeds = flattened(cotangents[0] if len(cotangents) == 1 else cotangents)
        if len(seeds) != len(outputs):
            raise UsageError(f"vjp: the number of cotangents ({len(seeds)}) differs from the number of outputs ({len(outputs)})")
        grads = iter(_backward(outputs, leaves, seeds))
        return tuple(mapped(lambda x: next(grads) if isinstance(x, AnyTensor) and x.requires_grad else x, m) for m in operands)

    shown = cut(value, leaves)
    return (shown, vjp_fn, cut(aux, leaves)) if has_aux else (shown, vjp_fn)


@overload
def jvp(
    func: Callable[..., Value], primals: tuple[Any, ...], tangents: tuple[Any, ...], *, strict: bool = False,
    has_aux: Literal[False] = False,
) -> tuple[Value, Value]: ...
@overload
def jvp(
    func: Callable[..., tuple[Value, Any]], primals: tuple[Any, ...], tangents: tuple[Any, ...], *, strict: bool = False,
    has_aux: Literal[True],
) -> tuple[Value, Value, Any]: ...
def jvp(
    func: Callable[..., Any], primals: tuple[Any, ...], tangents: tuple[Any, ...], *, strict: bool = False,
    has_aux: bool = False,
) -> Any:  # fmt: skip
    """Compute the value of `func`, and its change when the arguments move along tangents: forward mode.

    Args:
        func: returns a tensor, or a tree of them; with `has_aux`, that and anything else.
        primals: the tuple of its arguments.
        tangents: a tangent for each.
        strict: whether an output that does not depend on the arguments is an error.
        has_aux: whether `func` returns (value, aux).

    Returns:
        (value, tangent), or (value, tangent, aux).

    Raises:
        UsageError: primals or tangents are no tuples, or there are not as many tangents as primals.
        AutogradError: a tangent has another shape than its argument; or an output depends on none, if `strict`.

    >>> torch.func.jvp(torch.square, (torch.tensor(3.0),), (torch.tensor(1.0),))
    (tensor(9.), tensor(6.))
    """
    if not (isinstance(primals, tuple) and primals and isinstance(tangents, tuple)):
        raise UsageError(f"jvp: primals and tangents must be tuples, not {type(primals).__name__} and {type(tangents).__name__}")
    if len(primals) != len(tangents):
        raise UsageError(f"jvp: the number of tangents ({len(tangents)}) differs from the number of primals ({len(primals)})")
    operands, _, leaves = _chosen(tuple(primals), tuple(range(len(primals))))
    with enable_grad():
        out = func(*operands)
        value, aux = out if has_aux else (out, None)
        outputs = flattened(value)
        if strict and not all(o.requires_grad for o in outputs):
            raise AutogradError("jvp: an output of the function is independent of its inputs, which strict=True does not allow")
        moved = _forward(outputs, leaves, [t for t in flattened(tuple(tangents)) if isinstance(t, AnyTensor)])
    shown = cut(value, leaves)
    tangent = rebuilt(value, [cut(t, leaves) for t in moved])
    return (shown, tangent, cut(aux, leaves)) if has_aux else (shown, tangent)


def _forward(outputs: list[Any], leaves: list[Any], tangents: list[Any]) -> list[Tensor]:
    if len(leaves) != len(tangents):
        raise UsageError(f"jvp: the number of tangents ({len(tangents)}) differs from the number of tensors ({len(leaves)})")
    nested = not all(_free_of(o, leaves) for o in outputs) or any(t.requires_grad for t in tangents)
    output_tangents = pushed_forward(outputs, leaves, tangents, create_graph=nested)
    return [tensor_of(nd.zeros_like(o.array)) if t is None else t for o, t in zip(outputs, output_tangents, strict=True)]


def linearize(func: Callable[..., Value], *primals: Any) -> tuple[Value, Callable[..., Value]]:
    """Compute the value of `func`, and make its linear approximation there. `func` runs once, however many tangents follow.

    Args:
        func: returns a tensor, or a tree of them.
        primals: its arguments.

    Returns:
        (value, jvp_fn). `jvp_fn` takes tangents of the arguments, and returns the tangent of the value.

    Raises (when `jvp_fn` is called):
        UsageError: there are not as many tangents as arguments.

    >>> value, jvp_fn = torch.func.linearize(torch.square, torch.tensor(3.0))
    >>> jvp_fn(torch.tensor(1.0))
    tensor(6.)
    """
    operands, _, leaves = _chosen(primals, tuple(range(len(primals))))
    with enable_grad():
        value = func(*operands)
    outputs = flattened(value)

    def jvp_fn(*tangents: Any) -> Any:
        with enable_grad():
            moved = _forward(outputs, leaves, [t for t in flattened(tangents) if isinstance(t, AnyTensor)])
        return rebuilt(value, [cut(t, leaves) for t in moved])

    return cut(value, leaves), jvp_fn


def _basis(x: Tensor) -> Tensor:
    """One tensor of x's shape per item of x, 1 there and 0 elsewhere, along a first dim."""
    n = x.array.layout.size
    return tensor_of(nd.reshape(nd.eye(n, dtype=x.array.dtype, device=x.array.device), (n, *x.array.layout.shape)))


def jacrev(
    func: Callable[..., Any], argnums: Argnums = 0, *, has_aux: bool = False, chunk_size: int | None = None,
    _preallocate_and_copy: bool = False,
) -> Callable[..., Any]:  # fmt: skip
    """Make a function that computes the Jacobian of `func` in reverse mode.

    Args:
        func: returns a tensor, or a tree of them; with `has_aux`, that and anything else.
        argnums: which arguments to differentiate.
        has_aux: whether `func` returns (value, aux).
        chunk_size: how many rows to compute at a time; None for all.
        _preallocate_and_copy: accepted: PyTorch saves memory by it.

    Returns:
        A function from the arguments of `func` to the Jacobian (*output, *argument), or to (Jacobian, aux).

    Raises:
        ArgumentValueError: `chunk_size` is not above 0.

    >>> torch.func.jacrev(torch.square)(torch.tensor([1.0, 2.0]))
    tensor([[2., 0.],
            [0., 4.]])
    """
    if chunk_size is not None and chunk_size <= 0:
        raise ArgumentValueError("jacrev: `chunk_size` should be greater than 0.")

    @wraps(func)
    def transformed(*args: Any) -> Any:
        operands, places, leaves = _chosen(args, argnums)
        with enable_grad():
            out = func(*operands)
            value, aux = out if has_aux else (out, None)
            blocks = []
            for output in flattened(value):
                rows = mapped_over(lambda seed, out=output: _backward([out], leaves, [seed]), _basis(output), chunk_size)  # type: ignore[misc]
                blocks.append(
                    [af.reshape(row, (*output.shape, *leaf.shape)) for row, leaf in zip(rows, leaves, strict=True)]
                )
            result = _arranged(value, blocks, operands, places, argnums)
        result = cut(result, leaves)
        return (result, cut(aux, leaves)) if has_aux else result

    return transformed


def jacfwd(
    func: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False, *, randomness: str = "error",
    chunk_size: int | None = None,
) -> Callable[..., Any]:  # fmt: skip
    """Make a function that computes the Jacobian of `func` in forward mode: cheaper where inputs are fewer than outputs.

    Args:
        func: returns a tensor, or a tree of them; with `has_aux`, that and anything else.
        argnums: which arguments to differentiate.
        has_aux: whether `func` returns (value, aux).
        randomness: accepted; `func` runs once, so its random numbers are the same for all columns.
        chunk_size: how many columns to compute at a time; None for all.

    Returns:
        A function from the arguments of `func` to the Jacobian (*output, *argument), or to (Jacobian, aux).

    >>> torch.func.jacfwd(torch.square)(torch.tensor([1.0, 2.0]))
    tensor([[2., 0.],
            [0., 4.]])
    """

    @wraps(func)
    def transformed(*args: Any) -> Any:
        operands, places, leaves = _chosen(args, argnums)
        with enable_grad():
            out = func(*operands)
            value, aux = out if has_aux else (out, None)
            outputs = flattened(value)
            zeros = [tensor_of(nd.zeros_like(leaf.array)) for leaf in leaves]
            blocks: list[list[Tensor]] = [[] for _ in outputs]
            for i, leaf in enumerate(leaves):
                before, after = zeros[:i], zeros[i + 1 :]
                columns = mapped_over(
                    lambda t, b=before, a=after: _forward(outputs, leaves, [*b, t, *a]), _basis(leaf), chunk_size  # type: ignore[misc]
                )
                for k, (output, column) in enumerate(zip(outputs, columns, strict=True)):
                    n, m = len(leaf.shape), len(output.shape)
                    block = af.reshape(column, (*leaf.shape, *output.shape))
                    blocks[k].append(af.permute(block, (*range(n, n + m), *range(n))))
            result = _arranged(value, blocks, operands, places, argnums)
        result = cut(result, leaves)
        return (result, cut(aux, leaves)) if has_aux else result

    return transformed


def _arranged(value: Any, blocks: list[list[Tensor]], operands: list[Any], places: tuple[int, ...], argnums: Argnums) -> Any:
    """Jacobian blocks in the form of the outputs, and within it of the arguments."""

    def of_inputs(row: list[Tensor]) -> Any:
        rest = iter(row)
        parts = tuple(mapped(lambda x: next(rest) if isinstance(x, AnyTensor) else x, operands[place]) for place in places)
        return parts[0] if isinstance(argnums, int) else parts

    return rebuilt(value, [of_inputs(row) for row in blocks])


def hessian(func: Callable[..., Any], argnums: Argnums = 0) -> Callable[..., Any]:
    """Make a function that computes the second derivatives of `func`: forward over reverse mode.

    Args:
        func: returns a tensor without dims.
        argnums: which arguments to differentiate.

    Returns:
        A function from the arguments of `func` to the Hessian (*argument, *argument).

    >>> torch.func.hessian(lambda x: (x ** 3).sum())(torch.tensor([1.0, 2.0]))
    tensor([[ 6.,  0.],
            [ 0., 12.]])
    """
    return jacfwd(jacrev(func, argnums), argnums)
