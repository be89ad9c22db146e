"""Dual numbers, as PyTorch's `torch.autograd.forward_ad`: tensors with a tangent, which results have, too."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lamina_flatarray import AutogradError, UsageError

from .forward_mode import pushed_forward
from .func import cut, stand_in

if TYPE_CHECKING:
    from ..tensor_class import Tensor

__all__ = ["UnpackedDualTensor", "dual_level", "make_dual", "unpack_dual"]


class UnpackedDualTensor(NamedTuple):
    """The two parts of a dual number.

    Args:
        primal: the items.
        tangent: how they move; None where they do not.

    >>> import lamina.autograd.forward_ad as fwAD
    >>> with fwAD.dual_level():
    ...     dual = fwAD.make_dual(torch.tensor(3.0), torch.tensor(1.0))
    ...     fwAD.unpack_dual(dual.exp()).primal
    tensor(20.0855)
    """

    primal: Tensor
    tangent: Tensor | None


class dual_level:
    """A block in which there are dual numbers. Blocks do not nest.

    Raises (when entered):
        UsageError: another one is entered.

    >>> import lamina.autograd.forward_ad as fwAD
    >>> with fwAD.dual_level():
    ...     dual = fwAD.make_dual(torch.tensor(3.0), torch.tensor(1.0))
    ...     fwAD.unpack_dual(dual * dual).tangent
    tensor(6.)
    """

    open: dual_level | None = None

    def __enter__(self) -> dual_level:
        if dual_level.open is not None:
            raise UsageError("Nested forward mode AD is not supported at the moment")
        dual_level.open = self
        self.duals: list[tuple[Tensor, Tensor]] = []
        return self

    def __exit__(self, *_: object) -> None:
        dual_level.open = None


def _level() -> dual_level:
    if dual_level.open is None:
        raise AutogradError("Trying to create or read a dual Tensor but no level exists, make sure to enter_dual_level() first.")
    return dual_level.open


def make_dual(tensor: Tensor, tangent: Tensor, *, level: int | None = None) -> Tensor:
    """Make a dual number of a tensor and a tangent; see `dual_level` for an example.

    Args:
        tensor: the items.
        tangent: how they move, of the same shape.
        level: accepted: there is one level.

    Returns:
        A tensor over the same memory.

    Raises:
        AutogradError: no level is open, or the shapes differ.

    >>> import lamina.autograd.forward_ad as fwAD
    >>> with fwAD.dual_level():
    ...     dual = fwAD.make_dual(torch.tensor([2.0, 3.0]), torch.tensor([1.0, 0.0]))
    ...     fwAD.unpack_dual(dual * dual).tangent
    tensor([4., 0.])
    """
    current = _level()
    if tensor.shape != tangent.shape:
        raise AutogradError(f"make_dual: tangent of shape {tangent.shape} given for {tensor.shape}")
    result: Tensor = stand_in(tensor)
    current.duals.append((result, tangent))
    return result


def unpack_dual(tensor: Tensor, *, level: int | None = None) -> UnpackedDualTensor:
    """Split a tensor into its items and their tangent; see `dual_level` for an example.

    Args:
        tensor: a dual number, or what was computed of dual numbers.
        level: accepted: there is one level.

    Returns:
        (primal, tangent).

    Raises:
        AutogradError: no level is open.

    >>> import lamina.autograd.forward_ad as fwAD
    >>> with fwAD.dual_level():
    ...     dual = fwAD.make_dual(torch.tensor(2.0), torch.tensor(5.0))
    ...     primal, tangent = fwAD.unpack_dual(dual * 10)
    >>> primal, tangent
    (tensor(20.), tensor(50.))
    """
    current = _level()
    known = [(x, t) for x, t in current.duals if x.requires_grad]
    (tangent,) = pushed_forward([tensor], [x for x, _ in known], [t for _, t in known], create_graph=True)
    stand_ins = [x for x, _ in current.duals]
    return UnpackedDualTensor(cut(tensor, stand_ins), cut(tangent, stand_ins))
