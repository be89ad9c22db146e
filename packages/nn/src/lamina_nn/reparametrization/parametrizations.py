"""Ready-made parametrizations: length apart from direction, spectral norm 1, and orthonormal columns."""

from __future__ import annotations

from typing import Any

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError, IndexOutOfRange, ShapeError, finfo
from lamina_tensor import Tensor, no_grad
from lamina_tensor.dispatch.tensor_functions import af

from .. import functional as F
from ..module import Module
from .parametrize import register_parametrization
from .weight_norm import norm_except_dim, weight_from

__all__ = ["orthogonal", "spectral_norm", "weight_norm"]


class _WeightNorm(Module):
    """A weight as a length, `original0`, times a direction, `original1`, along all dims but one."""

    def __init__(self, dim: int | None = 0) -> None:
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, weight_g: Tensor, weight_v: Tensor) -> Tensor:
        """From length and direction to the weight."""
        return weight_from(weight_v, weight_g, self.dim)

    def right_inverse(self, weight: Tensor) -> tuple[Tensor, Tensor]:
        """From a weight to its length and itself."""
        return norm_except_dim(weight, self.dim), weight


def weight_norm(module: Module, name: str = "weight", dim: int | None = 0) -> Module:
    """Parametrize a weight by norms, `original0`, and directions, `original1` (Salimans & Kingma 2016).

    Args:
        module: the module.
        name: of the weight.
        dim: the dim whose slices have norms of their own; None for one norm of all.

    Returns:
        The module itself.

    >>> layer = torch.nn.utils.parametrizations.weight_norm(torch.nn.Linear(3, 2))
    >>> layer.parametrizations.weight.original0.shape
    lamina.Size([2, 1])
    """
    register_parametrization(module, name, _WeightNorm(dim), unsafe=True)

    def take_old_names(state_dict: Any, prefix: str, *_: Any) -> None:
        """States of modules with the hooks of `weight_norm.weight_norm` fit as well."""
        olds = [f"{prefix}{name}_g", f"{prefix}{name}_v"]
        if all(old in state_dict for old in olds):
            for i, old in enumerate(olds):
                state_dict[f"{prefix}parametrizations.{name}.original{i}"] = state_dict.pop(old)

    module._register_load_state_dict_pre_hook(take_old_names)
    return module


class _SpectralNorm(Module):
    """A weight over its greatest singular value, which is followed by power iteration in training."""

    _u: Tensor
    _v: Tensor

    def __init__(self, weight: Tensor, n_power_iterations: int = 1, dim: int = 0, eps: float = 1e-12) -> None:
        super().__init__()
        ndim = weight.ndim
        if not -ndim <= dim < ndim:
            raise IndexOutOfRange(
                f"Dimension out of range (expected to be in range of [-{ndim}, {ndim - 1}] but got {dim})"
            )
        if n_power_iterations <= 0:
            raise ArgumentValueError(
                f"Expected n_power_iterations to be positive, but got n_power_iterations={n_power_iterations}"
            )
        self.dim, self.eps = dim % ndim, eps
        if ndim > 1:
            self.n_power_iterations = n_power_iterations
            with no_grad():
                matrix = self._matrix(weight.detach())
                u, v = (lt.empty(n, dtype=weight.dtype, device=weight.device).normal_(0, 1) for n in matrix.shape)
                self.register_buffer("_u", F.normalize(u, dim=0, eps=eps))
                self.register_buffer("_v", F.normalize(v, dim=0, eps=eps))
                self._iterate(matrix, 15)

    def _matrix(self, weight: Tensor) -> Tensor:
        if self.dim:
            weight = lt.permute(weight, (self.dim, *(d for d in range(weight.ndim) if d != self.dim)))
        result: Tensor = lt.flatten(weight, 1)
        return result

    def _iterate(self, matrix: Tensor, count: int) -> None:
        with no_grad():
            for _ in range(count):
                self._u.copy_(F.normalize(matrix @ self._v, dim=0, eps=self.eps))
                self._v.copy_(F.normalize(matrix.conj().t() @ self._u, dim=0, eps=self.eps))

    def forward(self, weight: Tensor) -> Tensor:
        """The weight over its spectral norm."""
        if weight.ndim == 1:
            return F.normalize(weight, dim=0, eps=self.eps)
        matrix = self._matrix(weight)
        if self.training:
            self._iterate(matrix.detach(), self.n_power_iterations)
        u, v = self._u.clone(), self._v.clone()
        return weight / lt.sum(u.conj() * (matrix @ v))

    def right_inverse(self, value: Tensor) -> Tensor:
        """The value: its norm is expected to be 1."""
        return value


