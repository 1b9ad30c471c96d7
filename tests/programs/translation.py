"""Sequence to sequence: a GRU reads, another writes with attention, teacher forcing, and greedy decoding."""

import json

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.rnn import pad_sequence

PAD, SOS, EOS = 0, 1, 2


class Encoder(nn.Module):
    def __init__(self, vocab, hidden):
        super().__init__()
        self.embedding = nn.Embedding(vocab, hidden, padding_idx=PAD)
        self.gru = nn.GRU(hidden, hidden, batch_first=True, bidirectional=True)
        self.fc = nn.Linear(2 * hidden, hidden)

    def forward(self, src):
        outputs, h = self.gru(self.embedding(src))
        return outputs, torch.tanh(self.fc(torch.cat((h[-2], h[-1]), dim=1)))


class AttentionDecoder(nn.Module):
    def __init__(self, vocab, hidden):
        super().__init__()
        self.embedding = nn.Embedding(vocab, hidden)
        self.attn = nn.Linear(3 * hidden, hidden)
        self.v = nn.Linear(hidden, 1, bias=False)
        self.cell = nn.GRUCell(3 * hidden, hidden)
        self.out = nn.Linear(hidden, vocab)

    def forward(self, token, hidden, outputs, mask):
        repeated = hidden.unsqueeze(1).repeat(1, outputs.shape[1], 1)
        energy = self.v(torch.tanh(self.attn(torch.cat((repeated, outputs), dim=2)))).squeeze(2)
        weights = F.softmax(energy.masked_fill(mask == 0, -1e10), dim=1)
        context = torch.bmm(weights.unsqueeze(1), outputs).squeeze(1)
        hidden = self.cell(torch.cat((self.embedding(token), context), dim=1), hidden)
        return self.out(hidden), hidden, weights


class Seq2Seq(nn.Module):
    def __init__(self, vocab=9, hidden=6):
        super().__init__()
        self.encoder, self.decoder = Encoder(vocab, hidden), AttentionDecoder(vocab, hidden)

    def forward(self, src, trg=None, length=6):
        outputs, hidden = self.encoder(src)
        token, logits, looks = torch.full((src.size(0),), SOS, dtype=torch.long), [], []
        for t in range(trg.size(1) if trg is not None else length):
            scores, hidden, weights = self.decoder(token, hidden, outputs, src != PAD)
            logits.append(scores)
            looks.append(weights)
            token = trg[:, t] if trg is not None else scores.argmax(1)
        return torch.stack(logits, dim=1), torch.stack(looks, dim=1)


def batch(rng):
    lines = [torch.from_numpy(rng.integers(3, 9, rng.integers(2, 6))) for _ in range(5)]
    reverse = [torch.cat([line.flip(0), torch.tensor([EOS])]) for line in lines]
    return pad_sequence(lines, batch_first=True), pad_sequence(reverse, batch_first=True, padding_value=PAD)


def main():
    torch.set_default_dtype(torch.float64)
    rng = np.random.default_rng(90)
    model = Seq2Seq()
    for name, param in model.named_parameters():
        if "weight" in name:
            param.data.copy_(torch.from_numpy(rng.normal(0, 0.3, tuple(param.shape))))
        else:
            nn.init.constant_(param.data, 0)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    criterion = nn.CrossEntropyLoss(ignore_index=PAD)
    losses = []
    for _ in range(10):
        src, trg = batch(rng)
        output, _ = model(src, trg)
        loss = criterion(output.reshape(-1, output.size(-1)), trg.reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
        optimizer.step()
        losses.append(loss.item())
    model.eval()
    with torch.no_grad():
        output, looks = model(src)
    record = {"loss": losses, "out": output[0].tolist(), "words": (output.argmax(2) + 1).tolist()}
    record["looks"] = looks.sum(0).tolist()
    record["embedding"] = model.encoder.embedding.weight.grad.abs().sum(1).tolist()
    print(json.dumps({"dtype": str(loss.dtype), **record}))


if __name__ == "__main__":
    main()
