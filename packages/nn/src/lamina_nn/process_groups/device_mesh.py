"""DeviceMesh: processes in a grid, with a group along each of its dims."""

from __future__ import annotations

from math import prod
from typing import Any

import lamina_tensor as lt
from lamina_flatarray import ArgumentTypeError, ArgumentValueError, IndexOutOfRange, UsageError, int64
from lamina_tensor import Tensor

from .availability import is_initialized
from .process_group import ProcessGroup, default_group
from .ranks import get_rank
from .starting import init_process_group, new_group

__all__ = ["DeviceMesh", "init_device_mesh"]


class DeviceMesh:
    """Arrange processes in a grid; those that differ along one dim only are a group. All processes make it.

    Args:
        device_type: the type of the devices, such as "cpu".
        mesh: the processes by their indices among all, as a tensor or lists; each once.
        mesh_dim_names: a name for each dim.
        backend_override, _init_backend, _rank, _layout, _rank_map, _root_mesh: without effect.

    Attributes:
        device_type, mesh_dim_names: as given.
        mesh: the processes, as a tensor of integers.

    Raises:
        ArgumentValueError: there is no process group, a process is there twice or does not exist, or the names do not fit the dims.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> mesh = torch.distributed.device_mesh.DeviceMesh("cpu", [[0]], mesh_dim_names=("data", "model"))
    >>> mesh["model"].size()
    1
    >>> torch.distributed.destroy_process_group()
    """

    def __init__(
        self, device_type: str, mesh: Any = None, *, mesh_dim_names: tuple[str, ...] | None = None,
        backend_override: tuple[tuple[str | None, Any], ...] | None = None, _init_backend: bool = True, _rank: int | None = None,
        _layout: Any = None, _rank_map: Tensor | None = None, _root_mesh: DeviceMesh | None = None,
    ) -> None:  # fmt: skip
        world = default_group()
        self.device_type = str(device_type)
        self.mesh = (mesh.detach() if isinstance(mesh, Tensor) else lt.tensor(mesh)).to(int64)
        self.mesh_dim_names = None if mesh_dim_names is None else tuple(mesh_dim_names)
        ranks = self.mesh.flatten().tolist()
        if not ranks or self.mesh.ndim == 0 or len(set(ranks)) != len(ranks) or not set(ranks) <= set(world.ranks):
            raise ArgumentValueError(f"DeviceMesh: processes are some of {list(world.ranks)}, each once; not {self.mesh.tolist()}")
        names = self.mesh_dim_names
        if names is not None and (len(names) != self.mesh.ndim or len(set(names)) != len(names)):
            raise ArgumentValueError(f"DeviceMesh: {self.mesh.ndim} different names wanted, one for each dim; given {names}")
        self._groups: list[ProcessGroup] = []
        for dim in range(self.mesh.ndim):
            mine: Any = None
            for line in self.mesh.movedim(dim, -1).reshape(-1, self.mesh.shape[dim]).tolist():
                whole = line == list(world.ranks)
                group = world if whole else new_group(line, sort_ranks=False)
                if world.rank() in line:
                    mine = group
            self._groups.append(mine)

    @property
    def ndim(self) -> int:
        """The number of dims."""
        return int(self.mesh.ndim)

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of processes along each dim."""
        return tuple(self.mesh.shape)

    def size(self, mesh_dim: int | None = None) -> int:
        """Return the number of processes.

        Args:
            mesh_dim: along this dim; by default all.

        Returns:
            An int.
        """
        return prod(self.shape) if mesh_dim is None else self.shape[mesh_dim]

    def get_rank(self) -> int:
        """Return the index of this process among all.

        Returns:
            An int.
        """
        return get_rank()

    def get_coordinate(self) -> tuple[int, ...] | None:
        """Return where this process stands in the grid.

        Returns:
            Its index along each dim, or None if it is not in the grid.
        """
        where = (self.mesh == get_rank()).nonzero().tolist()
        return tuple(where[0]) if where else None

    def get_local_rank(self, mesh_dim: int | str | None = None) -> int:
        """Return the index of this process along a dim.

        Args:
            mesh_dim: the dim or its name; not needed where there is one.

        Returns:
            An int.

        Raises:
            ArgumentValueError: this process is not in the grid, or the dim is missing or unknown.
        """
        where = self.get_coordinate()
        if where is None:
            raise ArgumentValueError(f"DeviceMesh.get_local_rank: process {get_rank()} is not in {self}")
        return where[self._dim("get_local_rank", mesh_dim)]

    def get_group(self, mesh_dim: int | str | None = None) -> ProcessGroup:
        """Return the group of the processes that differ from this one along a dim only.

        Args:
            mesh_dim: the dim or its name; not needed where there is one.

        Returns:
            A `ProcessGroup`.

        Raises:
            ArgumentValueError: the dim is missing or unknown.
        """
        return self._groups[self._dim("get_group", mesh_dim)]

    def get_all_groups(self) -> list[ProcessGroup]:
        """Return the group along each dim.

        Returns:
            A list of `ProcessGroup`.
        """
        return list(self._groups)

    def __getitem__(self, names: str | tuple[str, ...]) -> DeviceMesh:
        """Return the part of the grid along some dims that this process is in.

        Raises:
            KeyError: there is no dim of this name.
        """
        wanted = (names,) if isinstance(names, str) else tuple(names)
        unknown = [name for name in wanted if name not in (self.mesh_dim_names or ())]
        if unknown:
            raise KeyError(f"Invalid mesh_dim_names {wanted} specified. Valid mesh_dim_names are {self.mesh_dim_names}.")
        dims = [self._dim("__getitem__", name) for name in wanted]
        where = self.get_coordinate() or (0,) * self.ndim
        part: DeviceMesh = object.__new__(DeviceMesh)
        others = tuple(slice(None) if dim in dims else where[dim] for dim in range(self.ndim))
        kept = [dim for dim in range(self.ndim) if dim in dims]
        part.mesh = self.mesh[others].permute([kept.index(dim) for dim in dims])
        part.device_type, part.mesh_dim_names = self.device_type, wanted
        part._groups = [self._groups[dim] for dim in dims]
        return part

    def _dim(self, function: str, dim: int | str | None) -> int:
        if dim is None and self.ndim == 1:
            return 0
        if isinstance(dim, str) and dim in (self.mesh_dim_names or ()):
            return (self.mesh_dim_names or ()).index(dim)
        if isinstance(dim, int) and -self.ndim <= dim < self.ndim:
            return dim % self.ndim
        if isinstance(dim, int):
            raise IndexOutOfRange(f"DeviceMesh.{function}: dim {dim} of a grid of {self.ndim}")
        raise ArgumentValueError(f"DeviceMesh.{function}: a dim of {self.mesh_dim_names or self.ndim} wanted, not {dim!r}")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DeviceMesh):
            return NotImplemented
        mine, theirs = ((m.device_type, m.shape, m.mesh.tolist(), m.mesh_dim_names) for m in (self, other))
        return mine == theirs

    def __hash__(self) -> int:
        return hash((self.device_type, self.shape, tuple(self.mesh.flatten().tolist()), self.mesh_dim_names))

    def __repr__(self) -> str:
        names = self.mesh_dim_names or range(self.ndim)
        sizes = ", ".join(f"{name}={size}" for name, size in zip(names, self.shape, strict=True))
        return f"DeviceMesh(({sizes}), device: {self.device_type!r}, mesh: {self.mesh.tolist()})"


def init_device_mesh(
    device_type: str, mesh_shape: tuple[int, ...], *, mesh_dim_names: tuple[str, ...] | None = None, backend_override: Any = None
) -> DeviceMesh:
    """Arrange all processes in a grid, and make the default process group if there is none.

    Args:
        device_type: the type of the devices, such as "cpu".
        mesh_shape: how many processes along each dim; their product is the number of all.
        mesh_dim_names: a name for each dim.
        backend_override: without effect.

    Returns:
        A `DeviceMesh`, in which processes stand in row-major order.

    Raises:
        UsageError: the shape does not fit the number of processes.
        ArgumentValueError: the names do not fit the shape.
        ArgumentTypeError: the shape is none.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> torch.distributed.init_device_mesh("cpu", (1, 1), mesh_dim_names=("data", "model"))
    DeviceMesh((data=1, model=1), device: 'cpu', mesh: [[0]])
    >>> torch.distributed.destroy_process_group()
    """
    if not isinstance(mesh_shape, (tuple, list)) or not all(isinstance(n, int) for n in mesh_shape):
        raise ArgumentTypeError(f"init_device_mesh: mesh_shape is a tuple of integers, not {mesh_shape!r}")
    if mesh_dim_names is not None and len(mesh_dim_names) != len(mesh_shape):
        raise ArgumentValueError(
            f"init_device_mesh: mesh_shape and mesh_dim_names are of the same length; given {mesh_shape} and {mesh_dim_names}"
        )
    if not is_initialized():
        init_process_group()
    size = default_group().size()
    if prod(mesh_shape) != size:
        raise UsageError(
            f"init_device_mesh: Mesh should not be bigger than default world size {size}, nor smaller; given {mesh_shape}"
        )
    return DeviceMesh(device_type, lt.arange(size).reshape(tuple(mesh_shape)), mesh_dim_names=mesh_dim_names)
