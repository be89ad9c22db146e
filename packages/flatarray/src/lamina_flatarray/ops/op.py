"""What the record of an op says, and the families that ops belong to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..errors import ArgumentValueError

__all__ = ["BATCHING", "DOMAINS", "FAMILIES", "Op"]

FAMILIES: Final = {
    "copy": "moves or makes items: `out` and its input may have any layout, and `copy` casts between any dtypes",
    "map": "item by item; each input has out's shape (strides may be 0), or is a Python scalar; out may be one of them",
    "reduce": "reduces `axes` (ascending, non-negative) to one item: out has x's shape without them",
    "scan": "runs along one axis; out has x's shape",
    "matmul": "contracts the last axis of a with the last but one of b; leading axes are equal (broadcast by strides)",
    "fft": "a discrete Fourier transform along `axis`, each item times `scale`; other axes are a stack",
    "linalg": "factorizes and solves over stacks of matrices, the last two axes; leading axes are equal; never derived",
    "gather": "reads or writes at indices given by int64 arrays",
    "sort": "orders along one axis",
    "random": "fills with random numbers of a generator, in the order of out's items",
    "fused": "several ops in one pass; always derived",
}
"""Each family of ops, and how their kernels are called."""

DOMAINS: Final = {
    "any": "all numbers",
    "unit": "-1 to 1",
    "probability": "0 to 1",
    "positive": "above 0",
    "above_one": "1 and above",
    "divisor": "all numbers, but the second input is not 0",
    "shift": "integers, the second input from 0 to the width of the dtype",
    "power": "above 0, but an integer may be raised to any power from 0 on",
}
"""Each domain that an op may have, and the inputs that lie in it. Outside, results are NaN, infinite or arbitrary."""

BATCHING: Final = {
    "items": "leading axes are left alone, or all axes treated alike",
    "axis": "`axis` is one further on",
    "axes": "the axes are one further on",
    "extreme": "as axes; of all items, those of each slice",
    "indices": "indices of an axis of their own choose the slice",
    "searched": "each slice is searched for its own",
    "counted": "each slice has the same numbers",
    "examples": "slices are more examples",
    "affine": "slices are more rows, where the weight is one for all",
    "drawn": "slices draw together, or each by itself",
    "decomposed": "what it is made of is batched",
}
"""Each batching rule that an op may have, and what it does with one more axis in front of its operands."""

_BATCHING: Final = {
    "map": "items", "reduce": "axes", "scan": "axis", "matmul": "items", "fft": "axis", "sort": "axis", "random": "drawn",
}  # fmt: skip

_SAMPLES: Final = {
    "map": "elementwise", "reduce": "reduced", "scan": "along_axis", "matmul": "matmul", "linalg": "apart", "gather": "apart",
    "sort": "sorted", "random": "apart",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Op:
    """The record of one op.

    Attributes:
        name: how the op is called everywhere in lamina (the Array API's spelling where it has one).
        family: a key of FAMILIES; fixes the calling convention.
        signature: input names, then after a colon the parameter names; `*x` stands for any number of arrays, `[x]` is one
            list of them.
        rule: a name in `dtype_rules`: what the inputs are cast to, and what comes out.
        doc: what it does: a sentence, or a phrase that its family makes one of.
        required: whether a backend must bring a kernel; all others have a decomposition into required ones, but those of
            the family linalg: where a backend lacks one, the fallback policy decides.
        torch: PyTorch's name of the function where it differs.
        aliases: PyTorch's further names of it.
        outputs: how many arrays come out.
        beside: the parameters whose arrays the kernel writes to, beside `out`.
        aten: PyTorch's name of the kernel in profiles; "" if PyTorch has no such kernel, None if it is called like the
            function. Families whose kernels are not called like functions have to say it.
        domain: a key of DOMAINS: the inputs for which results mean something.
        samples: how the conformance kit makes inputs for it, by the name of a maker in the kit; "apart" if tests of its own
            do. By default that of the family; a family whose ops have nothing in common has none, so its ops say it.
        batching: its rule under vmap, a key of BATCHING. By default that of the family, where the calling convention alone says it;
            an op without one is refused by name.
        mixes_bool: whether booleans are taken beside numbers, whose dtype they take.

    Raises:
        ArgumentValueError: the record lacks what its family has no default for, or names what does not exist.

    >>> Op("halve", "map", "x", "float", "x / 2", torch="half").inputs
    ('x',)
    """

    name: str
    family: str
    signature: str
    rule: str
    doc: str
    required: bool = False
    torch: str = ""
    aliases: tuple[str, ...] = ()
    outputs: int = 1
    beside: tuple[str, ...] = ()
    aten: str | None = None
    domain: str = "any"
    samples: str = ""
    batching: str = ""
    mixes_bool: bool = True

    def __post_init__(self) -> None:
        if self.family not in FAMILIES or self.domain not in DOMAINS or not set(self.beside) <= set(self.params):
            raise ArgumentValueError(f"{self.name}: there is no such family, domain or parameter: {self}")
        if self.aten is None and self.family in ("fft", "linalg", "fused"):
            raise ArgumentValueError(f"{self.name}: an op of the family {self.family} has to say its kernel's name in PyTorch's profiles")
        if not self.samples:
            if self.family not in _SAMPLES:
                raise ArgumentValueError(f"{self.name}: an op of the family {self.family} has to say how the kit makes inputs for it")
            object.__setattr__(self, "samples", _SAMPLES[self.family])
        if not self.batching:
            object.__setattr__(self, "batching", _BATCHING.get(self.family, ""))
        if self.batching and self.batching not in BATCHING:
            raise ArgumentValueError(f"{self.name}: there is no such batching rule: {self.batching!r}")

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
        """How many inputs there are, where a list of arrays or any number of them count as one."""
        return len(self.inputs)

    @property
    def is_elementwise(self) -> bool:
        """Whether it is computed item by item: a map, or one of several steps."""
        return self.family == "map" or (self.family == "fused" and self.batching == "items" and self.outputs == 1)

    @property
    def is_activation(self) -> bool:
        """Whether it is fused, but item by item, over one array and numbers or arrays beside it."""
        return self.family == "fused" and self.is_elementwise and self.inputs[:1] == ("x",) and not self.params

    @property
    def spelling(self) -> str:
        """PyTorch's name of the function."""
        return self.torch or self.name

    @property
    def kernel_name(self) -> str:
        """What profiles call the kernel: PyTorch's name with `aten::` before it, or ours with `lamina::`."""
        if self.aten == "":
            return f"lamina::{self.name}"
        return f"aten::{self.spelling if self.aten is None else self.aten}"
