"""Effects: what a call does that no kernel call shows. Leaves are given gradients, and some methods are called, again as they are."""

from __future__ import annotations

import dis
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from types import CodeType, FrameType
from typing import Any, ClassVar, Final

from lamina_ndarray import NDArray
from lamina_ndarray.programs.recorder import Call, Effect, Operand, Recorder, operands_in

from ... import tensor_fields
from ...autograd.accumulation import accumulate
from ...autograd.backward import backward, listed
from ...autograd.engine import edge_of
from ...autograd.history import HistoryMethods
from ...autograd.node import Node
from ...tensor_fields import AnyTensor, tensor_of

__all__ = ["Action", "Check", "Effects", "Given", "actions", "checks"]


class Action(Effect):
    """A call of a method that a program makes again as it is, with the numbers that its owner then has.

    Args:
        owner: the object whose method it is.
        name: the method's name.
        args: what it is given.
        clears: gives the tensors whose `grad` it sets to None.
        looked_at: what of the owner decides how the call goes on; None for all of it.
    """

    __slots__ = ("args", "clears", "looked_at", "name", "owner")

    def __init__(
        self, owner: Any, name: str, args: tuple[Any, ...] = (), clears: Callable[[], Iterable[AnyTensor]] = tuple,
        looked_at: list[Any] | None = None,
    ) -> None:  # fmt: skip
        self.owner, self.name, self.args, self.clears, self.looked_at = owner, name, args, clears, looked_at

    @property
    def writes(self) -> bool:
        """Whether it does more than set gradients to None."""
        return not any(True for _ in self.clears())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Action) and self.owner is other.owner and (self.name, self.args) == (other.name, other.args)

    __hash__ = None  # type: ignore[assignment]  # it is compared, never looked up


actions: Final[dict[CodeType, Callable[[dict[str, Any]], Action | None]]] = {}
"""Code of methods that are called again -> what makes an action of a call's local variables, or None where it is to be recorded as any
other call. Storeys above add theirs."""


class Check(Effect):
    """A call of a function that looks at values, and raises an error or does nothing. A program makes it again.

    Args:
        function: the function.
        args: what it is given, with None in the places of tensors.
    """

    __slots__ = ("args", "function")

    def __init__(self, function: Callable[..., None], args: tuple[Any, ...]) -> None:
        self.function, self.args = function, args

    @property
    def writes(self) -> bool:
        """It only looks."""
        return False

    def __call__(self, *arrays: NDArray) -> None:
        tensors = map(tensor_of, arrays)
        self.function(*[next(tensors) if x is None else x for x in self.args])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Check) and self.function is other.function and self.args == other.args

    __hash__ = None  # type: ignore[assignment]  # it is compared, never looked up


checks: Final[dict[CodeType, Callable[..., None]]] = {}
"""Code of such functions -> the function. They are given texts and tensors, by position. Storeys above add theirs."""


class Given(Effect):
    """That a leaf is given a gradient, or none.

    Args:
        leaf: the tensor; of an argument, its place among those.
    """

    __slots__ = ("leaf",)

    joins: ClassVar[bool] = True

    def __init__(self, leaf: AnyTensor | int) -> None:
        self.leaf = leaf

    @property
    def writes(self) -> bool:
        """The gradient is another array, not other items."""
        return False

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Given):
            return False
        return self.leaf is other.leaf or (isinstance(self.leaf, int) and isinstance(other.leaf, int) and self.leaf == other.leaf)

    __hash__ = None  # type: ignore[assignment]  # it is compared, never looked up


_BACKWARD: Final = backward.__code__
_ACCUMULATE: Final = accumulate.__code__
_READ_GRAD: Final = HistoryMethods.grad.fget.__code__  # type: ignore[attr-defined]
_WRITE_GRAD: Final = HistoryMethods.grad.fset.__code__  # type: ignore[attr-defined]
_ANYHOW: Final = {"getattr", "vars", "dir", "attrgetter", "methodcaller"}
"""Names in code that may read any attribute."""


