"""What PyTorch's functions and classes take: from their own signatures, its stubs, and the schemas of its operators.

Everything comes out as a list of overloads, each an `inspect.Signature` without `self`, whose annotations are text.
"""

import ast
import functools
import inspect
import re
from inspect import Parameter, Signature
from pathlib import Path
from typing import Any

import torch

PACKAGE = Path(torch.__file__).parent
SCHEMAS = PACKAGE.parent / "torchgen" / "packaged" / "ATen" / "native" / "native_functions.yaml"
# Operators of these modules have no stubs; their schemas say what the stubs would.
OF_SCHEMAS = {"torch.linalg": "linalg_", "torch.fft": "fft_", "torch.special": "special_"}
STUB_TYPES = {
    "Tensor": "Tensor", "Tensor[]": "tuple[Tensor, ...] | list[Tensor]", "int": "_int", "SymInt": "_int", "bool": "_bool",
    "float": "_float", "Scalar": "Number | _complex", "str": "str", "ScalarType": "_dtype", "Layout": "_layout",
    "Device": "DeviceLikeType | None", "Generator": "Generator", "MemoryFormat": "memory_format",
}  # fmt: skip


def _from_arguments(arguments: ast.arguments) -> list[Parameter]:
    found = []
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(positional) - len(arguments.defaults)) + list(arguments.defaults)

    def parameter(argument: ast.arg, kind: Any, has_default: bool) -> Parameter:
        annotation = ast.unparse(argument.annotation) if argument.annotation else Parameter.empty
        default = ... if has_default else Parameter.empty
        return Parameter(argument.arg, kind, default=default, annotation=annotation)

    for index, (argument, default) in enumerate(zip(positional, defaults, strict=True)):
        only = index < len(arguments.posonlyargs)
        kind = Parameter.POSITIONAL_ONLY if only else Parameter.POSITIONAL_OR_KEYWORD
        found.append(parameter(argument, kind, default is not None))
    if arguments.vararg:
        found.append(parameter(arguments.vararg, Parameter.VAR_POSITIONAL, False))
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        found.append(parameter(argument, Parameter.KEYWORD_ONLY, default is not None))
    if arguments.kwarg:
        found.append(parameter(arguments.kwarg, Parameter.VAR_KEYWORD, False))
    return found


def _overloads(body: list[ast.stmt], is_class: bool = False) -> dict[str, list[Signature]]:
    found: dict[str, list[Signature]] = {}
    for node in body:
        if isinstance(node, ast.FunctionDef):
            static = any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in node.decorator_list)
            parameters = _from_arguments(node.args)
            if is_class and not static:
                parameters = parameters[1:]
            returns = ast.unparse(node.returns) if node.returns else Signature.empty
            if len({parameter.name for parameter in parameters}) == len(parameters):
                found.setdefault(node.name, []).append(Signature(parameters, return_annotation=returns))
    return {name: _in_use(overloads) for name, overloads in found.items()}


def _in_use(overloads: list[Signature]) -> list[Signature]:
    """Without the deprecated forms, such as `addmm(beta, self, alpha, mat1, mat2)`: what is a keyword elsewhere is
    positional in them, or the first tensor is called `self`."""
    by_keyword = {p.name for s in overloads for p in s.parameters.values() if p.kind is Parameter.KEYWORD_ONLY}
    kept = [
        signature
        for signature in overloads
        if "self" not in signature.parameters
        and not any(
            p.name in by_keyword & {"alpha", "beta", "value"} and p.kind is Parameter.POSITIONAL_OR_KEYWORD
            for p in signature.parameters.values()
        )
    ]
    return kept or overloads


@functools.cache
def _functions_in(stub: str) -> dict[str, list[Signature]]:
    return _overloads(ast.parse((PACKAGE / stub).read_text()).body)


@functools.cache
def _classes_in(stub: str) -> dict[str, dict[str, list[Signature]]]:
    body = ast.parse((PACKAGE / stub).read_text()).body
    return {node.name: _overloads(node.body, is_class=True) for node in body if isinstance(node, ast.ClassDef)}


