"""Data sets, and functions over samples, that worker processes find by their names."""

import json
import os
import random
import sys
import time

import numpy as np

import lamina_tensor as lt
from lamina_nn.data import DataLoader, Dataset, IterableDataset, RandomSampler, get_worker_info


class Numbers(Dataset):
    """Thirty numbers, each with what was drawn for it."""

    def __len__(self):
        return 30

    def __getitem__(self, i):
        return i, lt.rand(1), random.random(), float(np.random.rand())


class Processes(Numbers):
    """Who read each sample."""

    tag = 0

    def __getitem__(self, i):
        info = get_worker_info()
        return i, os.getpid(), info.id, info.seed, info.dataset.tag


def tag(worker):
    """Marks a worker's own copy of the data set."""
    get_worker_info().dataset.tag = 100 + worker


class Refusing(Numbers):
    """Has no sample 7."""

    def __getitem__(self, i):
        if i == 7:
            raise LookupError("there is no seven")
        return i


def refuse(worker):
    """An init function that fails."""
    raise LookupError("no worker today")


class Killed(Numbers):
    """Its worker ends at sample 7."""

    def __getitem__(self, i):
        if i == 7:
            os.kill(os.getpid(), 9)
        return i


class Waiting(Numbers):
    """The first sample waits for a file."""

    def __init__(self, file):
        self.file = file

    def __getitem__(self, i):
        until = time.monotonic() + 60
        while i == 0 and not os.path.exists(self.file) and time.monotonic() < until:
            time.sleep(0.01)
        return i


class Recorded(Numbers):
    """Samples that the gradient tape knows of."""

    def __getitem__(self, i):
        return lt.ones(2, requires_grad=True) * i


class Kinds(Numbers):
    """A sample of many kinds of items."""

    def __getitem__(self, i):
        return {
            "half": lt.ones(3, dtype="bfloat16") * i, "empty": lt.zeros(0, 3), "array": np.arange(4) + i, "text": str(i),
            "strided": lt.arange(6).reshape(2, 3).t(), "flag": bool(i % 2), "large": lt.full((300, 300), float(i)),
        }  # fmt: skip


class Stream(IterableDataset):
    """Numbers from front to back, each worker its part, with what was drawn for them."""

    def __iter__(self):
        info = get_worker_info()
        part = range(30) if info is None else range(info.id, 30, info.num_workers)
        for i in part:
            yield i, lt.rand(1)


def loader(kind):
    """A loader to be taken up again in another process."""
    if kind == "replaced":
        lots = RandomSampler(Numbers(), True, 70, lt.devices.random_state.default_generator.clone().manual_seed(3))
        return DataLoader(Numbers(), 4, sampler=lots)
    data = Stream() if "stream" in kind else Numbers()
    workers = {"num_workers": 2, "persistent_workers": "persistent" in kind} if "workers" in kind else {}
    return DataLoader(data, 4, shuffle="stream" not in kind, **workers)


def plain(batch):
    """A batch as nested lists."""
    return [part.tolist() if isinstance(part, lt.Tensor) else part for part in batch]


if __name__ == "__main__":
    what = sys.argv[1]
    if what == "resume":  # take up an epoch, and go on with another one
        lt.manual_seed(999)
        with open(sys.argv[3]) as file:
            state = json.load(file)
        again = loader(sys.argv[2])
        again.load_state_dict(state)
        print(json.dumps([[plain(batch) for batch in again], [plain(batch) for batch in again], lt.rand(1).item()]))
    else:  # read on and on, telling who does
        if what == "loop":
            endless = DataLoader(Processes(), 1, num_workers=2, persistent_workers=True)
            while True:
                for batch in endless:
                    print(*batch[1].tolist(), flush=True)
                    time.sleep(0.01)
