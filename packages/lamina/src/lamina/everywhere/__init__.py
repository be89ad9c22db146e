"""For a whole process `torch` means lamina, installed packages included: on request, said out loud, and undone when told."""

from .aliasing import as_torch
from .running import run

__all__ = ["as_torch", "run"]
