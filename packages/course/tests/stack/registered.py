"""Registers your backend for the conformance kit; from this folder's parent, with NAMES such as "add-float or sum-float":

    python -m pytest -p stack.registered --pyargs lamina_testkit --backend course -k NAMES
"""

from lamina_flatarray import backends

from .backend import CourseBackend

backends.register(CourseBackend())
