"""Every error that lamina raises, as one tree.

::

    LaminaError
    ├── ShapeError              shapes, strides or sizes do not fit            (RuntimeError, ValueError)
    ├── IndexOutOfRange         an index or axis lies outside                  (IndexError)
    │   ├── EmptyAxis               there are no items to reduce               (ShapeError)
    │   └── PositionOutOfRange      so does an index in an array of indices (RuntimeError)
    ├── ArgumentValueError      a number, name or option is none that is taken (ValueError)
    ├── ArgumentTypeError       an argument is of a type that is not taken     (TypeError)
    ├── UsageError              a call that is not allowed as things stand     (RuntimeError)
    ├── RandomError             a distribution or generator cannot be as asked (RuntimeError, ValueError)
    ├── IntegerDivisionByZero   integers were divided by 0                     (ZeroDivisionError, RuntimeError)
    ├── IntegerTooLong          an integer has more than 64 bits               (OverflowError, RuntimeError)
    ├── NegativeIntegerPower    an integer was raised to a negative one        (RuntimeError, ValueError)
    ├── DTypeError              an op is not defined for these dtypes          (NotImplementedError, TypeError)
    ├── DeviceError             operands live on different devices             (RuntimeError)
    │   ├── NoDevice                no device of a type can be used        (AssertionError)
    │   ├── NotOnHost               a NumPy array is wanted of one on "meta"   (TypeError)
    │   └── NoItems                 items are wanted of an array on "meta"     (NotImplementedError)
    ├── BackendError            a compute backend cannot be used               (RuntimeError)
    │   ├── UnknownBackend          nobody offers this name
    │   ├── BackendFailedToLoad     it is installed, but its import failed
    │   │   └── BackendRefused          it does not keep to the contract
    │   ├── NoHardware              it loaded, but finds no device
    │   └── ProtocolMismatch        it speaks another version of the contract
    ├── ProcessGroupError       processes cannot work together                 (RuntimeError)
    │   └── RankLost                one of them was killed, is stopped or does not come
    ├── OpNotImplemented        no kernel, no decomposition, no allowed fallback (NotImplementedError)
    ├── AutogradError           the gradient graph was misused                 (RuntimeError)
    ├── LinAlgError             a matrix is singular, not positive-definite, ... (RuntimeError)
    ├── NotFinite               a value became NaN or infinite under detect_nan (RuntimeError)
    ├── OutOfMemoryError        there is no memory for so many items           (MemoryError, RuntimeError)
    └── CheckpointError         a file is damaged or not trusted               (RuntimeError)

Each class is also the built-in one in parentheses, because programs written for PyTorch or NumPy catch those. A
NotImplementedError is a RuntimeError.
"""

__all__ = [
    "ArgumentTypeError",
    "ArgumentValueError",
    "AutogradError",
    "BackendError",
    "BackendFailedToLoad",
    "BackendRefused",
    "CheckpointError",
    "DTypeError",
    "DeviceError",
    "EmptyAxis",
    "IndexOutOfRange",
    "IntegerDivisionByZero",
    "LaminaError",
    "LinAlgError",
    "NegativeIntegerPower",
    "NoDevice",
    "NoHardware",
    "NoItems",
    "NotFinite",
    "NotOnHost",
    "OpNotImplemented",
    "OutOfMemoryError",
    "PositionOutOfRange",
    "ProcessGroupError",
    "ProtocolMismatch",
    "RandomError",
    "RankLost",
    "ShapeError",
    "UnknownBackend",
    "UsageError",
]


class LaminaError(Exception):
    """The root of lamina's errors.

    >>> from lamina_flatarray import FlatArray
    >>> try:
    ...     FlatArray.empty(-1)
    ... except LaminaError as error:
    ...     print(type(error).__name__)
    ShapeError
    """


class ShapeError(LaminaError, RuntimeError, ValueError):
    """Shapes, strides or sizes do not fit together.

    >>> from lamina_flatarray import FlatArray
    >>> FlatArray.empty(-1)
    Traceback (most recent call last):
        ...
    lamina_flatarray.errors.ShapeError: empty: size -1 given; it wants 0 or more
    """


class ArgumentValueError(LaminaError, ValueError):
    """The value of an argument is not one that the function takes, such as a probability of 2.

    >>> from lamina_flatarray import FlatArray
    >>> FlatArray.from_items([1.0, 2.0])[::2]
    Traceback (most recent call last):
        ...
    lamina_flatarray.errors.ArgumentValueError: slice: step 2 given; a FlatArray has no gaps, so it wants step 1
    """


