"""Show what a file of tensors holds, without executing it: .pt, .safetensors, .gguf, .onnx, .npy, .npz."""

from __future__ import annotations

import json
import math
import sys
from argparse import ArgumentParser, Namespace

__all__ = ["arguments", "command"]

_WIDEST = 100


def arguments(parser: ArgumentParser) -> None:
    """Say what `lamina summary` takes.

    Args:
        parser: the subcommand's own.
    """
    parser.add_argument("file", help="the file; its first bytes say what it is")
    parser.add_argument("--json", action="store_true", help="print everything as JSON, uncut")


def command(options: Namespace) -> int:
    """Print the tensors of a file, their sum, and what stands beside them.

    Args:
        options: what `arguments` asked for.

    Returns:
        1 if the file cannot be read.
    """
    from lamina_flatarray import CheckpointError

    from .file_contents import contents
    from .tables import show

    try:
        found = contents(options.file)
    except (CheckpointError, ModuleNotFoundError, OSError) as error:
        print(f"lamina summary: {error}", file=sys.stderr)
        return 1
    if options.json:
        tensors = [stored._asdict() for stored in found.tensors]
        print(json.dumps({"format": found.format, "tensors": tensors, "about": found.about}, indent=1))
        return 0
    print(f"{options.file}: {found.format}")
    for name, text in found.about.items():
        print(f"  {name}: {text if len(text) <= _WIDEST else text[:_WIDEST] + ' ...'}")
    rows = [
        (stored.name, stored.dtype, " x ".join(map(str, stored.shape)) or "()", "" if stored.nbytes is None else f"{stored.nbytes:,}")
        for stored in found.tensors
    ]
    if rows:
        show(("tensor", "dtype", "shape", "bytes"), rows, numbers=(3,))
    items = sum(math.prod(stored.shape) for stored in found.tensors)
    print(f"tensors: {len(rows)}, items: {items:,}, bytes: {sum(stored.nbytes or 0 for stored in found.tensors):,}")
    return 0
