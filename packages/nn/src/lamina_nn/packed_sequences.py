"""Sequences of different lengths in one tensor: padded to one length, or packed step by step without padding."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, Self

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError, ShapeError, UsageError, int8, uint8
from lamina_tensor import Tensor

__all__ = [
    "PackedSequence", "invert_permutation", "pack_padded_sequence", "pack_sequence", "pad_packed_sequence", "pad_sequence",
    "unpack_sequence", "unpad_sequence",
]  # fmt: skip


class _Fields(NamedTuple):
    data: Tensor
    batch_sizes: Tensor
    sorted_indices: Tensor | None
    unsorted_indices: Tensor | None


class PackedSequence(_Fields):
    """The first items of all sequences, then all second items, and so on; longer sequences come first.

    Attributes:
        data: the items, (sum of lengths, ...).
        batch_sizes: how many sequences have an item at each step: int64, on the CPU, never growing.
        sorted_indices: which of the sequences as given comes first, second, ...; None if they came sorted.
        unsorted_indices: where each of the sequences as given went.

    Raises:
        ValueError: the batch sizes are not on the CPU.
    """

    __slots__ = ()
    __match_args__ = ("data", "batch_sizes", "sorted_indices", "unsorted_indices")

    def __new__(
        cls, data: Any, batch_sizes: Tensor | None = None, sorted_indices: Tensor | None = None,
        unsorted_indices: Tensor | None = None,
    ) -> Self:  # fmt: skip
        if batch_sizes is None:
            data, batch_sizes = data
        if batch_sizes.device.type != "cpu":
            raise ArgumentValueError("PackedSequence: batch_sizes should always be on CPU; make one with pack_sequence")
        if unsorted_indices is None:
            unsorted_indices = invert_permutation(sorted_indices)
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    def _with(self, data: Tensor) -> Self:
        """The same structure around other items, on their device."""
        if data is self.data:
            return self
        order = [None if t is None else t.to(data.device) for t in (self.sorted_indices, self.unsorted_indices)]
        return type(self)(data, self.batch_sizes, *order)

    def to(self, *args: Any, **kwargs: Any) -> Self:
        """With its data on another device or in another dtype; see `Tensor.to`."""
        return self._with(self.data.to(*args, **kwargs))

    def cpu(self, *args: Any, **kwargs: Any) -> Self:
        """With its data on the CPU."""
        return self.to("cpu")

    def cuda(self, *args: Any, **kwargs: Any) -> Self:
        """With its data on a CUDA device."""
        return self._with(self.data.cuda(*args, **kwargs))

    def pin_memory(self) -> Self:
        """With its data in pinned memory."""
        return self._with(self.data.pin_memory())

    def double(self) -> Self:
        """With its data in float64."""
        return self._with(self.data.double())

    def float(self) -> Self:
        """With its data in float32."""
        return self._with(self.data.float())

    def half(self) -> Self:
        """With its data in float16."""
        return self._with(self.data.half())

    def long(self) -> Self:
        """With its data in int64."""
        return self._with(self.data.long())

    def int(self) -> Self:
        """With its data in int32."""
        return self._with(self.data.int())

    def short(self) -> Self:
        """With its data in int16."""
        return self._with(self.data.short())

    def char(self) -> Self:
        """With its data in int8."""
        return self._with(self.data.to(dtype=int8))

    def byte(self) -> Self:
        """With its data in uint8."""
        return self._with(self.data.to(dtype=uint8))

    @property
    def is_cuda(self) -> bool:
        """Whether the data are on a CUDA device."""
        return self.data.is_cuda

    def is_pinned(self) -> bool:
        """Whether the data are in pinned memory."""
        return self.data.is_pinned()


def invert_permutation(permutation: Tensor | None) -> Tensor | None:
    """Where a permutation puts each index; None for None."""
    if permutation is None:
        return None
    order = lt.arange(permutation.shape[0], device=permutation.device)
    return lt.scatter(lt.empty_like(permutation), 0, permutation, order.to(permutation.dtype))


def pack_padded_sequence(
    input: Tensor, lengths: Tensor | Sequence[int], batch_first: bool = False, enforce_sorted: bool = True
) -> PackedSequence:
    """Padded sequences without their padding.

    Args:
        input: (steps, batch, ...), or (batch, steps, ...) with `batch_first`.
        lengths: of each sequence, at least 1, on the CPU.
        enforce_sorted: whether the longest come first already; if not, they are sorted.

    Raises:
        RuntimeError: lengths are not positive, not sorted, not on the CPU, or not one per sequence.
    """
    if isinstance(lengths, Tensor) and lengths.device.type != "cpu":
        raise UsageError(f"pack_padded_sequence: 'lengths' argument should be a 1D CPU int64 tensor, but got it on {lengths.device}")
    sizes = lt.as_tensor(lengths).long()
    order = None
    if not enforce_sorted:
        sizes, order = lt.sort(sizes, descending=True)
        order = order.to(input.device)
        input = lt.index_select(input, 0 if batch_first else 1, order)
    steps = lt.transpose(input, 0, 1) if batch_first else input
    counts = sizes.tolist()
    if not steps.numel():
        raise ShapeError("pack_padded_sequence: Cannot pack empty tensors.")
    if len(counts) != steps.shape[1]:
        raise ShapeError(
            f"pack_padded_sequence: Expected `len(lengths)` to be equal to batch_size, but got {len(counts)} "
            f"(batch_size={steps.shape[1]})"
        )
    if any(a < b for a, b in pairwise(counts)):
        raise UsageError(
            "pack_padded_sequence: `lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can "
            "pass `enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to sidestep this requirement"
        )
    if counts[-1] <= 0:
        raise ShapeError(
            f"pack_padded_sequence: Length of all samples has to be greater than 0, but found an element of length {counts[-1]}"
        )
    if counts[0] > steps.shape[0]:
        raise ShapeError(f"pack_padded_sequence: Expected sequence length {counts[0]} to be at most {steps.shape[0]}, that of input")
    batch_sizes = [sum(n > t for n in counts) for t in range(counts[0])]
    rows, within = _grid(batch_sizes, input.device)
    return PackedSequence(steps[rows, within], lt.tensor(batch_sizes, dtype="int64", device="cpu"), order, None)


def _grid(batch_sizes: Sequence[int], device: Any) -> tuple[Tensor, Tensor]:
    """The step and the sequence of each packed item."""
    steps = [t for t, n in enumerate(batch_sizes) for _ in range(n)]
    sequences = [i for n in batch_sizes for i in range(n)]
    return lt.tensor(steps, dtype="int64", device=device), lt.tensor(sequences, dtype="int64", device=device)


def pad_packed_sequence(
    sequence: PackedSequence, batch_first: bool = False, padding_value: float = 0.0, total_length: int | None = None
) -> tuple[Tensor, Tensor]:
    """Packed sequences in the order that they were given in, padded to the longest, and their lengths.

    Args:
        sequence: what `pack_padded_sequence` made.
        batch_first: (batch, steps, ...) in the place of (steps, batch, ...).
        padding_value: what stands behind the end.
        total_length: to how many steps, where it is more.

    Raises:
        ValueError: `total_length` is below the longest.
    """
    batch_sizes = sequence.batch_sizes.tolist()
    longest = len(batch_sizes)
    if total_length is not None and total_length < longest:
        raise ShapeError(
            f"Expected total_length to be at least the length of the longest sequence in input, but got "
            f"total_length={total_length} and max sequence length being {longest}"
        )
    data = sequence.data
    rows, within = _grid(batch_sizes, data.device)
    blank = lt.full(
        (total_length or longest, batch_sizes[0], *data.shape[1:]), padding_value, dtype=data.dtype, device=data.device
    )
    padded = lt.index_put(blank, (rows, within), data)
    lengths = lt.tensor([sum(n > i for n in batch_sizes) for i in range(batch_sizes[0])], dtype="int64", device="cpu")
    if batch_first:
        padded = lt.transpose(padded, 0, 1)
    order = sequence.unsorted_indices
    if order is None:
        return padded, lengths
    return lt.index_select(padded, 0 if batch_first else 1, order), lengths[order.cpu()]


def pad_sequence(
    sequences: Any, batch_first: bool = False, padding_value: float = 0.0, padding_side: str = "right"
) -> Tensor:
    """Sequences (length, ...) stacked along a new dim, filled to the longest.

    Args:
        sequences: tensors that differ in their first dim only.
        batch_first: (batch, steps, ...) in the place of (steps, batch, ...).
        padding_value: what they are filled with.
        padding_side: "right", behind their ends, or "left".

    Raises:
        RuntimeError: they are not iterable, empty, or differ in other dims; or the side is unknown.
    """
    if not isinstance(sequences, Iterable):
        raise UsageError(f"pad_sequence: Expected iterable for input sequences, but got arg of type: {type(sequences)}")
    given = list(sequences)
    if not given:
        raise UsageError("pad_sequence: received an empty list of sequences")
    if padding_side not in ("left", "right"):
        raise UsageError(f"pad_sequence: Expected padding_side to be one of left or right, but got {padding_side}.")
    first = given[0]
    longest = max(s.shape[0] for s in given)
    whole = []
    for s in given:
        missing = longest - s.shape[0]
        if missing:
            filling = lt.full((missing, *first.shape[1:]), padding_value, dtype=first.dtype, device=first.device)
            s = lt.cat([filling, s] if padding_side == "left" else [s, filling])
        whole.append(s)
    return lt.stack(whole, 0 if batch_first else 1)


def unpad_sequence(padded_sequences: Tensor, lengths: Tensor, batch_first: bool = False) -> list[Tensor]:
    """The sequences, each without what stands behind its length."""
    rows = padded_sequences if batch_first else lt.transpose(padded_sequences, 0, 1)
    return [row[: int(n)] for row, n in zip(rows, lengths.tolist(), strict=True)]


def pack_sequence(sequences: Sequence[Tensor], enforce_sorted: bool = True) -> PackedSequence:
    """Sequences (length, ...) packed; the longest come first, or they are sorted where `enforce_sorted` is false.

    Raises:
        RuntimeError: they are not sorted, but should be.
    """
    lengths = lt.tensor([s.shape[0] for s in sequences], dtype="int64", device="cpu")
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences: PackedSequence) -> list[Tensor]:
    """The sequences that were packed, in the order that they were given in."""
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return unpad_sequence(padded, lengths, batch_first=True)
