"""fully_shard: a module whose parameters, gradients and optimizer states lie in shards, one in each process."""

from __future__ import annotations

from typing import Any

import lamina_ndarray as nd
from lamina_flatarray import ArgumentTypeError, ArgumentValueError, OpNotImplemented

from ..module import Module
from ..process_groups.device_mesh import DeviceMesh
from .distributed_tensor import DTensor, line_of, made, own_part
from .placements import Shard
from .sharded_parameters import ShardedParameters
from .standing_in import Place

__all__ = ["FSDPModule", "fully_shard"]


class FSDPModule:
    """The part of a module that `fully_shard` adds to it.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> layer = torch.distributed.fsdp.fully_shard(torch.nn.Linear(3, 2))
    >>> isinstance(layer, torch.distributed.fsdp.FSDPModule), isinstance(layer, torch.nn.Linear)
    (True, True)
    >>> torch.distributed.destroy_process_group()
    """

    _sharded_parameters: ShardedParameters

    def set_requires_gradient_sync(self, requires_gradient_sync: bool, *, recurse: bool = True) -> None:
        """Set whether backward passes add gradients up over processes, as the last one of several batches does.

        Meanwhile, whole gradients are added up in each process, and `grad` stays None.

        Args:
            requires_gradient_sync: whether they do.
            recurse: whether this is set for all modules below that are sharded, too.

        >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
        >>> layer = torch.distributed.fsdp.fully_shard(torch.nn.Linear(3, 2))
        >>> layer.set_requires_gradient_sync(False)
        >>> layer(torch.ones(3)).sum().backward()
        >>> layer.bias.grad is None
        True
        >>> layer.set_requires_gradient_sync(True)
        >>> layer(torch.ones(3)).sum().backward()
        >>> layer.bias.grad.full_tensor()
        tensor([2., 2.])
        >>> torch.distributed.destroy_process_group()
        """
        for parameters in self._all(recurse):
            parameters.syncs = requires_gradient_sync

    def set_reshard_after_forward(self, reshard_after_forward: bool, recurse: bool = True) -> None:
        """Set whether whole parameters are let go between the forward and the backward pass.

        Args:
            reshard_after_forward: whether they are.
            recurse: whether this is set for all modules below that are sharded, too.
        """
        for parameters in self._all(recurse):
            parameters.reshards = reshard_after_forward

    def set_modules_to_forward_prefetch(self, modules: list[FSDPModule]) -> None:
        """Set whose parameters are gathered while this module's forward pass runs, beside the program.

        Without it, that is the module that came next in the last forward pass. More than one takes more memory.

        Args:
            modules: sharded modules, which come after this one; none to gather nothing ahead of time.

        Raises:
            ArgumentValueError: one of them is not sharded.

        >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
        >>> model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Linear(4, 4), torch.nn.Linear(4, 2))
        >>> for layer in (*model, model):
        ...     _ = torch.distributed.fsdp.fully_shard(layer)
        >>> model[0].set_modules_to_forward_prefetch([model[1], model[2]])
        >>> model(torch.ones(3)).shape
        lamina.Size([2])
        >>> torch.distributed.destroy_process_group()
        """
        self._sharded_parameters.forward_ahead = _parameters_of("set_modules_to_forward_prefetch", modules)

    def set_modules_to_backward_prefetch(self, modules: list[FSDPModule]) -> None:
        """Set whose parameters are gathered while this module's backward pass runs, beside the program.

        Without it, that is the module whose forward pass ended before this one's. More than one takes more memory.

        Args:
            modules: sharded modules, which come after this one in the backward pass; none to gather nothing ahead of time.

        Raises:
            ArgumentValueError: one of them is not sharded.

        >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
        >>> model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Linear(4, 4), torch.nn.Linear(4, 2))
        >>> for layer in (*model, model):
        ...     _ = torch.distributed.fsdp.fully_shard(layer)
        >>> model[2].set_modules_to_backward_prefetch([model[1], model[0]])
        >>> model(torch.ones(3)).sum().backward()
        >>> torch.distributed.destroy_process_group()
        """
        self._sharded_parameters.backward_ahead = _parameters_of("set_modules_to_backward_prefetch", modules)

    def _all(self, recurse: bool) -> list[ShardedParameters]:
        modules = self.modules() if recurse and isinstance(self, Module) else [self]
        return [module._sharded_parameters for module in modules if isinstance(module, FSDPModule)]


def _parameters_of(name: str, modules: list[FSDPModule]) -> list[ShardedParameters]:
    for module in modules:
        if not isinstance(module, FSDPModule):
            raise ArgumentValueError(f"{name}: modules that fully_shard has changed wanted, not {type(module).__name__}")
    return [module._sharded_parameters for module in modules]


