"""Serves a page on which lamina trains in the browser, by way of Pyodide, which is CPython as WebAssembly.

    python examples/browser/serve.py PYODIDE

PYODIDE is a folder with Pyodide's full distribution, which has NumPy. lamina's wheels are built of this clone.
"""

import argparse
import http.server
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

HERE = Path(__file__).parent
PACKAGES = HERE.parents[1] / "packages"
LAYERS = ("flatarray", "ndarray", "tensor", "nn", "lamina")


class Page(http.server.SimpleHTTPRequestHandler):
    """Files of this folder, and of two others under /pyodide and /wheels."""

    def __init__(self, *request, pyodide, wheels):
        self.folders = {"pyodide": pyodide, "wheels": wheels}
        super().__init__(*request, directory=HERE)

    def translate_path(self, path):
        """The file of an address."""
        first, _, rest = path.removeprefix("/").partition("/")
        self.directory = str(self.folders.get(first, HERE))
        return super().translate_path(rest if first in self.folders else path)

    def log_message(self, *_):
        """Say nothing."""


def main(arguments=None):
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("pyodide", type=Path)
    options.add_argument("--port", type=int, default=8000)
    chosen = options.parse_args(arguments)
    if not list(chosen.pyodide.glob("numpy-*.whl")):
        raise SystemExit(f"{chosen.pyodide} has no wheel of NumPy: it is to be Pyodide's full distribution")
    with tempfile.TemporaryDirectory() as folder:
        wheels = Path(folder)
        wheel = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder]
        for layer in LAYERS:
            print(f"building {layer}", flush=True)
            subprocess.run([*wheel, str(PACKAGES / layer)], check=True)
        subprocess.run([*wheel, "pluggy"], check=True)
        (wheels / "names.txt").write_text("\n".join(sorted(wheel.name for wheel in wheels.glob("*.whl"))))
        with http.server.ThreadingHTTPServer(("127.0.0.1", chosen.port), partial(Page, pyodide=chosen.pyodide, wheels=wheels)) as server:
            print(f"open http://127.0.0.1:{server.server_port}/ and end with Ctrl-C", flush=True)
            server.serve_forever()


if __name__ == "__main__":
    main()
