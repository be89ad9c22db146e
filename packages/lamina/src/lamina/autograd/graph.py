"""PyTorch's `torch.autograd.graph`."""

from typing import TYPE_CHECKING

from lamina_tensor.autograd.gradient_edges import GradientEdge, get_gradient_edge
from lamina_tensor.autograd.multi_grad_hooks import register_multi_grad_hook
from lamina_tensor.autograd.node import (
    Node,
    RemovableHandle,
)  # fmt: skip
from lamina_tensor.autograd.saving import (
    allow_mutation_on_saved_tensors,
    disable_saved_tensors_hooks,
    save_on_cpu,
    saved_tensors_hooks,
)
from lamina_tensor.autograd.versions import increment_version
from lamina_tensor.transforms.graph_view import GraphView, show_graph

from ..absent_names import explained

__all__ = [
    "GradientEdge", "GraphView", "Node", "RemovableHandle", "allow_mutation_on_saved_tensors",
    "disable_saved_tensors_hooks", "get_gradient_edge", "increment_version", "register_multi_grad_hook", "save_on_cpu",
    "saved_tensors_hooks", "show_graph",
]  # fmt: skip

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
