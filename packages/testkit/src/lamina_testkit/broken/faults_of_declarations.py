"""Faults in what a backend says of itself, and in its memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from lamina_flatarray.contract import Kernel

from .fault import BrokenBackend, fault, faulty_backend

__all__: list[str] = []

Declared = Mapping[str, tuple[str, ...]]


@fault("add", "test_kernels.py::test_kernel[add-int8]")
def declares_what_it_cannot_do(right: Kernel) -> Kernel:
    """A dtype that is declared is refused."""

    def kernel(out: Any, a: Any, b: Any) -> None:
        if out.flat.dtype.name == "int8":
            raise TypeError("int8 is not supported")
        right(out, a, b)

    return kernel


@faulty_backend("test_declarations.py::test_capabilities_are_plain_data_about_known_ops")
class DeclaresAnUnknownOp(BrokenBackend):
    """An op that no table has."""

    name = "broken_declares_an_unknown_op"

    def capabilities(self) -> Declared:
        """The reference's, and one op more."""
        return {**super().capabilities(), "frobnicate": ("float32",)}


@faulty_backend("test_declarations.py::test_every_required_op_is_there")
class LacksARequiredOp(BrokenBackend):
    """An op that others are made of is missing."""

    name = "broken_lacks_a_required_op"

    def capabilities(self) -> Declared:
        """The reference's without `where`."""
        return {op: names for op, names in super().capabilities().items() if op != "where"}


@faulty_backend("test_declarations.py::test_dtypes_are_those_that_an_op_is_defined_for")
class DeclaresAnImpossibleDtype(BrokenBackend):
    """A dtype that an op is not defined for."""

    name = "broken_declares_an_impossible_dtype"

    def capabilities(self) -> Declared:
        """The reference's, with `floor` of complex numbers."""
        declared = dict(super().capabilities())
        return {**declared, "floor": (*declared["floor"], "complex64")}


@faulty_backend("test_declarations.py::test_dtypes_are_those_that_an_op_is_defined_for")
class DeclaresADtypeThatOnlyHoldsNumbers(BrokenBackend):
    """An op that computes is declared in a dtype that no op computes in."""

    name = "broken_declares_a_dtype_that_only_holds_numbers"

    def capabilities(self) -> Declared:
        """The reference's, with `floor` of `float8_e5m2`."""
        declared = dict(super().capabilities())
        return {**declared, "floor": (*declared["floor"], "float8_e5m2")}


@faulty_backend("test_declarations.py::test_every_declared_kernel_is_there")
class DeclaresWithoutAKernel(BrokenBackend):
    """An op is declared whose kernel nobody wrote."""

    name = "broken_declares_without_a_kernel"

    def kernel(self, op: str) -> Kernel:
        """The reference's, and None for one op."""
        return None if op == "cumsum" else super().kernel(op)  # type: ignore[return-value]


@faulty_backend("test_declarations.py::test_protocol")
class SpeaksALaterProtocol(BrokenBackend):
    """Another version of the contract than there is, which appears once it is in use."""

    name = "broken_speaks_a_later_protocol"
    asked = 0

    @property
    def protocol(self) -> tuple[int, int]:  # type: ignore[override]
        """This contract's when it is registered, a later one from then on."""
        self.asked += 1
        return (1, 0) if self.asked == 1 else (1, 99)


@faulty_backend("test_memory.py::test_host_memory_is_aligned")
class MisalignedMemory(BrokenBackend):
    """Memory begins at any byte."""

    name = "broken_misaligned_memory"

    def allocate(self, nbytes: int, index: int) -> Any:
        """One byte behind where it should be."""
        return np.empty(nbytes + 17, np.uint8)[1 : 1 + nbytes]


@faulty_backend("test_memory.py::test_round_trip[1000]")
class CopiesFromTheStart(BrokenBackend):
    """The offset of a copy to the host is not looked at."""

    name = "broken_copies_from_the_start"

    def copy_out(self, memory: Any, offset: int, target: memoryview) -> None:
        """Bytes from the start."""
        super().copy_out(memory, 0, target)
