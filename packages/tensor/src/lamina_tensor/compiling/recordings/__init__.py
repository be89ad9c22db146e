"""One call of a function as it was seen: its kernel calls, the Python beside them, and all that it refers to.

A `Recording` (`recording`) is what a `Watch` (`watching`) saw of Python, the effects beside kernel calls (`effects`), and the state that
the function refers to (`state`). Several tell what a call of another size would record (`sizes`), or that another process recorded the
same (`fingerprints`).
"""
