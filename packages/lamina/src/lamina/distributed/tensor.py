"""PyTorch's `torch.distributed.tensor`: its class of tensors that lie on several devices, for `isinstance`; nothing is one."""

from typing import TYPE_CHECKING

import lamina_tensor

from ..absent_names import explained

__all__ = ["DTensor"]


class DTensor(lamina_tensor.Tensor):
    """PyTorch's class of tensors that lie on several devices, for `isinstance` and annotations: none is made here.

    Args:
        args, kwargs: as of a tensor.

    >>> isinstance(torch.ones(2), torch.distributed.tensor.DTensor)
    False
    """


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
