"""Faults beside the result: what a kernel keeps, and what it changes of the process."""

from __future__ import annotations

import ctypes
import ctypes.util
import signal
import warnings
from typing import Any, Final

import numpy as np

from lamina_flatarray.contract import Kernel
from lamina_flatarray.numpy_backend.view import view

from .fault import BrokenBackend, fault, faulty_backend

__all__: list[str] = []

_UPWARD: Final = 0x800  # FE_UPWARD of x86; other processors refuse it, and stay as they are


@fault("floor", "test_conduct.py::test_operands_are_let_go[floor]")
def keeps_an_operand(right: Kernel) -> Kernel:
    """The last operand stays in a cache."""
    last: list[Any] = []

    def kernel(out: Any, x: Any) -> None:
        last[:] = [x]
        right(out, x)

    return kernel


@fault("exp", "test_conduct.py::test_a_second_call_sees_what_was_written_since[exp]")
def remembers_results_by_address(right: Kernel) -> Kernel:
    """The result of the same memory is not computed again, whatever was written to it since."""
    results: dict[tuple[int, int], Any] = {}

    def kernel(out: Any, x: Any) -> None:
        key = (id(x), x.flat.memory.ctypes.data)
        if key not in results:
            right(out, x)
            results.clear()
            results[key] = view(out).copy()
        elif results[key].shape == view(out).shape:
            view(out)[...] = results[key]

    return kernel


@faulty_backend("test_conduct.py::test_the_process_is_left_alone[sqrt]")
class ChangesThreads(BrokenBackend):
    """A kernel leaves another number of threads behind."""

    name = "broken_changes_the_number_of_threads"
    op = "sqrt"
    threads = 1

    def kernel(self, op: str) -> Kernel:
        """The reference's, which for one op counts threads up."""
        right = super().kernel(op)

        def kernel(out: Any, x: Any) -> None:
            self.threads += 1
            right(out, x)

        return kernel if op == self.op else right

    def get_num_threads(self) -> int:
        """What the kernel has left."""
        return self.threads


@fault("log", "test_conduct.py::test_the_process_is_left_alone[log]")
def silences_warnings(right: Kernel) -> Kernel:
    """Warnings are ignored from now on."""

    def kernel(out: Any, x: Any) -> None:
        warnings.simplefilter("ignore")
        right(out, x)

    return kernel


@fault("sin", "test_conduct.py::test_the_process_is_left_alone[sin]")
def takes_a_signal(right: Kernel) -> Kernel:
    """A handler is put where the program has one."""

    def kernel(out: Any, x: Any) -> None:
        signal.signal(signal.SIGUSR1, signal.SIG_IGN)
        right(out, x)

    return kernel


@fault("cos", "test_conduct.py::test_the_process_is_left_alone[cos]")
def changes_numpys_errors(right: Kernel) -> Kernel:
    """NumPy's errors stay switched off."""

    def kernel(out: Any, x: Any) -> None:
        np.seterr(all="ignore")
        right(out, x)

    return kernel


@fault("tanh", "test_conduct.py::test_the_process_is_left_alone[tanh]")
def rounds_upward(right: Kernel) -> Kernel:
    """The processor's rounding mode stays another one."""

    def kernel(out: Any, x: Any) -> None:
        right(out, x)
        ctypes.CDLL(ctypes.util.find_library("m")).fesetround(_UPWARD)

    return kernel


@fault("erf", "test_conduct.py::test_the_process_is_left_alone[erf]")
def draws_from_numpys_stream(right: Kernel) -> Kernel:
    """A kernel takes numbers of the program's own stream."""

    def kernel(out: Any, x: Any) -> None:
        np.random.uniform()
        right(out, x)

    return kernel
