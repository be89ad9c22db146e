"""Chapter 2."""

from . import Mistake

MISTAKES = (
    Mistake("lengths added", "count = 1\n", "count = 0\n", ("size_of", "a product of lengths"), "begin with one item"),
    Mistake(
        "column-major", "size_of(shape[axis + 1 :]) for axis", "size_of(shape[:axis]) for axis",
        ("row_major", "strides of lamina"), "the first axis runs fastest",
    ),
    Mistake(
        "own axis counted", "size_of(shape[axis + 1 :]) for axis", "size_of(shape[axis:]) for axis",
        ("row_major", "strides of lamina"), "each stride skips its own axis",
    ),
    Mistake("offset ignored", "return layout.offset + sum(", "return sum(", ("place", "every index"), "the offset was left out"),
    Mistake(
        "first axis fastest", "for begin in found for i in range(length)]", "for i in range(length) for begin in found]",
        ("places", "in reading order"), "the first axis runs fastest",
    ),
    Mistake(
        "transposed shape alone", "tuple(layout.strides[axis] for axis in axes), layout.offset)", "layout.strides, layout.offset)",
        ("transposed", "strides go along"), "an axis takes its stride along",
    ),
    Mistake(
        "transposed as if new", "tuple(layout.strides[axis] for axis in axes), layout.offset)",
        "row_major(tuple(layout.shape[axis] for axis in axes)).strides, layout.offset)", ("transposed", "strides go along"),
        "a view keeps the strides that it had",
    ),
    Mistake(
        "transposed from the start", "tuple(layout.strides[axis] for axis in axes), layout.offset)",
        "tuple(layout.strides[axis] for axis in axes))", ("transposed", "strides go along"), "the offset was left out",
    ),
    Mistake(
        "transposed backwards", "    return Layout(tuple(layout.shape[axis] for axis in axes)",
        "    axes = tuple(axes.index(i) for i in range(len(axes)))\n    return Layout(tuple(layout.shape[axis] for axis in axes)",
        ("transposed", "strides go along"), "and not the other way round",
    ),
    Mistake(
        "selected without stride", "index % length * layout.strides[axis])", "index % length)",
        ("selected", "one index of an axis"), "and not by `index`",
    ),
    Mistake(
        "selected from below", "index % length * layout.strides[axis])", "index * layout.strides[axis])",
        ("selected", "one index of an axis"), "a negative index counts from the end",
    ),
    Mistake(
        "sliced from the start", "layout.offset + (wanted.start * layout.strides[axis] if wanted else 0))", "layout.offset)",
        ("sliced", "as lists are sliced"), "a slice begins at its `start`",
    ),
    Mistake(
        "sliced without step", "step * layout.strides[axis], *", "layout.strides[axis], *",
        ("sliced", "as lists are sliced"), "one step goes `step` times as far",
    ),
    Mistake(
        "sliced by start", "wanted.start * layout.strides[axis] if", "wanted.start if",
        ("sliced", "as lists are sliced"), "by `start` strides of the axis",
    ),
    Mistake(
        "sliced to nothing", "(wanted.start * layout.strides[axis] if wanted else 0))", "wanted.start * layout.strides[axis])",
        ("sliced", "as lists are sliced"), "of nothing, the offset stays",
    ),
    Mistake(
        "length one counted", "all(n == 1 or stride == w", "all(stride == w",
        ("is_row_major", "lengths of one and zero"), "nobody takes a step along an axis of length 1",
    ),
    Mistake(
        "offset counted", "    wanted = row_major(layout.shape).strides\n",
        "    wanted = row_major(layout.shape).strides\n    if layout.offset: return False\n",
        ("is_row_major", "as lamina says"), "where the first item lies does not matter",
    ),
    Mistake(
        "any reshape", "    if not is_row_major(layout):", "    if False:",
        ("reshaped", "what cannot be a view"), "the items would come in another order",
    ),
    Mistake(
        "reshaped from the start", "row_major(shape).strides, layout.offset)", "row_major(shape).strides)",
        ("reshaped", "other shapes"), "the items begin where they did",
    ),
)  # fmt: skip
