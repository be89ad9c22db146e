"""Random numbers: generators, and the fills that turn their draws into distributions."""

from ..errors import RandomError
from .choices import multinomial, permutation
from .fills import bernoulli, cauchy, exponential, geometric, random_full, random_integers, uniform
from .generator import DEFAULT_SEED, Generator, default_generator
from .mt19937 import MT19937, MTState
from .normal import log_normal, normal
from .philox import Philox, philox4x32

__all__ = [
    "DEFAULT_SEED",
    "MT19937",
    "Generator",
    "MTState",
    "Philox",
    "RandomError",
    "bernoulli",
    "cauchy",
    "default_generator",
    "exponential",
    "geometric",
    "log_normal",
    "multinomial",
    "normal",
    "permutation",
    "philox4x32",
    "random_full",
    "random_integers",
    "uniform",
]
