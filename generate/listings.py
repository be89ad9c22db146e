"""Write the re-exports of functions of tensors and of arrays into the packages' `__init__.py`, and the list of functions that are methods.

A function is named where it is defined: in its file's `__all__`. What is listed again, for readers, type checkers and `dir()`, is
written here: the functions of `lamina_tensor.functions`, of `lamina_tensor`, and those that PyTorch has in `lamina`; the functions item by
item of `lamina_ndarray`; the methods of Tensor that are functions of the same name; and in each module of lamina, whatever PyTorch has at
its path of what it imports from. Other lines of these files are left alone.

    python generate/listings.py           # write them
    python generate/listings.py --check   # say which are not what would be written
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import torch as pytorch

ROOT = Path(__file__).parents[1]
STOREYS = ("lamina_flatarray", "lamina_ndarray", "lamina_tensor", "lamina_nn", "lamina")
SOURCES = {name: ROOT / "packages" / name.removeprefix("lamina_") / "src" for name in STOREYS}
FUNCTIONS = "lamina_tensor.functions"
METHODS = "lamina_tensor.methods"
WIDTH = 120
FOR_LAYERS = ("activations", "choosing")  # what only the storeys above call is not listed again

Texts = dict[Path, str]


def path_of(module: str) -> Path:
    """The file of a module."""
    path = SOURCES[module.partition(".")[0]].joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def text_of(path: Path, texts: Texts) -> str:
    """What a file holds, or will hold."""
    return texts.get(path) or path.read_text()


def public(module: str, texts: Texts) -> list[str]:
    """The `__all__` of a module, which is a plain list; a package without one has none."""
    for node in ast.parse(text_of(path_of(module), texts)).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return [str(name) for name in ast.literal_eval(node.value)]
    return []


def absolute(node: ast.ImportFrom, package: str) -> str:
    """The module that a line of a package's `__init__.py` imports from."""
    above = package.split(".")[: len(package.split(".")) - (node.level - 1)] if node.level else []
    return ".".join([*above, *([node.module] if node.module else [])])


def lines_of_names(names: list[str]) -> list[str]:
    """Names in quotes, as many to a line as fit."""
    lines = ["   "]
    for name in names:
        if len(lines[-1]) + len(name) + 4 > WIDTH:
            lines.append("   ")
        lines[-1] += f' "{name}",'
    return lines


def relist(package: str, wanted: Callable[[str, set[str]], set[str] | None], texts: Texts) -> None:
    """Write the imports of a package's `__init__.py`, and its `__all__`, anew.

    Args:
        package: its name.
        wanted: what is to be imported of a module instead of the names that are imported today; None leaves the line alone.
        texts: gets the file's text.
    """
    path = path_of(package)
    lines = text_of(path, texts).split("\n")
    gone: set[str] = set()
    come: set[str] = set()
    edits: list[tuple[int, int, list[str]]] = []
    for node in ast.parse("\n".join(lines)).body:
        if isinstance(node, ast.ImportFrom) and not any(alias.asname for alias in node.names):
            today = {alias.name for alias in node.names}
            names = wanted(absolute(node, package), today)
            if names is None or names == today:
                continue
            gone, come = gone | today, come | names
            source = "." * node.level + (node.module or "")
            block = [f"from {source} import (", *(f"    {name}," for name in sorted(names)), ")  # fmt: skip"]
            edits.append((node.lineno - 1, node.end_lineno or 0, block))
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__" and gone != come:
            names = (set(ast.literal_eval(node.value)) - gone) | come
            ordered = sorted(names, key=str.lower if package == "lamina_ndarray" else None)
            edits.append((node.lineno - 1, node.end_lineno or 0, ["__all__ = [", *lines_of_names(ordered), "]  # fmt: skip"]))
    for start, end, block in reversed(edits):
        lines[start:end] = block
    texts[path] = "\n".join(lines)


def methods_by_hand() -> set[str]:
    """The methods of Tensor that are written in the classes that it inherits."""
    tensor = next(node for node in ast.parse(path_of("lamina_tensor.tensor_class").read_text()).body if isinstance(node, ast.ClassDef))
    inherited = {ast.unparse(base) for base in tensor.bases} - {"FunctionMethods"}
    names = set()
    for file in path_of(METHODS).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.ClassDef) and node.name in inherited:
                names |= {member.name for member in node.body if isinstance(member, ast.FunctionDef)}
    return names


