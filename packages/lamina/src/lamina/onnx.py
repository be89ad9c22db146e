"""PyTorch's `torch.onnx`: programs import it and export at their user's wish only; there is no export here."""

from .absent_names import explained as _explained

_explained(globals())
