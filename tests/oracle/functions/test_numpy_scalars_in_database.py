"""PyTorch's op database with a scalar of NumPy, or an array without axes, in the place of each number: PyTorch's results.

Each place of a number is asked once for each kind of scalar, those within sequences not for arrays. `LAMINA_LONG_RUNS=1` asks for more
kinds, in every sample, and in int64, too.
"""

import os
import warnings
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from databases import op_database

LONG = bool(os.environ.get("LAMINA_LONG_RUNS"))
SAMPLES = 40 if LONG else 8
DTYPES = ("float32", "int64")
PYTHON_TAKES = {"nn.functional.local_response_norm", "nn.functional.smooth_l1_loss"}
"""Functions that PyTorch writes in Python without a look at types: arrays go through some of their arguments by chance."""


def numbers(value, path=()):
    """Where the numbers are in nested arguments."""
    if isinstance(value, (tuple, list, dict)) and not isinstance(value, torch.Size):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from numbers(item, (*path, key))
    elif type(value) in (int, float):
        yield path, value


def replaced(value, path, number):
    """Nested arguments with another number in one place."""
    if not path:
        return number
    if isinstance(value, dict):
        return {**value, path[0]: replaced(value[path[0]], path[1:], number)}
    items = [replaced(item, path[1:], number) if i == path[0] else item for i, item in enumerate(value)]
    return tuple(items) if isinstance(value, tuple) else items


def scalars(number, nested):
    """A number as NumPy has it; PyTorch takes an array without axes for an integer."""
    if isinstance(number, float):
        return [np.float64(number), np.float32(number)]
    kinds = [np.int64, *[np.int32] * LONG] if abs(number) < 2**31 else [np.int64]
    return [kind(number) for kind in kinds] + [np.array(number)] * (not nested) + [np.float32(number)] * (abs(number) < 2**20)


def clone(value):
    return value.clone() if isinstance(value, torch.Tensor) else value


def compared(info, dtype):
    """How many calls PyTorch takes, and where lamina's differ."""
    ours, seen, count, differences = op_database.counterpart(info), set(), 0, []
    for i, sample in enumerate(op_database.samples(info, dtype)):
        if i == SAMPLES:
            break
        arguments = [[sample.input, *sample.args], sample.kwargs]
        for path, number in numbers(arguments):
            for scalar in scalars(number, len(path) > 2 or isinstance(sample.input, (tuple, list))):
                place = (len(arguments[0]), path, type(scalar), LONG and i)
                if place in seen:
                    continue
                args, kwargs = replaced(arguments, path, scalar)
                asked = SimpleNamespace(input=args[0], args=tuple(args[1:]), kwargs=kwargs)
                try:
                    expected = op_database.called(info.op, asked, clone)
                except Exception:
                    continue
                seen.add(place)
                count += 1
                try:
                    results = op_database.to_torch(op_database.called(ours, asked, op_database.to_lamina)), expected
                    last = sample.output_process_fn_grad
                    op_database._compare(info, sample, *(last(op_database._by_value(info, sample, result)) for result in results))
                except Exception as error:
                    differences.append(f"{type(scalar).__name__} at {path}: {type(error).__name__}: {error}")
    return count, differences


@pytest.mark.parametrize("part", range(4))
def test_they_are_numbers_everywhere(part):
    count, differences = 0, {}
    entries = [(name, info) for name, infos in sorted(op_database.database().items()) for info in infos if op_database.exists(name)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, info in entries[part::4]:
            if name in PYTHON_TAKES:
                continue
            served = [dtype for dtype in DTYPES if op_database.serves(info, dtype)]
            for dtype in served if LONG else served[:1]:
                calls, found = compared(info, dtype)
                count += calls
                if found:
                    differences[f"{name}.{info.variant_test_name} {dtype}"] = found
    assert not differences, differences
    assert count > 100
