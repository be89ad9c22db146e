"""`strict`: the switch of strict mode."""

from __future__ import annotations

from typing import Any, Self

from lamina_ndarray.dispatch.strictness import turned

from ..transforms.decorating import decorated

__all__ = ["strict"]


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

    >>> x, bias = torch.ones(2, 3), torch.ones(3)
    >>> with torch.strict():
    ...     x + bias
    Traceback (most recent call last):
        ...
    lamina_flatarray.errors.ShapeError: ...
    >>> with torch.strict():
    ...     print((x + bias[None, :]).shape)
    lamina.Size([2, 3])
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
