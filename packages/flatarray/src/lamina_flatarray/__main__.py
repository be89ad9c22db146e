"""`python -m lamina_flatarray` calls the doctor."""

import sys

from .backends.doctor import main

sys.exit(main())
