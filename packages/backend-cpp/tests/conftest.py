"""Makes `native_operands`, the stand-in for arrays that these tests share, importable."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
