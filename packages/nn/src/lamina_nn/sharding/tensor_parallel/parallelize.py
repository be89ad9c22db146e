"""parallelize_module: layers of a module cut into parts, as a plan says."""

from __future__ import annotations

import warnings
from fnmatch import fnmatchcase

from lamina_flatarray import ArgumentTypeError

from ...module import Module
from ...process_groups.device_mesh import DeviceMesh
from ..distributed_tensor import line_of
from .styles import ParallelStyle

__all__ = ["parallelize_module"]


def parallelize_module(
    module: Module,
    device_mesh: DeviceMesh | None = None,
    parallelize_plan: ParallelStyle | dict[str, ParallelStyle] | None = None,
    *,
    src_data_rank: int | None = 0,
) -> Module:
    """Cut layers into parts, one in each process, which compute them together. All processes call it, and then the layers.

    Args:
        module: the module, which is changed.
        device_mesh: the processes, in a row; by default all.
        parallelize_plan: the style of the module itself; or a dict from paths of modules below, in which `*` stands for any name, to
            their styles.
        src_data_rank: whose parameters are taken, by its index in the row; None for each process's own.

    Returns:
        The module itself, whose parameters in parts now are DTensors: make the optimizer after this.

    Raises:
        ArgumentTypeError: the plan is of another kind.
        OpNotImplemented: the grid has several dims, or a module is neither a Linear nor an Embedding.
        RankLost: a process was killed, is stopped or does not come.

    >>> from lamina.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module
    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> mlp = torch.nn.Sequential(torch.nn.Linear(3, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2))
    >>> mlp = parallelize_module(mlp, parallelize_plan={"0": ColwiseParallel(), "2": RowwiseParallel()})
    >>> mlp(torch.ones(5, 3)).shape
    lamina.Size([5, 2])
    >>> torch.distributed.destroy_process_group()
    """
    line = line_of("parallelize_module", device_mesh)
    if parallelize_plan is None:
        warnings.warn("parallelize_module: no parallelize_plan is given, so nothing is cut", stacklevel=2)
        return module
    plan = {"": parallelize_plan} if isinstance(parallelize_plan, ParallelStyle) else parallelize_plan
    if not isinstance(plan, dict) or not all(isinstance(style, ParallelStyle) for style in plan.values()):
        raise ArgumentTypeError(f"parallelize_module: a ParallelStyle or a dict of them wanted as the plan, not {parallelize_plan!r:.100}")
    modules = list(module.named_modules())
    for pattern, style in plan.items():
        found = [part for path, part in modules if _fits(path, pattern)]
        if not found:
            warnings.warn(f"parallelize_module: no module is at {pattern!r}, so nothing is cut there", stacklevel=2)
        for part in found:
            style.src_data_rank = src_data_rank
            style._apply(part, line)
    return module


def _fits(path: str, pattern: str) -> bool:
    names, patterns = path.split("."), pattern.split(".")
    return len(names) == len(patterns) and all(map(fnmatchcase, names, patterns))
