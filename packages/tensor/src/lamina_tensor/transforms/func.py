"""Functions of functions: gradients, Jacobians, tangents and mapping over a dimension, nested as deep as one likes.

What `torch.func` has. A function is run on stand-ins for its arguments, and what was recorded is then followed backward, or
forward. A stand-in for an argument that is itself being differentiated stays connected to it, so transforms nest.
https://docs.pytorch.org/docs/stable/func.html
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any

import lamina_ndarray as nd
from lamina_flatarray import AutogradError

from ..autograd.engine import grad as gradients_of
from ..autograd.modes import enable_grad
from ..autograd.node import Node
from ..autograd.recording import recorded
from ..autograd.rules import RULES
from ..dispatch import array_functions as af
from ..tensor_fields import TensorFields, tensor_of
from .batches import mapped_over
from .forward_mode import pushed_forward
from .trees import flattened, mapped, rebuilt

if TYPE_CHECKING:
    from ..tensor import Tensor

__all__ = ["cut", "grad", "grad_and_value", "hessian", "jacfwd", "jacrev", "jvp", "linearize", "stand_in", "value_and_grad", "vjp"]

Argnums = int | tuple[int, ...]


def stand_in(x: Any) -> Any:
    """A tensor in an argument's place: the same items, recorded as its view if it is being differentiated already."""
    if not isinstance(x, TensorFields) or not x.array.dtype.is_inexact:
        return x
    if x.requires_grad:
        return recorded(RULES["reshape"], x.array, (x,))
    made = tensor_of(x.array)
    made.requires_grad = True
    return made


def _free_of(x: Any, stand_ins: Sequence[Tensor]) -> bool:
    """Whether what was recorded for x leads to no other leaf than to stand-ins made here."""
    own = {id(s) for s in stand_ins}
    seen: set[int] = set()
    stack = [x.node or x] if isinstance(x, TensorFields) and x.requires_grad else []
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
    return mapped(lambda x: tensor_of(x.array) if isinstance(x, TensorFields) and x.requires_grad and _free_of(x, stand_ins) else x, tree)


def _chosen(args: tuple[Any, ...], argnums: Argnums) -> tuple[list[Any], tuple[int, ...], list[Tensor]]:
    """The arguments with stand-ins for those that are differentiated, which these are, and the stand-ins."""
    places = (argnums,) if isinstance(argnums, int) else tuple(argnums)
    for place in places:
        if not -len(args) <= place < len(args):
            raise RuntimeError(f"Got argnum={place}, but only {len(args)} positional inputs")
    places = tuple(place % len(args) for place in places)
    made = list(args)
    for place in places:
        made[place] = mapped(stand_in, args[place])
    leaves = [leaf for place in places for leaf in flattened(made[place]) if isinstance(leaf, TensorFields)]
    return made, places, leaves


def _single(out: Any, name: str) -> Tensor:
    if not isinstance(out, TensorFields):
        raise AutogradError(f"{name}: the function must return a Tensor, got {type(out).__name__}")
    if out.array.layout.ndim:
        raise AutogradError(f"{name}: the function must return a scalar tensor, got one of shape {out.shape}")
    return out


def _backward(out: Sequence[Tensor], leaves: list[Tensor], seeds: Sequence[Tensor | None] | None = None) -> list[Tensor]:
    """Gradients, zeros where there are none; recorded only where more than the stand-ins is behind the results."""
    reached = [(o, None if seeds is None else s) for o, s in zip(out, seeds or out, strict=True) if o.requires_grad]
    if not reached:
        return [tensor_of(nd.zeros_like(leaf.array)) for leaf in leaves]
    outs, given = zip(*reached, strict=True)
    nested = not all(_free_of(o, leaves) for o in outs) or any(s is not None and s.requires_grad for s in given)
    found = gradients_of(
        list(outs), leaves, None if seeds is None else list(given), retain_graph=True, create_graph=nested,
        allow_unused=True, materialize_grads=True,
    )  # fmt: skip
    return [g for g in found if g is not None]


