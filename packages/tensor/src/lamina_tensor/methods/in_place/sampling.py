"""Random numbers written over the items of a tensor, or made from its items."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self, TypeVar, overload

import lamina_ndarray as nd
from lamina_flatarray import ArgumentTypeError
from lamina_flatarray.dtypes import finfo, iinfo
from lamina_flatarray.modes import NO_GRAD, word

from ...dispatch.torch_function import torch_function
from ...functions.creation import distributions
from ...tensor_fields import AnyTensor, TensorFields, tensor_of
from .history import check_writable, copied_into, overwritten

if TYPE_CHECKING:
    from lamina_flatarray import DType
    from lamina_flatarray.random import Generator
    from lamina_ndarray import NDArray

    from ...tensor_class import Tensor

__all__ = ["SamplingMethods"]

T = TypeVar("T", bound=TensorFields)


def _writable(op: str, tensor: TensorFields) -> NDArray:
    """The array of a tensor that is about to be overwritten with random numbers.

    Raises:
        AutogradError: it is a leaf that requires gradients, or a view of one.
    """
    if tensor.requires_grad or tensor.base is not None:
        check_writable(op, tensor)
    return tensor.array


def _sampled(tensor: T) -> T:
    """A tensor that required gradients, after it was overwritten with random numbers."""
    if not word.get() & NO_GRAD:
        overwritten(tensor)
    return tensor


def _greatest(dtype: DType) -> int:
    """The greatest integer up to which a dtype has all integers."""
    if dtype.is_floating_point:
        return round(2 / finfo(dtype).eps)
    return 1 if dtype.name == "bool" else iinfo(dtype).max


class SamplingMethods(TensorFields):
    """Methods that draw random numbers.

    Those in place return the tensor itself, and refuse a leaf that requires gradients, and a view of one, with an AutogradError. The
    generator is by default that of the tensor's device.

    >>> generator = torch.Generator().manual_seed(0)
    >>> x = torch.empty(1000).uniform_(-1, 1, generator=generator)
    >>> -1 <= x.min() and x.max() < 1
    tensor(True)
    """

    __slots__ = ()

    @overload
    def bernoulli(self: Any, *, generator: Generator | None = None) -> Tensor: ...
    @overload
    def bernoulli(self: Any, p: float, *, generator: Generator | None = None) -> Tensor: ...
    @torch_function
    def bernoulli(self: Any, p: float | None = None, *, generator: Generator | None = None) -> Tensor:
        """Sample 1 or 0 for each item; see `torch.bernoulli`.

        Args:
            p: the probability of 1, by default what each item tells.
            generator: where the random numbers come from.

        Returns:
            A tensor of this tensor's shape and dtype.

        Raises:
            ShapeError: a probability is not within [0, 1].

        >>> torch.tensor([0.0, 1.0]).bernoulli()
        tensor([0., 1.])
        """
        return distributions.bernoulli(self, p, generator=generator)

    @torch_function
    def multinomial(self: Any, num_samples: int, replacement: bool = False, *, generator: Generator | None = None) -> Tensor:
        """Sample indices from each row of weights; see `torch.multinomial`.

        Args:
            num_samples: how many indices per row.
            replacement: whether an index may come again.
            generator: where the random numbers come from.

        Returns:
            An int64 tensor of shape (num_samples,), or (rows, num_samples).

        Raises:
            ShapeError: there are fewer categories than samples without replacement.
            RandomError: a weight is negative or not finite, or a row has none above 0.

        >>> torch.tensor([0.0, 1.0]).multinomial(3, replacement=True)
        tensor([1, 1, 1])
        """
        return distributions.multinomial(self, num_samples, replacement, generator=generator)

    @torch_function
    def bernoulli_(self, p: Tensor | float = 0.5, *, generator: Generator | None = None) -> Self:
        """Overwrite the items with 1 at a probability, else with 0.

        Args:
            p: the probability, or a tensor of one for each item.
            generator: where the random numbers come from.

        Returns:
            The tensor itself.

        Raises:
            ShapeError: a probability is not within [0, 1].

        >>> torch.zeros(2).bernoulli_(1.0)
        tensor([1., 1.])
        """
        if isinstance(p, AnyTensor):
            probabilities = nd.broadcast_to(p.array, self.array.layout.shape)
            return copied_into(self, tensor_of(nd.bernoulli(probabilities, generator=generator)))
        nd.bernoulli_(_writable("bernoulli", self), p, generator=generator)
        return _sampled(self) if self.requires_grad else self

    @torch_function
    def cauchy_(self, median: float = 0, sigma: float = 1, *, generator: Generator | None = None) -> Self:
        """Overwrite the items with numbers of a Cauchy distribution.

        Args:
            median: its median.
            sigma: its scale.
            generator: where the random numbers come from.

        Returns:
            The tensor itself.

        Raises:
            RandomError: sigma is not above 0.
            OpNotImplemented: the dtype is not floating.

        >>> _ = torch.manual_seed(0)
        >>> x = torch.empty(10000).cauchy_(median=5.0)
        >>> abs(x.median().item() - 5) < 0.1
        True
        """
        nd.cauchy_(_writable("cauchy", self), median, sigma, generator=generator)
        return _sampled(self) if self.requires_grad else self

    @torch_function
    def exponential_(self, lambd: float = 1, *, generator: Generator | None = None) -> Self:
        """Overwrite the items with numbers of an exponential distribution.

        Args:
            lambd: its rate.
            generator: where the random numbers come from.

        Returns:
            The tensor itself.

        Raises:
            RandomError: the rate is not above 0.
            OpNotImplemented: the dtype is not floating.

        >>> _ = torch.manual_seed(0)
        >>> x = torch.empty(10000).exponential_(lambd=2.0)
        >>> abs(x.mean().item() - 0.5) < 0.05, (x > 0).all().item()
        (True, True)
        """
        nd.exponential_(_writable("exponential", self), lambd, generator=generator)
        return _sampled(self) if self.requires_grad else self

    @torch_function
    def geometric_(self, p: float, *, generator: Generator | None = None) -> Self:
        """Overwrite the items with how many trials it takes until the first success.

        Args:
            p: the probability of success.
            generator: where the random numbers come from.

        Returns:
            The tensor itself.

        Raises:
            RandomError: p is not within 0 < p < 1.

        >>> _ = torch.manual_seed(0)
        >>> x = torch.empty(10000).geometric_(0.5)
        >>> abs(x.mean().item() - 2) < 0.1, x.min().item()
        (True, 1.0)
        """
        nd.geometric_(_writable("geometric", self), p, generator=generator)
        return _sampled(self) if self.requires_grad else self

    @torch_function
    def log_normal_(self, mean: float = 1, std: float = 2, *, generator: Generator | None = None) -> Self:
        """Overwrite the items with exponentials of normal numbers.

        Args:
            mean: the mean of the normal numbers.
            std: their standard deviation.
            generator: where the random numbers come from.

        Returns:
            The tensor itself.

        Raises:
            RandomError: the deviation is not above 0.
            OpNotImplemented: the dtype is not floating.

        >>> _ = torch.manual_seed(0)
        >>> x = torch.empty(10000).log_normal_(mean=0.0, std=1.0)
        >>> abs(x.log().mean().item()) < 0.05
        True
        """
        nd.log_normal_(_writable("log_normal", self), mean, std, generator=generator)
        return _sampled(self) if self.requires_grad else self

    @torch_function
    def normal_(self, mean: float = 0, std: float = 1, *, generator: Generator | None = None) -> Self:
        """Overwrite the items with numbers of a normal distribution.

        Args:
            mean: its mean.
            std: its standard deviation.
            generator: where the random numbers come from.

        Returns:
            The tensor itself.

        Raises:
            ShapeError: the deviation is negative.
            OpNotImplemented: the tensor holds integers.

        >>> _ = torch.manual_seed(0)
        >>> x = torch.empty(10000).normal_(mean=3.0, std=2.0)
        >>> abs(x.mean().item() - 3) < 0.1, abs(x.std().item() - 2) < 0.1
        (True, True)
        """
        nd.normal_(_writable("normal", self), mean, std, generator=generator)
        return _sampled(self) if self.requires_grad else self

    @overload
    def random_(self, *, generator: Generator | None = None) -> Self: ...
    @overload
    def random_(self, to: int, *, generator: Generator | None = None) -> Self: ...
    @overload
    def random_(self, from_: int, to: int | None, /, *, generator: Generator | None = None) -> Self: ...
    @overload
    def random_(self, *, from_: int, to: int, generator: Generator | None = None) -> Self: ...
    @torch_function(left_out=("from_", "to"))
    def random_(
        self, *bounds: int | None, from_: int | None = None, to: int | None = None, generator: Generator | None = None
    ) -> Self:
        """Overwrite the items with integers.

        Args:
            bounds: the bound above, which is not reached, or those below and above, where None stands for the greatest integer up
                to which the dtype has all; by default 0 and as far as the dtype counts.
            from_, to: the bounds by name.
            generator: where the random numbers come from.

        Returns:
            The tensor itself.

        Raises:
            ShapeError: the range is empty.
            ArgumentTypeError: there are more bounds than two.

        >>> torch.zeros(2).random_(5, 6)
        tensor([5., 5.])
        """
        if from_ is not None:
            bounds = (*bounds, from_, to)
        elif to is not None:
            bounds = (*bounds, to)
        if len(bounds) > 2:
            raise ArgumentTypeError(f"random_() takes at most 2 bounds, but {len(bounds)} were given")
        low: Any
        low, high = (0, *bounds, None)[:2] if len(bounds) < 2 else bounds
        if len(bounds) == 2 and high is None:
            high = _greatest(self.array.dtype) + 1
        nd.random_integers_(_writable("random", self), low, high, generator=generator)
        return _sampled(self) if self.requires_grad else self

    @torch_function
    def uniform_(self, from_: float = 0, to: float = 1, *, generator: Generator | None = None) -> Self:
        """Overwrite the items with numbers uniform in an interval.

        Args:
            from_: where it begins.
            to: where it ends, which is not reached.
            generator: where the random numbers come from.

        Returns:
            The tensor itself.

        Raises:
            ShapeError: the interval is empty.
            OpNotImplemented: the tensor holds integers.

        >>> x = torch.empty(1000).uniform_(2, 3)
        >>> (x >= 2).all().item(), (x < 3).all().item()
        (True, True)
        """
        nd.uniform_(_writable("uniform", self), from_, to, generator=generator)
        return _sampled(self) if self.requires_grad else self
