"""Teaches the reader: `python3 teach.py PACK MODEL OUT`, on a GPU in minutes, on a processor in an hour; of ours it imports nothing, of others numpy and torch.

A question is taught with its right lines and wrong ones beside them: a softmax over the group says which answers, a logistic says whether any does.
Word vectors stay as they are in all-MiniLM-L6-v2, so that only the layers above them have to be shipped.

All of the data lies on the device; a step is put together by indexing alone.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

CLS, SEP, PAD = 101, 102, 0
QUESTION, LINE, BEFORE = 40, 112, 32
HEADS, BUCKETS, FAR = 12, 32, 128
LARGER = 768  # a teacher's width
ROWS, MORE = 6, 10  # of a group in one step; where a teacher says of each how well it answers
CHUNKS = 2  # pairs of about one length run together: a step waits for its many small kernels, not for their width
WARM = 0.06


class Layer(nn.Module):
    """BERT's, with its names, so that its weights fit."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.query, self.key, self.value, self.out = (nn.Linear(width, width) for _ in range(4))
        self.wide, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.first, self.second = nn.LayerNorm(width, eps=1e-12), nn.LayerNorm(width, eps=1e-12)
        self.drop = nn.Dropout(0.0)

    def forward(self, hidden: Tensor, mask: Tensor) -> Tensor:
        parts = [
            linear(hidden).unflatten(-1, (HEADS, -1)).transpose(1, 2) for linear in (self.query, self.key, self.value)
        ]
        mixed = functional.scaled_dot_product_attention(*parts, attn_mask=mask, dropout_p=0.0)
        hidden = self.first(hidden + self.drop(self.out(mixed.transpose(1, 2).flatten(2))))
        return self.second(hidden + self.drop(self.narrow(functional.gelu(self.wide(hidden)))))


