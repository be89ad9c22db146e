"""`backward` and `grad`: where a pass begins, what it is for, and what becomes of its gradients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias, overload

import lamina_ndarray as nd
from lamina_flatarray import ArgumentValueError, AutogradError, DeviceError, UsageError
from lamina_flatarray.backends.kernel_table import wrappers
from lamina_ndarray.array_fields import empty_of
from lamina_ndarray.batching import innermost, opened

from .. import tensor_fields
from ..devices.memory_formats import strided
from ..tensor_fields import AnyTensor, tensor_of
from ..transforms.mapping.batches import entered, left
from .accumulation import accumulate, accumulate_in_leaf, accumulating, give_first_gradients
from .engine import edge_of, run
from .gradient_edges import GradientEdge
from .node import Edge
from .ready_leaves import awaited_leaves, edges_to_leaves
from .rules import repeated

if TYPE_CHECKING:
    from ..tensor_class import Tensor

__all__ = ["backward", "grad", "listed"]

Begin: TypeAlias = "Tensor | GradientEdge | Sequence[Tensor | GradientEdge]"
Seeds: TypeAlias = "Tensor | Sequence[Tensor | None] | None"


def backward(
    tensors: Begin,
    grad_tensors: Seeds = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    grad_variables: Seeds = None,
    inputs: Begin | dict[str, Tensor] | None = None,
) -> None:
    """Add the gradients of tensors to the `grad` of every leaf that they were computed from.

    Args:
        tensors: where to begin, or the edges there (`get_gradient_edge`).
        grad_tensors: the gradients to begin with, of the same shapes; None for tensors of one item, which begin with 1.
        retain_graph: whether what was saved stays for another pass; as `create_graph` for None.
        create_graph: whether the pass itself is recorded, for higher derivatives.
        grad_variables: an older name of `grad_tensors`.
        inputs: the only tensors whose `grad` is added to, or edges of leaves; every leaf for None.

    Raises:
        UsageError: both `grad_tensors` and `grad_variables` are given, or `inputs` is empty.
        AutogradError: nothing was recorded; a gradient is missing or has another shape; the saved arrays were freed
            by an earlier pass or changed in place; a leaf is none any more; or the call is inside of a function that is mapped by `vmap`.

    >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> torch.autograd.backward((x * x).sum())
    >>> x.grad
    tensor([2., 4.])
    """
    if grad_variables is not None:
        if grad_tensors is not None:
            raise UsageError(
                "`grad_tensors` and `grad_variables` (deprecated) arguments both passed to `backward()`. Please only use `grad_tensors`."
            )
        grad_tensors = grad_variables
    if isinstance(inputs, dict):
        inputs = list(inputs.values())
    if inputs is not None and not listed(inputs):
        raise UsageError("`inputs` argument to `backward()` cannot be empty.")
    if innermost() is not None:
        raise AutogradError("backward() called inside of a mapped function (vmap), where a leaf has no one gradient; use grad")
    roots, seeds = _seeded(tensors, grad_tensors)
    targets: dict[Edge, Any] | None = None if inputs is None else {edge_of(t): t for t in listed(inputs)}
    if targets and any(isinstance(t, GradientEdge) and edge is t.node for edge, t in targets.items()):
        raise AutogradError("backward: an edge among the inputs is no leaf's, so there is no `grad` to add to; use grad")
    keep = create_graph if retain_graph is None else retain_graph
    awaited = edges_to_leaves([edge_of(root) for root in roots]) if targets is None and awaited_leaves else None
    gradients = run(roots, seeds, keep, create_graph, targets, awaited)
    if not (create_graph or wrappers):  # what records calls looks for those of `accumulate`
        give_first_gradients(gradients, accumulating)
    for leaf, (g, own) in gradients.items():
        if isinstance(leaf, AnyTensor):
            accumulate_in_leaf(leaf, g, own, create_graph)
        elif (target := targets[leaf]).requires_grad:  # type: ignore[index]
            accumulate(target, g, own, create_graph)


@overload
def grad(
    outputs: Begin,
    inputs: dict[str, Tensor],
    grad_outputs: Seeds = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> dict[str, Tensor]: ...
@overload
def grad(
    outputs: Begin,
    inputs: Begin,
    grad_outputs: Seeds = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> tuple[Tensor, ...]: ...
def grad(
    outputs: Begin,
    inputs: Begin | dict[str, Tensor],
    grad_outputs: Seeds = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> Any:
    """Compute the gradients of tensors with respect to others, without adding to any `grad`.

    Args:
        outputs: where to begin: tensors or edges.
        inputs: the tensors or edges to compute the gradients of.
        grad_outputs: the gradients to begin with, of the outputs' shapes; None for outputs of one item, which begin with 1.
        retain_graph: whether what was saved stays for another pass; as `create_graph` for None.
        create_graph: whether the pass itself is recorded, for higher derivatives.
        only_inputs: accepted: other tensors are never looked at.
        allow_unused: whether an input that no output depends on has the gradient None; else it is an error.
        is_grads_batched: whether `grad_outputs` have one more dim in front, as the results have then: a pass for each slice.
        materialize_grads: whether such an input has zeros instead of None.

    Returns:
        A gradient for each input, in a tuple; or in a dict with the keys of the inputs.

    Raises:
        ArgumentValueError: `allow_unused` is False, but `materialize_grads` is set.
        AutogradError: an input requires no gradient, or was not used; else as for `backward`.

    >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> torch.autograd.grad((x * x).sum(), x)
    (tensor([2., 4.]),)
    """
    if allow_unused is False and materialize_grads:
        raise ArgumentValueError("Expected allow_unused to be True or not passed when materialize_grads=True, but got: allow_unused=False.")
    if isinstance(inputs, dict):
        gradients = grad(
            outputs, list(inputs.values()), grad_outputs, retain_graph, create_graph, only_inputs, allow_unused,
            is_grads_batched, materialize_grads,
        )  # fmt: skip
        return dict(zip(inputs, gradients, strict=True))
    if is_grads_batched:
        return _batched(
            outputs, inputs, grad_outputs, retain_graph=retain_graph, create_graph=create_graph, allow_unused=allow_unused,
            materialize_grads=materialize_grads,
        )  # fmt: skip
    targets = listed(inputs)
    for t in targets:
        if not t.requires_grad:
            raise AutogradError("One of the differentiated Tensors does not require grad")
    roots, seeds = _seeded(outputs, grad_outputs)
    keep = create_graph if retain_graph is None else retain_graph
    by_edge = run(roots, seeds, keep, create_graph, {edge_of(t): t for t in targets})
    results: list[Tensor | None] = []
    for i, t in enumerate(targets):
        g = by_edge.get(edge_of(t), (None, False))[0]
        if g is None and materialize_grads:
            g = nd.zeros_like(t.array)
        if g is None and not allow_unused:
            raise AutogradError(
                f"The differentiated Tensor at index {i} appears to not have been used in the graph. "
                "Set allow_unused=True if this is the desired behavior."
            )
        g = g if g is None or isinstance(g, AnyTensor) else tensor_of(g)
        # What stores some of its items is given the gradients of these.
        results.append(t.like(g) if g is not None and isinstance(t, AnyTensor) and t.layout is not strided else g)  # type: ignore[attr-defined]
    return tuple(results)


_ones_like: Final = repeated(nd.ones_like)


def _no_scalar(root: Tensor) -> AutogradError:
    return AutogradError(
        f"grad can be implicitly created only for scalar outputs, not for shape {tuple(root.shape)}; take its sum() or mean(), "
        "or give a gradient"
    )


def _batched(outputs: Any, inputs: Any, grad_outputs: Any, **options: Any) -> tuple[Any, ...]:
    """`grad` mapped over the first dim of all `grad_outputs`."""
    stacks = listed(grad_outputs)
    with opened(stacks[0].shape[0]) as level:
        gradients = grad(outputs, inputs, [entered(stack, 0, level) for stack in stacks], **options)
        return tuple([None if g is None else left(g, 0, level) for g in gradients])


def listed(tensors: Any) -> list[Any]:
    """One tensor or edge, or several, as a list."""
    return [tensors] if isinstance(tensors, (AnyTensor, GradientEdge)) else list(tensors)


def _seeded(tensors: Any, gradients: Any) -> tuple[list[Any], list[Any]]:
    """The tensors to begin at, and the gradient to begin with at each.

    Raises:
        AutogradError: a gradient is missing, has another shape, or belongs to a tensor without a history.
        DeviceError: a gradient is on another device than its tensor.
    """
    if gradients is None and type(tensors) is tensor_fields.tensor_class and tensors.requires_grad:  # as almost always
        array = tensors.array
        kernels, layout = array.flat.kernels, array.layout
        if layout.size == 1 and not array.flat.dtype.is_complex:
            seed = empty_of(kernels, layout.like)
            kernels["fill"](seed, value=1)
            return [tensors], [seed]
    roots = listed(tensors)
    grad_outputs = [gradients] if gradients is None or isinstance(gradients, AnyTensor) else list(gradients)
    if len(grad_outputs) == 1 and gradients is None:
        grad_outputs = [None] * len(roots)
    if len(grad_outputs) != len(roots):
        raise AutogradError(f"backward: the number of gradients ({len(grad_outputs)}) differs from the number of tensors ({len(roots)})")
    seeds: list[Any] = []
    for i, (root, g) in enumerate(zip(roots, grad_outputs, strict=True)):
        if not root.requires_grad:
            raise AutogradError("element 0 of tensors does not require grad and does not have a grad_fn")
        entries = getattr(root, "entries", None)  # of a sparse tensor, which has the history of these
        if g is None:
            if entries is not None:
                raise _no_scalar(root)
            if root.array.layout.size != 1:
                raise _no_scalar(root)
            if root.array.dtype.is_complex:
                raise AutogradError(f"grad can be implicitly created only for real scalar outputs but got {root.array.dtype!r}")
            seeds.append(_ones_like(root.array))
        else:
            if g.shape != root.shape:
                raise AutogradError(
                    f"Mismatch in shape: grad_output[0] has a shape of {g.shape} and output[0] has a shape of "
                    f"{root.shape}."
                )
            if g.device is not root.device:
                raise DeviceError(
                    f"backward: the gradient is on {g.device}, but the tensor on {root.device}; move it with .to({str(root.device)!r})"
                )
            if entries is not None:
                g = root.at_its_places(g)
                roots[i] = entries
            seeds.append(g)
    return roots, seeds
