"""Gradients made smaller where they are too large: in their common norm, or item by item."""

from __future__ import annotations

import types
import warnings
from collections.abc import Iterable

import lamina_tensor as lt
from lamina_flatarray import UsageError
from lamina_flatarray.backends.kernel_table import KernelTable
from lamina_ndarray import Layout, NDArray
from lamina_ndarray.array_fields import empty_of
from lamina_tensor import Tensor, no_grad
from lamina_tensor.dispatch.torch_function import overriding_classes
from lamina_tensor.tensor_fields import tensor_of

__all__ = ["clip_grad_norm", "clip_grad_norm_", "clip_grad_value_", "clip_grads_with_norm_", "get_total_norm"]

Tensors = Tensor | Iterable[Tensor]


@no_grad()
def get_total_norm(
    tensors: Tensors, norm_type: float = 2.0, error_if_nonfinite: bool = False, foreach: bool | None = None
) -> Tensor:
    """Compute the norm of all tensors as if they were one vector; where some are shards, of the whole ones, in all processes.

    Args:
        tensors: tensors, or one.
        norm_type: the order of the norm; `inf` for the largest absolute value.
        error_if_nonfinite: whether a norm that is infinite or NaN is an error.
        foreach: without effect.

    Returns:
        A tensor without dims, on the device of the first one; 0 if there are none.

    Raises:
        UsageError: the norm is infinite or NaN, and `error_if_nonfinite` is set.
        RankLost: some are shards, and a process was killed, is stopped or does not come.

    >>> torch.nn.utils.get_total_norm([torch.tensor([3.0]), torch.tensor([4.0])])
    tensor(5.)
    """
    listed = [tensors] if isinstance(tensors, Tensor) else list(tensors)
    order = float(norm_type)
    if not listed:
        return lt.tensor(0.0)
    if overriding_classes:
        from .sharding.norms import without_shards

        listed = without_shards(listed, order, get_total_norm)
    total = _norm_at_once(listed, order)
    if total is None:
        norms = [_norm(t, order).to(device=listed[0].device) for t in listed]
        total = _norm(lt.stack(norms), order)
    if error_if_nonfinite and not total.isfinite():
        raise UsageError(
            f"The total norm of order {order} for gradients from `parameters` is non-finite, so it cannot be clipped. To "
            "disable this error and scale the gradients by the non-finite norm anyway, set `error_if_nonfinite=False`"
        )
    return total


@no_grad()
def clip_grads_with_norm_(
    parameters: Tensors, max_norm: float, total_norm: Tensor, foreach: bool | None = None
) -> None:
    """Scale gradients in place by max_norm / (total_norm + 1e-6), if that is less than 1.

    Args:
        parameters: tensors whose `grad` is scaled, or one.
        max_norm: the largest norm allowed.
        total_norm: the norm of the gradients.
        foreach: without effect.

    >>> x = torch.tensor([0.0, 0.0], requires_grad=True)
    >>> x.grad = torch.tensor([3.0, 4.0])
    >>> torch.nn.utils.clip_grads_with_norm_([x], 1.0, torch.tensor(5.0))
    >>> x.grad
    tensor([0.6000, 0.8000])
    """
    gradients = _gradients([parameters] if isinstance(parameters, Tensor) else parameters)
    if not gradients:
        return
    factor = (float(max_norm) / (total_norm + 1e-6)).clamp(max=1.0)
    for table, arrays in _by_table(gradients).items():
        table["foreach_multiply"](arrays, factor.to(device=arrays[0].device).array)


