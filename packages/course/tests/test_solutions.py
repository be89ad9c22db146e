"""What learners are given is marked as to do, by name; our solution of it is right."""

from functools import cache
from pathlib import Path

import pytest

from lamina_course import CHAPTERS, mark
from lamina_course.chapters import BLANK
from lamina_course.hints import hints

TESTS = Path(__file__).parent
of_our_solution = cache(lambda chapter: list(mark(chapter, TESTS)))
each_chapter = pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)


@each_chapter
def test_our_solution_is_right(chapter):
    marks = of_our_solution(chapter)
    assert len(marks) > 8
    assert [(each.task, each.name, each.error) for each in marks if each.state != "right"] == []


@each_chapter
def test_blanks_are_to_do_by_name(chapter, tmp_path):
    (tmp_path / "stack").mkdir()
    for file in BLANK.glob("*.py"):  # this chapter is blank, those before it are done
        source = file if file.stem == chapter.name else TESTS / "stack" / file.name
        (tmp_path / "stack" / file.name).write_text(source.read_text())
    names = {task.name.rpartition(".")[2] for task in chapter.tasks()}
    for each in mark(chapter, tmp_path):
        assert each.state == "to do", each
        assert each.where.split("`")[1] in names and f"in stack/{chapter.name}.py, line " in each.where, each


@each_chapter
def test_every_task_is_checked_and_has_hints(chapter):
    tasks = {task.name for task in chapter.tasks()}
    assert {each.task for each in of_our_solution(chapter)} == tasks == set(hints(chapter))
    assert all(len(steps) >= 2 for steps in hints(chapter).values())
