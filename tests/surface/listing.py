"""Is a name where editors and `from lamina.nn import *` look for it: in `dir()`, and in its module's `__all__`?"""

import types

from namespaces import Subject, modules, public_names


def complaint(subject: Subject) -> str | None:
    """Why completion, or a star import, would not give this name."""
    home = subject.ours_home
    if subject.name not in _shown(home):
        return f"dir({subject.namespace}) does not list it"
    if not subject.is_method and subject.name not in getattr(home, "__all__", ()):
        return f"{home.__name__}.__all__ does not list it"
    return None


def _shown(home: object) -> set[str]:
    # An enum's dir() leaves out `name` and `value`, which its members have.
    return {*dir(home), *(name for base in getattr(home, "__mro__", ()) for name in vars(base))}


def clutter(module: types.ModuleType, theirs: types.ModuleType | None) -> list[str]:
    """What `dir()` of a public module shows that nobody asks it for.

    Shown may be what `__all__` lists, with its own sub-modules, and the modules that PyTorch has at that path; nothing from
    `typing`, `__future__` or elsewhere in the standard library, and no module that only its own package imports.
    """
    listed = set(getattr(module, "__all__", ()))
    wanted = public_names(theirs) if theirs else set()
    found = []
    for name in dir(module):
        if name.startswith("__") and name.endswith("__"):
            continue
        value = getattr(module, name, None)
        if isinstance(value, types.ModuleType):
            own = name in listed and value.__name__ == f"{module.__name__}.{name}"
            below = f"torch.{value.__name__.partition('.')[2]}"
            fits = below in modules() or own if theirs else name in listed
        else:
            made_elsewhere = str(getattr(value, "__module__", "lamina")).startswith(
                ("typing", "__future__", "collections")
            )
            fits = name in listed and not (made_elsewhere and name not in wanted)
        if name.startswith("_") or not fits:
            found.append(name)
    return found
