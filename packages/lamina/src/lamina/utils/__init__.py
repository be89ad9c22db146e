"""PyTorch's `torch.utils`: programs import `torch.utils.data` by this path, so it has this name here too."""

from . import data as data