class ArgumentTypeError(LaminaError, TypeError):
    """An argument is of a type that the function does not take, such as a number where a tensor is wanted.

    >>> from lamina_flatarray import Device
    >>> Device(2.5)
    Traceback (most recent call last):
        ...
    lamina_flatarray.errors.ArgumentTypeError: device: 2.5 given; it wants a text such as 'cpu' or 'cuda:1'
    """


class UsageError(LaminaError, RuntimeError):
    """A call that is not allowed as things stand, where PyTorch raises a RuntimeError and none of the others fits.

    >>> from lamina_flatarray.threads import set_num_threads
    >>> set_num_threads(0)
    Traceback (most recent call last):
        ...
    lamina_flatarray.errors.UsageError: set_num_threads expects a positive integer, but got 0
    """


class IndexOutOfRange(LaminaError, IndexError):
    """An index or an axis lies outside of what is there.

    >>> from lamina_flatarray import FlatArray
    >>> FlatArray.from_items([1.0])[5]
    Traceback (most recent call last):
        ...
    lamina_flatarray.errors.IndexOutOfRange: index 5 is out of bounds for a FlatArray of size 1
    """


class EmptyAxis(ShapeError, IndexOutOfRange):
    """An axis without items was to be reduced by an op that has no result for none.

    >>> try:
    ...     raise EmptyAxis("max: axis 0 of shape (0,) has no items")
    ... except IndexError as error:
    ...     print(error)
    max: axis 0 of shape (0,) has no items
    """


class PositionOutOfRange(IndexOutOfRange, RuntimeError):
    """An index in an array of indices lies outside, in an op for which PyTorch raises a RuntimeError then."""


class RandomError(LaminaError, RuntimeError, ValueError):
    """A distribution's parameter is outside of what it allows, or bytes are not the state of a generator."""


class IntegerDivisionByZero(LaminaError, ZeroDivisionError, RuntimeError):
    """An integer was divided by 0, which has no result among integers."""


class IntegerTooLong(LaminaError, OverflowError, RuntimeError):
    """A Python integer beside an array has more than 64 bits."""


class NegativeIntegerPower(LaminaError, RuntimeError, ValueError):
    """An integer was raised to a negative power, which is a fraction."""


class DTypeError(LaminaError, NotImplementedError, TypeError):
    """An op is not defined for these dtypes.

    >>> from lamina_flatarray import result_type
    >>> result_type()
    Traceback (most recent call last):
        ...
    lamina_flatarray.errors.DTypeError: result_type: no operands given; it wants at least one
    """


class DeviceError(LaminaError, RuntimeError):
    """Operands live on different devices, or the device does not exist.

    >>> from lamina_flatarray import Device
    >>> Device("cpu:one")
    Traceback (most recent call last):
        ...
    lamina_flatarray.errors.DeviceError: device: invalid device string: 'cpu:one'; it wants e.g. 'cpu' or 'cuda:1'
    """


class NoItems(DeviceError, NotImplementedError):
    """The items of an array on the device "meta" are wanted, or a shape that depends on them: there are none.

    >>> from lamina_flatarray import FlatArray
    >>> FlatArray.empty(3, device="meta").tolist()
    Traceback (most recent call last):
        ...
    lamina_flatarray.errors.NoItems: Cannot copy out of meta tensor; no data!
    """


class NoDevice(DeviceError, AssertionError):
    """No device of a type can be used, and a function was called that wants one.

    PyTorch without CUDA raises an AssertionError from some such functions, and a RuntimeError from others.

    >>> issubclass(NoDevice, RuntimeError), issubclass(NoDevice, AssertionError)
    (True, True)
    """


class NotOnHost(DeviceError, TypeError):
    """A NumPy array is wanted of an array on the device "meta", which has no memory to share.

    >>> issubclass(NotOnHost, DeviceError), issubclass(NotOnHost, TypeError)
    (True, True)
    """


class BackendError(LaminaError, RuntimeError):
    """A compute backend cannot be used.

    >>> from lamina_flatarray import backends
    >>> try:
    ...     backends.backend("abacus")
    ... except BackendError as error:
    ...     print(type(error).__name__)
    UnknownBackend
    """


class UnknownBackend(BackendError):
    """Nobody offers a backend or device of this name.

    >>> from lamina_flatarray import FlatArray
    >>> try:
    ...     FlatArray.empty(2, device="abacus")
    ... except UnknownBackend as error:
    ...     print(str(error).partition(";")[0])
    nobody offers a backend or device 'abacus'
    """


