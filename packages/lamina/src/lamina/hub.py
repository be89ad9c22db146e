"""PyTorch's `torch.hub`: models by the `hubconf.py` of a local folder, and state dicts by their URL; repositories are not fetched."""

from __future__ import annotations

import hashlib
import os
import re
import sys
from contextlib import closing
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, NoReturn
from urllib.parse import urlparse
from urllib.request import Request, urlopen

from lamina_ndarray.files.replacing import replacing
from lamina_nn.files import load as _load_file

from .absent_names import explained
from .programs.importing import Loader
from .serialization import MAP_LOCATION

__all__ = ["download_url_to_file", "get_dir", "help", "list", "load", "load_state_dict_from_url", "set_dir", "tqdm"]

HASH_REGEX: Final = re.compile(r"-([a-f0-9]*)\.")
"""Where PyTorch's names of files have the beginning of their SHA-256."""

_BLOCK: Final = 1 << 17
_dir: Path | None = None


class tqdm:
    """Count what is done, and show nothing: torchvision takes it from here, with PyTorch the package tqdm's where that is installed.

    Args:
        total: how much there is to do.
        disable: accepted; nothing is shown.
        unit: accepted; nothing is shown.
        args: accepted; nothing is shown.
        kwargs: accepted; nothing is shown.

    Attributes:
        n: how much is done.

    >>> with torch.hub.tqdm(total=3) as bar:
    ...     bar.update(2)
    >>> bar.n, bar.total
    (2, 3)
    """

    def __init__(self, total: Any = None, disable: bool = False, unit: Any = None, *args: Any, **kwargs: Any) -> None:
        self.total, self.disable, self.unit, self.n = total, disable, unit, 0

    def update(self, n: int) -> None:
        """Count further.

        Args:
            n: how much more is done.

        >>> torch.hub.tqdm(total=3).update(1)
        """
        self.n += n

    def set_description(self, *args: Any, **kwargs: Any) -> None:
        """Accept a text; nothing is shown.

        Args:
            args, kwargs: the text, and how it would be shown.

        >>> torch.hub.tqdm().set_description("reading")
        """

    def close(self) -> None:
        """End: there is nothing to end.

        >>> torch.hub.tqdm().close()
        """

    def __enter__(self) -> tqdm:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def get_dir() -> str:
    """Tell in which folder files of models are kept: `set_dir`'s; else `hub` in the folder that TORCH_HOME names, or in `torch`
    in the user's cache.

    Returns:
        The path, whether it is there or not.

    >>> torch.hub.get_dir().endswith("hub")
    True
    """
    return str(_dir if _dir is not None else Path(_get_torch_home(), "hub"))


def set_dir(d: str | os.PathLike[str]) -> None:
    """Keep files of models in another folder from now on.

    Args:
        d: the folder.

    >>> before = torch.hub.get_dir()
    >>> torch.hub.set_dir("models")
    >>> torch.hub.get_dir()
    'models'
    >>> torch.hub.set_dir(before)
    """
    global _dir
    _dir = Path(d).expanduser()


def _get_torch_home() -> str:
    cache = os.getenv("XDG_CACHE_HOME", "~/.cache")
    return str(Path(os.getenv("TORCH_HOME", Path(cache, "torch"))).expanduser())


def _refuse_repository(function: str, repository: Any) -> NoReturn:
    raise NotImplementedError(
        f"torch.hub.{function}: {repository!r} is a repository, and none is fetched; clone it, and say source='local'"
    )


def load(
    repo_or_dir: Any, model: str, *args: Any, source: str = "github", trust_repo: Any = None, force_reload: bool = False,
    verbose: bool = True, skip_validation: bool = False, **kwargs: Any,
) -> Any:  # fmt: skip
    """Call an entry point of a folder's `hubconf.py`, in which `torch` means lamina.

    Args:
        repo_or_dir: the folder.
        model: the name of a function in its `hubconf.py`.
        *args: arguments for the function.
        source: "local"; "github", which fetches a repository, is refused.
        trust_repo, force_reload, verbose, skip_validation: of repositories; accepted.
        **kwargs: keyword arguments for the function.

    Returns:
        What the function returns.

    Raises:
        ValueError: there is no such source.
        NotImplementedError: a repository is to be fetched.
        FileNotFoundError: the folder has no `hubconf.py`.
        RuntimeError: it has no such function, or a package is missing that it lists in `dependencies`.

    >>> from pathlib import Path
    >>> _ = Path("hubconf.py").write_text("import torch\\ndef line(n):\\n    return torch.nn.Linear(n, 1)\\n")
    >>> torch.hub.load(".", "line", 3, source="local")
    Linear(in_features=3, out_features=1, bias=True)
    """
    if source not in ("github", "local"):
        raise ValueError(f"torch.hub.load: source must be 'github' or 'local', not {source!r}")
    if source == "github":
        _refuse_repository("load", repo_or_dir)
    with _described(repo_or_dir) as module:
        return _entry(module, model)(*args, **kwargs)


