"""Cases of hard numbers: a function of a library and of its tensors, asked of PyTorch and of lamina, forward and backward.

What must agree: dtypes, shapes, kinds of errors, where NaN, infinities and zeros are with the zeros' signs, and all other items to a few
units in the last place: none where a case says nothing.
"""

from __future__ import annotations

import builtins
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np
import torch

import lamina

__all__ = ["INF", "NAN", "Case", "difference", "forms", "known_of"]

NAN, INF = float("nan"), float("inf")
FLOATS = "float16 bfloat16 float32 float64"
WIDE = "float32 float64"
_WIDER = {"float16": "float64", "bfloat16": "float64", "float32": "float64", "complex64": "complex128"}
INTEGERS = "uint8 int8 int16 int32 int64"


@dataclass(frozen=True)
class Case:
    """One function at hard numbers."""

    function: Callable[..., Any]
    """Of the library, its `nn.functional`, and one tensor for each of `inputs`."""
    inputs: tuple[Any, ...]
    dtypes: str = WIDE
    ulps: float = 0
    """How far items may lie from PyTorch's, in units in the last place."""
    slope_ulps: float | None = None
    """The same of gradients; as `ulps` if None."""
    slopes: bool = True
    """Whether gradients are compared."""
    least: float = 0
    """Items smaller than this are measured in its units; gradients, which are sums, in those of 1."""
    zeros: bool = True
    """Whether the signs of zeros are compared."""


def forms(cases: dict[str, Case]) -> list[tuple[str, str]]:
    """Each case in each of its dtypes."""
    return [(name, dtype) for name, case in cases.items() for dtype in case.dtypes.split()]


def known_of(family: Any) -> dict[tuple[str, str], str]:
    """A family's known differences: case and dtype -> the words that docs/understand/accuracy.md knows it by. `DIFFERS` maps these
    words to cases, each with the dtypes that differ behind a colon, or without one for all."""
    known = {}
    for words, names in getattr(family, "DIFFERS", {}).items():
        for entry in names:
            name, _, dtypes = entry.partition(": ")
            known |= {(name, dtype): words for dtype in (dtypes or family.CASES[name].dtypes).split()}
    return known


def _tensor(lib: Any, values: Any, dtype: str, slopes: bool) -> Any:
    array = np.array(values)
    kind = np.dtype(dtype) if dtype != "bfloat16" else None
    if array.dtype.kind in "fc" or (array.dtype.kind in "iu" and (kind is None or kind.kind not in "fc")):
        wanted = getattr(lib, dtype)
        floating = kind is None or kind.kind in "fc"
        if array.dtype.kind in "fc" and not floating:
            return lib.tensor(array.tolist(), dtype=lib.float64)
        return lib.tensor(array.tolist(), dtype=wanted, requires_grad=slopes and floating)
    return lib.tensor(array.tolist())


def _array(result: Any) -> np.ndarray:
    result = result.detach()
    if isinstance(result, torch.Tensor):
        result = result.clone() if result._is_zerotensor() else result
        result = result.resolve_conj().resolve_neg()
        if result.dtype is torch.bfloat16:
            return result.contiguous().view(torch.int16).numpy().view(ml_dtypes.bfloat16)
    return result.numpy()


def _flat(result: Any) -> list[Any]:
    if isinstance(result, (list, tuple)) and not isinstance(result, torch.Size):
        return [leaf for part in result for leaf in _flat(part)]
    return [result]


