"""PyTorch's `torch.utils.data.dataloader`."""

from lamina_nn.data import DataLoader, default_collate, default_convert, get_worker_info
