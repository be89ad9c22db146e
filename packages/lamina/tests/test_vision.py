"""torchvision's names in programs that `lamina run` runs."""

from lamina.programs import report, run

PROGRAM = """
import torch
import torchvision
import torchvision.transforms as T
import torchvision.datasets
from torchvision import datasets, utils
from torchvision.transforms import Compose

noise = torchvision.datasets.FakeData(2, (3, 8, 8), transform=Compose([T.Resize(4), T.ToTensor()]))
image = noise[0][0]
grid = utils.make_grid([image, image])
same = torchvision.datasets is datasets and T.Compose is Compose
kind = isinstance(image, torch.Tensor)
asked = []
for wanted in ("models", "datasets.ImageNet"):
    at = torchvision
    try:
        for part in wanted.split("."):
            at = getattr(at, part)
    except AttributeError as error:
        asked.append(str(error))
"""


def test_torchvision_means_what_lamina_has_of_it(tmp_path):
    (tmp_path / "looks.py").write_text(PROGRAM)
    names = run(tmp_path / "looks.py")
    assert names["same"] and names["kind"] and names["image"].shape == (3, 4, 4) and names["grid"].shape == (3, 8, 14)
    assert len(names["asked"]) == 2
    for text, name in zip(names["asked"], ["models", "datasets.ImageNet"], strict=True):
        assert text.startswith(f"torchvision.{name}: ") and "no weights" in text


def test_reports_name_torchvision(tmp_path):
    (tmp_path / "looks.py").write_text(PROGRAM + "torchvision.models.resnet18\ndatasets.MNIST")
    uses = {use.name: use for use in report(tmp_path / "looks.py")}
    assert uses["torchvision.transforms.Resize"].status == "ok"
    assert uses["torchvision.datasets.MNIST"].status == "differs" and "arrays" in uses["torchvision.datasets.MNIST"].note
    assert uses["torchvision.models.resnet18"].status == "missing"
