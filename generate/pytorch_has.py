"""Write which modules and names PyTorch has, with its version: what an absent name's message and the alias go by.

A line is a module and its public names. Of modules that `import torch` loads they are those that it shows; of others, those
that their source binds at the top. Private modules are named, and what lies below them is not. `torch.Tensor` stands
in the list as if it were a module, for its methods.

    python generate/pytorch_has.py           # write
    python generate/pytorch_has.py --check   # say whether it is not what would be written
"""

from __future__ import annotations

import ast
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import torch

ROOT = Path(__file__).parents[1]
FILE = ROOT / "packages" / "lamina" / "src" / "lamina" / "programs" / "pytorch_has.txt"


def sources(folder: Path, name: str) -> Iterator[tuple[str, Path]]:
    """Each module in a package's folder, and its file."""
    for path in sorted(folder.iterdir()):
        full = f"{name}.{path.name.partition('.')[0]}"
        if (path / "__init__.py").exists():
            yield full, path / "__init__.py"
            if not path.name.startswith("_"):
                yield from sources(path, full)
        elif path.suffix in (".py", ".so") and not path.name.startswith("__"):
            yield full, path


def loaded() -> dict[str, ModuleType]:
    """The modules that are there once torch is imported, without what lies below private ones."""
    return {
        name: module
        for name, module in sys.modules.items()
        if name.partition(".")[0] == "torch" and not any(part.startswith("_") for part in name.split(".")[:-1])
    }  # fmt: skip


def shown(module: ModuleType) -> set[str]:
    """The public names of a loaded module: those listed, those that PyTorch made, and its modules."""
    names = set(vars(module).get("__all__", ()))
    for name, value in vars(module).items():
        of_torch = str(getattr(value, "__module__", "")).partition(".")[0] == "torch"
        part = isinstance(value, ModuleType) and value.__name__.partition(".")[0] == "torch"
        if of_torch or part or isinstance(value, torch.dtype | torch.layout | torch.memory_format):
            names.add(name)
    return names


def bound(file: Path) -> set[str]:
    """What a source file binds at the top, but for what it imports from elsewhere."""
    if file.suffix != ".py":
        return set()
    names: set[str] = set()
    for node in ast.parse(file.read_bytes()).body:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
            case ast.Assign(targets=targets):
                names |= {target.id for target in targets if isinstance(target, ast.Name)}
            case ast.ImportFrom(module=module, level=level, names=aliases) if level or str(module).partition(".")[0] == "torch":
                names |= {alias.asname or alias.name for alias in aliases if alias.name != "*"}
    return names


def written() -> str:
    """The file's text."""
    files = dict(sources(Path(torch.__file__).parent, "torch"))
    modules = loaded()
    lines = []
    for name in sorted({*files, *modules}):
        private = name.rpartition(".")[2].startswith("_")
        names = set() if private else shown(modules[name]) if name in modules else bound(files[name])
        lines.append(" ".join([name, *sorted(name for name in names if not name.startswith("_"))]))
    methods = " ".join(["torch.Tensor", *(name for name in dir(torch.Tensor) if not name.startswith("_"))])
    lines = sorted([*lines, methods], key=lambda line: line.partition(" ")[0])
    return "\n".join([torch.__version__.partition("+")[0], *lines]) + "\n"


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # deprecated names warn when they are looked at
    text = written()
    if "--check" not in sys.argv:
        FILE.write_text(text)
    elif not FILE.exists() or FILE.read_text() != text:
        sys.exit(f"{FILE.relative_to(ROOT)} is not what {Path(__file__).name} writes")
