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
    ├── NegativeIntegerPower    an integer was raised to a negative one        (RuntimeError, ValueError)
    ├── DTypeError              an op is not defined for these dtypes          (NotImplementedError, TypeError)
    ├── DeviceError             operands live on different devices             (RuntimeError)
    ├── BackendError            a compute backend cannot be used               (RuntimeError)
    │   ├── UnknownBackend          nobody offers this name
    │   ├── BackendFailedToLoad     it is installed, but its import failed
    │   │   └── BackendRefused          it does not keep to the contract
    │   ├── NoHardware              it loaded, but finds no device
    │   └── ProtocolMismatch        it speaks another version of the contract
    ├── OpNotImplemented        no kernel, no decomposition, no allowed fallback (NotImplementedError)
    ├── AutogradError           the gradient graph was misused                 (RuntimeError)
    ├── LinAlgError             a matrix is singular, not positive-definite, ... (RuntimeError)
    ├── NotFinite               a value became NaN or infinite under detect_nan (RuntimeError)
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
    "NoHardware",
    "NotFinite",
    "OpNotImplemented",
    "PositionOutOfRange",
    "ProtocolMismatch",
    "RandomError",
    "ShapeError",
    "UnknownBackend",
    "UsageError",
]


class LaminaError(Exception):
    """The root of lamina's errors.

    >>> try:
    ...     torch.ones(2) + torch.ones(3)
    ... except LaminaError as error:
    ...     print(type(error).__name__)
    ShapeError
    """


class ShapeError(LaminaError, RuntimeError, ValueError):
    """Shapes, strides or sizes do not fit together.

    >>> torch.ones(2) + torch.ones(3)
    Traceback (most recent call last):
        ...
    lamina_flatarray.errors.ShapeError: add: ...shapes (2,) and (3,) do not broadcast...
    """


class ArgumentValueError(LaminaError, ValueError):
    """The value of an argument is not one that the function takes, such as a probability of 2.

    >>> torch.optim.SGD([torch.ones(1)], lr=-1.0)
    Traceback (most recent call last):
        ...
    lamina_flatarray.errors.ArgumentValueError: Invalid learning rate: -1.0
    """


class ArgumentTypeError(LaminaError, TypeError):
    """An argument is of a type that the function does not take, such as a number where a tensor is wanted.

    >>> torch.cat(3)
    Traceback (most recent call last):
        ...
    lamina_flatarray.errors.ArgumentTypeError: cat(): argument 'tensors' must be tuple of Tensors, not int
    """


class UsageError(LaminaError, RuntimeError):
    """A call that is not allowed as things stand, where PyTorch raises a RuntimeError and none of the others fits.

    >>> torch.set_num_threads(0)
    Traceback (most recent call last):
        ...
    lamina_flatarray.errors.UsageError: set_num_threads expects a positive integer, but got 0
    """


class IndexOutOfRange(LaminaError, IndexError):
    """An index or an axis lies outside of what is there.

    >>> torch.ones(2)[5]
    Traceback (most recent call last):
        ...
    lamina_flatarray.errors.IndexOutOfRange: ...index 5 is out of bounds for dimension 0 with size 2
    """


class EmptyAxis(ShapeError, IndexOutOfRange):
    """An axis without items was to be reduced by an op that has no result for none.

    >>> torch.ones(0).max()
    Traceback (most recent call last):
        ...
    lamina_flatarray.errors.EmptyAxis: max: axis 0 of shape (0,) has no items...
    """


class PositionOutOfRange(IndexOutOfRange, RuntimeError):
    """An index in an array of indices lies outside, in an op for which PyTorch raises a RuntimeError then."""


class RandomError(LaminaError, RuntimeError, ValueError):
    """A distribution's parameter is outside of what it allows, or bytes are not the state of a generator."""


class IntegerDivisionByZero(LaminaError, ZeroDivisionError, RuntimeError):
    """An integer was divided by 0, which has no result among integers."""


class NegativeIntegerPower(LaminaError, RuntimeError, ValueError):
    """An integer was raised to a negative power, which is a fraction."""


