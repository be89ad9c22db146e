"""What threads of a warp do together: shuffles and votes, in which all that are named must take part."""

import numpy as np

from .ptx import Instruction
from .words import Words

__all__ = ["TOGETHER", "together"]

TOGETHER = ("shfl", "vote", "activemask")


def together(one: Instruction, words: Words) -> list[str]:
    """Return what an instruction of TOGETHER does."""
    name = one.opcode[0]
    if name == "activemask":
        return [f"put({words.row(one.operands[0], 'u')}, {words.constant(_ballot)}(t, True, m), where=m)"]
    if name == "shfl":
        mode = one.opcode[2]
        if one.opcode[1] != "sync" or mode not in _SOURCES:
            raise words.unknown()
        to, _, there = one.operands[0].partition("|")
        x, by, clamp, members = (words.read(operand, "u32") for operand in one.operands[1:])
        call = f"values, inside = {words.constant(_shuffled)}(t, {mode!r}, {x}, {by}, {clamp}, {members}, m, {one.line})"
        moved = [f"put({words.row(to, 'u')}, values, where=m)"]
        return [call, *moved, *([f"put({words.row(there, 'u')}, inside, where=m)"] if there else [])]
    negated = one.operands[1].startswith("!")
    chosen = f"{'~' * negated}{words.read(one.operands[1].lstrip('!'), 'pred')}"
    members, mode = words.read(one.operands[2], "u32"), one.opcode[2]
    if one.opcode[1] != "sync" or mode not in ("all", "any", "uni", "ballot"):
        raise words.unknown()
    call = f"{words.constant(_vote)}(t, {mode!r}, {chosen}, {members}, m, {one.line})"
    return [f"put({words.row(one.operands[0], 'u')}, {call}, where=m)"]


_SOURCES = {
    "bfly": lambda lane, by, low, high: (lane ^ by, lane ^ by, high),
    "down": lambda lane, by, low, high: (lane + by, lane + by, high),
    "up": lambda lane, by, low, high: (lane - by, high, lane - by),  # inside where it is not below
    "idx": lambda lane, by, low, high: (low | by, low | by, high),
}


def _shuffled(t, mode, x, by, clamp, members, m, line):
    """What other threads have, and whether the one that is asked for is inside of the thread's segment."""
    active = t.check_together(members, m, line)
    lane = (t.thread % np.uint32(32)).astype(np.int64)
    by, clamp = np.broadcast_to(by, t.count).astype(np.int64) & 31, np.broadcast_to(clamp, t.count).astype(np.int64)
    segment = clamp >> 8 & 31
    low, high = lane & segment, (lane & segment) | (clamp & 31 & ~segment)
    by = by & ~segment if mode == "idx" else by
    wanted, one, limit = _SOURCES[mode](lane, by, low, high)
    inside = one <= limit if mode != "up" else wanted >= high
    source = np.where(inside, wanted, lane)
    place = np.arange(t.count) - lane + source
    absent = active & ((source >= 32) | (place >= t.count))
    place = np.minimum(place, t.count - 1)
    absent |= active & (~active[place] | (t.warps()[place] != t.warps()))
    if absent.any():
        t._fail("a shuffle reads a thread that does not take part", line, int(absent.argmax()))
    return np.broadcast_to(x, t.count)[place], inside


def _ballot(t, chosen, m):
    """For each thread the bits of those threads of its warp that are active, and for which something is true."""
    active = np.ones(t.count, bool) if m is True else m
    chosen = np.broadcast_to(chosen, t.count) & active
    warp = t.warps()
    bits = np.zeros(int(warp[-1]) + 1, np.uint32)
    np.bitwise_or.at(bits, warp[chosen], np.uint32(1) << (t.thread[chosen] % np.uint32(32)))
    return bits[warp]


def _vote(t, mode, chosen, members, m, line):
    t.check_together(members, m, line)
    true, false = (_ballot(t, own, m) & members for own in (chosen, ~np.broadcast_to(chosen, t.count)))
    return {"all": false == 0, "any": true != 0, "uni": (true == 0) | (false == 0), "ballot": true}[mode]
