"""PyTorch's `torch.nn.modules.module`: modules, and hooks of all of them."""

from typing import TYPE_CHECKING

from lamina_nn.module import (
    Module,
    register_module_backward_hook,
    register_module_buffer_registration_hook,
    register_module_forward_hook,
    register_module_forward_pre_hook,
    register_module_full_backward_hook,
    register_module_full_backward_pre_hook,
    register_module_module_registration_hook,
    register_module_parameter_registration_hook,
)  # fmt: skip
from lamina_nn.module.state import (  # what published packages import, beside the public names
    _EXTRA_STATE_KEY_SUFFIX as _EXTRA_STATE_KEY_SUFFIX,
)
from lamina_nn.module.state import IncompatibleKeys as _IncompatibleKeys

from ...absent_names import explained

__all__ = [
    "Module", "register_module_backward_hook", "register_module_buffer_registration_hook",
    "register_module_forward_hook", "register_module_forward_pre_hook", "register_module_full_backward_hook",
    "register_module_full_backward_pre_hook", "register_module_module_registration_hook",
    "register_module_parameter_registration_hook",
]  # fmt: skip

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
