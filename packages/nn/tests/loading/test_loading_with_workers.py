"""Worker processes: what they are told, what becomes of their errors, and that nothing of them stays behind."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import data_sets_for_workers as sets
import pytest

import lamina_tensor as lt
from lamina_flatarray import AutogradError
from lamina_nn.data import DataLoader, TensorDataset

SCRIPT = str(Path(sets.__file__))


def gone(pid):
    """Whether a process is no more, or only waits to be reaped by somebody else."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def wait_until(true, seconds=20):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if true():
            return True
        time.sleep(0.05)
    return False


def taken(batches):
    """The next batch, or the error that comes instead."""
    try:
        return next(batches)
    except RuntimeError as error:
        return error


def test_persistent_workers_know_themselves_and_stay():
    lt.manual_seed(0)
    loader = DataLoader(sets.Processes(), 5, num_workers=2, persistent_workers=True, worker_init_fn=sets.tag)
    first, second = ([[part.tolist() for part in batch] for batch in loader] for _ in range(2))
    assert first == second
    assert [i for batch in first for i in batch[0]] == list(range(30))
    assert [set(batch[2]) for batch in first] == [{0}, {1}] * 3
    assert [set(batch[4]) for batch in first] == [{100}, {101}] * 3
    seeds = [batch[3][0] for batch in first[:2]]
    assert seeds[1] == seeds[0] + 1
    processes = {pid for batch in first for pid in batch[1]}
    assert len(processes) == 2 and os.getpid() not in processes
    next(iter(loader))  # and is left in the middle
    del loader
    assert wait_until(lambda: all(map(gone, processes)))


def test_an_error_has_its_type_and_traceback_and_does_not_end_the_epoch():
    batches = iter(DataLoader(sets.Refusing(), 5, num_workers=2))
    assert next(batches).tolist() == [0, 1, 2, 3, 4]
    with pytest.raises(LookupError, match=r"Caught LookupError in DataLoader worker process 1\.\n(?s:.*)there is no seven") as caught:
        next(batches)
    assert "data_sets_for_workers.py" in str(caught.value)
    assert [b[0].item() for b in batches] == [10, 15, 20, 25]


def test_a_failing_init_function_is_told():
    with pytest.raises(LookupError, match="no worker today"):
        next(iter(DataLoader(sets.Numbers(), num_workers=1, worker_init_fn=sets.refuse)))


def test_a_killed_worker_is_reported():
    batches = iter(DataLoader(sets.Killed(), 5, num_workers=2))
    with pytest.raises(RuntimeError, match=r"DataLoader worker \(pid\(s\) \d+\) exited unexpectedly by signal 9"):
        list(batches)
    with pytest.raises(RuntimeError, match="exited unexpectedly"):
        next(batches)  # does not wait either


def test_timeout(tmp_path):
    file = tmp_path / "go"
    batches = iter(DataLoader(sets.Waiting(file), 5, num_workers=1, timeout=0.5))
    with pytest.raises(RuntimeError, match=r"timed out after 0\.5 seconds"):
        next(batches)
    file.touch()
    assert wait_until(lambda: not isinstance(taken(batches), RuntimeError))  # it comes all the same


def test_batches_come_as_they_arrive(tmp_path):
    """The first one waits until another has come."""
    file, arrived = tmp_path / "go", []
    for batch in DataLoader(sets.Waiting(file), 5, num_workers=2, in_order=False):
        arrived.append(batch[0].item())
        file.touch()
    assert sorted(arrived) == [0, 5, 10, 15, 20, 25]
    assert arrived[0] != 0


def test_what_a_worker_cannot_be_sent_is_refused_with_the_way_out():
    with pytest.raises(Exception, match="lambda") as caught:
        iter(DataLoader(sets.Numbers(), num_workers=1, collate_fn=lambda batch: batch, multiprocessing_context="forkserver"))
    assert "multiprocessing_context='fork'" in caught.value.__notes__[0]


def test_all_kinds_of_batches_come_through():
    expected = list(DataLoader(sets.Kinds(), 15))
    for got, batch in zip(DataLoader(sets.Kinds(), 15, num_workers=1), expected, strict=True):
        assert list(got) == list(batch)
        for name, part in batch.items():
            if name == "text":
                assert got[name] == part
            else:
                assert got[name].dtype is part.dtype and got[name].shape == part.shape and lt.equal(got[name], part)
                got[name][:] = 0  # memory of its own, that can be written
    with pytest.raises(AutogradError, match="detach"):
        next(iter(DataLoader(sets.Recorded(), num_workers=1)))


def test_tensors_are_gathered_in_workers_too():
    data = TensorDataset(lt.arange(24.0).reshape(12, 2), lt.arange(12))
    lt.manual_seed(4)
    expected = [sets.plain(b) for b in DataLoader(data, 5, shuffle=True)]
    lt.manual_seed(4)
    assert [sets.plain(b) for b in DataLoader(data, 5, shuffle=True, num_workers=1)] == expected


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_nothing_stays_behind_when_the_program_is_stopped(number):
    shared = Path("/dev/shm")
    before = set(os.listdir(shared)) if shared.is_dir() else set()
    program = subprocess.Popen(
        [sys.executable, SCRIPT, "loop"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True
    )
    workers = {int(program.stdout.readline()) for _ in range(4)}
    assert len(workers) == 2 and not any(map(gone, workers))
    if number == signal.SIGINT:
        os.killpg(program.pid, number)  # as a terminal does
    else:
        program.kill()
    program.stdout.close()
    assert program.wait(30) != 0
    assert wait_until(lambda: all(map(gone, workers)))
    if shared.is_dir():  # what other tests have open at this moment goes
        assert wait_until(lambda: not any(x.startswith(("sem.mp-", "psm_", "lamina")) for x in {*os.listdir(shared)} - before))


@pytest.mark.parametrize("kind", ["shuffled", "replaced", "stream", "workers", "persistent workers", "stream workers"])
def test_an_epoch_is_taken_up_in_another_process(kind, tmp_path):
    lt.manual_seed(3)
    whole = sets.loader(kind)
    if "persistent" in kind:
        list(whole)  # its second epoch draws no seed
    batches = iter(whole)
    for _ in range(3):
        next(batches)
    state = tmp_path / "state.json"
    state.write_text(json.dumps(whole.state_dict()))
    expected = [[sets.plain(b) for b in batches], [sets.plain(b) for b in whole], lt.rand(1).item()]
    done = subprocess.run(
        [sys.executable, SCRIPT, "resume", kind, str(state)], capture_output=True, text=True, check=True, timeout=120
    )
    assert json.loads(done.stdout) == expected
