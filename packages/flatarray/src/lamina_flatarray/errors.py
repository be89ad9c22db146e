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
    """The root of lamina's errors."""


class ShapeError(LaminaError, RuntimeError, ValueError):
    """Shapes, strides or sizes do not fit together."""


class ArgumentValueError(LaminaError, ValueError):
    """The value of an argument is not one that the function takes, such as a probability of 2."""


class ArgumentTypeError(LaminaError, TypeError):
    """An argument is of a type that the function does not take, such as a number where a tensor is wanted."""


class UsageError(LaminaError, RuntimeError):
    """A call that is not allowed as things stand, where PyTorch raises a RuntimeError and none of the others fits."""


class IndexOutOfRange(LaminaError, IndexError):
    """An index or an axis lies outside of what is there."""


class EmptyAxis(ShapeError, IndexOutOfRange):
    """An axis without items was to be reduced by an op that has no result for none."""


class PositionOutOfRange(IndexOutOfRange, RuntimeError):
    """An index in an array of indices lies outside, in an op for which PyTorch raises a RuntimeError then."""


class RandomError(LaminaError, RuntimeError, ValueError):
    """A distribution's parameter is outside of what it allows, or bytes are not the state of a generator."""


class IntegerDivisionByZero(LaminaError, ZeroDivisionError, RuntimeError):
    """An integer was divided by 0, which has no result among integers."""


class NegativeIntegerPower(LaminaError, RuntimeError, ValueError):
    """An integer was raised to a negative power, which is a fraction."""


class DTypeError(LaminaError, NotImplementedError, TypeError):
    """An op is not defined for these dtypes."""


class DeviceError(LaminaError, RuntimeError):
    """Operands live on different devices, or the device does not exist."""


class BackendError(LaminaError, RuntimeError):
    """A compute backend cannot be used."""


class UnknownBackend(BackendError):
    """Nobody offers a backend or device of this name."""


class BackendFailedToLoad(BackendError):
    """A backend is installed, but importing it failed; the cause is chained."""


class BackendRefused(BackendFailedToLoad):
    """A plug-in could be imported or read, but does not keep to the contract."""


class NoHardware(BackendError):
    """A backend loaded, but finds no device to run on."""


class ProtocolMismatch(BackendError):
    """A backend speaks another version of the backend contract."""


class OpNotImplemented(LaminaError, NotImplementedError):
    """There is no kernel for an op and dtype, no decomposition, and no allowed fallback."""


class AutogradError(LaminaError, RuntimeError):
    """The gradient graph was misused: a second backward, a modified saved value, a missing gradient."""


class LinAlgError(LaminaError, RuntimeError):
    """A factorization does not exist or did not converge: the matrix is singular, not positive-definite, not finite."""


class NotFinite(LaminaError, RuntimeError):
    """A kernel produced NaN or infinity while the NaN finder was on."""


class CheckpointError(LaminaError, RuntimeError):
    """A file is damaged, truncated, or holds something that is not trusted."""
