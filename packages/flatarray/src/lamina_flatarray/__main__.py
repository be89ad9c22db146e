"""`python -m lamina_flatarray` calls the doctor."""

import sys

from .doctor import main

sys.exit(main())