def list_methods(texts: Texts) -> None:
    """Write the methods that are functions of the same name, file by file in the order of the imports."""
    path = path_of(f"{METHODS}.functions_as_methods")
    text = text_of(path, texts)
    functions = set(public(FUNCTIONS, texts))
    by_hand = methods_by_hand()
    files = {}
    for node in ast.parse(text).body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("functions"):
            source = absolute(node, METHODS)
            files |= {alias.asname or alias.name: f"{source}.{alias.name}" for alias in node.names}
    blocks, listed = [], set[str]()
    for alias, module in sorted(files.items()):
        names = [
            name for name in sorted(public(module, texts))
            if name in functions and hasattr(pytorch.Tensor, name) and name not in by_hand | listed
        ]  # fmt: skip
        listed |= set(names)
        if names:
            blocks.append("\n".join(f"    {name} = {alias}.{name}" for name in names))
    head = text[: text.index("    __slots__ = ()")]
    texts[path] = f"{head}    __slots__ = ()\n\n" + "\n\n".join(blocks) + "\n"


def modules_of_pytorch() -> list[str]:
    """The modules of lamina below its own, that PyTorch has, too."""
    folder = SOURCES["lamina"] / "lamina"
    found = []
    for path in sorted(folder.rglob("*.py")):
        place = path.relative_to(folder).with_suffix("").parts
        place = place[:-1] if place[-1] == "__init__" else place
        if place and place[0] not in ("programs", "vision") and place[-1] != "tensorboard":
            try:
                import_module(".".join(("torch", *place)))
            except ImportError:
                continue
            found.append(".".join(("lamina", *place)))
    return found


def names_bound(node: ast.stmt) -> list[str]:
    """The names that a statement gives a module."""
    if isinstance(node, ast.ImportFrom | ast.Import):
        return [alias.asname or alias.name for alias in node.names]
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    return [ast.unparse(target) for target in node.targets] if isinstance(node, ast.Assign) else []


def relist_module(module: str, texts: Texts) -> None:
    """Write what a module of lamina imports from the storeys below: what it does today, and all that PyTorch has at its path."""
    theirs = import_module("torch" + module.removeprefix("lamina"))

    bound = [name for node in ast.parse(text_of(path_of(module), texts)).body for name in names_bound(node)]

    def of_path(source: str, today: set[str]) -> set[str] | None:
        if source.partition(".")[0] not in STOREYS[:-1] or not (listed := set(public(source, texts))):
            return None
        return today | {name for name in listed - set(bound) if hasattr(theirs, name)}

    relist(module, of_path, texts)


def files() -> Texts:
    """Every file and its text; what is listed below comes before what lists it again."""
    texts: Texts = {}

    def item_by_item(module: str, _today: set[str]) -> set[str] | None:
        folder, _, file = module.rpartition(".")
        if folder not in ("lamina_ndarray.elementwise", f"{FUNCTIONS}.elementwise") or file in FOR_LAYERS:
            return None
        return set(public(module, texts))

    relist("lamina_ndarray", item_by_item, texts)
    relist(FUNCTIONS, item_by_item, texts)
    functions = set(public(FUNCTIONS, texts))

    def all_functions(module: str, _today: set[str]) -> set[str] | None:
        return functions if module == FUNCTIONS else None

    relist("lamina_tensor", all_functions, texts)
    of_tensor = set(public("lamina_tensor", texts))

    def of_pytorch(module: str, today: set[str]) -> set[str] | None:
        if module != "lamina_tensor":
            return None
        return (today & of_tensor - functions) | {name for name in functions if hasattr(pytorch, name)}

    relist("lamina", of_pytorch, texts)
    for module in modules_of_pytorch():
        relist_module(module, texts)
    list_methods(texts)
    return texts


def main() -> None:
    """Write the files, or with `--check` say which differ."""
    for path, text in files().items():
        if "--check" not in sys.argv:
            path.write_text(text)
        elif path.read_text() != text:
            sys.exit(f"{path.relative_to(ROOT)} is not what its generator writes; run {Path(__file__).relative_to(ROOT)}")


if __name__ == "__main__":
    main()