class Effects:
    """What was seen of one call, in `recorder.calls` among its kernel calls.

    Args:
        recorder: what records the kernel calls.
        arguments: the tensors among the call's arguments.
        begun: the number of the last node that was there before the call.

    Attributes:
        leaves: the leaves that are given gradients.
        met: the gradients that leaves had before, as far as the call computes with them or adds to them.
        actions: the methods that are called again.
        is_apart: whether nothing but these looks into their owners, so that numbers in them may change.
    """

    def __init__(self, recorder: Recorder, arguments: Sequence[AnyTensor], begun: int) -> None:
        self.leaves: list[AnyTensor] = []
        self.met: list[tuple[AnyTensor | int, Operand]] = []
        self.actions: list[Action] = []
        self.is_apart = True
        self._recorder = recorder
        self._begun = begun
        self._places = {id(x): i for i, x in enumerate(arguments)}
        self._known: dict[int, AnyTensor] = {}  # whose `grad` is what this call made of it
        self._before: list[tuple[AnyTensor | int, bool]] = []  # whether there was a gradient, where the call may depend on it
        self._storages: set[int] = set()
        self._leaf_places: list[int] = []
        self._own_leaves: list[AnyTensor] = []

    def of(self, recorder: Recorder) -> Effects:
        """Return the same of a call with other kernel calls.

        Args:
            recorder: what has recorded those.
        """
        effects = copy(self)
        effects._recorder = recorder
        return effects

    def called(self, frame: FrameType) -> str | None:
        """Take the call of a function; return why it cannot be repeated, or None."""
        if frame.f_code is _BACKWARD:
            return self._leads_out(frame.f_locals)
        if frame.f_code is _READ_GRAD:
            self._depends_on(frame.f_locals["self"], frame.f_locals["self"]._grad)
        return None

    def again(self, frame: FrameType) -> Action | Check | None:
        """The action or the check that a call is; None for any other."""
        code = frame.f_code
        if code in checks:
            given = [frame.f_locals[name] for name in code.co_varnames[: code.co_argcount]]
            check = Check(checks[code], tuple([None if isinstance(x, AnyTensor) else x for x in given]))
            operands = [self._recorder.operand(x.array) for x in given if isinstance(x, AnyTensor)]
            self._recorder.calls.append(Call(code.co_name, check, None, tuple(operands), {}))
            return check
        make = actions.get(code)
        action = None if make is None else make(frame.f_locals)
        if action is not None:
            self.actions.append(action)
            self._recorder.calls.append(Call(f"{type(action.owner).__name__}.{action.name}", action, None, (), {}))
        return action

    def acted(self, action: Action | Check) -> None:
        """Take the end of an action or a check."""
        for x in action.clears() if isinstance(action, Action) else ():
            self._known[id(x)] = x

    def returned(self, frame: FrameType) -> str | None:
        """Take the return of a function; return why it cannot be repeated, or None."""
        if frame.f_code is _ACCUMULATE:
            names = frame.f_locals
            leaf, before = names["tensor"], names["before"]
            if before is not None:
                self._depends_on(leaf, before)
                self._note(leaf)
                return None if leaf._grad is before else "it adds to a gradient that stores only some of its items"
            return self._gives(leaf, leaf._grad, made_here=True)
        if frame.f_code is _WRITE_GRAD:
            leaf, value = frame.f_locals["self"], frame.f_locals["value"]
            if leaf._grad is not value:
                return "it sets a gradient in vain"
            return self._gives(leaf, value, made_here=False)
        return None

    def holds(self, arguments: Sequence[AnyTensor]) -> bool:
        """Whether leaves have gradients and hooks, or none, as they did, as far as the call may depend on that; and are as many."""
        for leaf, had in self._before:
            if ((arguments[leaf] if isinstance(leaf, int) else leaf)._grad is not None) is not had:
                return False
        for leaf, operand in self.met:
            gradient: Any = (arguments[leaf] if isinstance(leaf, int) else leaf)._grad
            if not _is_plain(gradient) or gradient.array.layout != operand.layout:
                return False
            if gradient.array.flat.kernels is not operand.kernels or gradient.array.flat.size != operand.size:
                return False
        among = [arguments[place] for place in self._leaf_places]
        if not among:
            return True
        return not any(map(_has_hooks, among)) and len({id(x) for x in (*among, *self._own_leaves)}) == len(self.leaves)

    def before(self, arguments: Sequence[AnyTensor]) -> list[NDArray]:
        """Return the gradients that leaves have before a call, where it meets them.

        Args:
            arguments: the tensors among the call's arguments.
        """
        leaves = [arguments[leaf] if isinstance(leaf, int) else leaf for leaf, _ in self.met]
        return [x._grad.array for x in leaves if x._grad is not None]

    def check(self, found: Sequence[AnyTensor]) -> str | None:
        """Say why the effects cannot be repeated, or None.

        Args:
            found: the tensors that the function refers to.
        """
        known = {*self._places, *map(id, found)}
        self._before = [(leaf, had) for leaf, had in self._before if isinstance(leaf, int) or id(leaf) in known]
        used = {x.storage for call in self._recorder.calls for x in operands_in(call.out, call.inputs, call.params)}
        self.met = [(x, operand) for x, operand in self.met if (isinstance(x, int) or id(x) in known) and operand.storage in used]
        self._leaf_places = [self._places[id(x)] for x in self.leaves if id(x) in self._places]
        self._own_leaves = [x for x in self.leaves if id(x) not in self._places]
        if any(id(x) not in known for x in self.leaves):
            return "it gives a gradient to a tensor that is not found"
        return "there are hooks on leaves whose gradients it computes" if any(map(_has_hooks, self.leaves)) else None

    def look_for(self, codes: Iterable[CodeType], is_own: Callable[[CodeType], bool]) -> None:
        """Find out whether other code than the actions' may look into their owners.

        Args:
            codes: all code that ran outside of actions.
            is_own: whether code is known, and reads attributes by their names only.
        """
        named = {id(action.owner): set(_attributes(action)) for action in self.actions if action.looked_at is not None}
        attributes = set().union(*named.values()) - {action.name for action in self.actions}
        fields = set().union(*(vars(action.owner) for action in self.actions if action.looked_at is not None))
        if named:
            self.is_apart = not any(fields & set(code.co_names) if is_own(code) else _may_read(code, attributes) for code in codes)

    def any(self) -> bool:
        """Whether there are any."""
        return bool(self.leaves or self.actions or self.met)

    def before_of_own_leaves(self) -> list[tuple[AnyTensor, bool]] | None:
        """Return leaves, and whether they have gradients, if later calls are told apart by no more than that; else None."""
        if self.met or self._leaf_places:
            return None
        before = [(leaf, had) for leaf, had in self._before if not isinstance(leaf, int)]
        return before if len(before) == len(self._before) else None

    def given(self) -> Iterator[tuple[Call, Operand]]:
        """The calls that give gradients, and these."""
        for call in self._recorder.calls:
            if isinstance(call.kernels, Given) and call.inputs:
                yield call, call.inputs[0]

    def __eq__(self, other: object) -> bool:
        """Whether another call met the same gradients."""
        if not isinstance(other, Effects):
            return False
        pairs = zip([*self._before, *self.met], [*other._before, *other.met], strict=False)
        return len(self.met) == len(other.met) and len(self._before) == len(other._before) and self.is_apart is other.is_apart and all(
            Given(mine) == Given(theirs) and had == theirs_had for (mine, had), (theirs, theirs_had) in pairs
        )  # fmt: skip

    __hash__ = None  # type: ignore[assignment]  # it is compared, never looked up

    def _target(self, leaf: AnyTensor) -> AnyTensor | int:
        return self._places.get(id(leaf), leaf)

    def _depends_on(self, leaf: AnyTensor, gradient: AnyTensor | None) -> None:
        """Note that the call may depend on the gradient that a leaf has, unless it comes of the call itself."""
        if id(leaf) not in self._known:
            self._known[id(leaf)] = leaf
            self._before.append((self._target(leaf), gradient is not None))
            if _is_plain(gradient):
                self.met.append((self._target(leaf), self._recorder.operand(gradient.array)))  # type: ignore[union-attr]

    def _note(self, leaf: AnyTensor) -> None:
        if all(x is not leaf for x in self.leaves):
            self.leaves.append(leaf)

    def _gives(self, leaf: AnyTensor, gradient: Any, *, made_here: bool) -> str | None:
        inputs: tuple[Operand, ...] = ()
        if gradient is not None:
            if not _is_plain(gradient):
                return "a gradient is no plain tensor without a history"
            operand = self._recorder.operand(gradient.array)
            if not made_here and (operand.storage in self._storages or gradient.base is not None):
                return "a gradient shares memory with another tensor"
            self._storages.add(operand.storage)
            inputs = (operand,)
        if made_here:
            self._depends_on(leaf, None)
        self._known[id(leaf)] = leaf
        self._note(leaf)
        self._recorder.calls.append(Call("grad of a leaf", Given(self._target(leaf)), None, inputs, {}))
        return None

    def _leads_out(self, names: dict[str, Any]) -> str | None:
        """Why a backward pass cannot be repeated, or None."""
        if names["create_graph"]:
            return "runs a backward pass that is recorded itself"
        seen: set[Any] = set()
        rest = [edge_of(x) for x in listed(names["tensors"])]
        while rest:
            edge = rest.pop()
            if isinstance(edge, Node) and edge not in seen:
                if edge.sequence <= self._begun:
                    return "runs a backward pass through what was computed before it"
                seen.add(edge)
                rest.extend(edge.inputs)
        return None


def _is_plain(gradient: Any) -> bool:
    return type(gradient) is tensor_fields.tensor_class and not gradient._requires_grad and not gradient.is_sparse


def _may_read(code: CodeType, attributes: set[str]) -> bool:
    """Whether code reads an attribute of one of these names, or may do so by a text."""
    texts = {x for x in code.co_consts if isinstance(x, str)}
    read = {x.argval for x in dis.get_instructions(code) if "ATTR" in x.opname or "METHOD" in x.opname}
    return bool(attributes & (read | texts) or _ANYHOW & set(code.co_names))


def _attributes(action: Action) -> Iterator[str]:
    yield from set(dir(action.owner)) - set(dir(object))


def _has_hooks(leaf: AnyTensor) -> bool:
    return bool(leaf.hooks) or bool(leaf.__dict__.get("post_accumulate_hooks"))
