"""PyTorch's `torch.utils.flop_counter`: packages import it; nothing counts here what ops cost."""

from typing import TYPE_CHECKING, Any, NoReturn

from ..absent_names import explained

__all__ = ["FlopCounterMode"]


class FlopCounterMode:
    """PyTorch's context that counts what ops cost, which is refused when it is entered.

    Args:
        mods, depth, display, custom_mapping: as in PyTorch.

    >>> with torch.utils.flop_counter.FlopCounterMode():
    ...     pass
    Traceback (most recent call last):
    ...
    NotImplementedError: torch.utils.flop_counter.FlopCounterMode: lamina does not count what ops cost
    """

    def __init__(self, mods: Any = None, depth: int = 2, display: bool = True, custom_mapping: dict[Any, Any] | None = None) -> None:
        self.depth, self.display = depth, display

    def __enter__(self) -> NoReturn:
        raise NotImplementedError("torch.utils.flop_counter.FlopCounterMode: lamina does not count what ops cost")

    def __exit__(self, *exception: object) -> None: ...


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
