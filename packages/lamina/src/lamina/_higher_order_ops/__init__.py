"""PyTorch's private `torch._higher_order_ops`: of its functions of functions, those that published packages call."""

from typing import TYPE_CHECKING

from ..absent_names import explained

__all__ = ["associative_scan"]

if TYPE_CHECKING:
    from . import associative_scan
else:
    __getattr__, __dir__ = explained(__name__, __all__)
