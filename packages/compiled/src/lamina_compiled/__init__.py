"""lamina_compiled: compiled twins of the few small files that every op passes through."""

from ._native import (
    TorchFunction,
    binary,
    binary_on_tensors,
    binary_over,
    empty_of,
    field,
    made_node,
    operator_,
    recorded,
    run,
    same_items,
    same_names,
    same_tensors,
    tensor_function,
    tensor_of,
    torch_function,
    unary,
    unary_on_tensors,
    unary_over,
    use_arrays,
    use_modes,
    use_ops,
    use_rules,
    use_switched,
    use_tensors,
    view_of,
)

__all__ = [
    "TorchFunction", "binary", "binary_on_tensors", "binary_over", "empty_of", "field", "made_node", "operator_", "recorded", "repeat",
    "same_items", "same_names", "same_tensors", "tensor_function", "tensor_of", "torch_function", "unary", "unary_on_tensors",
    "unary_over", "use_arrays", "use_modes", "use_ops", "use_rules", "use_switched", "use_tensors", "view_of",
]  # fmt: skip
