"""Training programs on models, with one planted fault each, and healthy ones.

A program takes an engine and returns the loss, the parameters to ask about (a model, or a part of one) and the
optimizer, or None. The line that is to be named ends in `# here`.
"""

import contextlib
import copy
from importlib import import_module

import numpy as np

FAULTS: list = []
HEALTHY: list = []


def fault(step, kind, *, line=True, bare=None):
    """Enter a program whose first fault lies in a step of the checklist, and is `kind` alone inside watch().

    `line` says whether the one cause comes with the line marked `# here`. Of the kinds in `bare` (by default the same)
    one must be among those possible without watch(); none are where only the order of events shows the fault.
    """

    def enter(program):
        FAULTS.append((program, step, kind, line, (kind,) if bare is None else bare))
        return program

    return enter


def healthy(program):
    HEALTHY.append(program)
    return program


def network(T, middle=None):
    T.manual_seed(0)
    return T.nn.Sequential(T.nn.Linear(2, 3), middle or T.nn.Tanh(), T.nn.Linear(3, 1))


def batch(T):
    return T.tensor([[0.5, -1.0], [1.5, 0.3], [-0.7, 0.8]]), T.tensor([[1.0], [0.0], [2.0]])


def sgd(T, model, lr=0.1, **settings):
    return T.optim.SGD(model.parameters(), lr=lr, **settings)


def error(model, x, y):
    return (model(x) - y).square().mean()


# -- 1: the loss


@fault(1, "no-grad")
def evaluated_instead_of_trained(T):
    model, (x, y) = network(T), batch(T)
    with T.no_grad():
        p = model(x)  # here
    loss = (p - y).square().mean()
    return loss, model, sgd(T, model)


@fault(1, "left-graph")
def loss_from_a_number(T):
    model, (x, y) = network(T), batch(T)
    loss = T.tensor(error(model, x, y).item())  # here
    return loss, model, sgd(T, model)


@fault(1, "loss-is-leaf", line=False)
def loss_made_to_require_gradients(T):
    model, (x, y) = network(T), batch(T)
    loss = error(model, x, y).detach().requires_grad_()
    loss.backward()
    return loss, model, sgd(T, model)


@fault(1, "detached")
def logged_loss_is_trained(T):
    model, (x, y) = network(T), batch(T)
    loss = error(model, x, y).detach()  # here
    return loss, model, sgd(T, model)


@fault(1, "nondiff")
def accuracy_as_loss(T):
    model, (x, y) = network(T), batch(T)
    hits = model(x) > y  # here
    return hits.float().mean(), model, sgd(T, model)


@fault(1, "stale")
def activation_written_over(T):
    model, (x, y) = network(T), batch(T)
    h = T.tanh(model[0](x))
    loss = (model[2](h) - y).square().mean()  # here
    h.mul_(2)
    return loss, model[0], sgd(T, model)


# -- 2: the graph


@fault(2, "detached")
def features_detached(T):
    model, (x, y) = network(T), batch(T)
    h = model[0](x).detach()  # here
    loss = (model[2](h) - y).square().mean()
    loss.backward()
    return loss, model, sgd(T, model)


@fault(2, "no-grad")
def backbone_under_no_grad(T):
    model, (x, y) = network(T), batch(T)
    with T.no_grad():
        h = model[0](x)  # here
    loss = (model[2](h) - y).square().mean()
    loss.backward()
    return loss, model, sgd(T, model)


@fault(2, "no-grad")
def backbone_with_recording_switched_off(T):
    model, (x, y) = network(T), batch(T)
    with T.set_grad_enabled(False):
        h = model[0](x)  # here
    loss = (model[2](h) - y).square().mean()
    loss.backward()
    return loss, model, sgd(T, model)


@fault(2, "no-grad")
def backbone_in_inference_mode(T):
    model, (x, _) = network(T), batch(T)
    with T.inference_mode():
        h = model[0](x)  # here
    loss = (h.sum() + model[2].weight).sum()
    loss.backward()
    return loss, [("weight", model[0].weight), ("head", model[2].weight)], sgd(T, model)