def spectral_norm(
    module: Module, name: str = "weight", n_power_iterations: int = 1, eps: float = 1e-12, dim: int | None = None
) -> Module:
    """Parametrize a weight so that its largest singular value is 1 (Miyato et al. 2018).

    Args:
        module: the module.
        name: of the weight.
        n_power_iterations: the number of steps of power iteration before each forward in training.
        eps: the lower bound of the norms of vectors.
        dim: the dim that is the rows of the matrix; by default the one of the layer's outputs.

    Returns:
        The module itself.

    Raises:
        ArgumentValueError: the module has no such weight.

    >>> layer = torch.nn.utils.parametrizations.spectral_norm(torch.nn.Linear(2, 2), n_power_iterations=20)
    >>> bool(torch.linalg.matrix_norm(layer.weight.detach(), 2) < 1.5)
    True
    """
    weight = _tensor_of(module, name)
    if dim is None:
        dim = int(getattr(module, "transposed", False) is True)
    return register_parametrization(module, name, _SpectralNorm(weight, n_power_iterations, dim, eps))


def _tensor_of(module: Module, name: str) -> Tensor:
    weight = getattr(module, name, None)
    if not isinstance(weight, Tensor):
        raise ArgumentValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    return weight


# -- orthonormal --------------------------------------------------------------------------------------------------------


def _made_orthogonal(a: Tensor) -> Tensor:
    """The Q of a QR factorization with a positive diagonal of R."""
    packed, tau = af.linalg.geqrf(a)
    q = af.linalg.householder_product(packed, tau)
    result: Tensor = q * lt.unsqueeze(lt.sgn(lt.diagonal(packed, dim1=-2, dim2=-1)), -2)
    return result


