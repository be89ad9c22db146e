"""A small trainer, which PyTorch itself does not have: the loop over batches and epochs, with checkpoints that go on bit for bit."""

from typing import TYPE_CHECKING

from lamina_nn.training import Callback, EarlyStopping, PrintEpochs, Trainer, accuracy

from .absent_names import explained

__all__ = ["Callback", "EarlyStopping", "PrintEpochs", "Trainer", "accuracy"]

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
