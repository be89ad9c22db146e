"""PyTorch's `torch.utils.data.sampler`."""

from lamina_nn.data import (
    BatchSampler,
    RandomSampler,
    Sampler,
    SequentialSampler,
    SubsetRandomSampler,
    WeightedRandomSampler,
)
