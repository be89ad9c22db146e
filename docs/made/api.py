"""Makes pages of the reference for the public modules when the site is built, and hangs them into the navigation.

A module with many names has several: one for each folder where enough of them are defined, and a first one for the others, which links all.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from importlib import import_module
from inspect import ismodule

from mkdocs.structure.files import File

import lamina
from lamina_tensor.methods.functions_as_methods import FunctionMethods

FOLDER = "look-up/api"
SECTIONS = {
    "Tensors and functions": (
        "lamina", "lamina.Tensor", "lamina.linalg", "lamina.fft", "lamina.special", "lamina.sparse", "lamina.masked",
        "lamina.signal.windows",
    ),
    "Networks": (
        "lamina.nn", "lamina.nn.functional", "lamina.nn.grad", "lamina.nn.init", "lamina.nn.utils", "lamina.optim",
        "lamina.optim.lr_scheduler", "lamina.optim.swa_utils", "lamina.training", "lamina.distributions", "lamina.quantization",
    ),
    "Gradients": ("lamina.autograd", "lamina.autograd.graph", "lamina.func"),
    "Data and files": (
        "lamina.utils.data", "lamina.vision.datasets", "lamina.vision.transforms", "lamina_nn.files", "lamina.gguf", "lamina.onnx",
        "lamina_onnx",
    ),
    "Devices and tools": (
        "lamina.backends", "lamina.cuda", "lamina.amp", "lamina.compiler", "lamina.export", "lamina.profiler", "lamina.testing",
        "lamina.programs", "lamina.viz",
    ),
    "The layers below": ("lamina_ndarray", "lamina_flatarray", "lamina_testkit"),
}  # fmt: skip
"""The public modules, and the class of tensors, by what they are for."""

LOADED_LATER = ("PyTorchFileReader", "ScriptModule")
"""What other libraries ask for, and nobody calls: it is no import in the module's source."""

LARGE, ENOUGH = 60, 10
"""A module with more names than the first is divided; the second is how many names a part has at least."""

CONTAINERS = {"functions", "torch_functions", "functional", "layers", "distributions", "methods"}
"""Folders and files whose names do not tell what a function is about."""


def on_config(config):
    """Hang the pages into the navigation, where it names the first of them."""
    pages = [{section: [entry(name) for name in names]} for section, names in SECTIONS.items()]
    for section in config.nav:
        for entries in section.values():
            if isinstance(entries, list) and {"Names": f"{FOLDER}/index.md"} in entries:
                entries[entries.index({"Names": f"{FOLDER}/index.md"})] = {"Names": [f"{FOLDER}/index.md", *pages]}
    return config


def entry(name: str) -> dict[str, str | list]:
    """A module in the navigation, with its parts below it."""
    first, *parts = divided(name)
    return {name: [address(first), *({part.partition(", ")[2]: address(part)} for part in parts)] if parts else address(first)}


def on_files(files, config):
    """Add the pages."""
    for name in pages():
        files.append(File.generated(config, address(name), content=page(name)))
    return files


def on_page_markdown(markdown, page, config, files):
    """Fill the table of the first page."""
    if page.file.src_uri != f"{FOLDER}/index.md":
        return markdown
    lines = []
    for section, names in SECTIONS.items():
        lines += [f"## {section}", "", "| page | what it has |", "|---|---|"]
        for name in names:
            first, *parts = divided(name)
            lines.append(f"| {link(first, first)} | {meaning(name)} |")
            lines += [f"| {link(part, part)} | {some_of(part)} |" for part in parts]
        lines.append("")
    return markdown.replace("<!-- modules -->", "\n".join(lines))


def pages() -> list[str]:
    """All pages: a module, a part of one behind a comma, or the class of tensors."""
    return [page for names in SECTIONS.values() for name in names for page in divided(name)]


@cache
def divided(name: str) -> tuple[str, ...]:
    """The pages of a module, the first of which has its name."""
    names = listed(name)
    if len(names) <= LARGE or name == "lamina.Tensor":
        return (name,)
    sizes = Counter(theme(name, each) for each in names)
    return (name, *(f"{name}, {part.replace('_', ' ')}" for part, size in sorted(sizes.items()) if part and size >= ENOUGH))


