"""torchvision: its models for classification, boxes, and transforms; timm's models. Small pictures, random weights."""

import warnings
from copy import deepcopy

import numpy as np
import torch
from parts import each, tell

warnings.filterwarnings("ignore")

IMAGENET = {"googlenet": 64, "inception_v3": 96, "maxvit_t": 224, "swin": 64, "vit": 224}
FAMILIES = {
    "alexnet": "alexnet", "convnext": "convnext_tiny", "densenet": "densenet121", "efficientnet": "efficientnet_b0",
    "efficientnet_v2": "efficientnet_v2_s", "googlenet": "googlenet", "inception": "inception_v3", "mnasnet": "mnasnet0_5",
    "mobilenet_v2": "mobilenet_v2", "mobilenet_v3": "mobilenet_v3_small", "maxvit": "maxvit_t", "regnet": "regnet_y_400mf",
    "resnet": "resnet18", "resnext": "resnext50_32x4d", "shufflenet": "shufflenet_v2_x0_5", "squeezenet": "squeezenet1_1",
    "swin": "swin_t", "swin_v2": "swin_v2_t", "vgg": "vgg11_bn", "vit": "vit_b_32", "wide_resnet": "wide_resnet50_2",
}  # fmt: skip

TIMM = [
    "resnet10t", "resnetv2_18", "resnest14d", "vit_tiny_patch16_224", "deit_tiny_patch16_224", "convnext_atto", "convnextv2_atto",
    "efficientnet_b0", "efficientnet_lite0", "mobilenetv3_small_050", "mobilenetv4_conv_small_035", "mobileone_s0", "mixnet_s",
    "ghostnet_050", "lcnet_035", "regnetx_002", "regnety_002", "repvgg_a0", "densenet121", "dla34", "fbnetc_100", "hardcorenas_a",
    "levit_128s", "mobilevit_xxs", "edgenext_xx_small", "pit_ti_224", "poolformer_s12", "rexnet_100", "tinynet_e", "xcit_nano_12_p16_224",
]  # fmt: skip


def told(name, model, size, classes=10):
    """Of a model: what it answers in evaluation, and the gradients of one step in training, in float32 and in float64."""
    torch.manual_seed(1)
    x = torch.randn(2, 3, size, size)
    model.eval()
    with torch.no_grad():
        tell(name, "logits", model(x))
    model.train()
    state = deepcopy(model.state_dict())  # a step in training moves running means
    for part, dtype in {"gradients": torch.float32, "gradients in float64": torch.float64}.items():
        model.to(dtype).load_state_dict(state)
        model.zero_grad()
        torch.manual_seed(2)
        answer = model(x.to(dtype))
        torch.nn.functional.cross_entropy(answer if torch.is_tensor(answer) else answer[0], torch.tensor([1, 3])).backward()
        grads = [p.grad.flatten() for p in model.parameters() if p.grad is not None]
        tell(name, part, torch.stack([grad.norm() for grad in grads]))


def family(name):
    from torchvision import models

    model = FAMILIES[name.removeprefix("torchvision ")]
    torch.manual_seed(0)
    size = next((size for prefix, size in IMAGENET.items() if model.startswith(prefix)), 64)
    options = {"aux_logits": False, "init_weights": True} if model in ("googlenet", "inception_v3") else {}
    told(name, models.get_model(model, weights=None, num_classes=10, **options), size)


def of_timm(name):
    import timm

    torch.manual_seed(0)
    model = timm.create_model(name.removeprefix("timm "), pretrained=False, num_classes=10)
    told(name, model, model.default_cfg["input_size"][-1] if model.default_cfg.get("fixed_input_size") else 64)


def boxes(name):
    from torchvision import ops

    torch.manual_seed(0)
    corners = torch.rand(12, 2) * 20
    found = torch.cat([corners, corners + 1 + torch.rand(12, 2) * 10], 1)
    tell(name, "iou", ops.box_iou(found, found.flip(0)))
    tell(name, "generalized iou", ops.generalized_box_iou(found, found.flip(0)))
    tell(name, "converted", ops.box_convert(found, "xyxy", "cxcywh"))
    tell(name, "clipped", ops.clip_boxes_to_image(found, (16, 16)))
    logits = torch.randn(12).requires_grad_()
    loss = ops.sigmoid_focal_loss(logits, (logits > 0).float(), reduction="sum")
    loss.backward()
    tell(name, "focal loss", loss)
    tell(name, "its gradient", logits.grad)
    aligned = ops.roi_align.__wrapped__ if hasattr(ops.roi_align, "__wrapped__") else ops.roi_align
    pixels = torch.randn(2, 3, 16, 16).requires_grad_()
    pooled = aligned(pixels, [found[:6] / 2, found[6:] / 2], 4, 0.5, 2, True)
    pooled.pow(2).sum().backward()
    tell(name, "roi_align", pooled)
    tell(name, "gradient of roi_align", pixels.grad)


def suppresses(name):
    from torchvision import ops

    torch.manual_seed(0)
    corners = torch.rand(40, 2) * 20
    found, scores = torch.cat([corners, corners + 5 + torch.rand(40, 2) * 5], 1), torch.rand(40)
    tell(name, "kept", ops.nms(found, scores, 0.4))
    tell(name, "kept by class", ops.batched_nms(found, scores, torch.arange(40) % 3, 0.4))


def transforms(name):
    from torchvision import tv_tensors
    from torchvision.transforms import v2

    pixels = torch.from_numpy(np.random.default_rng(0).integers(0, 256, (3, 20, 24), dtype=np.uint8))
    steps = {
        "resized": v2.Resize((12, 16), antialias=True), "cropped": v2.RandomCrop(10), "flipped": v2.RandomHorizontalFlip(0.9),
        "jittered": v2.ColorJitter(0.3, 0.3, 0.3), "rotated": v2.RandomRotation(30), "blurred": v2.GaussianBlur(3),
        "affine": v2.RandomAffine(10, (0.1, 0.1), (0.8, 1.2)), "erased": v2.RandomErasing(1.0), "gray": v2.Grayscale(3),
        "resized crop": v2.RandomResizedCrop(12, antialias=True), "equalized": v2.RandomEqualize(1.0), "padded": v2.Pad(2),
    }  # fmt: skip
    for part, step in steps.items():
        torch.manual_seed(3)
        tell(name, part, step(pixels))
    pipeline = v2.Compose([
        v2.ToImage(), v2.RandomHorizontalFlip(1.0), v2.ToDtype(torch.float32, scale=True), v2.Normalize([0.5] * 3, [0.2] * 3),
    ])  # fmt: skip
    image, box = pipeline(
        tv_tensors.Image(pixels), tv_tensors.BoundingBoxes([[1, 2, 5, 8]], format="XYXY", canvas_size=(20, 24)),
    )  # fmt: skip
    tell(name, "pipeline", image)
    tell(name, "boxes", box)
    tell(name, "kind", [type(image).__name__ == "Image", type(box).__name__ == "BoundingBoxes"])


TRIALS = {
    **{f"torchvision {name}": family for name in FAMILIES}, "torchvision boxes": boxes, "torchvision nms": suppresses,
    "torchvision transforms.v2": transforms, **{f"timm {name}": of_timm for name in TIMM},
}  # fmt: skip

if __name__ == "__main__":
    each(TRIALS)
