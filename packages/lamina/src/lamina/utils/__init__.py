"""PyTorch's module path `torch.utils`, kept for programs that import it; nothing else of lamina is named so."""

from typing import TYPE_CHECKING

from ..absent_names import explained

__all__ = ["checkpoint", "data", "dlpack", "flop_counter", "hooks", "model_zoo"]

if TYPE_CHECKING:
    from . import checkpoint, data, dlpack, flop_counter, hooks, model_zoo
else:
    __getattr__, __dir__ = explained(__name__, __all__)
