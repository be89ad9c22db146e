"""Calls that are wrong, one to a line of `wrong_calls.txt`: an error of PyTorch's kind, whose message names the function."""

import ast
import warnings
from pathlib import Path

import numpy as np
import pytest
import torch

import lamina
import lamina_tensor

MISTAKES = Path(__file__).with_name("wrong_calls.txt").read_text().splitlines()
KNOWN = {
    't.ones(3)["a"]': "every index that is none is an IndexError; PyTorch tells a TypeError of text",
    't.ones(2, dtype="float32")': "dtypes may be named",
    "t.nn.MSELoss()(t.zeros(2), 3)": "a TypeError that names the argument; PyTorch looks for an attribute of the number",
    't.save(t.ones(2), "/nonexistent/dir/file.pt")': "an OSError, as of any other file",
    't.nn.Parameter("a")': "a TypeError that names the argument; PyTorch looks for an attribute of the text",
    "t.jit.script(3)": "nothing is compiled, so nothing is refused",
}
WITHOUT_A_NAME = {
    "t.ones(2).backward()", "t.ones(2, requires_grad=True).backward()", "t.tensor([1], requires_grad=True)",
}  # fmt: skip
"""PyTorch's own words, which begin otherwise."""
KINDS = (NotImplementedError, RuntimeError, IndexError, TypeError, ValueError, AttributeError, KeyError, AssertionError, OSError)


def _made(t, line):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            eval(line, {"t": t, "np": np})
        except Exception as error:
            return error
    return None


def _kind(error):
    return next((kind for kind in KINDS if isinstance(error, kind)), type(error))


def _called(line):
    """The function of tensors, or the method, whose call the line is; None for any other line."""
    call = ast.parse(line, mode="eval").body
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)):
        return None
    of, name = call.func.value, call.func.attr
    if isinstance(of, ast.Name):
        return name if name in lamina_tensor.__all__ else None
    is_tensor = isinstance(of, ast.Call) and isinstance(of.func, ast.Attribute) and of.func.attr in ("ones", "tensor")
    return name if is_tensor and hasattr(lamina.Tensor, name) else None


@pytest.mark.parametrize("line", MISTAKES)
def test_the_error_is_of_pytorchs_kind_and_names_the_function(line):
    theirs, ours = _made(torch, line), _made(lamina, line)
    alike = _kind(ours) is _kind(theirs) or (theirs is not None and isinstance(ours, _kind(theirs)))
    assert alike == (line not in KNOWN), f"{ours!r} instead of {theirs!r}"
    name = _called(line)
    if ours is not None and name is not None and str(ours) not in str(theirs) and line not in WITHOUT_A_NAME:
        assert name in str(ours), ours
