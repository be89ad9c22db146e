"""PyTorch's `torch.export`: a module as the kernel calls that it makes, in a file that runs without the module's code."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Never

from lamina_nn import Module

from .absent_names import explained

if TYPE_CHECKING:
    from lamina_ndarray.programs import FrozenProgram
    from lamina_tensor.compiling.exporting import ExportedFunction

__all__ = ["ExportedProgram", "export", "load", "save"]


class ExportedProgram:
    """What `export` makes of a module: its kernel calls, and the parameters and buffers that they read.

    Args:
        function: the calls as a function of tensors.

    Attributes:
        program: the calls as a function of arrays, which needs neither modules nor tensors.

    >>> torch.export.export(torch.nn.Linear(3, 2), (torch.zeros(4, 3),))
    ExportedProgram(float32[4, 3]; kernels=1, device=cpu)
    """

    program: FrozenProgram

    def __init__(self, function: ExportedFunction) -> None:
        self._function = function
        self.program = function.program

    def module(self, check_guards: bool = True) -> ExportedFunction:
        """Return a function that computes what the module computed.

        Args:
            check_guards: accepted as in PyTorch; that arguments fit is always checked.

        Returns:
            A function of the module's arguments. It computes no gradients.

        >>> exported = torch.export.export(torch.nn.ReLU(), (torch.zeros(2),))
        >>> exported.module()(torch.tensor([-1.0, 2.0]))
        tensor([0., 2.])
        """
        return self._function

    def __call__(self, *args: Any, **kwargs: Any) -> Never:
        raise RuntimeError("Unable to call ExportedProgram directly. You should use `exported_program.module()` instead.")

    def __repr__(self) -> str:
        given = ", ".join(f"{dtype.name}{list(shape)}" for dtype, shape in self.program.arguments)
        return f"ExportedProgram({given}; kernels={self.program.kernels}, device={self.program.device})"


def export(
    mod: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any] | None = None,
    *,
    dynamic_shapes: Any = None,
    strict: bool = False,
    preserve_module_call_signature: tuple[str, ...] = (),
    prefer_deferred_runtime_asserts_over_guards: bool = False,
) -> ExportedProgram:
    """Record the kernel calls of a module, for arguments of these shapes and dtypes.

    The module is called three times without gradients. What its kernel calls alone do not repeat is refused: values of tensors that are
    read, random numbers, buffers that are written to as those of batch norm in training. Call `eval()` before.

    Args:
        mod: the module; or any function of tensors.
        args: what it is called with: tensors, also in tuples, lists and dicts, and numbers and texts, which become part of the program.
        kwargs: the same, by name.
        dynamic_shapes: None; a program is for the shapes that it was recorded with.
        strict, preserve_module_call_signature, prefer_deferred_runtime_asserts_over_guards: accepted as in PyTorch.

    Returns:
        The program, which shares the module's parameters and buffers.

    Raises:
        ValueError: `dynamic_shapes` is given.
        TypeError: `args` is no tuple.
        RuntimeError: it cannot be exported; the message says why.

    >>> model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.GELU(), torch.nn.Linear(8, 2)).eval()
    >>> x = torch.randn(3, 4)
    >>> exported = torch.export.export(model, (x,))
    >>> torch.equal(exported.module()(x), model(x))
    True
    """
    from lamina_nn.compiling import exported_function

    if dynamic_shapes is not None:
        raise ValueError("export: dynamic_shapes given; a program is for the shapes that it was recorded with")
    if not isinstance(args, tuple):
        raise TypeError(f"export: args must be a tuple of what the module is called with, got {type(args).__name__}")
    names = {**dict(mod.named_parameters()), **dict(mod.named_buffers())} if isinstance(mod, Module) else {}
    return ExportedProgram(exported_function(mod, args, dict(kwargs or {}), names))


def save(
    ep: ExportedProgram, f: Any, *, extra_files: dict[str, Any] | None = None, opset_version: dict[str, int] | None = None,
    pickle_protocol: int = 2,
) -> None:  # fmt: skip
    """Write an exported program to one file, whole or not at all: a safetensors file with the calls among its metadata.

    Args:
        ep: the program.
        f: the path of the file.
        extra_files: None; a program has no room for other files.
        opset_version, pickle_protocol: accepted as in PyTorch; nothing is pickled.

    Raises:
        TypeError: `ep` is no exported program.
        ValueError: `extra_files` are given.
        RuntimeError: it is given or returns what no file holds, as an object of a class of yours.
        OSError: the file cannot be written.

    >>> torch.export.save(torch.export.export(torch.nn.Tanh(), (torch.zeros(2),)), "tanh.pt2")
    """
    if not isinstance(ep, ExportedProgram):
        raise TypeError(f"The 'ep' parameter must be an instance of 'ExportedProgram', got '{type(ep).__name__}' instead.")
    if extra_files:
        raise ValueError(f"save: extra_files {sorted(extra_files)} given; a program has no room for other files")
    ep.module().save(f)


def load(
    f: Any, *, extra_files: dict[str, Any] | None = None, expected_opset_version: dict[str, int] | None = None, device: Any = "cpu"
) -> ExportedProgram:
    """Read an exported program. It is code: load it from where you would install a package from.

    A process that needs arrays alone calls `lamina_ndarray.programs.load_program`, and imports neither modules nor tensors.

    Args:
        f: the path of the file. PyTorch's own .pt2 files are not read.
        extra_files: None; a program has no room for other files.
        expected_opset_version: accepted as in PyTorch.
        device: where it is to compute.

    Returns:
        The program, with parameters and buffers of its own.

    Raises:
        ValueError: `extra_files` are given.
        CheckpointError: the file is damaged, or holds no exported program.
        OSError: the file cannot be opened.

    >>> torch.export.save(torch.export.export(torch.nn.ReLU(), (torch.zeros(2),)), "relu.pt2")
    >>> torch.export.load("relu.pt2").module()(torch.tensor([-1.0, 2.0]))
    tensor([0., 2.])
    """
    from lamina_tensor.compiling.exporting import load_function

    if extra_files:
        raise ValueError(f"load: extra_files {sorted(extra_files)} asked for; a program has no room for other files")
    return ExportedProgram(load_function(f, device))


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
