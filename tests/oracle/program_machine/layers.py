"""Steps that call what layers are made of: convolutions, pools, norms, resizing, attention and losses."""

from __future__ import annotations

from .positions import places
from .writer import Writer, step

REDUCTIONS = ("mean", "sum", "none")


def _is_inexact(t: object) -> bool:
    return "float" in str(getattr(t, "dtype", ""))


@step(3)
def a_layer(w: Writer) -> str | None:
    """A layer of tensors of any shape."""
    x = w.pick(lambda t: t.ndim > 1 and _is_inexact(t))
    if x is None:
        return None
    t = w.values[x]
    shape = tuple(t.shape)
    weight = w.pick(lambda u: u.ndim == 1 and u.shape[0] == shape[-1] and u.dtype == t.dtype)
    ways = [
        f"F.layer_norm({x}, ({shape[-1]},){f', {weight}' if weight else ''})",
        f"F.rms_norm({x}, ({shape[-1]},))",
        f"F.normalize({x}, dim={w.axis(t)})",
        f"F.pad({x}, (1, {w.one((0, 1, 2, -1))}))",
        f"F.pad({x}, (0, 1, {w.one((1, 0))}, 1), value=2)",
        f"F.glu({x}, {w.axis(t)})",
        f"F.pairwise_distance({x}, {x} * 0.5)",
        f"F.cosine_similarity({x}, {x} * {x} + 1, dim={w.axis(t)})",
        f"F.one_hot(torch.tensor([0, 2, 1]), 3).to({x}.dtype)",
        f"F.linear({x}, {x}.reshape(-1, {shape[-1]})[:2] * 0.5, {x}.reshape(-1)[:2])",
        f"F.prelu({x}, {x}.reshape(-1)[:1])",
        f"F.softmin({x}, {w.axis(t)})",
        f"F.threshold({x}, 0.1137, 3)",
        f"F.local_response_norm({x}, 2)",
        f"F.instance_norm({x})",
        f"F.scaled_dot_product_attention({x}, {x} * 0.5, {x} + 1{w.one(('', ', is_causal=True'))})",
    ]
    if shape[-1]:
        ways += [f"F.bilinear({x}, {x}, {x}.new_ones(2, {shape[-1]}, {shape[-1]}))"]
    return f"{w.name()} = {w.one(ways)}"


@step(4)
def a_layer_of_images(w: Writer) -> str | None:
    """A layer of images or of sequences, in whatever order their memory is."""
    x = w.pick(lambda t: t.ndim in (3, 4) and _is_inexact(t) and 0 not in t.shape)
    if x is None:
        return None
    t = w.values[x]
    channels = t.shape[1]
    statistics = w.one(("None, None", f"{x}.new_zeros({channels}), {x}.new_ones({channels})"))
    training = "training=True" if "None" in statistics else f"training={w.chance(50)}"
    ways = [f"F.batch_norm({x}, {statistics}, {training})", f"F.group_norm({x}, {w.one((1, channels))})", f"F.instance_norm({x})"]
    ways += [f"F.dropout1d({x}, 0.5)" if t.ndim == 3 else f"F.dropout2d({x}, 0.5)"]
    if t.ndim == 3:
        ways += [
            f"F.conv1d({x}, {x}[:{w.one((1, 2))}, :, :1], padding={w.one((0, 1))})",
            f"F.conv_transpose1d({x}, {x}[:1].transpose(0, 1)[:, :, :2], stride={w.one((1, 2))})",
            f"F.max_pool1d({x}, {w.one((1, 2))}, padding=0)",
            f"F.avg_pool1d({x}, {w.one((1, 2))})",
            f"F.interpolate({x}, size=3, mode='{w.one(('nearest', 'linear'))}')",
            f"F.adaptive_max_pool1d({x}, 2)",
            f"F.pad({x}, (1, 1), mode='{w.one(('replicate', 'circular', 'reflect'))}')",
        ]
    else:
        ways += [
            f"F.conv2d({x}, {x}[:1])",
            f"F.conv2d({x}, {x}[:{w.one((1, 2))}, :, :1, :1], padding={w.one((0, 1))}, stride={w.one((1, 2))})",
            f"F.conv2d({x}, {x}[:1, :1].expand({channels}, 1, -1, -1)[..., :1], groups={channels})",
            f"F.conv_transpose2d({x}, {x}[:1].transpose(0, 1), stride={w.one((1, 2))})",
            f"F.max_pool2d({x}, 2, {w.one((1, 2))}, {w.one((0, 1))})",
            f"F.max_pool2d({x}, 2, return_indices=True)[1]",
            f"F.avg_pool2d({x}, {w.one((1, 2))}, padding=0, count_include_pad={w.chance(50)})",
            f"F.lp_pool2d({x}, 2, 2)",
            f"F.adaptive_avg_pool2d({x}, {w.one((1, 2))})",
            f"F.adaptive_max_pool2d({x}, {w.one((1, 2))})",
            f"F.interpolate({x}, scale_factor=2, mode='{w.one(('nearest', 'bilinear', 'bicubic', 'area', 'nearest-exact'))}')",
            f"F.interpolate({x}, size=(3, {w.one((1, 5))}), mode='bilinear', align_corners={w.chance(50)})",
            f"F.unfold({x}, {w.one((1, 2))})",
            f"F.pixel_unshuffle({x}, {w.one((1, 2))})",
            f"F.grid_sample({x}, {x}[:, :1, :, :1].expand(-1, 2, -1, 2).permute(0, 2, 1, 3) * 0.3, align_corners=False)",
            f"F.channel_shuffle({x}, {w.one((1, channels))})",
            f"F.pad({x}, (1, 0, 0, 1), mode='{w.one(('replicate', 'circular', 'reflect'))}')",
        ]
    way = w.one(ways)
    if "F.conv" in way and t.element_size() == 2:
        return None  # how these lie in memory is, in PyTorch, the affair of the library that the processor has for them
    if "F.conv" in way and t.ndim == 3 and t.shape[2] == 1 and t.stride(2) != 1:
        return None  # the stride of a dim of one item tells their order, and may be another here
    return f"{w.name()} = {way}"


