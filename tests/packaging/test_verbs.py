"""The verbs of noxfile.py: every file of the repository that they name is there, and so is every verb that a text names."""

import importlib.util
import re
import subprocess
from pathlib import Path

import pytest
from nox._decorators import Func

ROOT = Path(__file__).parents[2]
WANTS_WHAT_IT_HAS_BUILT = "wheels"


class Skipped(Exception):
    """The verb cannot run here."""


class Recorder:
    """A session that runs nothing."""

    def __init__(self):
        self.posargs, self.arguments = [], []

    def run(self, *command, **options):
        self.arguments += command[1:]
        return ""

    def chdir(self, folder):
        pass

    def skip(self, why):
        raise Skipped(why)


def verbs():
    spec = importlib.util.spec_from_file_location("noxfile", ROOT / "noxfile.py")
    noxfile = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(noxfile)
    return [found for found in vars(noxfile).values() if isinstance(found, Func)]


VERBS = verbs()


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.__name__)
def test_the_files_of_a_verb_are_there(verb, monkeypatch, tmp_path):
    if verb.__name__ == WANTS_WHAT_IT_HAS_BUILT:
        pytest.skip("it looks for its wheels")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    folders = "|".join(path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith("."))
    for choice in getattr(verb, "parametrize", [None]):
        session = Recorder()
        try:
            verb(session, **(choice.call_spec if choice else {}))
        except Skipped:
            continue
        for argument in map(str, session.arguments):
            named = re.fullmatch(rf"(?:{re.escape(str(ROOT))}/)?((?:{folders})/[\w./-]+)(?:\[\w+\])?", argument)
            assert named is None or (ROOT / named[1]).exists(), argument


def test_the_verbs_that_texts_name_are_there():
    names = set()
    for verb in VERBS:
        names.add(verb.__name__)
        names |= {f'"{verb.__name__}({choice})"' for choice in getattr(verb, "parametrize", ())}
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    texts = {name: (ROOT / name).read_text() for name in files if name.endswith((".md", ".py", ".yml")) and (ROOT / name).exists()}
    named = {(verb, name) for name, text in texts.items() for verb in re.findall(r'nox -s ("[^"\n]+"|\w[\w-]*)', text)}
    assert len(named) > 10
    assert [each for each in named if each[0] not in names] == []
