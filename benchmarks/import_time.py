"""How long `import lamina` takes beside `import numpy`, each in fresh processes in turn: the fastest of many counts.

Run: python benchmarks/import_time.py
"""

import os
import subprocess
import sys
import time

ROUNDS = 20


def seconds(module):
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    begin = time.perf_counter()
    subprocess.run([sys.executable, "-c", f"import {module}"], check=True, env=environment)
    return time.perf_counter() - begin


def main():
    best = {"sys": float("inf"), "numpy": float("inf"), "lamina": float("inf")}
    for _ in range(ROUNDS):
        for module in best:
            best[module] = min(best[module], seconds(module))
    numpy, lamina = (best[name] - best["sys"] for name in ("numpy", "lamina"))
    print(f"import numpy {numpy * 1e3:.0f} ms, import lamina {lamina * 1e3:.0f} ms: {(lamina - numpy) * 1e3:+.0f} ms")


if __name__ == "__main__":
    main()
