"""Bad inputs of PyTorch's op database: the same errors are wanted of lamina."""

from __future__ import annotations

import warnings
from typing import Any

import torch
from databases.op_database import Difference, called, counterpart, is_method, seeded, shown, to_lamina

__all__ = ["check_errors"]


def check_errors(info: Any) -> int:
    """Every bad input of the database is refused with an error of the type that PyTorch raises; how many came.

    Raises:
        Missing: lamina has no such function.
        Difference: a bad input was accepted, or refused with another type of error.
    """
    if info.error_inputs_func is None:
        return 0
    ours, count = counterpart(info), 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for bad in seeded(info.error_inputs_func(info, "cpu")):
            sample = bad.sample_input
            if is_method(info.name) and not isinstance(sample.input, torch.Tensor):
                continue  # there is no such method to ask
            try:
                called(info.op, sample, lambda v: v)
            except bad.error_type:
                pass
            else:
                continue
            try:
                args = [to_lamina(a) for a in (sample.input, *sample.args)]
                params = {k: to_lamina(v) for k, v in sample.kwargs.items()}
            except (AttributeError, TypeError, ValueError):
                continue  # NumPy, between the two, cannot hold it, or lamina has no such layout
            try:
                result = ours(*args, **params)
            except bad.error_type:
                count += 1
            except Exception as error:
                raise Difference(
                    f"{shown(info, sample)} raised {type(error).__name__}({error}) instead of "
                    f"{bad.error_type.__name__}({bad.error_regex})"
                ) from error
            else:
                raise Difference(f"{shown(info, sample)} gave {result!r:.200} instead of an error: {bad.error_regex}")
    return count
