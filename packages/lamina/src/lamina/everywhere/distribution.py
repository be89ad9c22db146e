"""What `importlib.metadata` is told of torch while it is lamina: the version of PyTorch whose names are served."""

from __future__ import annotations

from importlib.metadata import Distribution
from pathlib import Path
from typing import Any

from ..programs.pytorch_names import served_version

__all__ = ["ServedDistribution"]


class ServedDistribution(Distribution):
    """A distribution without files, named torch."""

    def read_text(self, filename: str) -> str | None:
        """The text of the files that tell its name, version and modules; None for all others."""
        texts = {
            "METADATA": f"Metadata-Version: 2.1\nName: torch\nVersion: {served_version()}\nSummary: lamina, under PyTorch's name\n",
            "top_level.txt": "torch\n",
        }
        return texts.get(filename)

    def locate_file(self, path: Any) -> Any:
        """Where a file of it would be: beside lamina's own."""
        return Path(__file__).parents[2] / path
