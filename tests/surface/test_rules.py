"""The rules themselves: what each accepts and refuses, on functions written for it."""

import inspect
import types

import docstring_rules
import listing
import pytest
import pytorch_signatures
import signatures
import torch
from namespaces import Subject


def shape_of(source):
    """The signature of a `def` with these parameters."""
    names = {}
    exec(f"def f({source}): ...", names)
    return inspect.signature(names["f"])


@pytest.mark.parametrize(
    ("ours", "theirs", "said"),
    [
        ("input, dim=None, keepdim=False, *, out=None", "input, dim, keepdim=False", None),
        ("input, dim=None, other=None", "input, other", None),  # max(input, other): by keyword, and in that order
        ("x, dim", "input, dim", "takes no input"),
        ("*args, **params", "input, dim", "takes no input, dim"),
        ("input, keepdim=False, dim=0", "input, dim, keepdim=False", "order"),
        ("input, *, dim", "input, dim", "by position"),
        ("input, dim, more", "input, dim", "wants more"),
        ("size=None", "*size", "variadic positional"),
        ("*size, dtype=None", "*size, dtype=None", None),
    ],
)
def test_a_signature_takes_what_an_overload_takes(ours, theirs, said):
    refused = signatures.refusal(shape_of(ours), shape_of(theirs))
    assert refused is None if said is None else said in refused


def test_pytorch_is_read_from_stubs_schemas_and_signatures():
    def names(overloads):
        return [list(signature.parameters) for signature in overloads]

    assert names(pytorch_signatures.of_function("torch", "max", torch.max)) == [
        ["input", "out"], ["input", "other", "out"], ["input", "dim", "keepdim", "out"],
    ]  # fmt: skip
    (addmm, _) = names(pytorch_signatures.of_function("torch", "addmm", torch.addmm))
    assert addmm == ["input", "mat1", "mat2", "beta", "alpha", "out"]  # the deprecated forms are left out
    assert names(pytorch_signatures.of_method(torch.Tensor, "sum", torch.Tensor.sum))[1] == ["dim", "keepdim", "dtype"]
    assert names(pytorch_signatures.of_function("torch.linalg", "inv", torch.linalg.inv))[-1] == ["A", "out"]
    assert names(pytorch_signatures.of_class(torch.nn.ReLU)) == [["inplace"]]
    pooled = pytorch_signatures.of_function("torch.nn.functional", "max_pool2d", torch.nn.functional.max_pool2d)
    assert names(pooled)[0][:3] == ["input", "kernel_size", "stride"]


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("The sum of all items.\n\nMore.", True),
        ("The sum of all items, or of those\nalong an axis. More", True),
        ("The sum of all items", False),
        ("sum.", False),
        ("Sum it.", True),
        ("", False),
        (None, False),
    ],
)
def test_a_first_sentence(text, holds):
    assert (docstring_rules.first_sentence(text, "sum") is None) is holds


def test_sections():
    text = "Does it.\n\nArgs:\n    x: what.\n\nReturns:\n    It.\n\n>>> f(1)\n1\n"
    assert docstring_rules.has_section(text, "Args") and not docstring_rules.has_section(text, "Raises")
    assert docstring_rules.has_example(text) and not docstring_rules.has_example("As in x >>> 1.")


def test_clutter_is_what_nobody_asks_for():
    module = types.ModuleType("lamina.example")
    exec(
        "from __future__ import annotations\nimport json\nfrom typing import Any\ndef f(): ...\ndef _g(): ...\n",
        vars(module),
    )
    module.__all__ = ["f"]
    assert listing.clutter(module, torch.fft) == ["Any", "_g", "annotations", "json"]


def test_a_name_outside_all_is_not_listed():
    home = types.ModuleType("lamina.example")
    home.f = len
    subject = Subject("torch.example", "f", home.f, len, home, torch)
    assert "__all__" in listing.complaint(subject)
    home.__all__ = ["f"]
    assert listing.complaint(subject) is None
