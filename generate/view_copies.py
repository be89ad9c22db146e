"""Write `lamina_tensor/view_copies.py`: for each function that gives views, one that copies what the view shows.

    python generate/view_copies.py           # write it
    python generate/view_copies.py --check   # say whether it is what would be written

Each row of the table is a function of PyTorch's: what it takes beside the tensor, the view that it copies, and the example's call.
The example's result is what it gave when the file was written.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, NamedTuple

FILE = Path(__file__).parents[1] / "packages" / "tensor" / "src" / "lamina_tensor" / "view_copies.py"

HEAD = '''"""Copies of what views show: a generated file, see `generate/view_copies.py`.

Each is the view, made dense in memory of its own; gradients flow back through it. Few programs call them, so this file is loaded when
one of them is first used.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lamina_flatarray import ArgumentTypeError, DType, IndexOutOfRange, UsageError

from .devices.memory_formats import contiguous_format
from .dispatch.destinations import placed
from .dispatch.out import written
from .dispatch.torch_function import torch_function
from .functions.complex_parts import view_as_complex, view_as_real

if TYPE_CHECKING:
    from .tensor_class import Tensor

__all__ = [
{names}
]


def _copied(op: str, input: Tensor, view: Tensor, out: Tensor | None) -> Tensor:
    """A dense copy of a view of `input`, or `out` with the view's items."""
    return view.clone(memory_format=contiguous_format) if out is None else placed(op, out, view, (input,), row_major=True)


def _all_copied(op: str, views: Sequence[Tensor], out: Sequence[Tensor] | None) -> Any:
    """Dense copies of views; None if their items are written to the tensors of `out`."""
    if out is not None:
        if len(out) != len(views):
            raise UsageError(f"{op}(): expected {len(views)} tensors in out, but got {len(out)}")
        for place, view in zip(out, views, strict=True):
            written(op, place, view, row_major=True)
        return None
    return tuple(view.clone(memory_format=contiguous_format) for view in views)
