"""A character model: embedding, LSTM, truncated backpropagation through time, clipped gradients, and a sample."""

import json

import numpy as np
import torch
import torch.nn as nn

TEXT = "the reverse of a chain of small steps is a chain of small steps in reverse. " * 4


class Corpus:
    def __init__(self, text):
        self.idx2char = sorted(set(text))
        self.char2idx = {c: i for i, c in enumerate(self.idx2char)}
        self.ids = torch.tensor([self.char2idx[c] for c in text], dtype=torch.long)

    def batchify(self, bsz):
        nbatch = self.ids.size(0) // bsz
        data = self.ids.narrow(0, 0, nbatch * bsz)
        return data.view(bsz, -1).t().contiguous()


class RNNModel(nn.Module):
    def __init__(self, ntoken, ninp, nhid, nlayers):
        super().__init__()
        self.encoder = nn.Embedding(ntoken, ninp)
        self.rnn = nn.LSTM(ninp, nhid, nlayers, dropout=0.0)
        self.decoder = nn.Linear(nhid, ntoken)
        self.nhid, self.nlayers = nhid, nlayers

    def forward(self, input, hidden):
        emb = self.encoder(input)
        output, hidden = self.rnn(emb, hidden)
        decoded = self.decoder(output)
        return decoded.view(-1, decoded.size(-1)), hidden

    def init_hidden(self, bsz):
        weight = next(self.parameters())
        return (weight.new_zeros(self.nlayers, bsz, self.nhid), weight.new_zeros(self.nlayers, bsz, self.nhid))


def repackage_hidden(h):
    """Take hidden states out of their history."""
    if isinstance(h, torch.Tensor):
        return h.detach()
    return tuple(repackage_hidden(v) for v in h)


def main():
    torch.set_default_dtype(torch.float64)
    rng = np.random.default_rng(11)
    corpus = Corpus(TEXT)
    ntokens = len(corpus.idx2char)
    model = RNNModel(ntokens, 6, 8, 2)
    for p in model.parameters():
        p.data = torch.from_numpy(rng.uniform(-0.3, 0.3, tuple(p.shape)))
    criterion = nn.CrossEntropyLoss()
    train_data, bptt, lr = corpus.batchify(4), 7, 2.0
    hidden, losses, norms = model.init_hidden(4), [], []
    model.train()
    for i in range(0, 70, bptt):
        seq_len = min(bptt, len(train_data) - 1 - i)
        data, targets = train_data[i : i + seq_len], train_data[i + 1 : i + 1 + seq_len].view(-1)
        model.zero_grad()
        hidden = repackage_hidden(hidden)
        output, hidden = model(data, hidden)
        loss = criterion(output, targets)
        loss.backward()
        norms.append(float(nn.utils.clip_grad_norm_(model.parameters(), 0.25)))
        for p in model.parameters():
            p.data.add_(p.grad, alpha=-lr)
        losses.append(loss.item())
    model.eval()
    hidden, word, sample = model.init_hidden(1), torch.zeros(1, 1, dtype=torch.long), []
    with torch.no_grad():
        for _ in range(10):
            output, hidden = model(word, hidden)
            word = output.argmax(-1).view(1, 1)
            sample.append(word.item() + 1)
    record = {"loss": losses, "norm": norms, "sample": sample, "hidden": hidden[0].flatten().tolist()}
    print(json.dumps({"dtype": str(loss.dtype), **record}))


if __name__ == "__main__":
    main()
