"""The history that results of a compiled function have: what a backward pass reads, and the versions that it had."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from lamina_flatarray import FlatArray

from ..autograd.held import whole
from ..autograd.node import output_node, unwatched_node
from ..autograd.rules import Plan
from ..tensor_fields import AnyTensor

__all__ = ["History", "give_history"]


class History(NamedTuple):
    """What a call notes for its backward passes.

    Attributes:
        plan: of the node.
        state: arrays that stay, and that a pass reads.
        results: which results it reads.
        given: which arguments.
        arity: how many arguments there are.
        wanting: which arguments gradients are computed of.
        leaves: what else they are computed of.
        carrying: which results carry gradients.
    """

    plan: Plan
    state: list[FlatArray]
    results: list[int]
    given: list[int]
    arity: int
    wanting: list[int]
    leaves: list[AnyTensor]
    carrying: list[int]


def give_history(
    history: History, arguments: Sequence[AnyTensor], given: list[Any], kept: list[Any], results: Sequence[AnyTensor]
) -> None:  # fmt: skip
    """Give results their history. What is saved is the memory that a pass is given, and the versions of the arrays that it reads.

    Args:
        history: what is noted.
        arguments: those of the call.
        given: their memory, and the byte where each begins.
        kept: the memory that the forward program made.
        results: what the call gives.
    """
    read = [*history.state, *[results[i].array.flat for i in history.results], *[whole(arguments[i].array.flat) for i in history.given]]
    needed: list[Any] = [(None, 0)] * history.arity
    for i in history.given:
        needed[i] = given[i]
    saved = [*needed, *[(memory, 0) for memory in kept]], [(flat, flat.version) for flat in read]
    wanting = [*[arguments[i] for i in history.wanting], *history.leaves]
    carrying = [results[i] for i in history.carrying]
    node = unwatched_node(history.plan, tuple([x._node or x for x in wanting]), (saved,), carrying[0].array)
    if len(carrying) > 1:
        node.results = tuple([(x.array.shape, x.array.dtype, x.array.device) for x in carrying])
    for i, x in enumerate(carrying):
        x._node = node if len(carrying) == 1 else output_node(node, i, len(carrying), x.array)
        x._requires_grad = True
