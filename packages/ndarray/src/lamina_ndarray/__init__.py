"""lamina_ndarray: arrays of any shape over any backend, and no gradients.

`NDArray = FlatArray + Layout`. The names follow the Array API standard.
"""

from math import e, inf, nan, pi

from lamina_flatarray import (
    DType,
    bfloat16,
    bool,
    complex64,
    complex128,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    promote_types,
    uint8,
    uint16,
    uint32,
    uint64,
)

from . import decompositions as _compositions
from . import fft, linalg, special
from .array import NDArray
from .batching import all_slices
from .creation.buffers import *
from .creation.constructors import *
from .creation.conversion import astype, to_device
from .creation.distributions import *
from .creation.sampling import *
from .creation.spaces import *
from .creation.windows import *
from .dispatch.namespace import API_VERSION as __array_api_version__
from .dispatch.namespace import composite, namespace
from .elementwise.activations import where_finite
from .elementwise.binary_parts import *
from .elementwise.closeness import *
from .elementwise.complex_parts import *
from .elementwise.generic import *
from .elementwise.operations import FUNCTIONS as _ELEMENTWISE
from .explaining import explain, explain_layout
from .fft.operations import *
from .fft.short_time import *
from .indexing.flat_indices import *
from .indexing.gathering import gather, scatter, scatter_add, scatter_reduce, take_along_axis
from .indexing.index_select import *
from .indexing.masking import *
from .indexing.nonzero import *
from .indexing.selection import getitem, index_put, new_zeros, one_hot_positions, put_into_zeros, setitem
from .layers.convolutions import *
from .layers.pooling import *
from .layers.resampling import *
from .layouts.broadcast import broadcast_shapes
from .layouts.layout import Layout
from .layouts.patching import *
from .layouts.regions import put_region, region, without_region
from .printing import get_printoptions, set_printoptions
from .products.contractions import *
from .products.distances import cdist, dist
from .products.einsum import *
from .products.matmul import linear, matmul
from .products.tensor_products import *
from .reductions.covariance import *
from .reductions.differences import *
from .reductions.folds import *
from .reductions.integration import *
from .reductions.order_statistics import *
from .reductions.scans import *
from .reductions.softmax import log_softmax, log_softmax_gradient, softmax, softmax_gradient
from .reductions.statistics import *
from .reductions.vector_lengths import *
from .shapes.joining import *
from .shapes.padding import *
from .shapes.rearranging import *
from .shapes.splitting import *
from .shapes.triangles import *
from .shapes.views import *
from .sorting.counting import *
from .sorting.order import *
from .sorting.searching import *
from .sorting.sets import *
from .special import logit, multigammaln
from .standard.inspection import __array_namespace_info__, can_cast, finfo, iinfo, isdtype, result_type
from .standard.names import *

globals().update(_ELEMENTWISE)

newaxis = None
