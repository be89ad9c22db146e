"""What an installed package asks of PyTorch, read from its source without running it."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from importlib.util import find_spec
from inspect import Parameter, signature
from pathlib import Path
from typing import Any, Final, NamedTuple

from lamina_tensor.dispatch.torch_function import SPELLINGS

from .pytorch_names import names_of
from .reporting import attribute, dotted, meanings, names_used, status_of

__all__ = ["Entry", "report_package"]

_DEVICE: Final = re.compile(r"([a-z]+)(:\d+)?")


class Entry(NamedTuple):
    """One thing that a package asks of PyTorch.

    Attributes:
        kind: "name", "method" (on anything: only its name is known), "keyword" or "device".
        name: `torch.nn.Linear`, `Tensor.sum`, `torch.sum(dim=)`, `"cuda"`.
        status: "ok", "differs" or "missing".
        note: in what it differs.
        times: how often it is written.
        first: the file within the package, and the line, where it is first.
    """

    kind: str
    name: str
    status: str
    note: str
    times: int
    first: str

    def __str__(self) -> str:
        note = f"  ({self.note})" if self.note else ""
        return f"{self.status:8} {self.kind:8} {self.name:60} {self.times:5}x, first {self.first}{note}"


def report_package(package: str) -> list[Entry]:
    """What a package asks of PyTorch: names, methods of tensors, keywords of functions, devices; what is missing first.

    A method is known by its name only: one that PyTorch's Tensor has and lamina's has not may hang on something else.

    Args:
        package: the name by which it is imported.

    Raises:
        ModuleNotFoundError: it is not installed.
    """
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"No module named {package!r}", name=package)
    places: dict[tuple[str, str], list[str]] = defaultdict(list)
    folders = spec.submodule_search_locations
    for folder in [Path(place) for place in folders] if folders else []:
        for file in sorted(folder.rglob("*.py")):
            for key, line in _asked(ast.parse(file.read_bytes(), str(file))):
                places[key].append(f"{file.relative_to(folder)}:{line}")
    if not folders:
        for key, line in _asked(ast.parse(Path(spec.origin).read_bytes(), spec.origin)):
            places[key].append(f"{Path(spec.origin).name}:{line}")
    entries = [Entry(*key, *_status(*key), len(where), where[0]) for key, where in places.items()]
    return sorted(entries, key=lambda entry: (entry.status != "missing", entry.kind != "name", entry.kind, -entry.times, entry.name))


def _asked(tree: ast.Module) -> Iterator[tuple[tuple[str, str], int]]:
    for name, line in names_used(tree):
        yield ("name", name), line
    meant = meanings(tree)
    methods = names_of("torch.Tensor")
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        function = dotted(node.func, meant)
        if function is None and isinstance(node.func, ast.Attribute) and node.func.attr in methods:
            yield ("method", f"Tensor.{node.func.attr}"), node.lineno
        if function is not None:
            for keyword in node.keywords:
                if keyword.arg is not None:
                    yield ("keyword", f"{function}({keyword.arg}=)"), node.lineno
        devices = [keyword.value for keyword in node.keywords if keyword.arg == "device"]
        if function == "torch.device":
            devices += node.args[:1]
        if isinstance(node.func, ast.Attribute) and node.func.attr == "to":  # other things have a `to` as well
            devices += [value for value in node.args[:1] if _device_type(value) in names_of("torch.device")]
        for value in devices:
            if _device_type(value):
                yield ("device", repr(value.value)), value.lineno  # type: ignore[attr-defined]


def _device_type(value: ast.expr) -> str | None:
    """The type of device that an expression may name."""
    device = _DEVICE.fullmatch(value.value) if isinstance(value, ast.Constant) and isinstance(value.value, str) else None
    return device and device[1]


def _status(kind: str, name: str) -> tuple[str, str]:
    if kind == "method":
        import lamina

        return ("ok" if hasattr(lamina.Tensor, name.partition(".")[2]) else "missing"), ""
    if kind == "device":
        import lamina

        try:
            lamina.device(name.strip("'"))
        except (RuntimeError, ValueError) as error:
            return "missing", str(error)
        return "ok", ""
    if kind == "keyword":
        function, _, keyword = name.partition("(")
        return _keyword_status(function, keyword.removesuffix("=)"))
    return status_of(name)


def _keyword_status(function: str, keyword: str) -> tuple[str, str]:
    if status_of(function)[0] == "missing":
        return "ok", ""  # the function is told of already
    value: Any = attribute(function)
    try:
        parameters = signature(value).parameters
    except (TypeError, ValueError):
        return "ok", ""  # it has no signature to hold against
    keyword = SPELLINGS.get(keyword, keyword) if keyword not in parameters else keyword  # NumPy's words are taken, too
    takes = keyword in parameters or any(parameter.kind is Parameter.VAR_KEYWORD for parameter in parameters.values())
    return ("ok" if takes else "missing"), ""
