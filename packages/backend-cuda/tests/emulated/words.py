"""What instructions work on, as Python that reads or writes it: registers, numbers, addresses of variables."""

import re
from typing import Any

import numpy as np

from .faults import UnknownInstruction
from .program import Program
from .ptx import Instruction

__all__ = ["Words", "letter_of"]

_NUMBER = re.compile(r"(-?(?:0[xX][0-9a-fA-F]+|\d+))U?$")
_ADDRESS = re.compile(r"\[\s*([^\]+\s]+)\s*(?:\+\s*(-?\d+))?\s*\]")


def letter_of(kind: str) -> str:
    """Return the first letter of the rows that hold a type's items: U, S or F."""
    return {"u": "U", "b": "U", "s": "S", "f": "F"}[kind[0]]


class Words:
    """The operands of one instruction.

    Args:
        program: the kernel.
        one: the instruction.
        names: where numbers are kept for what is translated, by name.
    """

    def __init__(self, program: Program, one: Instruction, names: dict[str, Any]) -> None:
        self.program, self.one, self.names = program, one, names

    def unknown(self) -> UnknownInstruction:
        """Return what to raise where this instruction is not known."""
        return UnknownInstruction(self.program.name, self.one.line, self.one.text)

    def constant(self, value: Any) -> str:
        """Keep a value, and return the name that it has."""
        name = f"k{len(self.names)}"
        self.names[name] = value
        return name

    def kind(self, kind: str) -> Any:
        """Return NumPy's type of PTX's."""
        if kind[0] not in "usbf" or kind[1:] not in ("8", "16", "32", "64") or kind == "f8":
            raise self.unknown()
        return np.dtype(f"{ {'b': 'u', 's': 'i'}.get(kind[0], kind[0]) }{int(kind[1:]) // 8}")

    def row(self, register: str, kind: str) -> str:
        """Return the row of a register, as wide as that is, read as a type is."""
        if register not in self.program.registers:
            raise self.unknown()
        bits, index = self.program.registers[register]
        return f"t.{letter_of(kind)}{bits}[{index}]" if bits else f"t.P[{index}]"

    def read(self, operand: str, kind: str) -> str:
        """Return an operand as items of a type."""
        if operand in self.program.registers:
            bits, _ = self.program.registers[operand]
            if kind == "pred" or bits == int(kind[1:]):
                return self.row(operand, kind)
            return f"{self.row(operand, kind[0].replace('f', 'u'))}.astype({self.constant(self.kind(kind))})"
        if operand.startswith("%") or operand == "WARP_SZ":
            return f"t.special[{operand!r}]"
        return self.constant(self._number(operand, kind))

    def _number(self, operand: str, kind: str) -> Any:
        if kind == "pred":
            return np.bool_(int(operand, 0))
        if operand[:2] in ("0f", "0F", "0d", "0D"):
            own = np.dtype(f"u{len(operand[2:]) // 2}").type(int(operand[2:], 16)).view(f"f{len(operand[2:]) // 2}")
            return own.astype(self.kind(kind)) if kind[0] == "f" else own.view(self.kind(kind))
        if found := _NUMBER.match(operand):
            to = self.kind(kind)
            if to.kind == "f":
                return to.type(int(found[1], 0))
            return np.dtype(f"u{to.itemsize}").type(int(found[1], 0) & ((1 << 8 * to.itemsize) - 1)).view(to)
        return np.uint64(self.variable(operand))

    def variable(self, name: str) -> int:
        """Return where a variable lies: in its own kind of memory."""
        for variables in (self.program.shared, self.program.local, self.program.parameters):
            if name in variables:
                return variables[name][0]
        if name not in self.program.constants:
            raise self.unknown()
        return self.program.constants[name]

    def address(self, operand: str) -> str:
        """Return an address."""
        found = _ADDRESS.fullmatch(operand)
        if found is None:
            raise self.unknown()
        offset = int(found[2] or 0)
        if found[1] not in self.program.registers:
            known = (int(found[1], 0) if found[1][0].isdigit() else self.variable(found[1])) + offset
            return self.constant(np.uint64(known & (1 << 64) - 1))
        row = self.read(found[1], "u64")
        return f"({row} + {self.constant(np.uint64(offset & (1 << 64) - 1))})" if offset else row

    def parts(self, operand: str) -> list[str]:
        """Return the operands of a vector, or the one that there is."""
        return [part.strip() for part in operand.strip("{} ").split(",")] if operand.startswith("{") else [operand]
