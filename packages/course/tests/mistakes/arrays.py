"""Chapter 3."""

from . import Mistake

MISTAKES = (
    Mistake(
        "layout ignored", "[x.flat.read(p) for p in places(x.layout)]", "[x.flat.read(p) for p in range(len(places(x.layout)))]",
        ("items", "of any layout"), "in the order of memory",
    ),
    Mistake(
        "memory read", "[x.flat.read(p) for p in places(x.layout)]", "[x.flat.read(p) for p in range(x.flat.size)]",
        ("items", "of any layout"), "these are the items in the order of memory",
    ),
    Mistake(
        "aligned at the front", "[(1,) * (ndim - len(shape)) + shape for", "[shape + (1,) * (ndim - len(shape)) for",
        ("broadcast_shapes", "shapes of numpy"), "their last axes meet",
    ),
    Mistake(
        "the longest wins", "        wanted = set(lengths) - {1}\n        if len(wanted) > 1:\n            raise",
        "        wanted = {max(lengths)}\n        if len(wanted) > 1:\n            raise",
        ("broadcast_shapes", "shapes of numpy"), "with 0 that is 0",
    ),
    Mistake(
        "lengths of one keep their stride", "0 if length == 1 else stride for length", "stride for length",
        ("broadcast_to", "stride zero"), "has the stride 0",
    ),
    Mistake(
        "broadcast as if new", "return Layout(shape, (0,) * new + strides, layout.offset)",
        "return Layout(shape, row_major(shape).strides, layout.offset)", ("broadcast_to", "stride zero"), "nothing is repeated in memory",
    ),
    Mistake(
        "broadcast from the start", "(0,) * new + strides, layout.offset)", "(0,) * new + strides)",
        ("broadcast_to", "stride zero"), "the offset was left out",
    ),
    Mistake(
        "anything fits", "if broadcast_shapes(layout.shape, shape) != shape:", "if False:",
        ("broadcast_to", "what does not fit"), "some of these items would never be read",
    ),
    Mistake(
        "mapped in memory's order", "spread = [items(Array(x.flat, broadcast_to(x.layout, shape))) for x in arrays]",
        "spread = [[x.flat.read(p) for p in range(len(places(broadcast_to(x.layout, shape))))] for x in arrays]",
        ("map_items", "of all layouts"), "paired in the order of memory",
    ),
    Mistake(
        "dtype forgotten", "array(values, shape, dtype or arrays[0].dtype)", "array(values, shape, dtype or 'float64')",
        ("map_items", "dtypes and memory"), "it is that of the first array",
    ),
    Mistake(
        "start forgotten", "        folded.write(p, start)", "        folded.write(p, 0)",
        ("reduce_items", "other functions and starts"), "it was begun with 0",
    ),
    Mistake(
        "other axes folded", "    kept = row_major(tuple(length",
        "    axes = set(range(len(x.shape))) - set(axes)\n    kept = row_major(tuple(length",
        ("reduce_items", "folded as numpy does"), "the other axes were folded",
    ),
    Mistake(
        "axis kept", "return Array(folded, kept)",
        "return Array(folded, row_major(tuple(1 if axis in axes else length for axis, length in enumerate(x.shape))))",
        ("reduce_items", "folded as numpy does"), "a folded axis is gone",
    ),
    Mistake(
        "wrong axis summed", "products, (len(front) + 1,))", "products, (len(front) + 2,))",
        ("matmul", "products of numpy"), "the sum goes over k",
    ),
    Mistake(
        "strides ignored", "*stack, along_k, along_n = b.layout.strides", "*stack, along_k, along_n = row_major(b.shape).strides",
        ("matmul", "products of numpy"), "as if it were row-major",
    ),
)  # fmt: skip
