"""Can a reader go to the definition: is there a `def` or `class` of that name in the sources, and does the code come from it?"""

import ast
import functools
import inspect
from pathlib import Path

from namespaces import Subject
from sources import trees


@functools.cache
def written() -> dict[str, set[tuple[str, int]]]:
    """Qualified name -> (file, line) of each `def` or `class` in the packages, at the top or inside of classes."""
    found: dict[str, set[tuple[str, int]]] = {}

    def visit(body: list[ast.stmt], prefix: str, file: str) -> None:
        for node in body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                # A code object's first line is that of its first decorator.
                line = min([node.lineno, *(d.lineno for d in node.decorator_list)])
                found.setdefault(prefix + node.name, set()).add((file, line))
                if isinstance(node, ast.ClassDef):
                    visit(node.body, f"{prefix}{node.name}.", file)
            elif isinstance(node, ast.If):
                visit([*node.body, *node.orelse], prefix, file)
            elif isinstance(node, ast.Try | ast.With):
                visit(node.body, prefix, file)

    for path, (_, tree) in trees().items():
        visit(tree.body, "", str(path))
    return found


def complaint(subject: Subject) -> str | None:
    """Why going to the definition would lead nowhere, or astray."""
    value = getattr(subject.ours, "__func__", subject.ours)
    qualified = getattr(value, "__qualname__", subject.name)
    if qualified.rpartition(".")[2] != subject.name and getattr(subject.ours_home, subject.name) is not subject.ours:
        return f"its definition is called {qualified}"
    places = written().get(qualified)
    if not places:
        return f"no `def` or `class` {qualified} is written anywhere"
    code = getattr(inspect.unwrap(value), "__code__", None) if callable(value) else None
    if code and (code.co_filename, code.co_firstlineno) not in places:
        return f"runs {Path(code.co_filename).name}:{code.co_firstlineno}, which is not where {qualified} is written"
    return None
