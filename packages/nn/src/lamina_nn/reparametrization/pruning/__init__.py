"""Pruning: items of a parameter held at zero by a mask, chosen at random, by size, or by whole slices."""

from .functions import (
    custom_from_mask,
    global_unstructured,
    identity,
    is_pruned,
    l1_unstructured,
    ln_structured,
    random_structured,
    random_unstructured,
    remove,
)
from .masks import CustomFromMask, Identity, L1Unstructured, LnStructured, RandomStructured, RandomUnstructured
from .method import BasePruningMethod, PruningContainer

__all__ = [
    "BasePruningMethod", "CustomFromMask", "Identity", "L1Unstructured", "LnStructured", "PruningContainer",
    "RandomStructured", "RandomUnstructured", "custom_from_mask", "global_unstructured", "identity", "is_pruned",
    "l1_unstructured", "ln_structured", "random_structured", "random_unstructured", "remove",
]  # fmt: skip
