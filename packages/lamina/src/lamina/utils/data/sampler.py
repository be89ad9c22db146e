"""PyTorch's module path `torch.utils.data.sampler`, kept for programs that import it."""

from lamina_nn.data import (
    BatchSampler,
    RandomSampler,
    Sampler,
    SequentialSampler,
    SubsetRandomSampler,
    WeightedRandomSampler,
)

from ...absent_names import explained as _explained

_explained(globals())
