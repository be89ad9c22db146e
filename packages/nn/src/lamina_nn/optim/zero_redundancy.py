"""ZeroRedundancyOptimizer: each process keeps the state of some parameters, steps them, and sends them to the others (ZeRO, stage 1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from lamina_flatarray import UsageError
from lamina_tensor import Tensor

from ..process_groups import moves
from ..process_groups.objects import gather_object
from ..process_groups.process_group import ProcessGroup, default_group
from ..process_groups.work import run
from .optimizer import Optimizer

__all__ = ["ZeroRedundancyOptimizer"]


class ZeroRedundancyOptimizer(Optimizer):
    """Share the state of an optimizer among processes, each of which steps some of the parameters (Rajbhandari et al. 2020, stage 1).

    Parameters go to processes by size, the largest first, each to the process that has least. Gradients must be the same in all
    processes, as after `DistributedDataParallel`; then so are the parameters, and they are those of the plain optimizer, bit for bit.

    Args:
        params: as of the optimizer.
        optimizer_class: the optimizer, such as `torch.optim.Adam`.
        process_group: the processes; by default all.
        parameters_as_bucket_view, overlap_with_ddp: without effect.
        defaults: the optimizer's settings.

    Attributes:
        optim: the optimizer of this process's parameters.

    Raises:
        ArgumentValueError: there is no process group, or as of the optimizer.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> weight = torch.nn.Parameter(torch.ones(2))
    >>> optimizer = torch.distributed.optim.ZeroRedundancyOptimizer([weight], torch.optim.SGD, lr=0.5)
    >>> weight.sum().backward()
    >>> optimizer.step()
    >>> weight.tolist()
    [0.5, 0.5]
    >>> torch.distributed.destroy_process_group()
    """

    def __init__(
        self, params: Iterable[Any], optimizer_class: type[Optimizer], process_group: ProcessGroup | None = None,
        parameters_as_bucket_view: bool = False, overlap_with_ddp: bool = False, **defaults: Any,
    ) -> None:  # fmt: skip
        self.process_group = process_group or default_group()
        self.optim: Any = None
        self._whole: dict[str, Any] | None = None
        super().__init__(params, defaults)
        self._share_out()
        own = [{**group, "params": self._mine(group["params"])} for group in self.param_groups]
        for group in own:
            group.pop("param_names", None)
        self.optim = optimizer_class(own, **defaults)
        for whole, mine in zip(self.param_groups, self.optim.param_groups, strict=True):
            whole.update({name: value for name, value in mine.items() if name not in ("params", "param_names")})
        self.state = self.optim.state

    def _share_out(self) -> None:
        """Give each parameter to the process that has least so far."""
        self._owner: dict[int, int] = {}
        filled = [0] * self.process_group.size()
        for p in sorted(self._all(), key=lambda p: -p.numel()):
            owner = filled.index(min(filled))
            self._owner[id(p)] = owner
            filled[owner] += p.numel()

    def _all(self) -> list[Tensor]:
        return [p for group in self.param_groups for p in group["params"]]

    def _mine(self, parameters: Sequence[Tensor]) -> list[Tensor]:
        return [p for p in parameters if self._owner[id(p)] == self.process_group.rank()]

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add parameters with settings of their own.

        Args:
            param_group: `params` and the settings.

        Raises:
            UsageError: the optimizer is in use already.
        """
        if self.optim is not None:
            raise UsageError("ZeroRedundancyOptimizer.add_param_group: give all parameters when it is made; they are shared out then")
        super().add_param_group(param_group)

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Step the parameters of this process, and exchange all.

        Args:
            closure: computes the loss again, and is called first.

        Returns:
            What the closure returned, or None.

        Raises:
            RankLost: a process was killed, is stopped or does not come.
        """
        self._whole = None
        for whole, mine in zip(self.param_groups, self.optim.param_groups, strict=True):
            mine.update({name: value for name, value in whole.items() if name not in ("params", "param_names")})
        result = self.optim.step() if closure is None else self.optim.step(closure)
        for rank in range(self.process_group.size()):
            arrays = [p.array for p in self._all() if self._owner[id(p)] == rank]
            run("ZeroRedundancyOptimizer.step", self.process_group, moves.broadcast(self.process_group, arrays, rank), arrays=arrays)
        return result

    def consolidate_state_dict(self, to: int = 0) -> None:
        """Collect the state of all processes in one, whose `state_dict` then is that of the plain optimizer. All processes call it.

        Args:
            to: that process, by its index in the group.

        Raises:
            RankLost: a process was killed, is stopped or does not come.
        """
        own = self.optim.state_dict()["state"]
        numbers = [i for i, p in enumerate(self._all()) if self._owner[id(p)] == self.process_group.rank()]
        mine = {numbers[i]: state for i, state in own.items()}
        receives = self.process_group.rank() == to
        every: list[Any] | None = [None] * self.process_group.size() if receives else None
        gather_object(mine, every, group=self.process_group, group_dst=to)
        if every is None:
            return
        states = {i: state for part in every for i, state in part.items()}
        groups = super().state_dict()["param_groups"]
        self._whole = {"state": dict(sorted(states.items())), "param_groups": groups}

    def state_dict(self) -> dict[str, Any]:
        """Return the state of all parameters, as `consolidate_state_dict` collected it.

        Returns:
            A dict as of the plain optimizer.

        Raises:
            UsageError: it was not collected in this process since the last step.
        """
        if self._whole is None:
            raise UsageError(
                "ZeroRedundancyOptimizer.state_dict: Optimizer state has not been consolidated on this rank. Please call "
                "`consolidate_state_dict(to=rank)` on all ranks beforehand if you meant to save the global state."
            )
        return self._whole

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Load the state of all parameters, as of the plain optimizer; each process keeps its own part.

        Args:
            state_dict: what `state_dict` returned, of any number of processes, or that of the plain optimizer.

        Raises:
            ArgumentValueError: it is of other parameters.
        """
        self._whole = None
        states, wanted = state_dict["state"], self.optim.state_dict()
        numbers = [i for i, p in enumerate(self._all()) if self._owner[id(p)] == self.process_group.rank()]
        groups = [
            {**{name: value for name, value in whole.items() if name != "param_names"}, "params": mine["params"]}
            for whole, mine in zip(state_dict["param_groups"], wanted["param_groups"], strict=True)
        ]
        own = {i: states[number] for i, number in enumerate(numbers) if number in states}
        self.optim.load_state_dict({"state": own, "param_groups": groups})
        self.state = self.optim.state
        for whole, mine in zip(self.param_groups, self.optim.param_groups, strict=True):
            whole.update({name: value for name, value in mine.items() if name not in ("params", "param_names")})
