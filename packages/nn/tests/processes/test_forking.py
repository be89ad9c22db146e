"""Children forked while other threads draw, compute and train find every lock free, and can do all of it themselves.

No other thread is within a product of matrices when a child is forked: OpenBLAS may then hang in its own fork handler, in the
parent or in the child, which NumPy alone shows as well and which nothing in this library can prevent.
"""

import faulthandler
import gc
import os
import signal
import sys
import threading
import time

import pytest

import lamina_nn as nn
import lamina_tensor as lt
from lamina_flatarray import fork_safety
from lamina_flatarray.random import Generator
from lamina_nn import optim

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")

FORKS = 100 if os.environ.get("LAMINA_LONG_RUNS") else 30
SECONDS = 20


def trained():
    """Draws, computes and trains; the loss after a step."""
    model = nn.Sequential(nn.Linear(20, 30), nn.Dropout(0.5), nn.ReLU(), nn.Linear(30, 1))
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    model(lt.randn(50, 20)).sum().backward()
    optimizer.step()
    return float(model(lt.randn(50, 20)).sum())


def passed():
    """Draws, and passes back, without a product of matrices."""
    w = lt.rand(50, 50, requires_grad=True)
    (w * lt.randn(50, 50)).exp().sum().backward()


def exit_code(child):
    """A child's exit code; a child that takes too long prints where it waits, and is killed if even that hangs."""
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.002)
    os.kill(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def forked(work):
    """The exit code of a child that does some work: 0 if it came to its end."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        try:
            faulthandler.dump_traceback_later(SECONDS - 5, exit=True, file=sys.__stderr__)
            work()
            os._exit(0)
        except BaseException as error:
            sys.stderr.write(f"{type(error).__name__}: {error}\n")
        finally:
            os._exit(1)
    return exit_code(child)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_children_of_a_busy_program_work():
    done, errors, shared = threading.Event(), [], Generator()

    def until_done(work):
        try:
            while not done.wait(0.0005):  # else the fork seldom gets a lock in the time that it waits
                work()
        except Exception as error:
            errors.append(error)

    works = [lambda: lt.randn(300_000), lambda: lt.rand(1000, generator=shared), passed, lambda: lt.ones(300, 300).exp().sum()]
    threads = [threading.Thread(target=until_done, args=(work,)) for work in works]
    trained(), passed(), lt.rand(10, generator=shared)  # children import nothing: Python's own locks of modules are not what is tested
    for thread in threads:
        thread.start()

    def child():
        lt.rand(10, generator=shared)
        lt.randn(100_000)
        trained()

    try:
        for i in range(FORKS):
            assert forked(child) == 0, f"child {i}; what it printed tells where it was"
    finally:
        done.set()
        for thread in threads:
            thread.join()
    assert not errors


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_lock_that_nobody_lets_go_of_is_free_in_the_child(monkeypatch):
    monkeypatch.setattr(fork_safety, "_PATIENCE", 0.05)
    generator, held, done = Generator(), threading.Event(), threading.Event()

    def hold():
        with generator.lock:
            held.set()
            done.wait()

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait()
    try:
        assert forked(lambda: lt.rand(3, generator=generator)) == 0
    finally:
        done.set()
        thread.join()
    assert lt.rand(3, generator=generator).shape == (3,)


def test_who_forks_with_a_lock_has_it_afterwards_in_both():
    generator = Generator()

    def child():
        generator.lock.release()  # raises where it is not held
        lt.rand(3, generator=generator)

    with generator.lock:
        assert forked(child) == 0


def test_every_lock_of_the_library_is_known():
    """What is in none of the modules' lists would be found held by a child."""
    lt.rand(1), trained()
    gc.collect()
    known = {id(lock) for lock in fork_safety._locks()} | {id(fork_safety._forking)}
    kinds = (type(threading.Lock()), type(threading.RLock()))
    modules = {name: vars(module) for name, module in list(sys.modules.items()) if name.split(".")[0].startswith("lamina_")}
    unknown = [
        f"{name}.{key}" for name, values in modules.items() if "testkit" not in name
        for key, value in list(values.items()) if isinstance(value, kinds) and id(value) not in known
    ]  # fmt: skip
    assert len(known) > 6
    assert not unknown
