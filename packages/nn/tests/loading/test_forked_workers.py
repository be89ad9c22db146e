"""Programs as people write them: no guard around the main program, local classes and lambdas, threads beside the loader."""

import copy
import multiprocessing
import os
import pickle
import subprocess
import sys
import threading

import data_sets_for_workers as sets
import pytest

import lamina_tensor as lt
from lamina_flatarray.random import Generator
from lamina_flatarray.threads import get_num_threads
from lamina_nn.data import DataLoader, Dataset, TensorDataset

linux = pytest.mark.skipif(sys.platform != "linux", reason="workers are forked by default on Linux alone, as PyTorch's")

PROGRAM = """
import lamina_tensor as lt
from lamina_nn.data import DataLoader

print("once")
class Squares:
    def __len__(self):
        return 6
    def __getitem__(self, i):
        return lt.tensor(float(i * i))

loader = DataLoader(Squares(), 3, num_workers=2, collate_fn=lambda batch: lt.stack(batch))
print([batch.tolist() for batch in loader])
"""


@linux
@pytest.mark.parametrize("way", ["file", "stdin", "exec"])
def test_a_program_without_a_guard(way, tmp_path):
    file = tmp_path / "program.py"
    file.write_text(PROGRAM)
    arguments = {"file": [str(file)], "stdin": ["-"], "exec": ["-c", f"exec({PROGRAM!r}, {{'__name__': '__main__'}})"]}[way]
    done = subprocess.run(
        [sys.executable, *arguments], input=PROGRAM if way == "stdin" else None, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "once\n[[0.0, 1.0, 4.0], [9.0, 16.0, 25.0]]\n"


@linux
def test_local_classes_and_lambdas():
    class Local(Dataset):
        def __len__(self):
            return 4

        def __getitem__(self, i):
            return i, get_num_threads(), os.getpid()

    batches = list(DataLoader(Local(), 2, num_workers=2, collate_fn=lambda batch: batch, worker_init_fn=lambda i: None))
    assert [i for batch in batches for i, _, _ in batch] == [0, 1, 2, 3]
    assert {threads for batch in batches for _, threads, _ in batch} == {1}
    assert os.getpid() not in {pid for batch in batches for _, _, pid in batch}


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_the_start_method_is_obeyed(method):
    """A worker that is not forked does not know what this process has changed since."""
    sets.Processes.tag = 7
    try:
        loader = DataLoader(sets.Processes(), 30, num_workers=1, multiprocessing_context=method)
        assert next(iter(loader))[4].tolist() == [7 if method == "fork" else 0] * 30
    finally:
        sets.Processes.tag = 0


@linux
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_workers_of_a_busy_program():
    done = threading.Event()

    def draw():
        while not done.is_set():
            (lt.randn(100_000) * 2.0).sum()  # no product of matrices: OpenBLAS does not survive a fork in the midst of one

    threads = [threading.Thread(target=draw) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(8):
            assert sum(len(batch[0]) for batch in DataLoader(sets.Numbers(), 8, num_workers=2, timeout=60)) == 30
    finally:
        done.set()
        for thread in threads:
            thread.join()


@linux
def test_a_loader_that_ends_is_not_held_up_by_workers_forked_later():
    """Each worker ends by itself, by the end of its pipe, though later workers were forked with that pipe open."""
    first = iter(DataLoader(sets.Numbers(), 5, num_workers=2))
    second = iter(DataLoader(sets.Numbers(), 5, num_workers=2))
    next(first), next(second)
    processes = list(first._processes)
    first.shut()
    assert [process.exitcode for process in processes] == [0, 0]
    assert sum(len(batch[0]) for batch in second) == 25


def test_functions_of_the_library_collate():
    data = [lt.full((2,), float(i)) for i in range(4)]
    for method in multiprocessing.get_all_start_methods():
        loader = DataLoader(data, 2, num_workers=2, collate_fn=lt.stack, multiprocessing_context=method)
        assert [batch.tolist() for batch in loader] == [[[0.0] * 2, [1.0] * 2], [[2.0] * 2, [3.0] * 2]]


@pytest.mark.parametrize("device", ["cpu", "cuda"])
@pytest.mark.parametrize("twin", [copy.copy, copy.deepcopy, lambda g: pickle.loads(pickle.dumps(g)), Generator.clone])
def test_a_generator_is_copied_with_its_state(twin, device):
    source = Generator(device).manual_seed(5)
    source.source.draws32(7)
    other = twin(source)
    assert other is not source and other.device == device and other.initial_seed() == 5
    assert other.source.draws32(5).tolist() == source.source.draws32(5).tolist()
    other.source.draws32(1)
    assert other.get_state().tobytes() != source.get_state().tobytes()  # they share nothing


def test_a_loader_with_a_generator_is_copied():
    loader = DataLoader(TensorDataset(lt.arange(20)), 20, shuffle=True, generator=Generator().manual_seed(3))
    again = copy.deepcopy(loader)
    assert [b[0].tolist() for b in again] == [b[0].tolist() for b in loader]
