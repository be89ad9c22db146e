"""Gradient rules: how one is written, and what its parameter names say about what to save.

A rule is one function per input of the op, from the gradient `g` of the result to the gradient of that input::

    rule("multiply", a=lambda g, b: g * b, b=lambda g, a: g * a)
    rule("tanh", x=lambda g, y: g * (1 - y * y))
    rule("sum", x=lambda g, x_shape, axes: broadcast_to(unsqueezed(g, axes), x_shape))

The names of its parameters say what it needs: an input of the op by its name in the op table, `y` the result (or the
tuple of them, and then `g` is the list of their gradients, None where there is none),
`NAME_shape`, `_dtype`, `_device` or `_layout` of an input, or a parameter of the op. Only what the wanted gradients need is saved.
Rules work on NDArrays and on Tensors alike (`dispatch.dispatched` has the named ops), and must not return a saved array itself.
Broadcasting is undone by the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from inspect import signature
from operator import itemgetter
from typing import Any, Final

from lamina_flatarray import AutogradError
from lamina_flatarray.ops import OPS
from lamina_flatarray.registrations import Registrations
from lamina_flatarray.twins import compiled

__all__ = ["NOT_DIFFERENTIABLE", "RULES", "Gradients", "JointPlan", "Plan", "Rule", "joint_rule", "not_differentiable", "rule",
           "rule_of", "without_derivative"]  # fmt: skip

Gradient = Callable[..., Any]


def repeated(function: Gradient) -> Gradient:
    """A function of a rule, as a backward pass calls it: compiled code repeats its calls on arrays from plans."""
    return function


if compiled is not None:
    repeated = compiled.gradient_function


def _parameters(function: Any) -> tuple[str, ...]:
    """The names of a function's parameters."""
    return tuple(signature(function).parameters)


class Gradients(tuple[Any, ...]):
    """The gradients of all inputs that a joint rule made at once: nobody else's."""

    __slots__ = ()


class Plan:
    """A rule for one choice of inputs that want gradients.

    Attributes:
        rule: whose plan it is.
        joint: None, or one function that gives the gradients of all inputs at once, for the steps to pick from.
        positions: where what is saved stands among the inputs, the result, and the parameters called `names`; None where more is
            saved than these, such as a shape.
        pushed: None, as forward mode transposes the rule; or the function from what was saved and tangents of inputs to those of results.
        saves: what to save, each as (what, which): ("input", i), ("output", 0), ("shape", i), ("dtype", i),
            ("device", i), ("layout", i) or ("param", name).
        saves_values: whether operands or results are among them, or a write into a view, which PyTorch frees as well: such a
            node can be passed but once.
        steps: per wanted gradient, (input, function, places of its arguments among the saved).
        within: of a view, the function from a gradient of x and what the gradient needs to the part of it that g is added to; else None.
    """

    __slots__ = ("joint", "names", "positions", "pushed", "rule", "saves", "saves_values", "steps", "within")

    joint: Callable[[Any, tuple[Any, ...]], Any] | None
    pushed: Callable[..., Any] | None

    def __init__(self, rule: Rule, wanted: tuple[bool, ...]) -> None:
        self.rule = rule
        self.joint = self.pushed = None
        self.within = rule.within
        self.saves: list[tuple[str, Any]] = []
        self.steps: list[tuple[int, Gradient, tuple[int, ...]]] = []
        if rule.joint is not None:
            self._plan_jointly(rule.joint, wanted)
        for name, function in rule.gradients.items():
            i = rule.inputs.index(name)
            if not wanted[i]:
                continue
            places = []
            for need in rule.needs[name]:
                if need not in self.saves:
                    self.saves.append(need)
                places.append(self.saves.index(need))
            self.steps.append((i, repeated(function), tuple(places)))
        self.saves_values = any(what in ("input", "output") for what, _ in self.saves) or rule.op == "written_region"

        behind = len(rule.inputs) + 1
        self.names = tuple([which for what, which in self.saves if what == "param"])
        self.positions = tuple([
            behind - 1 if what == "output" else behind + self.names.index(which) if what == "param" else which
            for what, which in self.saves
        ]) if all(what in ("input", "output", "param") for what, _ in self.saves) else None  # fmt: skip

    def _plan_jointly(self, function: Gradient, wanted: tuple[bool, ...]) -> None:
        self.saves.extend(self.rule.joint_needs)
        self.joint = lambda g, values: Gradients(function(g, *values))
        self.steps.extend([(i, itemgetter(place), ()) for place, i in enumerate(self.rule.joint_inputs) if wanted[i]])

    def collect(self, inputs: tuple[Any, ...], result: Any, params: dict[str, Any]) -> tuple[Any, ...]:
        """The values to save, from the op's arrays, its result and its parameters."""
        if self.positions is not None:
            values = (*inputs, result, *map(params.__getitem__, self.names))
            return tuple([values[position] for position in self.positions])
        saved = []
        for what, which in self.saves:
            if what == "input":
                saved.append(inputs[which])
            elif what == "output":
                saved.append(result)
            elif what == "param":
                saved.append(params[which])
            else:
                saved.append(getattr(inputs[which], what, ()))  # a number has shape ()
        return tuple(saved)


