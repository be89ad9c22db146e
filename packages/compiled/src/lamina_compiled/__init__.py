"""lamina_compiled: compiled twins of the few small files that every op passes through."""

try:
    from ._native import (
        TorchFunction,
        arrays_of,
        binary,
        binary_on_tensors,
        binary_over,
        call_site,
        empty_of,
        field,
        forget_plans,
        function_call,
        gathered,
        generic,
        generic_on_tensors,
        give_first_gradients,
        give_made,
        gradient_function,
        made_node,
        make_over,
        namespace_,
        note_writes,
        operator_,
        pass_function,
        pass_plain_nodes,
        plain_call,
        plain_pass,
        plan_calls_after,
        recorded,
        recorded_on_tensors,
        repeating,
        run,
        same_items,
        same_kinds,
        same_names,
        same_tensors,
        step_again,
        stepped_again,
        tensor_function,
        tensor_of,
        ternary,
        ternary_over,
        torch_function,
        unary,
        unary_on_tensors,
        unary_over,
        use_arrays,
        use_modes,
        use_nodes,
        use_ops,
        use_plans,
        use_rules,
        use_switched,
        use_tensors,
        view_of,
        viewed,
        within,
    )
except ImportError as _cause:
    from pathlib import Path

    _told = Path(__file__).with_name("not_built.txt")
    _why = f"was not built: {_told.read_text().strip()}" if _told.exists() else f"is not there, or cannot be loaded: {_cause}"
    raise ImportError(
        f"its native part {_why}; with a C++17 compiler, ./run kernels builds it in a clone, and elsewhere "
        "pip install --force-reinstall --no-cache-dir --no-deps --no-binary lamina-compiled lamina-compiled",
        name="lamina_compiled._native",
    ) from _cause

__all__ = [
    "TorchFunction", "arrays_of", "binary", "binary_on_tensors", "binary_over", "call_site", "empty_of", "field", "forget_plans",
    "function_call", "gathered", "generic", "generic_on_tensors", "give_first_gradients", "give_made", "gradient_function", "made_node",
    "make_over", "namespace_", "note_writes", "operator_", "pass_function", "pass_plain_nodes", "plain_call", "plain_pass",
    "plan_calls_after", "recorded", "recorded_on_tensors", "repeating", "run", "same_items", "same_kinds", "same_names", "same_tensors",
    "step_again", "stepped_again", "tensor_function", "tensor_of", "ternary", "ternary_over", "torch_function", "unary",
    "unary_on_tensors", "unary_over", "use_arrays", "use_modes", "use_nodes", "use_ops", "use_plans", "use_rules", "use_switched",
    "use_tensors", "view_of", "viewed", "within",
]  # fmt: skip
