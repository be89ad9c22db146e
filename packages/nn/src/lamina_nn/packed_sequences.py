"""Sequences of different lengths in one tensor: padded to one length, or packed step by step without padding."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, Self

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError, ShapeError, UsageError, int8, int64, uint8
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
    """Hold sequences of different lengths without padding: the first items of all, then all second items, and so on,
    longer sequences first.

    `pack_padded_sequence` and `pack_sequence` make one.

    Args:
        data: the items, (sum of lengths, ...); or a pair of them and `batch_sizes`.
        batch_sizes: the number of sequences that have an item at each step: int64, on the CPU, not increasing.
        sorted_indices: the order of the sequences by length; None if they came sorted.
        unsorted_indices: the inverse of `sorted_indices`; computed by default.

    Attributes:
        data, batch_sizes, sorted_indices, unsorted_indices: as given.

    Raises:
        ArgumentValueError: batch_sizes is not on the CPU.

    >>> packed = torch.nn.utils.rnn.pack_sequence([torch.tensor([1, 2, 3]), torch.tensor([4, 5])])
    >>> packed.data, packed.batch_sizes
    (tensor([1, 4, 2, 5, 3]), tensor([2, 2, 1]))
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
        """Move the data to a device, or cast it to a dtype.

        Args:
            args, kwargs: those of `Tensor.to`.

        Returns:
            A packed sequence of the new data; the same one if nothing changes.

        >>> torch.nn.utils.rnn.pack_sequence([torch.tensor([1, 2])]).to(torch.float64).data.dtype
        lamina.float64
        """
        return self._with(self.data.to(*args, **kwargs))

    def cpu(self, *args: Any, **kwargs: Any) -> Self:
        """Move the data to the CPU.

        Args:
            args, kwargs: without effect.

        Returns:
            A packed sequence of the new data; the same one if nothing changes.

        >>> torch.nn.utils.rnn.pack_sequence([torch.tensor([1, 2])]).cpu().data.device.type
        'cpu'
        """
        return self.to("cpu")

    def cuda(self, *args: Any, **kwargs: Any) -> Self:
        """Move the data to a CUDA device.

        Args:
            args, kwargs: those of `Tensor.cuda`.

        Returns:
            A packed sequence of the new data.

        >>> packed = torch.nn.utils.rnn.pack_sequence([torch.tensor([1, 2])])
        >>> if torch.cuda.is_available():
        ...     packed = packed.cuda()
        """
        return self._with(self.data.cuda(*args, **kwargs))

    def pin_memory(self) -> Self:
        """Copy the data to pinned memory; see `Tensor.pin_memory`.

        Returns:
            A packed sequence of the new data; the same one if nothing changes.

        >>> packed = torch.nn.utils.rnn.pack_sequence([torch.tensor([1, 2])])
        >>> if torch.cuda.is_available():
        ...     packed = packed.pin_memory()
        """
        return self._with(self.data.pin_memory())

    def double(self) -> Self:
        """Cast the data to float64.

        Returns:
            A packed sequence of the new data; the same one if nothing changes.

        >>> torch.nn.utils.rnn.pack_sequence([torch.tensor([1, 2])]).double().data.dtype
        lamina.float64
        """
        return self._with(self.data.double())

    def float(self) -> Self:
        """Cast the data to float32.

        Returns:
            A packed sequence of the new data; the same one if nothing changes.

        >>> torch.nn.utils.rnn.pack_sequence([torch.tensor([1, 2])]).float().data.dtype
        lamina.float32
        """
        return self._with(self.data.float())

    def half(self) -> Self:
        """Cast the data to float16.

        Returns:
            A packed sequence of the new data; the same one if nothing changes.

        >>> torch.nn.utils.rnn.pack_sequence([torch.tensor([1, 2])]).half().data.dtype
        lamina.float16
        """
        return self._with(self.data.half())

    def long(self) -> Self:
        """Cast the data to int64.

        Returns:
            A packed sequence of the new data; the same one if nothing changes.

        >>> torch.nn.utils.rnn.pack_sequence([torch.tensor([1, 2])]).long().data.dtype
        lamina.int64
        """
        return self._with(self.data.long())

    def int(self) -> Self:
        """Cast the data to int32.

        Returns:
            A packed sequence of the new data; the same one if nothing changes.

        >>> torch.nn.utils.rnn.pack_sequence([torch.tensor([1, 2])]).int().data.dtype
        lamina.int32
        """
        return self._with(self.data.int())

    def short(self) -> Self:
        """Cast the data to int16.

        Returns:
            A packed sequence of the new data; the same one if nothing changes.

        >>> torch.nn.utils.rnn.pack_sequence([torch.tensor([1, 2])]).short().data.dtype
        lamina.int16
        """
        return self._with(self.data.short())

    def char(self) -> Self:
        """Cast the data to int8.

        Returns:
            A packed sequence of the new data; the same one if nothing changes.

        >>> torch.nn.utils.rnn.pack_sequence([torch.tensor([1, 2])]).char().data.dtype
        lamina.int8
        """
        return self._with(self.data.to(dtype=int8))

    def byte(self) -> Self:
        """Cast the data to uint8.

        Returns:
            A packed sequence of the new data; the same one if nothing changes.

        >>> torch.nn.utils.rnn.pack_sequence([torch.tensor([1, 2])]).byte().data.dtype
        lamina.uint8
        """
        return self._with(self.data.to(dtype=uint8))

    @property
    def is_cuda(self) -> bool:
        """Whether the data are on a CUDA device."""
        return self.data.is_cuda

    def is_pinned(self) -> bool:
        """Tell whether the data is in pinned memory.

        Returns:
            A bool.

        >>> torch.nn.utils.rnn.pack_sequence([torch.tensor([1, 2])]).is_pinned()
        False
        """
        return self.data.is_pinned()


