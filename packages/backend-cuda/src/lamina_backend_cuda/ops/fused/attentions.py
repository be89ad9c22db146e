"""Attention in tiles, without scores in memory, and its gradients: one launch forward, four backward."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from lamina_flatarray.dtypes import DType

from ..maps import row_major
from ..operands import address, blank, device_of, dtype_of
from ..walks import walks
from .lines import FLOATING, Program, along, constant, few_axes, in_dtype, program, run, wide
from .tiles import THREADS, declared, tile_of

__all__ = ["KERNELS"]

_EXTENTS: Final = "16q"
_OPERANDS: Final = ("const In* query", "const In* key", "const In* value", "const bool* chosen", "const In* added")


def _declared(dtype: DType, chunks: int) -> str:
    return f"{declared(dtype)}\n#define CHUNKS {chunks}"


@lru_cache(16)
def _attention(dtype: DType, chunks: int) -> Program:
    """For values of so many tiles at once."""
    parameters = (
        "In* out", "W* logs", *_OPERANDS, "Walk<7> batch", "Extents s", "i64 log_step", "W scale", "int causal",
    )  # fmt: skip
    files = ["tiles/tiles", "tiles/scores", "tiles/attention"]
    return program(dtype, files, {"attention": parameters}, _declared(dtype, chunks), structs={"Extents": _EXTENTS})


@lru_cache(16)
def _attention_gradient(dtype: DType, chunks: int) -> Program:
    parameters = (
        "In* out", "const In* gradient", *_OPERANDS, "const W* logs", "const W* along", "Walk<7> batch", "Extents s", "W scale",
        "int causal",
    )  # fmt: skip
    lines = ("W* along", "const In* gradient", "const In* result", "Walk<3> outer", "Walk<3> inner")
    files = ["tiles/tiles", "tiles/scores", "tiles/attention_gradient"]
    kernels = {"lines": lines, "of_query": parameters, "of_key": parameters, "of_value": parameters}
    return program(dtype, files, kernels, _declared(dtype, chunks), structs={"Extents": _EXTENTS})


def _chunks(width: int, dtype: DType) -> int:
    return 1 if width <= tile_of(dtype) else 2


def _tiles(rows: int, width: int, dtype: DType) -> int:
    return -(-rows // tile_of(dtype)) * -(-width // (tile_of(dtype) * _chunks(width, dtype)))


def _masks(mask: Any) -> tuple[Any, Any]:
    """A mask as one that chooses keys, or one that is added."""
    return (mask, None) if mask is not None and dtype_of(mask).kind == "b" else (None, mask)


def _sizes(query: Any, key: Any, value: Any, mask: Any, out: Any, gradient: Any) -> tuple[int, ...]:
    shape = (query.layout.shape[-2], key.layout.shape[-2], query.layout.shape[-1], value.layout.shape[-1])
    operands = (out, gradient, query, key, value, mask)
    return (*shape, *(step for x in operands for step in ((0, 0) if x is None else x.layout.strides[-2:])))


def _batch(lead: tuple[int, ...], *operands: tuple[Any, int]) -> Any:
    """Walks over the leading axes of operands that have so many axes behind these, and where each one's items begin."""
    strides = tuple(
        (0,) * len(lead) if x is None else tuple(x.layout.strides[: len(x.layout.strides) - rest]) for x, rest in operands
    )
    for walk in walks(lead, strides, True):
        yield walk, tuple(0 if x is None else address(x, begin) for (x, _), begin in zip(operands, walk.begins, strict=True))


@few_axes("attention")
def attention(out: Any, query: Any, key: Any, value: Any, mask: Any, scale: float, causal: bool) -> None:
    """softmax(query @ key.T * scale + mask) @ value, and the log of the sum of exponentials."""
    result, logs = out
    dtype, device, lead = dtype_of(query), device_of(query), tuple(query.layout.shape[:-2])
    chosen, added = _masks(mask)
    queries, values = result.layout.shape[-2:]
    code = _attention(dtype, _chunks(values, dtype))
    kernel = device.functions(code.text, code.signatures)["attention"]
    sizes = _sizes(query, key, value, mask, result, None)
    operands = ((result, 2), (logs, 1), (query, 2), (key, 2), (value, 2), (chosen, 2), (added, 2))
    for walk, firsts in _batch(lead, *operands):
        threads = walk.size * _tiles(queries, max(values, 1), dtype) * THREADS
        numbers = (*sizes, logs.layout.strides[-1], scale, int(causal))
        device.launch(kernel, threads, (*firsts, *walk.values, *numbers), THREADS)


@few_axes("attention_gradient")
def attention_gradient(
    out: Any, gradient: Any, query: Any, key: Any, value: Any, mask: Any, result: Any, logsumexp: Any, scale: float, causal: bool
) -> None:
    """The gradients in query, key and value."""
    dtype, device, shape = dtype_of(query), device_of(query), tuple(query.layout.shape)
    lead = shape[:-2]
    if result is None or logsumexp is None:
        result = blank(query, (*shape[:-1], value.layout.shape[-1]))
        logsumexp = blank(query, shape[:-1], wide(dtype))
        attention((result, logsumexp), query, key, value, mask, scale=scale, causal=causal)
    logsumexp = row_major(in_dtype(logsumexp, wide(dtype)))
    share = blank(query, shape[:-1], wide(dtype))
    last = (len(shape) - 1,)
    views = [constant(share, len(shape) - 1, 1), along(gradient, last), along(in_dtype(result, dtype), last)]
    run(_attention_gradient(dtype, 1), shape[:-1], result.layout.shape[-1:], views)
    chosen, added = _masks(mask)
    for name, target in zip(("of_query", "of_key", "of_value"), out, strict=True):
        rows, width = target.layout.shape[-2:]
        code = _attention_gradient(dtype, _chunks(width, dtype))
        kernel = device.functions(code.text, code.signatures)[name]
        sizes = _sizes(query, key, value, mask, target, gradient)
        operands = ((target, 2), (gradient, 2), (query, 2), (key, 2), (value, 2), (chosen, 2), (added, 2))
        for walk, firsts in _batch(lead, *operands):
            threads = walk.size * _tiles(rows, width, dtype) * THREADS
            statistics = (address(logsumexp), address(share))
            device.launch(kernel, threads, (*firsts, *statistics, *walk.values, *sizes, scale, int(causal)), THREADS)


KERNELS: Final = {"attention": (attention, FLOATING), "attention_gradient": (attention_gradient, FLOATING)}
"""By op, its kernel and the dtypes that it serves."""
