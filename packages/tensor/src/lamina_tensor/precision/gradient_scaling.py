"""Losses made larger, so that the gradients of half precision do not vanish, and the gradients made smaller again."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, overload

import lamina_ndarray as nd
from lamina_flatarray import ArgumentValueError, AutogradError

from ..autograd.modes import no_grad
from ..functions.creation import full
from ..tensor_fields import AnyTensor
from .autocasting import is_autocast_available

if TYPE_CHECKING:
    from ..tensor_class import Tensor

__all__ = ["GradScaler"]

_READY, _UNSCALED, _STEPPED = "ready", "unscaled", "stepped"


class _Progress:
    """How far an optimizer has come since the last update, and whether its gradients had an infinity or NaN."""

    def __init__(self) -> None:
        self.stage = _READY
        self.found_inf: bool | None = None


class GradScaler:
    """Scale losses by a number that shrinks when gradients overflow and grows while they do not.

    P. Micikevicius et al., "Mixed Precision Training", 2018, https://arxiv.org/abs/1710.03740

    Args:
        device: the device type of the losses.
        init_scale: the scale at first.
        growth_factor: what the scale is multiplied by after `growth_interval` steps in a row without infinities or NaNs.
        backoff_factor: what it is multiplied by after a step with one.
        growth_interval: how many steps.
        enabled: False makes every method pass on what it is given.

    Raises:
        AssertionError: a factor is out of its range.

    >>> weight = torch.nn.Parameter(torch.ones(1))
    >>> optimizer = torch.optim.SGD([weight], lr=0.5)
    >>> scaler = torch.amp.GradScaler("cpu", init_scale=8.0)
    >>> scaler.scale((2 * weight).sum()).backward()
    >>> weight.grad
    tensor([16.])
    >>> scaler.step(optimizer)
    >>> scaler.update()
    >>> weight.tolist()
    [0.0]
    """

    def __init__(
        self,
        device: str = "cuda",
        init_scale: float = 2.0**16,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
        enabled: bool = True,
    ) -> None:
        self._device = str(device)
        self._enabled = enabled
        if enabled and not is_autocast_available(self._device.partition(":")[0]):
            warnings.warn(f"GradScaler is enabled, but {self._device.upper()} is not available.  Disabling.", stacklevel=2)
            self._enabled = False
        if growth_factor <= 1.0 and self._enabled:
            raise AssertionError("The growth factor must be > 1.0.")
        if backoff_factor >= 1.0 and self._enabled:
            raise AssertionError("The backoff factor must be < 1.0.")
        self._init_scale = init_scale
        self._growth_factor = growth_factor
        self._backoff_factor = backoff_factor
        self._growth_interval = growth_interval
        self._growth_tracker = 0
        self._scale: Tensor | None = None
        self._progress: dict[int, _Progress] = {}

    # -- a step ---------------------------------------------------------------------------------------------------------

    @overload
    def scale(self, outputs: Tensor) -> Tensor: ...
    @overload
    def scale(self, outputs: list[Tensor]) -> list[Tensor]: ...
    @overload
    def scale(self, outputs: tuple[Tensor, ...]) -> tuple[Tensor, ...]: ...
    @overload
    def scale(self, outputs: Iterable[Tensor]) -> Iterable[Tensor]: ...
    def scale(self, outputs: Any) -> Any:
        """Multiply outputs by the scale.

        Args:
            outputs: a tensor, or an iterable of tensors.

        Returns:
            The products, in a list or tuple like that of the outputs; in a generator for other iterables.

        Raises:
            ArgumentValueError: it is neither a tensor nor an iterable of them.
        """
        if not self._enabled:
            return outputs
        if isinstance(outputs, AnyTensor):
            if self._scale is None:
                self._scale = full((), self._init_scale, dtype=nd.float32, device=outputs.device)
            return outputs * self._scale
        if isinstance(outputs, (list, tuple)):
            parts = [self.scale(part) for part in outputs]
            return type(outputs)(*parts) if hasattr(outputs, "_fields") else type(outputs)(parts)
        if isinstance(outputs, Iterable):
            return (self.scale(part) for part in outputs)
        raise ArgumentValueError("outputs must be a Tensor or an iterable of Tensors")

    def unscale_(self, optimizer: Any) -> None:
        """Divide the gradients of an optimizer's parameters by the scale, and note whether one is infinite or NaN.

        Args:
            optimizer: the optimizer.

        Raises:
            AutogradError: it was done already, or `step` was, since the last update.
            ArgumentValueError: a gradient is of float16.
            AssertionError: no loss was scaled.
        """
        if not self._enabled:
            return
        scale = self._known_scale("unscale_")
        progress = self._progress.setdefault(id(optimizer), _Progress())
        if progress.stage is _UNSCALED:
            raise AutogradError("unscale_() has already been called on this optimizer since the last update().")
        if progress.stage is _STEPPED:
            raise AutogradError("unscale_() is being called after step().")
        progress.found_inf = self._unscaled(optimizer, 1.0 / scale.item(), allow_half=False)
        progress.stage = _UNSCALED

    def _unscaled(self, optimizer: Any, factor: float, allow_half: bool) -> bool | None:
        """Whether a gradient had an infinity or NaN; None where there is no gradient."""
        result: bool | None = None
        with no_grad():
            for group in optimizer.param_groups:
                for parameter in group["params"]:
                    grad = parameter.grad
                    if grad is None:
                        continue
                    if grad.dtype is nd.float16 and not allow_half:
                        raise ArgumentValueError("Attempting to unscale FP16 gradients.")
                    result = bool(result) or not bool(nd.all(nd.isfinite(grad.array)))
                    grad.mul_(factor)
        return result

    def step(self, optimizer: Any, *args: Any, **kwargs: Any) -> Any:
        """Call `optimizer.step(*args, **kwargs)` with gradients divided by the scale, unless one was infinite or NaN.

        Args:
            optimizer: the optimizer.
            args, kwargs: the arguments of its step.

        Returns:
            What its step returns; None where it is not called.

        Raises:
            AutogradError: it was done already since the last update, or a closure is given.
            AssertionError: no loss was scaled, or the optimizer has no gradient.
        """
        if not self._enabled:
            return optimizer.step(*args, **kwargs)
        if "closure" in kwargs:
            raise AutogradError("Closure use is not currently supported if GradScaler is enabled.")
        self._known_scale("step")
        progress = self._progress.setdefault(id(optimizer), _Progress())
        if progress.stage is _STEPPED:
            raise AutogradError("step() has already been called since the last update().")
        if progress.stage is _READY:
            self.unscale_(optimizer)
        assert progress.found_inf is not None, "No inf checks were recorded for this optimizer."
        result = None if progress.found_inf else optimizer.step(*args, **kwargs)
        progress.stage = _STEPPED
        return result

    def update(self, new_scale: float | Tensor | None = None) -> None:
        """Let the scale grow or shrink by what the steps since the last update found, or set it.

        Args:
            new_scale: the scale to set; None to let it grow or shrink.

        Raises:
            AssertionError: no loss was scaled, or no optimizer was asked.
        """
        if not self._enabled:
            return
        scale = self._known_scale("update")
        if new_scale is not None:
            scale.fill_(new_scale)
        else:
            overflows = [p.found_inf for p in self._progress.values() if p.found_inf is not None]
            assert overflows, "No inf checks were recorded prior to update."
            if any(overflows):
                scale.mul_(self._backoff_factor)
                self._growth_tracker = 0
            else:
                self._growth_tracker += 1
                if self._growth_tracker == self._growth_interval:
                    self._grow(scale)
        self._progress = {}

    def _grow(self, scale: Tensor) -> None:
        grown = nd.multiply(scale.array, self._growth_factor)
        if bool(nd.isfinite(grown)):
            scale.fill_(grown.item())
        self._growth_tracker = 0

    def _known_scale(self, op: str) -> Tensor:
        assert self._scale is not None, (
            f"Attempted {op} but _scale is None.  This may indicate your script did not use scaler.scale(loss or outputs) "
            "earlier in the iteration."
        )
        return self._scale

    # -- settings -------------------------------------------------------------------------------------------------------

    def get_scale(self) -> float:
        """The scale; 1.0 if disabled.

        Returns:
            A float.
        """
        if not self._enabled:
            return 1.0
        return self._init_scale if self._scale is None else self._scale.item()

    def get_growth_factor(self) -> float:
        """What the scale is multiplied by when it grows.

        Returns:
            A float, 2.0 by default.
        """
        return self._growth_factor

    def set_growth_factor(self, new_factor: float) -> None:
        """Set what the scale is multiplied by when it grows.

        Args:
            new_factor: the factor, greater than 1.
        """
        self._growth_factor = new_factor

    def get_backoff_factor(self) -> float:
        """What the scale is multiplied by when it shrinks.

        Returns:
            A float, 0.5 by default.
        """
        return self._backoff_factor

    def set_backoff_factor(self, new_factor: float) -> None:
        """Set what the scale is multiplied by when it shrinks.

        Args:
            new_factor: the factor, less than 1.
        """
        self._backoff_factor = new_factor

    def get_growth_interval(self) -> int:
        """After how many good steps in a row the scale grows.

        Returns:
            An int, 2000 by default.
        """
        return self._growth_interval

    def set_growth_interval(self, new_interval: int) -> None:
        """Set after how many good steps in a row the scale grows.

        Args:
            new_interval: the number of steps.
        """
        self._growth_interval = new_interval

    def is_enabled(self) -> bool:
        """Whether losses are scaled.

        Returns:
            A bool.
        """
        return self._enabled

    def state_dict(self) -> dict[str, Any]:
        """The scale and its settings, for `load_state_dict`; empty if disabled.

        Returns:
            A dict of numbers.
        """
        if not self._enabled:
            return {}
        return {
            "scale": self.get_scale(),
            "growth_factor": self._growth_factor,
            "backoff_factor": self._backoff_factor,
            "growth_interval": self._growth_interval,
            "_growth_tracker": self._growth_tracker,
        }

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over another scaler's state.

        Args:
            state_dict: what its `state_dict` gave.

        Raises:
            AutogradError: it is empty, as that of a disabled scaler is.
        """
        if not self._enabled:
            return
        if not state_dict:
            raise AutogradError(
                "The source state dict is empty, possibly because it was saved from a disabled instance of GradScaler."
            )
        self._init_scale = state_dict["scale"]
        if self._scale is not None:
            self._scale.fill_(state_dict["scale"])
        self._growth_factor = state_dict["growth_factor"]
        self._backoff_factor = state_dict["backoff_factor"]
        self._growth_interval = state_dict["growth_interval"]
        self._growth_tracker = state_dict["_growth_tracker"]
