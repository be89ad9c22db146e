"""Models of transformers with tiny configurations: loss, logits, gradients, and what they generate."""

import torch
import transformers
from parts import each, tell

transformers.logging.set_verbosity_error()
SMALL = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 37, "vocab_size": 99}
DECODER = {**SMALL, "num_key_value_heads": 2, "max_position_embeddings": 64, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
OF_GPT2 = {"vocab_size": 99, "n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 64, "bos_token_id": 1, "eos_token_id": 2}
OF_T5 = {"vocab_size": 99, "d_model": 32, "d_kv": 8, "d_ff": 37, "num_layers": 2, "num_heads": 4, "decoder_start_token_id": 0}
OF_BART = {
    "vocab_size": 99, "d_model": 32, "encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": 4,
    "decoder_attention_heads": 4, "encoder_ffn_dim": 37, "decoder_ffn_dim": 37, "max_position_embeddings": 64,
}  # fmt: skip
IMAGES = {
    "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 37, "image_size": 16, "patch_size": 4,
    "num_labels": 3,
}  # fmt: skip
CONVOLUTIONS = {"num_labels": 3, "image_size": 32}

CLASSIFIERS = {
    "Bert": SMALL, "Roberta": SMALL, "Albert": {**SMALL, "embedding_size": 16}, "Electra": {**SMALL, "embedding_size": 16},
    "DistilBert": {"vocab_size": 99, "dim": 32, "n_layers": 2, "n_heads": 4, "hidden_dim": 37}, "DebertaV2": SMALL,
    "MPNet": SMALL, "ModernBert": {**SMALL, "pad_token_id": 0, "cls_token_id": 1, "sep_token_id": 2},
}  # fmt: skip
CAUSAL = {
    "GPT2": (OF_GPT2, "GPT2LMHeadModel"), "GPTNeoX": (SMALL, None), "Llama": (DECODER, None), "Mistral": (DECODER, None),
    "Qwen2": (DECODER, None), "Qwen3": ({**DECODER, "head_dim": 8}, None), "Gemma": ({**DECODER, "head_dim": 8}, None),
    "Phi": (DECODER, None), "OPT": (
        {"vocab_size": 99, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "ffn_dim": 37,
         "word_embed_proj_dim": 32, "max_position_embeddings": 64}, None),
    "Bloom": ({"vocab_size": 99, "hidden_size": 32, "n_layer": 2, "n_head": 4}, None),
    "Mixtral": ({**DECODER, "num_local_experts": 4}, None),
    "Mamba": ({"vocab_size": 99, "hidden_size": 32, "num_hidden_layers": 2, "state_size": 8}, None),
}  # fmt: skip
PAIRS = {"T5": OF_T5, "Bart": OF_BART}
PICTURES = {"ViT": IMAGES, "DeiT": IMAGES, "ConvNext": {**CONVOLUTIONS, "hidden_sizes": [8, 8, 16, 16], "depths": [1, 1, 1, 1]}}


def built(name, settings, kind, model=None):
    torch.manual_seed(0)
    config = getattr(transformers, f"{name}Config")(**settings)
    return getattr(transformers, model or f"{name}For{kind}")(config).eval()


def told(name, model, **inputs):
    result = model(**inputs)
    result.loss.backward()
    tell(name, "loss", result.loss)
    tell(name, "logits", result.logits)
    tell(name, "gradients", torch.cat([p.grad.flatten() for p in model.parameters() if p.grad is not None]))


def ids(*shape):
    return torch.randint(3, 99, shape)


def classifies(name):
    model = built(name, CLASSIFIERS[name], "SequenceClassification")
    told(name, model, input_ids=ids(2, 7), attention_mask=torch.ones(2, 7, dtype=torch.long), labels=torch.tensor([0, 1]))


def continues(name):
    settings, model_name = CAUSAL[name]
    model = built(name, settings, "CausalLM", model_name)
    tokens = ids(2, 7)
    told(name, model, input_ids=tokens, labels=tokens)
    generates(name, model, input_ids=tokens, attention_mask=torch.ones_like(tokens))


def generates(name, model, **inputs):
    options = {"max_new_tokens": 8, "pad_token_id": 0, "eos_token_id": None}
    tell(name, "greedy", model.generate(**inputs, **options, do_sample=False))
    torch.manual_seed(1)
    tell(name, "sampled", model.generate(**inputs, **options, do_sample=True, top_k=20, top_p=0.9, temperature=0.8))


def translates(name):
    model = built(name, PAIRS[name], "ConditionalGeneration")
    tokens = ids(2, 7)
    told(name, model, input_ids=tokens, labels=ids(2, 5))
    generates(name, model, input_ids=tokens, attention_mask=torch.ones_like(tokens))


def sees(name):
    model, size = built(name, PICTURES[name], "ImageClassification"), PICTURES[name]["image_size"]
    told(name, model, pixel_values=torch.randn(2, 3, size, size), labels=torch.tensor([0, 2]))


TRIALS = {
    **dict.fromkeys(CLASSIFIERS, classifies), **dict.fromkeys(CAUSAL, continues), **dict.fromkeys(PAIRS, translates),
    **dict.fromkeys(PICTURES, sees),
}  # fmt: skip

if __name__ == "__main__":
    each(TRIALS)
