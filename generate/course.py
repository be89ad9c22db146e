"""Write what lamina-course gives to a learner, `lamina_course/_blank`: our solutions, without what is to be filled.

    python generate/course.py           # write it
    python generate/course.py --check   # say whether it is what would be written

Of a function whose first line ends in `# task`, the docstring stays, and what follows becomes `raise NotImplementedError`.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

COURSE = Path(__file__).parents[1] / "packages" / "course"
SOLUTIONS = COURSE / "tests" / "stack"
BLANK = COURSE / "src" / "lamina_course" / "_blank"


def blank(text: str) -> str:
    """Return a solution's text without the bodies of its tasks."""
    lines = text.splitlines(keepends=True)
    functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
    for node in sorted(functions, key=lambda node: -node.lineno):  # the last one first: the lines of others stay where they are
        if not lines[node.lineno - 1].rstrip().endswith("# task"):
            continue
        said, indent = node.body[0], " " * node.body[0].col_offset
        assert said.end_lineno is not None and node.end_lineno is not None
        lines[said.end_lineno : node.end_lineno] = [f"{indent}raise NotImplementedError\n"]
    return "".join(lines)


def main() -> None:
    """Write the files, or with `--check` say which differ."""
    for solution in sorted(SOLUTIONS.glob("*.py")):
        path, text = BLANK / solution.name, blank(solution.read_text(encoding="utf-8"))
        if "--check" not in sys.argv:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            sys.exit(f"{path.name} of the course is not what generate/course.py writes; run it")
    unknown = {path.name for path in BLANK.glob("*.py")} - {path.name for path in SOLUTIONS.glob("*.py")}
    if unknown:
        sys.exit(f"{', '.join(sorted(unknown))} of the course has no solution")


if __name__ == "__main__":
    main()
