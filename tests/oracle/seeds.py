"""PyTorch's seed where it is set thousands of times: `torch.manual_seed` formats the stack for each kind of device that is absent,
which takes longer than most of what is compared."""

from __future__ import annotations

import random

import numpy as np
import torch
from torch.testing._internal.common_utils import SEED

__all__ = ["seed_all", "seed_torch"]


def seed_torch(seed: int = 0) -> None:
    """Set the seed of PyTorch's generator of the CPU."""
    torch.default_generator.manual_seed(seed)


def seed_all() -> None:
    """Set all seeds to that of PyTorch's own tests."""
    seed_torch(SEED)
    random.seed(SEED)
    np.random.seed(SEED)