class Reader(nn.Module):
    """As wide and as deep as the weights it begins from; word vectors are not taught."""

    def __init__(self, weights: dict[str, Tensor], depth: int = 99) -> None:
        super().__init__()
        width = weights["words"].shape[1]
        layers = 1 + max(int(name.split(".")[1]) for name in weights if name.startswith("layers."))
        self.words = nn.Embedding.from_pretrained(weights["words"], freeze=True)
        self.places = nn.Parameter(weights["places"].clone())
        self.relative = nn.Parameter(weights["relative"].clone()) if "relative" in weights else None
        self.parts = nn.Parameter(torch.zeros(3, width))  # of the question, the line, what was said before it
        self.norm = nn.LayerNorm(width, eps=1e-12)
        self.layers = nn.ModuleList(Layer(width) for _ in range(min(layers, depth)))
        self.drop = nn.Dropout(0.0)
        self.relevance, self.span, self.relation = nn.Linear(width, 1), nn.Linear(width, 2), nn.Linear(width, 4)
        self.imitate = nn.Linear(width, LARGER)  # to what a teacher sees at the same piece; not shipped
        mine = {k: v for k, v in weights.items() if k in self.state_dict()}
        self.load_state_dict(mine, strict=False)

    def forward(self, ids: Tensor, part: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        hidden = self.words(ids) + self.places[: ids.shape[1]] + self.parts[part]
        hidden = self.drop(self.norm(hidden))
        seen = mask[:, None, None, :]
        if self.relative is not None:
            near = self.relative[buckets(ids.shape[1], ids.device)].permute(2, 0, 1)[None]
            seen = torch.where(seen, near, -1e4).to(torch.bfloat16)
        for layer in self.layers:
            hidden = layer(hidden, seen)
        weight = mask[..., None].to(hidden.dtype)
        return (hidden * weight).sum(1) / weight.sum(1), hidden


def buckets(length: int, device: torch.device) -> Tensor:
    """How far one place is from another, as mpnet counts it."""
    at = torch.arange(length, device=device)
    away = at[:, None] - at[None, :]
    half, exact = BUCKETS // 2, BUCKETS // 4
    size = away.abs()
    far = exact + (torch.log(size.clamp(min=1) / exact) / math.log(FAR / exact) * (half - exact)).long()
    return (away < 0).long() * half + torch.where(size < exact, size, far.clamp(max=half - 1))


def base_weights(file: Path) -> dict[str, Tensor]:
    """Half floats, or a byte a number with one scale a row."""
    held = np.load(file)
    scales = {name.removesuffix(" scale"): held[name] for name in held.files if name.endswith(" scale")}
    return {
        name: torch.from_numpy(held[name].astype(np.float32) * scales.get(name, np.float32(1)))
        for name in held.files
        if not name.endswith(" scale")
    }


@dataclass
class Data:
    """Texts as one table of pieces; groups and pairs as arrays, all on the device."""

    table: Tensor
    lengths: Tensor
    groups: Tensor
    rows: Tensor
    pairs: Tensor
    sources: list[str]
    shares: dict[str, float]

    @classmethod
    def load(cls, file: Path, device: str) -> Data:
        held = np.load(file)
        offsets, pieces = held["offsets"].astype(np.int64), held["pieces"].astype(np.int64)
        lengths = np.diff(offsets)
        table = np.zeros((len(lengths), LINE), dtype=np.int64)
        at = np.arange(LINE)[None, :] < lengths[:, None]
        table[at] = pieces
        put = [
            torch.from_numpy(array.astype(np.int64)).to(device)
            for array in (table, lengths, held["groups"], held["candidates"], held["pairs"])
        ]
        return cls(*put, [str(one) for one in held["sources"]], json.loads(str(held["shares"])))

    def joined(self, first: Tensor, second: Tensor, third: Tensor | None, cap: int) -> tuple[Tensor, Tensor, Tensor]:
        """[CLS] first [SEP] second [SEP] third [SEP]: pieces, which part each is of, and which are there."""
        a, b = self.lengths[first], self.lengths[second]
        c = self.lengths[third] if third is not None else torch.zeros_like(a)
        total = 3 + a + b + torch.where(c > 0, c + 1, 0)
        width = min(cap, int(total.max()))
        at = torch.arange(width, device=a.device)[None, :].expand(len(a), -1)
        a, b, c, total = (one[:, None] for one in (a, b, c, total))
        ids = torch.full_like(at, PAD)

        def take(rows: Tensor, start: Tensor, size: Tensor, ids: Tensor) -> Tensor:
            inside = (at >= start) & (at < start + size)
            return torch.where(inside, self.table[rows].gather(1, (at - start).clamp(0, LINE - 1)), ids)

        ids = take(first, torch.ones_like(a), a, ids)
        ids = take(second, a + 2, b, ids)
        if third is not None:
            ids = take(third, a + b + 3, c, ids)
        seps = (at == a + 1) | (at == a + b + 2) | ((c > 0) & (at == a + b + c + 3))
        ids = torch.where(at == 0, CLS, torch.where(seps, SEP, ids))
        part = (at > a + 1).long() + (at > a + b + 2).long()
        return ids, part, at < total


def drawn(
    chance: torch.Generator, groups: Tensor, rows: Tensor, device: str, most: int
) -> tuple[Tensor, Tensor, Tensor]:
    """Of each group one right row, if it has one, and wrong ones: rows, whether they are right, and which are there."""
    count = groups[:, 3]
    at = torch.arange(int(count.max()), device=device)[None, :]
    there = at < count[:, None]
    index = (groups[:, 2:3] + at).clamp(max=len(rows) - 1)
    right = there & (rows[index, 2] == 1)
    key = torch.rand(index.shape, generator=chance, device=device)
    # A group's hardest wrong rows stand first: they are drawn more often.
    key = key * torch.where(at < 6, 2.0, 1.0)
    best = torch.where(right, torch.rand(index.shape, generator=chance, device=device) + 3, -1.0)
    one = best.argmax(1, keepdim=True)
    key = torch.where(there & ~right, key, -1.0).scatter(
        1, one, torch.where(right.gather(1, one), 9.0, key.gather(1, one))
    )
    top = key.topk(min(most, key.shape[1]), dim=1)
    chosen = index.gather(1, top.indices)
    there = top.values >= 0
    return chosen, right.gather(1, top.indices) & there, there


@dataclass
class Pairs:
    """Texts to read together, first to third."""

    first: Tensor
    second: Tensor
    third: Tensor


class Steps:
    """What is drawn for a step, and what it costs."""

    def __init__(self, data: Data, args: argparse.Namespace, device: str) -> None:
        self.data, self.args, self.device = data, args, device
        self.chance = torch.Generator(device=device).manual_seed(args.seed)
        shares = data.shares
        source_of = data.groups[:, 0].cpu().numpy()
        held = args.held.split(",")
        pools: dict[str, list[int]] = {}
        for number, name in enumerate(data.sources):
            kind = "own" if name.startswith("T") else name
            if name not in held and kind in shares:
                pools.setdefault(kind, []).extend(np.flatnonzero(source_of == number).tolist())
        total = sum(shares[kind] for kind in pools)
        self.pools = [torch.tensor(pool, device=device) for pool in pools.values()]
        self.sizes = [max(1, round(args.groups * shares[kind] / total)) for kind in pools]
        out = {row[1] for row in data.groups.tolist() if data.sources[row[0]] in held}
        keep = torch.tensor([row[0] not in out for row in data.pairs.tolist()], device=device)
        self.by_kind = [torch.nonzero(keep & (data.pairs[:, 3] == kind))[:, 0] for kind in range(4)]

    def _some(self, pool: Tensor, size: int) -> Tensor:
        return pool[torch.randint(len(pool), (size,), generator=self.chance, device=self.device)]

    def loss(self, model: Reader, teacher: Reader | None, step: int) -> tuple[Tensor, list[float]]:
        groups = self.data.groups[
            torch.cat([self._some(pool, size) for pool, size in zip(self.pools, self.sizes, strict=True)])
        ]
        chosen, right, there = drawn(
            self.chance, groups, self.data.rows, self.device, ROWS if teacher is None else MORE
        )
        rows = self.data.rows[chosen[there]]
        before = rows[:, 1] if step % 4 else torch.zeros_like(rows[:, 1])  # a line may have nothing before it
        read = Pairs(groups[:, 1:2].expand_as(chosen)[there], rows[:, 0], before)
        kinds = [
            self._some(kind, self.args.groups // part) for kind, part in zip(self.by_kind, (3, 3, 8, 10), strict=True)
        ]
        pairs = self.data.pairs[torch.cat(kinds)]
        words_of_two = Pairs(pairs[:, 0], pairs[:, 1], pairs[:, 2])
        one = read_all(model, self.data, read, self.args.longest, self.device, rows, teacher)
        two = read_all(model, self.data, words_of_two, self.args.longest, self.device, None, teacher)
        logit, stands = one.logits[:, 0], two.logits[:, 1:]
        grid = torch.full(there.shape, -1e4, device=self.device).masked_scatter(there, logit)
        choice = -(grid.log_softmax(1)[right]).sum() / right.sum().clamp(min=1)
        whether = functional.binary_cross_entropy_with_logits(
            logit, right[there].float(), pos_weight=torch.tensor(2.0, device=self.device)
        )
        relation = functional.cross_entropy(stands, pairs[:, 3])
        parts = [float(part.detach()) for part in (choice, whether, one.words, relation, one.unlike)]
        total = choice + whether + 0.3 * one.words + 0.5 * relation
        if teacher is None or one.known is None or two.known is None:
            return total, parts
        goal = torch.full(there.shape, -1e4, device=self.device).masked_scatter(there, one.known[:, 0])
        asked = functional.kl_div(
            grid.log_softmax(1), goal.log_softmax(1), reduction="batchmean", log_target=True
        ) + functional.binary_cross_entropy_with_logits(logit, one.known[:, 0].sigmoid())
        stood = functional.cross_entropy(stands, two.known[:, 1:].softmax(1))
        return 0.3 * total + asked + 0.5 * stood + one.unlike + 0.5 * two.unlike, parts


@dataclass
class Said:
    """Logits of each pair (does it answer, then the four relations), what finding the words cost; of a teacher, its logits and how unlike what it sees is."""

    logits: Tensor
    words: Tensor
    known: Tensor | None
    unlike: Tensor


def read_all(
    model: Reader,
    data: Data,
    pairs: Pairs,
    longest: int,
    device: str,
    rows: Tensor | None = None,
    teacher: Reader | None = None,
) -> Said:
    order = (data.lengths[pairs.first] + data.lengths[pairs.second] + data.lengths[pairs.third]).argsort()
    logits, known, costs, found = [], [], torch.zeros((), device=device), 0
    unlike = torch.zeros((), device=device)
    for part_of in order.tensor_split(CHUNKS):
        ids, part, seen = data.joined(pairs.first[part_of], pairs.second[part_of], pairs.third[part_of], longest)
        with torch.autocast(device, dtype=torch.bfloat16):
            mean, hidden = model(ids, part, seen)
        logits.append(heads(model, mean))
        if teacher is not None:
            with torch.no_grad(), torch.autocast(device, dtype=torch.bfloat16):
                their_mean, theirs = teacher(ids, part, seen)
            known.append(heads(teacher, their_mean))
            likeness = functional.cosine_similarity(model.imitate(hidden.float()), theirs.float(), dim=-1)
            unlike = unlike + (1 - likeness[seen].mean()) / CHUNKS
        if rows is None:
            continue
        goal = rows[part_of][:, 3:5] + data.lengths[pairs.first[part_of]][:, None] + 2
        has = torch.nonzero((rows[part_of][:, 3] >= 0) & (goal[:, 1] < ids.shape[1]))[:, 0]
        if len(has):
            ends = model.span(hidden[has].float()).masked_fill(((part[has] != 1) | ~seen[has])[..., None], -1e4)
            costs = costs + functional.cross_entropy(
                ends.transpose(1, 2).flatten(0, 1), goal[has].flatten(), reduction="sum"
            )
            found += 2 * len(has)
    back = order.argsort()
    return Said(torch.cat(logits)[back], costs / max(1, found), torch.cat(known)[back] if known else None, unlike)


def heads(model: Reader, mean: Tensor) -> Tensor:
    return torch.cat([model.relevance(mean.float()), model.relation(mean.float())], 1)


def teach(args: argparse.Namespace) -> None:
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(args.seed)
    data = Data.load(args.pack, device)
    steps = Steps(data, args, device)
    model = Reader(base_weights(args.model), args.depth).to(device)
    teacher = taught_before(args.teacher, args.teacher_model).to(device).eval() if args.teacher else None
    for module in model.modules():
        if isinstance(module, nn.Dropout):
            module.p = args.drop
    for layer in model.layers[: args.frozen]:
        layer.requires_grad_(False)
    taught = [(name, value) for name, value in model.named_parameters() if value.requires_grad]
    kinds = [
        {"params": [v for _, v in taught if v.dim() > 1], "weight_decay": 0.01},
        {"params": [v for _, v in taught if v.dim() < 2], "weight_decay": 0.0},
    ]
    optimiser = torch.optim.AdamW(kinds, lr=args.rate, fused=device == "cuda")
    began, seen = time.time(), np.zeros(5)
    for step in range(args.steps):
        done = max(step / args.steps, (time.time() - began) / args.seconds)
        if done >= 1:
            break
        for kind in optimiser.param_groups:
            kind["lr"] = args.rate * min(1.0, done / WARM) * 0.5 * (1 + math.cos(math.pi * done))
        model.train()
        loss, parts = steps.loss(model, teacher, step)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_([value for _, value in taught], 1.0)
        optimiser.step()
        seen = 0.95 * seen + 0.05 * np.array(parts) if step else np.array(parts)
        if step % 50 == 0:
            print(f"{args.name} step {step} {time.time() - began:.0f}s {seen.round(3)}", flush=True)
        if args.held and step % args.look == args.look - 1:
            print(f"{args.name} step {step} {judged(model, data, args, device)}", flush=True)
    if args.held:
        print(f"{args.name} after {time.time() - began:.0f}s {judged(model, data, args, device)}", flush=True)
    args.out.mkdir(parents=True, exist_ok=True)
    state = {
        k: v.detach().cpu().numpy().astype(np.float16)
        for k, v in model.state_dict().items()
        if not k.startswith(("words", "imitate"))
    }
    np.savez(args.out / f"{args.name}.npz", **state)


def taught_before(file: Path, model: Path) -> Reader:
    """What this wrote, over the word vectors that it began from."""
    reader = Reader(base_weights(model))
    state = {name: torch.from_numpy(array.astype(np.float32)) for name, array in np.load(file).items()}
    reader.load_state_dict(state, strict=False)
    return reader


@torch.no_grad()
def judged(model: Reader, data: Data, args: argparse.Namespace, device: str) -> dict[str, float]:
    """Of what was held out: right first among the candidates, how well the best logit tells told from never told, and relations."""
    model.eval()
    groups = torch.tensor(
        [row for row in data.groups.tolist() if data.sources[row[0]] in args.held.split(",")], device=device
    )
    groups = groups[:: max(1, len(groups) // 200)]
    index = torch.cat([torch.arange(first, first + count, device=device) for _, _, first, count in groups.tolist()])
    asked = torch.cat([torch.full((count,), question, device=device) for _, question, _, count in groups.tolist()])
    rows = data.rows[index]
    logits = read_all(model, data, Pairs(asked, rows[:, 0], rows[:, 1]), args.longest, device).logits
    firsts, best, told = [], [], []
    for one, right in zip(
        logits[:, 0].split(groups[:, 3].tolist()), rows[:, 2].split(groups[:, 3].tolist()), strict=True
    ):
        best.append(float(one.max()))
        told.append(bool(right.any()))
        firsts += [float(right[one.argmax()])] if right.any() else []
    questions = set(groups[:, 1].tolist())
    pairs = torch.tensor([row for row in data.pairs.tolist() if row[0] in questions], device=device)
    said = (
        read_all(model, data, Pairs(pairs[:, 0], pairs[:, 1], pairs[:, 2]), args.longest, device)
        .logits[:, 1:]
        .argmax(1)
    )
    replaced, says = (pairs[:, 3] == 1) | (pairs[:, 3] == 2), (said == 1) | (said == 2)
    ranks = np.argsort(np.argsort(best)) + 1.0
    truth = np.array(told)
    auc = (ranks[truth].sum() - truth.sum() * (truth.sum() + 1) / 2) / max(1, truth.sum() * (~truth).sum())
    figures = {
        "first": float(np.mean(firsts)),
        "auc": float(auc),
        "replaced": float(says[replaced].float().mean()),
        "wrongly": float(says[~replaced].float().mean()),
    }
    return {name: round(value, 3) for name, value in figures.items()}


if __name__ == "__main__":
    words = argparse.ArgumentParser()
    words.add_argument("pack", type=Path)
    words.add_argument("model", type=Path)
    words.add_argument("out", type=Path)
    words.add_argument("--name", default="reader")
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--steps", type=int, default=1000)
    words.add_argument("--seconds", type=float, default=math.inf, help="the rate falls to nothing by then")
    words.add_argument("--groups", type=int, default=24)
    words.add_argument("--rate", type=float, default=1.2e-4)
    words.add_argument("--drop", type=float, default=0.1)
    words.add_argument("--depth", type=int, default=99, help="lowest layers that are kept")
    words.add_argument("--teacher", type=Path, help="what a larger one wrote: it is imitated too")
    words.add_argument("--teacher-model", type=Path)
    words.add_argument("--frozen", type=int, default=0, help="lowest layers that stay as they are")
    words.add_argument("--longest", type=int, default=160)
    words.add_argument("--look", type=int, default=250)
    words.add_argument("--held", default="")
    teach(words.parse_args())
