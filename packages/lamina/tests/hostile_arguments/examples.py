"""Calls that work, of all public functions and methods: those that their documentation shows."""

from __future__ import annotations

import ast
import doctest
import inspect
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

import lamina
import lamina_ndarray as nd
import lamina_tensor

__all__ = ["Example", "examples"]

_MODULES = {
    "nd": nd, "nd.linalg": nd.linalg, "nd.fft": nd.fft, "torch": lamina_tensor, "torch.linalg": lamina.linalg, "torch.fft": lamina.fft,
    "torch.special": lamina.special, "torch.nn.functional": lamina.nn.functional,
}  # fmt: skip
_LASTING = ("set_", "save", "load", "from_file", "use_", "manual_seed", "seed", "compile", "register", "share_memory", "vmap", "get_")
"""What changes the process, or reads and writes files, is left out."""


class Example(NamedTuple):
    """A call that works.

    Attributes:
        name: as it is written, such as `torch.linalg.inv` or `Tensor.add_`.
        function: what to call.
        args, kwargs: evaluated.
        is_method: whether the first argument is the tensor that it is a method of.
    """

    name: str
    function: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    is_method: bool


def _documented() -> Iterator[tuple[str, str, Any, type]]:
    """(Its place, its own name, the function, the class of what it is an attribute of) of all public ones."""
    for place, module in _MODULES.items():
        for name in module.__all__:
            yield f"{place}.{name}", name, getattr(module, name), ModuleType
    for kind in (nd.NDArray, lamina.Tensor):
        for name in dir(kind):
            if not name.startswith("_"):
                yield f"{kind.__name__}.{name}", name, getattr(kind, name), kind


@cache
def examples() -> tuple[Example, ...]:
    """All calls of documented functions by their own examples, in the order of names."""
    result = []
    for place, name, function, kind in _documented():
        if inspect.isclass(function) or not callable(function) or name.startswith(_LASTING):
            continue
        names: dict[str, Any] = {"nd": nd, "torch": lamina, "lamina": lamina, "np": np, "F": lamina.nn.functional}
        try:
            shown = doctest.DocTestParser().get_examples(inspect.getdoc(function) or "")
        except ValueError:
            continue
        for example in shown:
            tree = ast.parse(example.source)
            result += [Example(place, function, *call, kind is not ModuleType) for call in _arguments(tree, name, kind, names)]
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    exec(compile(tree, place, "exec"), names)
            except Exception:
                break  # it shows an error
    return tuple(result)


def _arguments(tree: ast.AST, name: str, kind: type, names: dict[str, Any]) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    """The arguments of each call of an attribute of this name: the tensor first, of a method."""
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == name):
            continue
        try:
            of = _value(node.func.value, names)
            if not isinstance(of, kind):
                continue
            own = [] if kind is ModuleType else [of]
            args = own + [_value(part, names) for part in node.args]
            kwargs = {keyword.arg: _value(keyword.value, names) for keyword in node.keywords if keyword.arg}
        except Exception:
            continue  # it is made of what an earlier line has not made, or of stars
        if any(isinstance(value, (nd.NDArray, lamina.Tensor, int, float, tuple, list)) for value in (*args, *kwargs.values())):
            yield tuple(args), kwargs


def _value(node: ast.expr, names: dict[str, Any]) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return eval(compile(ast.Expression(node), "argument", "eval"), names)
