"""What programs for PyTorch ask of torchvision: data sets, transforms and grids of images; no models and no weights."""

from ..absent_names import explained as _explained

_explained(globals(), ("datasets", "transforms", "utils"))
