"""What rounding does to a program, measured by Monte Carlo arithmetic: PyTorch runs it again with each result shaken by its epsilon.

D. S. Parker, Monte Carlo Arithmetic, UCLA 1997.
"""

from __future__ import annotations

from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

__all__ = ["Shaken"]


class Shaken(TorchDispatchMode):
    """Changes each floating-point result of each kernel, backward passes too, by up to two units in its last place.

    Args:
        seed: of the changes, which take nothing from the generator that the program draws from.
    """

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.generator = torch.Generator().manual_seed(seed)

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Run a kernel and shake what it wrote; views are left alone."""
        result = func(*args, **(kwargs or {}))
        returns = func._schema.returns
        if any(r.alias_info is not None and not r.alias_info.is_write for r in returns):
            return result
        for t in tree_leaves(result):
            if isinstance(t, torch.Tensor) and (t.is_floating_point() or t.is_complex()) and t.numel():
                noise = torch.rand(t.shape, generator=self.generator, dtype=torch.float64) * 4 - 2
                if not any(n > 1 and s == 0 for n, s in zip(t.shape, t.stride(), strict=True)):
                    t.copy_(t * (1 + noise * torch.finfo(t.dtype).eps))
        return result
