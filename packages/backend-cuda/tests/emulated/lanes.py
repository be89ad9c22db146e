"""Threads run together: the registers of all, the paths on which they are, and where those meet."""

import numpy as np

from .faults import Fault
from .memory import LOCAL, SHARED, LaneMemory, Users, Wrong, parameters
from .program import Program, extent
from .races import BARRIER
from .translation import translated

__all__ = ["Lanes", "launch"]

_TOGETHER = 4096  # threads that run at once, if a block is not larger
_STEPS = 1 << 22  # a kernel that takes more does not end
_WINDOWS = ((LOCAL, "local"), (SHARED, "shared"), (0, "global"))


def launch(program: Program, grid: int, block: int, packed: bytes, space) -> None:
    """Run a kernel on `grid` blocks of `block` threads."""
    given, races = parameters(packed), {}
    with np.errstate(all="ignore"):
        for begin in range(0, grid, at_once := max(1, _TOGETHER // block)):
            Lanes(program, range(begin, min(grid, begin + at_once)), grid, block, given, space, races).run()


class Lanes:
    """All threads of some blocks.

    A path is a block of code and the threads that are to run it: a mask, or True where it is all of them. The path that is
    furthest behind goes first, so that paths which parted join again. Registers are rows of arrays by their bits and how they
    are read: U32[3] is S32[3] and F32[3], too.
    """

    def __init__(self, program: Program, blocks: range, grid: int, block: int, given: LaneMemory, space, races) -> None:
        self.program, self.first_block, self.block = program, blocks.start, block
        self.count = len(blocks) * block
        lane = np.arange(self.count, dtype=np.uint32)
        self.thread, self.row = lane % np.uint32(block), lane // np.uint32(block)
        counts = program.counts
        self.P = list(np.zeros((counts[0], self.count), bool))
        for bits in (16, 32, 64):
            words = np.full((counts[bits], self.count), int.from_bytes(b"\xa5" * (bits // 8), "little"), f"u{bits // 8}")
            for letter in "UIF":
                setattr(self, letter.replace("I", "S") + str(bits), list(words.view(f"{letter.lower()}{bits // 8}")))
        self.carry = np.zeros(self.count, np.uint64)
        self.memories = {
            "global": space, "const": space, "param": given,
            "shared": LaneMemory(program.shared, extent(program.shared), len(blocks), block),
            "local": LaneMemory(program.local, extent(program.local), self.count),
        }  # fmt: skip
        none = np.zeros(self.count, np.uint64)
        self.rows = {"global": none, "const": none, "param": none, "shared": self.row.astype(np.uint64), "local": lane.astype(np.uint64)}
        self.number = lane.astype(np.int32) + np.int32(self.first_block * block)
        self.clock = np.zeros(self.count, np.int64)
        self.races = races
        self.special = self._special(grid, block)
        self.paths: dict[int, object] = {0: True}
        self.waiting: dict[int, tuple[object, int]] = {}  # by the block after a barrier: who waits, and at which line
        self.alive = np.ones(self.count, bool)

    def _special(self, grid, block):
        made = {f"%{name}.{axis}": np.uint32(one) for name, one in (("tid", 0), ("ctaid", 0), ("ntid", 1), ("nctaid", 1)) for axis in "yz"}
        laneid = self.thread % np.uint32(32)
        one = np.uint32(1)
        made |= {
            "%tid.x": self.thread, "%ctaid.x": self.row + np.uint32(self.first_block), "%ntid.x": np.uint32(block),
            "%nctaid.x": np.uint32(grid), "%laneid": laneid, "%warpid": self.thread // np.uint32(32), "WARP_SZ": np.uint32(32),
            "%lanemask_eq": one << laneid, "%lanemask_lt": (one << laneid) - one, "%lanemask_ge": ~((one << laneid) - one),
        }  # fmt: skip
        made["%lanemask_le"] = made["%lanemask_lt"] | made["%lanemask_eq"]
        made["%lanemask_gt"] = ~made["%lanemask_le"]
        return made

    # -- paths ------------------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Run until every thread has left."""
        blocks = self.program.compiled
        for _ in range(_STEPS):
            if not self.paths and not self._met():
                return
            number = min(self.paths)
            function = blocks.get(number)
            if function is None:
                function = blocks[number] = translated(self.program, number)
            function(self, self.paths.pop(number))
        raise Fault("does not end", self.program.name, 0, "", None, None)

    def go(self, number, mask):
        """Threads go on with a block of code."""
        other = self.paths.get(number)
        if other is not None and mask is not True:
            mask = mask | other
        self.paths[number] = mask if mask is True or not mask.all() else True

    def parted(self, chosen, negated, mask):
        """Threads of a mask where a predicate holds, and the others; None where there are none."""
        taken = ~chosen if negated else chosen.copy()
        if mask is not True:
            taken &= mask
        number, whole = np.count_nonzero(taken), self.count if mask is True else np.count_nonzero(mask)
        if number == whole:
            return mask, None
        return (None, mask) if not number else (taken, ~taken if mask is True else mask & ~taken)

    def leave(self, mask):
        """Threads end."""
        self.alive = np.zeros(self.count, bool) if mask is True else self.alive & ~mask

    def wait(self, number, mask, line):
        """Threads wait at a barrier until their whole block does."""
        other = self.waiting.get(number)
        self.waiting[number] = (mask if other is None or mask is True else mask | other[0], line)

    def _met(self):
        """Let those go on whose whole block waits at one barrier; return whether there are any."""
        for number, (mask, line) in list(self.waiting.items()):
            if mask is not True:
                here = mask.reshape(-1, self.block)
                apart = here.any(axis=1) & ~here.all(axis=1)
                if apart.any():
                    row = int(apart.argmax())
                    thread = int((~here[row]).argmax())
                    self._fail("a barrier that some threads of a block do not come to", line, row * self.block + thread)
            self.clock[... if mask is True else mask] += BARRIER
            self.go(number, mask)
        self.waiting.clear()
        return bool(self.paths)

    # -- memory -----------------------------------------------------------------------------------------------------

    def load(self, space, outs, addresses, kind, mask, line, ordered=True):
        """Read into registers."""
        for name, own, own_addresses in self._spaces(space, addresses, mask):
            self._aligned(own_addresses, kind.itemsize * len(outs), own, line)
            try:
                read = self.memories[name].load(own_addresses, self._users(name, own, ordered), kind, len(outs))
            except Wrong as wrong:
                self._wrong(wrong, own_addresses, own, line)
            for out, values in zip(outs, read, strict=True):
                if out is not None:
                    out[... if own is True else own] = values

    def store(self, space, values, addresses, kind, mask, line, ordered=True):
        """Write registers, or numbers."""
        for name, own, own_addresses in self._spaces(space, addresses, mask):
            self._aligned(own_addresses, kind.itemsize * len(values), own, line)
            items = [self._of(np.broadcast_to(v, self.count), own).astype(kind) for v in values]
            try:
                self.memories[name].store(own_addresses, self._users(name, own, ordered), kind, items)
            except Wrong as wrong:
                self._wrong(wrong, own_addresses, own, line)

    def exchange(self, space, out, addresses, change, values, kind, mask, line):
        """Read, change and write in one step, one thread after another."""
        for name, own, own_addresses in self._spaces(space, addresses, mask):
            self._aligned(own_addresses, kind.itemsize, own, line)
            memory, rows = self.memories[name], self.rows[name]
            places = np.arange(self.count) if own is True else np.flatnonzero(own)
            items = [self._of(np.broadcast_to(v, self.count), own).astype(kind) for v in values]
            for i, place in enumerate(places):
                alone = Users(rows[place : place + 1], None, None, self.races, self.block)
                try:
                    old = memory.load(own_addresses[i : i + 1], alone, kind, 1)[0]
                    memory.store(own_addresses[i : i + 1], alone, kind, [change(old, *(v[i] for v in items)).astype(kind)])
                except Wrong as wrong:
                    wrong.place = i
                    self._wrong(wrong, own_addresses, own, line)
                if out is not None:
                    out[place] = old[0]

    def _users(self, name, mask, ordered):
        lanes = self._of(self.number, mask) if ordered and name in ("global", "shared", "const") else None
        return Users(self._of(self.rows[name], mask), lanes, self._of(self.clock, mask), self.races, self.block)

    def _spaces(self, space, addresses, mask):
        """Which kinds of memory addresses are in, which threads' are, and those."""
        if not addresses.ndim:  # a variable's, the same of all
            addresses = np.full(self.count, addresses)
        if space:
            yield space, mask, self._of(addresses, mask)
            return
        left = np.ones(self.count, bool) if mask is True else mask.copy()
        for begin, name in _WINDOWS:
            own = left & (addresses >= np.uint64(begin))
            left &= ~own
            if own.any():
                yield name, own, addresses[own]

    def _of(self, values, mask):
        return values if mask is True else values[mask]

    def _aligned(self, addresses, nbytes, mask, line):
        bad = addresses & np.uint64(nbytes - 1)
        if bad.any():
            self._wrong(Wrong(f"a misaligned access of {nbytes} bytes", int((bad != 0).argmax())), addresses, mask, line)

    # -- faults -----------------------------------------------------------------------------------------------------

    def _wrong(self, wrong, addresses, mask, line):
        lane = wrong.place if mask is True else int(np.flatnonzero(mask)[wrong.place])
        self._fail(wrong.what, line, lane, int(addresses[wrong.place]))

    def _fail(self, what, line, lane, address=None):
        text = next((one.text for one in self.program.code if one.line == line), "")
        where = (self.first_block + lane // self.block, lane % self.block)
        raise Fault(what, self.program.name, line, text, where, address)

    def trap(self, mask, line):
        """A kernel gives up."""
        self._fail("a trap", line, 0 if mask is True else int(mask.argmax()))

    def meet(self, members, mask, line):
        """Threads of a warp wait for each other."""
        self.clock[self.check_together(members, mask, line)] += 1

    def check_together(self, members, mask, line):
        """Refuse what the threads of a warp do together where some that are named are elsewhere."""
        active = np.ones(self.count, bool) if mask is True else mask
        bits = (np.broadcast_to(members, self.count) >> (self.thread % np.uint32(32))) & np.uint32(1)
        warp = self.warps()
        here = np.zeros(int(warp[-1]) + 1, np.uint64)
        np.bitwise_or.at(here, warp[active], np.uint64(1) << (self.thread[active] % np.uint32(32)).astype(np.uint64))
        living = np.zeros_like(here)
        np.bitwise_or.at(living, warp[self.alive], np.uint64(1) << (self.thread[self.alive] % np.uint32(32)).astype(np.uint64))
        missing = active & ((np.broadcast_to(members, self.count) & (living & ~here)[warp]).astype(bool) | (bits == 0))
        if missing.any():
            self._fail("threads of a warp are named that do not take part", line, int(missing.argmax()))
        return active

    def warps(self):
        """The number of each thread's warp."""
        return self.row * np.uint32(-(-self.block // 32)) + self.thread // np.uint32(32)