'''


class Row(NamedTuple):
    """A function: its further parameters and their meanings, the view that it copies, what it raises, and its example."""

    name: str
    parameters: str
    view: str
    about: str
    meanings: dict[str, str]
    raises: dict[str, str]
    example: str


DIM = {"dim": "the dim."}
NO_DIM = {"IndexOutOfRange": "the dim does not exist."}
ROWS = (
    Row("alias_copy", "", "input", "Copy a tensor", {}, {}, "torch.tensor([1, 2])"),
    Row("as_strided_copy", "size: Sequence[int], stride: Sequence[int], storage_offset: int | None = None",
        "input.as_strided(size, stride, storage_offset)", "Copy items of a tensor's memory, at any lengths and strides",
        {"size": "the copy's shape.", "stride": "how many items apart neighbours along each dim are.",
         "storage_offset": "where the first item is; None for where the tensor begins."},
        {"ShapeError": "they reach beyond the tensor's memory."}, "torch.arange(4), (2, 2), (1, 2)"),
    Row("detach_copy", "", "input.detach()", "Copy a tensor, apart from the graph: no gradient flows back", {}, {}, "torch.tensor([1, 2])"),
    Row("diagonal_copy", "offset: int = 0, dim1: int = 0, dim2: int = 1", "input.diagonal(offset, dim1, dim2)",
        "Copy a diagonal of two dims, as the last dim",
        {"offset": "which diagonal: above the main one if positive.", "dim1, dim2": "the two dims."}, NO_DIM,
        "torch.tensor([[1, 2], [3, 4]])"),
    Row("expand_copy", "size: Sequence[int], *, implicit: bool = False", "input.expand(tuple(size))",
        "Copy a tensor repeated along dims of length 1, to a larger shape",
        {"size": "the shape; -1 keeps a dim's length.", "implicit": "accepted and ignored, as in PyTorch."},
        {"ShapeError": "the tensor does not expand to the shape."}, "torch.tensor([[1], [2]]), (2, 2)"),
    Row("permute_copy", "dims: Sequence[int]", "input.permute(tuple(dims))", "Copy a tensor with its dims in another order",
        {"dims": "the dims in the new order."},
        {"ShapeError": "these are not all dims, each once.", "IndexOutOfRange": "a dim does not exist."},
        "torch.tensor([[1, 2], [3, 4]]), (1, 0)"),
    Row("select_copy", "dim: int, index: int", "input.select(dim, index)", "Copy one index of a dim, without that dim",
        {**DIM, "index": "the index; a negative one counts from the end."},
        {"IndexOutOfRange": "the dim or the index does not exist."}, "torch.tensor([[1, 2], [3, 4]]), 0, 1"),
    Row("slice_copy", "dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1",
        "_sliced(input, dim, start, end, step)", "Copy a slice of a dim",
        {**DIM, "start, end": "where the slice begins and ends; negative ones count from the end.",
         "step": "how many indices apart the items are."},
        {**NO_DIM, "UsageError": "the step is not positive."}, "torch.arange(5), 0, 1, 4, 2"),
    Row("split_copy", "split_size: int, dim: int = 0", "input.split(split_size, dim)", "Copy the parts of a dim",
        {"split_size": "the length of each part; the last may be shorter.", **DIM},
        {**NO_DIM, "ShapeError": "the length is negative."}, "torch.arange(3), 2"),
    Row("split_with_sizes_copy", "split_sizes: Sequence[int], dim: int = 0", "input.split_with_sizes(list(split_sizes), dim)",
        "Copy parts of a dim", {"split_sizes": "the length of each part.", **DIM},
        {**NO_DIM, "ShapeError": "the lengths do not add up to the dim's."}, "torch.arange(3), [1, 2]"),
    Row("squeeze_copy", "dim: int | Sequence[int] | None = None", "_squeezed(input, dim)", "Copy a tensor without its dims of length 1",
        {"dim": "the dims to look at; None for all."}, NO_DIM, "torch.tensor([[1, 2]])"),
    Row("t_copy", "", "input.t()", "Copy the transpose of a matrix; a vector is copied as it is", {},
        {"ShapeError": "the tensor has more than 2 dims."}, "torch.tensor([[1, 2], [3, 4]])"),
    Row("transpose_copy", "dim0: int, dim1: int", "input.transpose(dim0, dim1)", "Copy a tensor with two dims exchanged",
        {"dim0, dim1": "the dims."}, NO_DIM, "torch.tensor([[1, 2], [3, 4]]), 0, 1"),
    Row("unbind_copy", "dim: int = 0", "input.unbind(dim)", "Copy the slices along a dim, without that dim", DIM, NO_DIM,
        "torch.tensor([[1, 2], [3, 4]])"),
    Row("unfold_copy", "dimension: int, size: int, step: int", "input.unfold(dimension, size, step)",
        "Copy the windows along a dim, with their items as a last dim",
        {"dimension": "the dim.", "size": "the length of a window.", "step": "how far apart windows begin."},
        {**NO_DIM, "ShapeError": "a window is longer than the dim, or the step is not positive."}, "torch.arange(4), 0, 2, 1"),
    Row("unsqueeze_copy", "dim: int", "input.unsqueeze(dim)", "Copy a tensor with a further dim of length 1",
        {"dim": "where the new dim comes."}, NO_DIM, "torch.tensor([1, 2]), 0"),
    Row("view_as_complex_copy", "", "view_as_complex(input)", "Copy real and imaginary parts, along a last dim of length 2, as complex numbers",  # noqa: E501
        {}, {"ShapeError": "the last dim has another length than 2.", "DTypeError": "the items are not floating-point."},
        "torch.tensor([1.0, 2.0])"),
    Row("view_as_real_copy", "", "view_as_real(input)", "Copy complex numbers as their parts, along a last dim of length 2", {},
        {"DTypeError": "the items are not complex."}, "torch.tensor([1 + 2j])"),
    Row("view_copy", "size: Sequence[int] | DType | None = None, *, dtype: DType | None = None", "_viewed(input, size, dtype)",
        "Copy a tensor in another shape, or its bytes as items of another dtype",
        {"size": "the shape, of which one length may be -1; or the dtype.", "dtype": "the dtype, by name."},
        {"ShapeError": "the shape has another number of items.", "TypeError": "neither a shape nor a dtype is given."},
        "torch.tensor([1, 2, 3, 4]), (2, 2)"),
)  # fmt: skip
"""PyTorch's functions that copy views, but those of sparse tensors."""

SEVERAL = ("split_copy", "split_with_sizes_copy", "unbind_copy")
SHAPED = '''

