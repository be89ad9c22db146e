"""Does an object know its own name, so that `help`, pickle and tracebacks say the one that it is called by?"""

import importlib
import inspect
import pickle
from typing import Any

from namespaces import Subject


def _resolved(value: Any) -> Any:
    found = importlib.import_module(value.__module__)
    for part in value.__qualname__.split("."):
        found = inspect.getattr_static(found, part) if isinstance(found, type) else getattr(found, part)
    return getattr(found, "__func__", found)  # what a static or class method holds


def named(subject: Subject) -> str | None:
    """`__module__` and `__qualname__` have to lead back to the object, and `__name__` to be what it is called, or the name
    of another path to it: `torch.concat` may say that it is `cat`; or PyTorch's own for it."""
    value = getattr(subject.ours, "__func__", subject.ours)
    try:
        name, path = value.__name__, f"{value.__module__}.{value.__qualname__}"
    except AttributeError as error:
        return str(error)
    try:
        found = _resolved(value)
    except (AttributeError, ImportError, TypeError, ValueError):
        return f"calls itself {path}, which does not exist"
    if found is not value:
        return f"calls itself {path}, which is another object"
    as_theirs = name == getattr(subject.theirs, "__name__", None)
    if name != subject.name and not as_theirs and getattr(subject.ours_home, name, None) is not value:
        return f"calls itself {name}"
    return None


def pickled(subject: Subject) -> str | None:
    """A pickle of a function is its name: loading it has to give the very object."""
    try:
        found = pickle.loads(pickle.dumps(subject.ours))
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    same = found == subject.ours if inspect.ismethod(found) else found is subject.ours
    return None if same else f"comes back as {found!r}"
