"""PyTorch's module path `torch.utils`, kept for programs that import it; nothing else of lamina is named so."""

from ..absent_names import explained as _explained
from . import data

_explained(globals())
