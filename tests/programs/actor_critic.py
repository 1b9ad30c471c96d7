"""An actor and a critic learn to walk to the right end of a line; actions are drawn by NumPy from the policy."""

import json
from collections import namedtuple

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim

SavedAction = namedtuple("SavedAction", ["log_prob", "value"])
eps = np.finfo(np.float32).eps.item()


class Line:
    """Seven places; a reward at the right end."""

    def reset(self):
        self.place, self.t = 3, 0
        return self._state()

    def _state(self):
        state = np.zeros(7, dtype=np.float64)
        state[self.place] = 1.0
        return state

    def step(self, action):
        self.place, self.t = self.place + (1 if action else -1), self.t + 1
        reward = 1.0 if self.place == 6 else -0.05
        return self._state(), reward, self.place in (0, 6) or self.t >= 20


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.affine1 = nn.Linear(7, 10)
        self.action_head = nn.Linear(10, 2)
        self.value_head = nn.Linear(10, 1)
        self.saved_actions = []
        self.rewards = []

    def forward(self, x):
        x = F.relu(self.affine1(x))
        return F.softmax(self.action_head(x), dim=-1), self.value_head(x)


def select_action(model, state, rng):
    probs, state_value = model(torch.from_numpy(state))
    action = int(rng.random() < probs[1].item())
    model.saved_actions.append(SavedAction(torch.log(probs[action]), state_value))
    return action


def finish_episode(model, optimizer, gamma=0.95):
    R, policy_losses, value_losses, returns = 0, [], [], []
    for r in model.rewards[::-1]:
        R = r + gamma * R
        returns.insert(0, R)
    returns = torch.tensor(returns, dtype=torch.float64)
    returns = (returns - returns.mean()) / (returns.std() + eps)
    for (log_prob, value), R in zip(model.saved_actions, returns):
        advantage = R - value.item()
        policy_losses.append(-log_prob * advantage)
        value_losses.append(F.smooth_l1_loss(value, torch.tensor([R])))
    optimizer.zero_grad()
    loss = torch.stack(policy_losses).sum() + torch.stack(value_losses).sum()
    loss.backward()
    optimizer.step()
    del model.rewards[:]
    del model.saved_actions[:]
    return loss.item()


def main():
    torch.set_default_dtype(torch.float64)
    rng = np.random.default_rng(2)
    model, env = Policy(), Line()
    for p in model.parameters():
        p.data = torch.from_numpy(rng.normal(0, 0.3, list(p.size())))
    optimizer = optim.Adam(model.parameters(), lr=3e-2)
    losses, lengths = [], []
    for _episode in range(12):
        state, done = env.reset(), False
        while not done:
            state, reward, done = env.step(select_action(model, state, rng))
            model.rewards.append(reward)
        lengths.append(env.t)
        losses.append(finish_episode(model, optimizer))
    values = model(torch.eye(7))[1].squeeze(-1)
    record = {"loss": losses, "length": lengths, "values": values.tolist()}
    print(json.dumps({"dtype": str(values.dtype), **record}))


if __name__ == "__main__":
    main()
