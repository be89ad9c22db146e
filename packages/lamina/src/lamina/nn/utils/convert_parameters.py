"""PyTorch's module path `torch.nn.utils.convert_parameters`, kept for programs that import it."""

from typing import TYPE_CHECKING

from lamina_nn.parameter_vectors import parameters_to_vector, vector_to_parameters

from ...absent_names import explained

__all__ = ["parameters_to_vector", "vector_to_parameters"]

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
