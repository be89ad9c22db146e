"""What rounding does to a program, measured by Monte Carlo arithmetic: PyTorch runs it again with each result shaken by its epsilon.

D. S. Parker, Monte Carlo Arithmetic, UCLA 1997.
"""

from __future__ import annotations

from functools import reduce
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map

__all__ = ["Shaken"]


def _is_inexact(x: Any) -> bool:
    """Whether something has floating-point or complex items in memory: `meta` tensors and zeros that PyTorch only knows of have none."""
    return isinstance(x, torch.Tensor) and (x.is_floating_point() or x.is_complex()) and not x.is_meta and not x._is_zerotensor()


def _computed_in(args: Any) -> torch.dtype:
    """The dtype in which floating-point numbers are computed from operands: of integers and booleans, the default."""
    operands = [x for x in tree_leaves(args) if isinstance(x, torch.Tensor)]
    found = reduce(torch.promote_types, [x.dtype for x in operands]) if operands else torch.get_default_dtype()
    return found if found.is_floating_point or found.is_complex else torch.get_default_dtype()


def _entropies(x: torch.Tensor, target: torch.Tensor, weight: Any = None, pos_weight: Any = None, reduction: int = 1) -> torch.Tensor:
    terms = (1 - target) * x, (1 if pos_weight is None else (pos_weight - 1) * target + 1) * torch.nn.functional.logsigmoid(x)
    losses = (terms[0] - terms[1]) * (1 if weight is None else weight)
    return losses if reduction == 0 else losses.mean() if reduction == 1 else losses.sum()


def _log_softmax(x: torch.Tensor, dim: int, half_to_float: bool) -> torch.Tensor:
    return x - x.logsumexp(dim, keepdim=True)


_CANCELLING = {"binary_cross_entropy_with_logits.default": _entropies, "_log_softmax.default": _log_softmax}
"""The steps of kernels whose terms may cancel: their operands and results tell too little of what is rounded on the way."""

_UNITS = {("linalg_matrix_exp", "binary_cross_entropy_backward"): (2**22, 128), ("_linalg_svd", "_linalg_eigh", "linalg_eig"): (16, 16),
          ("",): (2, 2)}  # fmt: skip
"""By how the names of kernels begin, how many units in the last place their operands and results are changed: of float64, and of others."""


class Shaken(TorchDispatchMode):
    """Changes each floating-point result of each kernel, backward passes too, by up to two units in its last place.

    Args:
        seed: of the changes, which take nothing from the generator that the program draws from.
    """

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.generator = torch.Generator().manual_seed(seed)
        self.units = _UNITS[("",)]

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """False, else PyTorch imports its compiler here, which takes seconds."""
        return False

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Run a kernel and shake what it wrote; views are left alone.

        Of a kernel of several steps within, as a normalisation, the operands are shaken as well: they stand for what is on the way.
        Those of `matrix_exp` more, whose polynomials in PyTorch are off by 6e-5 for float32 and 2e-10 for float64, and so the gradient of
        `binary_cross_entropy`, whose own gradient adds 1e-12 to what it divides by; and those of singular and eigenvalues, which are those
        of an operand that is some units off (LAPACK Users' Guide, 4.8 and 4.9). What goes into an `out` is computed in the dtype of the
        operands.
        """
        self.units = next((units for names, units in _UNITS.items() if func.__name__.startswith(names)), _UNITS[("",)])
        computed = _computed_in(args) if "out" in (kwargs or {}) else None
        steps = _CANCELLING.get(func.__name__)
        if steps is not None:
            with self:
                return steps(*args, **(kwargs or {}))
        schema = func._schema
        if torch.Tag.pointwise not in func.tags and not any(a.alias_info for a in (*schema.arguments, *schema.returns)):
            args = tree_map(self._shaken_copy, args)
        result = func(*args, **(kwargs or {}))
        if any(r.alias_info is not None and not r.alias_info.is_write for r in schema.returns):
            return result
        for t in tree_leaves(result):
            if _is_inexact(t) and t.numel() and not any(n > 1 and s == 0 for n, s in zip(t.shape, t.stride(), strict=True)):
                t.copy_(self._shaken(t, computed))
        return result

    @torch.no_grad()
    def _shaken(self, t: torch.Tensor, computed: torch.dtype | None = None) -> torch.Tensor:
        noise = torch.rand(t.shape, generator=self.generator, dtype=torch.float64) * 2 - 1
        units = self.units[0 if t.dtype is torch.float64 else 1]
        return t.detach() * (1 + units * noise * max(torch.finfo(dtype).eps for dtype in (t.dtype, computed or t.dtype)))

    def _shaken_copy(self, x: Any) -> Any:
        return torch.empty_like(x.detach()).copy_(self._shaken(x)) if _is_inexact(x) and x.numel() else x
