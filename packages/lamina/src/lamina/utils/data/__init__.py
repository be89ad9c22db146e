"""PyTorch's module path `torch.utils.data`, kept for programs that import it; lamina's `readers` and `transforms` beside it."""

from typing import TYPE_CHECKING

from lamina_nn.data import (
    BatchSampler,
    ChainDataset,
    ConcatDataset,
    DataLoader,
    Dataset,
    DistributedSampler,
    IterableDataset,
    RandomSampler,
    Sampler,
    SequentialSampler,
    StackDataset,
    Subset,
    SubsetRandomSampler,
    TensorDataset,
    WeightedRandomSampler,
    default_collate,
    default_convert,
    get_worker_info,
    random_split,
)  # fmt: skip

from ...absent_names import explained

__all__ = [
    "BatchSampler", "ChainDataset", "ConcatDataset", "DataLoader", "Dataset", "DistributedSampler", "IterableDataset",
    "RandomSampler", "Sampler", "SequentialSampler", "StackDataset", "Subset", "SubsetRandomSampler", "TensorDataset",
    "WeightedRandomSampler", "dataloader", "dataset", "default_collate", "default_convert", "distributed",
    "get_worker_info", "random_split", "readers", "sampler", "transforms",
]  # fmt: skip

if TYPE_CHECKING:
    from . import dataloader, dataset, distributed, readers, sampler, transforms
else:
    __getattr__, __dir__ = explained(__name__, __all__)
