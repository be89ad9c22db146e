"""Makes the data sets importable by name, in this process and in those of workers."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
