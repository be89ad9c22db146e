"""A kernel made ready to run: what it calls is put in place, registers are numbered, and its code is cut into blocks."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from .faults import UnknownInstruction
from .ptx import Function, Instruction, Module

__all__ = ["Program", "extent", "programs"]

_GAP = 64  # bytes between variables of shared or local memory, which nobody may touch
_ENDS = ("bra", "ret", "exit", "bar", "barrier", "trap")
_MEETINGS = ("shfl", "vote", "match", "redux", "activemask")  # paths join before these, not after


@dataclass
class Program:
    """A kernel.

    Attributes:
        name: its name.
        parameters: by name, where each lies among the packed ones, and its size.
        registers: by name, how many bits each has and its number among those; 0 bits are a predicate.
        shared, local: by name, where each variable begins and its size.
        code: its instructions, those of functions that it calls among them.
        starts: the number of the first instruction of each block.
        labels: by name, the number of a block.
        constants: by name, the address of each variable in global memory.
        compiled: by number, blocks that were translated.
    """

    name: str
    parameters: dict[str, tuple[int, int]] = field(default_factory=dict)
    registers: dict[str, tuple[int, int]] = field(default_factory=dict)
    shared: dict[str, tuple[int, int]] = field(default_factory=dict)
    local: dict[str, tuple[int, int]] = field(default_factory=dict)
    code: list[Instruction] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    labels: dict[str, int] = field(default_factory=dict)
    constants: dict[str, int] = field(default_factory=dict)
    compiled: dict[int, Callable[..., None]] = field(default_factory=dict)

    @cached_property
    def counts(self) -> dict[int, int]:
        """How many registers there are of so many bits."""
        return {bits: sum(own == bits for own, _ in self.registers.values()) for bits in (0, 16, 32, 64)}

    def block(self, number: int) -> list[Instruction]:
        """Return the instructions of a block."""
        return self.code[self.starts[number] : (*self.starts, len(self.code))[number + 1]]


def extent(variables: dict[str, tuple[int, int]]) -> int:
    """Return how many bytes variables and the gaps between them take."""
    return max((begin + size for begin, size in variables.values()), default=0) + _GAP


def programs(module: Module, constants: dict[str, int]) -> dict[str, Program]:
    """Return the kernels of a module, whose constants lie at some addresses."""
    made = {}
    for name, kernel in module.kernels.items():
        program = made[name] = Program(name, constants=constants)
        flat = Function(name, kernel.parameters, None, dict(kernel.registers), dict(kernel.shared), dict(kernel.local))
        _append(flat, kernel, module, {}, "", "")
        begin = 0
        for parameter, (size, alignment) in kernel.parameters.items():
            begin = -(-begin // alignment) * alignment
            program.parameters[parameter] = (begin, size)
            begin += size
        program.shared, program.local = _laid(flat.shared), _laid(flat.local)
        counts = dict.fromkeys((0, 16, 32, 64), 0)
        for register, bits in flat.registers.items():
            program.registers[register] = (bits, counts[bits])
            counts[bits] += 1
        program.code = flat.code
        _cut(program, flat.labels)
    return made


def _laid(variables: dict[str, int]) -> dict[str, tuple[int, int]]:
    places, begin = {}, 0
    for name, size in variables.items():
        places[name] = (begin, size)
        begin = -(-(begin + size + _GAP) // 16) * 16
    return places


def _append(to: Function, function: Function, module: Module, arguments: dict[str, str], mark: str, after: str) -> None:
    """Add a function's code to a kernel's: its own names get a mark, its parameters are the caller's, and it returns to a label."""
    own = {name: name + mark for name in (*function.registers, *function.labels, *function.local)}
    if mark:
        to.registers.update({name + mark: bits for name, bits in function.registers.items()})
        to.local.update({name + mark: size for name, size in function.local.items()})
    starts = {place: [name for name, at in function.labels.items() if at == place] for place in function.labels.values()}

    def renamed(operand: str) -> str:
        return re.sub(r"[%$\w.~#]+", lambda word: own.get(word[0], word[0]), operand)

    for place in range(len(function.code) + 1):
        for label in starts.get(place, ()):
            to.labels[own[label]] = len(to.code)
        if place == len(function.code):
            break
        one = function.code[place]
        guard = None if one.guard is None else (own[one.guard[0]], one.guard[1])
        operands = tuple(map(renamed, one.operands))
        name = one.opcode[0]
        if name == "call":
            _call(to, one, operands, module, f"{mark}#{len(to.code)}")
        elif name in ("ret", "exit") and mark:
            to.code.append(one._replace(guard=guard, opcode=("bra", "uni"), operands=(after,)))
        elif one.opcode[:2] in (("ld", "param"), ("st", "param")) and (moved := _moved(to, one, operands, arguments, mark)):
            to.code.append(moved._replace(guard=guard))
        else:
            to.code.append(one._replace(guard=guard, operands=operands))


def _call(to: Function, call: Instruction, operands: tuple[str, ...], module: Module, mark: str) -> None:
    returned = operands[0].strip("( )") if operands[0].startswith("(") else None
    callee, *lists = operands[1:] if returned else operands
    function = module.functions.get(callee)
    if function is None:
        raise UnknownInstruction(to.name, call.line, call.text)
    given = [name.strip() for name in (lists[0].strip("( )").split(",") if lists else []) if name.strip()]
    arguments = dict(zip(function.parameters, given, strict=True))
    if returned and function.returned:
        arguments[function.returned] = returned
    _append(to, function, module, arguments, mark, f"return{mark}")
    to.labels[f"return{mark}"] = len(to.code)


def _moved(to: Function, one: Instruction, operands: tuple[str, ...], arguments: dict[str, str], mark: str) -> Instruction | None:
    """A read or write of what is handed to a function: it is a register of its own. None where it is a kernel's parameter."""
    place = 1 if one.opcode[0] == "ld" else 0
    name, _, offset = operands[place].strip("[]").partition("+")
    name = arguments.get(name, name)
    if name in to.parameters or name.startswith("%"):
        return None
    if len(one.opcode) != 3 or "~" not in name:  # it is declared in the scope of a call
        raise UnknownInstruction(to.name, one.line, one.text)
    register = f"%{name}+{int(offset or 0)}"
    to.registers.setdefault(register, max(16, int(one.opcode[2][1:])))
    pair = (operands[0], register) if place else (register, operands[1])
    return one._replace(opcode=("mov", one.opcode[2]), operands=pair)


def _cut(program: Program, labels: dict[str, int]) -> None:
    """Blocks begin at labels, after jumps and barriers, and before what threads do together."""
    begins = {0, *labels.values()}
    for place, one in enumerate(program.code):
        if one.opcode[0] in _ENDS:
            begins.add(place + 1)
        elif one.opcode[0] in _MEETINGS:
            begins.add(place)
    program.starts = sorted(begins)
    numbers = {start: number for number, start in enumerate(program.starts)}
    program.labels = {label: numbers[place] for label, place in labels.items()}
