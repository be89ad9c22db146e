"""How many checks of the public surface hold, by kind and by namespace.

python tests/surface/summary.py              the tables
python tests/surface/summary.py -v KIND      what each failing check of a kind says
python tests/surface/summary.py --write      known.toml anew, with the reasons that it has; new entries get --reason
"""

import argparse
import re
import sys
import warnings
from collections import Counter
from collections.abc import Callable

import catalogue
import ledger
from namespaces import subjects


def results() -> dict[ledger.Key, str | None]:
    """Every check, with its complaint or None."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {check.key: check.complaint() for check in catalogue.checks()}


def table(title: str, found: dict[ledger.Key, str | None], by: Callable[[ledger.Key], str]) -> str:
    """Counts of what holds, one row per value of `by`."""
    total = Counter(by(key) for key in found)
    holds = Counter(by(key) for key, complaint in found.items() if complaint is None)
    width = max(map(len, total))
    rows = [f"{title:{width}}  hold  of"]
    rows += [f"{row:{width}} {holds[row]:5} {count:5}" for row, count in total.items()]
    return "\n".join(rows)


def _module(key: ledger.Key) -> str:
    """The namespace, methods of a class counted with it; those of `torch.Tensor` by themselves."""
    path = key[1]
    return path if path == "torch.Tensor" else re.sub(r"(\.[A-Z]|\.return_types\.).*", "", path)


def line(found: dict[ledger.Key, str | None]) -> str:
    """The summary in one line."""
    total, holds = Counter(key[0] for key in found), Counter(key[0] for key, failed in found.items() if failed is None)
    kinds = ", ".join(f"{kind} {holds[kind]}/{count}" for kind, count in total.items())
    return f"surface: {holds.total()} of {total.total()} checks hold: {kinds}"


def write(found: dict[ledger.Key, str | None], reason: str) -> str:
    """Writes the ledger, and says what has changed in it."""
    before, _ = ledger.read()
    failing = {key: before.get(key, reason) for key, complaint in found.items() if complaint is not None}
    ledger.write(failing, dict(Counter(subject.namespace for subject in subjects())))
    added, gone = failing.keys() - before.keys(), before.keys() - failing.keys()
    said = [f"known.toml: {len(failing)} entries, {len(added)} of them new, {len(gone)} gone"]
    return "\n".join([*said, *(f"  new: {' '.join(key)}: {found[key]}" for key in sorted(added)[:20] if before)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write known.toml anew")
    parser.add_argument("--reason", default="not yet as PyTorch has it", help="the reason of entries that are new")
    parser.add_argument("-v", "--verbose", metavar="KIND", help="print each complaint of a kind, or of all")
    asked = parser.parse_args()
    found = results()
    print(
        table("kind", found, lambda key: key[0]),
        table("namespace", found, _module),
        sep="\n\n",
    )
    print("", line(found), sep="\n")
    if asked.verbose:
        for (kind, namespace, name), complaint in found.items():
            if complaint is not None and asked.verbose in (kind, "all"):
                print(f"{kind}: {namespace}.{name}: {complaint}")
    if asked.write:
        print(write(found, asked.reason))


if __name__ == "__main__":
    sys.exit(main())
