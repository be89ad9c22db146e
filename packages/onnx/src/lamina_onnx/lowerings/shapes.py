"""Other shapes and orders of the same items; joining, splitting, repeating."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..graph import MOST, Graph, Operand
from ..sizes import Size
from .registry import lowers

Lengths = Sequence[Any]


def one_list(lengths: Any) -> list[Any]:
    """Lengths that were given one by one, or as one sequence."""
    if len(lengths) == 1 and isinstance(lengths[0], (list, tuple)):
        return list(lengths[0])
    return list(lengths)


def reshaped(g: Graph, x: Any, shape: Lengths) -> Any:
    """In another shape, whose only length that depends on sizes is found by what is left."""
    unknown = [i for i, n in enumerate(shape) if isinstance(n, Size)]
    if len(unknown) == 1 and -1 not in shape and 0 not in shape:
        shape = [-1 if i == unknown[0] else n for i, n in enumerate(shape)]
    return g.op("Reshape", x, g.ints(shape), allowzero=1 if 0 in shape else None)


@lowers(
    "reshape", "view", "flatten", "unflatten", "view_as", "reshape_as", "ravel", "squeeze", "unsqueeze",
)  # fmt: skip
def reshape(
    g: Graph, input: Operand, shape: Any = None, lengths: Any = None, size: Any = None, start_dim: Any = None, end_dim: Any = None,
    dim: Any = None, dims: Any = None, sizes: Any = None, other: Any = None, dtype: Any = None,
) -> Any:  # fmt: skip
    """In the shape of the result, whatever it was asked for by."""
    if dtype is not None or (lengths and not isinstance(lengths[0], (int, Size, list, tuple, Operand))):
        raise g.unsupported("as another dtype")
    if g.call.name == "squeeze":
        return squeezed(g, input, dims if dims is not None and dims != () else dim)
    if g.call.name == "unsqueeze":
        return g.op("Unsqueeze", input, np.array([dim % (input.ndim + 1)]))
    return as_asked(g, input)


def as_asked(g: Graph, x: Operand, of: Any = None) -> Any:
    """A tensor, or what was made of it, in the shape of the result; where several lengths depend on sizes, those in front that are the
    tensor's are taken over, which is written 0."""
    shape: list[Any] = list(g.result.shape)
    source = x if of is None else of
    if sum(isinstance(n, Size) for n in shape) < 2 or 0 in shape or 0 in x.shape:
        return reshaped(g, source, shape)
    for i, n in enumerate(shape):
        if i >= x.ndim or x.shape[i] != n:
            break
        shape[i] = 0
    unknown = [i for i, n in enumerate(shape) if isinstance(n, Size)]
    if len(unknown) > 1:
        return reshaped(g, source, g.result.shape)
    return g.op("Reshape", source, g.ints([-1 if isinstance(n, Size) else n for n in shape]))


def squeezed(g: Graph, x: Operand, dim: Any) -> Any:
    """Without dims of length 1: of the given ones, or of all, those that have it."""
    given = [dim] if isinstance(dim, int) else one_list(dim) if dim is not None else range(x.ndim)
    dims = [d % x.ndim for d in given if x.ndim and x.shape[d] == 1]
    return g.op("Squeeze", x, np.array(dims)) if dims else x


def permuted(g: Graph, x: Any, order: Sequence[int]) -> Any:
    """Dims in another order."""
    return g.op("Transpose", x, perm=list(order)) if list(order) != sorted(order) else x


@lowers("permute")
def permute(g: Graph, input: Operand, dims: Any = None, order: Any = None) -> Any:
    """Write `permute` as Transpose."""
    return permuted(g, input, [d % input.ndim for d in one_list(order if order else [dims])])


@lowers("transpose", "swapaxes", "swapdims")
def transpose(
    g: Graph, input: Operand, dim0: Any = None, dim1: Any = None, axis0: Any = None, axis1: Any = None
) -> Any:
    """Write `transpose`, `swapaxes` and `swapdims`."""
    a, b = (dim0, dim1) if dim0 is not None else (axis0, axis1)
    order = list(range(input.ndim))
    if not order:
        return input
    order[a], order[b] = order[b], order[a]
    return permuted(g, input, order)


@lowers("t", "T")
def backwards(g: Graph, input: Operand) -> Any:
    """Write `t` and `T`."""
    return permuted(g, input, range(input.ndim)[::-1])


@lowers("mT")
def matrix_transpose(g: Graph, self: Operand) -> Any:
    """Write `mT`."""
    return transpose(g, self, -2, -1)