class JointPlan(Plan):
    """A plan that one function makes up: it gives the gradients of all inputs, of the one value that was saved.

    Args:
        rule: what names the node.
        joint: from the gradient of the result, and the saved values, to the gradients of all inputs.
        wanted: which inputs want one.
        saved: what the saved value is called.
        pushed: as of a `Plan`.
        saves_values: as of a `Plan`.
    """

    __slots__ = ()

    def __init__(
        self, rule: Rule, joint: Callable[..., Any], wanted: Iterable[int], saved: str, *, pushed: Callable[..., Any] | None = None,
        saves_values: bool = True,
    ) -> None:  # fmt: skip
        self.rule, self.joint, self.pushed, self.within = rule, joint, pushed, None
        self.saves, self.names, self.positions = [("param", saved)], (saved,), None
        self.saves_values = saves_values
        self.steps = [(i, itemgetter(i), ()) for i in wanted]


class Rule:
    """The gradient column of one op."""

    __slots__ = ("gradients", "inputs", "joint", "joint_inputs", "joint_needs", "needs", "node_name", "op", "plans", "results", "within")

    def __init__(
        self, op: str, inputs: tuple[str, ...], node_name: str, gradients: dict[str, Gradient], results: int | None = None,
        within: Gradient | None = None,
    ) -> None:  # fmt: skip
        unknown = set(gradients) - set(inputs)
        if unknown:
            raise TypeError(f"rule {op}: gradients for {sorted(unknown)}, but its inputs are {inputs}")
        self.op = op
        self.inputs = inputs
        self.node_name = node_name
        self.results = results
        self.within = within
        self.gradients = gradients
        self.needs = {
            name: [self._need(p) for p in _parameters(function)[1:]]
            for name, function in gradients.items()
        }
        self.plans: dict[Any, Plan] = {}
        self.joint: Gradient | None = None
        self.joint_needs: list[tuple[str, Any]] = []
        self.joint_inputs: list[int] = []

    def set_joint(self, function: Gradient, names: str) -> None:
        """One function for the gradients of several inputs."""
        self.joint = function
        self.joint_needs = [self._need(p) for p in _parameters(function)[1:]]
        self.joint_inputs = [self.inputs.index(name) for name in names.split()]

    def _need(self, name: str) -> tuple[str, Any]:
        if name == "y":
            return "output", 0
        if name in self.inputs:
            return "input", self.inputs.index(name)
        owner, _, attribute = name.rpartition("_")
        if attribute in ("shape", "dtype", "device", "layout") and owner in self.inputs:
            return attribute, self.inputs.index(owner)
        return "param", name

    def plan(self, wanted: tuple[bool, ...]) -> Plan:
        """The plan for these wanted inputs."""
        result = self.plans.get(wanted)
        if result is None:
            result = self.plans[wanted] = Plan(self, wanted)
        return result


RULES: Final[Registrations[Rule]] = Registrations()
"""Every rule by the name of its op; they are imported when a result is first recorded."""
RULES.modules.append("lamina_tensor.gradients")

@cache
def rule_of(op: str) -> Rule | None:
    """The rule of an op or of a function, looked for once; None where there is none."""
    return RULES.get(op)


NOT_DIFFERENTIABLE: Final[set[str]] = set()
"""Ops whose results carry no gradient."""


def rule(
    op: str, /, *, inputs: str = "", node_name: str = "", results: int | None = None, within: Gradient | None = None, **gradients: Gradient,
) -> None:  # fmt: skip
    """Register the gradients of an op.

    Args:
        op: its name; in the op table, or a view's.
        inputs: the names of its inputs, for an op that is not in the table.
        node_name: PyTorch's name of the node, where it does not follow from the op's spelling.
        results: how many of the op's results, from the first on, carry a gradient; None for all that can.
        within: of a view, from a gradient of x, and what the function for it needs, to the part of it that `g` is added to, rather than
            to zeros of x's shape.
        gradients: per input, the function from `g` to its gradient; computed in this order.

    Raises:
        TypeError: a gradient is given for something that is not an input.
    """
    row = OPS.get(op)
    names = tuple(inputs.split()) if inputs else row.inputs if row else ("x",)
    spelling = row.spelling if row else op
    default = "".join(part.capitalize() for part in spelling.split("_")) + "Backward0"
    RULES[op] = Rule(op, names, node_name or default, gradients, results, within)


def joint_rule(op: str, names: str, gradients: Gradient, /, *, node_name: str = "") -> None:
    """Register one function for the gradients of several inputs, where they are made together.

    Args:
        op: its name.
        names: the inputs that have gradients, in the order of the function's results.
        gradients: from `g` to these gradients; its parameter names say what it needs, and all of that is saved whichever of the
            gradients are wanted.
        node_name: as for `rule`.
    """
    rule(op, node_name=node_name)
    RULES[op].set_joint(gradients, names)


def not_differentiable(*ops: str) -> None:
    """Register ops whose results carry no gradient."""
    NOT_DIFFERENTIABLE.update(ops)


def without_derivative(op: str, name: str) -> Gradient:
    """The gradient of an input for which PyTorch has none, either: an error is better than zeros.

    Args:
        op: the op.
        name: what the function calls the input.
    """

    def refuse(g: Any) -> Any:
        raise AutogradError(f"{op}: the derivative with respect to {name} is not implemented; detach() it")

    return refuse
