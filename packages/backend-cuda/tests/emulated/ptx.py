"""PTX read into instructions: scopes are resolved, so that each register has one name in its function."""

import re
from dataclasses import dataclass, field
from typing import NamedTuple

__all__ = ["Function", "Instruction", "Module", "parsed"]

_FUNCTION = re.compile(
    r"^(?:\.visible\s+|\.weak\s+)*\.(entry|func)\s*(?:\(([^)]*)\)\s*)?([\w$]+)\s*(?:\(([^)]*)\))?[^{;]*(\{|;)", re.M
)
_PARAMETER = re.compile(
    r"\.param\s+(?:\.align\s+(\d+)\s+)?\.(\w+)\s+(?:\.ptr\s+(?:\.(?:global|shared|local|const)\s+)?(?:\.align\s+\d+\s+)?)?"
    r"([\w$]+)(?:\[(\d+)\])?"
)
_VARIABLE = re.compile(
    r"\.(global|const|shared|local)\s+(?:\.align\s+(\d+)\s+)?\.(\w+)\s+([\w$]+)(?:\[(\d+)\])?(?:\s*=\s*\{?([^};]*)\}?)?"
)
_LABEL = re.compile(r"([\w$]+):(?!:)")
_NAME = re.compile(r"(?<![\w$%.])[%A-Za-z_$][\w$]*(?:\.[xyzw]\b)?")
_GUARD = re.compile(r"@(!?)([%\w$]+)\s+")
_OPERANDS = re.compile(r",(?![^{(\[]*[})\]])")


class Instruction(NamedTuple):
    """One instruction.

    Attributes:
        line: of the PTX.
        text: as it is written.
        guard: the predicate that it runs under and whether that is negated, or None.
        opcode: the parts of its name.
        operands: what it works on; registers by their names in the function.
    """

    line: int
    text: str
    guard: tuple[str, bool] | None
    opcode: tuple[str, ...]
    operands: tuple[str, ...]


@dataclass
class Function:
    """A kernel, or a function that one calls.

    Attributes:
        name: its name.
        parameters: by name, the size and alignment of each.
        returned: the name of what it returns, or None.
        registers: by name, how many bits each has; 0 is a predicate.
        shared, local: by name, the size of each variable.
        code: its instructions.
        labels: by name, the number of the instruction that each stands before.
    """

    name: str
    parameters: dict[str, tuple[int, int]]
    returned: str | None
    registers: dict[str, int] = field(default_factory=dict)
    shared: dict[str, int] = field(default_factory=dict)
    local: dict[str, int] = field(default_factory=dict)
    code: list[Instruction] = field(default_factory=list)
    labels: dict[str, int] = field(default_factory=dict)


class Module(NamedTuple):
    """A file of PTX.

    Attributes:
        kernels, functions: by name.
        constants: by name, the bytes of variables in global memory.
    """

    kernels: dict[str, Function]
    functions: dict[str, Function]
    constants: dict[str, bytes]


def parsed(ptx: str) -> Module:
    """Read a file of PTX."""
    text = re.sub(r"//[^\n]*", "", ptx)
    module = Module({}, {}, {})
    shared: dict[str, int] = {}
    cursor = 0
    while (head := _FUNCTION.search(text, cursor)) is not None:
        _variables(text[cursor : head.start()], module, shared)
        cursor = head.end()
        if head[5] == ";":  # only declared here
            continue
        parameters = {m[3]: (_size(m[2], m[4]), int(m[1] or _size(m[2], None))) for m in _PARAMETER.finditer(head[4] or "")}
        returned = _PARAMETER.search(head[2] or "")
        function = Function(head[3], parameters, returned[3] if returned else None, shared=shared)
        cursor = _body(text, cursor, function)
        (module.kernels if head[1] == "entry" else module.functions)[function.name] = function
    _variables(text[cursor:], module, shared)
    return module


def _size(kind: str, count: str | None) -> int:
    return int(kind[1:]) // 8 * int(count or 1)


def _variables(text: str, module: Module, shared: dict[str, int]) -> None:
    for space, _, kind, name, count, values in _VARIABLE.findall(text):
        size = _size(kind, count)
        if space == "shared":
            shared[name] = size
        else:
            width = _size(kind, None)
            items = [int(value, 0) & ((1 << 8 * width) - 1) for value in values.split(",")] if values.strip() else []
            module.constants[name] = b"".join(item.to_bytes(width, "little") for item in items).ljust(size, b"\0")


def _body(text: str, cursor: int, function: Function) -> int:
    """Read statements up to the brace that closes the function; return what comes after it."""
    scopes: list[dict[str, str]] = [{}]
    number, counted, line = 0, 0, 1
    while True:
        while text[cursor].isspace():
            cursor += 1
        if text[cursor] == "{":
            number += 1
            scopes.append({"": f"~{number}"})
            cursor += 1
        elif text[cursor] == "}":
            scopes.pop()
            cursor += 1
            if not scopes:
                return cursor
        elif label := _LABEL.match(text, cursor):
            function.labels[label[1]] = len(function.code)
            cursor = label.end()
        else:
            end = text.index(";", cursor)
            statement = " ".join(text[cursor:end].split())
            if statement.startswith("."):
                _declaration(statement, function, scopes[-1])
            else:
                counted, line = cursor, line + text.count("\n", counted, cursor)
                function.code.append(_instruction(statement, line, scopes))
            cursor = end + 1


def _declaration(statement: str, function: Function, scope: dict[str, str]) -> None:
    if statement.startswith(".reg"):
        _, kind, names = statement.split(" ", 2)
        bits = 0 if kind == ".pred" else max(16, int(kind[2:]))
        for name in names.replace(" ", "").split(","):
            family = re.fullmatch(r"([%\w$]+)<(\d+)>", name)
            for one in [f"{family[1]}{i}" for i in range(int(family[2]))] if family else [name]:
                scope[one] = one + scope.get("", "")
                function.registers[scope[one]] = bits
    elif statement.startswith((".shared", ".local")):
        space, _, kind, name, count, _ = _VARIABLE.findall(statement)[0]
        (function.shared if space == "shared" else function.local)[name] = _size(kind, count)
    elif statement.startswith(".param"):
        for found in _PARAMETER.finditer(statement):
            scope[found[3]] = found[3] + scope.get("", "")
    elif not statement.startswith((".pragma", ".loc", ".file")):
        raise NotImplementedError(f"{function.name}: a declaration that is not known: {statement}")


def _instruction(statement: str, line: int, scopes: list[dict[str, str]]) -> Instruction:
    def resolved(word: str) -> str:
        return next((scope[word] for scope in reversed(scopes) if word in scope), word)

    text, guard = statement, None
    if found := _GUARD.match(statement):
        guard, statement = (resolved(found[2]), found[1] == "!"), statement[found.end() :]
    opcode, _, rest = statement.partition(" ")
    rest = _NAME.sub(lambda m: resolved(m[0]), rest.strip())
    operands = tuple(part.strip() for part in _OPERANDS.split(rest)) if rest else ()
    return Instruction(line, text, guard, tuple(opcode.split(".")), operands)
