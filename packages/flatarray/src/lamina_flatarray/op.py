"""What a row of the op table says, and the families that ops belong to."""

from __future__ import annotations

from typing import Final, NamedTuple

__all__ = ["FAMILIES", "Op"]

FAMILIES: Final = {
    "copy": "moves or makes items: `out` and its input may have any layout, and `copy` casts between any dtypes",
    "map": "item by item; each input has out's shape (strides may be 0), or is a Python scalar",
    "reduce": "folds `axes` (ascending, non-negative) away: out has x's shape without them",
    "scan": "runs along one axis; out has x's shape",
    "matmul": "contracts the last axis of a with the last but one of b; leading axes are equal (broadcast by strides)",
    "fft": "a discrete Fourier transform along `axis`, each item times `scale`; other axes are a stack",
    "linalg": "factorizes and solves over stacks of matrices, the last two axes; leading axes are equal; never derived",
    "gather": "reads or writes at positions given by int64 arrays",
    "sort": "orders along one axis",
    "random": "draws from a generator, in the order of out's items",
    "fused": "several ops in one pass; always derived",
}


class Op(NamedTuple):
    """One row of the table.

    Attributes:
        name: how the op is called everywhere in lamina (the Array API's spelling where it has one).
        family: a key of FAMILIES; fixes the calling convention.
        signature: input names, then after a colon the parameter names.
        rule: a name in `dtype_rules`: what the inputs are cast to, and what comes out.
        doc: one line.
        required: whether a backend must bring a kernel; all others have a composition out of required ones, but those
            of the family linalg: where a backend lacks one, the fallback policy decides.
        torch: PyTorch's spelling where it differs.
        outputs: how many arrays come out.
        beside: the parameters whose arrays the kernel writes to, beside `out`.
    """

    name: str
    family: str
    signature: str
    rule: str
    doc: str
    required: bool = False
    torch: str = ""
    outputs: int = 1
    beside: tuple[str, ...] = ()

    @property
    def inputs(self) -> tuple[str, ...]:
        """The names of the array inputs, in order."""
        return tuple(self.signature.partition(":")[0].split())

    @property
    def params(self) -> tuple[str, ...]:
        """The names of the parameters, in order."""
        return tuple(self.signature.partition(":")[2].split())

    @property
    def arity(self) -> int:
        """How many inputs there are; `*x` stands for any number of arrays, `[x]` is one list of them."""
        return len(self.inputs)

    @property
    def spelling(self) -> str:
        """PyTorch's name for the op."""
        return self.torch or self.name