@fault(2, "unused", line=False)
def layer_never_called(T):
    class Model(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.second = T.nn.Linear(2, 1), T.nn.Linear(2, 1)

        def forward(self, x):
            return self.first(x)

    model, (x, y) = Model(), batch(T)
    loss = error(model, x, y)
    loss.backward()
    return loss, model, sgd(T, model)


@fault(2, "unused", line=False)
def another_copy_is_trained(T):
    model, (x, y) = network(T), batch(T)
    loss = error(copy.deepcopy(model), x, y)
    loss.backward()
    return loss, model, sgd(T, model)


@fault(2, "nondiff")
def hard_decision_in_the_middle(T):
    model, (x, y) = network(T), batch(T)
    choice = model[0](x).argmax(1)  # here
    loss = (model[2](T.eye(3)[choice]) - y).square().mean()
    loss.backward()
    return loss, model, sgd(T, model)


@fault(2, "detached")
def weight_used_as_data(T):
    model, (x, y) = network(T), batch(T)
    h = T.nn.functional.linear(x, model[0].weight.data)  # here
    loss = (model[2](h) - y).square().mean()
    loss.backward()
    return loss, [model[0].weight, model[2].weight], sgd(T, model)


@fault(2, "frozen", line=False)
def frozen_and_forgotten(T):
    model, (x, y) = network(T), batch(T)
    model[0].requires_grad_(False)
    loss = error(model, x, y)
    loss.backward()
    return loss, model[0], sgd(T, model)


@fault(2, "asked-too-late")
def thawed_after_the_forward(T):
    model, (x, y) = network(T), batch(T)
    for p in model[0].parameters():
        p.requires_grad = False
    h = model[0](x)  # here
    for p in model[0].parameters():
        p.requires_grad = True
    loss = (model[2](h) - y).square().mean()
    loss.backward()
    return loss, model, sgd(T, model)


@fault(2, "detached")
def state_detached_at_every_step(T):
    model, (x, y) = network(T), batch(T)
    carry = T.nn.Linear(3, 3)
    state = T.zeros(3, 3)
    for _ in range(2):
        state = T.tanh(model[0](x) + carry(state))
    state = state.detach()  # here
    loss = (model[2](state) - y).square().mean()
    loss.backward()
    return loss, [("in", model[0].weight), ("out", model[2].weight)], sgd(T, model)


# -- 3: the slot


@fault(3, "no-backward", line=False)
def backward_forgotten(T):
    model, (x, y) = network(T), batch(T)
    optimizer, loss = sgd(T, model), error(model, x, y)
    optimizer.step()
    return loss, model, optimizer


@fault(3, "grad-returned")
def gradients_returned(T):
    model, (x, y) = network(T), batch(T)
    loss = error(model, x, y)
    T.autograd.grad(loss, list(model.parameters()))  # here
    return loss, model, sgd(T, model)


@fault(3, "inputs")
def only_the_head_was_asked_for(T):
    model, (x, y) = network(T), batch(T)
    loss = error(model, x, y)
    loss.backward(inputs=list(model[2].parameters()))  # here
    return loss, model, sgd(T, model)


@fault(3, "not-produced", line=False)
def custom_function_without_a_gradient(T):
    class Deaf(T.autograd.Function):
        @staticmethod
        def forward(ctx, x, weight):
            ctx.save_for_backward(weight)
            return x @ weight.t()

        @staticmethod
        def backward(ctx, g):
            return g @ ctx.saved_tensors[0], None

    model, (x, y) = network(T), batch(T)
    loss = (Deaf.apply(T.tanh(model[0](x)), model[2].weight) - y).square().mean()
    loss.backward()
    return loss, [model[0].weight, model[2].weight], sgd(T, model)


@fault(3, "non-leaf")
def a_computed_weight(T):
    model, (x, y) = network(T), batch(T)
    weight = model[2].weight * 2  # here
    loss = (T.tanh(model[0](x)) @ weight.t() - y).square().mean()
    loss.backward()
    return loss, [weight], None


@fault(3, "rebound", bare=("rebound", "non-leaf"))
def updated_by_hand_out_of_place(T):
    (x, y), w = batch(T), T.zeros(2, 1, requires_grad=True)
    for _ in range(2):
        loss = (x @ w - y).square().mean()
        loss.backward()
        if w.is_leaf:
            w = w - 0.1 * w.grad  # here
    return loss, [w], None


@fault(3, "relu")
def every_unit_is_dead(T):
    model, (x, y) = network(T, T.nn.ReLU()), batch(T)
    with T.no_grad():
        model[0].bias.fill_(-100.0)
    loss = (model(x) - y).square().mean()  # here
    loss.backward()
    return loss, model[0], sgd(T, model)


@fault(3, "saturated")
def every_unit_is_saturated(T):
    model, (x, y) = network(T, T.nn.Sigmoid()), batch(T)
    with T.no_grad():
        model[0].bias.fill_(200.0)
    loss = (model(x) - y).square().mean()  # here
    loss.backward()
    return loss, model[0], sgd(T, model)


@fault(3, "times-zero")
def head_begins_at_zero(T):
    model, (x, y) = network(T), batch(T)
    with T.no_grad():
        model[2].weight.zero_()
    loss = (model(x) - y).square().mean()  # here
    loss.backward()
    return loss, model[0], sgd(T, model)


@fault(3, "mask")
def mask_is_inverted(T):
    model, (x, y) = network(T), batch(T)
    valid = T.tensor([[True], [True], [True]])
    difference = (model(x) - y).masked_fill(valid, 0.0)  # here
    loss = difference.sum()
    loss.backward()
    return loss, model, sgd(T, model)


@fault(3, "clamp")
def prediction_cut_off(T):
    model, (x, y) = network(T), batch(T)
    p = model(x).clamp(5.0, 6.0)  # here
    loss = (p - y).square().mean()
    loss.backward()
    return loss, model, sgd(T, model)


@fault(3, "step")
def prediction_rounded(T):
    model, (x, y) = network(T), batch(T)
    p = model(x).round()  # here
    loss = (p - y).square().mean() * 3
    loss.backward()
    return loss, model, sgd(T, model)


@fault(3, "normalized")
def softmax_over_one_class(T):
    model, (x, y) = network(T), batch(T)
    p = T.softmax(model(x), 1)  # here
    loss = (p - 2 * y).square().mean()
    loss.backward()
    return loss, model, sgd(T, model)


@fault(3, "saturated")
def softmax_of_huge_logits(T):
    model, (x, _) = network(T), batch(T)
    logits = T.nn.functional.linear(T.tanh(model[0](x)), model[2].weight.expand(2, 3))
    p = T.softmax(logits + T.tensor([0.0, 400.0]), 1)  # here
    loss = (p * T.tensor([1.0, 2.0])).sum()
    loss.backward()
    return loss, [model[0].weight, model[2].weight], sgd(T, model)


@fault(3, "underflow")
def loss_scaled_to_nothing(T):
    model, (x, y) = network(T), batch(T)
    loss = error(model, x, y) * 1e-30  # here
    loss = loss * 1e-30
    loss.backward()
    return loss, model, sgd(T, model)


@fault(3, "not-finite", line=False)
def root_at_zero(T):
    model, (x, y) = network(T), batch(T)
    loss = (error(model, x, y) * 0).sqrt()
    with np.errstate(all="ignore"):
        loss.backward()
    return loss, model, sgd(T, model)


# -- 4: the order of events


@fault(4, "cleared")
def cleared_before_the_step(T):
    model, (x, y) = network(T), batch(T)
    optimizer = sgd(T, model)
    loss = error(model, x, y)
    loss.backward()
    optimizer.zero_grad()  # here
    optimizer.step()
    return loss, model, optimizer


@fault(4, "zeroed")
def zeroed_before_the_step(T):
    model, (x, y) = network(T), batch(T)
    optimizer = sgd(T, model)
    loss = error(model, x, y)
    loss.backward()
    optimizer.zero_grad(set_to_none=False)  # here
    optimizer.step()
    return loss, model, optimizer


@fault(4, "never-cleared", bare=())
def never_cleared(T):
    model, (x, y) = network(T), batch(T)
    optimizer = sgd(T, model)
    for _ in range(3):
        loss = error(model, x, y)
        loss.backward()  # here
        optimizer.step()
    return loss, model, optimizer


@fault(4, "thrown-away", bare=())
def step_before_backward(T):
    model, (x, y) = network(T), batch(T)
    optimizer = sgd(T, model)
    for _ in range(3):
        optimizer.zero_grad()  # here
        optimizer.step()
        loss = error(model, x, y)
        loss.backward()
    return loss, model, optimizer


@fault(4, "thrown-away", bare=())
def cleared_between_the_parts_of_a_batch(T):
    model, (x, y) = network(T), batch(T)
    optimizer = sgd(T, model)
    for k in range(3):
        optimizer.zero_grad()  # here
        loss = error(model, x[k : k + 1], y[k : k + 1]) / 3
        loss.backward()
    return loss, model, optimizer


@fault(4, "cleared-by-hook", bare=("cleared",))
def hook_clears_the_slot(T):
    model, (x, y) = network(T), batch(T)
    w = model[0].weight
    loss = error(model, x, y)
    w.register_post_accumulate_grad_hook(lambda p: setattr(p, "grad", None)), loss.backward()  # here
    return loss, [w], sgd(T, model)


# -- 5: the optimizer


@fault(5, "not-in-optimizer", line=False)
def weight_replaced_after_the_optimizer_was_made(T):
    model, (x, y) = network(T), batch(T)
    optimizer = sgd(T, model)
    model[2].weight = T.nn.Parameter(T.ones(1, 3))
    loss = error(model, x, y)
    loss.backward()
    return loss, model, optimizer


@fault(5, "not-in-optimizer", line=False)
def optimizer_of_another_model(T):
    model, other, (x, y) = network(T), network(T), batch(T)
    loss = error(model, x, y)
    loss.backward()
    return loss, model, sgd(T, other)


@fault(5, "rate-zero", line=False)
def rate_decayed_to_nothing(T):
    model, (x, y) = network(T), batch(T)
    optimizer = T.optim.Adam(model.parameters(), lr=1e-3)
    loss = error(model, x, y)
    loss.backward()
    for group in optimizer.param_groups:
        group["lr"] = 0.0
    return loss, model, optimizer


# -- nothing is wrong


@healthy
def one_step(T):
    model, (x, y) = network(T), batch(T)
    loss = error(model, x, y)
    loss.backward()
    return loss, model, sgd(T, model)


@healthy
def five_steps(T):
    model, (x, y) = network(T), batch(T)
    optimizer = sgd(T, model, momentum=0.9)
    for _ in range(5):
        optimizer.zero_grad()
        loss = error(model, x, y)
        loss.backward()
        optimizer.step()
    return loss, model, optimizer


@healthy
def five_steps_with_zeros(T):
    model, (x, y) = network(T), batch(T)
    optimizer = T.optim.Adam(model.parameters(), lr=1e-2)
    for _ in range(5):
        optimizer.zero_grad(set_to_none=False)
        loss = error(model, x, y)
        loss.backward()
        optimizer.step()
    return loss, model, optimizer


@healthy
def three_parts_of_a_batch(T):
    model, (x, y) = network(T), batch(T)
    optimizer = sgd(T, model)
    for _ in range(2):
        optimizer.zero_grad()
        for k in range(3):
            loss = error(model, x[k : k + 1], y[k : k + 1]) / 3
            loss.backward()
        optimizer.step()
    return loss, model, optimizer


@healthy
def head_on_a_frozen_backbone(T):
    model, (x, y) = network(T), batch(T)
    model[0].requires_grad_(False)
    loss = error(model, x, y)
    loss.backward()
    return loss, model, T.optim.SGD(model[2].parameters(), lr=0.1)


@healthy
def head_on_detached_features(T):
    model, (x, y) = network(T), batch(T)
    loss = (model[2](model[0](x).detach()) - y).square().mean()
    loss.backward()
    return loss, model[2], sgd(T, model)


@healthy
def trained_in_eval_mode(T):
    model, (x, y) = network(T, T.nn.Dropout(0.5)), batch(T)
    loss = error(model.eval(), x, y)
    loss.backward()
    return loss, model, sgd(T, model)


@healthy
def evaluated_between_two_steps(T):
    model, (x, y) = network(T), batch(T)
    optimizer = sgd(T, model)
    for _ in range(2):
        optimizer.zero_grad()
        loss = error(model, x, y)
        loss.backward()
        optimizer.step()
        with T.no_grad():
            error(model, x, y).item()
    return loss, model, optimizer


@healthy
def batch_norm_in_the_middle(T):
    T.manual_seed(0)
    model, (x, y) = T.nn.Sequential(T.nn.BatchNorm1d(2), T.nn.Linear(2, 1)), batch(T)
    loss = error(model, x, y)
    loss.backward()
    return loss, model, sgd(T, model)


@healthy
def layer_norm_in_the_middle(T):
    model, (x, y) = network(T, T.nn.LayerNorm(3)), batch(T)
    loss = error(model, x, y)
    loss.backward()
    return loss, model, sgd(T, model)


@healthy
def some_units_are_dead(T):
    model, (x, y) = network(T, T.nn.ReLU()), batch(T)
    with T.no_grad():
        model[0].bias[0] = -100.0
    loss = error(model, x, y)
    loss.backward()
    return loss, model, sgd(T, model)


@healthy
def embedding_with_rows_not_used(T):
    T.manual_seed(0)
    model = T.nn.Sequential(T.nn.Embedding(5, 2), T.nn.Linear(2, 1))
    loss = error(model, T.tensor([0, 2, 2]), batch(T)[1])
    loss.backward()
    return loss, model, sgd(T, model)


@healthy
def classifier(T):
    T.manual_seed(0)
    model, (x, _) = T.nn.Linear(2, 3), batch(T)
    loss = T.nn.functional.cross_entropy(model(x), T.tensor([0, 2, 1]))
    loss.backward()
    return loss, model, sgd(T, model)


@healthy
def clipped_and_logged(T):
    model, (x, y) = network(T), batch(T)
    optimizer = sgd(T, model)
    losses = []
    for _ in range(2):
        optimizer.zero_grad()
        loss = error(model, x, y)
        loss.backward()
        with T.no_grad():
            norm = sum(p.grad.square().sum() for p in model.parameters()).sqrt()
            for p in model.parameters():
                p.grad.mul_(1.0 / max(norm.item(), 1.0))
        optimizer.step()
        losses.append(loss.item())
    return loss, model, optimizer


@healthy
def target_network(T):
    model, (x, y) = network(T), batch(T)
    target = copy.deepcopy(model)
    loss = (model(x) - (y + 0.9 * target(x)).detach()).square().mean()
    loss.backward()
    return loss, model, sgd(T, model)


@healthy
def averaged_weights(T):
    model, (x, y) = network(T), batch(T)
    average, optimizer = copy.deepcopy(model), sgd(T, model)
    for _ in range(2):
        optimizer.zero_grad()
        loss = error(model, x, y)
        loss.backward()
        optimizer.step()
        with T.no_grad():
            for a, p in zip(average.parameters(), model.parameters()):
                a.mul_(0.9).add_(p, alpha=0.1)
    return loss, model, optimizer


@healthy
def shared_weights(T):
    T.manual_seed(0)
    layer, (x, y) = T.nn.Linear(2, 2), batch(T)
    loss = (layer(T.tanh(layer(x))) - y).square().mean()
    loss.backward()
    return loss, layer, sgd(T, layer)


@healthy
def gradient_penalty(T):
    model, (x, y) = network(T), batch(T)
    x.requires_grad_()
    (slope,) = T.autograd.grad(model(x).sum(), x, create_graph=True)
    loss = error(model, x, y) + (slope.square().sum(1) - 1).square().mean()
    loss.backward()
    return loss, model, sgd(T, model)


@healthy
def checkpointed(T):
    checkpoint = import_module(f"{T.__name__}.utils.checkpoint").checkpoint
    model, (x, y) = network(T), batch(T)
    loss = (model[2](checkpoint(model[0], x, use_reentrant=False)) - y).square().mean()
    loss.backward()
    return loss, model, sgd(T, model)


@healthy
def cleared_once_the_step_was_done(T):
    model, (x, y) = network(T), batch(T)
    optimizer = sgd(T, model)
    for _ in range(3):
        loss = error(model, x, y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    return loss, model, optimizer


@healthy
def updated_by_hand(T):
    model, (x, y) = network(T), batch(T)
    for _ in range(3):
        loss = error(model, x, y)
        for p in model.parameters():
            p.grad = None
        loss.backward()
        with T.no_grad():
            for p in model.parameters():
                p -= 0.1 * p.grad
    return loss, model, None


@healthy
def graph_kept_for_a_second_loss(T):
    model, (x, y) = network(T), batch(T)
    optimizer, h = sgd(T, model), None
    h = model(x)
    (h - y).square().mean().backward(retain_graph=True)
    loss = h.abs().sum()
    loss.backward()
    optimizer.step()
    return loss, model, optimizer


@healthy
def two_optimizers(T):
    generator, critic, (x, _) = network(T), T.nn.Linear(1, 1), batch(T)
    first, second = sgd(T, generator), sgd(T, critic)
    for _ in range(2):
        second.zero_grad()
        (critic(generator(x).detach()) - 1).square().mean().backward()
        second.step()
        first.zero_grad()
        loss = critic(generator(x)).mean()
        loss.backward()
        first.step()
    return loss, generator, first


@healthy
def a_step_that_failed_before_it_began(T):
    model, (x, y) = network(T), batch(T)
    with contextlib.suppress(RuntimeError):
        error(model, x.T, y).backward()
    loss = error(model, x, y)
    loss.backward()
    return loss, model, sgd(T, model)


@healthy
def convolutions(T):
    T.manual_seed(0)
    layers = (
        T.nn.Conv2d(1, 2, 2),
        T.nn.BatchNorm2d(2),
        T.nn.ReLU(),
        T.nn.MaxPool2d(2),
        T.nn.Flatten(),
        T.nn.Linear(2, 3),
    )
    model = T.nn.Sequential(*layers)
    images = T.tensor(np.random.default_rng(0).standard_normal((3, 1, 3, 3)).astype(np.float32))
    loss = T.nn.functional.cross_entropy(model(images), T.tensor([0, 2, 1]))
    loss.backward()
    return loss, model, sgd(T, model)


@healthy
def attention(T):
    T.manual_seed(0)
    model = T.nn.TransformerEncoderLayer(4, 2, 8, batch_first=True)
    tokens = T.tensor(np.random.default_rng(0).standard_normal((2, 3, 4)).astype(np.float32))
    loss = (model(tokens) - tokens).square().mean()
    loss.backward()
    return loss, model, sgd(T, model)


@healthy
def recurrence(T):
    T.manual_seed(0)
    model = T.nn.LSTM(2, 3, num_layers=2)
    steps = T.tensor(np.random.default_rng(0).standard_normal((4, 1, 2)).astype(np.float32))
    loss = model(steps)[0].square().mean()
    loss.backward()
    return loss, model, sgd(T, model)


@healthy
def stepped_with_the_graph_kept(T):
    model, (x, y) = network(T), batch(T)
    optimizer = sgd(T, model)
    loss = error(model, x, y)
    loss.backward(retain_graph=True)
    optimizer.step()
    return loss, model, optimizer


@healthy
def measured_twice(T):
    model, (x, y) = network(T), batch(T)
    for _ in range(2):
        model.zero_grad()
        loss = error(model, x, y)
        loss.backward()
    return loss, model, None


@healthy
def one_of_two_networks_that_compete(T):
    """What the other network's pass stores in this one is cleared unused, and is meant to be."""
    (maker, judge), (x, _) = (T.nn.Linear(2, 2), T.nn.Linear(2, 1)), batch(T)
    makes, judges = sgd(T, maker), sgd(T, judge)
    judge.rival = [maker]  # in a list it is no part of the judge, and lives until the question is asked
    for step in range(2):
        if step:
            judges.step()
            makes.zero_grad()
            (-judge(maker(x)).mean()).backward()
            makes.step()
        judges.zero_grad()
        loss = judge(maker(x).detach()).square().mean() - judge(x).mean()
        loss.backward()
    return loss, judge, judges
