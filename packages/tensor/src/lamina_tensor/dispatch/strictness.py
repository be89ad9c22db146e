"""`strict`: the switch of strict mode, and which of the tensors' modules hand a user's operands on as they are."""

from __future__ import annotations

from typing import Any, Final, Self

from lamina_ndarray.dispatch import strictness
from lamina_ndarray.dispatch.strictness import turned

from ..transforms.decorating import decorated

__all__ = ["strict"]

_SPELLING: Final = (
    "autograd.recording", "dispatch.array_functions", "dispatch.destinations", "dispatch.elementwise",
    "dispatch.lifting", "dispatch.remembered_views", "dispatch.return_types", "dispatch.out",
    "methods.operators", "dispatch.subclassing", "dispatch.torch_function", "functions.arithmetic",
    "functions.arithmetic_in_place", "functions.elementwise.binary", "functions.elementwise.bits",
    "functions.elementwise.comparison", "functions.elementwise.in_place", "functions.creation.complex_numbers",
    "functions.closeness", "functions.distances.dist", "functions.indexing.masking.where",
    "functions.reductions.extremes", "functions.shapes.reshaping", "functions.weighted_sums",
    "methods.in_place", "methods.overwriting", "methods.products", "methods.protocols.__div__",
    "methods.protocols.__getitem__", "methods.protocols.__idiv__", "methods.protocols.__rdiv__", "methods.protocols.__setitem__",
    "methods.rewriting",
    "methods.shapes.reshape", "methods.shapes.reshape_as", "methods.shapes.where", "operators",
    "precision.autocasting", "precision.casts", "special.exponentials", "special.gamma",
)  # fmt: skip

strictness.SPELLINGS.update(f"lamina_tensor.{name}" for name in _SPELLING)


class strict:
    """Strict mode from now on, in this thread or task; as a context manager, only within it; as a decorator, only within calls.

    While it is on, a `ShapeError` that names the op and the shapes is raised for

    - losses of an input and a target of different shapes, such as `mse_loss` of (n,) and (n, 1), which broadcast to (n, n);
    - operands of an op item by item, in place or not, that have different numbers of dims, unless one is a number or has no
      dims. Dims of length 1 are welcome: write `bias[None, :]`, or `unsqueeze`;
    - `reshape` and `flatten` where strides allow no view, so that all items would be copied. Write
      `contiguous().reshape(...)` where a copy is meant.

    Only what the user's own code calls is refused. What a function or layer of lamina documents, such as the bias of `linear`
    or the stacks of `matmul`, and what it does within, is not. Nor is a copy implicit that the call asks for by its name or
    must make in any case: `contiguous`, `clone`, `ravel`, `repeat`, `cat`, advanced indexing, a change of dtype or device.

    Args:
        mode: whether it is on.
    """

    def __init__(self, mode: bool = True) -> None:
        self.mode = bool(mode)
        self._before = turned(self.mode)

    def __enter__(self) -> Self:
        turned(self.mode)
        return self

    def __exit__(self, *_: object) -> None:
        turned(self._before)

    def __call__(self, function: Any) -> Any:
        turned(self._before)
        mode = self.mode
        return decorated(lambda: strict(mode), function)
