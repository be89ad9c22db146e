"""mypy, strict, and pyright over the programs: what errors each finds in each of them.

python tests/typing/checkers.py              what they say
"""

import functools
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROGRAMS = sorted(Path(__file__).with_name("programs").glob("*.py"))
SOURCES = [str(folder) for folder in sorted((ROOT / "packages").glob("*/src"))]
MISTAKES = Path(__file__).with_name("mistakes.py")
Errors = dict[str, list[str]]  # program -> "line: message"


def mypy() -> Errors:
    """What mypy says, strict. It reads the packages as the program's user does: silently, whatever it finds in them."""
    options = ["--strict", "--config-file=", "--follow-imports=silent", "--python-version=3.11", "--output=json"]
    cache = f"--cache-dir={ROOT / '.mypy_cache' / 'programs'}"
    command = [sys.executable, "-m", "mypy", *options, cache, *map(str, PROGRAMS), str(MISTAKES)]
    done = subprocess.run(
        command,
        cwd=PROGRAMS[0].parent,
        capture_output=True,
        text=True,
        env={**os.environ, "MYPYPATH": ":".join(SOURCES)},
    )
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stdout + done.stderr)
    found: Errors = {}
    for line in done.stdout.splitlines():
        said = json.loads(line)
        if said["severity"] == "error":
            found.setdefault(Path(said["file"]).stem, []).append(f"{said['line']}: {said['message']} [{said['code']}]")
    return found


def pyright() -> Errors:
    """What pyright says, with the settings that editors begin with."""
    program = shutil.which("pyright", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if program is None:
        raise RuntimeError("pyright is not installed: ./run setup")
    with tempfile.TemporaryDirectory() as folder:  # the settings name what they include by relative paths only
        for path in [*PROGRAMS, MISTAKES]:
            shutil.copy(path, folder)
        project = Path(folder) / "pyrightconfig.json"
        project.write_text(json.dumps({"extraPaths": SOURCES, "pythonVersion": "3.11"}))
        command = [program, "--outputjson", "--pythonpath", sys.executable, "--project", str(project)]
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1) or json.loads(done.stdout)["summary"]["filesAnalyzed"] != len(PROGRAMS) + 1:
        raise RuntimeError(done.stdout + done.stderr)
    found: Errors = {}
    for said in json.loads(done.stdout)["generalDiagnostics"]:
        if said["severity"] == "error":
            line = said["range"]["start"]["line"] + 1
            text = f"{line}: {said['message']} [{said.get('rule', 'syntax')}]"
            found.setdefault(Path(said["file"]).stem, []).append(text)
    return found


CHECKERS = {"mypy": mypy, "pyright": pyright}


@functools.cache
def errors(checker: str) -> Errors:
    """A checker's findings; it runs once."""
    return CHECKERS[checker]()


def of_programs(checker: str) -> Errors:
    """Its findings in the programs."""
    return {program: said for program, said in errors(checker).items() if program != MISTAKES.stem}


def missed(checker: str) -> list[str]:
    """The mistakes in which it finds nothing."""
    found = {int(text.partition(":")[0]) for text in errors(checker).get(MISTAKES.stem, ())}
    lines = enumerate(MISTAKES.read_text().splitlines(), start=1)
    return [f"{number}: {line}" for number, line in lines if line.endswith("# mistake") and number not in found]


def main() -> None:
    for checker in CHECKERS:
        for program, said in sorted(of_programs(checker).items()):
            print(*(f"{checker}: {program}.py:{line}" for line in said), sep="\n")
        print(*(f"{checker} misses: {MISTAKES.name}:{line}" for line in missed(checker)), sep="\n")
    for checker in CHECKERS:
        found = of_programs(checker)
        count = sum(map(len, found.values()))
        print(
            f"{checker}: {count} errors in {len(found)} of {len(PROGRAMS)} programs, {len(missed(checker))} mistakes missed"
        )


if __name__ == "__main__":
    main()
