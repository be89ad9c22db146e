"""The command line: `python -m lamina_course new|check|hint ...`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from .chapters import CHAPTERS, Chapter
from .hints import hints
from .learner import begin
from .marking import mark
from .telling import told

__all__: list[str] = []


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one of the commands.

    Args:
        arguments: the words behind `python -m lamina_course`; those of the process by default.

    Returns:
        The exit status: 0 if all that was asked for is right, 1 if not, 2 if nothing could be done.
    """
    numbers = [chapter.number for chapter in CHAPTERS]
    about = "Build a tensor library of your own, and let lamina mark it."
    parser = argparse.ArgumentParser(prog="python -m lamina_course", description=about)
    commands = parser.add_subparsers(dest="command", required=True)
    new = commands.add_parser("new", help="make a folder with blanks to fill")
    new.add_argument("folder", type=Path, help="where your package, called stack, goes")
    check = commands.add_parser("check", help="mark what you wrote: up to the first chapter that is not done, or one")
    check.add_argument("chapter", type=int, nargs="?", choices=numbers, help="which chapter; all by default")
    hint = commands.add_parser("hint", help="a nudge, or more")
    hint.add_argument("chapter", type=int, choices=numbers, help="which chapter")
    hint.add_argument("task", nargs="?", help="which function; by default the first one that is not right")
    hint.add_argument("--step", type=int, default=1, help="how much to say: 1 is a nudge")
    for command in (check, hint):
        command.add_argument("--folder", type=Path, default=Path(), help="what `new` made; by default where you are")
    options = parser.parse_args(arguments)
    try:
        if options.command == "new":
            return _new(options.folder)
        chapters = [chapter for chapter in CHAPTERS if options.chapter in (None, chapter.number)]
        return _check(chapters, options.folder) if options.command == "check" else _hint(chapters[0], options)
    except OSError as failure:
        print(failure, file=sys.stderr)
        return 2


def _new(folder: Path) -> int:
    begin(folder)
    print(f"{folder / 'stack'} has six files with blanks to fill; begin with memory.py. Then:\n")
    print(f"    cd {folder}\n    python -m lamina_course check")
    return 0


def _check(chapters: Sequence[Chapter], folder: Path) -> int:
    for chapter in chapters:
        marks = list(mark(chapter, folder))
        done = all(each.state == "right" for each in marks)
        if done and len(chapters) > 1:
            print(f"chapter {chapter.number}, {chapter.name}: all {len(marks)} checks are right")
        else:
            print(told(chapter, marks))
        if not done:
            return 1
    if len(chapters) > 1:
        print("\nAll six chapters are done. What you built is a tensor library.")
    return 0


def _hint(chapter: Chapter, options: argparse.Namespace) -> int:
    task = options.task or next((each.task for each in mark(chapter, options.folder) if each.state != "right"), None)
    if task is None:
        print(f"chapter {chapter.number} is done: there is nothing to hint at")
        return 0
    known = hints(chapter)
    meant = [name for name in known if name == task or name.endswith(f".{task}")]  # the class may be left out
    if len(meant) != 1:
        print(f"chapter {chapter.number} has no one task {task!r}; it has {', '.join(known)}", file=sys.stderr)
        return 2
    (task,) = meant
    said = known[task][: options.step]
    print("\n\n".join([f"{task}, {len(said)} of {len(known[task])}", *said]))
    if len(said) < len(known[task]):
        print(f"\nmore: python -m lamina_course hint {chapter.number} {task} --step {len(said) + 1}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
