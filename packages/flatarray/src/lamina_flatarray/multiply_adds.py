"""How many products of two numbers the kernels that run add up: matrix products, convolutions, attention, recurrences."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from .contract import Kernel
from .instruments import Instrument, installed

__all__ = ["MultiplyAdds", "count_multiply_adds", "multiply_adds"]


def _items_of_one_output(weight: Any) -> int:
    """How many items of a weight (outputs, ...) one output is the sum over."""
    shape = weight.layout.shape
    return int(weight.layout.size // shape[0]) if shape[0] else 0


_COUNTS: Final[dict[str, Callable[..., int]]] = {
    "matmul": lambda out, a, b: out.layout.size * a.layout.shape[-1],
    "linear": lambda out, x, weight, bias=None: out.layout.size * _items_of_one_output(weight),
    "quantized_linear": lambda out, x, *rest: out.layout.size * x.layout.shape[-1],
    "quantized_linear_gradient": lambda out, gradient, *rest: out.layout.size * gradient.layout.shape[-1],
    "convolution": lambda out, x, weight, bias=None: out.layout.size * _items_of_one_output(weight),
    "convolution_input_gradient": lambda out, gradient, weight, bias=None: gradient.layout.size * _items_of_one_output(weight),
    "convolution_weight_gradient": lambda out, gradient, x: gradient.layout.size * _items_of_one_output(out),
    "attention": lambda out, query, key, value, mask=None: (query.layout.size + out[0].layout.size) * key.layout.shape[-2],
    "attention_gradient": lambda out, gradient, query, key, *rest: (
        (3 * query.layout.size + 2 * gradient.layout.size) * key.layout.shape[-2]  # scores are computed again
    ),
    "recurrence": lambda out, given, state, cell_state, weight, bias=None: given.layout.shape[0] * weight.layout.size,
    "recurrence_gradient": lambda out, gradient, last, last_cell, state, cell_state, weight, *rest: (
        gradient.layout.shape[0] * weight.layout.size
    ),
}
"""The ops that are sums of products; what is decomposed into them is counted as they are called."""


def multiply_adds(op: str, out: Any, inputs: tuple[Any, ...]) -> int:
    """Return how many products one kernel call adds up; 0 for ops that are not sums of products."""
    count = _COUNTS.get(op)
    return 0 if count is None else count(out, *inputs)


class MultiplyAdds(Instrument):
    """Hands the number of products of each kernel call to a function; kernels within one that counted do not count.

    Args:
        seen: the function of that number.
    """

    def __init__(self, seen: Callable[[int], None]) -> None:
        self.seen = seen
        self.within = False

    def call(self, op: str, kernel: Kernel, out: Any, inputs: tuple[Any, ...], params: dict[str, Any]) -> Any:
        """Count, and run the kernel."""
        if self.within or op not in _COUNTS:
            return kernel(out, *inputs, **params)
        self.seen(multiply_adds(op, out, inputs))
        self.within = True
        try:
            return kernel(out, *inputs, **params)
        finally:
            self.within = False


@contextmanager
def count_multiply_adds() -> Iterator[list[int]]:
    """List how many products each kernel of a `with` block adds up, in a list that grows while the block runs.

    Only the calls of this thread or asyncio task are seen, and only those of ops that are sums of products.
    """
    counts: list[int] = []
    with installed(MultiplyAdds(counts.append)):
        yield counts
