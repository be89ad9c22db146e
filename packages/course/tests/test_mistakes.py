"""Wrong solutions are caught, each by the check that is about its mistake, in words that name it."""

import shutil
from pathlib import Path

import pytest
from mistakes import mistakes

from lamina_course import CHAPTERS, mark
from lamina_course.telling import told

SOLUTION = Path(__file__).parent / "stack"
WRONG = [
    pytest.param(chapter, mistake, id=f"{chapter.name}-{mistake.name}")
    for chapter in CHAPTERS
    for mistake in mistakes(chapter.name)
]


def marks_up_to_what_catches(mistake, chapter, folder):
    """All marks up to the check that must catch it, or the end of the first task that is not right: learners look no further."""
    found = []
    for each in mark(chapter, folder):
        if found and each.task != found[-1].task and any(before.state != "right" for before in found):
            break
        found.append(each)
        if (each.task, each.name) == mistake.caught_by:
            break
    return found


@pytest.mark.parametrize(("chapter", "mistake"), WRONG)
def test_a_mistake_is_caught_by_name(chapter, mistake, tmp_path):
    shutil.copytree(SOLUTION, tmp_path / "stack", ignore=shutil.ignore_patterns("__pycache__"))
    file = tmp_path / "stack" / f"{chapter.name}.py"
    text = file.read_text()
    assert text.count(mistake.was) == 1, f"{mistake.was!r} stands {text.count(mistake.was)} times in the solution"
    file.write_text(text.replace(mistake.was, mistake.instead))
    marks = marks_up_to_what_catches(mistake, chapter, tmp_path)
    wrong = [(each.task, each.name) for each in marks if each.state == "wrong"]
    assert mistake.caught_by in wrong and {task for task, _ in wrong} == {mistake.caught_by[0]}, (wrong, told(chapter, marks))
    assert mistake.says in told(chapter, marks), told(chapter, marks)


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_there_are_some_of_each_chapter(chapter):
    assert len(mistakes(chapter.name)) >= 3
