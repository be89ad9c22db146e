"""Infinities, NaN, zeros of both signs, ends of ranges and what cancels or overflows, as in real PyTorch or better.

Each family is a table of functions; where its answer is not PyTorch's on purpose, the table says so, and docs/understand/accuracy.md why.
"""

import re
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from hard_numbers.compare import FLOATS, difference, forms, known_of

import lamina

HERE = Path(__file__)
PAGE = HERE.parents[3] / "docs" / "understand" / "accuracy.md"
FAMILIES = {
    path.stem: import_module(f"hard_numbers.{path.stem}")
    for path in sorted(HERE.parent.glob("*s.py"))
    if not path.stem.startswith("test_")
}
KNOWN = {name: known_of(family) for name, family in FAMILIES.items()}


@pytest.mark.parametrize("name", FAMILIES)
def test_as_in_pytorch(name):
    """All of a family at once, so that it takes seconds; what is known to differ must."""
    cases, wrong = FAMILIES[name].CASES, []
    for case, dtype in forms(cases):
        told, known = difference(cases[case], dtype), KNOWN[name].get((case, dtype))
        if known and not told:
            wrong.append(f"{case} of {dtype} is PyTorch's, though listed: {known}")
        elif told and not known:
            wrong.append(f"{case} of {dtype}: {told}")
    assert not wrong, "\n".join(wrong)


def test_what_differs_is_explained():
    section = PAGE.read_text().partition("## Where numbers differ from PyTorch's\n")[2].partition("\n## ")[0]
    listed = set(re.findall(r"^\| (.+?) \|", section, re.MULTILINE)) - {"what", "---"}
    assert {words for family in FAMILIES.values() for words in family.DIFFERS} == listed


def test_a_wrong_answer_is_noticed(monkeypatch):
    case = FAMILIES["zeros"].CASES["floor"]
    assert not difference(case, "float32")
    for wrong in (
        lambda x: x.floor() + 0.0,
        lambda x: x.floor().nan_to_num(),
        lambda x: x.ceil(),
        lambda x: x.floor().double(),
    ):
        monkeypatch.setattr(lamina, "floor", wrong)
        assert difference(case, "float32")


@pytest.mark.parametrize("dtype", FLOATS.split())
def test_gelu_of_infinity(dtype):
    """PyTorch's float32 is NaN or infinite, as its library has it for the processor."""
    assert lamina.nn.functional.gelu(lamina.tensor([np.inf], dtype=getattr(lamina, dtype))).tolist() == [np.inf]


def test_a_hundred_million_items():
    """Their sum and mean, to a few units in the last place."""
    n, item = 10**8, float(np.float32(0.1))
    x = lamina.full((n,), 0.1)
    assert x.sum().item() == pytest.approx(n * item, rel=2e-6)
    assert x.mean().item() == pytest.approx(item, rel=2e-6)
