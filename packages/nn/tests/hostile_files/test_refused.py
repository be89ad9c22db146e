"""Every hostile file gives a CheckpointError that names the file and the place, in time and memory linear in its size.

Time is counted in calls, of Python's functions and of C's; memory in bytes.
"""

import sys
import tracemalloc
from contextlib import contextmanager, suppress

import pytest
from hostile_files.catalogue import BOMBS, REFUSED, content
from hostile_files.valid_files import KINDS

from lamina_flatarray import CheckpointError

CALLS_AT_MOST = 30_000, 40  # of any file, and for each byte
MEMORY_AT_MOST = 4_000_000, 128
UNPACKED_AT_MOST = 64 << 20  # without the caller's word


@pytest.fixture(scope="module", autouse=True)
def _everything_is_imported(tmp_path_factory):
    for kind in KINDS.values():
        path = tmp_path_factory.mktemp("valid") / f"file{kind.ending}"
        path.write_bytes(kind.content)
        kind.read(path)


@contextmanager
def linear_in(size, more=0):
    """Bounds for what is called and allocated within."""
    calls = 0

    def count(*_):
        nonlocal calls
        calls += 1

    tracemalloc.start()
    sys.setprofile(count)
    try:
        yield
    finally:
        sys.setprofile(None)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert calls < CALLS_AT_MOST[0] + CALLS_AT_MOST[1] * size
    assert peak < MEMORY_AT_MOST[0] + MEMORY_AT_MOST[1] * size + more


@pytest.mark.parametrize("kind, name", REFUSED)
def test_refused(tmp_path, kind, name):
    file, says = REFUSED[kind, name]
    file = content(file)
    path = tmp_path / f"hostile{KINDS[kind].ending}"
    path.write_bytes(file)
    with linear_in(len(file), UNPACKED_AT_MOST * KINDS[kind].unpacks), pytest.raises(CheckpointError, match=says) as caught:
        KINDS[kind].read(path)
    text = str(caught.value)
    assert "hostile" in text or "one.safetensors" in text
    assert len(text) < 2000


@pytest.mark.parametrize("kind, name", BOMBS)
def test_bombs(tmp_path, kind, name):
    path = tmp_path / f"bomb{KINDS[kind].ending}"
    path.write_bytes(BOMBS[kind, name])
    with linear_in(len(BOMBS[kind, name])), suppress(CheckpointError):
        KINDS[kind].read(path)


def test_there_are_enough_kinds():
    assert len(REFUSED) + len(BOMBS) > 100
