"""Chapter 4."""

from . import Mistake

MISTAKES = (
    Mistake(
        "offset in bytes ignored", "Flat(flat.memory, flat.dtype.name, flat.offset, flat.size)",
        "Flat(flat.memory, flat.dtype.name, 0, flat.size)",
        ("as_array", "both offsets"), "the offset in bytes was left out",
    ),
    Mistake(
        "offset in items ignored", "Layout(layout.shape, layout.strides, layout.offset))", "Layout(layout.shape, layout.strides))",
        ("as_array", "both offsets"), "the offset in items was left out",
    ),
    Mistake(
        "offsets mixed", "flat.dtype.name, flat.offset, flat.size)", "flat.dtype.name, flat.offset + layout.offset, flat.size)",
        ("as_array", "both offsets"), "the two offsets were added",
    ),
    Mistake(
        "memory copied", "Flat(flat.memory, flat.dtype.name, flat.offset", "Flat(bytearray(flat.memory), flat.dtype.name, flat.offset",
        ("as_array", "the same memory"), "the memory was copied",
    ),
    Mistake(
        "stored in a row", "zip(places(out.layout), values, strict=True)", "enumerate(values)",
        ("store", "only its places"), "one after the other",
    ),
    Mistake(
        "arguments reversed", "map_items(function, *arrays, dtype=target.dtype)", "map_items(function, *arrays[::-1], dtype=target.dtype)",
        ("kernel_of_items", "item by item"), "in the other order",
    ),
    Mistake(
        "numbers forgotten", 'as_array(x) if hasattr(x, "layout") else array([x], ()) for x', "as_array(x) for x",
        ("kernel_of_items", "numbers stand for items"), "an input that has no `layout` is a number",
    ),
    Mistake(
        "result returned", "        result = map_items(function, *arrays", "        return map_items(function, *arrays",
        ("kernel_of_items", "item by item"), "a kernel writes into `out`, and returns nothing",
    ),
    Mistake(
        "axes ignored", "reduce_items(function, start, as_array(x), axes)",
        "reduce_items(function, start, as_array(x), range(len(x.layout.shape)))",
        ("kernel_of_fold", "axes that are named"), "those of the axes that are not folded",
    ),
    Mistake(
        "all memory filled", "    target = as_array(out)\n    store([value] * len(places(target.layout)), target)",
        "    target = as_array(out)\n    for p in range(target.flat.size):\n        target.flat.write(p, value)",
        ("fill", "nothing between"), "all of the memory was filled",
    ),
    Mistake(
        "factors reversed", "matmul(as_array(a), as_array(b))", "matmul(as_array(b), as_array(a))",
        ("product", "in that order"), "that is b @ a",
    ),
    Mistake(
        "one memory for all", "        return bytearray(max(nbytes, 1))",
        "        self.memory = getattr(self, 'memory', None) or bytearray(max(nbytes, 1))\n        return self.memory",
        ("CourseBackend.allocate", "enough and its own"), "both are the same memory",
    ),
    Mistake(
        "copied to the start", "memory[offset : offset + source.nbytes] = source", "memory[: source.nbytes] = source",
        ("CourseBackend.copy_in", "bytes go in"), "the offset was ignored",
    ),
    Mistake(
        "memory shortened", "memory[offset : offset + source.nbytes] = source", "memory[offset:] = source",
        ("CourseBackend.copy_in", "bytes go in"), "the memory became shorter",
    ),
    Mistake(
        "target rebound", "        target[:] = memory[offset", "        target = memory[offset",
        ("CourseBackend.copy_out", "bytes come out"), "`target = ...` gives the name to another object",
    ),
    Mistake(
        "arithmetic", '"multiply": operator.mul', '"multiply": operator.add',
        ("CourseBackend.kernel", "the kit on multiply"), "this is the plainest layout, so it is the arithmetic",
    ),
)  # fmt: skip
