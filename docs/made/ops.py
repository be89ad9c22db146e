"""Makes a page for each kind of op from the op table, with a section for each op, when the site is built."""

from __future__ import annotations

import ast
import inspect
import pkgutil
from collections import defaultdict
from functools import cache
from importlib import import_module
from types import ModuleType

from mkdocs.structure.files import File

from lamina_flatarray import BackendError, backends, ops
from lamina_flatarray.backends.kernel_table import decompositions
from lamina_flatarray.dtype_rules import DTYPE_RULES
from lamina_flatarray.dtypes import DTYPES
from lamina_flatarray.ops.op import BATCHING, DOMAINS, FAMILIES, Op
from lamina_tensor import gradients
from lamina_tensor.autograd.rules import NOT_DIFFERENTIABLE, RULES

FOLDER = "look-up/ops"
BACKENDS = ("numpy", "cpp", "cuda")
"""Those of this repository, whose kernels are told of."""


@cache
def kinds() -> dict[str, ModuleType]:
    """The modules of the op table by name; each is a page."""
    found = {name: import_module(f"{ops.__name__}.{name}") for _, name, _ in pkgutil.iter_modules(ops.__path__)}
    return {name: module for name, module in found.items() if hasattr(module, "ROWS")}


def on_config(config):
    """Hang the pages into the navigation, where it names the first of them."""
    pages = [{title(name): f"{FOLDER}/{name}.md"} for name in kinds()]
    for section in config.nav:
        for entries in section.values():
            if isinstance(entries, list):
                for place, entry in enumerate(entries):
                    if entry == {"Ops": f"{FOLDER}/index.md"}:
                        entries[place] = {"Ops": [f"{FOLDER}/index.md", *pages]}
    return config


def on_files(files, config):
    """Add the pages."""
    for name, module in kinds().items():
        files.append(File.generated(config, f"{FOLDER}/{name}.md", content=page(name, module)))
    return files


def title(kind: str) -> str:
    """The heading of the page of a kind."""
    return kind.replace("_", " ").capitalize()


def on_page_markdown(markdown, page, config, files):
    """Fill the tables of the first page."""
    if page.file.src_uri != f"{FOLDER}/index.md":
        return markdown
    pages = ["| page | ops |", "|---|---|"]
    for kind, module in kinds().items():
        pages.append(f"| [{title(kind)}]({kind}.md) | {', '.join(f'[`{op.name}`]({kind}.md#{op.name})' for op in module.ROWS)} |")
    families = ["| family | how it is called |", "|---|---|", *(f"| {name} | {escaped(told)} |" for name, told in FAMILIES.items())]
    for mark, lines in (("pages", pages), ("families", families), ("dtype rules", rules())):
        markdown = markdown.replace(f"<!-- {mark} -->", "\n".join(lines))
    return markdown


def rules() -> list[str]:
    """The table of dtype rules: what each makes of every dtype."""
    lines = ["| rule | gives the same dtype for | gives another for | refuses |", "|---|---|---|---|"]
    for name, rule in DTYPE_RULES.items():
        same, refused, others = [], [], defaultdict(list)
        for dtype in DTYPES.values():
            pair = rule(dtype)
            if pair is None:
                refused.append(dtype.name)
            elif pair == (dtype, dtype):
                same.append(dtype.name)
            else:
                others[pair[1].name + ("" if pair[0] in (dtype, pair[1]) else f", computed in {pair[0].name}")].append(dtype.name)
        changed = "; ".join(f"{', '.join(dtypes)}: {result}" for result, dtypes in others.items())
        lines.append(f"| {name} | {', '.join(same)} | {changed} | {', '.join(refused)} |")
    return lines


def page(kind: str, module: ModuleType) -> str:
    """The page of a kind of ops."""
    meaning = " ".join(module.__doc__.split())
    return "\n".join([f"# {title(kind)}", "", escaped(meaning), "", *(section(op) for op in module.ROWS)])


