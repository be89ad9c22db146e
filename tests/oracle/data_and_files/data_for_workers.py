"""Data sets for both libraries that worker processes can make again by their names."""

import random

import numpy as np
import torch
import torch.utils.data as theirs

import lamina
import lamina.utils.data as ours


class _Drawn:
    """Samples that hold what was drawn for them in the worker."""

    def __len__(self):
        return 13

    def __getitem__(self, i):
        return i, self.lib.rand(2), random.random(), float(np.random.rand()), self.info().seed


class OurDrawn(_Drawn):
    lib, info = lamina, staticmethod(ours.get_worker_info)


class TheirDrawn(_Drawn):
    lib, info = torch, staticmethod(theirs.get_worker_info)


def _part(stream, info):
    return iter(range(stream.n) if info is None else range(info.id, stream.n, info.num_workers))


class OurStream(ours.IterableDataset):
    """0 ... n - 1, of which each worker reads its own part."""

    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return _part(self, ours.get_worker_info())

    def __len__(self):
        return self.n


class TheirStream(theirs.IterableDataset):
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return _part(self, theirs.get_worker_info())

    def __len__(self):
        return self.n
