"""Gradients against finite differences: whether a function's backward is the derivative of its forward."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

import lamina_ndarray as nd
from lamina_flatarray import ArgumentValueError, LaminaError
from lamina_ndarray.indexing import selection

from ..autograd.backward import grad
from ..autograd.modes import enable_grad, no_grad
from ..tensor_fields import AnyTensor, tensor_of
from .forward_mode import pushed_forward

if TYPE_CHECKING:
    from ..tensor_class import Tensor

__all__ = ["GradcheckError", "gradcheck", "gradgradcheck"]

Array = np.ndarray[Any, Any]


class GradcheckError(LaminaError, RuntimeError):
    """A gradient is not the derivative."""


def gradcheck(
    func: Callable[..., Any],
    inputs: Tensor | Sequence[Any],
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_batched_forward_grad: bool = False,
    check_forward_ad: bool = False,
    check_backward_ad: bool = True,
    fast_mode: bool = False,
    masked: bool | None = None,
) -> bool:
    """Compare the gradients of a function with central differences, for every input that requires gradients.

    Args:
        func: from tensors to a tensor or a tuple of them.
        inputs: a tensor, or a tuple of arguments; those that are checked should be float64 or complex128.
        eps: the step.
        atol, rtol: how far the two may lie apart.
        raise_exception: whether to raise where they do not agree, or return False.
        nondet_tol: how far two backward passes may lie apart.
        check_undefined_grad: accepted; gradients that are not there count as zeros.
        check_grad_dtypes, check_batched_grad, check_batched_forward_grad: accepted, and not checked.
        check_forward_ad: whether tangents are checked, too.
        check_backward_ad: whether gradients are.
        fast_mode: accepted; the whole Jacobian is checked.
        masked: accepted: there are no sparse tensors.

    Returns:
        Whether they agree.

    Raises:
        GradcheckError: they do not agree, if `raise_exception`.
        ArgumentValueError: no input requires gradients.

    >>> x = torch.ones(3, dtype=torch.float64, requires_grad=True)
    >>> torch.autograd.gradcheck(torch.sin, x)
    True
    """
    args = (inputs,) if isinstance(inputs, AnyTensor) else tuple(inputs)
    checked = [x for x in args if isinstance(x, AnyTensor) and x.requires_grad]
    if not checked:
        raise ArgumentValueError(
            "gradcheck expects at least one input tensor to require gradient, but none of the them have requires_grad=True."
        )
    try:
        for k in range(len(_outputs(func, args))):
            for i, x in enumerate(checked):
                expected = _numeric(func, args, x, k, eps)
                if check_backward_ad:
                    rows = _backward_rows(func, args, x, k)
                    _compare(f"Backward: output {k} with respect to input {i}", rows, expected, atol, rtol)
                    again = _backward_rows(func, args, x, k)
                    if rows.size and np.abs(rows - again).max() > nondet_tol:
                        raise GradcheckError(f"Backward is not reentrant: two passes differ by {np.abs(rows - again).max():g}")
                if check_forward_ad:
                    _compare(
                        f"Forward: output {k} with respect to input {i}", _forward_columns(func, args, x, k), expected, atol, rtol
                    )
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def gradgradcheck(
    func: Callable[..., Any],
    inputs: Tensor | Sequence[Any],
    grad_outputs: Tensor | Sequence[Tensor] | None = None,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    gen_non_contig_grad_outputs: bool = False,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_fwd_over_rev: bool = False,
    check_rev_over_rev: bool = True,
    fast_mode: bool = False,
    masked: bool = False,
) -> bool:
    """Compare the second derivatives of a function with central differences of its gradients.

    Args:
        func, inputs, eps, atol, rtol, raise_exception, nondet_tol: as for `gradcheck`.
        grad_outputs: the gradients of the results to begin with; fixed irregular ones for None.
        check_fwd_over_rev: whether tangents of the gradients are checked, too.
        check_rev_over_rev: whether gradients of the gradients are.
        gen_non_contig_grad_outputs, check_undefined_grad, check_grad_dtypes, check_batched_grad, fast_mode, masked: accepted.

    Returns:
        Whether they agree.

    Raises:
        GradcheckError: they do not agree, if `raise_exception`.
        ArgumentValueError: no input requires gradients.

    >>> x = torch.ones(3, dtype=torch.float64, requires_grad=True)
    >>> torch.autograd.gradgradcheck(torch.sin, x)
    True
    """
    args = (inputs,) if isinstance(inputs, AnyTensor) else tuple(inputs)
    outputs = _outputs(func, args)
    if grad_outputs is None:
        rng = np.random.default_rng(0)
        seeds = [tensor_of(nd.asarray(rng.uniform(-1, 1, y.shape).astype(y.array.dtype.numpy))) for y in outputs]
    else:
        seeds = [grad_outputs] if isinstance(grad_outputs, AnyTensor) else list(grad_outputs)
    for seed in seeds:
        seed.requires_grad = True

    def gradient(*all_args: Any) -> Any:
        values = all_args[: len(args)]
        leaves = [x for x in values if isinstance(x, AnyTensor) and x.requires_grad]
        gradients = grad(
            _outputs(func, values), leaves, list(all_args[len(args) :]), create_graph=True, allow_unused=True,
            materialize_grads=True,
        )  # fmt: skip
        return tuple(g for g in gradients if g is not None)

    return gradcheck(
        gradient, (*args, *seeds), eps=eps, atol=atol, rtol=rtol, raise_exception=raise_exception, nondet_tol=nondet_tol,
        check_forward_ad=check_fwd_over_rev, check_backward_ad=check_rev_over_rev,
    )  # fmt: skip


def _outputs(func: Callable[..., Any], args: Sequence[Any]) -> list[Tensor]:
    with enable_grad():
        out = func(*args)
    outputs = list(out) if isinstance(out, (tuple, list)) else [out]
    return [y for y in outputs if isinstance(y, AnyTensor) and y.array.dtype.is_inexact]


def _values(func: Callable[..., Any], args: Sequence[Any], k: int) -> Array:
    return np.array(_outputs(func, args)[k].numpy(force=True)).ravel()


def _numeric(func: Callable[..., Any], args: Sequence[Any], x: Tensor, k: int, eps: float) -> Array:
    """The Jacobian by central differences: outputs by inputs; for complex inputs, along both axes."""
    memory = x.array
    count = memory.layout.size
    steps = (eps, 1j * eps) if memory.dtype.is_complex else (eps,)
    columns = []
    for step in steps:
        for flat in range(count):
            at = tuple(int(i) for i in np.unravel_index(flat, memory.layout.shape))
            kept = memory[at].item()
            ends = []
            for value in (kept + step, kept - step):
                with no_grad():
                    selection.setitem(memory, at, value)
                ends.append(_values(func, args, k))
            selection.setitem(memory, at, kept)
            columns.append((ends[0] - ends[1]) / (2 * eps))
    return np.stack(columns, 1) if columns else np.zeros((0, 0))


def _backward_rows(func: Callable[..., Any], args: Sequence[Any], x: Tensor, k: int) -> Array:
    """The Jacobian from backward passes in the same arrangement."""
    y = _outputs(func, args)[k]
    n, count = y.array.layout.size, x.array.layout.size
    out_complex, in_complex = y.array.dtype.is_complex, x.array.dtype.is_complex
    rows = np.zeros((n, count * (2 if in_complex else 1)), np.complex128 if out_complex else np.float64)
    for j in range(n):
        for unit in (1.0, 1j) if out_complex else (1.0,):
            seed = np.zeros(y.array.layout.size, y.array.dtype.numpy)
            seed[j] = unit
            if not y.requires_grad:
                continue
            (g,) = grad(
                [y], [x], [tensor_of(nd.asarray(seed.reshape(y.shape)))], retain_graph=True, allow_unused=True,
                materialize_grads=True,
            )  # fmt: skip
            flat = np.array(g.numpy(force=True)).ravel()
            # the pass gives, for real L = Re(conj(unit) y_j), dL/d(re x) + 1j dL/d(im x)
            row = np.concatenate([flat.real, flat.imag]) if in_complex else flat
            rows[j] += row * (unit if out_complex else 1.0)
    return rows


def _forward_columns(func: Callable[..., Any], args: Sequence[Any], x: Tensor, k: int) -> Array:
    y = _outputs(func, args)[k]
    columns = []
    for unit in (1.0, 1j) if x.array.dtype.is_complex else (1.0,):
        for i in range(x.array.layout.size):
            seed = np.zeros(x.array.layout.size, x.array.dtype.numpy)
            seed[i] = unit
            (t,) = pushed_forward([y], [x], [tensor_of(nd.asarray(seed.reshape(x.shape)))])
            columns.append(np.zeros(y.array.layout.size, y.array.dtype.numpy) if t is None else np.array(t.numpy(force=True)).ravel())
    return np.stack(columns, 1) if columns else np.zeros((0, 0))


def _compare(what: str, analytic: Array, expected: Array, atol: float, rtol: float) -> None:
    if analytic.shape != expected.shape and not analytic.size and not expected.size:
        return
    if not np.allclose(analytic, expected, rtol=rtol, atol=atol, equal_nan=True):
        raise GradcheckError(f"{what}: Jacobian mismatch\nnumerical:\n{expected}\nanalytical:\n{analytic}")
