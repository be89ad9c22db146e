"""PyTorch's module path `torch.utils.data.dataloader`, kept for programs that import it."""

from typing import TYPE_CHECKING

from lamina_nn.data import (
    BatchSampler,
    DataLoader,
    Dataset,
    IterableDataset,
    RandomSampler,
    Sampler,
    SequentialSampler,
    default_collate,
    default_convert,
    get_worker_info,
)  # fmt: skip

from ...absent_names import explained

__all__ = [
    "BatchSampler", "DataLoader", "Dataset", "IterableDataset", "RandomSampler", "Sampler", "SequentialSampler",
    "default_collate", "default_convert", "get_worker_info",
]  # fmt: skip


class _BaseDataLoaderIter:
    """PyTorch's class of what a DataLoader is iterated by, for `isinstance`: here it is a generator, so nothing is one."""


class _SingleProcessDataLoaderIter(_BaseDataLoaderIter):
    """As `_BaseDataLoaderIter`, without workers."""


class _MultiProcessingDataLoaderIter(_BaseDataLoaderIter):
    """As `_BaseDataLoaderIter`, with workers."""


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