@step(3)
def a_loss(w: Writer) -> str | None:
    """A loss, of all items or one by one."""
    x = w.pick(lambda t: t.ndim > 0 and _is_inexact(t))
    if x is None:
        return None
    t = w.values[x]
    y = w.operand(tuple(t.shape))
    other = y if y in w.values else f"{x} * 0.3"
    target = other if other != y or w.values[y].dtype == t.dtype else f"{y}.to({x}.dtype)"
    reduced = f", reduction='{w.one(REDUCTIONS)}'"
    ways = [
        f"F.mse_loss({x}, {other}{reduced})",
        f"F.l1_loss({x}, {other}{reduced})",
        f"F.smooth_l1_loss({x}, {other}{reduced}, beta={w.one((0.0, 0.5, 1.0))})",
        f"F.huber_loss({x}, {other}{reduced})",
        f"F.binary_cross_entropy({x}.sigmoid(), ({target}).sigmoid(){reduced})",
        f"F.binary_cross_entropy_with_logits({x}, ({target}).sigmoid(){reduced})",
        f"F.kl_div({x}, ({target}).sigmoid(){reduced})",
        f"F.poisson_nll_loss({x}, {target}{reduced})",
        f"F.soft_margin_loss({x}, ({target}).sign(){reduced})",
        f"F.hinge_embedding_loss({x}, torch.ones_like({x}){reduced})",
        f"F.gaussian_nll_loss({x}, {target}, {x} * {x} + 1{reduced})",
    ]
    if t.ndim > 1 and t.shape[0] and t.shape[1]:
        labels = places(w, t.shape[1], t.shape[0])
        ways += [
            f"F.cross_entropy({x}, {labels}{reduced}{w.one(('', ', label_smoothing=0.1', ', ignore_index=0'))})",
            f"F.cross_entropy({x}, {x}.detach().softmax(1){reduced})",
            f"F.nll_loss({x}, {labels}{reduced}{w.one(('', ', ignore_index=0'))})",
            f"F.multi_margin_loss({x}, {labels}{reduced})",
            f"F.margin_ranking_loss({x}, {target}, torch.ones_like({x}){reduced})",
            f"F.triplet_margin_loss({x}, {target}, {x} * {x}{reduced})",
            f"F.cosine_embedding_loss({x}, {target}, torch.ones({t.shape[0]}){reduced})",
        ]
    return f"{w.name()} = {w.one(ways)}"
