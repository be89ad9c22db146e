"""ColwiseParallel and RowwiseParallel: how a Linear or an Embedding is cut into parts, and what its processes exchange."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from lamina_flatarray import ArgumentValueError, OpNotImplemented
from lamina_tensor import Tensor

from ...layers.embedding import Embedding
from ...layers.linear import Linear
from ...module import Module
from ...process_groups.device_mesh import DeviceMesh
from ...process_groups.process_group import ProcessGroup
from ..distributed_tensor import DTensor, distribute_tensor
from ..placements import Placement, Replicate, Shard, own_slice
from ..standing_in import Places
from .exchanges import copied, joined, joined_for_parts, own_slice_of, summed, summed_in_slices

__all__ = ["ColwiseParallel", "ParallelStyle", "RowwiseParallel"]


class ParallelStyle(ABC):
    """Say how a layer is computed in parts: a `ColwiseParallel` or a `RowwiseParallel`.

    >>> from lamina.distributed.tensor.parallel import ParallelStyle, RowwiseParallel
    >>> isinstance(RowwiseParallel(), ParallelStyle)
    True
    """

    src_data_rank: int | None = 0

    @abstractmethod
    def _apply(self, module: Module, device_mesh: DeviceMesh) -> Module:
        """Cut a layer, in place."""


class ColwiseParallel(ParallelStyle):
    """Give each process some of the outputs of a Linear, or of the columns of an Embedding.

    Args:
        input_layouts: how the input lies: `Replicate()`, the default; `Shard(dim)` where each process has a slice, as of the sequence.
        output_layouts: how the output is to lie: `Shard(-1)`, the default, for the columns of each process, as a following
            `RowwiseParallel` takes them; `Replicate()` for all.
        use_local_output: True: outputs are plain tensors.

    Raises:
        OpNotImplemented: another layout or outputs that are DTensors are asked for.

    >>> from lamina.distributed.tensor.parallel import ColwiseParallel, parallelize_module
    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> layer = parallelize_module(torch.nn.Linear(3, 4), None, ColwiseParallel())
    >>> layer.weight.placements, layer(torch.ones(3)).shape
    ((Shard(dim=0),), lamina.Size([4]))
    >>> torch.distributed.destroy_process_group()
    """

    def __init__(
        self, *, input_layouts: Placement | None = None, output_layouts: Placement | None = None, use_local_output: bool = True
    ) -> None:
        self.joins_input = _slices("ColwiseParallel", input_layouts)
        self.joins = _served("ColwiseParallel", use_local_output, output_layouts, Shard(-1), Replicate()) == Replicate()

    def _apply(self, module: Module, device_mesh: DeviceMesh) -> Module:
        group = device_mesh.get_group()
        _check("ColwiseParallel", module, also=("padding_idx",))
        cut = 0 if isinstance(module, Linear) else 1
        length = module.weight.shape[cut]
        parts = _cut(module, device_mesh, {"weight": Shard(cut), "bias": Shard(0)}, self.src_data_rank)

        def before(module: Module, args: Any) -> Any:
            x = args[0]
            if self.joins_input is not None:
                x = joined_for_parts(x, group, self.joins_input)
            elif x.is_floating_point():
                x = copied(x, group)
            places.put([part.to_local() for part in parts.values()])
            return (x, *args[1:])

        def after(module: Module, args: Any, output: Any) -> Any:
            places.restore()
            return joined(output, group, length) if self.joins and output is not None else output

        places = Places("parallelize_module", list(parts.values()), [[(module, name)] for name in parts])
        module.register_forward_pre_hook(before)
        module.register_forward_hook(after, always_call=True)
        return module


class RowwiseParallel(ParallelStyle):
    """Give each process the part of a Linear for some of its inputs, or some of the rows of an Embedding; outputs are added up.

    Args:
        input_layouts: how the input lies: `Shard(-1)`, the default, for the columns of each process, as `ColwiseParallel` gives them;
            `Replicate()` where each has all, as the indices of an Embedding.
        output_layouts: how the output is to lie: `Replicate()`, the default; `Shard(dim)` for a slice in each process, as of the sequence.
        use_local_output: True: outputs are plain tensors.

    Raises:
        OpNotImplemented: another layout or outputs that are DTensors are asked for.

    >>> from lamina.distributed.tensor.parallel import RowwiseParallel, parallelize_module
    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> layer = parallelize_module(torch.nn.Linear(3, 4), None, RowwiseParallel())
    >>> layer.weight.placements, layer(torch.ones(3)).shape
    ((Shard(dim=1),), lamina.Size([4]))
    >>> torch.distributed.destroy_process_group()
    """

    def __init__(
        self, *, input_layouts: Placement | None = None, output_layouts: Placement | None = None, use_local_output: bool = True
    ) -> None:
        self.splits = _served("RowwiseParallel", use_local_output, input_layouts, Shard(-1), Replicate()) == Replicate()
        self.slices = _slices("RowwiseParallel", output_layouts)

    def _apply(self, module: Module, device_mesh: DeviceMesh) -> Module:
        _check("RowwiseParallel", module)
        if isinstance(module, Linear):
            self._cut_linear(module, device_mesh)
        else:
            self._cut_embedding(module, device_mesh)
        return module

    def _cut_linear(self, module: Module, device_mesh: DeviceMesh) -> None:
        group = device_mesh.get_group()
        parts = _cut(module, device_mesh, {"weight": Shard(1), "bias": Replicate()}, self.src_data_rank)

        def before(module: Module, args: Any) -> Any:
            x = own_slice_of(args[0], group) if self.splits else args[0]
            places.put([None if name == "bias" else part.to_local() for name, part in parts.items()])
            return (x, *args[1:])

        def after(module: Module, args: Any, output: Any) -> Any:
            places.restore()
            if output is None:
                return None
            if self.slices is not None and self.slices % output.ndim == output.ndim - 1:
                raise OpNotImplemented("RowwiseParallel: columns of an output are not served; use Replicate() or another dim")
            total = self._summed(output, group)
            if "bias" not in parts:
                return total
            bias = parts["bias"].to_local()  # once, not in each process
            return total + (bias if self.slices is None else copied(bias, group))

        places = Places("parallelize_module", list(parts.values()), [[(module, name)] for name in parts])
        module.register_forward_pre_hook(before)
        module.register_forward_hook(after, always_call=True)

    def _cut_embedding(self, module: Module, device_mesh: DeviceMesh) -> None:
        group = device_mesh.get_group()
        words = module.weight.shape[0]
        begin, end = own_slice(words, group.size(), group.rank())
        if own_slice(words, group.size(), group.size() - 1)[0] == words:
            raise ArgumentValueError(f"RowwiseParallel: an Embedding of {words} rows leaves none to the last of {group.size()} processes")
        parts = _cut(module, device_mesh, {"weight": Shard(0)}, self.src_data_rank)
        elsewhere: list[Tensor] = []

        def before(module: Module, args: Any) -> Any:
            indices = args[0]
            if bool(((indices < 0) | (indices >= words)).any()):
                raise IndexError(f"RowwiseParallel: an index is out of range of an Embedding of {words} rows")
            mask = (indices < begin) | (indices >= end)
            places.put([parts["weight"].to_local()])
            elsewhere.append(mask)
            return ((indices - begin).masked_fill(mask, 0), *args[1:])

        def after(module: Module, args: Any, output: Any) -> Any:
            places.restore()
            mask = elsewhere.pop() if elsewhere else None
            return None if output is None or mask is None else self._summed(output.masked_fill(mask.unsqueeze(-1), 0), group)

        places = Places("parallelize_module", [parts["weight"]], [[(module, "weight")]])
        module.register_forward_pre_hook(before)
        module.register_forward_hook(after, always_call=True)

    def _summed(self, output: Tensor, group: ProcessGroup) -> Tensor:
        return summed(output, group) if self.slices is None else summed_in_slices(output, group, self.slices)


def _slices(name: str, layout: Placement | None) -> int | None:
    """The dim that an activation is cut along; None where each process has all of it."""
    if layout is None or isinstance(layout, Replicate):
        return None
    if not isinstance(layout, Shard):
        raise OpNotImplemented(f"{name}: {layout} is not served here; use Replicate() or Shard(dim)")
    return layout.dim


def _served(name: str, local: bool, given: Placement | None, *layouts: Placement) -> Placement:
    """The layout that was asked for; the first is the default."""
    if not local:
        raise OpNotImplemented(f"{name}: use_local_output=False is not served; outputs are plain tensors")
    if given is None:
        return layouts[0]
    if given not in layouts:
        raise OpNotImplemented(f"{name}: {given} is not served here; use {' or '.join(map(repr, layouts))}")
    return given


def _check(name: str, module: Module, also: tuple[str, ...] = ()) -> None:
    """Refuse what cannot be cut."""
    if not isinstance(module, (Linear, Embedding)):
        raise OpNotImplemented(f"{name}: currently only supports nn.Linear and nn.Embedding, not {type(module).__name__}")
    if isinstance(module.weight, DTensor):
        raise OpNotImplemented(f"{name}: the weight is a DTensor already; parts of parts are not served")
    for option in ("max_norm", "scale_grad_by_freq", "sparse", "padding_idx"):
        value = getattr(module, option, None)
        if option not in also and value is not None and value is not False:
            raise OpNotImplemented(f"{name}: {option}={value} of an Embedding is not served in parts")


def _cut(module: Module, mesh: DeviceMesh, placements: dict[str, Placement], source: int | None) -> dict[str, DTensor]:
    """Put DTensors in the places of a layer's parameters."""
    parts: dict[str, DTensor] = {}
    for name, placement in placements.items():
        p = module._parameters.get(name)
        if p is not None:
            parts[name] = distribute_tensor(p, mesh, [placement], src_data_rank=source)
            parts[name]._is_param = True  # type: ignore[attr-defined]
            module._parameters[name] = parts[name]  # type: ignore[assignment]  # it is marked as a Parameter
    return parts
