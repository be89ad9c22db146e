"""Print a script that completes the words of `lamina` in bash, zsh or fish."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from typing import Final

__all__ = ["arguments", "command", "script"]


def arguments(parser: ArgumentParser) -> None:
    """Say what `lamina completion` takes.

    Args:
        parser: the subcommand's own.
    """
    parser.add_argument("shell", choices=("bash", "fish", "zsh"), help="which shell. Bash takes it by: source <(lamina completion bash)")


def command(options: Namespace) -> int:
    """Print the script.

    Args:
        options: what `arguments` asked for.

    Returns:
        0.
    """
    print(script(options.shell, options.words), end="")
    return 0


def script(shell: str, words: Mapping[str, tuple[str, list[str]]]) -> str:
    """Write the script of a shell.

    Args:
        shell: "bash", "zsh" or "fish".
        words: of each subcommand, its line of help and its options.

    Returns:
        The script. Behind a subcommand it completes its options; what is none of them is completed as a file.
    """
    if shell == "fish":
        lines = ["complete -c lamina -n __fish_use_subcommand -l version -d 'Print the version'"]
        for name, (meaning, options) in words.items():
            lines.append(f"complete -c lamina -n __fish_use_subcommand -a {name} -d '{_quoted(meaning)}'")
            behind = f"complete -c lamina -n '__fish_seen_subcommand_from {name}'"
            lines += [f"{behind} {'-l' if option.startswith('--') else '-s'} {option.lstrip('-')}" for option in options]
        return "\n".join(lines) + "\n"
    cases = "\n".join(f"    {name}) words='{' '.join(options)}' ;;" for name, (_, options) in words.items())
    completion = _BASH.replace("COMMANDS", " ".join(words)).replace("CASES", cases)
    return _ZSH + completion if shell == "zsh" else completion


def _quoted(text: str) -> str:
    return text.replace("'", "")


_ZSH: Final = "autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n"
"""What makes zsh understand the script of bash."""

_BASH: Final = """\
_lamina() {
  local word=${COMP_WORDS[COMP_CWORD]} words
  case ${COMP_WORDS[1]} in
CASES
    *) words='COMMANDS --version --help' ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _lamina lamina
"""
