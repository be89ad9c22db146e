"""PyTorch's `torch.distributed.device_mesh`: processes in a grid."""

from typing import TYPE_CHECKING

from lamina_nn.process_groups.device_mesh import DeviceMesh, init_device_mesh

from ..absent_names import explained

__all__ = ["DeviceMesh", "init_device_mesh"]


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
