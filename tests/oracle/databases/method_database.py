"""PyTorch's op database asked of Tensor's methods: each as a method, and, where PyTorch has one, as its in-place twin."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Any

import torch
from databases import op_database
from databases.op_database import Difference
from seeds import seed_torch
from torch.testing._internal.common_methods_invocations import op_db

import lamina

__all__ = ["check_method", "check_twin", "dtypes", "methods", "twins"]

SAMPLES = {"float32": 40, "int64": 12, "bool": 6, "complex64": 12, "bfloat16": 6}
"""Dtype -> how many of an op's samples are asked."""


def _wanted() -> set[str]:
    return {name for names in op_database.tiers()["methods"].values() for name in names}


def _by_name(variant: str, suffix: str) -> dict[str, Any]:
    """Method that lamina has -> the first entry of the database for it, also under its aliases' names."""
    found: dict[str, Any] = {}
    for info in op_db:
        for entry in (info, *info.aliases):
            name = f"{entry.name}{suffix}"
            if getattr(entry, variant) is None or name in found or "." in name or not hasattr(torch.Tensor, name):
                continue
            if name in _wanted() and hasattr(lamina.Tensor, name):
                found[name] = info
    return found


@cache
def methods() -> dict[str, Any]:
    """Every method of the tiers that the database has samples of."""
    return _by_name("method_variant", "")


@cache
def twins() -> dict[str, Any]:
    """Every in-place method of the tiers that the database has samples of."""
    return _by_name("inplace_variant", "_")


def dtypes(info: Any) -> Iterator[str]:
    """Those of an entry that are asked."""
    return (d for d in SAMPLES if op_database.serves(info, d))


def _samples(info: Any, dtype: str) -> Iterator[Any]:
    for sample in islice(op_database.samples(info, dtype), SAMPLES[dtype]):
        if isinstance(sample.input, torch.Tensor):
            yield sample


def _attempted(function: Any) -> tuple[Any, Exception | None]:
    try:
        return function(), None
    except Exception as error:
        return None, error


def _fresh(value: Any) -> Any:
    return value.clone() if isinstance(value, torch.Tensor) else value


def _call(name: str, sample: Any, convert: Any) -> tuple[Any, Any]:
    """What the method gave, and the tensor it was a method of."""
    own = convert(_fresh(sample.input))
    args = [convert(_fresh(a)) for a in sample.args]
    params = {k: convert(_fresh(v)) for k, v in sample.kwargs.items()}
    seed_torch(7)
    lamina.manual_seed(7)
    return getattr(own, name)(*args, **params), own


def _compared(name: str, info: Any, sample: Any, expected: Any, convert: Any) -> tuple[Any, Any] | None:
    """Ours, where PyTorch gave something; None where both raised errors of one kind."""
    _, wrong = expected
    ours, error = _attempted(lambda: _call(name, sample, convert))
    shown = op_database.shown(info, sample)
    if wrong is None and error is not None:
        raise Difference(f"{name}: {shown} raised {type(error).__name__}: {error}") from error
    if wrong is not None and error is None:
        raise Difference(f"{name}: {shown} gave {ours[0]!r:.200} instead of {type(wrong).__name__}: {wrong}")
    if wrong is not None and not isinstance(error, type(wrong)):
        raise Difference(f"{name}: {shown} raised {type(error).__name__}({error}) instead of {type(wrong).__name__}({wrong})")
    return None if wrong is not None else ours


def check_method(name: str, info: Any, dtype: str) -> int:
    """Compare a method with PyTorch's: values, dtypes, shapes, and the type of each error; how many samples were asked.

    Raises:
        Difference: they differ.
    """
    count = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for sample in _samples(info, dtype):
            count += 1
            expected = _attempted(lambda s=sample: _call(name, s, _fresh))
            made = _compared(name, info, sample, expected, op_database.to_lamina)
            if made is None:
                continue
            process = sample.output_process_fn_grad
            results = (op_database.to_torch(op_database.dense(made[0])), op_database.dense(expected[0][0]))
            op_database._compare(info, sample, *(process(op_database._by_value(info, sample, r)) for r in results))
    return count


def check_twin(name: str, info: Any, dtype: str) -> int:
    """Compare an in-place method with PyTorch's: the tensor itself comes back, with the same items, or the same error; how many
    samples were asked.

    Raises:
        Difference: they differ.
    """
    count = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for sample in _samples(info, dtype):
            count += 1
            expected = _attempted(lambda s=sample: _call(name, s, _fresh))
            made = _compared(name, info, sample, expected, op_database.to_lamina)
            if made is None:
                continue
            result, own = made
            if result is not own:
                raise Difference(f"{name}: {op_database.shown(info, sample)} did not give back the tensor itself")
            op_database._compare(info, sample, op_database.to_torch(result), expected[0][0])
    return count
