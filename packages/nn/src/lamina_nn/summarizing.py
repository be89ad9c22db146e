"""`summary`: what each module of a model gives, holds and computes, found by calling the model once."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple
from weakref import WeakSet

import lamina_tensor as lt
from lamina_flatarray import ArgumentTypeError, ShapeError
from lamina_flatarray.instruments import installed
from lamina_flatarray.multiply_adds import MultiplyAdds
from lamina_tensor import Tensor, no_grad
from lamina_tensor.devices.random_state import fork_rng
from lamina_tensor.transforms.trees import flattened

from .lazy_parameter import is_lazy
from .module import Module
from .module.watching import watched_calls

__all__ = ["ModuleSummary", "Summary", "summary"]


class ModuleSummary(NamedTuple):
    """What is told of one module; what its submodules hold or do is told of them.

    Attributes:
        path: of the module; "" for the model.
        kind: its class.
        calls: how often it was called.
        outputs: the shapes of the tensors that its last call gave.
        parameters, trainable: how many numbers it holds itself, and how many of them want gradients; a parameter that several
            modules share belongs to the first.
        parameter_bytes: of these.
        output_bytes: of the memory that its outputs took first, over all calls: views and what came in are not counted.
        multiply_adds: products of two numbers, added up, in its own matrix products and convolutions, over all calls.
    """

    path: str
    kind: str
    calls: int
    outputs: tuple[tuple[int, ...], ...]
    parameters: int
    trainable: int
    parameter_bytes: int
    output_bytes: int
    multiply_adds: int


class Summary:
    """Hold what a model is made of: a row for each of its modules, and their sums. Printed, it is a table.

    Args:
        rows: one for each module, in the model's order.
        input_bytes: the size of the tensors that the model was called with.

    Attributes:
        rows, input_bytes: as given.
        parameters, trainable, parameter_bytes, output_bytes, multiply_adds: the sums over all rows.
    """

    def __init__(self, rows: Sequence[ModuleSummary], input_bytes: int) -> None:
        self.rows = tuple(rows)
        self.input_bytes = input_bytes

    @property
    def parameters(self) -> int:
        """Return the number of items of all parameters."""
        return sum(row.parameters for row in self.rows)

    @property
    def trainable(self) -> int:
        """Return the number of items of the parameters that want gradients."""
        return sum(row.trainable for row in self.rows)

    @property
    def parameter_bytes(self) -> int:
        """Return the bytes of all parameters."""
        return sum(row.parameter_bytes for row in self.rows)

    @property
    def output_bytes(self) -> int:
        """Return the bytes of the results of all modules."""
        return sum(row.output_bytes for row in self.rows)

    @property
    def multiply_adds(self) -> int:
        """Return the number of multiply-adds of a forward pass."""
        return sum(row.multiply_adds for row in self.rows)

    def __getitem__(self, path: str) -> ModuleSummary:
        """The row of a module.

        Raises:
            KeyError: there is none at this path.
        """
        for row in self.rows:
            if row.path == path:
                return row
        raise KeyError(path)

    def _table(self) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        """What stands over the columns; and the rows, the last of which has the sums."""
        head = ("module", "class", "output", "parameters", "trainable", "their bytes", "output bytes", "multiply-adds")
        body = [
            (row.path or "(model)", row.kind + (f" x{row.calls}" if row.calls > 1 else ""), _shapes(row),
             *(f"{n:,}" for n in (row.parameters, row.trainable, row.parameter_bytes, row.output_bytes, row.multiply_adds)))
            for row in self.rows
        ]  # fmt: skip
        sums = ("total", "", "", *(f"{n:,}" for n in (
            self.parameters, self.trainable, self.parameter_bytes, self.output_bytes, self.multiply_adds,
        )))  # fmt: skip
        return head, [*body, sums]

    def __str__(self) -> str:
        head, rows = self._table()
        widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
        lines = [_line(cells, widths) for cells in (head, *rows)]
        rule = "-" * (sum(widths) + 2 * len(widths) - 2)
        return "\n".join([lines[0], rule, *lines[1:-1], rule, lines[-1]])

    def _repr_html_(self) -> str:
        """What notebooks show."""
        from lamina_ndarray.rich_display import table

        return table(*self._table(), "What the modules give, hold and compute", range(3, 8))

    __repr__ = __str__


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    """Names to the left, numbers to the right."""
    return "  ".join(
        cell.ljust(width) if i < 3 else cell.rjust(width) for i, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )


def _shapes(row: ModuleSummary) -> str:
    return ", ".join(str(list(shape)) for shape in row.outputs) if row.calls else "(not called)"


def summary(model: Module, *inputs: Any, input_size: Any = None, dtype: Any = None, **params: Any) -> Summary:
    """Summarize what each module of a model returns, holds and computes, by one call without gradients.

    Mode, buffers (such as running statistics), gradients, hooks and the random state are restored.

    Args:
        model: a module.
        inputs: the arguments of the call; a tuple of ints stands for a tensor of ones of this shape.
        input_size: the shape of such a tensor, or a list of shapes, with the batch; instead of inputs.
        dtype: of such tensors; by default that of the first floating-point parameter.
        params: the keyword arguments of the call.

    Returns:
        A `Summary`, which prints as a table.

    Raises:
        ShapeError: a parameter has no shape yet, as the module is lazy: call the model first.
        ArgumentTypeError: neither inputs nor input_size are given, or both are.

    >>> report = torch.summary(torch.nn.Linear(3, 2), input_size=(4, 3))
    >>> report.parameters, report.multiply_adds
    (8, 24)
    """
    if bool(inputs or params) is (input_size is not None):
        raise ArgumentTypeError("summary: give either what the model is called with, or input_size=")
    lazy = [name for name, value in (*model.named_parameters(), *model.named_buffers()) if is_lazy(value)]
    if lazy:
        raise ShapeError(f"summary: {lazy[0]} has no shape yet; call the model once before")
    if input_size is not None:
        inputs = (input_size,) if _is_shape(input_size) else tuple(input_size)
    arguments = tuple(_ones(model, x, dtype) if _is_shape(x) else x for x in inputs)
    look = _Look(model, (arguments, params))
    with no_grad(), fork_rng(), _own_buffers(model), installed(MultiplyAdds(look.computed)), watched_calls(look.around):
        model(*arguments, **params)
    return look.found()


def _is_shape(value: Any) -> bool:
    return isinstance(value, (tuple, list)) and all(isinstance(n, int) for n in value)


def _ones(model: Module, shape: Any, dtype: Any) -> Tensor:
    like = next((p for p in model.parameters() if p.is_floating_point()), None)
    if like is None:
        return lt.ones(tuple(shape), dtype=dtype)
    return lt.ones(tuple(shape), dtype=dtype or like.dtype, device=like.device)


@contextmanager
def _own_buffers(model: Module) -> Iterator[None]:
    """Have a model write into copies of its buffers."""
    before = [(part._buffers, name, value) for part in model.modules() for name, value in part._buffers.items()]
    modes = [(part, part.training) for part in model.modules()]
    copies = {id(value): value.detach().clone() for _, _, value in before if value is not None}
    try:
        for table, name, value in before:
            table[name] = None if value is None else copies[id(value)]
        yield
    finally:
        for table, name, value in before:
            table[name] = value
        for part, mode in modes:
            part.training = mode


def _tensors(value: Any) -> list[Tensor]:
    return [x for x in flattened(value) if isinstance(x, Tensor)]


def _nbytes(tensors: Sequence[Tensor]) -> int:
    return sum(x.array.nbytes for x in tensors)


class _Look:
    """What is seen while a model is called."""

    def __init__(self, model: Module, arguments: Any) -> None:
        self.paths = {module: path for path, module in model.named_modules()}
        self.thread = threading.get_ident()
        self.running: list[Module | None] = [None]
        self.calls = dict.fromkeys(self.paths, 0)
        self.outputs: dict[Module, tuple[tuple[int, ...], ...]] = {}
        self.bytes = dict.fromkeys(self.paths, 0)
        self.products = dict.fromkeys(self.paths, 0)
        inputs = _tensors(arguments)
        self.input_bytes = _nbytes(inputs)
        self.memory = WeakSet(x.array.flat for x in (*inputs, *model.parameters(), *model.buffers()))

    def around(self, module: Module, call: Any) -> Any:
        """A module's call."""
        if module not in self.paths or threading.get_ident() != self.thread:
            return call()
        self.running.append(module)
        try:
            output = call()
        finally:
            self.running.pop()
        self.calls[module] += 1
        tensors = _tensors(output)
        self.outputs[module] = tuple(tuple(x.shape) for x in tensors)
        for x in tensors:
            if x.array.flat not in self.memory:
                self.memory.add(x.array.flat)
                self.bytes[module] += _nbytes([x])
        return output

    def computed(self, products: int) -> None:
        """A kernel that added up products."""
        module = self.running[-1]
        if module is not None:
            self.products[module] += products

    def found(self) -> Summary:
        """The rows."""
        counted: set[int] = set()
        rows = []
        for module, path in self.paths.items():
            own = [p for p in module._parameters.values() if p is not None and id(p) not in counted]
            counted.update(map(id, own))
            rows.append(
                ModuleSummary(
                    path, module._get_name(), self.calls[module], self.outputs.get(module, ()),
                    sum([p.numel() for p in own]), sum([p.numel() for p in own if p.requires_grad]), _nbytes(own),
                    self.bytes[module], self.products[module],
                )
            )  # fmt: skip
        return Summary(rows, self.input_bytes)