class _Orthogonal(Module):
    """Orthonormal columns (rows, if these are fewer) from any matrix, by one of three maps."""

    base: Tensor | None

    def __init__(self, weight: Tensor, orthogonal_map: str, *, use_trivialization: bool = True) -> None:
        super().__init__()
        if weight.dtype.is_complex and orthogonal_map == "householder":
            raise ArgumentValueError("The householder parametrization does not support complex tensors.")
        self.shape, self.orthogonal_map = weight.shape, orthogonal_map
        if use_trivialization:
            self.register_buffer("base", None)

    def forward(self, x: Tensor) -> Tensor:
        """From any matrix to one with orthonormal columns or rows."""
        wide = x.shape[-2] < x.shape[-1]
        if wide:
            x = x.mT
        n, k = x.shape[-2], x.shape[-1]
        if self.orthogonal_map == "householder":
            below = lt.tril(x, -1)
            tau = 2.0 / (lt.sum(below * below, -2) + 1.0)
            q = af.linalg.householder_product(below, tau)
            q = q * lt.unsqueeze(af.trunc(lt.diagonal(x, dim1=-2, dim2=-1).detach()), -2)
        else:
            q = self._of_skew(lt.tril(x), n, k)
        if "base" in self._buffers:
            assert self.base is not None
            q = self.base @ q
        result: Tensor = q.mT if wide else q
        return result

    def _of_skew(self, x: Tensor, n: int, k: int) -> Tensor:
        """Through a skew-symmetric matrix and its exponential or its Cayley transform."""
        if n != k:
            x = lt.cat([x, x.new_zeros([*x.shape[:-2], n, n - k])], -1)
        skew = x - x.mH
        if self.orthogonal_map == "matrix_exp":
            q = lt.matrix_exp(skew)
        else:
            identity = lt.eye(n, dtype=skew.dtype, device=skew.device)
            q = af.linalg.solve(identity - skew * 0.5, identity + skew * 0.5)
        return q[..., :k] if n != k else q

    @no_grad()
    def right_inverse(self, q: Tensor) -> Tensor:
        """What is stored so that q, or the orthonormal matrix next to it, comes out.

        Raises:
            ValueError: q has another shape.
            NotImplementedError: there is no trivialization, and the map cannot be inverted.
        """
        if tuple(q.shape) != tuple(self.shape):
            raise ShapeError(f"Expected a matrix or batch of matrices of shape {self.shape}. Got a tensor of shape {q.shape}.")
        original = q
        wide = q.shape[-2] < q.shape[-1]
        if wide:
            q = q.mT
        n, k = q.shape[-2], q.shape[-1]
        if "base" not in self._buffers:
            if self.orthogonal_map != "householder":
                raise NotImplementedError(
                    "It is not possible to assign to the matrix exponential or the Cayley parametrizations when "
                    "use_trivialization=False."
                )
            packed, tau = af.linalg.geqrf(q)
            signs = af.sign(lt.diagonal(packed, dim1=-2, dim2=-1))
            signs = af.where(tau == 0, -signs, signs)
            eye = lt.eye(n, k, dtype=q.dtype, device=q.device)
            packed = af.where(eye == 1, lt.unsqueeze(signs, -2), packed)
            result: Tensor = packed.mT if wide else packed
            return result
        if n == k:
            near = lt.allclose(q.mH @ q, lt.eye(k, dtype=q.dtype, device=q.device), atol=10.0 * n * finfo(q.dtype).eps)
            self.base = q.clone() if near else _made_orthogonal(q)
        else:
            columns = lt.randn(*q.shape[:-2], n, n - k, dtype=q.dtype, device=q.device)
            self.base = _made_orthogonal(lt.cat([q, columns], -1))
        shape = list(original.shape)
        return lt.zeros_like(original) - lt.eye(shape[-2], shape[-1], dtype=original.dtype, device=original.device)


def orthogonal(
    module: Module, name: str = "weight", orthogonal_map: str | None = None, *, use_trivialization: bool = True
) -> Module:
    """Parametrize a matrix so that its columns are orthonormal, or its rows if these are fewer.

    Args:
        module: the module.
        name: of the weight.
        orthogonal_map: "matrix_exp", "cayley" or "householder"; by default the first if the matrix is square or
            complex, else the last.
        use_trivialization: whether the map begins at the orthonormal matrix nearest to the weight (Lezcano-Casado
            2019).

    Returns:
        The module itself.

    Raises:
        ArgumentValueError: there is no such weight, or no such map.
        ShapeError: the weight has fewer than 2 dims.

    >>> q = torch.nn.utils.parametrizations.orthogonal(torch.nn.Linear(3, 2)).weight.detach()
    >>> torch.allclose(q @ q.T, torch.eye(2), atol=1e-5)
    True
    """
    weight = _tensor_of(module, name)
    if weight.ndim < 2:
        raise ShapeError(f"Expected a matrix or batch of matrices. Got a tensor of {weight.ndim} dimensions.")
    if orthogonal_map is None:
        square = weight.shape[-2] == weight.shape[-1]
        orthogonal_map = "matrix_exp" if square or weight.dtype.is_complex else "householder"
    if orthogonal_map not in ("matrix_exp", "cayley", "householder"):
        raise ArgumentValueError(
            f'orthogonal_map has to be one of "matrix_exp", "cayley", "householder". Got: {orthogonal_map}'
        )
    parametrization = _Orthogonal(weight, orthogonal_map, use_trivialization=use_trivialization)
    return register_parametrization(module, name, parametrization, unsafe=True)