def invert_permutation(permutation: Tensor | None) -> Tensor | None:
    """Return the inverse of a permutation.

    Args:
        permutation: each of 0 ... n - 1 once, (n,); or None.

    Returns:
        The inverse, of the same shape and dtype; None for None.

    >>> torch.nn.utils.rnn.invert_permutation(torch.tensor([2, 0, 1]))
    tensor([1, 2, 0])
    """
    if permutation is None:
        return None
    order = lt.arange(permutation.shape[0], device=permutation.device)
    return lt.scatter(lt.empty_like(permutation), 0, permutation, order.to(permutation.dtype))


def pack_padded_sequence(
    input: Tensor, lengths: Tensor | Sequence[int], batch_first: bool = False, enforce_sorted: bool = True
) -> PackedSequence:
    """Pack padded sequences: leave their padding out.

    Args:
        input: (steps, batch, ...), or with `batch_first` (batch, steps, ...).
        lengths: the length of each sequence, at least 1: a list, or an int64 tensor on the CPU.
        batch_first: whether the batch is the first dim.
        enforce_sorted: whether sequences must come sorted, the longest first; otherwise they are sorted.

    Returns:
        A `PackedSequence`.

    Raises:
        RuntimeError: lengths are not positive, not sorted though they should be, not on the CPU, or not one per
            sequence.

    >>> padded = torch.tensor([[1, 2, 3], [4, 5, 0]])
    >>> torch.nn.utils.rnn.pack_padded_sequence(padded, [3, 2], batch_first=True).data
    tensor([1, 4, 2, 5, 3])
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
    return PackedSequence(steps[rows, within], lt.tensor(batch_sizes, dtype=int64, device="cpu"), order, None)


def _grid(batch_sizes: Sequence[int], device: Any) -> tuple[Tensor, Tensor]:
    """The step and the sequence of each packed item."""
    steps = [t for t, n in enumerate(batch_sizes) for _ in range(n)]
    sequences = [i for n in batch_sizes for i in range(n)]
    return lt.tensor(steps, dtype=int64, device=device), lt.tensor(sequences, dtype=int64, device=device)


def pad_packed_sequence(
    sequence: PackedSequence, batch_first: bool = False, padding_value: float = 0.0, total_length: int | None = None
) -> tuple[Tensor, Tensor]:
    """Pad packed sequences to the longest, in the order in which they were given.

    Args:
        sequence: a `PackedSequence`.
        batch_first: whether the batch is the first dim of the output.
        padding_value: what fills the end of shorter sequences.
        total_length: the number of steps of the output; by default the longest length.

    Returns:
        The padded sequences, (steps, batch, ...) or (batch, steps, ...), and their lengths, (batch,): int64, on the
        CPU.

    Raises:
        ShapeError: total_length is less than the longest length.

    >>> packed = torch.nn.utils.rnn.pack_sequence([torch.tensor([1, 2, 3]), torch.tensor([4, 5])])
    >>> torch.nn.utils.rnn.pad_packed_sequence(packed, batch_first=True)
    (tensor([[1, 2, 3],
            [4, 5, 0]]), tensor([3, 2]))
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
    lengths = lt.tensor([sum(n > i for n in batch_sizes) for i in range(batch_sizes[0])], dtype=int64, device="cpu")
    if batch_first:
        padded = lt.transpose(padded, 0, 1)
    order = sequence.unsorted_indices
    if order is None:
        return padded, lengths
    return lt.index_select(padded, 0 if batch_first else 1, order), lengths[order.cpu()]


