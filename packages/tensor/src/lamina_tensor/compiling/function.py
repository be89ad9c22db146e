"""CompiledFunction: a function whose calls are recorded, and then done again without its Python, where that gives the same."""

from __future__ import annotations

import functools
import sys
import warnings
from collections.abc import Callable
from itertools import chain
from time import perf_counter
from types import MethodType
from typing import Any, Final

from lamina_flatarray.backends.kernel_table import KernelTable, wrappers
from lamina_flatarray.backends.replacements import changes
from lamina_flatarray.devices import get_default_device
from lamina_flatarray.dtypes import get_default_dtype
from lamina_flatarray.errors import UsageError
from lamina_flatarray.modes import COMPILING, NO_GRAD, switched, word
from lamina_flatarray.twins import compiled
from lamina_ndarray.programs.arena import Arena
from lamina_ndarray.programs.recorder import Unrepeatable

from .. import tensor_fields
from ..tensor_fields import AnyTensor
from .plain_calls import PlainCall, plain_call
from .plan import Compiled
from .recordings.fingerprints import agreed, keep
from .recordings.recording import Recording, one_at_a_time
from .recordings.sizes import FEWEST, Sizes
from .recordings.state import Referring
from .recordings.trees import filled, flattened
from .verifying import verified
from .way import Explanation, Way, apart_from_sizes

__all__ = ["CompiledFunction"]