def theme(module: str, name: str) -> str:
    """What a name of a module is about: the folder or file of a package where it is defined; "" where none is told."""
    _, *path = (getattr(getattr(import_module(module), name), "__module__", None) or "").split(".")
    return next((folder for folder in path if folder not in CONTAINERS), "")


def address(name: str) -> str:
    """Where the page of a name is."""
    return f"{FOLDER}/{name.replace(', ', '-').replace(' ', '-')}.md"


def link(page: str, text: str, anchor: str = "") -> str:
    """A link from one page of the reference to another."""
    return f"[{text}]({address(page).removeprefix(f'{FOLDER}/')}{anchor})"


def page(name: str) -> str:
    """Where to put the names of a module."""
    lines = [f"# {name}", ""]
    if name == "lamina.Tensor":
        functions = [method for method in public(FunctionMethods) if method in lamina.__all__]
        lines += [
            "These methods are functions, too, which take the tensor first: `x.sum(0)` is `torch.sum(x, 0)`.", "",
            ", ".join(f"[`{method}`][lamina.{method}]" for method in functions) + ".", "",
        ]  # fmt: skip
    of = name.partition(",")[0]
    _, *parts = divided(of) if name == of else [name]
    if parts:
        lines += ["| part | names |", "|---|---|"]
    for part in parts:  # each link has the anchor that the name itself would have here: site.js follows it
        names = (link(part, f"`{each}`", f"#{of}.{each}") + f"{{ #{of}.{each} }}" for each in members_of(part))
        lines.append(f"| {link(part, part.partition(', ')[2])} | {', '.join(names)} |")
    members = ", ".join(members_of(name))
    lines += ["", f"::: {of}", "    options:", "      show_root_toc_entry: false", f"      members: [{members}]"]
    return "\n".join([*lines, *([f"      inherited_members: [{members}]"] if name == "lamina.Tensor" else []), ""])


@cache
def members_of(page: str) -> tuple[str, ...]:
    """The names that stand on a page."""
    name, _, part = page.partition(", ")
    names, others = listed(name), {other.partition(", ")[2] for other in divided(name)} - {""}
    if not others:
        return names
    themes = {each: theme(name, each).replace("_", " ") for each in names}
    return tuple(each for each in names if (themes[each] == part if part else themes[each] not in others))


@cache
def listed(name: str) -> tuple[str, ...]:
    """What a module lists, but for modules in it, the class that has a page, and what has no words of its own."""
    if name == "lamina.Tensor":
        functions = {method for method in public(FunctionMethods) if method in lamina.__all__}
        return tuple(method for method in public(lamina.Tensor) if method not in functions)
    module = import_module(name)
    names = [each for each in sorted(module.__all__, key=str.lower) if each != "Tensor" and not ismodule(getattr(module, each))]
    return tuple(each for each in names if is_told_of(getattr(module, each), each))


def is_told_of(value: object, name: str) -> bool:
    """Whether a name has words of its own: numbers have none, nor have further names of a dtype, nor what other libraries ask for."""
    if isinstance(value, lamina.dtype):
        return value.name == name
    return callable(value) and name not in LOADED_LATER


def public(kind: type) -> list[str]:
    """The methods and fields that a class defines or inherits."""
    return sorted({name for base in kind.__mro__ for name in vars(base) if not name.startswith("_") and base is not object})


def meaning(name: str) -> str:
    """The first sentence of a docstring."""
    if name == "lamina.Tensor":
        return "The class of tensors: its methods and fields."
    text = " ".join((import_module(name).__doc__ or "").partition("\n\n")[0].split())
    return text.replace("|", "\\|").replace("*", "\\*")


def some_of(page: str) -> str:
    """The first names of a page."""
    return "Of these names: " + ", ".join(f"`{each}`" for each in members_of(page)[:8]) + " ..."
