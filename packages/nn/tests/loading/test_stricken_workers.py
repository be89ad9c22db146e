"""Workers that are killed, stopped, out of memory, or interrupted with their program: a clear error, nothing left, and it goes on.

The short form runs always. `LAMINA_LONG_RUNS=1` strikes 100 times each.
"""

import gc
import multiprocessing
import os
import random
import resource
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import data_sets_for_workers as sets
import pytest

import lamina_tensor as lt
from lamina_nn.data import DataLoader
from lamina_nn.data import with_workers as passes

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are counted, stopped and limited as Linux does it")

STRIKES = 100 if os.environ.get("LAMINA_LONG_RUNS") else 5


def open_files():
    """What this process has open, by kind: a pipe of a worker that stayed would be among it."""
    names = (f"/proc/self/fd/{name}" for name in os.listdir("/proc/self/fd"))
    return sorted(os.readlink(name).partition(":")[0] for name in names if os.path.exists(name))


@pytest.fixture(autouse=True)
def _nothing_left():
    gc.collect()
    before = open_files()
    yield
    gc.collect()
    assert not multiprocessing.active_children()
    assert open_files() == before


def texts_of(batches, victim):
    """The texts of a pass, and whether it told of the victim's end; what came is whole and in order."""
    seen, told = [], False
    try:
        for batch in batches:
            seen += batch["text"]
    except RuntimeError as error:
        assert f"(pid(s) {victim}) exited unexpectedly by signal 9" in str(error)
        told = True
    assert seen == [str(k) for k in range(len(seen))]
    return seen, told


def test_killed_at_random_moments():
    """A pass may be at its end before the worker dies: one that stays for the next epoch is missed there."""
    chance = random.Random(1)
    for i in range(STRIKES):
        stays = bool(i % 2)
        loader = DataLoader(sets.Kinds(), 3, num_workers=2, persistent_workers=stays)
        batches = iter(loader)
        victim = batches._processes[chance.randrange(2)]
        pid = victim.pid
        killer = threading.Timer(chance.random() * 0.05, victim.kill)
        killer.start()
        _, told = texts_of(batches, pid)
        killer.cancel()
        killer.join()
        if stays and not told:
            victim.kill()
            victim.join()
            _, told = texts_of(loader, pid)
        assert told or not stays
        assert texts_of(loader, None) == ([str(k) for k in range(30)], False)  # and another pass is whole
        loader = batches = None


def test_a_stopped_worker_is_named_and_ended(monkeypatch):
    monkeypatch.setattr(passes, "_PATIENCE", 0.2)
    batches = iter(DataLoader(sets.Numbers(), 3, num_workers=2, timeout=60))
    next(batches)
    batches._timeout = 0.5
    os.kill(batches._processes[1].pid, signal.SIGSTOP)
    with pytest.raises(RuntimeError, match=rf"timed out after 0\.5 seconds, waiting for worker 1 \(pid {batches._processes[1].pid}\)"):
        list(batches)


class Hungry(sets.Numbers):
    """Samples that grow, in a process that may not have more memory than it has and a bit."""

    def __init__(self, room):
        self.room = room

    def __getitem__(self, i):
        if i == 0:
            pages = int(Path("/proc/self/statm").read_text().split()[0])
            limit = pages * resource.getpagesize() + self.room
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        return lt.ones(1 << 18, i + 1)


def test_out_of_memory_at_random_moments():
    """While it reads, collates, packs or sends: an error in the first batch that was too much, never a wait without end."""
    chance = random.Random(2)
    for _ in range(STRIKES):
        batches = iter(DataLoader(Hungry(chance.randrange(4 << 20, 60 << 20)), 2, num_workers=1, timeout=100))
        with pytest.raises((MemoryError, RuntimeError, OSError)) as caught:
            list(batches)
        assert "in DataLoader worker process 0" in str(caught.value) or "exited unexpectedly with exit code 1" in str(caught.value)
        batches = None


def test_a_dead_worker_is_seen_though_its_pipe_is_held_open(monkeypatch):
    """As when another thread forks between the making of a pipe and the worker's own fork."""
    monkeypatch.setattr(passes, "_LOOK", 0.2)
    kept, pipes = [], multiprocessing.get_context("fork").Pipe

    class Context(type(multiprocessing.get_context("fork"))):
        def Pipe(self, duplex=True):
            ends = pipes(duplex)
            kept.append(os.dup(ends[1].fileno()))
            return ends

    batches = iter(DataLoader(sets.Killed(), 5, num_workers=2, multiprocessing_context=Context()))
    with pytest.raises(RuntimeError, match="exited unexpectedly by signal 9"):
        list(batches)
    for end in kept:
        os.close(end)


