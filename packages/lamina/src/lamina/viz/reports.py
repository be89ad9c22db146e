"""`report`: one page of HTML about a run: curves, the parts of the model, its graph, a profile, and what it ran on."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from html import escape
from importlib.metadata import distributions
from os import PathLike
from pathlib import Path
from typing import Any

import lamina_tensor as lt
from lamina_flatarray.threads import get_num_threads
from lamina_ndarray.rich_display import described, table
from lamina_nn import Module
from lamina_nn.profiling import profile as Profile  # an argument has its name
from lamina_tensor import Tensor

from .drawing import page
from .graphs import graph
from .training_curves import curves, told

__all__ = ["report"]


def report(
    path: str | PathLike[str], history: Any = None, *, title: str = "Report of a run", model: Module | None = None,
    loss: Tensor | None = None, profile: Profile | None = None, about: Mapping[str, Any] | None = None, x: str = "step",
) -> None:  # fmt: skip
    """Write a page of HTML about a run, which needs no other file.

    It has a section for each thing that is given, and one about the environment.

    Args:
        path: the file to write.
        history: what the run has measured, as `curves` takes it.
        title: the heading.
        model: whose parts and parameters are listed, and whose parameters have names in the graph.
        loss: whose graph is drawn.
        profile: whose table of kernels is shown; the graph has its times.
        about: further facts, such as settings, by name.
        x: the name of the steps in the history.

    Raises:
        ValueError: the history cannot be read, as `curves` says.
        TypeError: the history is of no kind that `curves` takes.

    >>> torch.viz.report("run.html", {"loss": [4.0, 2.0, 1.0]}, model=torch.nn.Linear(3, 2), about={"lr": 0.1})
    >>> "loss: 4 -&gt; 1" in Path("run.html").read_text(encoding="utf-8")
    True
    """
    sections: dict[str, str] = {}
    if about:
        sections["About"] = described({name: str(value) for name, value in about.items()})
    if history is not None:
        drawn = curves(history, x=x)
        sections["Curves"] = f'<div class="wide">{drawn.svg}</div>' + table(
            ("series", "values"), [(name, told(pairs)) for name, pairs in drawn.data.items()], "What was measured"
        )
    if model is not None:
        sections["Model"] = model._repr_html_()
    if loss is not None:
        sections["Graph"] = f'<div class="wide">{graph(loss, model, saved=True, profile=profile).svg}</div>'
    if profile is not None:
        sections["Profile"] = f"<pre>{escape(profile.key_averages().table(row_limit=30))}</pre>"
    sections["Environment"] = described(_environment())
    body = "".join(f"<section><h2>{name}</h2>{section}</section>" for name, section in sections.items())
    Path(path).write_text(page(title, body), encoding="utf-8")


def _environment() -> dict[str, str]:
    """Versions, the machine, and who computes; neither names of people nor paths."""
    versions = {found.name: found.version for found in distributions() if found.name.startswith("lamina") or found.name == "numpy"}
    x = lt.empty(0)
    return {
        "Python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "device": f"{x.device}, computed by {x.array.backend.name}",
        "threads": str(get_num_threads()),
        **dict(sorted(versions.items())),
    }
