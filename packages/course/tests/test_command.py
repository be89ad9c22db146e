"""The commands: a folder of one's own, marks with what is wrong in them, and hints."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lamina_course import CHAPTERS
from lamina_course.__main__ import main
from lamina_course.chapters import BLANK

SOLUTION = Path(__file__).parent / "stack"


@pytest.fixture
def mine(tmp_path, capsys):
    """A new folder."""
    assert main(["new", str(tmp_path / "mine")]) == 0
    assert "begin with memory.py" in capsys.readouterr().out
    return tmp_path / "mine"


def solve(mine, *names):
    for name in names:
        shutil.copy(SOLUTION / f"{name}.py", mine / "stack")


def test_new_makes_every_file_and_overwrites_none(mine, capsys):
    assert {path.name for path in (mine / "stack").iterdir()} == {path.name for path in BLANK.glob("*.py")}
    (mine / "stack" / "memory.py").write_text("mine")
    assert main(["new", str(mine)]) == 2
    assert "stays as it is" in capsys.readouterr().err
    assert (mine / "stack" / "memory.py").read_text() == "mine"


def test_check_stops_at_the_first_chapter_that_is_not_done(mine, capsys):
    assert main(["check", "--folder", str(mine)]) == 1
    told = capsys.readouterr().out
    assert "to do: `itemsize` in stack/memory.py, line " in told and "chapter 2" not in told
    solve(mine, "memory")
    assert main(["check", "--folder", str(mine)]) == 1
    told = capsys.readouterr().out
    assert told.startswith("chapter 1, memory: all 20 checks are right\nchapter 2") and "`size_of` in stack/strides.py" in told


def test_a_failure_tells_what_was_asked_and_draws_what_was_expected(mine, capsys):
    solve(mine, "memory", "strides")
    file = mine / "stack" / "strides.py"
    file.write_text(file.read_text().replace("tuple(layout.strides[axis] for axis in axes), ", "layout.strides, "))
    assert main(["check", "2", "--folder", str(mine)]) == 1
    told = capsys.readouterr().out
    for line in (
        "  WRONG  transposed\n  right  selected",
        "    asked     transposed(Layout(shape=(2, 3), strides=(3, 1), offset=0), (1, 0))",
        "    expected  Layout(shape=(3, 2), strides=(1, 3), offset=0)",
        "    came      Layout(shape=(3, 2), strides=(3, 1), offset=0)",
        "    Often it is this: the strides stayed where they were: an axis takes its stride along.",
        "      [i, j] reads place i + 3j",
        "    hint: python -m lamina_course hint 2 transposed",
    ):
        assert line in told, told


@pytest.mark.parametrize(
    ("text", "says"),
    [("def itemsize(dtype):\n    return 1 +\n", "SyntaxError"), ("import nothing_of_this_name\n", "ModuleNotFoundError"),
     ("x = 1\n", "itemsize")],
)
def test_a_file_that_cannot_be_read_is_told(mine, capsys, text, says):
    (mine / "stack" / "memory.py").write_text(text)
    assert main(["check", "1", "--folder", str(mine)]) == 1
    assert says in capsys.readouterr().out


def test_hints_say_more_and_more(mine, capsys):
    assert main(["hint", "1", "--folder", str(mine)]) == 0
    nudge = capsys.readouterr().out
    assert nudge.startswith("itemsize, 1 of 2\n") and nudge.endswith("hint 1 itemsize --step 2\n")
    assert main(["hint", "1", "itemsize", "--step", "9"]) == 0
    assert '`int("int32"[-2:])` is 32.' in capsys.readouterr().out
    assert main(["hint", "1", "read"]) == 0
    assert capsys.readouterr().out.startswith("Flat.read, 1 of ")
    assert main(["hint", "6", "step"]) == 2
    assert "has no one task 'step'" in capsys.readouterr().err
    assert main(["hint", "1", "nothing"]) == 2
    assert "it has itemsize, Flat.position" in capsys.readouterr().err


def test_where_nothing_was_begun(tmp_path, capsys):
    assert main(["check", "--folder", str(tmp_path)]) == 2
    assert "python -m lamina_course new FOLDER makes one" in capsys.readouterr().err


def test_from_the_learners_own_folder(mine):
    """As it is written everywhere: in a process of its own, from within the folder."""
    solve(mine, "memory")
    done = subprocess.run([sys.executable, "-m", "lamina_course", "check", "1"], cwd=mine, capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.endswith("this chapter is done.\n"), done.stderr


def test_the_modules_of_two_folders_are_told_apart(mine, tmp_path, capsys):
    assert main(["new", str(tmp_path / "other")]) == 0
    solve(tmp_path / "other", "memory")
    assert main(["check", "1", "--folder", str(tmp_path / "other")]) == 0
    assert main(["check", "1", "--folder", str(mine)]) == 1


def test_blanks_hold_no_solution():
    """What is shipped is generated; here is what that must come to."""
    for chapter in CHAPTERS:
        text = (BLANK / f"{chapter.name}.py").read_text()
        assert text.count("raise NotImplementedError\n") == text.count("# task\n") == len(chapter.tasks()) > 0
