"""Which OpenCL devices there are; where there is none, why, and the line that mends it."""

from __future__ import annotations

import os
from functools import lru_cache
from typing import Any, Final, NamedTuple

__all__ = ["STATES", "Discovery", "discover"]

STATES: Final = {
    "ready": "",
    "no pyopencl": "pyopencl cannot be imported ({}); run: pip install pyopencl",
    "no platform": "OpenCL finds no platform ({}); install the driver of your GPU's vendor, or for the CPU run: pip install "
    "pocl-binary-distribution",
    "no device": "the OpenCL platforms ({}) have no device; plug one in or free it, or for the CPU run: pip install "
    "pocl-binary-distribution",
    "no double precision": "the OpenCL devices ({}) compute no float64, which kernels need; for the CPU run: pip install "
    "pocl-binary-distribution",
}
"""What may be found, and the reason to give, with the line that mends it."""


class Discovery(NamedTuple):
    """What was found.

    Attributes:
        state: a key of STATES.
        devices: the devices of pyopencl that can be used, in the order of their platforms.
        reason: why there are none, in one line; empty where there are.
    """

    state: str
    devices: tuple[Any, ...] = ()
    reason: str = ""


def _lacking(state: str, detail: object) -> Discovery:
    return Discovery(state, (), STATES[state].format(" ".join(str(detail).split())))


@lru_cache(maxsize=1)
def discover() -> Discovery:
    """Look for devices, once per process.

    Returns:
        A `Discovery`.

    >>> discover().state in STATES
    True
    """
    home = os.environ.get("PYOPENCL_HOME")
    try:
        import pyopencl
    except ImportError as cause:
        return _lacking("no pyopencl", cause)
    found = among(pyopencl)
    if home is None:  # so pyopencl tells its loader where it lies, which has read it by now; a plug-in leaves the environment alone
        os.environ.pop("PYOPENCL_HOME", None)
    return found


def among(pyopencl: Any) -> Discovery:
    """Look for devices with this pyopencl.

    Args:
        pyopencl: the module, or what stands for it in a test.

    Returns:
        A `Discovery`.
    """
    try:
        platforms = pyopencl.get_platforms()
    except pyopencl.Error as cause:  # the loader reports that there is none as an error
        return _lacking("no platform", cause)
    if not platforms:
        return _lacking("no platform", "an empty list")
    devices = []
    for platform in platforms:
        try:
            devices += platform.get_devices()
        except pyopencl.Error:  # so do some platforms without a device
            continue
    if not devices:
        return _lacking("no device", ", ".join(platform.name for platform in platforms))
    usable = tuple(device for device in devices if device.double_fp_config)
    if not usable:
        return _lacking("no double precision", ", ".join(device.name for device in devices))
    return Discovery("ready", usable)
