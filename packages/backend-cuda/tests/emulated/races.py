"""Who used each item last: two threads that use one, of which one writes, must be ordered by a barrier or the end of the kernel.

Threads run here in step, which would hide a barrier that is missing. K. Serebryany and T. Iskhodzhanov, ThreadSanitizer: data race
detection in practice, 2009, does the same for processors.
"""

import numpy as np

__all__ = ["BARRIER", "Races"]

_BLOCK = 32
BARRIER = 1 << _BLOCK
"""What a barrier of a whole block adds to the clocks of its threads; one of a warp adds 1."""

_NOBODY, _EVERYWHERE = -1, -(1 << 31)  # readers: a thread, or -2 - b for several of block b, or several of several blocks


class Races:
    """Uses of some bytes in one launch, each noted at the first byte of an item.

    Args:
        nbytes: how many bytes there are.
        block: how many threads a block has.
        shared: whether no two blocks use the same bytes.
    """

    def __init__(self, nbytes: int, block: int, shared: bool = False) -> None:
        self.block, self.shared = block, shared
        self.changed = False  # nobody has written any of them
        self.writer, self.reader = (np.full(nbytes, _NOBODY, np.int32) for _ in "wr")
        self.written, self.read = (np.zeros(nbytes, np.int64) for _ in "wr")

    def _block_of(self, who):
        return np.where(who >= 0, who // self.block, -2 - who.astype(np.int64))

    def _apart(self, who, when, lanes, clocks):
        """Where an earlier use by `who` at the time `when` is not ordered before one that `lanes` make now."""
        other = (who != lanes) & (who != _NOBODY)
        if self.shared:
            other &= when >> _BLOCK >= clocks >> _BLOCK
        if not other.any():
            return other
        same_block = self.shared or self._block_of(who) == lanes // self.block
        same_warp = same_block & (who >= 0) & (who % self.block // 32 == lanes % self.block // 32)
        ordered = np.where(same_warp, when < clocks, same_block & (when >> _BLOCK < clocks >> _BLOCK))
        return other & ~ordered

    def reads(self, places, lanes, clocks):
        """Note reads; return where one races with a write, or None."""
        bad = None
        if self.changed:
            bad = self._apart(self.writer[places], self.written[places], lanes, clocks)
            bad = bad if bad.any() else None
        who, when = self.reader[places], self.read[places]
        noted = (who == lanes) | ((who < _NOBODY) if self.shared else (who == _EVERYWHERE))
        new = np.flatnonzero(~(noted & (when == clocks)))
        if len(new):  # of most steps, few: neighbours read the same again and again
            self._note(places[new], who[new], when[new], lanes[new], clocks[new])
        return bad

    def _note(self, places, who, when, lanes, clocks):
        others = self._apart(who, when, lanes, clocks)
        self.reader[places] = np.where(others, self._several(who, lanes), lanes) if others.any() else lanes
        self.read[places] = clocks
        who = self.reader[places]
        shared = np.flatnonzero((who != lanes) & (who >= 0))  # by others that read in this very step
        if len(shared):
            several = self._several(who[shared], lanes[shared])
            self.reader[places[shared]] = several
            wide = shared[several == _EVERYWHERE]
            self.reader[places[wide]] = _EVERYWHERE

    def _several(self, who, lanes):
        block = lanes // self.block
        if self.shared:
            return -2 - block
        return np.where(self._block_of(who) == block, -2 - block, _EVERYWHERE).astype(np.int32)

    def writes(self, places, lanes, clocks, values, kept):
        """Note writes of values, of which the memory keeps some; return where one races with a use, or None."""
        self.changed = True
        bad = self._apart(self.writer[places], self.written[places], lanes, clocks)
        bad |= self._apart(self.reader[places], self.read[places], lanes, clocks)
        self.writer[places] = lanes
        self.written[places] = clocks
        self.reader[places] = _NOBODY
        twice = self.writer[places] != lanes
        if twice.any():  # harmless where all write the same
            bits = f"u{values.itemsize}"
            bad |= twice & (values.view(bits) != kept.view(bits))
        return bad if bad.any() else None
