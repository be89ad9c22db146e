"""Mark who, where, when and how much in sentences: a network that reads both ways (a bidirectional LSTM) under a chain of tags (a CRF).

After Huang, Xu and Yu, 2015. The sentences are made by rules, without capitals: "may" is a month, a name or neither, and "jordan" a name or
a country, as the words around them say. Run: python examples/tagging.py
Unseen sentences have other rules, and a third of their names are new. Of what they mark, F1 is 89.9% after 5 epochs, and 85.6% after one.
"""

import argparse
import random
from collections import Counter

from rich.console import Console
from rich.table import Table

import lamina as torch
from lamina import nn
from lamina.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence
from lamina.utils.data import DataLoader
from lamina_nn.files import save_file

SPANS = {  # what is marked; a word in capitals is one out of WORDS
    "person": ["FIRST", "FIRST", "FIRST LAST", "dr LAST", "FIRST LAST"],
    "place": ["TOWN", "TOWN", "new TOWN", "lake TOWN"],
    "date": ["MONTH", "MONTH YEAR", "NUMBER MONTH", "the ORDINAL of MONTH", "DAY", "DAY the ORDINAL", "MONTH NUMBER , YEAR"],
    "amount": ["NUMBER UNITS", "NUMBER UNITS", "a ONE", "half a ONE", "NUMBER and a half UNITS"],
}
WORDS = """
FIRST may april june august jordan paris florence austin anna ben clara david emma frank grace hugo ida jack kate leo mia noah rosa tina
LAST march may jordan london lake newton baker cole diaz evans fox garcia hill ito jones khan lopez meyer nagy olsen park
TOWN jordan paris florence austin london lima oslo cairo delhi dover essex ghent hanoi izmir kyoto leeds milan nice omaha porto quito riga
MONTH march may april june august january july october december
DAY monday tuesday thursday friday sunday
ORDINAL first second third fourth fifth tenth twentieth
NUMBER two three four five seven nine ten 12 20 25 30
YEAR 1912 1969 1984 2001 2024
ONE second minute day mile litre
UNITS seconds minutes hours days miles grams litres euros
SOON soon again alone early by bus
"""
RULES = """
person flew from place to place on date | in place , person met person | person may visit person in date | they march amount to place
person paid amount for a map of place | place lies amount from place | the second train to place takes amount
person is person 's sister | on date , person slept for amount | person may come SOON | person from place left on date
room NUMBER is free until date | may person stay in place for amount ? | person wrote to person about place
bus NUMBER needs amount to place | in date it rained for amount | may we eat at place on date ? | person lost amount at place
the second letter of person came on date | there is no place like place | person ran amount in amount | who knows person ?
since date person lives in place | person saw place and person saw person | person turned NUMBER on date
"""
NEW_RULES = """
on date person flew to place | person and person may meet in place | from place to place it takes amount
person ran from place to place in amount | until date person lives in place with person | the letter to person was amount late
person met person on date in place for amount | may we march to place on date ? | person 's second bus left place on date
"""
TAGS = ["O", *(f"{part}-{kind}" for kind in SPANS for part in "BI")]  # B begins a span, I is inside
NAMES = "FIRST", "LAST", "TOWN"


def sentences(count, dice, rules, new):
    """Words with their tags, after rules; `new` is how likely a name is of those that training never has."""
    rules = [rule.split() for line in rules.strip().splitlines() for rule in line.split("|")]
    choices = {kind: words for kind, *words in map(str.split, WORDS.strip().splitlines())}
    made = []
    for _ in range(count):
        words, tags = [], []
        for part in dice.choice(rules):
            for place, word in enumerate(dice.choice(SPANS[part]).split() if part in SPANS else [part]):
                choice = choices.get(word, [word])
                if word in NAMES:
                    known = len(choice) * 2 // 3
                    choice = choice[known:] if dice.random() < new else choice[:known]
                words.append(dice.choice(choice))
                tags.append(TAGS.index(f"{'I' if place else 'B'}-{part}") if part in SPANS else 0)
        made.append((words, tags))
    return made


class Chain(nn.Module):
    """A linear-chain conditional random field: what each tag scores after each other, learned beside what it scores for a word."""

    def __init__(self, tags):
        super().__init__()
        self.first, self.follows = nn.Parameter(torch.zeros(tags)), nn.Parameter(torch.zeros(tags, tags))

    def forward(self, scores, tags, lengths):
        """The negative logarithm of the tags' probability, for a word. Scores (n, length, tags), tags (n, length), lengths (n,)."""
        here = torch.arange(scores.shape[1], device=scores.device) < lengths[:, None]
        steps = scores.gather(2, tags[:, :, None])[:, :, 0]
        steps = torch.cat([steps[:, :1] + self.first[tags[:, :1]], steps[:, 1:] + self.follows[tags[:, :-1], tags[:, 1:]]], 1)
        every = self.first + scores[:, 0]  # the log of the sum over all ways to here that end in each tag
        for place in range(1, scores.shape[1]):
            longer = torch.logsumexp(every[:, :, None] + self.follows, 1) + scores[:, place]
            every = torch.where(here[:, place, None], longer, every)
        return (torch.logsumexp(every, 1).sum() - (steps * here).sum()) / here.sum()

    @torch.no_grad()
    def best(self, scores):
        """The likeliest tags (length,) for the scores (length, tags) of one sentence: Viterbi's way."""
        best, came = self.first + scores[0], []
        for score in scores[1:]:
            best, before = (best[:, None] + self.follows).max(0)
            best = best + score
            came.append(before.tolist())
        tags = [best.argmax().item()]
        for before in reversed(came):
            tags.append(before[tags[-1]])
        return tags[::-1]


