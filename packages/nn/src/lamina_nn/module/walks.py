"""Ways through a tree of modules: all modules, parameters and buffers with their paths, and the one at a path."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Self

from lamina_flatarray import ArgumentValueError
from lamina_tensor import Tensor

if TYPE_CHECKING:
    from ..parameter import Parameter
    from .module import Module

__all__ = ["Walks"]


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


class Walks:
    """Walk over a Module and the modules below it, and over their parameters and buffers.

    >>> model = torch.nn.Sequential(torch.nn.Linear(2, 1), torch.nn.ReLU())
    >>> [type(module).__name__ for module in model.modules()]
    ['Sequential', 'Linear', 'ReLU']
    """

    if TYPE_CHECKING:  # what is read at run time must be known there
        _modules: dict[str, Module | None]

    def named_modules(
        self, memo: set[Any] | None = None, prefix: str = "", remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Module]]:
        """Walk over this module and all below, with their paths.

        Args:
            memo: modules that are left out; those that are returned are added.
            prefix: the path of this module.
            remove_duplicate: whether a module with several paths is returned once.

        Returns:
            An iterator of pairs of path and module.

        >>> [path for path, _ in torch.nn.Sequential(torch.nn.ReLU()).named_modules()]
        ['', '0']
        """
        seen = set() if memo is None else memo
        stack: list[tuple[str, Any]] = [(prefix, self)]
        while stack:
            path, module = stack.pop()
            if module in seen:
                continue
            if remove_duplicate:
                seen.add(module)
            yield path, module
            below = [(_joined(path, name), m) for name, m in module._modules.items() if m is not None]
            stack.extend(reversed(below))

    def modules(self, remove_duplicate: bool = True) -> Iterator[Module]:
        """Walk over this module and all below.

        Args:
            remove_duplicate: whether a module with several paths is returned once.

        Returns:
            An iterator of modules.

        >>> len(list(torch.nn.Sequential(torch.nn.ReLU(), torch.nn.Tanh()).modules()))
        3
        """
        return (module for _, module in self.named_modules(remove_duplicate=remove_duplicate))

    def named_children(self) -> Iterator[tuple[str, Module]]:
        """Walk over the submodules of this module, each once, with their names.

        Returns:
            An iterator of pairs of name and module.

        >>> list(torch.nn.Sequential(torch.nn.ReLU()).named_children())
        [('0', ReLU())]
        """
        seen = set()
        for name, module in self._modules.items():
            if module is not None and module not in seen:
                seen.add(module)
                yield name, module

    def children(self) -> Iterator[Module]:
        """Walk over the submodules of this module, each once.

        Returns:
            An iterator of modules.

        >>> list(torch.nn.Sequential(torch.nn.ReLU()).children())
        [ReLU()]
        """
        return (module for _, module in self.named_children())

    def _named_members(
        self, members: Callable[[Any], Any], prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Any]]:
        """What `members(module)` gives as pairs of name and value, for this module and those below, with paths."""
        seen = set()
        places: Any = self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate) if recurse else [(prefix, self)]
        for path, module in places:
            for name, value in members(module):
                if value is None or id(value) in seen:
                    continue
                if remove_duplicate:
                    seen.add(id(value))
                yield _joined(path, name), value

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """Walk over the parameters, with their paths.

        Args:
            prefix: the path of this module.
            recurse: whether the parameters of submodules are returned, too.
            remove_duplicate: whether a parameter with several paths is returned once.

        Returns:
            An iterator of pairs of path and parameter.

        >>> [path for path, _ in torch.nn.Linear(3, 2).named_parameters()]
        ['weight', 'bias']
        """
        return self._named_members(lambda m: m._parameters.items(), prefix, recurse, remove_duplicate)

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """Walk over the parameters, each once.

        Args:
            recurse: whether the parameters of submodules are returned, too.

        Returns:
            An iterator of parameters.

        >>> [parameter.shape for parameter in torch.nn.Linear(3, 2).parameters()]
        [lamina.Size([2, 3]), lamina.Size([2])]
        """
        return (value for _, value in self.named_parameters(recurse=recurse))

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """Walk over the buffers, with their paths.

        Args:
            prefix: the path of this module.
            recurse: whether the buffers of submodules are returned, too.
            remove_duplicate: whether a buffer with several paths is returned once.

        Returns:
            An iterator of pairs of path and buffer.

        >>> [path for path, _ in torch.nn.BatchNorm1d(2).named_buffers()]
        ['running_mean', 'running_var', 'num_batches_tracked']
        """
        return self._named_members(lambda m: m._buffers.items(), prefix, recurse, remove_duplicate)

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """Walk over the buffers, each once.

        Args:
            recurse: whether the buffers of submodules are returned, too.

        Returns:
            An iterator of buffers.

        >>> len(list(torch.nn.BatchNorm1d(2).buffers()))
        3
        """
        return (value for _, value in self.named_buffers(recurse=recurse))

    def get_submodule(self, target: str) -> Module:
        """Return the module at a path.

        Args:
            target: a path such as "encoder.2"; "" for this module.

        Returns:
            The module.

        Raises:
            AttributeError: there is no module at the path.

        >>> torch.nn.Sequential(torch.nn.ReLU()).get_submodule("0")
        ReLU()
        """
        module: Any = self
        for name in target.split(".") if target else ():
            if not hasattr(module, name):
                raise AttributeError(f"{module._get_name()} has no attribute `{name}`")
            module = getattr(module, name)
            if not isinstance(module, Walks):
                raise AttributeError(f"`{name}` is not an nn.Module")
        result: Module = module
        return result

    def set_submodule(self, target: str, module: Module, strict: bool = False) -> None:
        """Put a module at a path, whose parent exists.

        Args:
            target: a path such as "encoder.2".
            module: the module.
            strict: whether there must be a module at the path already.

        Raises:
            ArgumentValueError: the path is empty, or module is not a Module.
            AttributeError: there is no parent, or the path holds something else; with `strict`, it holds nothing.

        >>> model = torch.nn.Sequential(torch.nn.ReLU())
        >>> model.set_submodule("0", torch.nn.Tanh())
        >>> model[0]
        Tanh()
        """
        if not target:
            raise ArgumentValueError("Cannot set the submodule without a target name!")
        if not isinstance(module, Walks):
            raise ArgumentValueError(f"`module` is not an nn.Module, found {type(module)}")
        path, _, name = target.rpartition(".")
        parent = self.get_submodule(path)
        if not hasattr(parent, name):
            if strict:
                raise AttributeError(f"{parent._get_name()} has no attribute `{name}`")
        elif not isinstance(getattr(parent, name), Walks):
            raise AttributeError(f"`{name}` is not an nn.Module")
        setattr(parent, name, module)

    def _member(self, target: str) -> tuple[Module, str, Any]:
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if not hasattr(module, name):
            raise AttributeError(f"{module._get_name()} has no attribute `{name}`")
        return module, name, getattr(module, name)

    def get_parameter(self, target: str) -> Parameter:
        """Return the parameter at a path.

        Args:
            target: a path such as "encoder.2.weight".

        Returns:
            The parameter.

        Raises:
            AttributeError: there is no parameter at the path.

        >>> torch.nn.Sequential(torch.nn.Linear(3, 2)).get_parameter("0.weight").shape
        lamina.Size([2, 3])
        """
        from ..parameter import Parameter

        _, name, result = self._member(target)
        if not isinstance(result, Parameter):
            raise AttributeError(f"`{name}` is not an nn.Parameter")
        return result

    def get_buffer(self, target: str) -> Tensor:
        """Return the buffer at a path.

        Args:
            target: a path such as "encoder.2.running_mean".

        Returns:
            The buffer.

        Raises:
            AttributeError: there is no buffer at the path.

        >>> torch.nn.BatchNorm1d(2).get_buffer("running_mean")
        tensor([0., 0.])
        """
        module, name, value = self._member(target)
        if name not in module._buffers:
            raise AttributeError(f"`{name}` is not a buffer")
        buffer: Tensor = value
        return buffer

    def apply(self, fn: Callable[[Module], Any]) -> Self:
        """Call a function with every module below, children before parents, then with this one.

        Args:
            fn: the function.

        Returns:
            The module itself.

        >>> _ = torch.nn.Sequential(torch.nn.ReLU()).apply(lambda module: print(type(module).__name__))
        ReLU
        Sequential
        """
        for module in self.children():
            module.apply(fn)
        fn(self)  # type: ignore[arg-type]
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Clear the gradients of all parameters.

        Args:
            set_to_none: whether they become None rather than zeros.

        >>> layer = torch.nn.Linear(3, 2)
        >>> layer(torch.ones(3)).sum().backward()
        >>> layer.zero_grad()
        >>> layer.weight.grad is None
        True
        """
        if self.__dict__.get("_is_replica"):
            warnings.warn(
                "Calling .zero_grad() from a module created with nn.DataParallel() has no effect: its parameters are copies.",
                stacklevel=2,
            )
        for parameter in self.parameters():
            g = parameter._grad
            if g is None or set_to_none:
                parameter._grad = None
            else:
                parameter._grad = (g.detach() if g.node is not None else g.requires_grad_(False)).zero_()
