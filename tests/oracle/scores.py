"""The scores of PyTorch's own databases of modules and optimizers, and of all schedules, printed together:

    python tests/oracle/scores.py
"""

import warnings

import modules
import optimizers
import schedules

if __name__ == "__main__":
    warnings.simplefilter("ignore")
    for storey in (modules, optimizers, schedules):
        for line in storey.score():
            print(line, flush=True)