class DTypeError(LaminaError, NotImplementedError, TypeError):
    """An op is not defined for these dtypes.

    >>> torch.tensor([True]) - torch.tensor([True])
    Traceback (most recent call last):
        ...
    lamina_flatarray.errors.DTypeError: sub: not defined for lamina.bool; it wants one of uint8, int8,...
    """


class DeviceError(LaminaError, RuntimeError):
    """Operands live on different devices, or the device does not exist.

    >>> torch.device("cpu:one")
    Traceback (most recent call last):
        ...
    lamina_flatarray.errors.DeviceError: device: invalid device string: 'cpu:one'; it wants e.g. 'cpu' or 'cuda:1'
    """


class BackendError(LaminaError, RuntimeError):
    """A compute backend cannot be used.

    >>> try:
    ...     torch.ones(2, device="abacus")
    ... except BackendError as error:
    ...     print(type(error).__name__)
    UnknownBackend
    """


class UnknownBackend(BackendError):
    """Nobody offers a backend or device of this name.

    >>> torch.ones(2, device="abacus")
    Traceback (most recent call last):
        ...
    lamina_flatarray.errors.UnknownBackend: ...nobody offers a backend or device 'abacus'...
    """


class BackendFailedToLoad(BackendError):
    """A backend is installed, but importing it failed; the cause is chained.

    >>> from lamina_flatarray import backends
    >>> try:
    ...     backends.register("no backend")
    ... except BackendFailedToLoad as error:
    ...     print(type(error).__name__)
    BackendRefused
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
    >>> backends.backend("abacus")
    Traceback (most recent call last):
        ...
    lamina_flatarray.errors.NoHardware: backend 'abacus' (registered here) loaded, but cannot run here: there are no beads;...
    >>> backends.unregister("abacus")
    """


class ProtocolMismatch(BackendError):
    """A backend speaks another version of the backend contract.

    >>> from lamina_flatarray import backends
    >>> from lamina_flatarray.numpy_backend import NumpyBackend
    >>> class Abacus(NumpyBackend):
    ...     name, protocol = "abacus", (99, 0)
    >>> backends.register(Abacus())
    Traceback (most recent call last):
        ...
    lamina_flatarray.errors.ProtocolMismatch: ...
    """


class OpNotImplemented(LaminaError, NotImplementedError):
    """There is no kernel for an op and dtype, no decomposition, and no allowed fallback.

    >>> from lamina_flatarray import backends
    >>> backends.explain("juggle", 1.0)
    Traceback (most recent call last):
        ...
    lamina_flatarray.errors.OpNotImplemented: explain: there is no op 'juggle' in the table
    """


class AutogradError(LaminaError, RuntimeError):
    """The gradient graph was misused: a second backward, a modified saved value, a missing gradient.

    >>> torch.ones(()).backward()
    Traceback (most recent call last):
        ...
    lamina_flatarray.errors.AutogradError: element 0 of tensors does not require grad and does not have a grad_fn...
    """


class LinAlgError(LaminaError, RuntimeError):
    """A factorization does not exist or did not converge: the matrix is singular, not positive-definite, not finite.

    >>> torch.linalg.inv(torch.zeros(2, 2))
    Traceback (most recent call last):
        ...
    lamina_flatarray.errors.LinAlgError: linalg.inv: The diagonal element 1 is zero,...
    """


class NotFinite(LaminaError, RuntimeError):
    """A kernel produced NaN or infinity while the NaN finder was on.

    >>> from lamina_flatarray import detect_nan
    >>> with detect_nan():
    ...     torch.tensor([-1.0]).sqrt()
    Traceback (most recent call last):
        ...
    lamina_flatarray.errors.NotFinite: sqrt: a value became not finite...
    """


class CheckpointError(LaminaError, RuntimeError):
    """A file is damaged, truncated, or holds something that is not trusted.

    >>> import io
    >>> torch.load(io.BytesIO(b"nothing"))
    Traceback (most recent call last):
        ...
    lamina_flatarray.errors.CheckpointError: load: the file (7 bytes) is not a file of torch.save...
    """
