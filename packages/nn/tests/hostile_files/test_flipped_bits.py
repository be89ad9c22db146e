"""One flipped bit of a valid file gives a value, or an error that names the file: the same value where there is a checksum.

The long run, 10,000 flips of each kind: `LAMINA_FLIPS=10000 pytest packages/nn/tests/hostile_files/test_flipped_bits.py -s`, which
says how many of them were refused.
"""

import os
import random
import sys
import tracemalloc

import pytest
from hostile_files.valid_files import KINDS

from lamina_flatarray import CheckpointError

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning:PIL")  # of what it passes over

MEMORY = 2_000_000
MEMORY_UNPACKED = 4 * (64 << 20)  # pixels in the file's kind, in the one that is asked for, and as an array
FLIPS = int(os.environ.get("LAMINA_FLIPS", "60"))


def shown(value):
    """A text that tells values apart; containers name theirs in order."""
    if isinstance(value, dict):
        return {key: shown(item) for key, item in value.items()}
    return value.tobytes() if hasattr(value, "tobytes") else repr(value)


@pytest.mark.parametrize("name", KINDS)
def test_flipped_bits(tmp_path, name):
    kind, chance = KINDS[name], random.Random(name)
    path = tmp_path / f"flipped{kind.ending}"
    path.write_bytes(kind.content)
    whole = shown(kind.read(path))
    refused = 0
    tracemalloc.start()
    for bit in [chance.randrange(8 * len(kind.content)) for _ in range(FLIPS)]:
        damaged = bytearray(kind.content)
        damaged[bit // 8] ^= 1 << bit % 8
        path.write_bytes(damaged)
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        try:
            value = kind.read(path)
        except CheckpointError as error:
            assert "flipped" in str(error), bit
            refused += 1
        else:
            assert not kind.summed or shown(value) == whole, bit
        assert tracemalloc.get_traced_memory()[1] - before < (MEMORY_UNPACKED if kind.unpacks else MEMORY), bit
    tracemalloc.stop()
    print(f"\n{name}: {refused} of {FLIPS} flips refused", file=sys.stderr)
