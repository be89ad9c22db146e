"""PyTorch's `torch.ao.quantization`: where a model's numbers are to become integers, and floats again; nothing is quantized."""

from typing import TYPE_CHECKING, Any

from lamina_nn import Module
from lamina_tensor import Tensor

from ...absent_names import explained

__all__ = ["DeQuantStub", "QuantStub"]


class QuantStub(Module):
    """A mark of where numbers are to become integers; as in a model of PyTorch's that is not converted, the identity.

    Args:
        qconfig: accepted as in PyTorch.

    >>> torch.ao.quantization.QuantStub()(torch.tensor([1.0]))
    tensor([1.])
    """

    def __init__(self, qconfig: Any = None) -> None:
        super().__init__()
        if qconfig is not None:
            self.qconfig = qconfig

    def forward(self, x: Tensor) -> Tensor:
        """Return the input itself.

        Args:
            x: any tensor.

        Returns:
            The same tensor.
        """
        return x


class DeQuantStub(QuantStub):
    """A mark of where integers are to become floats again; the identity, as `QuantStub`.

    Args:
        qconfig: accepted as in PyTorch.

    >>> torch.ao.quantization.DeQuantStub()(torch.tensor([1.0]))
    tensor([1.])
    """


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
