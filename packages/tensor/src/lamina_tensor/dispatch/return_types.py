"""Named results by PyTorch's names: one class per op, whose repr names it, over the storey below's results."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from operator import itemgetter
from typing import Any, Final

from lamina_ndarray.dispatch import results

__all__: list[str] = []

_PAIRS: Final = "cummax cummin kthvalue max median min mode nanmedian sort topk"

_FIELDS: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys(_PAIRS.split(), results.ValuesIndices._fields),
    "aminmax": results.MinMax._fields,
    "frexp": results.MantissaExponent._fields,
    "geqrf": results.GeqrfResult._fields,
    "histogram": results.Histogram._fields,
    "histogramdd": results.HistogramDD._fields,
    "linalg_cholesky_ex": results.CholeskyResult._fields,
    "linalg_eig": results.EigResult._fields,
    "linalg_eigh": results.EighResult._fields,
    "linalg_inv_ex": results.InverseResult._fields,
    "linalg_ldl_factor": results.LDLFactorResult._fields,
    "linalg_ldl_factor_ex": results.LDLFactorExResult._fields,
    "linalg_lstsq": results.LeastSquaresResult._fields,
    "linalg_lu": results.LUResult._fields,
    "linalg_lu_factor": results.LUFactorResult._fields,
    "linalg_lu_factor_ex": results.LUFactorExResult._fields,
    "linalg_qr": results.QRResult._fields,
    "linalg_slogdet": results.SlogdetResult._fields,
    "linalg_solve_ex": results.SolveResult._fields,
    "linalg_svd": results.SVDResult._fields,
    "lu_unpack": results.LUResult._fields,
    "qr": results.QRResult._fields,
    "slogdet": results.SlogdetResult._fields,
    "svd": ("U", "S", "V"),
    "triangular_solve": ("solution", "cloned_coefficient"),
}


class _Result(tuple[Any, ...]):
    """Several results of one op, by place and by name."""

    __slots__ = ()
    _fields: tuple[str, ...] = ()

    def __new__(cls, *parts: Any) -> Any:
        return tuple.__new__(cls, parts)

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self)

    def _asdict(self) -> dict[str, Any]:
        return dict(zip(self._fields, self, strict=True))

    def _replace(self, **parts: Any) -> Any:
        return type(self)(*(self._asdict() | parts).values())

    def __repr__(self) -> str:
        parts = ",\n".join(f"{name}={part!r}" for name, part in self._asdict().items())
        return f"lamina.return_types.{type(self).__name__}(\n{parts})"


def _class(name: str, fields: tuple[str, ...]) -> type[_Result]:
    parts = {field: property(itemgetter(i)) for i, field in enumerate(fields)}
    names = {"__slots__": (), "_fields": fields, "__match_args__": fields, "__module__": __name__}
    return type(name, (_Result,), {**names, **parts, "__doc__": f"What `{name}` gives: {', '.join(fields)}."})


RETURN_TYPES: Final[dict[str, type[_Result]]] = {name: _class(name, fields) for name, fields in _FIELDS.items()}
"""PyTorch's name of an op (of `linalg`: with that in front) -> the class of its results."""

globals().update(RETURN_TYPES)
__all__ += list(RETURN_TYPES)


def named(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function of this name, its results in the class of that name; itself if PyTorch has none."""
    result_type = RETURN_TYPES.get(name)
    if result_type is None:
        return function

    @wraps(function)
    def call(*args: Any, **params: Any) -> Any:
        result = function(*args, **params)
        return tuple.__new__(result_type, result) if isinstance(result, tuple) else result

    return call
