"""Packages that train, log and pool around PyTorch: Lightning, torch_geometric, sentence-transformers, TensorBoard, wandb, torch.hub."""

import glob
import os
import tempfile
from pathlib import Path

import numpy as np
import torch
from parts import each, tell
from torch import nn


def data(n=32):
    draws = np.random.default_rng(0)
    x = torch.from_numpy(draws.normal(size=(n, 8)).astype(np.float32))
    return torch.utils.data.TensorDataset(x, (x[:, 0] + x[:, 1] > 0).long())


def weights(model):
    return torch.cat([p.detach().flatten() for p in model.parameters()])


def lightning(name):
    import lightning.pytorch as pl
    from lightning.pytorch.callbacks import EarlyStopping, LearningRateMonitor, ModelCheckpoint
    from lightning.pytorch.loggers import CSVLogger

    class Classifier(pl.LightningModule):
        def __init__(self, width=16):
            super().__init__()
            self.save_hyperparameters()
            self.net = nn.Sequential(nn.Linear(8, width), nn.ReLU(), nn.Dropout(0.1), nn.Linear(width, 2))
            self.losses = []

        def training_step(self, batch, index):
            loss = nn.functional.cross_entropy(self.net(batch[0]), batch[1])
            self.log("loss", loss)
            self.losses.append(loss.item())
            return loss

        def validation_step(self, batch, index):
            self.log("validation", nn.functional.cross_entropy(self.net(batch[0]), batch[1]))

        def configure_optimizers(self):
            optimizer = torch.optim.AdamW(self.parameters(), lr=0.01)
            return {"optimizer": optimizer, "lr_scheduler": torch.optim.lr_scheduler.StepLR(optimizer, 1, 0.9)}

    pl.seed_everything(0, verbose=False)
    with tempfile.TemporaryDirectory() as folder:
        kept = ModelCheckpoint(folder, monitor="validation", save_last=True)
        trainer = pl.Trainer(
            max_epochs=4, accelerator="cpu", callbacks=[kept, EarlyStopping("validation"), LearningRateMonitor()],
            logger=CSVLogger(folder), enable_progress_bar=False, enable_model_summary=False, log_every_n_steps=1,
        )  # fmt: skip
        model = Classifier()
        loaders = [torch.utils.data.DataLoader(data(), 8, shuffle=shuffle) for shuffle in (True, False)]
        trainer.fit(model, *loaders)
        tell(name, "losses", model.losses)
        tell(name, "weights", weights(model))
        tell(name, "validation", trainer.callback_metrics["validation"])
        again = Classifier.load_from_checkpoint(kept.last_model_path)
        tell(name, "checkpoint", weights(again))
        tell(name, "hyperparameters", [again.hparams.width])
        resumed = pl.Trainer(
            max_epochs=5, accelerator="cpu", logger=False, enable_progress_bar=False, enable_model_summary=False, enable_checkpointing=False
        )
        resumed.fit(again, *loaders, ckpt_path=kept.last_model_path)
        tell(name, "resumed", weights(again))


def torch_geometric(name):
    from torch_geometric.data import Batch, Data
    from torch_geometric.nn import GATConv, GCNConv, SAGEConv, global_mean_pool

    torch.manual_seed(0)
    edges = torch.tensor([[0, 1, 1, 2, 3, 0], [1, 0, 2, 1, 0, 3]])
    graphs = Batch.from_data_list([Data(x=torch.randn(4, 5), edge_index=edges), Data(x=torch.randn(4, 5), edge_index=edges.flip(0))])
    for layer in (GCNConv, SAGEConv, GATConv):
        torch.manual_seed(1)
        convolution = layer(5, 3)
        out = global_mean_pool(convolution(graphs.x, graphs.edge_index).relu(), graphs.batch)
        out.pow(2).sum().backward()
        tell(name, layer.__name__, out)
        tell(name, f"gradients of {layer.__name__}", torch.cat([p.grad.flatten() for p in convolution.parameters()]))


def sentence_transformers(name):
    from sentence_transformers.sentence_transformer.modules import Normalize, Pooling

    torch.manual_seed(0)
    tokens, mask = torch.randn(3, 6, 8), torch.tensor([[1] * 6, [1] * 4 + [0] * 2, [1] + [0] * 5])
    for mode in ("cls", "max", "mean", "mean_sqrt_len_tokens", "weightedmean", "lasttoken"):
        features = {"token_embeddings": tokens.clone(), "attention_mask": mask}
        tell(name, mode, Normalize()(Pooling(8, pooling_mode=mode)(features))["sentence_embedding"])


def tensorboard(name):
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
    from torch.utils.tensorboard import SummaryWriter

    torch.manual_seed(0)
    with tempfile.TemporaryDirectory() as folder:
        with SummaryWriter(folder) as writer:
            for step in range(3):
                writer.add_scalar("loss", torch.tensor(1.0 / (step + 1)), step)
            writer.add_histogram("weights", torch.randn(50), 0)
            writer.add_image("picture", torch.rand(3, 4, 4), 0)
            writer.add_text("note", "words", 0)
        events = EventAccumulator(folder).Reload()
        tell(name, "scalars", [event.value for event in events.Scalars("loss")])
        tell(name, "tags", [len(events.Tags()[kind]) for kind in ("scalars", "histograms", "images", "tensors")])
        told = events.Histograms("weights")[0].histogram_value
        tell(name, "histogram", [told.min, told.max, told.num, told.sum])


def wandb(name):
    import wandb

    with tempfile.TemporaryDirectory() as folder:
        run = wandb.init(mode="offline", dir=folder, project="lamina", settings=wandb.Settings(console="off", silent=True))
        for step in range(3):
            run.log({"loss": torch.tensor(1.0 / (step + 1)), "weights": wandb.Histogram(np.arange(4.0))})
        run.config.update({"width": 3})
        tell(name, "summary", [run.summary["loss"]])
        run.finish()
        tell(name, "files", [len(glob.glob(os.path.join(folder, "wandb", "offline-run-*")))])


def hub(name):
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "hubconf.py").write_text(
            "dependencies = ['torch']\nimport torch\nfrom parts_of_model import Net\n\ndef net(width=4):\n    return Net(width)\n"
        )
        Path(folder, "parts_of_model.py").write_text(
            "from torch import nn\n\nclass Net(nn.Linear):\n    def __init__(self, n): super().__init__(n, 2)\n"
        )
        torch.manual_seed(0)
        model = torch.hub.load(folder, "net", width=5, source="local")
        tell(name, "weights", weights(model))
        torch.save(model.state_dict(), Path(folder, "net.pt"))
        state = torch.hub.load_state_dict_from_url(Path(folder, "net.pt").as_uri(), model_dir=f"{folder}/kept", weights_only=True)
        tell(name, "from a URL", state["weight"])


TRIALS = [lightning, torch_geometric, sentence_transformers, tensorboard, wandb, hub]

if __name__ == "__main__":
    each({trial.__name__: trial for trial in TRIALS})
