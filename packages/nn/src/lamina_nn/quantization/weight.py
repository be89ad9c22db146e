"""QuantizedWeight: integers of few bits, and what makes floats of them."""

from __future__ import annotations

from dataclasses import dataclass

from lamina_flatarray import ArgumentValueError, DTypeError, ShapeError, float64, int8, uint8
from lamina_tensor import Tensor

__all__ = ["QuantizedWeight"]


@dataclass(frozen=True, slots=True, eq=False)
class QuantizedWeight:
    """Hold a weight (out_features, in_features) of few bits: item i of a row is `(q - zero_point) * scale`, by the group of i.

    An affine map of a scale and a zero point, as in Jacob et al., Quantization and Training of Neural Networks, CVPR 2018. Zero points
    are floats, so that a group's least item m, to which q = 0 is to lead, is held as `zero_point = -m / scale`.

    Args:
        values: q. For 8 bits int8 (out_features, in_features). For 4 bits uint8 (out_features, ceil(in_features / 2)) with two items to
            a byte, the item at the even place in the lower bits; q is 0 to 15.
        scales: (out_features, groups), float32, float16 or bfloat16.
        zero_points: as scales; None for 0 of 8 bits, and 8 of 4 bits, which are then -8 to 7.
        bits: 8 or 4.
        group_size: how many items of a row have one scale; the last group may be shorter. Even for 4 bits, unless it is the whole row;
            None for the whole row.
        in_features: the length of a row; None for all that `values` has room for.

    Attributes:
        values, scales, zero_points, bits: as given.
        group_size, in_features: as given, or the numbers that None stands for.

    Raises:
        ArgumentValueError: there are no such bits or groups.
        DTypeError: values or scales are of other dtypes.
        ShapeError: their shapes do not fit each other.

    >>> weight = torch.quantization.QuantizedWeight(torch.tensor([[100, -50]], dtype=torch.int8), torch.tensor([[0.01]]))
    >>> torch.quantization.dequantize(weight)
    tensor([[ 1.0000, -0.5000]])
    >>> weight.shape, weight.symmetric
    ((1, 2), True)
    """

    values: Tensor
    scales: Tensor
    zero_points: Tensor | None = None
    bits: int = 8
    group_size: int | None = None
    in_features: int | None = None

    def __post_init__(self) -> None:
        name = "QuantizedWeight"
        if self.bits not in (4, 8):
            raise ArgumentValueError(f"{name}: {self.bits} bits given; it wants 8 or 4")
        wanted = int8 if self.bits == 8 else uint8
        if self.values.dtype is not wanted:
            raise DTypeError(f"{name}: values of {self.bits} bits are {wanted.name}, got {self.values.dtype.name}")
        if self.values.ndim != 2:
            raise ShapeError(f"{name}: values {tuple(self.values.shape)} given; it wants 2 dims")
        rows, columns = self.values.shape
        length = self.in_features
        if length is None:
            length = columns * (8 // self.bits)
            object.__setattr__(self, "in_features", length)
        if columns != (length * self.bits + 7) // 8:
            raise ShapeError(f"{name}: values {(rows, columns)} of {self.bits} bits do not hold rows of {length} items")
        if self.group_size is None:
            object.__setattr__(self, "group_size", max(length, 1))
        size = self.group_size or 0
        if size < 1 or (self.bits == 4 and size % 2 and size < length):
            raise ArgumentValueError(f"{name}: groups of {size} of {self.bits} bits given; it wants 1 or more, even for 4 bits")
        groups = -(-length // size)
        for label, given in (("scales", self.scales), ("zero_points", self.zero_points)):
            if given is None:
                continue
            if not given.dtype.is_floating_point or given.dtype is float64:
                raise DTypeError(f"{name}: {label} are {given.dtype.name}; it wants float32, float16 or bfloat16")
            if tuple(given.shape) != (rows, groups):
                raise ShapeError(f"{name}: {label} {tuple(given.shape)} given; values {(rows, columns)} want {(rows, groups)}")

    @property
    def shape(self) -> tuple[int, int]:
        """The shape of the weight that this stands for."""
        return self.values.shape[0], self.in_features or 0

    @property
    def symmetric(self) -> bool:
        """Whether there are no zero points."""
        return self.zero_points is None
