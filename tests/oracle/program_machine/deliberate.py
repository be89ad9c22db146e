"""Where lamina differs from PyTorch on purpose, each with its reason: the machine does not call these differences.

Those that a program can meet are listed for users in `docs/understand/gradients.md`, under "What differs from PyTorch".
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import torch

from .states import tensors

__all__ = ["alike", "are_wrong", "asks_of_whole_numbers", "counts_versions", "fills_its_memory", "has_no_slope", "is_of_pytorch_alone",
           "refuses"]


def counts_versions(name: str, lines: Sequence[str]) -> bool:
    """Whether the version of a variable, or of a gradient as `v1.grad`, must be PyTorch's.

    - Gradients: how often a backward pass adds in place is each engine's own.
    - Results of inference mode: PyTorch counts no writes to them.
    - After `.data`: lamina counts writes through it, so that a backward pass which needs what was overwritten is refused;
      PyTorch gives wrong gradients there.

    >>> counts_versions("v1", ["v1 = torch.ones(2)"]), counts_versions("v1", ["v2 = v1.data"]), counts_versions("v1.grad", [])
    (True, False, False)
    """
    return not name.endswith(".grad") and not any(".data" in line for line in lines)


def is_of_pytorch_alone(
    line: str, expected: Exception | None, observed: Exception | None, values: Mapping[str, Any] = MappingProxyType({})
) -> bool:
    """Whether PyTorch alone refuses what lamina computes rightly.

    - Operands that were overwritten or freed: lamina saves less. `prod` saves its result in PyTorch, `div` with a rounding mode both
      operands. Where lamina needs what was overwritten, and PyTorch does not, that is a difference.
    - Writes of what records gradients into views that recorded none, of one call that gave several of them.
    - The gradient of a power with a boolean exponent, from which PyTorch cannot subtract 1, and that of `huber_loss` whose operands are of
      two dtypes.
    - `index_fill` with a gradient of what has no items, and steps of 0.
    - Histories of what has become a view of itself while nothing was recorded: lamina records that.
    - Integers filled under a mask with what records gradients: they carry none.
    - What ends in an assertion within PyTorch, as the gradient of `True ** x`.
    - An `out` of another dtype to which the result may be cast, as most of PyTorch's functions take.
    - Gradients with respect to weights of losses, and the target of `soft_margin_loss`.
    - `sign` of complex numbers, transforms of no items, and running sums and products in booleans.
    - `kron` of a tensor whose dims cannot be joined in memory.
    - What was saved and then cut off by `detach_`.
    - Views as another dtype of a last dim of one item, whose stride reaches none.
    - Lists of tensors of several items, which are stacked.
    - Second gradients of `cdist`, `hardsigmoid` and `multi_margin_loss`.
    - Gradients of zeros that PyTorch only knows of, where it would write to them.
    - `v[:] += x` in a view, which PyTorch takes for a leaf that requires gradients until it is asked whether it is one.
    - Results of inference mode, which are no kind of their own in lamina: they count writes, are recorded later and written to.
    - An `out` of too little memory whose items the machine has made PyTorch's, and so have an owner.
    - Complex numbers and numbers of 16 bits, and booleans between booleans, where PyTorch has no kernel for them.

    >>> is_of_pytorch_alone("v1.sum().backward()", RuntimeError("... needed for gradient computation has been modified by an in..."), None)
    True
    """
    told = (
        "needed for gradient computation has been modified by an in",
        "Trying to backward through the graph a second time",
        "A view was created in no_grad mode and is being modified inplace with grad mode enabled",
        "returned an invalid gradient",
        "INTERNAL ASSERT FAILED",
        "Could this error message be improved",
        "Autograd not support dtype",
        "ZeroTensors are immutable",
        "derivative for '_cdist_backward' is not implemented",
        "derivative for aten::hardsigmoid_backward is not implemented",
        "derivative for aten::multi_margin_loss_backward is not implemented",
        "not implemented for 'Half'",
        "not implemented for 'BFloat16'",
        '"clamp_',
        "nference tensor",
        "does not support automatic differentiation for outputs with complex dtype",
        "not implemented for 'Complex",
        "a saved tensor that has been detached in-place",
        "torch.sign is not intended to support complex numbers",
        "MKL FFT error",
        "not implemented for 'Bool'",
        "only one element tensors can be converted to Python scalars",
        "only integer tensors of a single element can be converted to an index",
        "is not differentiable with respect to argument",
        "Got unsupported ScalarType BFloat16",
        "Trying to resize storage that is not resizable",
        "Can't detach views in-place",
        "must be 1 to view",
        "has been modified inplace. This view is the output of a function that returns multiple views",
    )
    if observed is not None:
        return False
    if str(expected).startswith("a leaf Variable that requires grad is being used"):
        written = re.match(r"(\w+)\[.*\] \S+= ", line)
        return written is not None and not values[written[1]].is_leaf
    if "torch.kron(" in line and str(expected).startswith("view size is not compatible"):
        return True
    if re.match(r"Found dtype \w+ but expected", str(expected)) or str(expected).startswith("setStorage: sizes"):
        return True
    if "out=" in line and any(words in str(expected) for words in ("dtype", "scalar type", "out type")):
        return True
    return any(words in str(expected) for words in told) or (
        ("backward(" in line or "grad(" in line) and str(expected).startswith("Subtraction, the `-`")
    )


def refuses(lines: Sequence[str], error: Exception, values: Mapping[str, Any]) -> bool:
    """Whether lamina alone refuses the last line, and means to.

    - Logical ops in place on what records gradients: PyTorch keeps the gradient of what was there before, which is wrong, and
      overwrites leaves.
    - A dtype that an op has no kernel for, two dtypes in one product, dims that do not exist (`roll`) and positions that lie outside:
      PyTorch asks only where there are items.
    - A second pass, after what was saved is freed, through products with a number, which PyTorch frees as well where they stand alone:
      those in `deg2rad`, `rad2deg`, `lerp`, and in what takes `alpha` and `beta`; and through `sign`, which saves its operand.
    - Powers of booleans by a boolean number, which PyTorch looks at before the dtype.
    - `out=` where gradients would have to flow: some of PyTorch's functions drop them in silence.
    - Complex results in a real `out`, where PyTorch's `logsumexp` drops the imaginary part in silence.
    - A backward pass that needs what was overwritten by way of `.data`.
    - One that needs the logits of `cross_entropy`, where PyTorch keeps their softmax in memory as well; the operand of `sign`, whose
      rule is that of complex numbers, too; or the result of attention, which PyTorch's keeps where there are four dims.
    - One that needs an operand of `kron`, whose writes PyTorch does not see and gives wrong gradients; or the divisor of a number, where
      PyTorch saves its reciprocal; or a factor of three dims or more, where PyTorch may fold and keep a copy; or the operand of
      `group_norm`, which PyTorch copies where it is permuted; or a bound of `clamp` of no dims beside one that is a number, of which
      PyTorch reads the value.

    >>> refuses(["v1.logical_not_()"], RuntimeError("logical_not_: the op has no gradient, ..."), {})
    True
    """
    if "backward through the graph a second time" in str(error):
        return any(words in line for line in lines for words in ("deg2rad", "rad2deg", "lerp", "alpha=", "beta=", ".sign(", ".sign_("))
    if ("pow" in lines[-1] or "**" in lines[-1]) and "not defined for lamina.bool" in str(error):
        return True
    if ".logical_" in lines[-1]:
        return isinstance(error, RuntimeError)
    if "functions with out=... arguments don't support automatic differentiation" in str(error):
        return True
    if "logsumexp(" in lines[-1] and re.search(r"result type complex\w+ can't be cast to the desired output type float", str(error)):
        return True
    if "modified by an inplace operation" in str(error):
        if re.search(r"\((\d+, ){2,}\d+\)\], which (Mm|Addmm)Backward0 saved", str(error)):
            return True
        if "which NativeGroupNormBackward0 saved" in str(error) or re.search(r" \(\)\], which ClampBackward\d saved", str(error)):
            return True
        needed = r"\.data|F\.cross_entropy\(|\.sign|attention\(|kron\(|\((True|False|-?[\d.]+)\) / v"
        return any(re.search(needed, line) for line in lines)
    named = tensors(values).keys() & set(re.findall(r"\w+", lines[-1]))
    if re.search(r"cum(sum|prod)_\(", lines[-1]) and "the desired output type bool" in str(error):
        return True  # PyTorch has no kernel either
    dtypes = "of one dtype", "same dtype"
    asked = isinstance(error, (NotImplementedError, IndexError)) or any(words in str(error) for words in dtypes)
    return asked and any(not values[name].numel() for name in named)


def has_no_slope(lines: Sequence[str]) -> bool:
    """Whether the last line asks for gradients that may change only by steps, or were multiplied by zeros, as those of a result that was
    overwritten with them, and that require gradients, of zeros, in PyTorch alone.

    >>> has_no_slope(["v2 = F.threshold(v1, 0, 1)", "v3, = torch.autograd.grad(v2.sum(), [v1], create_graph=True)"])
    True
    """
    steps = "threshold(", "rrelu(", "max_pool"
    if "create_graph=True" not in lines[-1]:
        return False
    if any("batch_norm(" in line for line in lines) and any(".zero_(" in line for line in lines):
        return True
    return any(words in line for line in lines for words in steps)


_WRITES = re.compile(r"\.\w+_\(|\] [-+*/]?= |^v\d+ [-+*/]= |out=|\.data = ")
"""What a line has that writes in place."""


def are_wrong(name: str, lines: Sequence[str], has_nan: bool = False) -> bool:
    """Whether PyTorch's items of a variable, or of a gradient as `v1.grad`, may be wrong; `has_nan` says that lamina's have NaN.

    - Gradients after a write through `.data`, which PyTorch does not see.
    - Gradients of `logcumsumexp`, which go by the logarithm of what comes to it: NaN is left out, and in gradients of gradients what is 0.
    - What `tril` and `triu` write out to memory in another order.

    >>> are_wrong("v1.grad", ["v2 = v1.data", "v2.zero_()"]), are_wrong("v1", ["v2 = v1.data", "v2.zero_()"])
    (True, False)
    >>> are_wrong("v1.grad", ["v3.zero_()", "v2 = v1.data"])
    False
    """
    data = next((i for i, line in enumerate(lines) if ".data" in line), len(lines))
    if name.endswith(".grad") and any(_WRITES.search(line) for line in lines[data:]):
        return True
    if any("torch.tri" in line and "out=" in line for line in lines):
        return True
    again = any("create_graph=True" in line for line in lines)
    return (again or has_nan) and any("logcumsumexp(" in line for line in lines)


def fills_its_memory(t: torch.Tensor) -> bool:
    """Whether a tensor's items are all that its memory has.

    `select_scatter` and its kin copy all of the memory in PyTorch, gaps and what lies before; lamina the items.

    >>> fills_its_memory(torch.ones(2, 3).t()), fills_its_memory(torch.ones(2, 3)[1])
    (True, False)
    """
    return t.numel() * t.element_size() == t.untyped_storage().nbytes()


def alike(expected: Exception, observed: Exception) -> bool:
    """Whether two errors are of one kind.

    - Of a call that is wrong in two ways, either may be told: a dtype without a kernel, a dim that does not exist, or what else raises a
      RuntimeError.
    - So it is with gradients that an `out` cuts off.
    - What PyTorch's insides run into is no kind of its own.

    >>> alike(IndexError(), IndexError()), alike(IndexError(), RuntimeError())
    (True, False)
    """
    if isinstance(expected, NotImplementedError):
        return isinstance(observed, RuntimeError)
    if "functions with out=... arguments don't support automatic differentiation" in str(expected):
        return True
    dtypes = (
        "not implemented for", "not defined for", "Expected floating point type", "Expected a floating point or complex tensor",
        "Autograd not support dtype", "dtypes match", "expected to have the same dtype",
    )  # fmt: skip
    if any(words in str(error) for words in dtypes for error in (expected, observed)):
        return True
    return isinstance(observed, type(expected)) or str(expected).startswith("setStorage: ")


def asks_of_whole_numbers(values: Mapping[str, Any]) -> bool:
    """Whether a tensor of integers or booleans requires gradients: PyTorch's fills and comparisons in place let it, lamina's do not.

    >>> asks_of_whole_numbers({"v1": torch.ones(2, requires_grad=True)})
    False
    """
    return any(t.requires_grad and not (t.is_floating_point() or t.is_complex()) for t in tensors(values).values())