class BackendFailedToLoad(BackendError):
    """A backend is installed, but importing it failed; the cause is chained.

    >>> from lamina_flatarray import backends
    >>> try:
    ...     backends.register("no backend")
    ... except BackendFailedToLoad as error:
    ...     print(error)
    backend '?': a str came; it wants an instance of a Backend subclass
    """


class BackendRefused(BackendFailedToLoad):
    """A plug-in could be imported or read, but does not keep to the contract."""


class NoHardware(BackendError):
    """A backend loaded, but finds no device to run on.

    >>> from lamina_flatarray import backends
    >>> from lamina_flatarray.numpy_backend import NumpyBackend
    >>> class Abacus(NumpyBackend):
    ...     name = "abacus"
    ...
    ...     def unavailable(self):
    ...         return "there are no beads"
    >>> _ = backends.register(Abacus())
    >>> try:
    ...     backends.backend("abacus")
    ... except NoHardware as error:
    ...     print(str(error).partition(";")[0])
    backend 'abacus' (registered here) loaded, but cannot run here: there are no beads
    >>> backends.unregister("abacus")
    """


class ProtocolMismatch(BackendError):
    """A backend speaks another version of the backend contract.

    >>> from lamina_flatarray import backends
    >>> from lamina_flatarray.numpy_backend import NumpyBackend
    >>> class Abacus(NumpyBackend):
    ...     name, protocol = "abacus", (99, 0)
    >>> try:
    ...     backends.register(Abacus())
    ... except ProtocolMismatch as error:
    ...     print(str(error).partition(";")[0])
    backend 'abacus' speaks protocol 99.0
    """


class ProcessGroupError(LaminaError, RuntimeError):
    """Processes cannot work together: they are not connected, or a move between them failed.

    >>> from lamina_flatarray.process_groups.single import SingleCommunicator
    >>> try:
    ...     SingleCommunicator().send(b"", 1, 0)
    ... except ProcessGroupError as error:
    ...     print(error)
    send: there is no rank 1 beside this one, 0
    """


class RankLost(ProcessGroupError):
    """A process of the group was killed, is stopped, has ended, or does not come; the message names it.

    >>> issubclass(RankLost, RuntimeError)
    True
    """


class OpNotImplemented(LaminaError, NotImplementedError):
    """There is no kernel for an op and dtype, no decomposition, and no allowed fallback.

    >>> from lamina_flatarray import backends
    >>> backends.explain("juggle")
    Traceback (most recent call last):
        ...
    lamina_flatarray.errors.OpNotImplemented: explain: there is no op 'juggle' in the table
    """


class AutogradError(LaminaError, RuntimeError):
    """The gradient graph was misused: a second backward, a modified saved value, a missing gradient.

    >>> try:
    ...     raise AutogradError("backward: the graph was freed by an earlier backward")
    ... except RuntimeError as error:
    ...     print(error)
    backward: the graph was freed by an earlier backward
    """


class LinAlgError(LaminaError, RuntimeError):
    """A factorization does not exist or did not converge: the matrix is singular, not positive-definite, not finite.

    >>> try:
    ...     raise LinAlgError("linalg.inv: the matrix is singular")
    ... except RuntimeError as error:
    ...     print(error)
    linalg.inv: the matrix is singular
    """


class NotFinite(LaminaError, RuntimeError):
    """A kernel produced NaN or infinity while the NaN finder was on.

    >>> from lamina_flatarray import FlatArray, Row, Strided, detect_nan
    >>> x = Strided(FlatArray.from_items([-1.0]), Row(1))
    >>> try:
    ...     with detect_nan():
    ...         x.flat.kernels["sqrt"](x, x)
    ... except NotFinite as error:
    ...     print(str(error).splitlines()[0])
    sqrt: a value became not finite
    """


class OutOfMemoryError(LaminaError, MemoryError, RuntimeError):
    """A device has no memory for a result, or no machine could have.

    >>> try:
    ...     raise OutOfMemoryError("zeros: out of memory: allocate: 4611686018427387904 bytes given; there is not enough memory")
    ... except RuntimeError as error:
    ...     print("out of memory" in str(error))
    True
    """


class CheckpointError(LaminaError, RuntimeError):
    """A file is damaged, truncated, or holds something that is not trusted.

    >>> try:
    ...     raise CheckpointError("load: the file is not a file of torch.save")
    ... except RuntimeError as error:
    ...     print(error)
    load: the file is not a file of torch.save
    """
