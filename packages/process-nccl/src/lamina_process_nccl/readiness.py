"""Whether NCCL can be called here: one of two things that may be wrong, each with the line that mends it.

Those that are wrong with CUDA are told by the backend of its arrays, and those with MPI by its transport.
"""

from __future__ import annotations

from typing import Final

from .interface import Facts

__all__ = ["problem"]

_OLDEST: Final = 21000  # knows bfloat16
_WHICH: Final = "(or [cuda13], whichever CUDA release nvidia-smi names)"


def problem(facts: Facts) -> str | None:
    """Return what is wrong and how to mend it, in one line; None where all is well.

    Args:
        facts: what a port found.

    Returns:
        One of two reasons, each with what mends it, or None.

    >>> problem(Facts("ImportError: libnccl.so.2: cannot open shared object file")).startswith("CuPy has no NCCL")
    True
    """
    if facts.import_error:
        return f"CuPy has no NCCL ({facts.import_error}); run: pip install 'lamina-process-nccl[cuda12]' {_WHICH}"
    if facts.version < _OLDEST:
        unit = 10000 if facts.version >= 10000 else 1000  # before 2.9
        version = f"{facts.version // unit}.{facts.version % unit // 100}"
        return f"NCCL {version} is older than 2.10; run: pip install --upgrade 'lamina-process-nccl[cuda12]' {_WHICH}"
    return None
