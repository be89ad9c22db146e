"""Makes `known_answers_from_torch`, which also writes the published answers, importable."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