@lowers("movedim", "moveaxis")
def movedim(g: Graph, input: Operand, source: Any, destination: Any) -> Any:
    """Write `movedim` and `moveaxis`."""
    n = input.ndim
    old, new = ([d % n for d in ((ds,) if isinstance(ds, int) else ds)] for ds in (source, destination))
    rest = iter([d for d in range(n) if d not in old])
    return permuted(g, input, [old[new.index(i)] if i in new else next(rest) for i in range(n)])


@lowers("expand", "broadcast_to", "expand_as")
def expand(
    g: Graph,
    input: Operand,
    size: Any = None,
    lengths: Any = None,
    shape: Any = None,
    other: Any = None,
    implicit: bool = False,
) -> Any:
    """Repeated to the shape of the result, dims of length 1 where it has another length."""
    lead = len(g.result.shape) - input.ndim
    asked = [1 if i >= lead and input.shape[i - lead] == n else n for i, n in enumerate(g.result.shape)]
    return g.op("Expand", input, g.ints(asked))


@lowers("repeat", "tile")
def repeat(g: Graph, input: Operand, repeats: Any = None, dims: Any = None, times: Any = None) -> Any:
    """Write `repeat` and `tile` as Tile and Unsqueeze."""
    asked = one_list(next(t if not isinstance(t, int) else [t] for t in (repeats, dims, times) if t))
    lead = max(len(asked) - input.ndim, 0)
    asked = [1] * (input.ndim - len(asked)) + asked
    tensor = g.op("Unsqueeze", input, np.arange(lead)) if lead else input
    return g.op("Tile", tensor, g.ints(asked))


@lowers("cat", "concat", "concatenate")
def cat(g: Graph, tensors: Sequence[Operand], dim: int = 0) -> Any:
    """Write `cat`, `concat` and `concatenate` as Concat."""
    joined = [g.cast(x, g.result.dtype) for x in tensors if x.shape != (0,) or len(g.result.shape) == 1]
    return g.op("Concat", *joined, axis=dim)


@lowers("stack")
def stack(g: Graph, tensors: Sequence[Operand], dim: int = 0) -> Any:
    """Write `stack` as Concat and Unsqueeze."""
    at = np.array([dim % len(g.result.shape)])
    return g.op("Concat", *(g.op("Unsqueeze", g.cast(x, g.result.dtype), at) for x in tensors), axis=int(at[0]))


def pieces(g: Graph, x: Operand, dim: int) -> tuple[Any, ...]:
    """Parts of a tensor along a dim, of the lengths of the results."""
    lengths = [part.shape[dim] for part in g.results]
    if len(lengths) == 1:
        return (x,)
    made = g.op("Split", x, g.ints(lengths), axis=dim, outputs=len(lengths))
    return tuple(made)


@lowers("split", "chunk", "tensor_split", "split_with_sizes")
def split(
    g: Graph, tensor: Any = None, input: Any = None, split_size_or_sections: Any = None, split_size: Any = None,
    split_sizes: Any = None, chunks: Any = None, indices_or_sections: Any = None, indices: Any = None, sections: Any = None, dim: int = 0,
) -> Any:  # fmt: skip
    """Parts of the lengths that the results have."""
    return pieces(g, tensor if input is None else input, dim)


@lowers("unbind")
def unbind(g: Graph, input: Operand, dim: int = 0) -> Any:
    """Write `unbind` as Gather."""
    return tuple(g.op("Gather", input, np.array(i), axis=dim) for i in range(len(g.results)))


@lowers("narrow")
def narrow(g: Graph, input: Operand, dim: int, start: Any, length: Any) -> Any:
    """Write `narrow` as Slice."""
    return sliced(g, input, [dim], [start], [start + length], [1])


@lowers("select")
def select(g: Graph, input: Operand, dim: int, index: Any) -> Any:
    """Write `select` as Squeeze and Gather."""
    return g.op("Squeeze", g.op("Gather", input, g.ints([index]), axis=dim), np.array([dim % input.ndim]))


def sliced(g: Graph, x: Any, dims: Sequence[int], starts: Lengths, ends: Lengths, steps: Lengths) -> Any:
    """Every so many items from a start to before an end, of some dims."""
    return g.op("Slice", x, g.ints(starts), g.ints(ends), g.ints(dims), g.ints(steps))


@lowers("flip", "fliplr", "flipud")
def flip(g: Graph, input: Operand, dims: Any = None, axes: Any = None) -> Any:
    """Write `flip`, `fliplr` and `flipud`."""
    asked = {"fliplr": [1], "flipud": [0]}.get(g.call.name) or one_list(axes if axes else [dims])
    dims = [d % input.ndim for d in asked]
    return sliced(g, input, dims, [-1] * len(dims), [-MOST] * len(dims), [-1] * len(dims))


