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
from . import hyperbolic_compositions as _hyperbolic_compositions
from . import in_place_compositions as _in_place_compositions
from . import operators as _operators
from . import sign_compositions as _sign_compositions
from .array import NDArray
from .array_api_names import *
from .binary_parts import *
from .broadcast import broadcast_shapes
from .buffers import *
from .closeness import *
from .complex_making import *
from .complex_parts import conj, imag, make_complex, real
from .conversion import astype, to_device
from .creation import *
from .distributions import *
from .elementwise import FUNCTIONS as _ELEMENTWISE
from .elementwise_composites import *
from .gathering import gather, scatter, scatter_add
from .inspection import __array_namespace_info__, can_cast, finfo, iinfo, isdtype, result_type
from .joining import concat, stack
from .layout import Layout
from .namespace import API_VERSION as __array_api_version__
from .namespace import composite, namespace
from .printing import get_printoptions, set_printoptions
from .products import linear, matmul
from .random import *
from .reductions import *
from .regions import put_region, region, without_region
from .selection import (
    getitem,
    index_add,
    new_zeros,
    nonzero,
    one_hot_positions,
    put_into_zeros,
    setitem,
    take,
    without_index,
)
from .softmax import log_softmax, softmax
from .sorting import argsort, sort
from .spaces import *
from .views import *

globals().update(_ELEMENTWISE)

newaxis = None