def answers(lib: Any, case: Case, dtype: str, rounded_to: str = "") -> Any:
    """What comes back and the gradients, as arrays; or the error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        inputs = [_tensor(lib, values, dtype, case.slopes) for values in case.inputs]
        if rounded_to:
            inputs = [
                x.detach().to(getattr(lib, rounded_to)).to(x.dtype).requires_grad_(x.requires_grad) for x in inputs
            ]
        try:
            results = _flat(case.function(lib, lib.nn.functional, *inputs))
        except Exception as error:
            return error
        found = [_array(r) if isinstance(r, lib.Tensor) else r for r in results]
        pairs = [r for r in results if isinstance(r, lib.Tensor) and r.requires_grad]
        leaves = [x for x in inputs if x.requires_grad]
        if not case.slopes or not pairs or not leaves:
            return found, []
        weights = [
            lib.tensor((np.arange(r.numel()) % 3 + 1.0).tolist(), dtype=r.dtype).reshape(tuple(r.shape)) for r in pairs
        ]
        try:
            slopes = lib.autograd.grad(pairs, leaves, weights, allow_unused=True)
        except Exception as error:
            return error
        return found, [None if g is None else _array(g) for g in slopes]


def _sizes(array: np.ndarray) -> np.ndarray:
    """How large the items are; both parts of a complex one are as large as the whole."""
    if array.dtype.kind != "c":
        return np.abs(array).reshape(-1)
    with np.errstate(all="ignore"):
        whole = np.repeat(np.abs(array).reshape(-1), 2)
    return np.where(np.isfinite(whole), whole, np.abs(_parts(array)))


def _parts(array: np.ndarray) -> np.ndarray:
    """The items in a row; real and imaginary parts for complex ones."""
    flat = np.ascontiguousarray(array).reshape(-1)
    return flat.view(np.float32 if flat.dtype == np.complex64 else np.float64) if flat.dtype.kind == "c" else flat


def _wrong(found: np.ndarray, wanted: np.ndarray, sizes: np.ndarray, ulps: float, zeros: bool) -> np.ndarray:
    """Where two rows of one dtype differ, in units in the last place of the sizes."""
    if wanted.dtype.kind in "biu":
        return found != wanted
    wide = np.float64 if wanted.dtype.itemsize < 8 else np.longdouble
    with np.errstate(all="ignore"):
        unit = np.spacing(sizes) if ulps else np.zeros_like(wanted)
        found, wanted, unit = (np.asarray(a).astype(wide) for a in (found, wanted, unit))
        near = (found == wanted) | (np.abs(found - wanted) <= ulps * unit)
        same = near & (
            (not zeros) | (np.signbit(found) == np.signbit(wanted)) | (wanted != 0) | ((ulps > 0) & (found != 0))
        )
        return ~(same | (np.isnan(found) & np.isnan(wanted)))


def _kind(error: BaseException) -> type:
    return next(k for k in type(error).__mro__ if k.__module__ == builtins.__name__)


def _told(what: str, found: Any, wanted: Any, exact: Any, case: Case, ulps: float) -> str:
    if wanted is None and isinstance(found, np.ndarray) and not found.any():
        return ""  # a gradient of zeros is as good as none
    if not isinstance(wanted, np.ndarray) or not isinstance(found, np.ndarray):
        same = type(found) is type(wanted) and (found == wanted or (found != found and wanted != wanted))
        return "" if same else f"{what} {found!r} instead of {wanted!r}"
    if found.dtype != wanted.dtype or found.shape != wanted.shape:
        return f"{what} {found.dtype}{found.shape} instead of {wanted.dtype}{wanted.shape}"
    slopes, sizes = what.startswith("gradient"), _sizes(wanted)
    found, wanted = _parts(found), _parts(wanted)
    if wanted.dtype.kind not in "biu":
        sizes = np.maximum(sizes, np.asarray(1 if slopes else case.least).astype(wanted.dtype))
    wrong = _wrong(found, wanted, sizes, ulps, case.zeros and not slopes)
    if wrong.any() and isinstance(exact, np.ndarray) and exact.dtype.kind in "fc":
        truth = _parts(exact).astype(np.float64)
        with np.errstate(all="ignore"):
            mine, theirs = np.abs(found.astype(np.float64) - truth), np.abs(wanted.astype(np.float64) - truth)
            theirs = np.where(np.isnan(wanted), np.inf, theirs)
            wrong &= ~((mine <= theirs) & np.isfinite(found) & (found != wanted))
    if not wrong.any():
        return ""
    at = [f"[{i}] {found[i]!s} instead of {wanted[i]!s}" for i in np.flatnonzero(wrong)[:8]]
    return f"{what} of {len(wanted)} items: " + ", ".join(at)


def difference(case: Case, dtype: str) -> str:
    """How lamina's answer differs from PyTorch's; empty if it does not, or is finite and nearer to PyTorch's of float64."""
    found, wanted = answers(lamina, case, dtype), answers(torch, case, dtype)
    for one, other, names in ((found, wanted, "raised"), (wanted, found, "did not raise")):
        if isinstance(one, Exception) and not isinstance(other, Exception):
            return f"{names} {type(one).__name__}: {one}"
    if isinstance(found, Exception):
        kind = _kind(wanted)
        return (
            ""
            if isinstance(found, kind)
            else f"raised {type(found).__name__}: {found} instead of {kind.__name__}: {wanted}"
        )
    exact = answers(torch, case, _WIDER[dtype], dtype) if dtype in _WIDER else None
    for k, (what, ulps) in enumerate(
        (("result", case.ulps), ("gradient", case.ulps if case.slope_ulps is None else case.slope_ulps))
    ):
        mine, real = found[k], wanted[k]
        true = exact[k] if isinstance(exact, tuple) and len(exact[k]) == len(real) else [None] * len(real)
        if len(mine) != len(real):
            return f"{len(mine)} {what}s instead of {len(real)}"
        told = [_told(f"{what} {i}", *of, case, ulps) for i, of in enumerate(zip(mine, real, true, strict=True))]
        if any(told):
            return "; ".join(filter(None, told))
    return ""
