"""DTensor: a tensor of which each process has a part, as parameters of sharded modules are; and how one is made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, Final, NoReturn, Self

import lamina_ndarray as nd
from lamina_flatarray import ArgumentTypeError, ArgumentValueError, OpNotImplemented, ShapeError
from lamina_flatarray.modes import NO_GRAD, word
from lamina_flatarray.ops import OPS
from lamina_ndarray import NDArray
from lamina_tensor import Size, Tensor
from lamina_tensor.dispatch.subclassing import without_overriding
from lamina_tensor.methods.in_place.history import check_writable
from lamina_tensor.tensor_fields import alike, tensor_of
from lamina_tensor.transforms.function import Function

from ..process_groups import moves
from ..process_groups.device_mesh import DeviceMesh
from ..process_groups.process_group import ProcessGroup, default_group
from ..process_groups.work import run
from .gathering import gathered
from .placements import Placement, Replicate, Shard, own_slice

__all__ = ["DTensor", "distribute_tensor", "line_of", "made", "own_part"]

_BY_ITEM: Final = frozenset((
    *(name for op in OPS.values() if op.family == "map" for name in (op.spelling, *op.aliases)),
    "bfloat16", "clone", "copy", "cpu", "detach", "double", "empty_like", "fill", "float", "full_like", "half", "ones_like", "to", "zero",
    "zeros_like",
))  # fmt: skip
"""The functions that mean the same for a part as for the whole, and so do their twins in place."""
_OF_THE_PART: Final = frozenset((
    "__repr__", "backward", "data_ptr", "dim", "element_size", "is_complex", "is_floating_point", "register_hook",
    "register_post_accumulate_grad_hook", "requires_grad_", "retain_grad", "untyped_storage",
))  # fmt: skip


class _Local(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        return x

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Tensor:
        return g


class DTensor(Tensor):
    """Stand for a tensor of which each process has a part; `distribute_tensor`, `fully_shard` and `parallelize_module` make them.

    Shapes are those of the whole tensor. Optimizers and gradient clipping serve them, and so do functions item by item, such as `+` and
    `zeros_like`; others are refused, and want `to_local()` or `full_tensor()` first.

    Args:
        args, kwargs: none; see above for how one is made.

    Attributes:
        device_mesh: the processes, in a row.
        placements: a tuple of one `Shard` or `Replicate`.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> from lamina.distributed.tensor import Shard, distribute_tensor
    >>> x = distribute_tensor(torch.ones(3, 2), placements=[Shard(0)])
    >>> x.shape, x.placements, (x + x).full_tensor().sum()
    (lamina.Size([3, 2]), (Shard(dim=0),), tensor(12.))
    >>> torch.distributed.destroy_process_group()
    """

    device_mesh: DeviceMesh
    placements: tuple[Placement, ...]
    _shape: tuple[int, ...]

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        raise ArgumentTypeError("DTensor: made by distribute_tensor, fully_shard and parallelize_module")

    @classmethod
    def __torch_function__(
        cls, func: Callable[..., Any], types: Sequence[type], args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Call a function that goes item by item on the parts, and refuse others.

        Args:
            func: the function or method of plain tensors.
            types: the derived classes among the arguments.
            args: the positional arguments.
            kwargs: the keyword arguments.

        Returns:
            Its result; tensors are placed as the first DTensor among the arguments is.

        Raises:
            OpNotImplemented: it does not go item by item, or an argument is placed otherwise.
            ShapeError: a plain tensor has not the whole shape.
        """
        name = func.__name__
        named = kwargs or {}
        if name in _OF_THE_PART:
            with without_overriding():
                return func(*args, **named)
        writes = name.endswith("_")
        if name.removesuffix("_") not in _BY_ITEM:
            raise OpNotImplemented(f"{name}: not served by DTensor; take x.to_local(), this process's part, or x.full_tensor()")
        like = next(x for x in (*args, *named.values()) if isinstance(x, DTensor))
        if writes:
            check_writable(name, args[0])
        parts = [like._part_of(name, x, writes) for x in args]
        named = {key: like._part_of(name, value, writes) for key, value in named.items()}
        with without_overriding():
            result = func(*parts, **named)
        return args[0] if writes else like._placed(result)

    def _part_of(self, name: str, x: Any, writes: bool) -> Any:
        """This process's part of an argument."""
        if isinstance(x, DTensor):
            if x.placements != self.placements or x._shape != self._shape or x.device_mesh != self.device_mesh:
                raise OpNotImplemented(f"{name}: {x.placements} of {x._shape} beside {self.placements} of {self._shape}; place both alike")
            return tensor_of(x.array) if writes or word.get() & NO_GRAD else x.to_local()
        if isinstance(x, Tensor) and x.ndim:
            if tuple(x.shape) != self._shape:
                raise ShapeError(f"{name}: {tuple(x.shape)} given; a plain tensor beside a DTensor has its whole shape, {self._shape}")
            return tensor_of(own_part(x.array, self.device_mesh.get_group(), self.placements[0]))
        return x

    def _placed(self, local: Tensor) -> DTensor:
        """A tensor of the part's shape as a DTensor like this one."""
        result = alike(DTensor, local)
        result.device_mesh, result.placements, result._shape = self.device_mesh, self.placements, self._shape
        return result

    @property
    def shape(self) -> Size:
        """The length of each dim of the whole tensor."""
        return Size(self._shape)

    def size(self, dim: int | None = None) -> Any:
        """Return the shape of the whole tensor, or the length of one dim.

        Args:
            dim: the dim; by default all.

        Returns:
            A `Size`, or an int.
        """
        return self.shape if dim is None else self.shape[dim]

    def numel(self) -> int:
        """Return how many items the whole tensor has.

        Returns:
            An int.
        """
        return prod(self._shape)

    @property
    def grad(self) -> DTensor | None:
        """What backward passes have added up here, placed as the tensor is; None before the first."""
        if self._grad is not None and not isinstance(self._grad, DTensor):
            self._grad = self._placed(self._grad)
        return self._grad

    @grad.setter
    def grad(self, value: Tensor | None) -> None:
        """Replace the gradient, by a DTensor that is placed as this one, or by None.

        Raises:
            TypeError: it is something else.
        """
        if value is not None and not (isinstance(value, DTensor) and (value._shape, value.placements) == (self._shape, self.placements)):
            raise TypeError(f"assigned grad expected to be None or a DTensor of {self.placements}, {self._shape}, but got {value!r:.100}")
        self._grad = value

    def to_local(self, *, grad_placements: Sequence[Placement] | None = None) -> Tensor:
        """Return this process's part, which shares memory with it; gradients flow back.

        Args:
            grad_placements: how the gradient will lie: None, or as the tensor does.

        Returns:
            A plain tensor.

        Raises:
            OpNotImplemented: the gradient is to lie otherwise.

        >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
        >>> torch.distributed.tensor.distribute_tensor(torch.ones(2)).to_local()
        tensor([1., 1.])
        >>> torch.distributed.destroy_process_group()
        """
        if grad_placements is not None and tuple(grad_placements) != self.placements:
            raise OpNotImplemented(f"to_local: grad_placements={grad_placements} is not served; the gradient lies as the tensor does")
        local: Tensor = _Local.apply(self)
        return local

    def full_tensor(self, *, grad_placements: Sequence[Placement] | None = None) -> Tensor:
        """Collect the whole tensor in each process, without its history. All processes of the grid call it.

        Args:
            grad_placements: without effect, as no gradient flows back.

        Returns:
            A plain tensor.

        Raises:
            RankLost: a process was killed, is stopped or does not come.

        >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
        >>> torch.distributed.tensor.distribute_tensor(torch.ones(2)).full_tensor()
        tensor([1., 1.])
        >>> torch.distributed.destroy_process_group()
        """
        placement = self.placements[0]
        if not isinstance(placement, Shard):
            return tensor_of(nd.copy(self.array))
        (whole,) = gathered("DTensor.full_tensor", self.device_mesh.get_group(), [self.array], [self._shape], placement.dim)
        return tensor_of(nd.copy(whole, row_major=True))

    def __deepcopy__(self, memo: dict[int, Any]) -> NoReturn:
        raise OpNotImplemented("DTensor: no deep copies, as a copied module would compute with the original; load a state_dict, or clone")

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise OpNotImplemented("DTensor: written by torch.distributed.checkpoint.save, or as x.full_tensor(); it is not pickled")

    def __repr__(self, *, tensor_contents: Any = None) -> str:
        return f"DTensor(local_tensor={tensor_of(self.array)!r}, device_mesh={self.device_mesh!r}, placements={self.placements!r})"