@no_grad()
def clip_grad_norm_(
    parameters: Tensors, max_norm: float, norm_type: float = 2.0, error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:  # fmt: skip
    """Scale gradients in place, so that their norm, as if they were one vector, is at most max_norm.

    Args:
        parameters: tensors whose `grad` is scaled, or one.
        max_norm: the largest norm allowed.
        norm_type: the order of the norm; `inf` for the largest absolute value.
        error_if_nonfinite: whether a norm that is infinite or NaN is an error.
        foreach: without effect.

    Returns:
        The norm before, a tensor without dims; of shards, a plain one, the same in all processes.

    Raises:
        UsageError: the norm is infinite or NaN, and `error_if_nonfinite` is set.

    >>> x = torch.tensor([0.0, 0.0], requires_grad=True)
    >>> x.grad = torch.tensor([3.0, 4.0])
    >>> torch.nn.utils.clip_grad_norm_([x], 1.0)
    tensor(5.)
    >>> x.grad
    tensor([0.6000, 0.8000])
    """
    listed = [parameters] if isinstance(parameters, Tensor) else list(parameters)
    if not listed and isinstance(parameters, types.GeneratorType):
        warnings.warn("`parameters` is an empty generator, no gradient clipping will occur.", stacklevel=4)
    total = get_total_norm(_gradients(listed), norm_type, error_if_nonfinite, foreach)
    clip_grads_with_norm_(listed, max_norm, total, foreach)
    return total


def clip_grad_norm(
    parameters: Tensors, max_norm: float, norm_type: float = 2.0, error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:  # fmt: skip
    """Call `clip_grad_norm_` by its deprecated name.

    Args:
        parameters, max_norm, norm_type, error_if_nonfinite, foreach: those of `clip_grad_norm_`.

    Returns:
        The norm before, a tensor without dims.

    >>> import warnings
    >>> x = torch.tensor([0.0, 0.0], requires_grad=True)
    >>> x.grad = torch.tensor([3.0, 4.0])
    >>> with warnings.catch_warnings(action="ignore"):
    ...     torch.nn.utils.clip_grad_norm([x], 1.0)
    tensor(5.)
    """
    warnings.warn(
        "`torch.nn.utils.clip_grad_norm` is now deprecated in favor of `torch.nn.utils.clip_grad_norm_`.",
        FutureWarning, stacklevel=2,
    )  # fmt: skip
    return clip_grad_norm_(parameters, max_norm, norm_type, error_if_nonfinite, foreach)


@no_grad()
def clip_grad_value_(parameters: Tensors, clip_value: float, foreach: bool | None = None) -> None:
    """Clamp the items of gradients to [-clip_value, clip_value] in place.

    Args:
        parameters: tensors whose `grad` is clamped, or one.
        clip_value: the largest absolute value allowed.
        foreach: without effect.

    >>> x = torch.tensor([0.0, 0.0], requires_grad=True)
    >>> x.grad = torch.tensor([3.0, -0.5])
    >>> torch.nn.utils.clip_grad_value_([x], 1.0)
    >>> x.grad
    tensor([ 1.0000, -0.5000])
    """
    bound = float(clip_value)
    for table, arrays in _by_table(_gradients([parameters] if isinstance(parameters, Tensor) else parameters)).items():
        table["foreach_clip"](arrays, min=-bound, max=bound)


def _gradients(parameters: Iterable[Tensor]) -> list[Tensor]:
    return [p.grad for p in parameters if p.grad is not None]


def _by_table(gradients: list[Tensor]) -> dict[KernelTable, list[NDArray]]:
    """Their arrays by the kernels that serve them, each noted as written."""
    result: dict[KernelTable, list[NDArray]] = {}
    for gradient in gradients:
        array = gradient.array
        array.flat.version += 1
        result.setdefault(array.flat.kernels, []).append(array)
    return result


def _norm_at_once(tensors: list[Tensor], order: float) -> Tensor | None:
    """The total norm by one kernel call; None where it is no norm of one vector (of order 0, PyTorch counts tensors), where
    dtypes or devices differ, or where there is nothing to take a greatest or smallest of."""
    arrays = [t.array for t in tensors]
    table = arrays[0].flat.kernels
    if order == 0 or not table.dtype.is_inexact:
        return None
    for array in arrays:
        if array.flat.kernels is not table or not array.layout.size:
            return None
    total = empty_of(table.sibling(table.dtype.to_real()), Layout.dense(()))  # by the arrays' own table: under vmap, one per slice
    table["total_norm"](total, *arrays, order=order)
    return tensor_of(total)


def _norm(x: Tensor, order: float) -> Tensor:
    """The vector norm of all items."""
    norm: Tensor = x.reshape(-1).norm(order)
    return norm
