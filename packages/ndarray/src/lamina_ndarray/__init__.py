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
    finfo,
    float16,
    float32,
    float64,
    iinfo,
    int8,
    int16,
    int32,
    int64,
    promote_types,
    result_type,
    uint8,
    uint16,
    uint32,
    uint64,
)

from . import compositions as _compositions
from . import fft, linalg, special
from . import in_place_compositions as _in_place_compositions
from . import operators as _operators
from . import order_compositions as _order_compositions
from .array import NDArray
from .complex_parts import conj, imag, make_complex, real
from .conversion import astype, to_device
from .counting import *
from .creation import *
from .differences import *
from .elementwise import FUNCTIONS as _ELEMENTWISE
from .gathering import gather, scatter, scatter_add
from .joining import concat, stack
from .layout import Layout
from .namespace import composite, namespace
from .order_statistics import *
from .printing import get_printoptions, set_printoptions
from .products import linear, matmul
from .random import *
from .reductions import *
from .regions import put_region, region, without_region
from .scans import *
from .searching import *
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
from .sets import *
from .softmax import log_softmax, softmax
from .sorting import *
from .statistics import *
from .views import *

globals().update(_ELEMENTWISE)