@functools.cache
def _schemas() -> dict[str, list[Signature]]:
    found: dict[str, list[Signature]] = {}
    for line in SCHEMAS.read_text().splitlines():
        schema = re.match(r"- func: (\w+)(?:\.\w+)?\((.*)\) -> ", line)
        if schema and schema[1].startswith(tuple(OF_SCHEMAS.values())):
            found.setdefault(schema[1], []).append(Signature(_from_schema(schema[2])))
    return found


def _from_schema(text: str) -> list[Parameter]:
    kind, found = Parameter.POSITIONAL_OR_KEYWORD, []
    for part in re.split(r",\s*(?![^\[]*\])", text):
        if part == "*":
            kind = Parameter.KEYWORD_ONLY
            continue
        written, _, name = part.rpartition(" ")
        name, equals, _ = name.partition("=")
        if "!" in written:  # the result, or several: all of them are called `out` in Python
            name, annotation, equals = "out", "Tensor | None", "="
        else:
            annotation = _stub_type(written)
        name = "input" if name == "self" else name
        if name not in [parameter.name for parameter in found]:
            default = ... if equals else Parameter.empty
            found.append(Parameter(name, kind, default=default, annotation=annotation))
    required = [p for p in found if p.kind is kind.POSITIONAL_OR_KEYWORD]
    return [*required, *(p for p in found if p.kind is kind.KEYWORD_ONLY)]


def _stub_type(written: str) -> str:
    optional = " | None" if written.endswith("?") else ""
    plain = written.rstrip("?")
    if re.fullmatch(r"(?:Sym)?[Ii]nt\[\d*\]", plain):
        return "_int | _size" + optional if "[1]" in plain else "_size" + optional
    return STUB_TYPES.get(plain, plain) + optional


def _says_nothing(signature: Signature) -> bool:
    return {p.kind for p in signature.parameters.values()} == {Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD}


def _own(value: Any) -> Signature | None:
    try:
        signature = inspect.signature(value)
    except (ValueError, TypeError):
        return None
    return None if _says_nothing(signature) else signature


def of_function(namespace: str, name: str, value: Any) -> list[Signature]:
    """The overloads of a function; none where PyTorch does not say."""
    own = _own(value)
    if own:
        return [own]
    if namespace == "torch.nn.functional" and inspect.isfunction(value):
        # Made of two functions, of which one is chosen by a boolean: the parameters are those of either.
        both = [_own(cell.cell_contents) for cell in value.__closure__ or () if inspect.isfunction(cell.cell_contents)]
        return [signature for signature in both if signature]
    if namespace in OF_SCHEMAS and (overloads := _schemas().get(OF_SCHEMAS[namespace] + name)):
        return overloads
    stubs = ("nn/functional.pyi", "_C/_nn.pyi", "_C/_VariableFunctions.pyi")
    for stub in stubs if namespace.startswith("torch.nn") else stubs[2:]:
        if overloads := _functions_in(stub).get(name):
            return overloads
    return _functions_in("_C/__init__.pyi").get(name, []) if inspect.isbuiltin(value) else []


def of_method(owner: type, name: str, value: Any) -> list[Signature]:
    """The overloads of a method, without `self`."""
    own = _own(value)
    if own:
        bound = inspect.ismethod(value) or isinstance(inspect.getattr_static(owner, name), staticmethod)
        parameters = list(own.parameters.values())
        return [own if bound else own.replace(parameters=parameters[1:])]
    for base in owner.__mro__:
        if overloads := _classes_in("_C/__init__.pyi").get(base.__name__, {}).get(name):
            return overloads
    return []


def of_class(value: type) -> list[Signature]:
    """How a class is called; none where it takes nothing of its own."""
    own = _own(value)
    if own and not issubclass(value, tuple):
        return [own]
    return _classes_in("_C/__init__.pyi").get(value.__name__, {}).get("__init__", [])
