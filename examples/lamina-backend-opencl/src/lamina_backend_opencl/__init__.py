"""lamina_backend_opencl: lamina on any OpenCL device with double precision, written against lamina_flatarray alone."""

from lamina_flatarray.hookspec import hookimpl

from .backend import OpenCLBackend

__all__ = ["OpenCLBackend", "lamina_backend"]


@hookimpl
def lamina_backend() -> OpenCLBackend:
    """Return the backend of this plug-in: the hook that lamina_flatarray calls once per process.

    Returns:
        A new backend object; no device is touched.

    >>> lamina_backend()
    <backend opencl for opencl>
    """
    return OpenCLBackend()
