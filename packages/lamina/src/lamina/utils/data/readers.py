"""Readers of local files, beside the data sets that they make."""

from lamina_nn.data.readers import *
