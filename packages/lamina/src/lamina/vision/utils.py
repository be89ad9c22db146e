"""torchvision's `utils`: many images as one."""

from typing import TYPE_CHECKING

from lamina_nn.data.grids import make_grid, save_image

from ..absent_names import explained

__all__ = ["make_grid", "save_image"]

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
