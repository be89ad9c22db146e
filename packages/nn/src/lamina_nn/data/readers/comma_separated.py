"""CSV files of numbers: a column for each name, a row for each sample."""

from __future__ import annotations

import csv
import os
from array import array
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

import lamina_tensor as lt
from lamina_flatarray import CheckpointError
from lamina_tensor import Tensor

__all__ = ["read_csv"]


def read_csv(
    path: str | os.PathLike[str], *, columns: Sequence[str] | Sequence[int] | None = None, header: bool = True,
    delimiter: str = ",", dtype: Any = "float32", encoding: str = "utf-8",
) -> Tensor:  # fmt: skip
    """The numbers in a CSV file.

    Args:
        path: the file.
        columns: which ones, in this order, by name or by number; by default all.
        header: whether the first row holds names.
        delimiter: what stands between two numbers.
        dtype: of the result; numbers are read as float64.
        encoding: of the text.

    Returns:
        (rows, columns). Blank lines count for nothing.

    Raises:
        CheckpointError: a row has another length than the first (as the last one of a file that is cut short), a wanted
            item is no number, a quote does not end, or the bytes are not of the encoding; the line is named.
        KeyError: there is no column of such a name or number.
    """
    name = os.fspath(path)
    values = array("d")
    with open(path, newline="", encoding=encoding) as file:
        rows = csv.reader(file, delimiter=delimiter, strict=True)
        lines = _whole(name, encoding, rows)
        first = next(lines, None)
        if first is None:
            raise CheckpointError(f"{name}: the file is empty")
        places = _numbers(name, columns, first, header)
        for row in lines if header else _with(first, lines):
            if len(row) != len(first):
                raise CheckpointError(
                    f"{name}: line {rows.line_num} has {len(row)} items, where the first has {len(first)}: damaged or cut short"
                )
            for i in places:
                try:
                    values.append(float(row[i]))
                except ValueError:
                    raise CheckpointError(f"{name}: line {rows.line_num}, item {i + 1}: {row[i][:40]!r} is no number") from None
    return lt.from_numpy(np.frombuffer(values, np.float64).reshape(-1, len(places)) if values else np.empty((0, len(places)))).to(
        lt.empty(0, dtype=dtype).dtype
    )


def _with(first: list[str], rest: Iterator[list[str]]) -> Iterator[list[str]]:
    yield first
    yield from rest


def _whole(name: str, encoding: str, rows: Any) -> Iterator[list[str]]:
    """The rows with anything in them."""
    while True:
        try:
            row = next(rows, None)
        except csv.Error as error:
            raise CheckpointError(f"{name}: line {rows.line_num}: {error}: damaged or cut short") from None
        except UnicodeDecodeError as error:
            raise CheckpointError(f"{name}: line {_line_of_damage(name, encoding)}: {error}: damaged or cut short") from None
        if row is None:
            return
        if row:
            yield row


def _line_of_damage(name: str, encoding: str) -> int:
    """Text is decoded in pieces of many lines, so the line that is damaged has to be looked for."""
    with open(name, "rb") as file:
        content = file.read()
    try:
        content.decode(encoding)
    except UnicodeDecodeError as error:
        return 1 + content[: error.start].decode(encoding).count("\n")
    return 1


def _numbers(name: str, columns: Any, first: list[str], header: bool) -> list[int]:
    if columns is None:
        return list(range(len(first)))
    titles = {title.strip(): i for i, title in enumerate(first)} if header else {}
    result = [titles.get(column, -1) if isinstance(column, str) else column for column in columns]
    for column, i in zip(columns, result, strict=True):
        if not 0 <= i < len(first):
            raise KeyError(f"{name}: there is no column {column!r} among {list(titles) or len(first)}")
    return result
