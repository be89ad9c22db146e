"""Probability distributions: samples, with gradients where there are, log-probabilities, moments and divergences."""

from . import constraints, transforms
from .categories import *
from .distribution import Distribution
from .divergence import kl_divergence, register_kl
from .gamma_family import *
from .independent import Independent
from .location_scale import *
from .multivariate_normal import MultivariateNormal
from .transformed_distribution import TransformedDistribution
from .transforms import *
from .trials import *
