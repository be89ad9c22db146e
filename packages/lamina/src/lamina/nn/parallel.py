"""PyTorch's `torch.nn.parallel`."""

from typing import Any as _Any

from lamina_flatarray import OpNotImplemented as _OpNotImplemented
from lamina_nn import Module as _Module
from lamina_nn.layers.data_parallel import *

from ..absent_names import explained as _explained


class DistributedDataParallel(_Module):
    """Programs import it for runs of several processes, which there are none of here.

    Raises:
        OpNotImplemented: always.
    """

    differs = "one process only: making one is refused"

    def __init__(self, module: _Module, *args: _Any, **options: _Any) -> None:
        raise _OpNotImplemented(
            "nn.parallel.DistributedDataParallel: several processes are not supported; run the program as one"
        )


_explained(globals())
