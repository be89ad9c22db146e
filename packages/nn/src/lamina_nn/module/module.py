"""Module: parameters, buffers and submodules by name, and a forward function over them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self

from lamina_flatarray import ArgumentTypeError, ArgumentValueError
from lamina_flatarray.modes import STRICT, WATCHED_MODULES, word

from .attributes import Attributes
from .conversion import Conversion
from .error_places import add_place
from .hook_calls import call_with_hooks
from .hooks import GLOBAL, Hooks, hooked
from .running import run_forward
from .state import State
from .walks import Walks
from .watching import watched

__all__ = ["Module"]

INTERCEPTING: Final = STRICT | WATCHED_MODULES
"""The modes in which a call of a module is more than its forward."""


class Module(Attributes, Walks, State, Conversion, Hooks):
    """Hold parameters, buffers and submodules as attributes: the base class of every part of a model, which defines
    `forward`.

    Args:
        args, kwargs: refused, unless `call_super_init` is set.

    Attributes:
        training: whether the module is in training mode.
        call_super_init: whether `__init__` hands its arguments on to the next class.
        checks_operands: whether strict mode checks the operands of a layer of lamina, as it does those of a loss.

    >>> class Scale(torch.nn.Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.factor = torch.nn.Parameter(torch.tensor(2.0))
    ...
    ...     def forward(self, x):
    ...         return self.factor * x
    >>> Scale()(torch.tensor([1.0, 3.0])).detach()
    tensor([2., 6.])
    """

    dump_patches: bool = False
    call_super_init: bool = False
    checks_operands: ClassVar[bool] = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if not self.call_super_init and (args or kwargs):
            what = f"an unexpected keyword argument '{next(iter(kwargs))}'" if kwargs else f"{len(args) + 1} positional arguments"
            raise ArgumentTypeError(f"{type(self).__name__}.__init__() got {what}")
        self.__dict__.update(training=True, _parameters={}, _buffers={}, _non_persistent_buffers_set=set(), _modules={})
        if self.call_super_init:
            super().__init__(*args, **kwargs)

    if TYPE_CHECKING:
        forward: Callable[..., Any]  # a class below takes what it likes
    else:

        def forward(self, *input: Any) -> Any:
            """Compute the module's result: each class of modules defines its own.

            Args:
                input: what the class's own forward takes.

            Returns:
                What the class's own forward returns.

            Raises:
                NotImplementedError: the class defines none.

            >>> torch.nn.Module().forward(torch.ones(2))
            Traceback (most recent call last):
            ...
            NotImplementedError: Module [Module] is missing the required "forward" function
            """
            raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')

    def __call__(self, *args: Any, **params: Any) -> Any:
        try:
            if hooked or word.get() & INTERCEPTING:
                return self._call_in_modes(args, params)
            return self.forward(*args, **params)
        except Exception as error:
            add_place(error, self)
            raise

    def _call_in_modes(self, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        """The call with its hooks, inside of those who watch; compiled, where the module is."""
        compiled = self.__dict__.get("_compiled_call")
        if compiled is not None:
            return compiled(*args, **params)
        return self._call_eagerly(args, params)

    def _called(self, *args: Any, **params: Any) -> Any:
        """What is compiled of a module."""
        return self._call_eagerly(args, params)

    def _call_eagerly(self, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        call = call_with_hooks if hooked else run_forward
        if word.get() & WATCHED_MODULES:
            return watched(self, lambda: call(self, args, params))
        return call(self, args, params)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__dict__.setdefault("_non_persistent_buffers_set", set())
        hooked.update(table for table in (*GLOBAL, "_compiled_call") if state.get(table))

    def compile(self, *args: Any, **kwargs: Any) -> None:
        """Compile the module in place: later calls of it are repeated without their Python, as those of `torch.compile(module)` are.

        Args:
            args, kwargs: those of `torch.compile`, after the function.

        Raises:
            RuntimeError: as by `torch.compile`.

        >>> layer = torch.nn.Linear(3, 2)
        >>> layer.compile(fullgraph=True)
        >>> layer(torch.ones(3)).shape
        lamina.Size([2])
        """
        from ..compiling import compiled

        function = compiled(self._called, *args, **kwargs)
        if function is None:
            self.__dict__.pop("_compiled_call", None)
        else:
            self.__dict__["_compiled_call"] = function
            hooked.add("_compiled_call")

    # -- modes ----------------------------------------------------------------------------------------------------------

    def train(self, mode: bool = True) -> Self:
        """Set training mode for this module and all below.

        Args:
            mode: whether to train; False for evaluation.

        Returns:
            The module itself.

        Raises:
            ArgumentValueError: mode is not a bool.

        >>> torch.nn.Dropout().train(False).training
        False
        """
        if not isinstance(mode, bool):
            raise ArgumentValueError("training mode is expected to be boolean")
        self.training = mode
        for module in self.children():
            module.train(mode)
        return self

    def eval(self) -> Self:
        """Set evaluation mode for this module and all below.

        Returns:
            The module itself.

        >>> torch.nn.Dropout().eval().training
        False
        """
        return self.train(False)

    def requires_grad_(self, requires_grad: bool = True) -> Self:
        """Set whether gradients are computed for all parameters.

        Args:
            requires_grad: whether they are.

        Returns:
            The module itself.

        >>> torch.nn.Linear(3, 2).requires_grad_(False).weight.requires_grad
        False
        """
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    # -- text -----------------------------------------------------------------------------------------------------------

    def _get_name(self) -> str:
        return type(self).__name__

    def extra_repr(self) -> str:
        """Describe the module's settings; a subclass overrides it.

        Returns:
            The text between the parentheses where the module is printed; by default none.

        >>> torch.nn.Linear(3, 2).extra_repr()
        'in_features=3, out_features=2, bias=True'
        """
        return ""

    def __repr__(self) -> str:
        text = self.extra_repr()
        settings = text.split("\n") if text else []
        children = [f"({name}): " + repr(module).replace("\n", "\n  ") for name, module in self._modules.items()]
        if not children and len(settings) <= 1:
            return f"{self._get_name()}({text})"
        return f"{self._get_name()}(" + "".join(f"\n  {line}" for line in [*settings, *children]) + "\n)"

    def _repr_html_(self) -> str:
        """What notebooks show."""
        from .rich_display import html

        return html(self)
