"""PyTorch's `torch.cuda.streams`."""

from typing import TYPE_CHECKING

from lamina_tensor.devices.cuda_streams import Event, ExternalStream, Stream

from ..absent_names import explained

__all__ = ["Event", "ExternalStream", "Stream"]

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
