"""What spectra leave to LAPACK."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from native_operands import inheriting


@pytest.fixture
def left() -> Iterator[list[str]]:
    """The ops whose calls were left to the inherited kernels."""
    ops: list[str] = []

    def watched(op: str, inherited: Any) -> Callable[..., None]:
        return lambda *args, **params: (ops.append(op), inherited(*args, **params))[1]

    with inheriting(("eigh", "eigvalsh", "svd", "svdvals"), watched):
        yield ops
