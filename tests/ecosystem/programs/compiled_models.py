"""Models of transformers through `torch.compile`: trained for some steps. PyTorch's own compiler takes a minute for each, so it runs them
as they are."""

import torch
import transformers
from parts import each, tell

transformers.logging.set_verbosity_error()
SMALL = {
    "vocab_size": 50, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64, "pad_token_id": 0,
    "bos_token_id": 1, "eos_token_id": 2,
}  # fmt: skip
PICTURES = {
    "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64, "image_size": 16, "patch_size": 8,
}  # fmt: skip
STEPS = 6


def words():
    return padded() | {"labels": torch.randint(3, 50, (2, 8))}


def sentences():
    return padded() | {"labels": torch.randint(0, 2, (2,))}


def padded():
    tokens = torch.randint(3, 50, (2, 8))
    mask = torch.ones_like(tokens)
    tokens[1, 6:], mask[1, 6:] = 0, 0
    return {"input_ids": tokens, "attention_mask": mask}


def pictures():
    return {"pixel_values": torch.randn(2, 3, 16, 16), "labels": torch.randint(0, 2, (2,))}


MODELS = {
    "compiled: Bert": (lambda: transformers.BertForSequenceClassification(transformers.BertConfig(**SMALL)), sentences),
    "compiled: GPT2": (lambda: transformers.GPT2LMHeadModel(transformers.GPT2Config(**SMALL, use_cache=False)), words),
    "compiled: Llama": (lambda: transformers.LlamaForCausalLM(transformers.LlamaConfig(**SMALL, use_cache=False)), words),
    "compiled: ViT": (lambda: transformers.ViTForImageClassification(transformers.ViTConfig(**PICTURES)), pictures),
}


def trained(name):
    make, batch = MODELS[name]
    torch.manual_seed(0)
    model = make().eval()  # no dropout, whose draws are compared elsewhere
    called = torch.compile(model, fullgraph=True) if hasattr(torch, "explain_compiled") else model
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    losses = []
    for step in range(STEPS):
        torch.manual_seed(step)
        optimizer.zero_grad()
        loss = called(**batch()).loss
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    if called is not model:
        assert "kernels" in torch.explain_compiled(called), torch.explain_compiled(called)
    tell(name, "losses", torch.stack(losses))


each(dict.fromkeys(MODELS, trained))
