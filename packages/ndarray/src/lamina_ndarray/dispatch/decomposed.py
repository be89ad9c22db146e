"""Tells the kernel tables where decompositions are: they are imported when a backend first lacks a kernel."""

from __future__ import annotations

from lamina_flatarray.backends.kernel_table import decompositions

__all__: list[str] = []

decompositions.modules.append("lamina_ndarray.decompositions")
