"""Readers of local files, beside the data sets that they make."""

from lamina_nn.data.readers import *

from ...absent_names import explained as _explained

_explained(globals())
