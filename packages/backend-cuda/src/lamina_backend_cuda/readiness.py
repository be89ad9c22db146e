"""Whether CUDA can run here: one of six things that may be wrong, each with the line that mends it."""

from __future__ import annotations

from typing import Final

from .interface import Facts

__all__ = ["OLDEST", "problem"]

OLDEST: Final = (7, 5)
"""The least compute capability that the kernels are compiled for."""

_MEND: Final = "pip install 'lamina-backend-cuda[cuda12]' (or [cuda13], whichever CUDA release nvidia-smi names)"


def problem(facts: Facts) -> str | None:
    """Return what is wrong and how to mend it, in one line; None where all is well.

    Args:
        facts: what a port found.

    Returns:
        One of six reasons, each with what mends it, or None.

    >>> problem(Facts(())).startswith("CuPy is not installed")
    True
    """
    if len(facts.distributions) > 1:
        return f"{' and '.join(facts.distributions)} are both installed, which overwrite each other; {_keep_one(facts)}"
    if not facts.distributions and facts.import_error:
        return f"CuPy is not installed; run: {_MEND}"
    if facts.import_error:
        name = facts.distributions[0]
        return f"{name} cannot be imported ({facts.import_error}); run: pip install --force-reinstall {name}"
    if not facts.distributions and not facts.runtime:
        return f"CuPy is not installed; run: {_MEND}"
    if not facts.driver:
        return "there is no NVIDIA driver; install one from https://www.nvidia.com/drivers and look with: nvidia-smi"
    if facts.driver // 1000 < facts.runtime // 1000:
        return (
            f"the driver serves CUDA {_version(facts.driver)}, but CuPy was built for {_version(facts.runtime)}; install a newer "
            f"driver, or run: pip uninstall {_names(facts)}, and pip install 'lamina-backend-cuda[cuda{facts.driver // 1000}]'"
        )
    if not facts.devices:
        return "the driver shows no device; look with nvidia-smi -L, and whether CUDA_VISIBLE_DEVICES hides it: unset CUDA_VISIBLE_DEVICES"
    if all(device.capability < OLDEST for device in facts.devices):
        gpus = ", ".join(f"{d.name} ({d.capability[0]}.{d.capability[1]})" for d in facts.devices)
        return f"{gpus} is older than compute capability {OLDEST[0]}.{OLDEST[1]} (Turing), which the kernels want; use device='cpu'"
    return None


def _version(number: int) -> str:
    return f"{number // 1000}.{number % 1000 // 10}"


def _names(facts: Facts) -> str:
    return " ".join(facts.distributions) or "cupy"


def _keep_one(facts: Facts) -> str:
    return f"keep one: pip uninstall -y {_names(facts)}, and then {_MEND}"
