"""A small trainer: the loop over batches and epochs, with validation, checkpoints that go on bit for bit, and callbacks."""

from .accuracy import accuracy
from .callbacks import Callback, EarlyStopping, PrintEpochs
from .trainer import Trainer

__all__ = ["Callback", "EarlyStopping", "PrintEpochs", "Trainer", "accuracy"]
