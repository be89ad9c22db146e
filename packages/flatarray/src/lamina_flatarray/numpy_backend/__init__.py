"""The reference backend: every op of the table in plain NumPy, one file per family."""

from .backend import NumpyBackend

__all__ = ["NumpyBackend"]
