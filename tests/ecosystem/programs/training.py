"""transformers' Trainer for 20 steps, and files: what one writes the other reads, checked against a second reading of its own."""

import tempfile

import numpy as np
import torch
import transformers
from parts import each, tell
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments

transformers.logging.set_verbosity_error()
CONFIG = {
    "vocab_size": 99, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 37,
    "max_position_embeddings": 64,
}  # fmt: skip


class Sentences(torch.utils.data.Dataset):
    def __init__(self, count):
        draws = np.random.default_rng(0)
        self.tokens = torch.from_numpy(draws.integers(3, 99, (count, 9)))

    def __len__(self):
        return len(self.tokens)

    def __getitem__(self, index):
        return {"input_ids": self.tokens[index], "attention_mask": torch.ones(9, dtype=torch.long), "labels": self.tokens[index, 0] % 2}


def trains(name):
    transformers.set_seed(0)
    model = BertForSequenceClassification(BertConfig(**CONFIG))
    with tempfile.TemporaryDirectory() as folder:
        options = TrainingArguments(
            folder, max_steps=20, per_device_train_batch_size=4, logging_steps=1, report_to=[], save_strategy="no", use_cpu=True,
            disable_tqdm=True, warmup_steps=5, weight_decay=0.01,
        )  # fmt: skip
        trainer = Trainer(model, options, train_dataset=Sentences(40), eval_dataset=Sentences(8))
        trainer.train()
        tell(name, "losses", [entry["loss"] for entry in trainer.state.log_history if "loss" in entry])
        tell(name, "evaluation", [trainer.evaluate()["eval_loss"]])
        tell(name, "weights", torch.cat([p.detach().flatten() for p in model.parameters()]))


def keeps(name):
    torch.manual_seed(0)
    model = BertForSequenceClassification(BertConfig(**CONFIG)).eval()
    tokens = torch.arange(3, 12)[None]
    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder)
        again = BertForSequenceClassification.from_pretrained(folder).eval()
        with open(f"{folder}/model.safetensors", "rb") as file:
            tell(name, "bytes", np.frombuffer(file.read(), np.uint8))
    with torch.no_grad():
        tell(name, "logits", again(input_ids=tokens).logits)
        assert torch.equal(again(input_ids=tokens).logits, model(input_ids=tokens).logits)


if __name__ == "__main__":
    each({"Trainer": trains, "save_pretrained": keeps})