class Tagger(nn.Module):
    """Reads words (n, length), and scores each tag for each: (n, length, tags). What pads a sentence is never read."""

    def __init__(self, words, width=64):
        super().__init__()
        self.embedding = nn.Embedding(words, width)
        self.reads = nn.LSTM(width, width, batch_first=True, bidirectional=True)
        self.drops, self.says, self.chain = nn.Dropout(0.3), nn.Linear(2 * width, len(TAGS)), Chain(len(TAGS))

    def forward(self, x, lengths):
        packed = pack_padded_sequence(self.embedding(x), lengths.cpu(), batch_first=True, enforce_sorted=False)
        states, _ = pad_packed_sequence(self.reads(packed)[0], batch_first=True)
        return self.says(self.drops(states))


def spans(tags):
    """What is marked, as (kind, first word, end)."""
    found = []
    for place, tag in enumerate(tags):
        part, _, kind = TAGS[tag].partition("-")
        if part == "B" or (part == "I" and (not found or found[-1] != (kind, found[-1][1], place))):
            found.append((kind, place, place + 1))
        elif part == "I":
            found[-1] = (kind, found[-1][1], place + 1)
    return found


def shown(words, tags):
    """The sentence with brackets around what is marked."""
    for kind, start, end in reversed(spans(tags)):
        words = [*words[:start], f"[{' '.join(words[start:end])} | {kind}]", *words[end:]]
    return " ".join(words)


def main(arguments=None):
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--epochs", type=int, default=5)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--device", default="cpu")
    options.add_argument("--out", default="tagging.safetensors")
    chosen = options.parse_args(arguments)

    torch.manual_seed(chosen.seed)
    dice = random.Random(chosen.seed)
    training, unseen = sentences(3000, dice, RULES, 0), sentences(1000, dice, NEW_RULES, 1 / 3)
    known = sorted({word for words, _ in training for word in words})
    number = {word: place for place, word in enumerate(known, 2)}  # 0 pads, 1 is any that is not known

    def batch(some):
        x = pad_sequence([torch.tensor([number.get(word, 1) for word in words]) for words, _ in some], batch_first=True)
        y = pad_sequence([torch.tensor(tags) for _, tags in some], batch_first=True)
        return x.to(chosen.device), y.to(chosen.device), torch.tensor([len(tags) for _, tags in some], device=chosen.device)

    model = Tagger(len(known) + 2).to(chosen.device)
    optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.1, chosen.epochs)
    held = batch(unseen)
    for epoch in range(1, chosen.epochs + 1):
        model.train()
        for x, y, lengths in DataLoader(training, batch_size=32, shuffle=True, collate_fn=batch):
            x = torch.where((torch.rand(x.shape) < 0.25).to(x.device), 1, x)  # as if it were unknown: so words around it have to tell
            loss = model.chain(model(x, lengths), y, lengths)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
        schedule.step()
        model.eval()
        with torch.no_grad():
            scores = model(held[0], held[2])
            print(f"epoch {epoch}  loss {loss.item():.4f}  unseen {model.chain(scores, *held[1:]).item():.4f}", flush=True)
    said = [model.chain.cpu().best(row[: len(words)]) for row, (words, _) in zip(scores.cpu(), unseen, strict=True)]

    words = Counter(tag for _, tags in unseen for tag in tags)
    right = Counter(tag for guess, (_, tags) in zip(said, unseen, strict=True) for own, tag in zip(guess, tags, strict=True) if own == tag)
    table = Table("tag", "words", "right", title="words of unseen sentences")
    for place, tag in enumerate(TAGS):
        table.add_row(tag, str(words[place]), f"{right[place] / max(words[place], 1):.1%}")
    Console().print(table)
    true = Counter((n, *span) for n, (_, tags) in enumerate(unseen) for span in spans(tags))
    marked = Counter((n, *span) for n, tags in enumerate(said) for span in spans(tags))
    f1 = 2 * (true & marked).total() / (true.total() + marked.total())
    wrong = [n for n, (_, tags) in enumerate(unseen) if said[n] != tags]
    for title, some in ((f"{len(unseen) - len(wrong)} sentences are wholly right, as these", sorted({*range(len(unseen))} - {*wrong})[:6]),
                        (f"{len(wrong)} are not", wrong[:3])):  # fmt: skip
        print(f"-- {title}")
        for n in some:
            print(shown(unseen[n][0], said[n]))
    save_file(model.state_dict(), chosen.out)
    print(f"F1 of whole spans {f1:.1%}; saved to {chosen.out}")
    return f1


if __name__ == "__main__":
    main()