def section(op: Op) -> str:
    """What the record says of one op, who serves it, and its gradient."""
    facts = [
        ("call", f"`{op.name}({', '.join([*op.inputs, *(['*', *(f'{p}=' for p in op.params)] if op.params else [])])})`"),
        ("names", names(op)),
        ("shapes", f"[{op.family}](index.md#families): {escaped(FAMILIES[op.family])}"),
        ("dtypes", f"[{op.rule}](index.md#dtype-rules)" + ("" if op.mixes_bool else "; booleans do not mix with numbers")),
        ("inputs for which it means something", DOMAINS[op.domain]),
        ("results", str(op.outputs) if op.outputs > 1 else ""),
        ("under vmap", BATCHING[op.batching] if op.batching else "refused by name"),
        ("kernels", kernels(op)),
        ("without a kernel", "every backend has one: it is required" if op.required else decomposition(op)),
    ]
    meaning = escaped(op.doc[:1].upper() + op.doc[1:].rstrip(".") + ".")
    lines = [f"## `{op.name}` {{#{op.name}}}", "", meaning, "", f"| what | `{op.name}` |", "|---|---|"]
    lines += [f"| {name} | {told} |" for name, told in facts if told]
    return "\n".join([*lines, "", *gradient(op), ""])


def names(op: Op) -> str:
    """PyTorch's names of an op."""
    spellings = dict.fromkeys([op.spelling, *op.aliases])
    return "PyTorch's: " + ", ".join(f"`{spelling}`" for spelling in spellings)


def decomposition(op: Op) -> str:
    """What serves an op where a backend has no kernel."""
    if op.name in decompositions:
        return "it is made of other ops"
    return "the [fallback policy](../../understand/backends.md) decides" if op.family == "linalg" else ""


@cache
def served() -> dict[str, dict[str, dict[str, str]]]:
    """Backend -> op -> dtype -> where its kernel comes from; of those that are installed here."""
    found = {}
    for name in BACKENDS:
        try:
            found[name] = backends.capabilities(name)["ops"]
        except BackendError:
            continue
    return found


def kernels(op: Op) -> str:
    """Which backends have kernels of their own, for which dtypes."""
    told = []
    for backend, table in served().items():
        native = [dtype for dtype, origin in table[op.name].items() if origin == "native"]
        if native:
            told.append(f"**{backend}**: " + ("all dtypes" if len(native) == len(table[op.name]) else ", ".join(native)))
    return "; ".join(told) or "none"


def gradient(op: Op) -> list[str]:
    """The gradient rule, as it is written."""
    if op.name in NOT_DIFFERENTIABLE:
        return ["It has no gradient rule of its own: it has no derivative, or is recorded as what it is made of."]
    if op.name not in RULES:
        return []
    written = formulas().get(op.name, {})
    names = "`g` is the gradient of the result, `y` the result."
    if written and all(written.values()):
        return [
            f"Gradient ({names[:-1]}):", "", "| of | is |", "|---|---|",
            *(f"| `{name}` | `{formula.replace('|', chr(92) + '|')}` |" for name, formula in written.items()),
        ]  # fmt: skip
    return [f"Its gradient is a function in `{places()[op.name]}`."]


@cache
def statements() -> dict[str, tuple[str, ast.Call]]:
    """Op -> the module with its rule, and the call that writes it."""
    found = {}
    for info in pkgutil.walk_packages(gradients.__path__, f"{gradients.__name__}."):
        for node in ast.walk(ast.parse(inspect.getsource(import_module(info.name)))):
            match node:
                case ast.Call(func=ast.Name(id="rule" | "joint_rule"), args=[ast.Constant(value=op), *_]):
                    found[op] = (info.name, node)
    return found


@cache
def places() -> dict[str, str]:
    """Op -> the module with its gradient rule."""
    return defaultdict(lambda: gradients.__name__, {op: module for op, (module, _) in statements().items()})


@cache
def formulas() -> dict[str, dict[str, str]]:
    """Op -> input -> the expression of its gradient; "" where that is a function with statements."""
    found: dict[str, dict[str, str]] = {}
    for op, (_, call) in statements().items():
        inputs = [keyword for keyword in call.keywords if op in ops.OPS and keyword.arg in ops.OPS[op].inputs]
        found[op] = {
            keyword.arg: ast.unparse(keyword.value.body) if isinstance(keyword.value, ast.Lambda) else "" for keyword in inputs
        }
    return found


def escaped(text: str) -> str:
    """Text in which Markdown finds nothing."""
    return text.replace("|", "\\|").replace("*", "\\*").replace("[", "\\[").replace("<", "&lt;")
