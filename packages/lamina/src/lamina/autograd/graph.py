"""PyTorch's `torch.autograd.graph`."""

from lamina_tensor.graph_view import GraphView, show_graph
from lamina_tensor.node import Node
from lamina_tensor.saving import disable_saved_tensors_hooks, save_on_cpu, saved_tensors_hooks
