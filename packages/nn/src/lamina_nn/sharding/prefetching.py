"""What a forward pass gathers, and what is gathered ahead of time, while another module computes.

The order of the last forward pass tells what comes next in this one. Backward passes go through what was left last first.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Final
from weakref import ReferenceType, ref

from lamina_flatarray import AutogradError
from lamina_ndarray import NDArray
from lamina_ndarray.array_fields import view_of
from lamina_tensor import Tensor
from lamina_tensor.tensor_fields import tensor_of

from ..process_groups.work import Work
from .gathering import gathered, gathered_ahead

if TYPE_CHECKING:
    from .sharded_parameters import ShardedParameters

__all__ = ["ForwardPass", "Gathering"]

_NAME = "fully_shard"


class Gathering:
    """What one forward pass has gathered: the whole parameters, as long as somebody wants them.

    Args:
        parameters: whose they are.

    Attributes:
        parameters: as given.
        arrays: the whole parameters, while they are there.
        is_noted: whether the backward pass will want them.
        before: what a backward pass wants after this.
    """

    def __init__(self, parameters: ShardedParameters) -> None:
        self.parameters = parameters
        self.arrays: list[NDArray] | None = None
        self.is_noted = False
        self.before: ReferenceType[Gathering] | None = None
        self._coming: tuple[list[NDArray], Work] | None = None
        self._is_wanted = False
        self._versions = self._current()

    def _current(self) -> list[tuple[int, int]]:
        return [(id(shard.array.flat), shard.array.flat.version) for shard in self.parameters.shards]

    @property
    def is_current(self) -> bool:
        """Whether the parameters are what they were when this was made."""
        return self._current() == self._versions

    def begin(self) -> None:
        """Begin to gather the parameters beside the program, unless they are there, or on their way."""
        if self.arrays is None and self._coming is None and self.is_current and self.parameters.shards:
            self._coming = gathered_ahead(_NAME, self.parameters.group, *self._shards())

    def wholes(self) -> list[NDArray]:
        """The whole parameters, which are gathered if they are not there."""
        if self.arrays is None:
            if not self.is_current:
                raise AutogradError(
                    f"{_NAME}: parameters needed for gradient computation have been modified since the forward pass; call backward before "
                    "the optimizer's step, or shard with reshard_after_forward=False"
                )
            if self._coming is None:
                self.arrays = gathered(_NAME, self.parameters.group, *self._shards())
            else:
                arrays, work = self._coming
                work.wait()
                self.arrays, self._coming = arrays, None
        return self.arrays

    def _shards(self) -> tuple[list[NDArray], list[tuple[int, ...]]]:
        return [p.array for p in self.parameters.shards], [tuple(p.shape) for p in self.parameters.shards]

    def view(self, packed: tuple[int, Any]) -> Tensor:
        """What an op has saved of a whole parameter, as a backward pass wants it."""
        number, layout = packed
        view = view_of(self.wholes()[number], layout)
        if not self._is_wanted:
            self._is_wanted = True
            chosen = self.parameters.backward_ahead
            for following in [self.before] if chosen is None else [parameters.latest for parameters in chosen]:
                gathering = following and following()
                if gathering and gathering.is_noted:
                    gathering.begin()
        return tensor_of(view)

    def let_go(self) -> None:
        """Forget the whole parameters."""
        if self._coming is not None:
            self._coming[1].wait()  # it reads the shards
        self.arrays, self._coming, self._is_wanted = None, None, False


class ForwardPass:
    """One forward pass of a sharded module, which is in no other one, and of all that are below it.

    Args:
        outermost: its parameters.
    """

    _now: Final = threading.local()

    def __init__(self, outermost: ShardedParameters) -> None:
        self._outermost = outermost
        self._expected = outermost.order
        self._order: list[ShardedParameters] = []
        self._inside = 0
        self._ahead: dict[int, Gathering] = {}
        self._left: ReferenceType[Gathering] | None = None

    @staticmethod
    def current(parameters: ShardedParameters) -> ForwardPass:
        """Return the pass that is under way in this thread; else a new one, which begins with these parameters."""
        return getattr(ForwardPass._now, "passing", None) or ForwardPass(parameters)

    def taken(self, parameters: ShardedParameters) -> Gathering | None:
        """Return what was begun to gather for them, if it still holds."""
        gathering = self._ahead.pop(id(parameters), None)
        return gathering if gathering is None or gathering.is_current else None

    def entered(self, parameters: ShardedParameters) -> None:
        """Begin to gather what is wanted after these, which have been gathered now."""
        ForwardPass._now.passing = self
        self._inside += 1
        at = len(self._order)
        self._order.append(parameters)
        following = parameters.forward_ahead
        if following is None:
            following = self._expected[at + 1 : at + 2] if self._expected[at : at + 1] == [parameters] else []
        for other in following:
            if other.shards and id(other) not in self._ahead:
                self._ahead[id(other)] = Gathering(other)
                self._ahead[id(other)].begin()

    def left(self, gathering: Gathering) -> None:
        """Note the order for backward passes; behind the outermost module, end."""
        if gathering.parameters.shards:
            gathering.before, self._left = self._left, ref(gathering)
        self._inside -= 1
        if not self._inside:
            ForwardPass._now.passing = None
            self._outermost.order = self._order
            for unwanted in self._ahead.values():
                unwanted.let_go()
