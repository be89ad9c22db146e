"""The state of a program in two libraries: what is compared after each step, and how PyTorch's rounding is taken over."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import torch

import lamina

__all__ = ["Difference", "compared", "shares", "tensors"]

Difference = tuple[str, str]
"""What differs and how, as ("the strides of v3", "PyTorch has (1, 2), lamina (3, 1)")."""

_FLAGS = ("requires_grad", "is_leaf")
_NEAR = 4
"""Units in the last place by which two right kernels may differ without a further question."""


def tensors(values: dict[str, Any]) -> dict[str, Any]:
    """The variables that are tensors."""
    return {name: x for name, x in values.items() if isinstance(x, (torch.Tensor, lamina.Tensor))}


def shares(a: torch.Tensor, b: torch.Tensor) -> bool:
    """Whether two tensors of PyTorch have the same memory, or would have if there were items."""
    roots = [t if t._base is None else t._base for t in (a, b)]
    return roots[0] is roots[1] or (
        a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr() and bool(a.numel())
    )


def _memory(x: Any) -> np.ndarray[Any, Any]:
    """A tensor's items as an array over the same memory; those of bfloat16 as their bits."""
    x = x.detach()
    if x.is_conj():
        x = x.conj()
    if isinstance(x, torch.Tensor) and x._is_zerotensor():  # a gradient that PyTorch knows to be 0, without memory
        x = x.clone()
    return (
        x.view(torch.int16 if isinstance(x, torch.Tensor) else lamina.int16).numpy()
        if "bfloat16" in str(x.dtype)
        else x.numpy()
    )


def _wide(x: np.ndarray[Any, Any], dtype: str) -> np.ndarray[Any, Any]:
    """Items as numbers that can be subtracted."""
    if dtype.endswith("bfloat16"):
        return (x.astype(np.uint16).astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    return x.astype(np.complex128 if x.dtype.kind == "c" else np.float64)


def _strides(x: Any) -> tuple[int, ...]:
    """The strides that tell an order: of dims of one item they do not."""
    return tuple(s for n, s in zip(x.shape, x.stride(), strict=True) if n > 1) if x.numel() else ()


def _facts(x: Any) -> Iterator[tuple[str, Any]]:
    yield "dtype", str(x.dtype).split(".")[-1]
    yield "shape", tuple(x.shape)
    yield "strides", _strides(x)
    if x.numel():  # else there is nothing to find there, or to overwrite
        yield "storage_offset", x.storage_offset()
        yield "_version", None if x.is_inference() else x._version
    for flag in _FLAGS:
        yield flag, getattr(x, flag)
    yield "retains_grad", not x.is_leaf and x.retains_grad  # what was cut off by `detach_` has nothing to retain


def _all(values: dict[str, Any], gradients: bool) -> dict[str, Any]:
    """Every tensor by name, and the gradients of those that keep one."""
    found = tensors(values)
    if gradients:
        for name, x in list(found.items()):
            if (x.is_leaf or x.retains_grad) and x.grad is not None:
                found[f"{name}.grad"] = x.grad
    return found


def _shared(named: dict[str, Any]) -> dict[str, str]:
    """Name -> the first name with the same memory; gradients that PyTorch cuts from one piece are apart."""
    first: dict[int, str] = {}
    found = {}
    for name, x in named.items():
        if x.numel():
            other = first.setdefault(x.data_ptr() - x.storage_offset() * x.element_size(), name)
            cut = name.endswith(".grad") and other.endswith(".grad") and x.data_ptr() != named[other].data_ptr()
            found[name] = name if cut else other
    return found


def compared(
    theirs: dict[str, Any],
    ours: dict[str, Any],
    gradients: bool,
    moved: Callable[[str], Iterable[np.ndarray[Any, Any]]],
    unseen_writes: Callable[[str], int | None],
) -> Difference | None:
    """The first thing in which the two libraries are not at one.

    Items that are equal but for rounding become PyTorch's, so that what follows starts from the same bits.

    Args:
        theirs: the variables of PyTorch.
        ours: those of lamina.
        gradients: whether `.grad` is compared.
        moved: how far rounding may move a variable, run by run, each of which is dear.
        unseen_writes: by how much PyTorch's version of a variable is ahead; None where it is not compared.
    """
    expected, observed = _all(theirs, gradients), _all(ours, gradients)
    if expected.keys() != observed.keys():
        return (
            "names",
            f"PyTorch alone has {sorted(expected.keys() - observed.keys())}, lamina {sorted(observed.keys() - expected.keys())}",
        )
    for name, a in expected.items():
        b = observed[name]
        for (fact, wanted), (_, seen) in zip(_facts(a), _facts(b), strict=True):
            if fact == "storage_offset" and name.endswith(".grad"):
                continue  # PyTorch cuts the gradients of joined tensors from one piece
            ahead = unseen_writes(name) if fact == "_version" else 0
            if ahead is not None and wanted != (seen + ahead if ahead else seen):
                return f"{fact} of {name}", f"PyTorch has {wanted}, lamina {seen}"
        difference = _unequal(name, a, b, moved)
        if difference is not None:
            return difference
    if _shared(expected) != _shared(observed):
        return "shared memory", f"PyTorch has {_shared(expected)}, lamina {_shared(observed)}"
    if not np.array_equal(torch.get_rng_state().numpy(), lamina.get_rng_state().numpy()):
        return "random state", "what is drawn next differs"
    return None


def _unequal(name: str, a: Any, b: Any, moved: Callable[[str], Iterable[np.ndarray[Any, Any]]]) -> Difference | None:
    expected, observed = _memory(a), _memory(b)
    if expected.tobytes() == observed.tobytes():
        return None
    if a.is_floating_point() or a.is_complex():
        x, y = (_wide(items, str(a.dtype)) for items in (expected, observed))
        with np.errstate(all="ignore"):
            same = (x == y) | (np.isnan(x) & np.isnan(y))
            shift = abs(x - y)
            apart = ~(same | (shift <= _NEAR * torch.finfo(a.dtype).eps * abs(x)))
            for limit in moved(name) if apart.any() else ():
                apart &= ~((shift <= limit) | np.isnan(limit))
                if not apart.any():
                    break
    else:
        apart = expected != observed
        for limit in moved(name):
            apart &= ~(limit > 0)
            if not apart.any():
                break
    if apart.any():
        return f"items of {name}", f"PyTorch has {a.tolist()}, lamina {b.tolist()}"
    if observed.flags.writeable:
        np.copyto(observed, expected)
    else:
        raise AssertionError(f"{name} of lamina cannot be written to")
    return None
