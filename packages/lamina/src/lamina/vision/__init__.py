"""What programs for PyTorch ask of torchvision: data sets, transforms and grids of images; no models and no weights."""

from typing import TYPE_CHECKING

from ..absent_names import explained

__all__ = ["datasets", "transforms", "utils"]

if TYPE_CHECKING:
    from . import datasets, transforms, utils
else:
    __getattr__, __dir__ = explained(__name__, __all__)
