"""What the emulated device raises: where a kernel does what a device may punish, or an instruction that is not known here."""

__all__ = ["Fault", "UnknownInstruction"]


class Fault(AssertionError):
    """A kernel did what no device defines.

    Attributes:
        kernel, line: the kernel's name, and the line of its PTX.
        lane: the first thread that did it, as (block, thread); None where it is not of one thread.
        address: what it used, or None.
    """

    def __init__(self, what: str, kernel: str, line: int, text: str, lane: tuple[int, int] | None, address: int | None) -> None:
        self.kernel, self.line, self.lane, self.address = kernel, line, lane, address
        thread = "" if lane is None else f", block {lane[0]}, thread {lane[1]}"
        place = "" if address is None else f", address {address:#x}"
        super().__init__(f"{kernel}: {what}{thread}{place}; line {line} of the PTX: {text}")


class UnknownInstruction(NotImplementedError):
    """The emulated device does not know an instruction."""

    def __init__(self, kernel: str, line: int, text: str) -> None:
        super().__init__(f"{kernel}: the emulated device does not know the instruction of line {line} of the PTX: {text}")
