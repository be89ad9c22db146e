"""Where PyTorch takes NumPy's names for its arguments (`axis`, `keepdims`, `x`, `a`, `x1`, `x2`) or `out`, does lamina?

PyTorch says so nowhere: it is called that way, and what it takes is what lamina has to take.
"""

import functools
import inspect
import warnings
from typing import Any

import sample_arguments
import signatures
import torch
from namespaces import Subject

import lamina

SYNONYMS = {
    "axis": ("dim", ("axis",)),
    "keepdims": ("keepdim", ("keepdims",)),
    "x": ("input", ("x",)),
    "a": ("input", ("a", "x1")),
    "x2": ("other", ("x2",)),
    "out": ("out", ("out",)),
}


def called_for(subject: Subject) -> list[str]:
    """Which of them PyTorch takes here."""
    if subject.is_class or subject.is_operator or not inspect.isroutine(subject.theirs):
        return []
    # Those of PyTorch's functions that are written in Python take no synonyms.
    kinds = ["out"] if inspect.isfunction(subject.theirs) else SYNONYMS
    return [kind for kind in kinds if _ways(subject, kind)]


@functools.cache
def _ways(subject: Subject, kind: str) -> tuple[tuple[str, sample_arguments.Made], ...]:
    """The spellings that PyTorch takes, each with the arguments of a call that it did take."""
    parameter, spellings = SYNONYMS[kind]
    found = []
    for overload in signatures.of_theirs(subject):
        if parameter in overload.parameters:
            for spelling in spellings:
                made = _taken(subject, overload, parameter, spelling)
                if made:
                    found.append((spelling, made))
    return tuple(found)


def _taken(
    subject: Subject, overload: inspect.Signature, parameter: str, spelling: str
) -> sample_arguments.Made | None:
    for make in sample_arguments.attempts(overload, parameter, spelling, subject.is_method):
        try:
            _call(subject.theirs, make(torch), spelling)
        except KeyError:
            return None
        except TypeError as error:  # what PyTorch says of a keyword that it does not know
            if "unexpected keyword argument" in str(error):
                return None
        except (RuntimeError, IndexError, ValueError, NotImplementedError):
            continue
        else:
            return make
    return None


def _call(function: Any, arguments: dict[str, Any], spelling: str) -> Any:
    own = [arguments.pop("self")] if "self" in arguments else []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = function(*own, **arguments)
        if spelling != "out":
            return result
        # Once more, into memory of the right shape and dtype.
        several = isinstance(result, tuple | list)
        out = tuple(map(_like, result)) if several else _like(result)
        again = function(*own, **arguments, out=out)
    if not (all(a is b for a, b in zip(again, out, strict=True)) if several else again is out):
        raise RuntimeError("the result is not what was given as out")
    return again


def _like(tensor: Any) -> Any:
    return tensor.clone()


def complaint(subject: Subject, kind: str) -> str | None:
    """The first spelling of PyTorch's that ours refuses."""
    for spelling, make in _ways(subject, kind):
        shapes = _shapes(_call(subject.theirs, make(torch), spelling))
        try:
            ours = _call(subject.ours, make(lamina), spelling)
        except Exception as error:
            return f"{spelling}=: {type(error).__name__}: {error}"
        if _shapes(ours) != shapes:
            return f"{spelling}=: shapes {_shapes(ours)}, PyTorch's are {shapes}"
    return None


def _shapes(result: Any) -> Any:
    return [_shapes(r) for r in result] if isinstance(result, tuple | list) else list(getattr(result, "shape", []))