def made(local: NDArray, mesh: DeviceMesh, placement: Placement, shape: tuple[int, ...], requires_grad: bool = False) -> DTensor:
    """Return a DTensor over this process's part.

    Args:
        local: the part.
        mesh: the processes, in a row.
        placement: how the whole lies among them.
        shape: of the whole.
        requires_grad: whether its gradient is computed.
    """
    result = alike(DTensor, tensor_of(local), requires_grad)
    result.device_mesh, result.placements, result._shape = mesh, (placement,), tuple(shape)
    return result


def own_part(whole: NDArray, group: ProcessGroup, placement: Placement) -> NDArray:
    """Return the part of an array that a placement gives to this process, as a view."""
    if not isinstance(placement, Shard):
        return whole
    begin, end = own_slice(whole.shape[placement.dim], group.size(), group.rank())
    return nd.moveaxis(nd.moveaxis(whole, placement.dim, 0)[begin:end], 0, placement.dim)


def line_of(name: str, mesh: DeviceMesh | None) -> DeviceMesh:
    """Return the processes in a row that a tensor or a module is spread over.

    Args:
        name: the function that was called.
        mesh: as it was given; None for all processes.

    Raises:
        OpNotImplemented: the grid has several dims.
        ArgumentValueError: there is no process group.
    """
    if mesh is None:
        return DeviceMesh("cpu", list(default_group().ranks))
    if mesh.ndim != 1:
        raise OpNotImplemented(f"{name}: a grid of one dim wanted, such as mesh['data'] of a grid of several; given {mesh}")
    return mesh


