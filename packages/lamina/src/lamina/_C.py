"""PyTorch's private `torch._C`, its compiled part: the little of it that published packages call without being PyTorch's own."""

from typing import TYPE_CHECKING

from .absent_names import explained

__all__: list[str] = []


def _log_api_usage_once(event: str) -> None:
    """Tell nobody that something is used, as PyTorch does where no logger is set."""


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