@lowers("roll")
def roll(g: Graph, input: Operand, shifts: Any, dims: Any = None) -> Any:
    """Write `roll` as Reshape."""
    if dims is None or dims == ():
        flat = g.op("Reshape", input, np.array([-1]))
        items = turned(g, flat, shifts if not isinstance(shifts, (tuple, list)) else shifts[0], 0)
        return g.op("Reshape", items, g.op("Shape", input))
    x: Any = input
    pairs = [(shifts, dims)] if not isinstance(dims, (tuple, list)) else zip(shifts, dims, strict=True)
    for shift, dim in pairs:
        x = turned(g, x, shift, dim % input.ndim)
    return x


def turned(g: Graph, x: Any, shift: Any, dim: int) -> Any:
    """The last items put in front, by their positions: a shift may be more than the length."""
    length = g.op("Squeeze", g.op("Shape", x, start=dim, end=dim + 1))
    places = g.op("Range", g.number(0, np.int64), length, g.number(1, np.int64))
    return g.op("Gather", x, g.op("Mod", g.op("Sub", places, g.number(shift, np.int64)), length), axis=dim)


@lowers("repeat_interleave")
def repeat_interleave(g: Graph, input: Operand, repeats: Any = None, dim: Any = None) -> Any:
    """Write `repeat_interleave` as Unsqueeze, Tile and Reshape."""
    if not isinstance(repeats, int):
        raise g.unsupported("with repeats that are no constant integer")
    x: Any = input if dim is not None else g.op("Reshape", input, np.array([-1]))
    at = (dim if dim is not None else 0) % (input.ndim if dim is not None else 1)
    ndim = input.ndim if dim is not None else 1
    apart = g.op("Unsqueeze", x, np.array([at + 1]))
    tiled = g.op("Tile", apart, np.array([repeats if i == at + 1 else 1 for i in range(ndim + 1)]))
    return as_asked(g, input, tiled) if dim is not None else g.op("Reshape", tiled, np.array([-1]))


@lowers("tril", "triu")
def triangle(g: Graph, input: Operand, diagonal: Any = 0) -> Any:
    """Write `tril` and `triu` as Trilu and Cast."""
    upper = int(g.call.name == "triu")
    if g.result.dtype.name == "bool":  # runtimes serve it of numbers
        return g.op("Cast", g.op("Trilu", g.op("Cast", input, to=7), g.number(diagonal, np.int64), upper=upper), to=9)
    return g.op("Trilu", input, g.number(diagonal, np.int64), upper=upper)


@lowers("diagonal")
def diagonal(g: Graph, input: Operand, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    """Write `diagonal` as Gather."""
    n = input.ndim
    a, b = dim1 % n, dim2 % n
    order = [d for d in range(n) if d not in (a, b)] + [a, b]
    rows, columns = input.shape[a], input.shape[b]
    if isinstance(rows, Size) or isinstance(columns, Size):
        raise g.unsupported("of dims whose sizes are dynamic")
    at = np.array([i * columns + i + offset for i in range(rows) if 0 <= i + offset < columns], np.int64)
    lead = [input.shape[d] for d in order[:-2]]
    return g.op("Gather", reshaped(g, permuted(g, input, order), [*lead, rows * columns]), at, axis=n - 2)


@lowers("pixel_shuffle")
def pixel_shuffle(g: Graph, input: Operand, upscale_factor: int) -> Any:
    """Write `pixel_shuffle` as DepthToSpace."""
    if input.ndim != 4:
        raise g.unsupported(f"of shape {list(input.shape)}")
    return g.op("DepthToSpace", input, blocksize=upscale_factor, mode="CRD")


@lowers("pixel_unshuffle")
def pixel_unshuffle(g: Graph, input: Operand, downscale_factor: int) -> Any:
    """Write `pixel_unshuffle` as Reshape."""
    r = downscale_factor
    if input.ndim != 4:
        raise g.unsupported(f"of shape {list(input.shape)}")
    b, c, h, w = input.shape
    apart = g.op("Reshape", input, g.ints([b, c, h // r, r, w // r, r]))
    return g.op("Reshape", permuted(g, apart, [0, 1, 3, 5, 2, 4]), g.ints(g.result.shape))


@lowers("channel_shuffle")
def channel_shuffle(g: Graph, input: Operand, groups: int) -> Any:
    """Write `channel_shuffle` as Reshape."""
    apart = g.op("Reshape", input, g.ints([0, groups, input.shape[1] // groups, -1]))
    together = permuted(g, apart, [0, 2, 1, 3])
    return g.op("Reshape", together, g.ints(input.shape))
