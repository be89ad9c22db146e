"""The record of one run of a model: which functions of tensors were called, with what, and what they made.

A value is what a tensor held from one write to the next. A function that writes makes a new value of its tensor, and of every
tensor that this one is a view of; a tensor whose memory was written in a way that the record cannot follow is refused when it is read.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Container, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from lamina_nn import Module
from lamina_tensor import Tensor
from lamina_tensor.autograd.debugging.call_sites import call_site
from lamina_tensor.dispatch.function_modes import TorchFunctionMode

from .errors import OnnxExporterError, UnsupportedOperatorError

__all__ = ["Call", "Recorder", "Ref", "Value", "mapped", "tensors_of"]

ABOUT_TENSORS: Final = frozenset({
    "size", "dim", "ndimension", "__len__", "numel", "nelement", "stride", "is_contiguous", "is_floating_point", "is_complex",
    "element_size", "data_ptr", "storage_offset", "get_device", "type", "result_type", "is_tensor", "broadcast_shapes", "__hash__",
    "is_signed", "can_cast", "is_nested", "is_pinned", "is_shared", "is_conj", "is_neg", "is_inference", "requires_grad_",
})  # fmt: skip
"""Functions that answer from dtypes and shapes, whatever the items are."""

UNDONE_BY_RESHAPE: Final = frozenset(
    {"view", "reshape", "flatten", "unflatten", "squeeze", "unsqueeze", "view_as", "reshape_as"}
)
UNDONE_BY_ITSELF: Final = frozenset({"transpose", "swapaxes", "swapdims", "t", "T", "mT"})
SAME_ITEMS: Final = frozenset({"detach", "contiguous", "to", "alias", "requires_grad_"})


@dataclass(frozen=True)
class Ref:
    """A value, by its number in the record."""

    number: int


@dataclass
class Value:
    """What a tensor held.

    Args:
        tensor: the tensor, which is kept alive during the run, as others would else have its id.
        version: of its memory, when it held this.
        name: of an input, a parameter or a buffer; None for what was computed and for constants.
        constant: the items, where they depend on no input and no parameter; else None.
        of_inputs: whether the items depend on an input.
        view_of: the tensor that this one is a view of, and the call that made it so; None for others.
    """

    tensor: Any
    version: int
    name: str | None = None
    constant: Any = None
    of_inputs: bool = False
    view_of: tuple[Tensor, Call] | None = None
    shape: tuple[int, ...] = field(init=False)
    dtype: Any = field(init=False)

    def __post_init__(self) -> None:
        self.shape, self.dtype = tuple(self.tensor.shape), self.tensor.dtype


@dataclass
class Call:
    """A call of a function.

    Args:
        name: the function's.
        arguments: by parameter, with a `Ref` for each tensor.
        results: what it returned, with a `Ref` for each tensor.
        module: the name of the innermost module that was running.
        place: where the model called it.
        depends: whether an input or a parameter is among the arguments.
    """

    name: str
    arguments: dict[str, Any]
    results: Any
    module: str
    place: str
    depends: bool


def mapped(function: Callable[[Any], Any], tree: Any) -> Any:
    """A tree of lists, tuples, dicts and slices with each leaf replaced."""
    if isinstance(tree, slice):
        return slice(*(mapped(function, part) for part in (tree.start, tree.stop, tree.step)))
    if isinstance(tree, (list, tuple)):
        parts = [mapped(function, part) for part in tree]
        return parts if isinstance(tree, list) else tuple(parts)
    if isinstance(tree, Mapping):
        return {key: mapped(function, part) for key, part in tree.items()}
    return function(tree)


def tensors_of(tree: Any) -> list[Tensor]:
    """The tensors of a tree, in order."""
    found: list[Tensor] = []
    mapped(lambda leaf: found.append(leaf) if isinstance(leaf, Tensor) else None, tree)
    return found


@cache
def signature(function: Callable[..., Any]) -> inspect.Signature:
    """What a function takes; remembered for as many functions as there are."""
    return inspect.signature(function)


class Recorder(TorchFunctionMode):
    """Records the calls in its context.

    Args:
        named: inputs, parameters and buffers by name.
        inputs: the names of those that are inputs.
        lowered: the names of the functions that are recorded as they are; others are followed into what they are made of.
    """

    def __init__(
        self, named: Mapping[str, Tensor], inputs: Container[str], lowered: Container[str]
    ) -> None:
        self.values: list[Value] = []
        self.calls: list[Call] = []
        self.followed: list[str] = []
        self._running: list[str] = []  # the modules that are, the innermost last
        self._lowered = lowered
        self._current: dict[int, int] = {}  # id of a tensor -> number of its value
        for name, tensor in named.items():
            if id(tensor) not in self._current:
                self._new(tensor, name=name, of_inputs=name in inputs)

    # -- values -------------------------------------------------------------------------------------------------------

    def _new(self, tensor: Tensor, **settings: Any) -> int:
        self.values.append(Value(tensor, tensor.array.flat.version, **settings))
        self._current[id(tensor)] = len(self.values) - 1
        return len(self.values) - 1

    def number(self, tensor: Tensor) -> int:
        """The number of the value that a tensor holds now.

        Raises:
            OnnxExporterError: it was written in a way that the record cannot follow, or made by a function that is not seen.
        """
        number = self._current.get(id(tensor))
        if number is None:
            if self.followed:
                raise UnsupportedOperatorError(
                    f"export: there is no ONNX for {self.followed[-1]!r}, called {self.place()}"
                )
            return self._new(tensor, constant=(tensor.detach().clone() if tensor.numel() else tensor).numpy(force=True))
        value = self.values[number]
        if value.version == tensor.array.flat.version:
            return number
        if value.view_of is not None and isinstance(
            value.view_of[1].results, Ref
        ):  # read again what it shows, of its base as that is now
            base, call = value.view_of
            first = next(iter(call.arguments))
            arguments = {**call.arguments, first: Ref(self.number(base))}
            return self._synthetic(call.name, arguments, tensor, view_of=(base, call))
        raise OnnxExporterError(
            f"export: a {value.dtype} tensor of shape {value.shape} was changed in place in a way that is not followed; it is read "
            f"{self.place()}"
        )

    def _synthetic(self, name: str, arguments: dict[str, Any], tensor: Tensor, view_of: Any) -> int:
        """A call that stands for what a write did to a tensor."""
        refs: list[Ref] = []
        mapped(lambda leaf: refs.append(leaf) if isinstance(leaf, Ref) else None, arguments)
        behind = [self.values[ref.number] for ref in refs]
        depends = any(v.constant is None for v in behind)
        constant = None if depends else tensor.detach().clone().numpy(force=True)
        of_inputs = any(v.of_inputs for v in behind)
        number = self._new(tensor, constant=constant, of_inputs=of_inputs, view_of=view_of)
        if depends:
            self.calls.append(Call(name, arguments, Ref(number), self.module(), self.place(), depends))
        return number

    def release(self) -> None:
        """Let go of the tensors of a run that is over, but for those that have names."""
        self._current.clear()
        for value in self.values:
            if value.name is None:
                value.tensor = value.view_of = None

    def _write_through(self, tensor: Tensor, number: int, view_of: tuple[Tensor, Call] | None) -> None:
        """What a tensor's new value makes of the tensor that it is a view of, and of that one's."""
        if view_of is None:
            return
        base, call = view_of
        before = self._current.get(id(base))
        if before is None:
            return
        further = self.values[before].view_of
        first = next(iter(call.arguments))
        if call.name == "__getitem__":
            arguments = {"self": Ref(before), "index": call.arguments["index"], "value": Ref(number)}
            made = self._synthetic("__setitem__", arguments, base, further)
        elif call.name in UNDONE_BY_RESHAPE:
            made = self._synthetic("reshape", {"input": Ref(number), "shape": tuple(base.shape)}, base, further)
        elif call.name in SAME_ITEMS:
            made = self._synthetic("alias", {"input": Ref(number)}, base, further)
        elif call.name in UNDONE_BY_ITSELF:
            made = self._synthetic(call.name, {**call.arguments, first: Ref(number)}, base, further)
        else:
            return  # whoever reads the base is told
        self._write_through(base, made, further)

    # -- calls --------------------------------------------------------------------------------------------------------

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: tuple[type, ...],
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        kwargs = kwargs or {}
        name = func.__name__
        if name == "__iter__":
            return iter([self.__torch_function__(Tensor.__getitem__, types, (args[0], i)) for i in range(len(args[0]))])
        if name in ABOUT_TENSORS:
            return func(*args, **kwargs)
        in_place = name.endswith("_") and not name.endswith("__")
        if name not in self._lowered and not (in_place and name[:-1] in self._lowered):
            return self._follow(func, args, kwargs)
        bound = signature(func).bind(*args, **kwargs)
        bound.apply_defaults()
        if bound.arguments.get("out") is not None:
            raise UnsupportedOperatorError(f"export: {name} with out= is not exported; it is called {self.place()}")
        operands = tensors_of(bound.arguments)
        numbers = {id(x): self.number(x) for x in operands}
        arguments = {
            key: mapped(lambda leaf: Ref(numbers[id(leaf)]) if isinstance(leaf, Tensor) else leaf, part)
            for key, part in bound.arguments.items()
        }
        versions = {id(x): x.array.flat.version for x in operands}
        behind = [self.values[n] for n in numbers.values()]
        depends, of_inputs = any(v.constant is None for v in behind), any(v.of_inputs for v in behind)
        result = func(*args, **kwargs)
        made = tensors_of(result)
        written = [x for x in operands if x.array.flat.version != versions[id(x)]]
        if name == "__setitem__":
            made = result = [args[0]]
        elif not made:
            self._refuse_reading(name, of_inputs)
            return result
        ours = {id(x) for x in made}
        if any(id(x) not in ours and not any(x.array.flat is y.array.flat for y in made) for x in written):
            raise UnsupportedOperatorError(
                f"export: {name!r} writes into its arguments, {self.place()}, which is not exported"
            )
        if not written and all(id(x) in numbers for x in made):
            return result  # the argument itself
        call = Call(name[:-1] if in_place else name, arguments, None, self.module(), self.place(), depends)
        refs = {}
        for x in made:
            fresh = id(x) not in self._current
            view_of = None if fresh else self.values[self._current[id(x)]].view_of
            if fresh and operands and x.array.flat is operands[0].array.flat:
                view_of = (operands[0], call)
            constant = None if depends else x.detach().clone().numpy(force=True)
            number = self._new(x, constant=constant, of_inputs=of_inputs, view_of=view_of)
            refs[id(x)] = Ref(number)
        call.results = mapped(lambda leaf: refs[id(leaf)] if isinstance(leaf, Tensor) else None, result)
        self.calls.append(call)
        for x in made:
            if any(x is y for y in written):
                value = refs[id(x)].number
                self._write_through(x, value, self.values[value].view_of)
        return None if name == "__setitem__" else result

    def _follow(self, func: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What a function without a lowering answers, while what it is made of is recorded."""
        body = getattr(func, "__wrapped__", None)
        if body is None:
            raise UnsupportedOperatorError(f"export: there is no ONNX for {func.__name__!r}, called {self.place()}")
        operands = tensors_of([args, kwargs])
        numbers = [self.number(x) for x in operands]
        self.followed.append(func.__name__)
        try:
            with self:
                result = body(*args, **kwargs)
            made = tensors_of(result)
            for x in made:
                self.number(x)
        finally:
            self.followed.pop()
        if not made:
            self._refuse_reading(func.__name__, any(self.values[n].of_inputs for n in numbers))
        return result

    def _refuse_reading(self, name: str, of_inputs: bool) -> None:
        if of_inputs:
            raise OnnxExporterError(
                f"export: {name!r} reads the items of a tensor that depends on an input, {self.place()}: the graph would keep this "
                "run's answer for every input"
            )

    # -- places -------------------------------------------------------------------------------------------------------

    @contextmanager
    def within(self, modules: Mapping[str, Module]) -> Iterator[None]:
        """Know which of these modules is running."""

        def leave(*_: Any) -> None:
            self._running.pop()

        handles = []
        try:
            for name, module in modules.items():
                handles.append(module.register_forward_pre_hook(lambda *_, name=name: self._running.append(name)))
                handles.append(module.register_forward_hook(leave, always_call=True))
            yield
        finally:
            for handle in handles:
                handle.remove()

    def module(self) -> str:
        """The name of the innermost module that is running; empty for the model itself."""
        return self._running[-1] if self._running else ""

    def place(self) -> str:
        """Where the program is, for errors: the module, and the innermost line that is not lamina's."""
        where, site = self.module(), call_site()
        places = ([f"in {where!r}"] if where else []) + ([] if site is None else [f"at {site[0]}:{site[1]}"])
        return ", ".join(places) or "by the model itself"
