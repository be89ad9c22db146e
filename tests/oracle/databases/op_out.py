"""`out=` over PyTorch's op database: where PyTorch writes a result, lamina writes the same one, and gives that very tensor back."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from itertools import islice
from typing import Any

import torch
from databases import op_database
from databases.op_database import Difference
from seeds import seed_torch

import lamina

__all__ = ["check", "check_cast", "check_resized", "takes_out"]

DTYPES = ("float64", "int64", "bool", "complex128")
SAMPLES = 6
CASTS = (
    ("float32", "float64"), ("float64", "float32"), ("int64", "float64"), ("int64", "int32"), ("complex64", "complex128"),
    ("float32", "int64"),
)  # fmt: skip
NOT_ASKED = {"equal", "histogramdd", "fft.ihfft2", "fft.ihfftn"}  # PyTorch takes none, or gives it another shape than the result's
SILENT = {"addbmm", "lu", "narrow_copy", "number_mean"}  # PyTorch resizes these without the warning that all its others give
NO_ARGUMENT = {"avg_pool2d", "avg_pool3d", "linear", "logsigmoid", "softshrink", "gelu", "softplus"}  # nor is it documented


def takes_out(info: Any) -> bool:
    """Whether PyTorch's function takes `out`."""
    return (
        info.supports_out and op_database.exists(info.name) and info.name not in NOT_ASKED
        and info.name.removeprefix("nn.functional.") not in NO_ARGUMENT - {info.name}
    )  # fmt: skip


def _samples(info: Any) -> Iterator[Any]:
    for dtype in DTYPES:
        if getattr(torch, dtype) in info.dtypes:
            seed_torch()
            made = islice(info.sample_inputs_func(info, "cpu", getattr(torch, dtype), False), SAMPLES)
            yield from (sample for sample in made if "out" not in sample.kwargs)


def _several(result: Any) -> Any:
    return result if isinstance(result, (tuple, list)) else (result,)


def _call(function: Any, library: Any, convert: Any, sample: Any, outs: Any = ()) -> Any:
    (seed_torch if library is torch else lamina.manual_seed)(0)
    args = [convert(x) for x in (sample.input, *sample.args)]
    params = {name: convert(value) for name, value in sample.kwargs.items()}
    if outs:
        params["out"] = outs[0] if len(outs) == 1 else tuple(outs)
    return function(*args, **params)


def _plain(value: Any) -> Any:
    return value


def _same(x: Any, y: Any) -> bool:
    return x.shape == y.shape and x.dtype == y.dtype and bool(((x == y) | ((x != x) & (y != y))).all())


def check(info: Any) -> int:
    """Ask for results in places without items and in ones of their shape; how many samples were compared comes back.

    Raises:
        Difference: what was written or given back differs.
    """
    if not takes_out(info):
        return 0
    ours, compared = op_database.counterpart(info), 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for sample in _samples(info):
            try:
                places = [torch.empty(0, dtype=x.dtype) for x in _several(_call(info.op, torch, _plain, sample))]
                returned = _call(info.op, torch, _plain, sample, places)
            except Exception:
                continue  # PyTorch takes none here
            shown = op_database.shown(info, sample)
            try:
                wanted = _several(_call(ours, lamina, op_database.to_lamina, sample))
                for shapes in ([(0,)] * len(wanted), [tuple(x.shape) for x in wanted]):
                    outs = [lamina.ones(shape, dtype=x.dtype) for shape, x in zip(shapes, wanted, strict=True)]
                    result = _call(ours, lamina, op_database.to_lamina, sample, outs)
                    if (result is None) != (returned is None) or not (
                        result is None or all(x is y for x, y in zip(_several(result), outs, strict=True))
                    ):
                        raise Difference(f"{shown}: gave back another tensor than out")
                    if info.name not in op_database.UNINITIALISED and not all(map(_same, outs, wanted)):
                        raise Difference(f"{shown}: out holds other items than the result")
                if [tuple(x.shape) for x in places] != [tuple(x.shape) for x in outs]:
                    raise Difference(f"{shown}: out has another shape than PyTorch's")
            except Difference:
                raise
            except Exception as error:
                raise Difference(f"{shown} raised {type(error).__name__}: {error}") from error
            compared += 1
    return compared


def check_resized(info: Any) -> int:
    """Where PyTorch resizes an `out` that has items it warns; whether a sample was compared comes back.

    Raises:
        Difference: ours has another shape then, or warns otherwise.
    """
    ours = op_database.counterpart(info)
    for sample in _samples(info):
        with warnings.catch_warnings(record=True) as theirs_said:
            warnings.simplefilter("always")
            try:
                results = _several(_call(info.op, torch, _plain, sample))
                theirs_said.clear()
                places = [torch.zeros(2, 3, 1, 1, 7, dtype=x.dtype) for x in results]
                _call(info.op, torch, _plain, sample, places)
            except Exception:
                continue
        with warnings.catch_warnings(record=True) as we_said:
            warnings.simplefilter("always")
            targets = [lamina.zeros(2, 3, 1, 1, 7, dtype=op_database.to_lamina(x).dtype) for x in places]
            _call(ours, lamina, op_database.to_lamina, sample, targets)
        told = [(tuple(x.shape) for x in targets), _resized(we_said)]
        silent = {info.name, info.variant_test_name} & SILENT
        if list(told[0]) != [tuple(x.shape) for x in places] or told[1] != (len(places) if silent else _resized(theirs_said)):
            raise Difference(f"{op_database.shown(info, sample)}: resized otherwise")
        return 1
    return 0


def check_cast(info: Any) -> int:
    """Where PyTorch casts results to the dtype of `out`, lamina does, and where it refuses to, so does lamina; how many were compared.

    Raises:
        Difference: one casts and the other refuses.
    """
    ours, compared = op_database.counterpart(info), 0
    for dtype, other in CASTS:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = _to_be_cast(info, dtype, other)
            if found is None:
                continue
            sample, places = found
            theirs = _refusal(info.op, torch, _plain, sample, places)
            own = _refusal(ours, lamina, op_database.to_lamina, sample, places)
        if (theirs is None) != (own is None):
            raise Difference(f"{op_database.shown(info, sample)} into {other}: PyTorch {theirs or 'casts'}; lamina {own or 'casts'}")
        compared += 1
    return compared


def _refusal(function: Any, library: Any, convert: Any, sample: Any, places: Any) -> str | None:
    try:
        _call(function, library, convert, sample, [convert(x) for x in places])
    except (RuntimeError, TypeError, ValueError) as error:
        return str(error)
    return None


def _to_be_cast(info: Any, dtype: str, other: str) -> Any:
    """A sample with results of a dtype, and places for them that are of another one."""
    if getattr(torch, dtype) not in info.dtypes:
        return None
    seed_torch()
    places = {getattr(torch, dtype): getattr(torch, other)}
    for sample in islice(info.sample_inputs_func(info, "cpu", getattr(torch, dtype), False), SAMPLES):
        if "out" in sample.kwargs:
            continue
        try:
            results = _several(_call(info.op, torch, _plain, sample))
        except Exception:
            continue
        if any(x.dtype in places for x in results):
            return sample, [torch.empty(x.shape, dtype=places.get(x.dtype, x.dtype)) for x in results]
    return None


def _resized(said: Any) -> int:
    return sum(" resized " in str(warning.message) for warning in said)
