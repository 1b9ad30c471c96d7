"""Skip-gram with negative sampling, a bag of words classifier, and a metric learned from triplets."""

import json
from collections import Counter

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, SubsetRandomSampler, WeightedRandomSampler, random_split

TEXT = "a chain of steps and a step of a chain and the chain of the chain rule and the rule of steps"


class SkipGram(nn.Module):
    def __init__(self, size, dim):
        super().__init__()
        self.center, self.context = nn.Embedding(size, dim), nn.Embedding(size, dim)

    def forward(self, center, context, noise):
        v = self.center(center).unsqueeze(2)
        positive = F.logsigmoid(torch.bmm(self.context(context).unsqueeze(1), v)).squeeze()
        negative = F.logsigmoid(-torch.bmm(self.context(noise), v)).squeeze(2).sum(1)
        return -(positive + negative).mean()


def collate_batch(examples):
    labels, texts, offsets = [], [], [0]
    for text, label in examples:
        labels.append(label)
        texts.append(torch.tensor(text, dtype=torch.int64))
        offsets.append(texts[-1].size(0))
    return torch.cat(texts), torch.tensor(offsets[:-1]).cumsum(dim=0), torch.tensor(labels)


def main():
    torch.set_default_dtype(torch.float64)
    rng = np.random.default_rng(120)
    vocab = {word: i for i, (word, _) in enumerate(Counter(TEXT.split()).most_common())}
    ids = [vocab[word] for word in TEXT.split()]
    pairs = [(ids[i], ids[j]) for i in range(len(ids)) for j in range(max(0, i - 2), min(len(ids), i + 3)) if i != j]
    model = SkipGram(len(vocab), 4)
    bag = nn.EmbeddingBag(len(vocab), 4, mode="mean")
    fc = nn.Linear(4, 2)
    for p in [*model.parameters(), *bag.parameters(), *fc.parameters()]:
        p.data = torch.from_numpy(rng.normal(0, 0.5, tuple(p.shape)))
    optimizer, losses = torch.optim.Adagrad(model.parameters(), lr=0.3), []
    for center, context in DataLoader(pairs, batch_size=8, drop_last=True):
        noise = torch.from_numpy(rng.integers(0, len(vocab), (8, 3)))
        loss = model(center, context, noise)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())

    data = [(ids[i : i + n], i % 2) for i, n in zip(range(15), rng.integers(1, 5, 15))]
    optimizer, bag_losses = torch.optim.Adadelta([*bag.parameters(), *fc.parameters()], lr=1.0), []
    for text, offsets, label in DataLoader(data, batch_size=5, collate_fn=collate_batch):
        loss = F.cross_entropy(fc(bag(text, offsets)), label)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        bag_losses.append(loss.item())

    anchor, positive, negative = model.center.weight[ids[:6]], model.context.weight[ids[1:7]], bag.weight[ids[2:8]]
    triplet = F.triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2)
    anchors = F.normalize(model.center.weight, dim=1)
    info = F.cross_entropy(anchors @ anchors.t() / 0.5, torch.arange(len(vocab)))
    (triplet + info).backward()
    similar = F.cosine_similarity(anchors[:, None], anchors[None], dim=-1)
    near = torch.topk(similar.masked_fill(torch.eye(len(vocab), dtype=torch.bool), -1), 2)[1]

    train, valid = random_split(data, [12, 3], generator=torch.Generator().manual_seed(42))
    sampler = SubsetRandomSampler(list(range(len(train))))
    seen = sorted(len(batch) for batch in DataLoader(train, 4, sampler=sampler, collate_fn=list))
    weighted = list(WeightedRandomSampler([0.0, 1.0, 0.0], 4))
    record = {"loss": losses, "bag": bag_losses, "metric": [triplet.item(), info.item()], "near": near.tolist()}
    record["grad"] = model.center.weight.grad.tolist()
    record["split"] = [len(train), len(valid), *seen, *weighted]
    print(json.dumps({"dtype": str(loss.dtype), **record}))


if __name__ == "__main__":
    main()
