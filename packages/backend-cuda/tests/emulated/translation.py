"""A block of PTX as a Python function, each instruction a call of NumPy over all threads that run it."""

import operator
from typing import Any

import numpy as np

from . import numbers, warps
from .calculations import CALCULATIONS
from .program import Program
from .ptx import Instruction
from .words import Words

__all__ = ["translated"]

_NAMES = {"np": np, "put": np.copyto, **{name: getattr(numbers, name) for name in numbers.__all__}}
_SPACES = ("global", "shared", "local", "param", "const")
_CHANGES = {
    "add": operator.add, "min": np.minimum, "max": np.maximum, "and": operator.and_, "or": operator.or_, "xor": operator.xor,
    "exch": lambda old, new: new, "cas": lambda old, expected, new: np.where(old == expected, new, old),
}  # fmt: skip
_PLAIN = (  # what says how memory is ordered, or which caches it goes by
    "volatile", "relaxed", "weak", "acquire", "release", "acq_rel", "gpu", "cta", "sys",
    "nc", "ca", "cg", "cs", "lu", "cv", "wb", "wt", "noftz",
)  # fmt: skip
_NOTHING = ("membar", "fence", "nanosleep", "pragma", "prefetch")


def translated(program: Program, number: int) -> Any:
    """Return the function of a block: it takes lanes and a mask, and tells the lanes where threads go on."""
    names: dict[str, Any] = dict(_NAMES)
    lines = []
    ended = False
    for one in program.block(number):
        words = Words(program, one, names)
        ending = _ending(one, words, number)
        lines += ending if ending else _guarded(one, _statements(one, words), words)
        ended = bool(ending)
    if not ended:
        lines.append(f"t.go({number + 1}, m)" if number + 1 < len(program.starts) else "t.leave(m)")
    source = "def block(t, m):\n" + "\n".join(f"    {line}" for line in lines)
    exec(compile(source, f"<{program.name}, block {number}>", "exec"), names)
    return names["block"]


def _guarded(one: Instruction, statements: list[str], words: Words) -> list[str]:
    if one.guard is None:
        return statements
    chosen = f"t.parted({words.row(one.guard[0], 'u')}, {one.guard[1]}, m)[0]"
    return ["all_m = m", f"m = {chosen}", "if m is not None:", *(f"    {line}" for line in statements or ["pass"]), "m = all_m"]


def _ending(one: Instruction, words: Words, number: int) -> list[str]:
    """What ends a block: jumps, barriers, the end."""
    name = one.opcode[0]
    following = number + 1
    if name == "bra":
        taken = f"t.go({words.program.labels[one.operands[0]]}, m)"
    elif name in ("ret", "exit"):
        taken = "t.leave(m)"
    elif name in ("bar", "barrier") and one.opcode[1:2] != ("warp",):
        if one.opcode[1] not in ("sync", "cta") or "red" in one.opcode or one.operands[0] != "0" or len(one.operands) > 1:
            raise words.unknown()
        taken = f"t.wait({following}, m, {one.line})"
    elif name == "trap":
        taken = f"t.trap(m, {one.line})"
    elif name in ("bar", "barrier"):
        taken = f"t.meet({words.read(one.operands[0], 'u32')}, m, {one.line}); t.go({following}, m)"
    else:
        return []
    if one.guard is None:
        return [taken]
    rest = f"t.go({following}, rest)" if following < len(words.program.starts) else "t.leave(rest)"
    parted = f"m, rest = t.parted({words.row(one.guard[0], 'u')}, {one.guard[1]}, m)"
    return [parted, "if m is not None:", f"    {taken}", "if rest is not None:", f"    {rest}"]


def _statements(one: Instruction, words: Words) -> list[str]:
    name = one.opcode[0]
    if name in ("ld", "ldu", "st", "atom", "red"):
        return _memory(one, words)
    if name == "mov":
        return _move(one, words)
    if name in _NOTHING:
        return []
    if name in warps.TOGETHER:
        return warps.together(one, words)
    if name not in CALCULATIONS:
        raise words.unknown()
    try:
        return CALCULATIONS[name](one, words)
    except (KeyError, ValueError, IndexError) as wrong:
        raise words.unknown() from wrong


def _memory(one: Instruction, words: Words) -> list[str]:
    name, *rest = one.opcode
    kind, parts = rest[-1], [part for part in rest[:-1] if part not in _PLAIN and not part.startswith(("L1:", "L2:"))]
    parts = [part.partition("::")[0] for part in parts]
    space = parts.pop(0) if parts and parts[0] in _SPACES else ""
    numpy_kind = words.constant(words.kind(kind))
    if name in ("ld", "ldu", "st"):
        vector = words.parts(one.operands[0 if name == "ld" or name == "ldu" else 1])
        if parts not in ([], ["v2"], ["v4"]) or (parts and len(vector) != int(parts[0][1:])):
            raise words.unknown()
        address = words.address(one.operands[0 if name == "st" else 1])
        ordered = not set(rest) & {"volatile", "relaxed", "acquire", "release", "nc"}
        if name == "st":
            items = ", ".join(words.read(part, kind) if _as_wide(part, kind, words) else words.row(part, kind) for part in vector)
            return [f"t.store({space!r}, ({items},), {address}, {numpy_kind}, m, {one.line}, {ordered})"]
        rows = ", ".join("None" if part == "_" else words.row(part, kind) for part in vector)
        return [f"t.load({space!r}, ({rows},), {address}, {numpy_kind}, m, {one.line}, {ordered})"]
    if len(parts) != 1 or parts[0] not in _CHANGES:
        raise words.unknown()
    out, (address, *values) = ("None", one.operands) if name == "red" else (words.row(one.operands[0], kind), one.operands[1:])
    given = ", ".join(words.read(value, kind) for value in values)
    change = words.constant(_CHANGES[parts[0]])
    return [f"t.exchange({space!r}, {out}, {words.address(address)}, {change}, ({given},), {numpy_kind}, m, {one.line})"]


def _as_wide(operand: str, kind: str, words: Words) -> bool:
    return operand not in words.program.registers or words.program.registers[operand][0] == int(kind[1:])


def _move(one: Instruction, words: Words) -> list[str]:
    to, value = one.operands
    kind = one.opcode[-1]
    if to.startswith("{") or value.startswith("{"):
        parts = words.parts(to if to.startswith("{") else value)
        whole, part = int(kind[1:]), int(kind[1:]) // len(parts)
        if to.startswith("{"):
            source = words.constant(np.dtype(f"u{part // 8}"))
            split = f"np.broadcast_to({words.read(value, kind)}, t.count).view({source}).reshape(-1, {len(parts)})"
            moved = [f"put({words.row(own, 'u')}, parts[:, {i}], where=m)" for i, own in enumerate(parts) if own != "_"]
            return [f"parts = np.ascontiguousarray({split}).copy()", *moved]
        wide = words.constant(np.dtype(f"u{whole // 8}"))
        shifts = [words.constant(np.dtype(f"u{whole // 8}").type(part * i)) for i in range(len(parts))]
        joined = [
            f"np.asarray({words.read(own, f'b{part}')}).astype({wide}) << {shift}" for own, shift in zip(parts, shifts, strict=True)
        ]
        return [f"put({words.row(to, 'u')}, {' | '.join(f'({own})' for own in joined)}, where=m)"]
    return [f"put({words.row(to, kind if kind != 'pred' else 'u')}, {words.read(value, kind)}, where=m)"]
