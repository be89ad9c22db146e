"""What Python and other libraries ask of a tensor: its truth, its number, its items one after another, its text, its memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

import numpy as np

from lamina_flatarray import AutogradError, dlpack
from lamina_flatarray.dtypes import float64
from lamina_ndarray.creation import conversion
from lamina_ndarray.creation.scalars import fitting

from ... import functions
from ...dispatch.tensor_functions import af
from ...dispatch.torch_function import torch_function
from ...functions import creation
from ...tensor_fields import AnyTensor, TensorFields
from ..in_place.history import setitem
from .printing import html, text

if TYPE_CHECKING:
    from ...tensor_class import Tensor
    from ...tensor_fields import Number

__all__ = ["ProtocolMethods"]


def _real(number: Any) -> Any:
    """A number without its imaginary part.

    Raises:
        DTypeError: that is not 0.
    """
    return fitting("item", number, float64) if isinstance(number, complex) else number


class ProtocolMethods(TensorFields):
    """Python's protocols, such as iteration and truth, those of NumPy and DLPack, and the items as Python's numbers.

    >>> x = torch.tensor([[1, 2], [3, 4]])
    >>> len(x), [row.tolist() for row in x], 4 in x
    (2, [[1, 2], [3, 4]], True)
    """

    __slots__ = ()

    __array_priority__: ClassVar[int] = 1000

    # -- the items ----------------------------------------------------------------------------------------------------------

    @torch_function
    def item(self) -> int | float | bool:
        """Return the only item as a Python number.

        Returns:
            A bool, int, float or complex number.

        Raises:
            ShapeError: there are several items, or none.

        >>> torch.tensor([2.5]).item()
        2.5
        """
        number: int | float | bool = conversion.item(self.array)  # or complex, which PyTorch does not tell either
        return number

    @torch_function
    def tolist(self) -> Any:
        """Return the items as Python numbers in nested lists; a number where there are no dims.

        Returns:
            Lists nested as deep as there are dims; without dims, a number.

        >>> torch.tensor([[1, 2], [3, 4]]).tolist()
        [[1, 2], [3, 4]]
        """
        return conversion.tolist(self.array)

    @torch_function(strict=True)
    def __getitem__(self, index: Any) -> Tensor:
        return af.getitem(self, index)

    @torch_function(strict=True)
    def __setitem__(self, index: Any, value: Tensor | Number) -> None:
        setitem(self, index, value)

    def __delitem__(self, index: Any) -> NoReturn:
        raise TypeError("Tensor does not support deleting items")

    @torch_function
    def __len__(self) -> int:
        return len(self.array)

    @torch_function
    def __iter__(self: Any) -> Iterator[Tensor]:
        if not self.array.layout.ndim:
            raise TypeError("iteration over a 0-d tensor")
        return iter(functions.unbind(self))

    @torch_function
    def __reversed__(self: Any) -> Tensor:
        return functions.flip(self, (0,)) if self.array.layout.ndim else self

    @torch_function
    def __contains__(self: Any, item: object) -> bool:
        if not isinstance(item, (AnyTensor, bool, int, float, complex)):
            raise AutogradError(
                f"Tensor.__contains__ only supports Tensor or scalar, but you passed in a {type(item).__name__}"
            )
        return bool(functions.any(self == item))

    # -- one item as a number -----------------------------------------------------------------------------------------------

    @torch_function
    def __bool__(self) -> bool:
        return bool(self.array)

    @torch_function
    def __int__(self) -> int:
        return int(_real(conversion.item(self.array)))

    @torch_function
    def __index__(self) -> int:
        return self.array.__index__()

    @torch_function
    def __float__(self) -> float:
        return float(_real(conversion.item(self.array)))

    @torch_function
    def __complex__(self) -> complex:
        return complex(self.array)

    # -- the names of Python 2, which PyTorch has kept ------------------------------------------------------------------------

    @torch_function
    def __nonzero__(self) -> bool:
        return bool(self.array)

    @torch_function
    def __long__(self) -> int:
        return int(self.array)

    @torch_function(strict=True)
    def __div__(self: Any, other: Tensor | Number) -> Tensor:
        return functions.div(self, other)

    @torch_function(strict=True)
    def __rdiv__(self: Any, other: Tensor | Number) -> Tensor:
        return functions.div(other, self)

    @torch_function(strict=True)
    def __idiv__(self: Any, other: Tensor | Number) -> Tensor:
        return functions.div_(self, other)

    @torch_function
    # -- text ---------------------------------------------------------------------------------------------------------------

    def __repr__(self: Any) -> str:
        return text(self)

    def _repr_html_(self: Any) -> str | None:
        """What notebooks show; None where items do not lie by strides: then they show the text."""
        return html(self)

    def __format__(self, spec: str) -> str:
        return object.__format__(self, spec) if self.array.layout.ndim else format(conversion.item(self.array), spec)

    # -- other libraries ----------------------------------------------------------------------------------------------------

    def __array_namespace__(self, *, api_version: str | None = None) -> Any:
        return af

    @torch_function
    def __array__(self: Any, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        return np.array(self.numpy(), dtype=dtype, copy=copy)

    @torch_function
    def __array_wrap__(self, array: np.ndarray[Any, Any], *context: Any) -> Tensor:
        return creation.tensor(array)

    @torch_function
    def __dlpack__(
        self: Any,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[Any, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        if self.requires_grad:
            raise BufferError("Can't export tensors that require gradient, use tensor.detach()")
        array = functions.detach(self).array
        return conversion.exported_dlpack(array, stream=stream, max_version=max_version, dl_device=dl_device, copy=copy)

    @torch_function
    def __dlpack_device__(self) -> tuple[Any, int]:
        return dlpack.device(self.array.flat)