def test_an_interrupt_while_a_batch_comes_ends_the_pass(monkeypatch):
    """And one while the loader only waits does not."""
    batches, seen = iter(DataLoader(sets.Numbers(), 3, num_workers=1)), []

    def interrupted(*_):
        raise KeyboardInterrupt

    def take():
        while True:
            seen.extend(next(batches)[0].tolist())

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(passes, "wait", interrupted)
        take()
    seen.extend(next(batches)[0].tolist())
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(passes, "receive", interrupted)
        take()
    assert seen == list(range(len(seen))) and seen
    with pytest.raises(RuntimeError, match="KeyboardInterrupt came while it took in a batch; begin another"):
        next(batches)


INTERRUPTED = """
import gc, multiprocessing, os, signal, sys, threading, time
import lamina_nn as nn
import lamina_tensor as lt
from lamina_flatarray import fork_safety
from lamina_flatarray.twins import compiled
from lamina_nn import optim
from lamina_nn.data import DataLoader, TensorDataset
from lamina_nn.files import load, save

folder, arrived = sys.argv[1], []
path = os.path.join(folder, "file")
model = nn.Sequential(nn.Linear(3, 50), nn.Dropout(0.5), nn.Tanh(), nn.Linear(50, 1))
optimizer = optim.Adam(model.parameters())
data = TensorDataset(lt.randn(20, 3), lt.arange(20))
shared = lt.ones(3, requires_grad=True)

def interrupt(*_):
    arrived.append(1)
    raise KeyboardInterrupt

def work():
    for x, _ in DataLoader([*data], 4, shuffle=True, num_workers=2):
        optimizer.zero_grad()
        model(x).sum().backward()
        with lt.no_grad():
            (shared * lt.randn(3)).sum()
        optimizer.step()
        save({"model": model.state_dict()}, path)

def elsewhere():
    lt.randn(3)
    child = os.fork()
    if child == 0:
        try:
            lt.randn(3)
        finally:
            os._exit(0)
    os.waitpid(child, 0)

def living():
    # Where an interrupt comes as it reaps one, Python forgets that it has.
    return [child for child in multiprocessing.active_children() if os.path.exists(f"/proc/{child.pid}")]

def whole():
    gc.collect()
    until = time.monotonic() + 60
    while living() and time.monotonic() < until:
        time.sleep(0.01)  # those whose pass was interrupted end by themselves
    gc.collect()
    assert lt.is_grad_enabled() or compiled is None  # an interrupt may come before the first line of an __exit__ in Python
    lt.set_grad_enabled(True)
    shared.grad = None
    (shared * 2.0).sum().backward()
    assert shared.grad.tolist() == [2.0] * 3
    thread = threading.Thread(target=elsewhere, daemon=True)
    thread.start()
    thread.join(20)
    assert not thread.is_alive(), "a lock is held"
    assert load(path).keys() == {"model"}
    assert not living()
    assert fork_safety._forker is None and not fork_safety._held
    assert sorted(batch[1].tolist()[0] for batch in DataLoader(data, 1, num_workers=1)) == list(range(20))
    save({"model": model.state_dict()}, path)
    assert os.listdir(folder) == ["file"]  # what interrupted saves left is swept
    return len(os.listdir("/proc/self/fd"))

work(), whole()
files, unraisable = whole(), []
sys.unraisablehook = lambda told: unraisable.append(told.exc_type)
signal.signal(signal.SIGINT, interrupt)
while True:
    arrived.clear(), unraisable.clear()
    try:
        print("at work", flush=True)
        while not arrived:
            work()
    except KeyboardInterrupt:
        pass
    left, files = files, whole()
    # Where it comes in a finalizer of Python's, as that which closes a process's two pipes, Python cannot raise it, and they stay open.
    assert left <= files <= left + 2 * unraisable.count(KeyboardInterrupt)
"""


def test_interrupted_at_random_moments(tmp_path):
    """SIGINT to the program and its workers, as a terminal sends it, while it loads, trains, draws and saves."""
    chance = random.Random(3)
    program = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", INTERRUPTED, str(tmp_path)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    try:
        for i in range(STRIKES + 1):
            line = program.stdout.readline()
            assert line == "at work\n", f"after {i} interrupts: {program.communicate(timeout=60)[1]}"
            if i < STRIKES:
                time.sleep(chance.random() * 0.1)
                os.killpg(program.pid, signal.SIGINT)
    finally:
        if program.poll() is None:
            os.killpg(program.pid, signal.SIGKILL)
        program.communicate()
