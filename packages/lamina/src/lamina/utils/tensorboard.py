"""PyTorch's module path `torch.utils.tensorboard`: tensorboardX's writer, if installed, which is given tensors as arrays."""

from __future__ import annotations

from typing import Any

from lamina_tensor import Tensor

try:
    from tensorboardX import SummaryWriter as _Writer
except ImportError as error:
    raise ImportError("torch.utils.tensorboard: there is no writer here; install one with: pip install tensorboardX") from error

__all__ = ["SummaryWriter"]


def _array(value: Any) -> Any:
    return value.detach().numpy(force=True) if isinstance(value, Tensor) else value


class SummaryWriter(_Writer):  # type: ignore[misc]  # which has no types
    """Writes what a run tells of itself, for TensorBoard: see tensorboardX's `SummaryWriter`."""

    def add_scalar(self, tag: str, scalar_value: Any, *args: Any, **kwargs: Any) -> None:
        """Write a number: a tensor of one item, or a number."""
        super().add_scalar(tag, _array(scalar_value), *args, **kwargs)

    def add_scalars(self, main_tag: str, tag_scalar_dict: dict[str, Any], *args: Any, **kwargs: Any) -> None:
        """Write several numbers, by name."""
        super().add_scalars(main_tag, {tag: _array(value) for tag, value in tag_scalar_dict.items()}, *args, **kwargs)

    def add_histogram(self, tag: str, values: Any, *args: Any, **kwargs: Any) -> None:
        """Write how the items of a tensor are distributed."""
        super().add_histogram(tag, _array(values), *args, **kwargs)

    def add_image(self, tag: str, img_tensor: Any, *args: Any, **kwargs: Any) -> None:
        """Write a picture, of shape (channels, height, width) unless `dataformats` says otherwise."""
        super().add_image(tag, _array(img_tensor), *args, **kwargs)

    def add_images(self, tag: str, img_tensor: Any, *args: Any, **kwargs: Any) -> None:
        """Write several pictures, of shape (count, channels, height, width) unless `dataformats` says otherwise."""
        super().add_images(tag, _array(img_tensor), *args, **kwargs)

    def add_video(self, tag: str, vid_tensor: Any, *args: Any, **kwargs: Any) -> None:
        """Write moving pictures, of shape (count, time, channels, height, width)."""
        super().add_video(tag, _array(vid_tensor), *args, **kwargs)

    def add_audio(self, tag: str, snd_tensor: Any, *args: Any, **kwargs: Any) -> None:
        """Write a sound, of shape (1, length), with items from -1 to 1."""
        super().add_audio(tag, _array(snd_tensor), *args, **kwargs)

    def add_embedding(self, mat: Any, metadata: Any = None, label_img: Any = None, *args: Any, **kwargs: Any) -> None:
        """Write points, of shape (count, dims), with what is shown for each."""
        super().add_embedding(_array(mat), metadata, _array(label_img), *args, **kwargs)

    def add_pr_curve(self, tag: str, labels: Any, predictions: Any, *args: Any, **kwargs: Any) -> None:
        """Write precision against recall, of labels and predictions of shape (count,)."""
        super().add_pr_curve(tag, _array(labels), _array(predictions), *args, **kwargs)

    def add_mesh(self, tag: str, vertices: Any, colors: Any = None, faces: Any = None, *args: Any, **kwargs: Any) -> None:
        """Write points in space, of shape (count, points, 3), with their colours and the triangles between them."""
        super().add_mesh(tag, _array(vertices), _array(colors), _array(faces), *args, **kwargs)

    def add_hparams(self, hparam_dict: dict[str, Any], metric_dict: dict[str, Any], *args: Any, **kwargs: Any) -> None:
        """Write the settings of a run, and what it reached with them."""
        metrics = {name: _array(value) for name, value in metric_dict.items()}
        super().add_hparams({name: _array(value) for name, value in hparam_dict.items()}, metrics, *args, **kwargs)
