"""A program: lines over variables of tensors, which run on any device, and stand in a file that a person can run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import lamina_tensor as lt
from lamina_flatarray import dtypes

__all__ = ["Program", "variables_on"]


def variables_on(device: str) -> dict[str, Any]:
    """Return what the lines of a program find: `lt`, `dtypes` and the device."""
    return {"lt": lt, "dtypes": dtypes, "device": device}


@dataclass(frozen=True)
class Program:
    """Lines of Python over `lt`, which is lamina_tensor, `dtypes` and `device`; called with a device, it runs.

    Args:
        lines: statements, one a line.

    >>> Program(("v0 = lt.ones(2, device=device)", "v1 = v0 + 1"))("cpu")["v1"].tolist()
    [2.0, 2.0]
    """

    lines: tuple[str, ...]

    def __call__(self, device: str) -> dict[str, Any]:
        """Run the lines.

        Args:
            device: where tensors are made.

        Returns:
            The variables by name.
        """
        variables = variables_on(device)
        exec("\n".join(self.lines), variables)
        return {name: value for name, value in variables.items() if isinstance(value, lt.Tensor)}

    def script(self, backend: str) -> str:
        """Return the program as a file: run, it compares a backend with the reference.

        Args:
            backend: the backend's name.

        Returns:
            The text of a Python file, whose function `program` is what `lamina_testkit.bisect` takes.
        """
        body = "\n".join(f"    {line}" for line in self.lines)
        return (
            f'"""A program on which {backend} and the reference differ."""\n\n'
            "import lamina_tensor as lt\nfrom lamina_flatarray import dtypes\n"
            "from lamina_testkit import bisect\nfrom lamina_testkit.programs import compare\n\n\n"
            f"def program(device):\n{body}\n    return locals()\n\n\n"
            f'if __name__ == "__main__":\n    print(bisect(program, backend={backend!r}))\n    compare(program, backend={backend!r})\n'
        )