def fully_shard(
    module: Module, *, mesh: DeviceMesh | None = None, reshard_after_forward: bool | None = None, shard_placement_fn: Any = None,
    mp_policy: Any = None, offload_policy: Any = None, ignored_params: set[Any] | None = None,
    dp_mesh_dims: Any = None,
) -> Any:  # fmt: skip
    """Shard a module's parameters over processes, along dim 0 (Rajbhandari et al. 2020, stage 3).

    Each process keeps a shard of each parameter, of its gradient, and so of what an optimizer keeps. The module gathers the whole
    parameters before its forward pass and lets them go behind it; so it does in the backward pass, which gives each process its shard of
    the mean of the gradients. Sums are in the order of ranks: results are those of `DistributedDataParallel`, bit for bit.

    While one module computes, the next one's parameters are gathered: in the order of the last forward pass, and in the backward pass
    in the opposite one. For that, the model itself is sharded, too.

    Parameters of modules below that were sharded before are left to these: shard each layer of a large model, and then the model. All
    processes begin with the same parameters, and call the same modules in the same order. A parameter that two modules share belongs
    to one that is sharded above both.

    Args:
        module: the module, which is changed and gets `FSDPModule` as a further class.
        mesh: the processes, in a row; by default all.
        reshard_after_forward: whether whole parameters are let go between the forward and the backward pass. False takes memory and saves
            a third of what is sent (stage 2). None means True.
        shard_placement_fn, mp_policy, offload_policy, dp_mesh_dims: None; others are not served.
        ignored_params: parameters that stay as they are.

    Returns:
        The module itself, whose parameters now are DTensors: make the optimizer after this.

    Raises:
        ArgumentTypeError: it is no module.
        ArgumentValueError: there is no process group, the module is sharded already, or a parameter has no dims.
        OpNotImplemented: the grid has several dims, a parameter is a DTensor already, or an option is not served.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Linear(4, 2))
    >>> for layer in (*model, model):
    ...     _ = torch.distributed.fsdp.fully_shard(layer)
    >>> optimizer = torch.optim.AdamW(model.parameters())
    >>> model(torch.ones(3)).sum().backward()
    >>> optimizer.step()
    >>> model[0].weight.placements, model[0].weight.full_tensor().shape
    ((Shard(dim=0),), lamina.Size([4, 3]))
    >>> torch.distributed.destroy_process_group()
    """
    if not isinstance(module, Module):
        raise ArgumentTypeError(f"fully_shard: a Module wanted, not {type(module).__name__}")
    options = {
        "shard_placement_fn": shard_placement_fn, "mp_policy": mp_policy, "offload_policy": offload_policy, "dp_mesh_dims": dp_mesh_dims,
    }  # fmt: skip
    for name, value in options.items():
        if value is not None:
            raise OpNotImplemented(f"fully_shard: {name} is not served; leave it out")
    if isinstance(module, FSDPModule):
        raise ArgumentValueError("fully_shard: this module is sharded already")
    line = line_of("fully_shard", mesh)
    ignored = {id(p) for p in ignored_params or ()}
    places: dict[int, list[Place]] = {}
    whole: dict[int, Any] = {}
    for part in _own_modules(module):
        for name, p in part._parameters.items():
            if p is not None and id(p) not in ignored:
                _check(name, p)
                whole[id(p)] = p
                places.setdefault(id(p), []).append((part, name))
    shards = [_shard_of(p, line) for p in whole.values()]
    for shard, standing in zip(shards, places.values(), strict=True):
        for part, name in standing:
            part._parameters[name] = shard  # type: ignore[assignment]  # it is marked as a Parameter
    reshards = True if reshard_after_forward is None else reshard_after_forward
    parameters = ShardedParameters(shards, list(places.values()), line.get_group(), reshards)
    kind = type(module)
    module.__class__ = type(f"FSDP{kind.__name__}", (FSDPModule, kind), {"__module__": kind.__module__})
    module._sharded_parameters = parameters
    module.register_forward_pre_hook(lambda module, args: parameters.enter(), prepend=True)
    module.register_forward_hook(lambda module, args, output: parameters.leave(), always_call=True)
    return module


def _own_modules(module: Module) -> list[Module]:
    """The module and those below, without those that are sharded and what is below these."""
    found: dict[Module, None] = {}
    stack = [module]
    while stack:
        part = stack.pop()
        if not isinstance(part, FSDPModule) and part not in found:
            found[part] = None
            stack += [below for below in reversed(part._modules.values()) if below is not None]
    return list(found)


def _check(name: str, p: Any) -> None:
    if isinstance(p, DTensor):
        raise OpNotImplemented(f"fully_shard: {name} is a DTensor already; shards of shards are not served")
    if not p.ndim:
        raise ArgumentValueError(f"fully_shard doesn't support scalar parameters. Change {name} to a 1D tensor with numel equal to 1.")
    if p.is_meta:
        raise OpNotImplemented(f"fully_shard: {name} is on the device meta; give the model memory first")


def _shard_of(p: Any, line: DeviceMesh) -> DTensor:
    local = nd.copy(own_part(p.array, line.get_group(), Shard(0)), row_major=True)
    shard = made(local, line, Shard(0), tuple(p.shape), p.requires_grad)
    shard._is_param = True  # type: ignore[attr-defined]
    return shard
