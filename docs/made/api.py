"""Makes pages of the reference for the public modules when the site is built, and hangs them into the navigation."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from inspect import ismodule

from mkdocs.structure.files import File

import lamina
from lamina_tensor.methods.functions_as_methods import FunctionMethods

FOLDER = "look-up/api"
SECTIONS = {
    "Tensors and functions": (
        "lamina", "lamina, elementwise", "lamina, shapes", "lamina, matrices", "lamina, creation", "lamina, reductions", "lamina.Tensor",
        "lamina.linalg", "lamina.fft", "lamina.special", "lamina.sparse", "lamina.masked", "lamina.signal.windows",
    ),
    "Networks": (
        "lamina.nn", "lamina.nn.functional", "lamina.nn.init", "lamina.nn.utils", "lamina.optim", "lamina.optim.lr_scheduler",
        "lamina.optim.swa_utils", "lamina.training", "lamina.distributions", "lamina.quantization",
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
"""The pages, by what they are for. A page is a module, a part of one behind a comma, or the class of tensors."""

LOADED_LATER = ("PyTorchFileReader", "ScriptModule")
"""What other libraries ask for, and nobody calls: it is no import in the module's source."""

PARTS = {
    "elementwise": ("elementwise", "arithmetic", "complex_parts", "special"),
    "shapes": ("shapes", "indexing", "ordering", "view_copies", "copies"),
    "matrices": ("matrices",),
    "creation": ("creation", "trials"),
    "reductions": ("reductions", "sequences"),
}
"""The parts of the largest module, by the folders where its functions are defined."""


def on_config(config):
    """Hang the pages into the navigation, where it names the first of them."""
    pages = [{section: [{name: address(name)} for name in names]} for section, names in SECTIONS.items()]
    for section in config.nav:
        for entries in section.values():
            if isinstance(entries, list) and {"Names": f"{FOLDER}/index.md"} in entries:
                entries[entries.index({"Names": f"{FOLDER}/index.md"})] = {"Names": [f"{FOLDER}/index.md", *pages]}
    return config


def on_files(files, config):
    """Add the pages."""
    for names in SECTIONS.values():
        for name in names:
            files.append(File.generated(config, address(name), content=page(name)))
    return files


def on_page_markdown(markdown, page, config, files):
    """Fill the table of the first page."""
    if page.file.src_uri != f"{FOLDER}/index.md":
        return markdown
    lines = []
    for section, names in SECTIONS.items():
        lines += [f"## {section}", "", "| page | what it has |", "|---|---|"]
        lines += [f"| [{name}]({address(name).removeprefix(f'{FOLDER}/')}) | {meaning(name)} |" for name in names]
        lines.append("")
    return markdown.replace("<!-- modules -->", "\n".join(lines))


def address(name: str) -> str:
    """Where the page of a name is."""
    return f"{FOLDER}/{name.replace(', ', '-')}.md"


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
    members = ", ".join(members_of(name))
    lines += [f"::: {of}", "    options:", "      show_root_toc_entry: false", f"      members: [{members}]"]
    return "\n".join([*lines, *([f"      inherited_members: [{members}]"] if name == "lamina.Tensor" else []), ""])


@cache
def members_of(name: str) -> tuple[str, ...]:
    """The names that stand on a page: what the module lists, but for modules in it and what has another page."""
    if name == "lamina.Tensor":
        functions = {method for method in public(FunctionMethods) if method in lamina.__all__}
        return tuple(method for method in public(lamina.Tensor) if method not in functions)
    module = import_module(name.partition(",")[0])
    listed = [each for each in sorted(module.__all__, key=str.lower) if each != "Tensor" and not ismodule(getattr(module, each))]
    if module is lamina:
        part = name.partition(", ")[2]
        listed = [each for each in listed if part_of(each) == part]
    return tuple(each for each in listed if is_told_of(getattr(module, each), each))


def is_told_of(value: object, name: str) -> bool:
    """Whether a name has words of its own: numbers have none, nor have further names of a dtype, nor what other libraries ask for."""
    if isinstance(value, lamina.dtype):
        return value.name == name
    return callable(value) and name not in LOADED_LATER


def part_of(name: str) -> str:
    """The part of the largest module that a function of it belongs to; "" for the rest."""
    home = (getattr(getattr(lamina, name), "__module__", None) or "").split(".")
    return next((part for part, folders in PARTS.items() if set(folders) & set(home[1:])), "")


def public(kind: type) -> list[str]:
    """The methods and fields that a class defines or inherits."""
    return sorted({name for base in kind.__mro__ for name in vars(base) if not name.startswith("_") and base is not object})


def meaning(name: str) -> str:
    """The first sentence of a docstring."""
    if name == "lamina.Tensor":
        return "The class of tensors: its methods and fields."
    if ", " in name:
        return "Of these functions: " + ", ".join(f"`{each}`" for each in members_of(name)[:8]) + " ..."
    text = " ".join((import_module(name).__doc__ or "").partition("\n\n")[0].split())
    return text.replace("|", "\\|").replace("*", "\\*")
