"""SequenceParallel: norms and dropout on slices of a sequence; and what joins and cuts activations around a module.

V. Korthikanti et al., "Reducing Activation Recomputation in Large Transformer Models", 2022, https://arxiv.org/abs/2205.05198.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lamina_flatarray import ArgumentTypeError, ArgumentValueError, OpNotImplemented
from lamina_tensor import Tensor, get_rng_state, manual_seed, randint, set_rng_state

from ...layers.normalizations.dropout import AlphaDropout, Dropout, Dropout1d, Dropout2d, Dropout3d, FeatureAlphaDropout
from ...module import Module
from ...process_groups.device_mesh import DeviceMesh
from ...process_groups.process_group import ProcessGroup
from ..distributed_tensor import DTensor, distribute_tensor
from ..placements import Placement, Replicate, Shard
from ..standing_in import Place, Places
from .exchanges import copied, redistributed
from .styles import ParallelStyle

__all__ = ["PrepareModuleInput", "PrepareModuleInputOutput", "PrepareModuleOutput", "SequenceParallel"]

Layouts = Placement | tuple[Placement | None, ...] | None

_DROPOUTS = (AlphaDropout, Dropout, Dropout1d, Dropout2d, Dropout3d, FeatureAlphaDropout)


class SequenceParallel(ParallelStyle):
    """Have each process compute a norm or a dropout for its slice of the sequence, with all parameters.

    The input is this process's slice, as `RowwiseParallel(output_layouts=Shard(1))` gives it, and so is the output. Gradients of the
    parameters are added up over processes. A dropout draws other random numbers in each process, and leaves those of all in step.

    Args:
        sequence_dim: kept, and otherwise without effect, as inputs are slices.
        use_local_output: without effect: outputs are plain tensors.

    >>> from lamina.distributed.tensor.parallel import SequenceParallel, parallelize_module
    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> norm = parallelize_module(torch.nn.LayerNorm(3), None, SequenceParallel())
    >>> norm.weight.placements, norm(torch.ones(1, 2, 3)).shape
    ((Replicate(),), lamina.Size([1, 2, 3]))
    >>> torch.distributed.destroy_process_group()
    """

    def __init__(self, *, sequence_dim: int = 1, use_local_output: bool = False) -> None:
        self.sequence_dim, self.use_local_output = sequence_dim, use_local_output

    def _apply(self, module: Module, device_mesh: DeviceMesh) -> Module:
        group = device_mesh.get_group()
        found: dict[int, tuple[Any, list[Place]]] = {}
        for part in module.modules():
            for name, p in part._parameters.items():
                if p is not None:
                    found.setdefault(id(p), (p, []))[1].append((part, name))
        if any(isinstance(p, DTensor) for p, _ in found.values()):
            raise OpNotImplemented("SequenceParallel: a parameter is a DTensor already; parts of parts are not served")
        copies = [distribute_tensor(p, device_mesh, [Replicate()], src_data_rank=self.src_data_rank) for p, _ in found.values()]
        for copy, (_, standing) in zip(copies, found.values(), strict=True):
            copy._is_param = True  # type: ignore[attr-defined]
            for part, name in standing:
                part._parameters[name] = copy  # type: ignore[assignment]  # it is marked as a Parameter
        places = Places("parallelize_module", copies, [standing for _, standing in found.values()])
        states: list[Tensor] = []

        def before(module: Module, args: Any) -> None:
            places.put([copied(copy.to_local(), group) for copy in copies])

        def after(module: Module, args: Any, output: Any) -> None:
            places.restore()

        def before_dropping(module: Module, args: Any) -> None:
            if module.training:
                seed = int(randint(2**62, ()).item())
                states.append(get_rng_state())
                manual_seed(seed + group.rank())

        def after_dropping(module: Module, args: Any, output: Any) -> None:
            if states:
                set_rng_state(states.pop())

        if copies:
            module.register_forward_pre_hook(before)
            module.register_forward_hook(after, always_call=True)
        for part in module.modules():
            if isinstance(part, _DROPOUTS):
                part.register_forward_pre_hook(before_dropping)
                part.register_forward_hook(after_dropping, always_call=True)
        return module


class PrepareModuleInput(ParallelStyle):
    """Join or cut the inputs of a module among processes before each call.

    The module is given plain tensors: what this process has of the wanted layout. Slices have one length.

    Args:
        input_layouts: how each positional input lies: `Shard(dim)`, `Replicate()`, or None for what is left as it is; or the layout of the
            only one.
        desired_input_layouts: how each of them is to lie; as many.
        input_kwarg_layouts: how inputs with keywords lie, by their names.
        desired_input_kwarg_layouts: how each of them is to lie; the same names.
        use_local_output: without effect.

    Raises:
        AssertionError: there are not as many wanted layouts as layouts.

    >>> from lamina.distributed.tensor import Replicate, Shard
    >>> from lamina.distributed.tensor.parallel import PrepareModuleInput, parallelize_module
    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> style = PrepareModuleInput(input_layouts=Shard(1), desired_input_layouts=Replicate())
    >>> parallelize_module(torch.nn.Linear(3, 4), None, style)(torch.ones(2, 5, 3)).shape
    lamina.Size([2, 5, 4])
    >>> torch.distributed.destroy_process_group()
    """

    def __init__(
        self, *, input_layouts: Layouts = None, desired_input_layouts: Layouts = None,
        input_kwarg_layouts: dict[str, Placement] | None = None, desired_input_kwarg_layouts: dict[str, Placement] | None = None,
        use_local_output: bool = False,
    ) -> None:  # fmt: skip
        self.moves = _pairs("PrepareModuleInput", "input_layouts", input_layouts, desired_input_layouts)
        have, wanted = input_kwarg_layouts or {}, desired_input_kwarg_layouts or {}
        if have.keys() != wanted.keys():
            raise AssertionError(
                "PrepareModuleInput: input_kwarg_layouts and desired_input_kwarg_layouts should have the same names, not "
                f"{[*have]} and {[*wanted]}"
            )
        self.named_moves = {name: (layout, wanted[name]) for name, layout in have.items()}

    def _apply(self, module: Module, device_mesh: DeviceMesh) -> Module:
        group = device_mesh.get_group()

        def before(module: Module, args: Any, kwargs: Any) -> Any:
            args = _moved("inputs", args, self.moves, group) if self.moves else args
            return args, {name: _one(x, self.named_moves.get(name), group) for name, x in kwargs.items()}

        module.register_forward_pre_hook(before, with_kwargs=True)
        return module


class PrepareModuleOutput(ParallelStyle):
    """Join or cut the outputs of a module among processes after each call.

    Args:
        output_layouts: how each output lies: `Shard(dim)`, in slices of one length, `Replicate()`, or None for what is left as it is;
            or the layout of the only one.
        desired_output_layouts: how each of them is to lie; as many.
        use_local_output: without effect: outputs are plain tensors.

    Raises:
        AssertionError: there are not as many wanted layouts as layouts.

    >>> from lamina.distributed.tensor import Replicate, Shard
    >>> from lamina.distributed.tensor.parallel import PrepareModuleOutput, parallelize_module
    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> style = PrepareModuleOutput(output_layouts=Replicate(), desired_output_layouts=Shard(1))
    >>> parallelize_module(torch.nn.Linear(3, 4), None, style)(torch.ones(2, 5, 3)).shape
    lamina.Size([2, 5, 4])
    >>> torch.distributed.destroy_process_group()
    """

    def __init__(self, *, output_layouts: Layouts, desired_output_layouts: Layouts, use_local_output: bool = True) -> None:
        self.moves = _pairs("PrepareModuleOutput", "output_layouts", output_layouts, desired_output_layouts)

    def _apply(self, module: Module, device_mesh: DeviceMesh) -> Module:
        group = device_mesh.get_group()

        def after(module: Module, args: Any, output: Any) -> Any:
            several = isinstance(output, (tuple, list))
            moved = _moved("outputs", output if several else (output,), self.moves, group)
            return moved if several else moved[0]

        module.register_forward_hook(after)
        return module


class PrepareModuleInputOutput(ParallelStyle):
    """Join or cut the inputs and the outputs of a module among processes: a `PrepareModuleInput` and a `PrepareModuleOutput`.

    Args:
        input_layouts, desired_input_layouts, input_kwarg_layouts, desired_input_kwarg_layouts: as `PrepareModuleInput`.
        use_local_input: without effect: inputs are plain tensors.
        output_layouts, desired_output_layouts, use_local_output: as `PrepareModuleOutput`.

    Raises:
        AssertionError: there are not as many wanted layouts as layouts.

    >>> from lamina.distributed.tensor import Replicate, Shard
    >>> from lamina.distributed.tensor.parallel import PrepareModuleInputOutput
    >>> style = PrepareModuleInputOutput(
    ...     input_layouts=Shard(1), desired_input_layouts=Replicate(), output_layouts=Replicate(), desired_output_layouts=Shard(1)
    ... )
    """

    def __init__(
        self, *, input_layouts: Layouts = None, desired_input_layouts: Layouts = None,
        input_kwarg_layouts: dict[str, Placement] | None = None, desired_input_kwarg_layouts: dict[str, Placement] | None = None,
        use_local_input: bool = False, output_layouts: Layouts, desired_output_layouts: Layouts, use_local_output: bool = True,
    ) -> None:  # fmt: skip
        self.styles: tuple[ParallelStyle, ...] = (
            PrepareModuleInput(
                input_layouts=input_layouts, desired_input_layouts=desired_input_layouts, input_kwarg_layouts=input_kwarg_layouts,
                desired_input_kwarg_layouts=desired_input_kwarg_layouts,
            ),
            PrepareModuleOutput(output_layouts=output_layouts, desired_output_layouts=desired_output_layouts),
        )  # fmt: skip

    def _apply(self, module: Module, device_mesh: DeviceMesh) -> Module:
        for style in self.styles:
            style._apply(module, device_mesh)
        return module


Moves = list[tuple[Placement, Placement] | None]


def _pairs(name: str, what: str, have: Layouts, wanted: Layouts) -> Moves:
    """From which layout to which each tensor goes; None for one that is left."""
    if have is None:
        return []
    if wanted is None:
        raise AssertionError(f"{name}: desired_{what} should not be None, as {what} are given")
    both = [layouts if isinstance(layouts, tuple) else (layouts,) for layouts in (have, wanted)]
    if len(both[0]) != len(both[1]):
        raise AssertionError(f"{name}: {what} and desired_{what} should have the same length, not {len(both[0])} and {len(both[1])}")
    for layout in (*both[0], *both[1]):
        if layout is not None and not isinstance(layout, (Shard, Replicate)):
            raise ArgumentTypeError(f"{name}: {what} are Shard(dim), Replicate() or None, not {layout!r}")
    return [None if a is None or b is None else (a, b) for a, b in zip(*both, strict=True)]


def _moved(what: str, values: Sequence[Any], moves: Moves, group: ProcessGroup) -> tuple[Any, ...]:
    if len(values) != len(moves):
        counts = f"{len(values)} and {len(moves)}"
        raise ArgumentValueError(f"parallelize_module: module {what} and their layouts should have the same length, not {counts}")
    return tuple(_one(value, move, group) for value, move in zip(values, moves, strict=True))


def _one(value: Any, move: tuple[Placement, Placement] | None, group: ProcessGroup) -> Any:
    if move is None:
        return value
    if not isinstance(value, Tensor):
        raise AssertionError(f"parallelize_module: a {type(value).__name__} has no layout, as it is no tensor; give None for it")
    return redistributed(value, group, *move)
