"""The subcommands of `lamina`, each in a file of its own, which has two functions: `arguments` says what it takes, `command` does it.

The first line of a file's docstring is its line of help. `tables` and `file_contents` are what several of them print and read.
"""

__all__: list[str] = []
