"""PyTorch's `torch.nn.attention.flex_attention`: its class of masks, for `isinstance` and annotations; the functions are refused.

They are written for PyTorch's compiler, which makes a kernel of the program's function.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from lamina_tensor import Tensor

from ...absent_names import explained

__all__ = ["AuxRequest", "BlockMask", "create_block_mask", "flex_attention"]

_DEFAULT_SPARSE_BLOCK_SIZE = 128


class BlockMask:
    """PyTorch's class of masks in blocks, for `isinstance` and annotations; none is made here.

    Args:
        seq_lengths, kv_num_blocks, kv_indices, full_kv_num_blocks, full_kv_indices, q_num_blocks, q_indices, full_q_num_blocks,
            full_q_indices, BLOCK_SIZE, mask_mod, dq_write_order, dq_write_order_full, dq_kv_order, dq_kv_order_spt: as in PyTorch.

    Raises:
        NotImplementedError: whenever one is to be made; `torch.nn.functional.scaled_dot_product_attention` takes any mask.

    >>> isinstance(torch.ones(2), torch.nn.attention.flex_attention.BlockMask)
    False
    """

    def __init__(
        self, seq_lengths: tuple[int, int], kv_num_blocks: Tensor, kv_indices: Tensor, full_kv_num_blocks: Tensor | None,
        full_kv_indices: Tensor | None, q_num_blocks: Tensor | None, q_indices: Tensor | None, full_q_num_blocks: Tensor | None,
        full_q_indices: Tensor | None, BLOCK_SIZE: tuple[int, int] = (_DEFAULT_SPARSE_BLOCK_SIZE, _DEFAULT_SPARSE_BLOCK_SIZE),
        mask_mod: Callable[..., Tensor] | None = None, *, dq_write_order: Tensor | None = None,
        dq_write_order_full: Tensor | None = None, dq_kv_order: Tensor | None = None, dq_kv_order_spt: bool | None = None,
    ) -> None:  # fmt: skip
        raise NotImplementedError(
            "torch.nn.attention.flex_attention.BlockMask: there are no masks in blocks here; "
            "torch.nn.functional.scaled_dot_product_attention takes any mask"
        )


class AuxRequest(NamedTuple):
    """What PyTorch's `flex_attention` is to return beside the result.

    Args:
        lse: whether the logarithms of the sums are wanted.
        max_scores: whether the greatest scores are.

    >>> torch.nn.attention.flex_attention.AuxRequest().lse
    False
    """

    lse: bool = False
    max_scores: bool = False


def create_block_mask(
    mask_mod: Any, B: int | None, H: int | None, Q_LEN: int, KV_LEN: int, device: Any = None, BLOCK_SIZE: Any = 128,
    _compile: bool = False, separate_full_blocks: bool = True, compute_dq_write_order: bool = False, dq_kv_order: bool = True,
) -> NoReturn:  # fmt: skip
    """Refuse to make a mask in blocks.

    Args:
        mask_mod, B, H, Q_LEN, KV_LEN, device, BLOCK_SIZE, _compile, separate_full_blocks, compute_dq_write_order,
            dq_kv_order: as in PyTorch.

    Returns:
        Never.

    Raises:
        NotImplementedError: always; `torch.nn.functional.scaled_dot_product_attention` takes any mask.

    >>> try:
    ...     torch.nn.attention.flex_attention.create_block_mask(None, 1, 1, 2, 2)
    ... except NotImplementedError:
    ...     print("refused")
    refused
    """
    raise NotImplementedError(
        "torch.nn.attention.flex_attention.create_block_mask: there are no masks in blocks here; "
        "torch.nn.functional.scaled_dot_product_attention takes any mask"
    )


def flex_attention(
    query: Any, key: Any, value: Any, score_mod: Any = None, block_mask: Any = None, scale: float | None = None,
    enable_gqa: bool = False, return_lse: bool = False, kernel_options: Any = None, *, return_aux: Any = None,
) -> NoReturn:  # fmt: skip
    """Refuse to compute attention whose scores a function changes.

    Args:
        query, key, value, score_mod, block_mask, scale, enable_gqa, return_lse, kernel_options, return_aux: as in PyTorch.

    Returns:
        Never.

    Raises:
        NotImplementedError: always; `torch.nn.functional.scaled_dot_product_attention` takes any mask.

    >>> try:
    ...     torch.nn.attention.flex_attention.flex_attention(None, None, None)
    ... except NotImplementedError:
    ...     print("refused")
    refused
    """
    raise NotImplementedError(
        "torch.nn.attention.flex_attention.flex_attention: no kernel is made of a program's function here; "
        "torch.nn.functional.scaled_dot_product_attention takes any mask"
    )


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
