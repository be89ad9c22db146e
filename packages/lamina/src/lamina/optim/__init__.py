"""PyTorch's `torch.optim`."""

from typing import TYPE_CHECKING

from lamina_nn.optim import (
    ASGD,
    LBFGS,
    SGD,
    Adadelta,
    Adafactor,
    Adagrad,
    Adam,
    Adamax,
    AdamW,
    Muon,
    NAdam,
    Optimizer,
    RAdam,
    RMSprop,
    Rprop,
    SparseAdam,
    register_optimizer_step_post_hook,
    register_optimizer_step_pre_hook,
)  # fmt: skip

from ..absent_names import explained

__all__ = [
    "ASGD", "Adadelta", "Adafactor", "Adagrad", "Adam", "AdamW", "Adamax", "LBFGS", "Muon", "NAdam", "Optimizer",
    "RAdam", "RMSprop", "Rprop", "SGD", "SparseAdam", "lr_scheduler", "optimizer", "register_optimizer_step_post_hook",
    "register_optimizer_step_pre_hook", "swa_utils",
]  # fmt: skip

if TYPE_CHECKING:
    from . import lr_scheduler, optimizer, swa_utils
else:
    __getattr__, __dir__ = explained(__name__, __all__)