def grad_and_value(func: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False) -> Callable[..., Any]:
    """A function from the arguments of `func` to its gradient and its value.

    Args:
        func: returns a tensor of one item; with `has_aux`, that and anything else.
        argnums: which arguments to differentiate: one, or several for a tuple of gradients. Arguments may be trees.
        has_aux: whether `func` returns (value, aux); then the result is (gradient, (value, aux)).

    Raises (when called):
        AutogradError: `func` does not return a tensor of no dimensions.
    """

    @wraps(func)
    def transformed(*args: Any, **kwargs: Any) -> Any:
        made, places, leaves = _chosen(args, argnums)
        with enable_grad():
            out = func(*made, **kwargs)
            value, aux = out if has_aux else (out, None)
            found = iter(_backward([_single(value, "grad")], leaves))
            parts = tuple(mapped(lambda x: next(found) if isinstance(x, TensorFields) else x, made[place]) for place in places)
        value, aux = cut(value, leaves), cut(aux, leaves)
        gradient = parts[0] if isinstance(argnums, int) else parts
        return (gradient, (value, aux)) if has_aux else (gradient, value)

    return transformed


def value_and_grad(func: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False) -> Callable[..., Any]:
    """As `grad_and_value`, with the value first."""
    inner = grad_and_value(func, argnums, has_aux)

    @wraps(func)
    def transformed(*args: Any, **kwargs: Any) -> Any:
        gradient, value = inner(*args, **kwargs)
        return value, gradient

    return transformed


def grad(func: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False) -> Callable[..., Any]:
    """A function from the arguments of `func` to its gradient; see `grad_and_value`."""
    inner = grad_and_value(func, argnums, has_aux)

    @wraps(func)
    def transformed(*args: Any, **kwargs: Any) -> Any:
        gradient, value = inner(*args, **kwargs)
        return (gradient, value[1]) if has_aux else gradient

    return transformed