def within(flags: int, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a function while flags are on."""
    with switched(flags, True):
        return function(*args, **kwargs)


if compiled is not None:
    within = compiled.within

MOST_WAYS: Final = 8
"""How many ways through a function are kept, by default; PyTorch keeps as many."""

MOST_DERIVED: Final = 64
"""How many more are kept that were not recorded, at sizes between those that were."""


class CompiledFunction(Referring):
    """A function that gives what another one gives, sooner.

    The first call with arguments of some kind is eager, the next two are recorded; when these did the same, later ones repeat their kernel
    calls. A call that would not be a repetition (another shape or dtype, a changed attribute or global, another mode) is eager, and is
    recorded in turn. When `FEWEST` sizes were compiled, those between them are compiled without a recording. Where a function reads values
    of tensors or does something that kernel calls do not show, it stays eager.

    Args:
        function: the function.
        fullgraph: whether it is an error that a call cannot be repeated.
        most_ways: how many ways through it are kept; further ones are eager.
        verify: whether each repetition is compared with an eager call.
        dynamic: whether recordings at several sizes are enough for the sizes between them.

    Attributes:
        fullgraph, most_ways, verify, dynamic: as given.
        refers_to: the function.

    >>> f = CompiledFunction(lambda x: (x * 2).tanh())
    >>> [f(torch.ones(2)).tolist() for _ in range(4)] == 4 * [torch.full((2,), 2.0).tanh().tolist()]
    True
    >>> print(f.explain()[0].trouble)
    None
    """

    def __init__(
        self, function: Callable[..., Any], fullgraph: bool = False, most_ways: int = MOST_WAYS, verify: bool = False, dynamic: bool = True
    ) -> None:
        functools.update_wrapper(self, function, updated=())  # attributes of a module stay its own
        self._function = function
        self.fullgraph = fullgraph
        self.most_ways = most_ways
        self.verify = verify
        self.dynamic = dynamic
        self.refers_to = [function]
        self._ways: list[Way] = []
        self._derived: list[Way] = []  # at sizes between those of other ways
        self._arena = Arena()
        self._latest: Way | None = None  # one that is compiled
        self._plain: tuple[PlainCall, Compiled, Way] | None = None  # the same, where its calls are plain ones
        self._warned = False

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        """As a method of a class: compiled for each object on its own, which keeps it among its attributes."""
        if instance is None:
            return self
        method = MethodType(self._function, instance)
        attributes = getattr(instance, "__dict__", None)
        if attributes is None:
            return method
        name = f"_compiled {method.__qualname__}"
        if name not in attributes:
            attributes[name] = CompiledFunction(method, self.fullgraph, self.most_ways, self.verify, self.dynamic)
        return attributes[name]

    def __reduce__(self) -> Any:
        options = self.fullgraph, self.most_ways, self.verify, self.dynamic
        return CompiledFunction, (self._function, *options)  # what was recorded is not copied

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        plain = self._plain
        if plain is not None and not kwargs:
            done = plain_call(plain[0], args)
            if done is not None:
                plain[2].calls += 1
                return done if plain[0].is_all else plain[1].given_by(plain[0], args, done)
        return self._called(args, kwargs)

    def _called(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call that is more than a plain one."""
        way = self._latest
        flags = word.get()
        if flags & ~NO_GRAD or one_at_a_time.locked() or wrappers:
            return self._function(*args, **kwargs)
        if way is not None and not kwargs and way.takes(args, flags):
            if way.is_eager:
                if way.calls < way.next_look:
                    way.calls += 1
                    return self._eagerly(args, kwargs) if way.asks else self._function(*args)
            elif way.trials <= 0 and way.holds(args):
                way.calls += 1
                if way.plain is not None and way.compiled is not None:
                    self._plain = way.plain, way.compiled, way
                return way.repeated(args, args)
        try:
            tree, tensors = flattened((args, kwargs))
        except Unrepeatable as error:
            self._refuse(str(error), 4)
            return self._function(*args, **kwargs)
        plain = tensor_fields.tensor_class
        kinds = []
        for x in tensors:
            array = x.array
            if type(x) is not plain or type(array.flat.kernels) is not KernelTable:
                return self._function(*args, **kwargs)
            kinds.append((array.flat.kernels, array.layout, x._requires_grad))
        signature = (tree, kinds, flags, get_default_dtype(), get_default_device(), changes())
        for way in chain(self._ways, self._derived):
            if way.signature == signature and way.holds(tensors):
                break
        else:
            derived = self._between(signature, tensors)
            if derived is None and len(self._ways) >= self.most_ways:
                return self._function(*args, **kwargs)
            way = derived or Way(signature)
            (self._ways if derived is None else self._derived).append(way)
        way.calls += 1
        if way.compiled is not None:
            if self.verify:
                return self._verify(way, tree, tensors)
            self._latest, self._plain = way, None
            if way.is_eager and way.calls > way.next_look:
                way.look_again()
            if way.trials > 0:
                return way.tried(lambda: self._eagerly(args, kwargs), lambda: way.repeated(args, tensors))
            return self._eagerly(args, kwargs) if way.is_eager else way.repeated(args, tensors)
        if way.trouble is not None:
            return self._function(*args, **kwargs)
        if way.calls == 1:
            return self._eagerly(args, kwargs)
        return self._record(way, args, kwargs, tree, tensors)

    def explain(self) -> list[Explanation]:
        """Return what became of each way through the function.

        Returns:
            A list of `Explanation`, in the order in which the ways were met.
        """
        return [way.explained() for way in (*self._ways, *self._derived)]

    def reset(self) -> None:
        """Forget all that was recorded."""
        self._ways.clear()
        self._derived.clear()
        self._arena = Arena()
        self._latest = self._plain = None

    def _between(self, signature: Any, tensors: list[AnyTensor]) -> Way | None:
        """A way at a size between those of ways that are known, compiled without a call; None where they do not tell enough."""
        if not self.dynamic:
            return None
        kind = apart_from_sizes(signature)
        compiled = [way for way in self._ways if way.compiled and way.trials <= 0]
        alike = [way for way in compiled if way.apart_from_sizes == kind and way.holds(tensors)]
        if len(alike) < FEWEST:
            return None
        latest = alike[-1]
        if latest.sizes is None and latest.other_sizes is None:
            try:
                latest.sizes = Sizes([way.kinds for way in alike], [way.recording for way in alike if way.recording is not None])
            except Unrepeatable as error:
                latest.other_sizes = str(error)
        sizes = latest.sizes
        recording = None if sizes is None else sizes.at(signature[1])
        if sizes is None or recording is None:
            return None
        if len(self._derived) == MOST_DERIVED:
            self._derived = [way for way in self._derived if way.holds(tensors)]
        if len(self._derived) == MOST_DERIVED:
            return None
        way, began = Way(signature), perf_counter()
        way.compile(recording, self._apart(way, tensors), self._arena, self.verify)
        way.seconds = perf_counter() - began
        way.between = sizes.least, sizes.most
        way.trials, way.is_eager = 0, all(one.is_eager for one in alike)
        return way

    def _eagerly(self, args: Any, kwargs: Any) -> Any:
        """Call the function, which is told that it is compiled: all calls of a way take the same turns."""
        return within(COMPILING, self._function, args, kwargs)

    def _verify(self, way: Way, tree: Any, tensors: list[AnyTensor]) -> Any:
        """Repeat a call, and compare it with an eager one."""
        assert way.compiled is not None and way.recording is not None
        inner = self._apart(way, tensors)
        args, kwargs = filled(tree, inner[::-1])
        eager = functools.partial(self._eagerly, args, kwargs)
        return verified(self._name(), way.compiled, way.recording, tensors, inner, not way.modes[0], eager)

    def _apart(self, way: Way, tensors: list[AnyTensor]) -> list[AnyTensor]:
        """What was computed before is met through a view, whose gradient is that of this call alone."""
        return [x.view_as(x) if x._requires_grad and x._node is not None and not way.signature[2] else x for x in tensors]

    def _name(self) -> str:
        return str(getattr(self._function, "__qualname__", type(self._function).__name__))

    def _record(self, way: Way, args: Any, kwargs: Any, tree: Any, tensors: list[AnyTensor]) -> Any:
        """Call the function, and record the call; compile it where it repeats the one before."""
        if sys.getprofile() is not None or not one_at_a_time.acquire(blocking=False):
            return self._function(*args, **kwargs)
        began = perf_counter()
        try:
            inner = self._apart(way, tensors)
            args, kwargs = filled(tree, inner[::-1])
            with switched(COMPILING, True):
                recording = Recording(self._function, args, kwargs, inner, self.refers_to)
            before, way.recording = way.recording, None
            if recording.trouble is not None:
                way.trouble = recording.trouble
            elif before is None and agreed(recording):
                way.compile(recording, inner, self._arena, self.verify)
            elif before is None:
                way.recording = recording
            elif not before.state.holds():
                way.trouble = "it changes what it refers to"
            else:
                way.trouble = recording.difference(before)
                if way.trouble is None:
                    way.compile(recording, inner, self._arena, self.verify)
                    keep(recording)
            result, recording.result = recording.result, None
        finally:
            one_at_a_time.release()
            way.seconds += perf_counter() - began
        if way.trouble is not None:
            self._refuse(way.trouble, 5)
        return result

    def _refuse(self, trouble: str, stacklevel: int) -> None:
        name = self._name()
        if self.fullgraph:
            raise UsageError(f"compile: {name} cannot be one graph: {trouble}")
        if not self._warned:
            self._warned = True
            warnings.warn(f"compile: {name} runs eagerly: {trouble}", stacklevel=stacklevel)


if compiled is not None:
    CompiledFunction.__call__ = compiled.function_call(CompiledFunction.__call__)  # type: ignore[method-assign]
