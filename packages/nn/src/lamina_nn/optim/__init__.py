"""Optimizers: parameters changed by their gradients. Schedules of step lengths are in `lr_scheduler`, averages of parameters
in `averaging`."""

from importlib import import_module as _import
from types import ModuleType as _ModuleType

from .adadelta import Adadelta
from .adafactor import Adafactor
from .adagrad import Adagrad
from .adam import Adam, AdamW
from .adamax import Adamax
from .asgd import ASGD
from .hooks import register_optimizer_step_post_hook, register_optimizer_step_pre_hook
from .lbfgs import LBFGS
from .muon import Muon
from .nadam import NAdam
from .optimizer import Optimizer
from .radam import RAdam
from .rmsprop import RMSprop
from .rprop import Rprop
from .sgd import SGD
from .sparse_adam import SparseAdam

__all__ = [
    "ASGD", "Adadelta", "Adafactor", "Adagrad", "Adam", "AdamW", "Adamax", "LBFGS", "Muon", "NAdam", "Optimizer", "RAdam",
    "RMSprop", "Rprop", "SGD", "SparseAdam", "register_optimizer_step_post_hook", "register_optimizer_step_pre_hook",
]  # fmt: skip

_PARTS = ("averaging", "lr_scheduler")


def __getattr__(name: str) -> _ModuleType:
    if name in _PARTS:
        return _import(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*__all__, *_PARTS})