def distribute_tensor(
    tensor: Tensor, device_mesh: DeviceMesh | None = None, placements: Sequence[Placement] | None = None, *, src_data_rank: int | None = 0
) -> DTensor:
    """Spread a tensor over processes. All of them call it, with a tensor of the same shape and dtype.

    Args:
        tensor: a leaf, whose items are copied.
        device_mesh: the processes, in a row; by default all.
        placements: one `Shard` or `Replicate`; by default `Replicate()`.
        src_data_rank: whose items are taken, by its index in the row; None for each process's own.

    Returns:
        A `DTensor`.

    Raises:
        OpNotImplemented: the grid has several dims.
        ArgumentValueError: there is no process group, not one placement, or no such dim.
        RankLost: a process was killed, is stopped or does not come.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> from lamina.distributed.tensor import Shard, distribute_tensor
    >>> distribute_tensor(torch.ones(4, 2), placements=[Shard(1)]).to_local().shape
    lamina.Size([4, 2])
    >>> torch.distributed.destroy_process_group()
    """
    mesh = line_of("distribute_tensor", device_mesh)
    given = [Replicate()] if placements is None else list(placements)
    if len(given) != 1 or not isinstance(given[0], (Shard, Replicate)):
        raise ArgumentValueError(f"distribute_tensor: one placement, a Shard or a Replicate, wanted; given {given}")
    placement = given[0]
    if isinstance(placement, Shard):
        if not -tensor.ndim <= placement.dim < tensor.ndim:
            raise ArgumentValueError(f"distribute_tensor: {placement} of a tensor of {tuple(tensor.shape)}, which has no such dim")
        placement = Shard(placement.dim % tensor.ndim)
    group, whole = mesh.get_group(), tensor.array
    if src_data_rank is not None and group.size() > 1:
        whole = nd.copy(whole, row_major=True)
        run("distribute_tensor", group, moves.broadcast(group, [whole], src_data_rank), arrays=[whole])
    local = nd.copy(own_part(whole, group, placement), row_major=True)
    return made(local, mesh, placement, tuple(tensor.shape), tensor.requires_grad)