def pad_sequence(
    sequences: Any, batch_first: bool = False, padding_value: float = 0.0, padding_side: str = "right"
) -> Tensor:
    """Stack sequences along a new dim, padded to the longest.

    Args:
        sequences: tensors (length, ...) that differ in their first dim only.
        batch_first: whether the batch is the first dim of the output.
        padding_value: what fills shorter sequences.
        padding_side: "right" to fill their ends, or "left".

    Returns:
        (steps, batch, ...), or with `batch_first` (batch, steps, ...).

    Raises:
        UsageError: sequences is empty or not iterable, or padding_side is unknown.

    >>> torch.nn.utils.rnn.pad_sequence([torch.tensor([1, 2, 3]), torch.tensor([4, 5])], batch_first=True)
    tensor([[1, 2, 3],
            [4, 5, 0]])
    """
    if not isinstance(sequences, Iterable):
        raise UsageError(f"pad_sequence: Expected iterable for input sequences, but got arg of type: {type(sequences)}")
    tensors = list(sequences)
    if not tensors:
        raise UsageError("pad_sequence: received an empty list of sequences")
    if padding_side not in ("left", "right"):
        raise UsageError(f"pad_sequence: Expected padding_side to be one of left or right, but got {padding_side}.")
    first = tensors[0]
    longest = max(s.shape[0] for s in tensors)
    whole = []
    for s in tensors:
        missing = longest - s.shape[0]
        if missing:
            filling = lt.full((missing, *first.shape[1:]), padding_value, dtype=first.dtype, device=first.device)
            s = lt.cat([filling, s] if padding_side == "left" else [s, filling])
        whole.append(s)
    return lt.stack(whole, 0 if batch_first else 1)


def unpad_sequence(padded_sequences: Tensor, lengths: Tensor, batch_first: bool = False) -> list[Tensor]:
    """Cut padded sequences to their lengths.

    Args:
        padded_sequences: (steps, batch, ...), or with `batch_first` (batch, steps, ...).
        lengths: the length of each sequence, (batch,).
        batch_first: whether the batch is the first dim.

    Returns:
        A list of new tensors (length, ...).

    >>> torch.nn.utils.rnn.unpad_sequence(torch.tensor([[1, 2], [3, 0]]), torch.tensor([2, 1]), batch_first=True)
    [tensor([1, 2]), tensor([3])]
    """
    rows = padded_sequences if batch_first else lt.transpose(padded_sequences, 0, 1)
    return [row[: int(n)].clone(memory_format=lt.contiguous_format) for row, n in zip(rows, lengths.tolist(), strict=True)]


def pack_sequence(sequences: Sequence[Tensor], enforce_sorted: bool = True) -> PackedSequence:
    """Pack sequences of different lengths.

    Args:
        sequences: tensors (length, ...) that differ in their first dim only.
        enforce_sorted: whether they must come sorted, the longest first; otherwise they are sorted.

    Returns:
        A `PackedSequence`.

    Raises:
        RuntimeError: they are not sorted though they should be.

    >>> torch.nn.utils.rnn.pack_sequence([torch.tensor([1, 2, 3]), torch.tensor([4, 5])]).data
    tensor([1, 4, 2, 5, 3])
    """
    lengths = lt.tensor([s.shape[0] for s in sequences], dtype=int64, device="cpu")
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences: PackedSequence) -> list[Tensor]:
    """Return the sequences that were packed, in the order in which they were given.

    Args:
        packed_sequences: a `PackedSequence`.

    Returns:
        A list of tensors (length, ...).

    >>> packed = torch.nn.utils.rnn.pack_sequence([torch.tensor([1, 2, 3]), torch.tensor([4, 5])])
    >>> torch.nn.utils.rnn.unpack_sequence(packed)
    [tensor([1, 2, 3]), tensor([4, 5])]
    """
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return unpad_sequence(padded, lengths, batch_first=True)
