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

from . import compositions as _compositions
from . import fft, linalg, special
from . import operators as _operators
from .activations import where_finite
from .array import NDArray
from .array_api_names import *
from .batching import all_slices
from .binary_parts import *
from .broadcast import broadcast_shapes
from .buffers import *
from .closeness import *
from .complex_parts import *
from .contractions import *
from .conversion import astype, to_device
from .convolutions import *
from .counting import *
from .covariance import *
from .creation import *
from .differences import *
from .distances import cdist, dist
from .distributions import *
from .einsum import *
from .elementwise import FUNCTIONS as _ELEMENTWISE
from .elementwise_composites import *
from .explaining import explain, explain_layout
from .finding import *
from .flat_positions import *
from .fourier import *
from .gathering import gather, scatter, scatter_add, scatter_reduce, take_along_axis
from .index_family import *
from .inspection import __array_namespace_info__, can_cast, finfo, iinfo, isdtype, result_type
from .integration import *
from .joining import *
from .layout import Layout
from .masking import *
from .namespace import API_VERSION as __array_api_version__
from .namespace import composite, namespace
from .order_statistics import *
from .padding import *
from .patching import *
from .pooling import *
from .printing import get_printoptions, set_printoptions
from .products import linear, matmul
from .random import *
from .rearranging import *
from .reductions import *
from .regions import put_region, region, without_region
from .resampling import *
from .scans import *
from .searching import *
from .selection import getitem, index_put, new_zeros, one_hot_positions, put_into_zeros, setitem
from .sets import *
from .short_time_fourier import *
from .softmax import log_softmax, log_softmax_gradient, softmax, softmax_gradient
from .sorting import *
from .spaces import *
from .special import logit, multigammaln
from .splitting import *
from .statistics import *
from .tensor_products import *
from .triangles import *
from .vector_lengths import *
from .views import *
from .windows import *

globals().update(_ELEMENTWISE)

newaxis = None
