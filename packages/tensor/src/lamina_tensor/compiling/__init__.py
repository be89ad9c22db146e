"""What `compile` does: kernel calls of a function are recorded once, and made again without its Python.

A call of a `CompiledFunction` (`function`) goes a way (`way`): it is a repetition, or is recorded (`recordings`). Two recordings that
are the same become programs (`program`), one forward and some backward (`plan`). Single calls of public functions are repeated with the
same recorder, unasked (`call_plans`).
"""
