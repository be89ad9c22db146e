"""PyTorch's `torch.autograd.graph`."""

from lamina_tensor.autograd.gradient_edges import GradientEdge, get_gradient_edge
from lamina_tensor.autograd.multi_grad_hooks import register_multi_grad_hook
from lamina_tensor.autograd.node import Node
from lamina_tensor.autograd.saving import (
    allow_mutation_on_saved_tensors,
    disable_saved_tensors_hooks,
    save_on_cpu,
    saved_tensors_hooks,
)
from lamina_tensor.autograd.versions import increment_version
from lamina_tensor.transforms.graph_view import GraphView, show_graph

from ..absent_names import explained as _explained

_explained(globals())
