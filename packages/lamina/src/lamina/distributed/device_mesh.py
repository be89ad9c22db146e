"""PyTorch's `torch.distributed.device_mesh`: its class of grids of devices, for `isinstance` and annotations; none is made here."""

from typing import TYPE_CHECKING, Any

from lamina_tensor import Tensor

from ..absent_names import explained

__all__ = ["DeviceMesh"]


class DeviceMesh:
    """PyTorch's class of grids of devices, for `isinstance` and annotations.

    Args:
        device_type, mesh, mesh_dim_names, backend_override, _init_backend, _rank, _layout, _rank_map, _root_mesh: as in PyTorch.

    Raises:
        NotImplementedError: whenever one is to be made: there is one process.

    >>> isinstance(torch.device("cpu"), torch.distributed.device_mesh.DeviceMesh)
    False
    """

    def __init__(
        self, device_type: str, mesh: Any = None, *, mesh_dim_names: tuple[str, ...] | None = None,
        backend_override: tuple[tuple[str | None, Any], ...] | None = None, _init_backend: bool = True, _rank: int | None = None,
        _layout: Any = None, _rank_map: Tensor | None = None, _root_mesh: "DeviceMesh | None" = None,
    ) -> None:  # fmt: skip
        raise NotImplementedError("torch.distributed.device_mesh.DeviceMesh: there are no grids of devices here; a group has one process")


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
