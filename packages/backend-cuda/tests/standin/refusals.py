"""What the stand-in raises where a device would fault, or give wrong numbers in silence."""

__all__ = ["Refused"]


class Refused(AssertionError):
    """A use that a real device does not allow."""
