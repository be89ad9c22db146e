"""The names of `torch.utils.data`, by the paths that programs import them from."""

import lamina.utils.data as data
from lamina.utils.data.dataloader import DataLoader, default_collate
from lamina.utils.data.dataset import Dataset, random_split
from lamina.utils.data.distributed import DistributedSampler
from lamina.utils.data.sampler import BatchSampler, Sampler


def test_one_class_by_every_path():
    assert data.DataLoader is DataLoader and data.Dataset is Dataset and data.Sampler is Sampler
    assert data.DistributedSampler is DistributedSampler and data.BatchSampler is BatchSampler
    assert data.default_collate is default_collate and data.random_split is random_split


def test_generic_classes_take_types():
    class Words(data.Dataset[str]):
        def __len__(self):
            return 2

    assert len(Words() + Words()) == 4
    assert data.DataLoader[str] and data.IterableDataset[int] and data.Sampler[list[int]]
