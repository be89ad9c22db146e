"""All checks, by kind: each is one question about one public name, answered by a complaint or by None."""

import functools
import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import definitions
import docstring_rules
import identity
import listing
import numpy_keywords
import signatures
import torch
import tracebacks
from namespaces import Subject, modules, subjects

import lamina_ndarray


@dataclass(frozen=True, eq=False)
class Check:
    """One question about one name."""

    kind: str
    namespace: str
    name: str
    complaint: Callable[[], str | None]

    @property
    def key(self) -> tuple[str, str, str]:
        return self.kind, self.namespace, self.name


def _of(subject: Subject) -> dict[str, Callable[[Subject], str | None]]:
    rules: dict[str, Callable[[Subject], str | None]] = {"listed": listing.complaint}
    if subject.ours is subject.theirs:  # handed on from the standard library, which is not ours to name or explain
        return rules
    if subject.is_callable:
        rules |= {"named": identity.named, "defined": definitions.complaint, "pickled": identity.pickled}
        if not subject.is_class:
            rules["traceback"] = tracebacks.complaint
        if not subject.is_operator and signatures.of_theirs(subject):
            rules["signature"] = signatures.complaint
    elif isinstance(subject.theirs, torch.dtype | torch.layout | torch.memory_format):
        rules["pickled"] = identity.pickled
    rules |= docstring_rules.called_for(subject)
    for kind in numpy_keywords.called_for(subject):
        rules[f"keyword {kind}"] = functools.partial(numpy_keywords.complaint, kind=kind)
    return rules


def _clutter() -> Iterator[Check]:
    """`dir()` of each public module, and of the storey of arrays, which is used by itself."""
    arrays = {
        f"lamina_ndarray.{name}".removesuffix("."): (value, None)
        for name in ("", "linalg", "fft", "special")
        if inspect.ismodule(value := getattr(lamina_ndarray, name) if name else lamina_ndarray)
    }
    for path, (ours, theirs) in {**modules(), **arrays}.items():

        def complaint(ours: object = ours, theirs: object = theirs) -> str | None:
            found = listing.clutter(ours, theirs)
            return f"shows {len(found)} names that are not public: {', '.join(found)}" if found else None

        yield Check("dir", path, "dir", complaint)


@functools.cache
def checks() -> tuple[Check, ...]:
    """Every check there is today, in a fixed order."""
    found = [
        Check(kind, subject.namespace, subject.name, functools.partial(rule, subject))
        for subject in subjects()
        for kind, rule in _of(subject).items()
    ]
    return (*found, *_clutter())