def _sliced(input: Tensor, dim: int, start: int | None, end: int | None, step: int) -> Tensor:
    if not -max(input.ndim, 1) <= dim < max(input.ndim, 1):
        raise IndexOutOfRange(f"slice_copy(): Dimension out of range (got {dim} for a tensor of {input.ndim} dims)")
    if step <= 0:
        raise UsageError(f"slice_copy(): slice step must be positive, got {step}")
    return input[(slice(None),) * (dim % input.ndim) + (slice(start, end, step),)]


def _squeezed(input: Tensor, dim: int | Sequence[int] | None) -> Tensor:
    return input.squeeze() if dim is None else input.squeeze(dim if isinstance(dim, int) else tuple(dim))


def _viewed(input: Tensor, size: Sequence[int] | DType | None, dtype: DType | None) -> Tensor:
    if (size is None) == (dtype is None):
        raise ArgumentTypeError("view_copy(): takes a shape or a dtype, one of them")
    kind = size if dtype is None else dtype
    return input.view(kind if isinstance(kind, DType) else tuple(kind))  # type: ignore[arg-type]
'''


def function(row: Row, printed: str) -> str:
    """The definition of one function, whose example prints this."""
    several = row.name in SEVERAL
    parameters = f"input: Tensor, {row.parameters}" if row.parameters else "input: Tensor"
    star = "" if "*, " in parameters else "*, "
    kind = "Sequence[Tensor]" if several else "Tensor"
    head = f"def {row.name}({parameters}, {star}out: {kind} | None = None) -> {'Any' if several else 'Tensor'}:"
    out = "the tensors to write the results to." if several else "a tensor to write the result to; it is returned."
    returns = "A dense tensor in memory of its own, or `out`."
    if several:
        returns = "A tuple of dense tensors in memory of their own; None with `out`."
    raises = {"DTypeError": "`out` has another dtype.", **row.raises}
    meanings = {"input": "the tensor.", **row.meanings, "out": out}
    body = [
        f'"""{row.about}.', "", "Args:", *(f"    {name}: {text}" for name, text in meanings.items()), "",
        "Returns:", f"    {returns}", "", "Raises:", *(f"    {name}: {text}" for name, text in raises.items()), "",
        f">>> torch.{row.name}({row.example})", *printed.splitlines(), '"""',
    ]  # fmt: skip
    copied = "_all_copied" if several else "_copied"
    operands = f'"{row.name}", {row.view}, out' if several else f'"{row.name}", input, {row.view}, out'
    lines = "\n".join(f"    {line}".rstrip() for line in body)
    if len(head) > 120:
        head = head.replace("(", "(\n    ", 1).replace(") -> ", "\n) -> ")
    return f"\n\n@torch_function\n{head}\n{lines}\n    return {copied}({operands})\n"


def text() -> str:
    """The file's text."""
    import lamina

    names = "\n".join(f'    "{row.name}",' for row in ROWS)
    head = HEAD.replace("{names}", names) + SHAPED
    functions: dict[str, Any] = {"__name__": "lamina_tensor.view_copies", "__package__": "lamina_tensor"}
    exec(head + "".join(function(row, "") for row in ROWS), functions)  # to run the examples, of new functions as well
    examples = [eval(f"{row.name}({row.example})", {**functions, "torch": lamina}) for row in ROWS]
    return head + "".join(function(row, repr(result)) for row, result in zip(ROWS, examples, strict=True))


def main() -> None:
    """Write the file, or with `--check` say whether it differs."""
    if "--check" in sys.argv:
        if FILE.read_text() != text():
            raise SystemExit(f"{FILE} is not what generate/view_copies.py writes; run it")
        return
    FILE.write_text(text())


if __name__ == "__main__":
    main()
