"""Processes that run one function each, tensors on the way between processes, and joblib's workers."""

import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import lamina_nn as nn
import lamina_tensor as lt
from lamina_nn.spawning import ProcessExitedException, ProcessRaisedException, spawn, start_processes
from lamina_tensor.devices.shared_memory import init_reductions, set_sharing_strategy

sys.path.insert(0, str(Path(__file__).parents[1]))
import functions_for_processes as functions

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory without a name, and forking beside threads, are Linux's")
METHODS = multiprocessing.get_all_start_methods()


def _used():
    """Random numbers, gradients and threads of kernels have been used in this process."""
    x = lt.rand(300, 300, requires_grad=True)
    (x @ x).exp().mean().backward()
    return x


@pytest.mark.parametrize("method", METHODS)
def test_functions_run_once_each_on_memory_that_is_shared(method):
    _used()
    init_reductions()
    x, queue = lt.zeros(4).share_memory_(), multiprocessing.get_context(method).Queue()
    assert start_processes(functions.add_one, (x, queue), nprocs=2, start_method=method) is None
    assert x.tolist() == [1, 1, 0, 0]
    assert {i: y.tolist() for i, y in (queue.get(), queue.get())} == {0: [0, 0, 0], 1: [0, 1, 2]}


def test_processes_train_one_model():
    model = nn.Linear(3, 2).share_memory()
    before = (model(lt.ones(4, 3)) - 1).square().mean().item()
    start_processes(functions.train, (model,), nprocs=2, start_method="fork")
    assert (model(lt.ones(4, 3)) - 1).square().mean().item() < 0.7 * before


def _gone(folder):
    """Whether the processes that left their numbers in a folder have ended, or do so within a while."""
    end = time.monotonic() + 60
    while any(Path(f"/proc/{pid.name}/stat").exists() and " Z " not in Path(f"/proc/{pid.name}/stat").read_text()
              for pid in folder.iterdir()):  # fmt: skip
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


@pytest.mark.parametrize(("how", "kind", "words"), [
    ("raise", ProcessRaisedException, r"(?s)Process 1 terminated with the following error:.*ValueError: out of luck"),
    ("exit", ProcessExitedException, "process 1 terminated with exit code 3"),
    ("kill", ProcessExitedException, "process 1 terminated with signal SIGKILL"),
])  # fmt: skip
def test_one_failure_ends_all(tmp_path, how, kind, words):
    with pytest.raises(kind, match=words) as caught:
        start_processes(functions.fail, (how, tmp_path), nprocs=3, start_method="fork")
    assert caught.value.error_index == 1
    assert caught.value.pid in {int(path.name) for path in tmp_path.iterdir()}
    assert _gone(tmp_path) and not multiprocessing.active_children()
    copied = pickle.loads(pickle.dumps(caught.value))
    assert type(copied) is kind and vars(copied) == vars(caught.value)


def test_waiting_for_a_while(tmp_path):
    context = start_processes(functions.stay, (tmp_path,), nprocs=2, join=False, start_method="fork")
    assert not context.join(timeout=0.2)
    assert len(context.pids()) == 2
    context.stop()
    assert _gone(tmp_path)
    assert context.join()


def test_what_cannot_be_sent_leaves_nothing_behind():
    with pytest.raises((pickle.PicklingError, AttributeError), match="lambda"):
        spawn(lambda i: None, nprocs=2)
    assert not multiprocessing.active_children()
    with pytest.warns(FutureWarning, match="spawn: start_method='fork' is not used"):
        spawn(print, nprocs=0, start_method="fork")


PARENT = """
import signal
import sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell ignores for what runs in its background
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import functions_for_processes as functions
from lamina_nn.spawning import start_processes
start_processes(functions.stay, (Path(sys.argv[2]),), nprocs=2, start_method="fork")
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_no_process_outlives_its_parent(tmp_path, number):
    parent = subprocess.Popen([sys.executable, "-c", PARENT, str(Path(__file__).parents[1]), str(tmp_path)], stderr=subprocess.PIPE)
    while len(list(tmp_path.iterdir())) < 2:
        assert parent.poll() is None
        time.sleep(0.02)
    parent.send_signal(number)
    parent.communicate(timeout=60)
    assert _gone(tmp_path)


def test_tensors_with_a_graph_are_not_sent():
    init_reductions()
    x = lt.ones(3, requires_grad=True)
    sent = multiprocessing.reduction.ForkingPickler.dumps
    assert pickle.loads(sent(x)).requires_grad
    with pytest.raises(RuntimeError, match=r"no leaf cannot be sent to another process.*send x.detach\(\)"):
        sent(x * 2)
    assert pickle.loads(sent((x * 2).detach())).tolist() == [2, 2, 2]


def test_one_way_to_share():
    with pytest.warns(UserWarning, match="'file_system' changes nothing"):
        set_sharing_strategy("file_system")
    with pytest.raises(ValueError, match="'pigeon' given"):
        set_sharing_strategy("pigeon")


@pytest.mark.parametrize("backend", ["loky", "multiprocessing", "threading"])
def test_joblib(backend):
    joblib = pytest.importorskip("joblib", reason="joblib is not installed")
    _used()
    model, xs = nn.Linear(3, 2), [lt.rand(4, 3) for _ in range(3)]
    with joblib.Parallel(n_jobs=2, backend=backend) as parallel:
        scaled = parallel(joblib.delayed(functions.times)(i, x) for i, x in enumerate(xs))
        of_torch = parallel(joblib.delayed(lt.stack)([x, x]) for x in xs)
        outputs = parallel(joblib.delayed(model)(x) for x in xs)
        gradients = parallel(joblib.delayed(functions.trained)(nn.Linear(3, 2) if backend == "threading" else model, x) for x in xs)
    for i, x in enumerate(xs):
        assert scaled[i].tolist() == (i * x).tolist()
        assert of_torch[i].tolist() == lt.stack([x, x]).tolist()
        np.testing.assert_allclose(outputs[i].detach().numpy(), model(x).detach().numpy(), rtol=1e-6)
        assert gradients[i].shape == (2, 3) and gradients[i].abs().sum() > 0
    if backend == "loky":  # whose processes wait for more work
        joblib.externals.loky.get_reusable_executor().shutdown()
    assert not multiprocessing.active_children()


def test_threads_send_while_others_compute():
    """A queue's feeder threads pickle while kernels run and a process is forked."""
    queue = multiprocessing.get_context("fork").Queue()
    threads = [threading.Thread(target=lambda: [queue.put(lt.rand(50, 50).sum()) for _ in range(20)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    child = multiprocessing.get_context("fork").Process(target=_used)
    child.start()
    sums = [queue.get(timeout=60).item() for _ in range(80)]
    for thread in threads:
        thread.join()
    child.join(60)
    assert child.exitcode == 0 and all(0 < total < 2500 for total in sums)
    assert os.getpid() != child.pid
