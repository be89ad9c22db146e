"""What docstrings and packages are changed in before the reference is made of them."""

from __future__ import annotations

import re
from typing import Any

import griffe

EXAMPLE = re.compile(r"^(?P<indent> *)>>> .*(?:\n(?! *$).*)*", re.MULTILINE)


class Doctests(griffe.Extension):
    """Shows examples as code: a run of lines from `>>>` to the next blank one is fenced."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Change the docstring of one object."""
        if obj.docstring is not None:
            obj.docstring.value = EXAMPLE.sub(r"\g<indent>```pycon\n\g<0>\n\g<indent>```", obj.docstring.value)


class FunctionsBeforeModules(griffe.Extension):
    """Gives a package what it imports by the name of a module in it, as Python does: griffe keeps the module. The module's other
    names stay where they are looked for."""

    def on_package(self, *, pkg: griffe.Module, **_: Any) -> None:
        """Change all packages of one distribution."""
        modules = [pkg]
        for module in modules:
            modules += [member for member in module.members.values() if not member.is_alias and member.is_module]
        known = set(modules)
        replaced: dict[griffe.Object, griffe.Object] = {}
        for module in modules:
            for name, target in module.imports.items():
                hidden = module.members.get(name)
                if hidden in known and target.startswith(f"{pkg.path}.") and target != hidden.path:
                    imported = replaced[hidden] = pkg[target.removeprefix(f"{pkg.path}.")]
                    others = [inner for inner, value in hidden.members.items() if value is not imported]
                    imported.members.update({inner: hidden.members[inner] for inner in others if inner not in imported.members})
                    module.members[name] = imported
        for module in modules:
            for member in module.members.values():
                if member.is_alias and member.resolved and member.target in replaced:
                    member.target = replaced[member.target]
