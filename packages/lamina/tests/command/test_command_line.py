"""The parser of the `lamina` command, and the completion of its words."""

import re
import shutil
import subprocess
from importlib.metadata import version

import pytest

from lamina.command_line import SUBCOMMANDS, main


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    """Words without colours: Python's own, from 3.14 on, depend on the terminal."""
    monkeypatch.setenv("NO_COLOR", "1")


def test_version(capsys):
    with pytest.raises(SystemExit, match="0"):
        main(["--version"])
    assert capsys.readouterr().out == f"lamina {version('lamina')}\n"


def test_help_has_a_line_for_each_subcommand(capsys):
    with pytest.raises(SystemExit, match="0"):
        main(["--help"])
    said = capsys.readouterr().out
    assert all(re.search(rf"^    {name}\b", said, re.MULTILINE) for name in SUBCOMMANDS)


@pytest.mark.parametrize("words", [[], ["docter"], ["doctor", "--str"], ["summary"]])
def test_wrong_words_are_refused(words, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(words)
    assert capsys.readouterr().err.startswith("usage: lamina")


def completed(*words):
    """What bash offers behind words of `lamina`, the last of which is being typed."""
    line = " ".join(f"'{word}'" for word in ("lamina", *words))
    program = f'eval "$SCRIPT"; COMP_WORDS=({line}); COMP_CWORD={len(words)}; _lamina; echo "${{COMPREPLY[@]}}"'
    return program


def test_bash_completes(capsys):
    if not shutil.which("bash"):
        pytest.skip("there is no bash")
    assert main(["completion", "bash"]) == 0
    script = capsys.readouterr().out
    for words, offered in ((["do"], "doctor"), (["run", "--ev"], "--everywhere"), (["summary", "--j"], "--json"), (["doctor", "x"], "")):
        done = subprocess.run(["bash", "-c", completed(*words)], env={"SCRIPT": script}, capture_output=True, text=True)
        assert (done.stdout, done.stderr) == (f"{offered}\n", "")


def test_zsh_takes_the_script_of_bash(capsys):
    main(["completion", "bash"])
    bash = capsys.readouterr().out
    main(["completion", "zsh"])
    assert capsys.readouterr().out.endswith("bashcompinit\n" + bash)


def test_fish_is_told_of_each_subcommand_and_option(capsys):
    main(["completion", "fish"])
    lines = capsys.readouterr().out.splitlines()
    assert all(any(f"-n __fish_use_subcommand -a {name} -d '" in line for line in lines) for name in SUBCOMMANDS)
    assert "complete -c lamina -n '__fish_seen_subcommand_from doctor' -l strict" in lines
    assert "complete -c lamina -n '__fish_seen_subcommand_from run' -s m" in lines
    assert all(line.count("'") % 2 == 0 for line in lines)
