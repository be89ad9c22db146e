"""What people do wrong is told with the function, shapes, dtypes and places that it takes to mend it."""

import builtins

import pytest
import torch

import lamina
from mistakes import mistakes_page
from mistakes.mistake import mistakes, text_of

MISTAKES = [pytest.param(one, id=one.program.__name__) for subject in mistakes_page.SUBJECTS for one in mistakes(subject)]


@pytest.mark.parametrize("mistake", MISTAKES)
def test_it_is_told_what_was_wrong(mistake):
    theirs, ours = mistake.told(torch), mistake.told(lamina)
    told = f"{type(ours).__name__}: {text_of(ours)}"
    assert not [word for word in mistake.says if word not in told], told
    family = next(kind for kind in type(theirs).__mro__ if kind.__module__ == builtins.__name__)
    assert isinstance(ours, family), told


def test_the_page_is_up_to_date():
    assert mistakes_page.PAGE.read_text() == mistakes_page.page(), "cd tests/oracle && python -m mistakes.mistakes_page"
