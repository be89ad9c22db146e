"""A new user's script: fine-tunes a small BERT to tell questions from statements, evaluates, saves, reloads, and answers.

Written as for PyTorch. All is made here: sentences, vocabulary, tokenizer and first weights.
"""

import random
import tempfile
from pathlib import Path

import numpy as np
import torch
from parts import each, tell
from torch.utils.data import DataLoader
from transformers import (
    AutoModelForSequenceClassification,
    AutoTokenizer,
    BertConfig,
    BertForSequenceClassification,
    BertTokenizer,
    DataCollatorWithPadding,
    Trainer,
    TrainingArguments,
    get_linear_schedule_with_warmup,
    logging,
    pipeline,
    set_seed,
)

logging.set_verbosity_error()
NOUNS = ["the cat", "a dog", "my friend", "the old teacher", "nobody", "the red car"]
VERBS = ["sleeps", "runs home", "reads a book", "sings", "waits for rain"]
ASKED = ["sleep", "run home", "read a book", "sing", "wait for rain"]
LABELS = ["statement", "question"]


def sentences(count, seed):
    """Plain lists: texts, and labels."""
    draws = random.Random(seed)
    texts, labels = [], []
    for _ in range(count):
        label, noun, verb = draws.randrange(2), draws.choice(NOUNS), draws.randrange(len(VERBS))
        texts.append(f"does {noun} {ASKED[verb]}" if label else f"{noun} {VERBS[verb]}")
        labels.append(label)
    return texts, labels


def made_tokenizer(folder):
    """A tokenizer of the words that there are, kept and read as any other."""
    words = sorted({word for text in [*NOUNS, *VERBS, *ASKED, "does"] for word in text.split()})
    vocabulary = Path(folder, "vocab.txt")
    vocabulary.write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *words]))
    BertTokenizer(str(vocabulary)).save_pretrained(folder)
    return AutoTokenizer.from_pretrained(folder)


def made_model(tokenizer):
    """A tiny BERT with first weights from the seed."""
    set_seed(0)
    return BertForSequenceClassification(BertConfig(
        vocab_size=len(tokenizer), hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64,
        max_position_embeddings=32, id2label=dict(enumerate(LABELS)), label2id={name: i for i, name in enumerate(LABELS)},
    ))  # fmt: skip


class Sentences(torch.utils.data.Dataset):
    """Encoded texts with their labels."""

    def __init__(self, tokenizer, texts, labels):
        self.encoded, self.labels = tokenizer(texts, truncation=True), labels

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        return {**{key: values[index] for key, values in self.encoded.items()}, "labels": self.labels[index]}


def accuracy(prediction):
    logits, labels = prediction
    return {"accuracy": float((np.argmax(logits, axis=-1) == labels).mean())}


def answers(name, tokenizer, model, folder):
    """Save, reload, and ask the pipeline."""
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    reloaded = AutoModelForSequenceClassification.from_pretrained(folder)
    for kept, again in zip(model.state_dict().values(), reloaded.state_dict().values(), strict=True):
        assert torch.equal(kept, again)
    classify = pipeline("text-classification", model=folder, tokenizer=folder, device="cpu")
    told = classify(["does a dog sing", "nobody sleeps", "does the old teacher wait for rain"], batch_size=2)
    tell(name, "labels", [LABELS.index(answer["label"]) for answer in told])
    tell(name, "scores", [answer["score"] for answer in told])


def with_a_trainer(name):
    with tempfile.TemporaryDirectory() as folder:
        tokenizer = made_tokenizer(folder)
        model = made_model(tokenizer)
        options = TrainingArguments(
            f"{folder}/runs", num_train_epochs=3, per_device_train_batch_size=8, learning_rate=5e-3, weight_decay=0.01, warmup_steps=4,
            eval_strategy="epoch", save_strategy="epoch", load_best_model_at_end=True, metric_for_best_model="accuracy", logging_steps=2,
            report_to=[], use_cpu=True, disable_tqdm=True, seed=0,
        )  # fmt: skip
        trainer = Trainer(
            model, options, train_dataset=Sentences(tokenizer, *sentences(64, 0)), eval_dataset=Sentences(tokenizer, *sentences(32, 1)),
            data_collator=DataCollatorWithPadding(tokenizer), compute_metrics=accuracy,
        )  # fmt: skip
        trainer.train()
        tell(name, "losses", [entry["loss"] for entry in trainer.state.log_history if "loss" in entry])
        measured = trainer.evaluate()
        tell(name, "evaluation", [measured["eval_loss"], measured["eval_accuracy"]])
        tell(name, "predictions", trainer.predict(Sentences(tokenizer, *sentences(8, 2))).predictions)
        answers(name, tokenizer, trainer.model, f"{folder}/kept")


def with_a_loop(name):
    with tempfile.TemporaryDirectory() as folder:
        tokenizer = made_tokenizer(folder)
        model = made_model(tokenizer)
        collate = DataCollatorWithPadding(tokenizer)
        train = DataLoader(Sentences(tokenizer, *sentences(64, 0)), batch_size=8, shuffle=True, collate_fn=collate)
        test = DataLoader(Sentences(tokenizer, *sentences(32, 1)), batch_size=16, collate_fn=collate)
        optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3, weight_decay=0.01)
        schedule = get_linear_schedule_with_warmup(optimizer, 4, 3 * len(train))
        losses = []
        for _ in range(3):
            model.train()
            for batch in train:
                loss = model(**batch).loss
                loss.backward()
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                schedule.step()
                optimizer.zero_grad()
                losses.append(loss.item())
        tell(name, "losses", losses)
        model.eval()
        with torch.no_grad():
            right = sum((model(**batch).logits.argmax(-1) == batch["labels"]).sum().item() for batch in test)
        tell(name, "right", [right])
        answers(name, tokenizer, model, f"{folder}/kept")


if __name__ == "__main__":
    each({"fine-tuning with a Trainer": with_a_trainer, "fine-tuning with a loop": with_a_loop})
