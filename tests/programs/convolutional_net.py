"""A convolutional net on stripes: the loop of nearly every tutorial, with a loader, a device and a scheduler."""

import argparse
import json

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.optim.lr_scheduler import StepLR
from torch.utils.data import DataLoader, Dataset


class Stripes(Dataset):
    """Images of stripes that lie or stand, with noise."""

    def __init__(self, n, seed, transform=None):
        rng = np.random.default_rng(seed)
        self.labels = rng.integers(0, 2, n)
        pattern = np.tile([1.0, -1.0], 4)
        images = [np.broadcast_to(pattern[:, None] if y else pattern, (8, 8)) for y in self.labels]
        self.images = np.stack(images)[:, None] + rng.normal(0, 0.5, (n, 1, 8, 8))
        self.transform = transform

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, idx):
        image = torch.from_numpy(self.images[idx])
        if self.transform:
            image = self.transform(image)
        return image, int(self.labels[idx])


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 4, 3, padding=1)
        self.bn = nn.BatchNorm2d(4)
        self.conv2 = nn.Conv2d(4, 6, 3, 1)
        self.fc = nn.Linear(6, 2)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.bn(self.conv1(x))), 2)
        x = F.adaptive_avg_pool2d(F.relu(self.conv2(x)), 1)
        return F.log_softmax(self.fc(torch.flatten(x, 1)), dim=1)


def train(model, device, loader, optimizer, losses):
    model.train()
    for data, target in loader:
        data, target = data.to(device), target.to(device)
        optimizer.zero_grad()
        loss = F.nll_loss(model(data), target)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())


def test(model, device, loader):
    model.eval()
    loss, correct = 0, 0
    with torch.no_grad():
        for data, target in loader:
            data, target = data.to(device), target.to(device)
            output = model(data)
            loss += F.nll_loss(output, target, reduction="sum").item()
            pred = output.argmax(dim=1, keepdim=True)
            correct += pred.eq(target.view_as(pred)).sum().item()
    return loss / len(loader.dataset), correct / len(loader.dataset)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--no-cuda", action="store_true", default=False)
    args = parser.parse_args([])
    use_cuda = not args.no_cuda and torch.cuda.is_available()
    device = torch.device("cuda" if use_cuda else "cpu")
    torch.manual_seed(1)
    if use_cuda:
        torch.cuda.manual_seed_all(1)
    torch.backends.cudnn.benchmark = True

    model = Net().double().to(device)
    rng = np.random.default_rng(0)
    for p in model.parameters():
        p.data.copy_(torch.from_numpy(rng.normal(0, 0.3, tuple(p.shape))))
    kwargs = {"num_workers": 0, "pin_memory": use_cuda}
    train_loader = DataLoader(Stripes(64, 1, transform=lambda x: x / 2), batch_size=16, shuffle=False, **kwargs)
    test_loader = DataLoader(Stripes(20, 2, transform=lambda x: x / 2), batch_size=20, **kwargs)
    optimizer = optim.SGD(model.parameters(), lr=0.05, momentum=0.9, nesterov=True, weight_decay=1e-4)
    scheduler = StepLR(optimizer, step_size=1, gamma=0.7)
    losses, tests = [], []
    for _epoch in range(args.epochs):
        train(model, device, train_loader, optimizer, losses)
        tests.append(test(model, device, test_loader))
        scheduler.step()
    record = {"loss": losses, "test": tests, "mean": model.bn.running_mean.tolist(), "lr": scheduler.get_last_lr()}
    record["grad"] = model.conv1.weight.grad.cpu().numpy().ravel().tolist()
    print(json.dumps({"dtype": str(model.fc.weight.dtype), **record}))


if __name__ == "__main__":
    main()
