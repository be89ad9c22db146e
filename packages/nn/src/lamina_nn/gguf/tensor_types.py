"""The types that tensors have in a GGUF file, by the numbers of ggml (`enum ggml_type` of its ggml.h): items, or blocks of them.

A block is a run of items along the last dim that share scales. How the blocks that are read here are laid out stands in `small_blocks`
and `k_blocks`; of the others, the size is known, so that the tensors beside them can be read.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from lamina_flatarray import DTYPES, DType

__all__ = ["DTYPES_OF", "TENSOR_TYPES", "TYPES_BY_NAME", "TensorType"]


class TensorType(NamedTuple):
    """How the items of a tensor are stored.

    Attributes:
        number: ggml's.
        name: ggml's, without its beginning.
        items: how many items a block has; 1 where each is for itself.
        nbytes: how many bytes a block takes.
    """

    number: int
    name: str
    items: int
    nbytes: int


_PLAIN: Final = {
    (0, "F32"): "float32", (1, "F16"): "float16", (24, "I8"): "int8", (25, "I16"): "int16", (26, "I32"): "int32", (27, "I64"): "int64",
    (28, "F64"): "float64", (30, "BF16"): "bfloat16",
}  # fmt: skip

_BLOCKS: Final = [
    (2, "Q4_0", 32, 18), (3, "Q4_1", 32, 20), (6, "Q5_0", 32, 22), (7, "Q5_1", 32, 24), (8, "Q8_0", 32, 34), (9, "Q8_1", 32, 40),
    (10, "Q2_K", 256, 84), (11, "Q3_K", 256, 110), (12, "Q4_K", 256, 144), (13, "Q5_K", 256, 176), (14, "Q6_K", 256, 210),
    (15, "Q8_K", 256, 292), (16, "IQ2_XXS", 256, 66), (17, "IQ2_XS", 256, 74), (18, "IQ3_XXS", 256, 98), (19, "IQ1_S", 256, 50),
    (20, "IQ4_NL", 32, 18), (21, "IQ3_S", 256, 110), (22, "IQ2_S", 256, 82), (23, "IQ4_XS", 256, 136), (29, "IQ1_M", 256, 56),
    (34, "TQ1_0", 256, 54), (35, "TQ2_0", 256, 66), (39, "MXFP4", 32, 17), (40, "NVFP4", 64, 36), (41, "Q1_0", 128, 18),
]  # fmt: skip

DTYPES_OF: Final[dict[str, DType]] = {name: DTYPES[ours] for (_, name), ours in _PLAIN.items()}
"""The dtypes of the types without blocks."""

TENSOR_TYPES: Final[dict[int, TensorType]] = {
    **{number: TensorType(number, name, 1, DTYPES_OF[name].itemsize) for number, name in _PLAIN},
    **{block[0]: TensorType(*block) for block in _BLOCKS},
}
"""All types by number."""

TYPES_BY_NAME: Final = {kind.name: kind for kind in TENSOR_TYPES.values()}
"""All types by name."""
