"""Averages of a model's parameters over training, and what goes with them: PyTorch's `torch.optim.swa_utils`."""

from .averaged_model import AveragedModel
from .averages import get_ema_avg_fn, get_ema_multi_avg_fn, get_swa_avg_fn, get_swa_multi_avg_fn
from .batch_statistics import update_bn
from .swa_lr import SWALR

__all__ = [
    "AveragedModel", "SWALR", "get_ema_avg_fn", "get_ema_multi_avg_fn", "get_swa_avg_fn", "get_swa_multi_avg_fn",
    "update_bn",
]  # fmt: skip
