"""Packages around PyTorch, each by a small program of the kind that its users write."""

import tempfile

import numpy as np
import torch
from parts import each, tell
from torch import nn


def data(n=32):
    torch.manual_seed(0)
    x = torch.randn(n, 8)
    return x, (x[:, 0] + x[:, 1] > 0).long()


def net():
    torch.manual_seed(1)
    return nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 2))


def einops(name):
    from einops import rearrange, reduce, repeat
    from einops.layers.torch import Rearrange

    x = torch.arange(2 * 3 * 4 * 4.0).reshape(2, 3, 4, 4).requires_grad_()
    y = rearrange(x, "b c (h p) (w q) -> b (h w) (p q c)", p=2, q=2)
    z = reduce(y, "b n d -> b d", "mean") + repeat(torch.arange(12.0), "d -> b d", b=2)
    Rearrange("b d -> (b d)")(z).pow(2).sum().backward()
    tell(name, "values", z)
    tell(name, "gradients", x.grad)


def torchmetrics(name):
    from torchmetrics import Accuracy, F1Score, MeanSquaredError

    logits, target = torch.from_numpy(np.random.default_rng(0).normal(size=(40, 3))).float(), torch.arange(40) % 3
    for metric in (Accuracy(task="multiclass", num_classes=3), F1Score(task="multiclass", num_classes=3, average="macro")):
        metric.update(logits[:20], target[:20])
        metric.update(logits[20:], target[20:])
        tell(name, type(metric).__name__, metric.compute())
    tell(name, "MeanSquaredError", MeanSquaredError()(logits[:, 0], logits[:, 1]))


def skorch(name):
    from sklearn.model_selection import cross_val_score
    from skorch import NeuralNetClassifier

    x, y = (part.numpy() for part in data(60))
    torch.manual_seed(2)
    model = NeuralNetClassifier(net(), max_epochs=5, lr=0.1, verbose=0, criterion=nn.CrossEntropyLoss, train_split=None)
    model.fit(x, y)
    tell(name, "losses", [epoch["train_loss"] for epoch in model.history])
    tell(name, "scores", cross_val_score(model, x, y, cv=3))


def accelerate(name):
    from accelerate import Accelerator

    x, y = data()
    accelerator = Accelerator(cpu=True)
    model = net()
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x, y), batch_size=8)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    losses = []
    for _ in range(3):
        for a, b in loader:
            with accelerator.accumulate(model):
                loss = nn.functional.cross_entropy(model(a), b)
                accelerator.backward(loss)
                accelerator.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                optimizer.zero_grad()
            losses.append(accelerator.gather(loss.detach()).mean().item())
    tell(name, "losses", losses)
    with tempfile.TemporaryDirectory() as folder:
        accelerator.save_state(folder)
        accelerator.load_state(folder)
    tell(name, "weights", torch.cat([p.detach().flatten() for p in model.parameters()]))


def peft(name):
    from peft import LoraConfig, get_peft_model
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=99, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2, intermediate_size=37
    )
    model = get_peft_model(LlamaForCausalLM(config), LoraConfig(r=4, target_modules=["q_proj", "v_proj"], lora_dropout=0.0))
    tokens = torch.randint(3, 99, (2, 7))
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=0.01)
    losses = []
    for _ in range(5):
        loss = model(input_ids=tokens, labels=tokens).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item())
    tell(name, "losses", losses)
    tell(name, "merged", model.merge_and_unload().lm_head.weight)


def torchinfo(name):
    from torchinfo import summary

    told = summary(net(), input_size=(4, 8), verbose=0)
    tell(name, "counts", [told.total_params, told.trainable_params, told.total_mult_adds])


def diffusers(name):
    from diffusers import DDIMScheduler, DDPMScheduler, UNet2DModel

    torch.manual_seed(0)
    model = UNet2DModel(
        sample_size=8, in_channels=1, out_channels=1, layers_per_block=1, block_out_channels=(8, 16), norm_num_groups=4,
        down_block_types=("DownBlock2D", "AttnDownBlock2D"), up_block_types=("AttnUpBlock2D", "UpBlock2D"),
    )  # fmt: skip
    clean, noise = torch.randn(2, 1, 8, 8), torch.randn(2, 1, 8, 8)
    schedule = DDPMScheduler(num_train_timesteps=100)
    steps = torch.tensor([3, 60])
    loss = nn.functional.mse_loss(model(schedule.add_noise(clean, noise, steps), steps).sample, noise)
    loss.backward()
    tell(name, "loss", loss)
    tell(name, "gradients", torch.cat([p.grad.flatten() for p in model.parameters() if p.grad is not None]))
    for kind in (DDPMScheduler, DDIMScheduler):
        schedule = kind(num_train_timesteps=100)
        schedule.set_timesteps(4)
        torch.manual_seed(3)
        sample = torch.randn(1, 1, 8, 8)
        with torch.no_grad():
            for t in schedule.timesteps:
                sample = schedule.step(model(sample, t).sample, t, sample).prev_sample
        tell(name, kind.__name__, sample)


TRIALS = [einops, torchmetrics, skorch, accelerate, peft, torchinfo, diffusers]

if __name__ == "__main__":
    each({trial.__name__: trial for trial in TRIALS})
