"""The layers, by kind."""

from .activation import *
from .adaptive_pooling import *
from .adaptive_softmax import *
from .attention import *
from .batch_normalization import *
from .classification_losses import *
from .convolution import *
from .data_parallel import *
from .distance import *
from .dropout import *
from .embedding import *
from .lazy import *
from .lazy_convolution import *
from .linear import *
from .module_containers import *
from .normalization import *
from .padding import *
from .parameter_containers import *
from .pooling import *
from .ranking_losses import *
from .recurrent import *
from .recurrent_cells import *
from .regression_losses import *
from .resampling import *
from .reshaping import *
from .transformer import *
from .transformer_layers import *

__all__ = [name for name in dir() if name[0].isupper()]  # the files of the kinds are in lower case
