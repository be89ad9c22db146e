"""PyTorch's module path `torch.utils.data.dataloader`, kept for programs that import it."""

from lamina_nn.data import DataLoader, default_collate, default_convert, get_worker_info

from ...absent_names import explained as _explained

_explained(globals())
