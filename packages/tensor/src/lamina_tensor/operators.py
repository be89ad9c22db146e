"""Tensor's operators and methods put on it: each names the function that does the work, and most follow from tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import lamina_ndarray as nd
from lamina_flatarray.ops import OPS
from lamina_ndarray.dispatch.namespace import COMPOSITES
from lamina_ndarray.operators import OPERATORS, REFLECTED_DUNDERS
from lamina_ndarray.sorting import sets

from . import functions
from .dispatch import array_functions as af
from .dispatch.aliases import ALIASES
from .dispatch.torch_names import found
from .methods.rewriting import written_back
from .methods.shapes import ShapeMethods
from .tensor import Tensor

if TYPE_CHECKING:
    from .tensor import Tensor

__all__: list[str] = []

_ITEMWISE: Final = ("binary_parts", "closed_forms", "generic")
"""Modules of composites whose results have their first operand's shape, so that it can be overwritten."""


def _reflected(function: Callable[..., Tensor]) -> Callable[[Tensor, Any], Tensor]:
    return lambda self, other: function(other, self)


_IN_PLACE_OPERATORS: Final = {
    "add": functions.add_, "sub": functions.sub_, "mul": functions.mul_, "truediv": functions.div_, "floordiv": functions.floor_divide_,
    "mod": functions.remainder_, "pow": functions.pow_, "and": functions.bitwise_and_, "or": functions.bitwise_or_,
    "xor": functions.bitwise_xor_, "lshift": functions.bitwise_left_shift_, "rshift": functions.bitwise_right_shift_,
}  # fmt: skip

_NO_METHODS: Final = {"combinations", "constant_pad_nd", "is_tensor", "isin", "result_type", "rsub", "unravel_index"} | {
    "tril_indices", "triu_indices", "view_as_complex", "view_as_real",
}  # fmt: skip
"""Functions only, as in PyTorch."""


def _is_method(function: Callable[..., Any]) -> bool:
    """Whether a function begins with a tensor, and not with several, or with none."""
    if function.__name__ in _NO_METHODS:
        return False
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    code = function.__code__
    return bool(code.co_argcount) and code.co_varnames[0] not in ("arrays", "equation", "shape", "tensors")


def _put(methods: dict[str, Any]) -> None:
    for name, method in methods.items():
        setattr(Tensor, name, method)


_put({name: getattr(functions, OPS[op].spelling) for name, op in OPERATORS.items()})
_put({name: _reflected(getattr(functions, OPS[op].spelling)) for name, op in REFLECTED_DUNDERS.items()})
_put({f"__i{name}__": function for name, function in _IN_PLACE_OPERATORS.items()})

for _row in OPS.values():  # every op by its own and by PyTorch's name
    for _name in (_row.name, _row.spelling):
        if _row.name in af.FUNCTIONS and _row.family != "map":
            setattr(Tensor, _name, af.FUNCTIONS[_row.name])

for _function in COMPOSITES.values():  # what is made of other functions
    _name = _function.__name__
    if getattr(nd, _name, None) is _function and _is_method(_function) and not hasattr(ShapeMethods, _name):
        setattr(Tensor, _name, found(_name))
        if _function.__module__.rpartition(".")[2] in _ITEMWISE:
            setattr(Tensor, f"{_name}_", written_back(found(_name)))
for _name in (*sets.__all__, "frexp"):  # what reads the items, so is no composite
    setattr(Tensor, _name, found(_name))
for _name in functions.__all__:
    if _is_method(getattr(functions, _name)):
        setattr(Tensor, _name, getattr(functions, _name))


for _mixin in Tensor.__mro__[1:-1]:  # what is written as a method is not the function of its name
    for _name in vars(_mixin).keys() & vars(Tensor).keys():
        if not _name.startswith("__"):
            delattr(Tensor, _name)

for _alias, _name in ALIASES.items():
    for _twin in ("", "_"):
        if hasattr(Tensor, _name + _twin):
            setattr(Tensor, _alias + _twin, getattr(Tensor, _name + _twin))
