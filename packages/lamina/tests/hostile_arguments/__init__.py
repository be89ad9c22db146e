"""Every public function of arrays and tensors, called as its documentation shows and with arguments that are spoilt at random.

`python -m hostile_arguments --count 100000 --seed 1`, in the folder above, on the backend that LAMINA_BACKEND names. Calls run in a child
that a crash, an endless loop or an error of a wrong kind ends or marks; each is made anew from its seed and number alone:
`--seed 1 --first 4711 --count 1` shows one.
"""

from . import calling, running
from .calling import Outcome, called
from .examples import Example, examples
from .running import Find, run
from .spoiling import spoilt

__all__ = ["Example", "Find", "Outcome", "called", "calling", "examples", "run", "running", "spoilt"]
