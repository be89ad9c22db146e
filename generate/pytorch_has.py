"""Write which modules and names PyTorch has, with its version: what an absent name's message and the alias go by.

A line is a module and its public names. Of modules that `import torch` loads they are those that it shows; of others, those
that their source binds at the top. Private modules are named, and what lies below them is not. `torch.Tensor` stands
in the list as if it were a module, for its methods, and `torch.device` for the types that it knows. Submodules are not among a
package's names, unless a function has the same name and covers them: `torch.nn.utils.weight_norm`. Before a name stands "!"
where the module above has another object of that name: `torch.hub.load` is not `torch.load`.

    python generate/pytorch_has.py           # write
    python generate/pytorch_has.py --check   # say whether it is not what would be written
"""

from __future__ import annotations

import ast
import sys
import warnings
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

sys.modules["tqdm"] = None  # type: ignore[assignment] # as if it were not installed: torch.hub has a class of this name only then

import torch  # noqa: E402

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
    """The public names of a loaded module: those listed, those that PyTorch made, and modules from elsewhere."""
    names = set(vars(module).get("__all__", ()))
    for name, value in vars(module).items():
        of_torch = str(getattr(value, "__module__", "")).partition(".")[0] == "torch"
        part = isinstance(value, ModuleType) and value.__name__.partition(".")[0] == "torch"
        if of_torch or part or isinstance(value, torch.dtype | torch.layout | torch.memory_format):
            names.add(name)
    return {name for name in names if not is_part(module, name)}


def is_part(module: ModuleType, name: str) -> bool:
    """Whether a listed name is a submodule, which may be loaded when it is first wanted."""
    full = f"{module.__name__}.{name}"
    if name not in vars(module):
        return hasattr(module, "__path__") and find_spec(full) is not None
    value = vars(module)[name]
    return isinstance(value, ModuleType) and value.__name__ == full


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


def marked(module: str, names: set[str], modules: dict[str, ModuleType]) -> list[str]:
    """The names in order, with "!" before each of which the module above has another object."""
    above, own = vars(modules.get(module.rpartition(".")[0], object)), vars(modules.get(module, object))
    return [f"!{name}" if name in above and own.get(name) is not above[name] else name for name in sorted(names)]


def device_types() -> list[str]:
    """The types of devices, which the error for another one tells."""
    try:
        torch.device("unknown")
    except RuntimeError as error:
        return sorted(str(error).split("one of ", 1)[1].split(" device type")[0].split(", "))
    raise AssertionError("PyTorch has a device called unknown")


def written() -> str:
    """The file's text."""
    files = dict(sources(Path(torch.__file__).parent, "torch"))
    modules = loaded()
    lines = []
    for name in sorted({*files, *modules}):
        private = name.rpartition(".")[2].startswith("_")
        names = set() if private else shown(modules[name]) if name in modules else bound(files[name])
        names = {known for known in names if not known.startswith("_") and (name in modules or f"{name}.{known}" not in files)}
        lines.append(" ".join([name, *marked(name, names, modules)]))
    methods = " ".join(["torch.Tensor", *(name for name in dir(torch.Tensor) if not name.startswith("_"))])
    lines = sorted([*lines, methods, " ".join(["torch.device", *device_types()])], key=lambda line: line.partition(" ")[0])
    return "\n".join([torch.__version__.partition("+")[0], *lines]) + "\n"


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # deprecated names warn when they are looked at
    text = written()
    if "--check" not in sys.argv:
        FILE.write_text(text)
    elif not FILE.exists() or FILE.read_text() != text:
        sys.exit(f"{FILE.relative_to(ROOT)} is not what {Path(__file__).name} writes")
