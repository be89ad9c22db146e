"""PyTorch's `torch.utils.model_zoo`, which `torch.hub` replaced."""

from typing import TYPE_CHECKING

from ..absent_names import explained
from ..hub import load_state_dict_from_url as load_url
from ..hub import tqdm

__all__ = ["load_url", "tqdm"]

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
