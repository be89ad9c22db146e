"""How transformers generates: in batches of other lengths, by beams, with caches of a fixed length, and with tokens that a smaller model
or the prompt itself proposes."""

import torch
import transformers
from parts import each, tell

transformers.logging.set_verbosity_error()
SETTINGS = {
    "vocab_size": 99, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2,
    "intermediate_size": 37, "max_position_embeddings": 64, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2,
}  # fmt: skip
OPTIONS = {"max_new_tokens": 12, "pad_token_id": 0, "eos_token_id": None, "do_sample": False}


def llama(**settings):
    torch.manual_seed(0)
    return transformers.LlamaForCausalLM(transformers.LlamaConfig(**SETTINGS | settings)).eval()


def prompts():
    """Two of other lengths: the shorter one has its padding on the left."""
    torch.manual_seed(1)
    tokens = torch.randint(3, 99, (2, 7))
    mask = torch.ones_like(tokens)
    tokens[1, :3], mask[1, :3] = 0, 0
    return {"input_ids": tokens, "attention_mask": mask}


def one_prompt():
    return {name: x[:1] for name, x in prompts().items()}


def batched(name):
    model = llama()
    together = model.generate(**prompts(), **OPTIONS)
    tell(name, "tokens", together)
    alone = model.generate(input_ids=prompts()["input_ids"][1:, 3:], **OPTIONS)
    assert together[1, 7:].tolist() == alone[0, 4:].tolist()
    result = model.generate(**prompts(), **OPTIONS, return_dict_in_generate=True, output_scores=True)
    tell(name, "scores", torch.stack(result.scores))


def by_beams(name):
    model = llama()
    result = model.generate(**prompts(), **OPTIONS, num_beams=3, num_return_sequences=2, return_dict_in_generate=True, output_scores=True)
    tell(name, "tokens", result.sequences)
    tell(name, "scores", result.sequences_scores)


def with_a_static_cache(name):
    tell(name, "tokens", llama().generate(**prompts(), **OPTIONS, cache_implementation="static"))


def without_a_cache(name):
    tell(name, "tokens", llama().generate(**prompts(), **OPTIONS, use_cache=False))


def speculative(name):
    """A smaller model proposes tokens; the tokens are those that the large one gives alone."""
    model, smaller = llama(), llama(num_hidden_layers=1)
    tokens = model.generate(**one_prompt(), **OPTIONS, assistant_model=smaller)
    assert tokens.tolist() == model.generate(**one_prompt(), **OPTIONS).tolist()
    tell(name, "tokens", tokens)
    torch.manual_seed(2)
    tell(name, "sampled", model.generate(**one_prompt(), **OPTIONS | {"do_sample": True}, assistant_model=smaller))


def of_the_prompt(name):
    """The prompt's own runs are proposed."""
    tell(name, "tokens", llama().generate(**one_prompt(), **OPTIONS, prompt_lookup_num_tokens=3))


def penalised(name):
    options = {"repetition_penalty": 1.3, "no_repeat_ngram_size": 2, "min_new_tokens": 4, "bad_words_ids": [[5], [7, 9]]}
    tell(name, "tokens", llama().generate(**prompts(), **OPTIONS, **options))


def of_8_bits(name):
    """Linear layers with weights of 8 bits; in PyTorch, with weights that are rounded so."""
    model = llama()
    if "lamina" in torch.nn.Linear.__module__:
        from lamina.quantization import Int8WeightOnlyConfig, quantize_

        quantize_(model, Int8WeightOnlyConfig())
    else:
        for module in model.modules():
            if type(module) is torch.nn.Linear:
                weight = module.weight.data
                scales = weight.abs().amax(1, keepdim=True) / 127.5
                weight.copy_((weight / scales).round().clamp(-128, 127) * scales)
    tell(name, "logits", model(**prompts()).logits)
    tell(name, "tokens", model.generate(**prompts(), **OPTIONS))


each({
    "generate: batches": batched, "generate: beams": by_beams, "generate: a static cache": with_a_static_cache,
    "generate: no cache": without_a_cache, "generate: speculative": speculative, "generate: prompt lookup": of_the_prompt,
    "generate: penalties": penalised, "generate: weights of 8 bits": of_8_bits,
})  # fmt: skip
