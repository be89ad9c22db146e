"""Does a signature of ours take what an overload of PyTorch's takes: by position, by keyword, in that order?"""

import inspect
import typing
from inspect import Parameter, Signature
from typing import Any

import pytorch_signatures
from namespaces import Subject

POSITIONAL = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
BY_NAME = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)


def of_theirs(subject: Subject) -> list[Signature]:
    """What PyTorch says that this function, method or class takes."""
    if subject.is_class:
        return pytorch_signatures.of_class(subject.theirs)
    if subject.is_method:
        return pytorch_signatures.of_method(subject.theirs_home, subject.name, subject.theirs)
    return pytorch_signatures.of_function(subject.namespace, subject.name, subject.theirs)


def of_ours(subject: Subject) -> list[Signature]:
    """What `inspect.signature` shows of ours, and the overloads that are written beside it."""
    value = inspect.unwrap(subject.ours, stop=lambda f: hasattr(f, "__signature__"))
    found = [inspect.signature(subject.ours)]
    found += [inspect.signature(overload) for overload in typing.get_overloads(value)] if callable(value) else []
    return [_without_self(subject, signature) for signature in found]


def _without_self(subject: Subject, signature: Signature) -> Signature:
    static = inspect.getattr_static(subject.ours_home, subject.name, None)
    if subject.is_class or not subject.is_method or isinstance(static, staticmethod) or inspect.ismethod(subject.ours):
        return signature
    return signature.replace(parameters=list(signature.parameters.values())[1:])


def refusal(ours: Signature, theirs: Signature) -> str | None:
    """Why ours does not take what this overload takes; None where it does."""
    mine, wanted = list(ours.parameters.values()), list(theirs.parameters.values())
    names = {p.name for p in mine if p.kind in BY_NAME}
    kinds, wanted_kinds = {p.kind for p in mine}, {p.kind for p in wanted}
    absent = [p.name for p in wanted if p.kind in BY_NAME and p.name not in names]
    if absent:
        return f"takes no {', '.join(absent)}"
    for star in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD):
        if star in wanted_kinds and star not in kinds:
            return f"takes no {star.description} arguments"
    if Parameter.VAR_POSITIONAL not in kinds:
        room, needed = (sum(p.kind in POSITIONAL for p in which) for which in (mine, wanted))
        if room < needed:
            return f"takes {room} arguments by position, of {needed}"
        shared = {p.name for p in wanted if p.kind in POSITIONAL}
        order = [p.name for p in mine if p.kind in POSITIONAL and p.name in shared]
        theirs_in_order = [p.name for p in wanted if p.kind in POSITIONAL and p.name in order]
        if order != theirs_in_order:
            return f"has them in the order {', '.join(order)}"
    taken = {p.name for p in wanted}
    required = [p.name for p in mine if p.default is Parameter.empty and p.kind in BY_NAME and p.name not in taken]
    return f"wants {', '.join(required)}" if required else None


def complaint(subject: Subject) -> str | None:
    """The first overload of PyTorch's that none of ours takes."""
    wanted = of_theirs(subject)
    try:
        ours = of_ours(subject)
    except (ValueError, TypeError) as error:
        return f"has no signature: {error}"
    for theirs in wanted:
        refusals = [refusal(signature, theirs) for signature in ours]
        if all(refusals):
            return f"{ours[0]} {refusals[0]}; PyTorch has {theirs}"
    return None


def takes_arguments(value: Any) -> bool:
    """Whether there is anything to say under `Args:`."""
    try:
        return any(name not in ("self", "cls") for name in inspect.signature(value).parameters)
    except (ValueError, TypeError):
        return False
