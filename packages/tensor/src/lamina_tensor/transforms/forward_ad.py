"""Dual numbers, as PyTorch's `torch.autograd.forward_ad`: tensors with a tangent, which results have, too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from lamina_flatarray import AutogradError

from .forward_mode import pushed_forward
from .func import cut, stand_in

if TYPE_CHECKING:
    from ..tensor import Tensor

__all__ = ["UnpackedDualTensor", "dual_level", "make_dual", "unpack_dual"]


class UnpackedDualTensor(NamedTuple):
    """A dual number's two parts; the tangent is None where there is none."""

    primal: Any
    tangent: Any


class dual_level:
    """The extent in which dual numbers live: `with dual_level(): ...`. One at a time."""

    open: dual_level | None = None

    def __enter__(self) -> dual_level:
        if dual_level.open is not None:
            raise RuntimeError("Nested forward mode AD is not supported at the moment")
        dual_level.open = self
        self.duals: list[tuple[Tensor, Tensor]] = []
        return self

    def __exit__(self, *_: object) -> None:
        dual_level.open = None


def _level() -> dual_level:
    if dual_level.open is None:
        raise AutogradError("Trying to create or read a dual Tensor but no level exists, make sure to enter_dual_level() first.")
    return dual_level.open


def make_dual(tensor: Tensor, tangent: Tensor) -> Tensor:
    """A tensor with the same items that moves along `tangent`.

    Raises:
        AutogradError: no level is open, or the shapes differ.
    """
    level = _level()
    if tensor.shape != tangent.shape:
        raise AutogradError(f"make_dual: tangent of shape {tangent.shape} given for {tensor.shape}")
    made: Tensor = stand_in(tensor)
    level.duals.append((made, tangent))
    return made


def unpack_dual(tensor: Tensor) -> UnpackedDualTensor:
    """A tensor's items, and how they move with the dual numbers that it was computed from."""
    level = _level()
    known = [(x, t) for x, t in level.duals if x.requires_grad]
    (tangent,) = pushed_forward([tensor], [x for x, _ in known], [t for _, t in known], create_graph=True)
    stand_ins = [x for x, _ in level.duals]
    return UnpackedDualTensor(cut(tensor, stand_ins), cut(tangent, stand_ins))
