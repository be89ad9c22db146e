"""Writers killed (SIGKILL), or interrupted (SIGINT), at random moments of saving: the last good file loads, and the next save sweeps
what is left.

The long run, 200 kills of each kind of file: `LAMINA_KILLS=200 pytest packages/nn/tests/saving/test_killed_writers.py -s`, which
says how many of them came in the midst of a save.
"""

import os
import random
import signal
import sys
import time

import pytest
from saving.kinds_of_files import KINDS

import lamina_tensor as lt

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")

KILLS = int(os.environ.get("LAMINA_KILLS", "5"))
ITEMS = 100_000


def write_on(kind, path, number, pipe):
    """Save the next number, again and again, and say each that is on disk."""
    while True:
        number += 1
        kind.save(path, lt.full((ITEMS,), float(number)))
        os.write(pipe, b"%d\n" % number)


def forked(function, *arguments):
    """A child that does this for ever; its id."""
    child = os.fork()
    if child:
        return child
    try:
        function(*arguments)
    finally:
        os._exit(1)


def killed(kind, path, number, wait):
    """What a writer had said when it was killed, some time after its first save."""
    read, write = os.pipe()
    child = forked(write_on, kind, path, number, write)
    os.close(write)
    with open(read, "rb") as said:
        first = said.readline()
        time.sleep(wait)
        os.kill(child, signal.SIGKILL)
        code = os.waitpid(child, 0)[1]
        lines = [first, *said]
    assert os.WIFSIGNALED(code) and os.WTERMSIG(code) == signal.SIGKILL
    return int(lines[-1])


@pytest.mark.parametrize("name", KINDS)
def test_a_killed_writer_leaves_a_whole_file(tmp_path, name):
    """The file has what was written last, or what was being written."""
    kind, chance = KINDS[name], random.Random(name)
    path = kind.path(tmp_path)
    kind.save(path, lt.zeros(ITEMS))
    begin = time.perf_counter()
    kind.save(path, lt.zeros(ITEMS))
    duration = time.perf_counter() - begin
    last, midway = 0, 0
    for _ in range(KILLS):
        said = killed(kind, path, last, chance.random() * 3 * duration)
        last = int(kind.load(path)[0].item())
        assert last in (said, said + 1)
        assert kind.load(path).tolist() == [float(last)] * ITEMS
        left = sorted(os.listdir(tmp_path))
        assert len(left) <= 2 and os.path.basename(path) in left
        midway += len(left) - 1
    kind.save(path, lt.zeros(ITEMS))
    assert os.listdir(tmp_path) == [os.path.basename(path)]
    print(f"\n{name}: {KILLS} kills, {midway} of them in the midst of a save", file=sys.stderr)


def test_writers_of_several_processes_at_once(tmp_path):
    """Of one file and one kind, killed in turn: what is there is whole, and nobody sweeps what a living one writes."""
    kind, chance = KINDS["safetensors"], random.Random(0)
    path = kind.path(tmp_path)
    kind.save(path, lt.zeros(ITEMS))
    for _ in range(KILLS):
        pipes = [os.pipe() for _ in range(3)]
        writers = [forked(write_on, kind, path, 1000 * i, write) for i, (_, write) in enumerate(pipes)]
        for _, write in pipes:
            os.close(write)
        opened = [open(read, "rb") for read, _ in pipes]  # noqa: SIM115
        for _ in range(2):
            for said in opened:
                assert said.readline()  # it would be empty if a save had failed
        for child, said in zip(writers, opened, strict=True):
            time.sleep(chance.random() * 0.005)
            os.kill(child, signal.SIGKILL)
            assert os.WIFSIGNALED(os.waitpid(child, 0)[1])
            said.close()
            items = kind.load(path)
            assert items.tolist() == [items[0].item()] * ITEMS
    kind.save(path, lt.zeros(ITEMS))
    assert os.listdir(tmp_path) == ["file"]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # a folder's listing that an interrupt leaves open
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the system has no timers for signals")
@pytest.mark.parametrize("name", KINDS)
def test_an_interrupt_leaves_a_whole_file_and_no_other(tmp_path, name):
    kind = KINDS[name]
    path = kind.path(tmp_path)
    kind.save(path, lt.full((ITEMS,), -1.0))
    begin = time.perf_counter()
    kind.save(path, lt.full((ITEMS,), 0.0))
    lasts = time.perf_counter() - begin
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    draw = random.Random(name)
    number, caught = 0, 0
    try:
        for _ in range(4 * KILLS):
            try:
                # Python drops an interrupt that comes while an object is finalized: then there is another one.
                signal.setitimer(signal.ITIMER_REAL, draw.uniform(1e-4, 1.5 * lasts + 1e-4), 5 + 10 * lasts)
                while True:
                    kind.save(path, lt.full((ITEMS,), float(number + 1)))
                    number += 1
            except KeyboardInterrupt:
                signal.setitimer(signal.ITIMER_REAL, 0)
                caught += 1
            value = kind.load(path).tolist()
            assert set(value) in ({float(number)}, {float(number + 1)}) and len(value) == ITEMS
            number = int(value[0])
            assert os.listdir(tmp_path) == [os.path.basename(path)]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert caught == 4 * KILLS
