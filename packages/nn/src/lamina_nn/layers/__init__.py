"""The layers, by kind."""

from .activation import GELU, Dropout, Flatten, Identity, LogSoftmax, ReLU, Sigmoid, SiLU, Softmax, Softplus, Tanh
from .attention import MultiheadAttention
from .container import ModuleDict, ModuleList, Sequential
from .embedding import Embedding, EmbeddingBag
from .linear import Linear
from .loss import BCEWithLogitsLoss, CrossEntropyLoss, L1Loss, MSELoss, NLLLoss
from .recurrent import GRU, LSTM, RNN, RNNBase
from .recurrent_cells import GRUCell, LSTMCell, RNNCell, RNNCellBase
from .transformer import Transformer, TransformerDecoder, TransformerEncoder
from .transformer_layers import TransformerDecoderLayer, TransformerEncoderLayer

__all__ = [
    "BCEWithLogitsLoss", "CrossEntropyLoss", "Dropout", "Flatten", "GELU", "Identity", "L1Loss", "Linear",
    "LogSoftmax", "MSELoss", "ModuleDict", "ModuleList", "NLLLoss", "ReLU", "Sequential", "SiLU", "Sigmoid", "Softmax",
    "Softplus", "Tanh",
    "Embedding", "EmbeddingBag", "GRU", "GRUCell", "LSTM", "LSTMCell", "MultiheadAttention", "RNN", "RNNBase", "RNNCell",
    "RNNCellBase", "Transformer", "TransformerDecoder", "TransformerDecoderLayer", "TransformerEncoder",
    "TransformerEncoderLayer",
]  # fmt: skip
