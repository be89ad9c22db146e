"""Probability distributions: samples, with gradients where there are, log-probabilities, moments and divergences."""

from . import constraints, cross_divergence, transforms
from .categories import *
from .cauchy import Cauchy
from .constraint_registry import biject_to, transform_to
from .continuous_bernoulli import ContinuousBernoulli
from .distribution import Distribution
from .divergence import kl_divergence, register_kl
from .elementwise_transforms import *
from .exponential_family import ExponentialFamily
from .fisher_snedecor import FisherSnedecor
from .gamma_family import *
from .generalized_pareto import GeneralizedPareto
from .independent import Independent
from .joined_transforms import *
from .location_scale import *
from .low_rank_normal import LowRankMultivariateNormal
from .made_of_others import *
from .matrices import *
from .mixture import MixtureSameFamily
from .multivariate_normal import MultivariateNormal
from .relaxed import *
from .transformed_distribution import TransformedDistribution
from .transforms import *
from .trials import *
from .vector_transforms import *
from .von_mises import VonMises
from .waiting import *

__all__ = [name for name, value in globals().items() if name[0] != "_" and type(value) is not type(constraints)]
