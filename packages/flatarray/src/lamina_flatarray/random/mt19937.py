"""The Mersenne Twister stream of the CPU device, drawn and saved as PyTorch draws and saves it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ..errors import RandomError
from ..fork_safety import fork_safe

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["MT19937", "MTState"]

_WORDS: Final = 624
_LAYOUT: Final = np.dtype(
    {
        "names": [
            "seed",
            "left",
            "seeded",
            "next",
            "key",
            "normal",
            "has_normal",
            "float_normal",
            "has_float",
        ],
        "formats": ["<u8", "<i4", "<i4", "<u8", ("<u8", _WORDS), "<f8", "<i4", "<f4", "u1"],
        "offsets": [0, 8, 12, 16, 24, 5024, 5040, 5048, 5052],
        "itemsize": 5056,
    }
)
"""PyTorch's `get_rng_state()`; of its three doubles only the second, at 5024, is in use."""


class MTState(NamedTuple):
    """The compact state of an MT19937: 2.5 kB instead of PyTorch's 5 kB.

    Attributes:
        seed: the 64-bit seed last given (only its low half enters the key).
        key: the 624 words, uint32.
        position: how many words of the key are used up, 0 ... 624.
        fresh: nothing drawn since seeding (PyTorch saves this case differently).
        next_normal: the second half of a Box-Muller pair that waits for its turn.
        next_float_normal: the same in float32; kept for PyTorch's sake, no transform here uses it.

    >>> MT19937(5).state().seed
    5
    """

    seed: int
    key: npt.NDArray[np.uint32]
    position: int
    fresh: bool
    next_normal: float | None
    next_float_normal: float | None


class MT19937:
    """The engine mt19937, with the cached normal that belongs to its state in PyTorch.

    Matsumoto and Nishimura, Mersenne twister, ACM TOMACS 8 (1998).

    The words come from NumPy's engine, seeded by `init_genrand`: the same words as PyTorch's. Not
    thread-safe; `Generator` holds the lock.

    Args:
        seed: 0 <= seed < 2**64.

    >>> MT19937(5489).draws32(2).tolist()
    [3499211612, 581869302]
    """

    __slots__ = ("_bits", "_fresh", "_keyed", "next_float_normal", "next_normal", "seed_value")

    seed_value: int
    next_normal: float | None
    next_float_normal: float | None

    def __init__(self, seed: int) -> None:
        self._bits = np.random.MT19937(0)
        fork_safe(self._bits.lock)
        # RandomState gives the public way to init_genrand; it shares the engine.
        self._keyed = np.random.RandomState(self._bits)
        self.seed(seed)

    def seed(self, seed: int) -> None:
        """Start the stream of `seed` (0 <= seed < 2**64; PyTorch uses the low 32 bits)."""
        self._keyed.seed(seed & 0xFFFFFFFF)
        self.seed_value = seed
        self.next_normal = self.next_float_normal = None
        self._fresh = True

    def draws32(self, count: int) -> npt.NDArray[np.uint32]:
        """Return the next `count` words."""
        self._fresh = self._fresh and count == 0
        return self._bits.random_raw(count).astype(np.uint32)

    def draws64(self, count: int) -> npt.NDArray[np.uint64]:
        """Return the next `count` 64-bit draws of two words each, the first word being the high one."""
        self._fresh = self._fresh and count == 0
        words = self._bits.random_raw(2 * count)
        high = words[0::2] << np.uint64(32)
        high |= words[1::2]
        return high

    def skip(self, count: int) -> None:
        """Draw `count` words and drop them."""
        self._fresh = self._fresh and count == 0
        self._bits.random_raw(count, output=False)

    def state(self) -> MTState:
        """Return a copy of the state."""
        inner: Any = self._bits.state["state"]
        return MTState(
            self.seed_value,
            np.array(inner["key"], np.uint32),
            int(inner["pos"]),
            self._fresh,
            self.next_normal,
            self.next_float_normal,
        )

    def restore(self, state: MTState) -> None:
        """Continue from `state`.

        Raises:
            RandomError: the key is not 624 words, or the position is outside 0 ... 624.
        """
        key = np.asarray(state.key)
        if key.shape != (_WORDS,) or not 0 <= state.position <= _WORDS:
            raise RandomError(
                f"set_state: key {key.shape}, position {state.position}; it wants 624 words and 0 ... 624"
            )
        self._bits.state = {
            "bit_generator": "MT19937",
            "state": {"key": key.astype(np.uint32), "pos": state.position},
        }
        self.seed_value = state.seed
        self._fresh = state.fresh
        self.next_normal = state.next_normal
        self.next_float_normal = state.next_float_normal

    def to_bytes(self) -> npt.NDArray[np.uint8]:
        """Return the state as PyTorch's `get_rng_state()` gives it: uint8, shape (5056,)."""
        state = self.state()
        record = np.zeros((), _LAYOUT)
        record["seed"] = state.seed
        record["left"] = _WORDS + 1 - state.position
        record["seeded"] = 1
        record["next"] = 0 if state.fresh else state.position
        record["key"] = state.key
        if state.next_normal is not None:
            record["normal"], record["has_normal"] = state.next_normal, 1
        if state.next_float_normal is not None:
            record["float_normal"], record["has_float"] = state.next_float_normal, 1
        return np.frombuffer(record.tobytes(), np.uint8).copy()

    def from_bytes(self, data: npt.NDArray[np.uint8]) -> None:
        """Continue from a state that this class or PyTorch saved.

        Raises:
            RandomError: it is not uint8 of shape (5056,), or its contents cannot be a state.
        """
        data = np.asarray(data)
        if data.dtype != np.uint8 or data.shape != (_LAYOUT.itemsize,):
            raise RandomError(
                f"set_state: {data.dtype} of shape {data.shape}; it wants uint8 of shape (5056,)"
            )
        record = np.frombuffer(data.tobytes(), _LAYOUT)[0]
        left, following = int(record["left"]), int(record["next"])
        fresh = following == 0 and left == 1
        if (
            record["seeded"] != 1
            or not 1 <= left <= _WORDS + 1
            or not (fresh or following == _WORDS + 1 - left)
        ):
            raise RandomError(f"set_state: not the state of an mt19937 (left {left}, next {following})")
        if (record["key"] >> np.uint64(32)).any():
            raise RandomError("set_state: not the state of an mt19937 (a word has more than 32 bits)")
        self.restore(
            MTState(
                int(record["seed"]),
                record["key"].astype(np.uint32),
                _WORDS + 1 - left,
                fresh,
                float(record["normal"]) if record["has_normal"] else None,
                float(record["float_normal"]) if record["has_float"] else None,
            )
        )
