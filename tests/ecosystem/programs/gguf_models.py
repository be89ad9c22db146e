"""A model of transformers out of a GGUF file that lamina wrote: `from_pretrained(gguf_file=...)`, which the `gguf` package reads it for."""

import hashlib
from pathlib import Path

import numpy as np
import torch
import transformers
from parts import each, tell

import lamina

transformers.logging.set_verbosity_error()
HEADS, KEY_HEADS, LAYERS = 4, 2, 2
SETTINGS = {
    "vocab_size": 96, "hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": LAYERS, "num_attention_heads": HEADS,
    "num_key_value_heads": KEY_HEADS, "max_position_embeddings": 64, "tie_word_embeddings": False, "bos_token_id": 1, "eos_token_id": 2,
}  # fmt: skip
METADATA = {
    "general.architecture": "llama", "general.name": "tiny", "llama.block_count": LAYERS, "llama.context_length": 64,
    "llama.embedding_length": 64, "llama.feed_forward_length": 96, "llama.attention.head_count": HEADS,
    "llama.attention.head_count_kv": KEY_HEADS, "llama.attention.layer_norm_rms_epsilon": 1e-6, "llama.rope.freq_base": 10000.0,
    "llama.rope.dimension_count": 16, "llama.vocab_size": 96, "tokenizer.ggml.bos_token_id": 1, "tokenizer.ggml.eos_token_id": 2,
}  # fmt: skip
NAMES = {
    "model.embed_tokens": "token_embd", "model.norm": "output_norm", "lm_head": "output", "input_layernorm": "attn_norm",
    "post_attention_layernorm": "ffn_norm", "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output", "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down",
}  # fmt: skip


def in_gguf(name, weight):
    """A weight's name there, and its items: llama.cpp has each head's halves interleaved in the rows of queries and keys."""
    path = name.removesuffix(".weight").removeprefix("model.layers.")
    layer, _, rest = path.partition(".") if path[0].isdigit() else ("", "", path)
    theirs = NAMES[rest]
    if theirs in ("attn_q", "attn_k"):
        heads = HEADS if theirs == "attn_q" else KEY_HEADS
        weight = weight.reshape(heads, 2, -1, weight.shape[1]).swapaxes(1, 2).reshape(weight.shape)
    return f"blk.{layer}.{theirs}.weight" if layer else f"{theirs}.weight", lamina.from_numpy(np.ascontiguousarray(weight))


def read(name, quantized):
    torch.manual_seed(0)
    made = transformers.LlamaForCausalLM(transformers.LlamaConfig(**SETTINGS)).eval()
    weights = dict(in_gguf(key, value.detach().numpy()) for key, value in made.state_dict().items())
    formats = {key: "Q8_0" for key, value in weights.items() if quantized and value.ndim == 2}
    lamina.gguf.save_gguf(weights, "tiny.gguf", METADATA, formats)
    tell(name, "bytes", list(hashlib.sha256(Path("tiny.gguf").read_bytes()).digest()))
    model = transformers.LlamaForCausalLM.from_pretrained(".", gguf_file="tiny.gguf").eval()
    tokens = torch.randint(3, 96, (2, 7))
    result = model(input_ids=tokens, labels=tokens)
    result.loss.backward()
    tell(name, "loss", result.loss)
    tell(name, "logits", result.logits)
    tell(name, "gradients", torch.cat([p.grad.flatten() for p in model.parameters()]))
    apart = max((a - b).abs().max().item() for a, b in zip(model.parameters(), made.parameters(), strict=True))
    bound = max(p.abs().max().item() for p in made.parameters()) / 127 * 0.6 if quantized else 0.0  # half a step, and the scale's rounding
    tell(name, "as it was saved", np.array(apart <= bound and (apart > 0) == quantized))
    options = {"max_new_tokens": 8, "pad_token_id": 0, "eos_token_id": None}
    tell(name, "greedy", model.generate(input_ids=tokens, attention_mask=torch.ones_like(tokens), **options, do_sample=False))


TRIALS = {"F32": lambda name: read(name, False), "Q8_0": lambda name: read(name, True)}

if __name__ == "__main__":
    each(TRIALS)
