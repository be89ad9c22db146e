"""associative_scan: what a function of two makes of all items up to each one, in as many steps as the length has binary digits.

Hillis and Steele: Data parallel algorithms. Communications of the ACM 29 (12), 1986. https://doi.org/10.1145/7902.7903
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lamina_flatarray import ArgumentValueError, ShapeError

from ..functions.shapes.joining import cat
from .trees import flattened, rebuilt

__all__ = ["associative_scan"]


def associative_scan(
    combine_fn: Callable[[Any, Any], Any], xs: Any, dim: int, reverse: bool = False, combine_mode: str = "pointwise"
) -> Any:
    """Combine each item along a dim with all before it, by an associative function.

    Args:
        combine_fn: takes two trees like `xs`, of slices along `dim`, and gives one.
        xs: a tensor, or a tree of tensors of the same length along `dim`.
        dim: the dim.
        reverse: whether to begin at its end.
        combine_mode: "pointwise" or "generic", which are the same here: the function is called on whole slices.

    Returns:
        A tree like `xs`.

    Raises:
        ValueError: `combine_mode` is neither.
        ShapeError: there is no tensor, or they differ in length.

    >>> from lamina_tensor.transforms.associative_scan import associative_scan
    >>> associative_scan(lambda a, b: a * b, torch.tensor([1, 2, 3, 4]), dim=0)
    tensor([ 1,  2,  6, 24])
    """
    if combine_mode not in ("pointwise", "generic"):
        raise ArgumentValueError(f"associative_scan: combine_mode must be 'pointwise' or 'generic', not {combine_mode!r}")
    leaves = flattened(xs)
    lengths = {leaf.shape[dim] for leaf in leaves}
    if len(lengths) != 1:
        raise ShapeError(f"associative_scan: tensors of one length along dim {dim} wanted, not of {sorted(lengths)}")
    (length,) = lengths
    if reverse:
        leaves = [leaf.flip(dim) for leaf in leaves]
    step = 1
    while step < length:  # by now each item holds what those of the last `step` places make
        before = rebuilt(xs, [leaf.narrow(dim, 0, length - step) for leaf in leaves])
        after = rebuilt(xs, [leaf.narrow(dim, step, length - step) for leaf in leaves])
        combined = flattened(combine_fn(before, after))
        leaves = [cat([leaf.narrow(dim, 0, step), new], dim) for leaf, new in zip(leaves, combined, strict=True)]
        step *= 2
    return rebuilt(xs, [leaf.flip(dim) for leaf in leaves] if reverse else leaves)
