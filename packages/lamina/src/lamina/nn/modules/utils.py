"""PyTorch's `torch.nn.modules.utils`: sizes of several dims from one number."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import repeat
from typing import TYPE_CHECKING, Any

from ...absent_names import explained

__all__ = ["consume_prefix_in_state_dict_if_present"]


def consume_prefix_in_state_dict_if_present(state_dict: dict[str, Any], prefix: str) -> None:
    """Take a prefix off the names of a state dict that have it, as those of a module within `DataParallel` do.

    Args:
        state_dict: the state dict, which is changed; also the names of its `_metadata`.
        prefix: the prefix.

    >>> state = {"module.weight": torch.ones(1), "module.bias": torch.zeros(1)}
    >>> torch.nn.modules.utils.consume_prefix_in_state_dict_if_present(state, "module.")
    >>> list(state)
    ['weight', 'bias']
    """
    for names in (state_dict, getattr(state_dict, "_metadata", {})):
        for name in list(names):
            if name.startswith(prefix):
                names[name.removeprefix(prefix)] = names.pop(name)
            elif name == prefix.removesuffix("."):  # of the metadata, the module itself
                names[""] = names.pop(name)


def _ntuple(n: int, name: str = "parse") -> Callable[[Any], tuple[Any, ...]]:
    """A function that gives what it is given n times, and a tuple of several as it is."""

    def parse(x: Any) -> tuple[Any, ...]:
        return tuple(x) if isinstance(x, Iterable) else tuple(repeat(x, n))

    parse.__name__ = name
    return parse


_single = _ntuple(1, "_single")
_pair = _ntuple(2, "_pair")
_triple = _ntuple(3, "_triple")
_quadruple = _ntuple(4, "_quadruple")


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