def list(
    github: Any, force_reload: bool = False, skip_validation: bool = False, trust_repo: Any = None, verbose: bool = True
) -> NoReturn:
    """Refuse to fetch a repository, whose entry points PyTorch lists.

    Args:
        github: the repository.
        force_reload, skip_validation, trust_repo, verbose: as in PyTorch.

    Raises:
        NotImplementedError: always.

    >>> torch.hub.list("pytorch/vision")
    Traceback (most recent call last):
    ...
    NotImplementedError: torch.hub.list: 'pytorch/vision' is a repository, and none is fetched; clone it, and say source='local'
    """
    _refuse_repository("list", github)


def help(github: Any, model: str, force_reload: bool = False, skip_validation: bool = False, trust_repo: Any = None) -> NoReturn:
    """Refuse to fetch a repository, of which PyTorch tells the docstring of an entry point.

    Args:
        github: the repository.
        model: the entry point.
        force_reload, skip_validation, trust_repo: as in PyTorch.

    Raises:
        NotImplementedError: always.

    >>> torch.hub.help("pytorch/vision", "resnet18")
    Traceback (most recent call last):
    ...
    NotImplementedError: torch.hub.help: 'pytorch/vision' is a repository, and none is fetched; clone it, and say source='local'
    """
    _refuse_repository("help", github)


class _described:
    """The module `hubconf` of a folder, which is searched for imports within the `with` block."""

    def __init__(self, folder: Any) -> None:
        self.folder = Path(folder).expanduser().resolve()

    def __enter__(self) -> ModuleType:
        file = self.folder / "hubconf.py"
        if not file.exists():
            raise FileNotFoundError(f"torch.hub.load: {self.folder} has no hubconf.py")
        spec = spec_from_file_location("hubconf", file, loader=Loader("hubconf", str(file)))
        assert isinstance(spec, ModuleSpec) and spec.loader is not None
        module = module_from_spec(spec)
        sys.path.insert(0, str(self.folder))
        try:
            spec.loader.exec_module(module)
            missing = [name for name in getattr(module, "dependencies", ()) if name != "torch" and find_spec(name) is None]
            if missing:
                raise RuntimeError(f"torch.hub.load: {file} wants packages that are not installed: {', '.join(missing)}")
        except BaseException:
            sys.path.remove(str(self.folder))
            raise
        return module

    def __exit__(self, *exception: object) -> None:
        sys.path.remove(str(self.folder))


def _entry(module: ModuleType, name: str) -> Any:
    function = getattr(module, name, None)
    if not callable(function):
        raise RuntimeError(f"torch.hub.load: {module.__file__} has no function {name!r}")
    return function


def download_url_to_file(url: str, dst: str, hash_prefix: str | None = None, progress: bool = True) -> None:
    """Copy what is at a URL to a file, whole or not at all.

    Args:
        url: the URL.
        dst: the file's path.
        hash_prefix: what its SHA-256 must begin with; None for no check.
        progress: accepted; nothing is shown.

    Raises:
        RuntimeError: the hash is another one. No file is written then.
        OSError: the URL cannot be read, or the file not written.

    >>> from pathlib import Path
    >>> _ = Path("there.txt").write_text("text")
    >>> torch.hub.download_url_to_file(Path("there.txt").resolve().as_uri(), "here.txt")
    >>> Path("here.txt").read_text()
    'text'
    """
    digest = hashlib.sha256()
    with closing(urlopen(Request(url, headers={"User-Agent": "lamina"}))) as there, replacing(dst) as file:
        while block := there.read(_BLOCK):
            digest.update(block)
            file.write(block)
        if hash_prefix is not None and not digest.hexdigest().startswith(hash_prefix):
            raise RuntimeError(f"torch.hub.download_url_to_file: {url} has the SHA-256 {digest.hexdigest()}, not {hash_prefix}...")


def load_state_dict_from_url(
    url: str, model_dir: str | None = None, map_location: MAP_LOCATION = None, progress: bool = True, check_hash: bool = False,
    file_name: str | None = None, weights_only: bool = False,
) -> dict[str, Any]:  # fmt: skip
    """Load the file at a URL, which is kept in a folder and copied there once.

    Args:
        url: the URL.
        model_dir: the folder; `checkpoints` in `get_dir()` for None.
        map_location: as in `torch.load`.
        progress: accepted; nothing is shown.
        check_hash: whether the file's name has the beginning of its SHA-256, as `name-0123abcd.pth`, which it is to have.
        file_name: what the file is called in the folder; as in the URL for None.
        weights_only: accepted; there is no other mode than True.

    Returns:
        What was saved.

    Raises:
        RuntimeError: the hash is another one.
        CheckpointError: the file is damaged, or holds what `torch.load` does not make.
        OSError: the URL cannot be read, or the file not written.

    >>> from pathlib import Path
    >>> torch.save({"weight": torch.ones(2)}, "model.pt")
    >>> torch.hub.load_state_dict_from_url(Path("model.pt").resolve().as_uri(), "kept")
    {'weight': tensor([1., 1.])}
    """
    folder = Path(get_dir(), "checkpoints") if model_dir is None else Path(model_dir)
    name = file_name or Path(urlparse(url).path).name
    file = folder / name
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        stated = HASH_REGEX.search(name) if check_hash else None
        download_url_to_file(url, str(file), stated[1] if stated else None, progress)
    return _load_file(file, map_location, weights_only=True)  # type: ignore[no-any-return]  # what files of state dicts hold


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
