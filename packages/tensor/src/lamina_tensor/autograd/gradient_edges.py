"""Places in the graph that a gradient passes: what stands for a tensor in `backward` and `grad` without keeping its items."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from lamina_flatarray import AutogradError
from lamina_ndarray import Layout, NDArray
from lamina_ndarray.array_fields import empty_of

from .node import AccumulateGrad, Node

if TYPE_CHECKING:
    from lamina_flatarray import Device
    from lamina_flatarray.backends.kernel_table import KernelTable

    from ..tensor_class import Tensor

__all__ = ["GradientEdge", "get_gradient_edge"]


class GradientEdge(NamedTuple):
    """An edge of the graph, at which the gradient of a tensor arrives.

    Args:
        node: the node that made it, or where a leaf's gradient is added up.
        output_nr: which of the node's results it is; a result among several has a node of its own here.
        ownership_token: unused.

    >>> x = torch.ones(3, requires_grad=True)
    >>> edge = torch.autograd.graph.get_gradient_edge(x * 2)
    >>> edge.node.name(), edge.output_nr
    ('MulBackward0', 0)
    """

    node: Node | AccumulateGrad
    output_nr: int
    ownership_token: Any = None

    @property
    def requires_grad(self) -> bool:
        """True for every edge, since only tensors that require gradients have one."""
        return True

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the tensor that the edge stands for."""
        return tuple(self._layout().shape)

    @property
    def device(self) -> Device:
        """The device of the tensor that the edge stands for."""
        return self._kernels().device

    @property
    def array(self) -> NDArray:
        """An array of the tensor's shape and dtype, with items of no meaning."""
        return empty_of(self._kernels(), Layout.dense(self._layout().shape))

    def _kernels(self) -> KernelTable:
        return self.node.kernels if isinstance(self.node, Node) else self.node.variable.array.flat.kernels

    def _layout(self) -> Layout:
        return self.node.layout if isinstance(self.node, Node) else self.node.variable.array.layout


def get_gradient_edge(tensor: Tensor) -> GradientEdge:
    """The edge of the graph at which the gradient of a tensor arrives. The tensor itself may be let go.

    Args:
        tensor: a tensor that requires gradients.

    Returns:
        The edge, which `grad` and `backward` take in the tensor's place.

    Raises:
        AutogradError: it requires none.

    >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> edge = torch.autograd.graph.get_gradient_edge(x)
    >>> torch.autograd.grad((x * x).sum(), edge)
    (tensor([2., 4.]),)
    """
    if not tensor.requires_grad:
        raise AutogradError("It is not possible to get the gradient edge for a Tensor that does not require gradients")
    return GradientEdge(tensor.node or AccumulateGrad(tensor), tensor.output_nr)
