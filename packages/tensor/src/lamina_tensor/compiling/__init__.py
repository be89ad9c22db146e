"""What `compile` does: kernel calls of a function are recorded once, and made again without its Python.

A call of a `CompiledFunction` (`function`) is a repetition, or is recorded (`recording`): its kernel calls (`recorder`), the Python beside
them (`watching`), and what it refers to (`state`). Two recordings that are the same become programs (`program`), one forward and some
backward (`plan`).
"""
