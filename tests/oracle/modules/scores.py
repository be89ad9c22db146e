"""The scores of PyTorch's own databases of modules and optimizers, and of all schedules, printed together:

    cd tests/oracle && python -m modules.scores
"""

import warnings

from modules import module_database
from training import optimizers, schedules

if __name__ == "__main__":
    warnings.simplefilter("ignore")
    for storey in (module_database, optimizers, schedules):
        for line in storey.score():
            print(line, flush=True)
