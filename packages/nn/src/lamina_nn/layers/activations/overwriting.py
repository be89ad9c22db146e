"""Activations that may be written over their inputs."""

from __future__ import annotations

from ...module import Module

__all__ = ["InPlace"]


class InPlace(Module):
    """An activation that may overwrite its input.

    Args:
        inplace: whether it does.

    >>> torch.nn.ReLU(inplace=True)
    ReLU(inplace=True)
    """

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def _shown(self, *settings: str) -> str:
        return ", ".join([*settings, *(["inplace=True"] if self.inplace else [])])

    def extra_repr(self) -> str:
        """Describe the module's settings.

        Returns:
            The text between the parentheses where the module is printed.

        >>> torch.nn.ReLU(inplace=True).extra_repr()
        'inplace=True'
        """
        return self._shown()
