"""Arguments that an overload of PyTorch's takes, found by trying: from its annotations, in one of a few situations."""

import re
from collections.abc import Callable, Iterator
from inspect import Parameter, Signature
from itertools import product
from types import ModuleType
from typing import Any

import numpy as np

# Symmetric and positive definite, with unlike items; below one, so that inverse functions have it in their domain.
SQUARE = np.array([[0.9, 0.1, 0.2], [0.1, 0.8, 0.3], [0.2, 0.3, 0.7]])
ZEROS = np.zeros((3, 3), np.int64)
# What the tensors among the arguments are, the first and the others.
SITUATIONS = (
    (SQUARE, SQUARE),
    (SQUARE[0], SQUARE[0]),
    (ZEROS + 1, ZEROS + 1),
    (SQUARE, ZEROS),
    (SQUARE, ZEROS[0]),
    (SQUARE, SQUARE[0]),
    (SQUARE > 0.5, SQUARE > 0.5),
    (SQUARE + 0j, SQUARE + 0j),
    (np.stack([SQUARE, SQUARE]), np.stack([SQUARE, SQUARE])),
    (SQUARE[None, None], SQUARE[None, None]),
    (np.float64(0.5), np.float64(0.5)),
)
NUMBERS = (0, 1, 2)

Made = Callable[[ModuleType], dict[str, Any]]


def _value(torch: ModuleType, annotation: str, tensor: Any, number: int) -> Any:
    """An argument; KeyError where no annotation of that kind is known."""
    if re.match(r"tuple\[Tensor|list\[Tensor|Sequence\[Tensor", annotation):
        return [torch.tensor(tensor), torch.tensor(tensor)]
    if annotation.startswith("Tensor"):
        return torch.tensor(tensor)
    if annotation.startswith(("_int | _size", "_int")):
        return number
    if annotation.startswith(("_size", "Sequence[_int", "_symsize")):
        return [number]
    if annotation.startswith("_bool"):
        return False
    if annotation.startswith(("_float", "Number")):
        return float(number)
    if annotation.startswith("_dtype"):
        return torch.float64
    raise KeyError(annotation)


def attempts(signature: Signature, with_parameter: str, name: str, method: bool) -> Iterator[Made]:
    """Functions that make the arguments by keyword in PyTorch or in lamina, `with_parameter` among them under another name.

    A method's own tensor is among them as `self`.
    """
    wanted = [
        p
        for p in signature.parameters.values()
        if (p.default is Parameter.empty or p.name == with_parameter)
        and p.name != "out" and p.kind is not Parameter.VAR_POSITIONAL
    ]  # fmt: skip
    for (first, other), number in product(SITUATIONS, NUMBERS):

        def make(torch: ModuleType, first: Any = first, other: Any = other, number: int = number) -> dict[str, Any]:
            made: dict[str, Any] = {"self": torch.tensor(first)} if method else {}
            tensor = other if method else first
            for parameter in wanted:
                annotation = str(parameter.annotation)
                key = name if parameter.name == with_parameter else parameter.name
                made[key] = _value(torch, annotation, tensor, number)
                if annotation.startswith("Tensor"):
                    tensor = other
            return made

        yield make