def vjp(func: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    """The value of `func`, and a function from gradients of the value to the tuple of gradients of the arguments.

    Returns:
        (value, vjp_fn), or (value, vjp_fn, aux).
    """
    made, _, leaves = _chosen(primals, tuple(range(len(primals))))
    with enable_grad():
        out = func(*made)
    value, aux = out if has_aux else (out, None)
    outputs = flattened(value)

    def vjp_fn(*cotangents: Any) -> Any:
        given = flattened(cotangents[0] if len(cotangents) == 1 else cotangents)
        if len(given) != len(outputs):
            raise RuntimeError(f"vjp: {len(given)} cotangents given for {len(outputs)} outputs")
        found = iter(_backward(outputs, leaves, given))
        return tuple(mapped(lambda x: next(found) if isinstance(x, TensorFields) and x.requires_grad else x, m) for m in made)

    shown = cut(value, leaves)
    return (shown, vjp_fn, cut(aux, leaves)) if has_aux else (shown, vjp_fn)


def jvp(func: Callable[..., Any], primals: tuple[Any, ...], tangents: tuple[Any, ...], *, has_aux: bool = False) -> Any:
    """The value of `func`, and how it changes when its arguments move along `tangents`: forward mode.

    Returns:
        (value, tangent), or (value, tangent, aux).

    Raises:
        AutogradError: a tangent has another shape than its argument.
    """
    if len(primals) != len(tangents):
        raise RuntimeError(f"jvp: {len(primals)} primals and {len(tangents)} tangents given; they must be equally many")
    made, _, leaves = _chosen(tuple(primals), tuple(range(len(primals))))
    with enable_grad():
        out = func(*made)
        value, aux = out if has_aux else (out, None)
        outputs = flattened(value)
        moved = _forward(outputs, leaves, [t for t in flattened(tuple(tangents)) if isinstance(t, TensorFields)])
    shown = cut(value, leaves)
    tangent = rebuilt(value, [cut(t, leaves) for t in moved])
    return (shown, tangent, cut(aux, leaves)) if has_aux else (shown, tangent)


def _forward(outputs: list[Any], leaves: list[Tensor], tangents: list[Tensor]) -> list[Tensor]:
    if len(leaves) != len(tangents):
        raise RuntimeError(f"jvp: {len(leaves)} tensors and {len(tangents)} tangents given; they must be equally many")
    nested = not all(_free_of(o, leaves) for o in outputs) or any(t.requires_grad for t in tangents)
    found = pushed_forward(outputs, leaves, tangents, create_graph=nested)
    return [tensor_of(nd.zeros_like(o.array)) if t is None else t for o, t in zip(outputs, found, strict=True)]


def linearize(func: Callable[..., Any], *primals: Any) -> tuple[Any, Callable[..., Any]]:
    """The value of `func`, and its linear part: a function from tangents of the arguments to the tangent of the value.
    `func` runs once, however many tangents follow."""
    made, _, leaves = _chosen(primals, tuple(range(len(primals))))
    with enable_grad():
        value = func(*made)
    outputs = flattened(value)

    def jvp_fn(*tangents: Any) -> Any:
        with enable_grad():
            moved = _forward(outputs, leaves, [t for t in flattened(tangents) if isinstance(t, TensorFields)])
        return rebuilt(value, [cut(t, leaves) for t in moved])

    return cut(value, leaves), jvp_fn


def _basis(x: Tensor) -> Tensor:
    """One tensor of x's shape per item of x, 1 there and 0 elsewhere, along a first dim."""
    n = x.array.layout.size
    return tensor_of(nd.reshape(nd.eye(n, dtype=x.array.dtype, device=x.array.device), (n, *x.array.layout.shape)))


def jacrev(
    func: Callable[..., Any], argnums: Argnums = 0, *, has_aux: bool = False, chunk_size: int | None = None
) -> Callable[..., Any]:
    """A function from the arguments of `func` to its Jacobian, of shape (*output, *argument): in reverse mode, all rows in one
    pass over batches.

    Args:
        func: returns a tensor, or a tree of them; with `has_aux`, that and anything else.
        argnums: which arguments to differentiate.
        has_aux: whether `func` returns (value, aux).
        chunk_size: how many rows to compute at a time; None for all.
    """

    @wraps(func)
    def transformed(*args: Any) -> Any:
        made, places, leaves = _chosen(args, argnums)
        with enable_grad():
            out = func(*made)
            value, aux = out if has_aux else (out, None)
            blocks = []
            for output in flattened(value):
                rows = mapped_over(lambda seed, out=output: _backward([out], leaves, [seed]), _basis(output), chunk_size)  # type: ignore[misc]
                blocks.append(
                    [af.reshape(row, (*output.shape, *leaf.shape)) for row, leaf in zip(rows, leaves, strict=True)]
                )
            found = _arranged(value, blocks, made, places, argnums)
        found = cut(found, leaves)
        return (found, cut(aux, leaves)) if has_aux else found

    return transformed


def jacfwd(
    func: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False, *, randomness: str = "error",
    chunk_size: int | None = None,
) -> Callable[..., Any]:  # fmt: skip
    """As `jacrev`, in forward mode: cheaper where there are fewer inputs than outputs."""

    @wraps(func)
    def transformed(*args: Any) -> Any:
        made, places, leaves = _chosen(args, argnums)
        with enable_grad():
            out = func(*made)
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
            found = _arranged(value, blocks, made, places, argnums)
        found = cut(found, leaves)
        return (found, cut(aux, leaves)) if has_aux else found

    return transformed


def _arranged(value: Any, blocks: list[list[Tensor]], made: list[Any], places: tuple[int, ...], argnums: Argnums) -> Any:
    """Jacobian blocks in the form of the outputs, and within it of the arguments."""

    def of_inputs(row: list[Tensor]) -> Any:
        rest = iter(row)
        parts = tuple(mapped(lambda x: next(rest) if isinstance(x, TensorFields) else x, made[place]) for place in places)
        return parts[0] if isinstance(argnums, int) else parts

    return rebuilt(value, [of_inputs(row) for row in blocks])


def hessian(func: Callable[..., Any], argnums: Argnums = 0) -> Callable[..., Any]:
    """A function from the arguments of `func` to its matrix of second derivatives: forward over reverse mode."""
    return jacfwd(jacrev(func, argnums), argnums)
