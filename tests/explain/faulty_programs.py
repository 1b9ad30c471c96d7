"""Programs with one planted fault each, and healthy ones.

A program takes an engine and returns what to ask about. The line that is to be named ends in `# here`.
"""

import contextlib
import copy
import math

FAULTS: list = []
HEALTHY: list = []


def fault(question, kind, *, bare=None, line=True):
    """Enter a program whose question must be answered, inside watch(), by exactly `kind`.

    Without watch(), `bare` (by default the same kind) must be among the causes still possible. `line` says whether the
    one cause comes with the line marked `# here`.
    """

    def enter(program):
        FAULTS.append((program, question, kind, bare or kind, line))
        return program

    return enter


def healthy(program):
    """Enter a program whose parameters all get a gradient that is nowhere zero; it returns (loss, parameters)."""
    HEALTHY.append(program)
    return program


def leaf(T, *values):
    return T.tensor(list(values) or [1.0, 2.0], requires_grad=True)


# -- .grad is None


@fault("none", "non-leaf")
def intermediate(T):
    w = leaf(T)
    h = w * w  # here
    h.sum().backward()
    return h


@fault("none", "non-leaf")
def a_view_of_the_leaf(T):
    w = T.ones(4, requires_grad=True).reshape(2, 2)  # here
    (w * w).sum().backward()
    return w


@fault("none", "non-leaf")
def a_slice_taken_afterwards(T):
    w = leaf(T)
    (w * w).sum().backward()
    return w[0]  # here


@fault("none", "rebound", bare="any")
def updated_out_of_place(T):
    w = leaf(T)
    (w * w).sum().backward()
    w = w - 0.1 * w.grad  # here
    (w * w).sum().backward()
    return w


@fault("none", "rebound", bare="no-grad")
def updated_out_of_place_under_no_grad(T):
    w = leaf(T)
    (w * w).sum().backward()
    with T.no_grad():
        w = w - 0.1 * w.grad  # here
    return w


@fault("none", "rebound", bare="any")
def cast_after_creation(T):
    w = leaf(T)
    w = w.to(T.float64)  # here
    (w * w).sum().backward()
    return w


@fault("none", "detached")
def detached_on_the_way(T):
    w, b = leaf(T), leaf(T, 3.0)
    h = (w * w).detach()  # here
    (h * b).sum().backward()
    return w


@fault("none", "detached")
def taken_by_data(T):
    w, b = leaf(T), leaf(T, 3.0)
    h = (w * w).data  # here
    (h * b).sum().backward()
    return w


@fault("none", "detached")
def asks_the_detached_tensor(T):
    w = leaf(T)
    h = w.detach()  # here
    (w * h).sum().backward()
    return h


@fault("none", "no-grad")
def features_under_no_grad(T):
    w, b = leaf(T), leaf(T, 3.0)
    with T.no_grad():
        h = w * w  # here
    (h * b).sum().backward()
    return w


@fault("none", "no-grad")
def whole_loss_under_no_grad(T):
    w = leaf(T)
    with T.no_grad():
        h = (w * w).exp()  # here
    with contextlib.suppress(RuntimeError):
        h.sum().backward()
    return w


@fault("none", "no-grad-view")
def view_made_under_no_grad(T):
    w = leaf(T)
    with T.no_grad():
        v = w[:1]  # here
    (v * w).sum().backward()
    return v


@fault("none", "integer")
def integer_indices(T):
    w = leaf(T)
    i = w.argmax()  # here
    w[i].backward()
    return i


@fault("none", "nondiff")
def loss_from_argmax(T):
    w, b = leaf(T), leaf(T, 3.0)
    i = w.argmax()  # here
    (i * b).sum().backward()
    return w


@fault("none", "nondiff")
def loss_from_a_comparison(T):
    w, b = leaf(T), leaf(T, 3.0)
    hit = w > 1.5  # here
    (hit * b).sum().backward()
    return w


@fault("none", ("left-graph", "unused"))
def through_a_python_number(T):
    w, b = T.tensor(2.0, requires_grad=True), leaf(T, 3.0)
    h = math.exp(w.item())  # here
    (h * b).sum().backward()
    return w


@fault("none", "left-graph")
def rebuilt_from_a_list(T):
    w, b = leaf(T), leaf(T, 3.0)
    h = T.tensor((w * w).tolist())  # here
    (h * b).sum().backward()
    return w


@fault("none", ("left-graph", "unused"))
def rebuilt_from_tensors(T):
    w, b = T.tensor(2.0, requires_grad=True), leaf(T, 3.0)
    h = w.detach().clone().numpy()  # here
    (T.from_numpy(h) * b).sum().backward()
    return w


@fault("none", "unused", line=False)
def not_in_the_loss(T):
    w, b = leaf(T), leaf(T, 3.0)
    h = w * w
    (b * b).sum().backward()
    h.sum()
    return w


@fault("none", "unused", line=False)
def another_copy_was_used(T):
    w = leaf(T)
    used = leaf(T)
    (used * used).sum().backward()
    return w


@fault("none", "asked-too-late")
def flag_set_after_the_forward(T):
    w, b = T.tensor([1.0, 2.0]), leaf(T, 3.0)
    h = w * b  # here
    w.requires_grad_()
    h.sum().backward()
    return w


@fault("none", "no-requires-grad")
def flag_forgotten(T):
    w, b = T.tensor([1.0, 2.0]), leaf(T, 3.0)  # here
    (w * b).sum().backward()
    return w


@fault("none", "frozen")
def frozen_on_purpose(T):
    w, b = leaf(T), leaf(T, 3.0)
    w.requires_grad_(False)  # here
    (w * b).sum().backward()
    return w


@fault("none", "constant")
def computed_from_constants(T):
    x = T.tensor([1.0, 2.0])
    h = x * x  # here
    return h


@fault("none", "no-backward", line=False)
def backward_forgotten(T):
    w = leaf(T)
    (w * w).sum()
    return w


@fault("none", "cleared")
def cleared_by_hand(T):
    w = leaf(T)
    (w * w).sum().backward()
    w.grad = None  # here
    return w


@fault("none", "cleared")
def cleared_by_the_optimizer(T):
    w = leaf(T)
    optimizer = T.optim.SGD([w], lr=0.1)
    (w * w).sum().backward()
    optimizer.step()
    optimizer.zero_grad()  # here
    return w


@fault("none", "grad-returned")
def returned_by_grad(T):
    w = leaf(T)
    T.autograd.grad((w * w).sum(), w)  # here
    return w


@fault("none", "inputs")
def limited_by_inputs(T):
    w, b = leaf(T), leaf(T, 3.0)
    (w * b).sum().backward(inputs=[b])  # here
    return w


@fault("none", "retained-too-late")
def retained_after_backward(T):
    w = leaf(T)
    h = w * w
    h.sum().backward()
    h.retain_grad()  # here
    return h


@fault("none", "backward-failed", bare="no-backward")
def backward_raised(T):
    w = leaf(T)
    h = w.exp()
    loss = (h * h).sum()
    h.add_(1)
    with contextlib.suppress(RuntimeError):
        loss.backward()  # here
    return w


@fault("none", "unused", line=False)
def the_copy_was_trained(T):
    w = leaf(T)
    layer = T.nn.Linear(2, 1)
    layer.weight = T.nn.Parameter(w.detach().clone().reshape(1, 2))
    layer(T.ones(1, 2)).sum().backward()
    return w


@fault("none", "detached")
def retained_but_cut(T):
    w, b = leaf(T), leaf(T, 3.0)
    h = w * w
    h.retain_grad()
    g = h.detach()  # here
    (g * b).sum().backward()
    return h


@fault("none", "detached")
def cut_in_the_second_step(T):
    w, b = leaf(T), leaf(T, 3.0)
    optimizer = T.optim.SGD([w], lr=0.1)
    (w * b).sum().backward()
    optimizer.step()
    optimizer.zero_grad()
    h = w.detach()  # here
    (h * b).sum().backward()
    return w


@fault("none", "cleared", bare="cleared")
def another_loss_came_after(T):
    w, b = leaf(T), leaf(T, 3.0)
    optimizer = T.optim.SGD([w], lr=0.1)
    (w * w).sum().backward()
    optimizer.zero_grad()  # here
    (b * b).sum().backward()
    return w


@fault("none", "detached")
def detached_in_place(T):
    w, b = leaf(T), leaf(T, 3.0)
    h = w * w
    h.detach_()  # here
    (h * b).sum().backward()
    return w


@fault("none", "no-grad", bare="any")
def written_under_no_grad(T):
    w, b = leaf(T), T.ones(2, requires_grad=True)
    with T.no_grad():
        b.copy_(w)  # here
    (b * b).sum().backward()
    return w


@fault("none", "no-grad")
def decorated_with_no_grad(T):
    @T.no_grad()
    def features(w):
        return w.exp()  # here

    w, b = leaf(T), leaf(T, 3.0)
    (features(w) * b).sum().backward()
    return w


@fault("none", "frozen")
def layer_frozen(T):
    layer = T.nn.Linear(2, 1)
    head = T.nn.Linear(1, 1)
    for p in layer.parameters():
        p.requires_grad = False  # here
    head(layer(T.ones(1, 2))).sum().backward()
    return layer.weight


@fault("none", "cleared-by-hook", bare="cleared")
def cleared_by_a_hook(T):
    w = leaf(T)
    loss = (w * w).sum()
    w.register_post_accumulate_grad_hook(lambda p: setattr(p, "grad", None)), loss.backward()  # here
    return w


@fault("none", ("left-graph", "unused"))
def a_norm_for_the_log(T):
    w, b = leaf(T), leaf(T, 3.0)
    norm = w.norm().item()  # here
    f"{w.sum():.3f}"  # text for a reader is no way out
    (b * b).sum().backward()
    return w if norm else b


@fault("none", ("left-graph", "left-graph", "unused"))
def metrics_under_no_grad(T):
    w, b = leaf(T), leaf(T, 3.0)
    with T.no_grad():
        metrics = [(w * w).mean().item()]  # here
        metrics.append(w.sum().item())
    (b * b).sum().backward()
    return w


@fault("none", "nondiff")
def an_index_is_no_exit(T):
    w, b = leaf(T), leaf(T, 3.0)
    i = w.argmax()  # here
    ((b * 2)[i - i] * b[: i - i + 1].sum() + i).sum().backward()
    return w


@fault("none", "no-grad")
def features_in_inference_mode(T):
    w, b = leaf(T), leaf(T, 3.0)
    with T.inference_mode():
        h = w * w  # here
    (h + b).sum().backward()
    return w


# -- .grad is zero


@fault("zero", "relu")
def dead_units(T):
    w = leaf(T, -1.0, -2.0)
    h = T.relu(w)  # here
    h.sum().backward()
    return w


@fault("zero", "relu")
def dead_units_behind_a_layer(T):
    w = leaf(T, -1.0, -2.0)
    h = (w * T.tensor([1.0, 2.0])).sum() - 1.0
    h = T.nn.functional.relu(h)  # here
    (3 * h).backward()
    return w


@fault("zero", "relu")
def one_dead_unit_of_two(T):
    w = leaf(T, 1.0, -2.0)
    h = T.relu(w * 2)  # here
    h.sum().backward()
    return w


@fault("zero", "clamp")
def clamped(T):
    w = leaf(T, 3.0, 4.0)
    h = w.clamp(0.0, 1.0)  # here
    (h * h).sum().backward()
    return w


@fault("zero", "mask")
def masked_everywhere(T):
    w = leaf(T)
    h = T.where(T.tensor([False, False]), w, T.zeros(2))  # here
    (h + w.detach()).sum().backward()
    return w


@fault("zero", "times-zero")
def multiplied_by_zero(T):
    w = leaf(T)
    h = w * T.zeros(2)  # here
    h.sum().backward()
    return w


@fault("zero", "times-zero")
def zero_inputs_of_a_layer(T):
    w = T.ones(2, 3, requires_grad=True)
    h = T.zeros(4, 2) @ w  # here
    h.exp().sum().backward()
    return w


@fault("zero", "not-chosen")
def not_the_maximum(T):
    w = leaf(T)
    h = T.maximum(w, T.tensor([5.0, 5.0]))  # here
    h.sum().backward()
    return w


@fault("zero", "not-selected")
def not_indexed(T):
    w = leaf(T)
    h = w[1]  # here
    (h * h).backward()
    return w


@fault("zero", "step")
def rounded(T):
    w = leaf(T)
    h = T.round(w * 2.2)  # here
    h.sum().backward()
    return w


@fault("zero", "saturated")
def saturated(T):
    w = leaf(T, 200.0, 300.0)
    h = T.sigmoid(w)  # here
    h.sum().backward()
    return w


@fault("zero", "normalized")
def sum_of_a_softmax(T):
    w = leaf(T, 1.0, 1.0)
    h = T.softmax(w, 0)  # here
    h.sum().backward()
    return w


@fault("zero", "cancels", line=False)
def cancelled(T):
    w = leaf(T)
    (3 * w - 3 * w).sum().backward()
    return w


@fault("zero", "cancels", line=False)
def less_their_own_mean(T):
    w = T.ones(4, requires_grad=True)
    (w - w.mean()).sum().backward()
    return w


@fault("zero", "mask")
def written_over(T):
    w = leaf(T)
    h = w * 2
    h.fill_(0.0)  # here
    h.sum().backward()
    return w


@fault("zero", "zeroed")
def zeroed_by_the_optimizer(T):
    w = leaf(T)
    optimizer = T.optim.SGD([w], lr=0.1)
    (w * w).sum().backward()
    optimizer.zero_grad(set_to_none=False)  # here
    return w


@fault("zero", "none", line=False)
def none_is_not_zero(T):
    return leaf(T)


@fault("zero", ("relu", "mask"), line=False)
def two_reasons_for_two_entries(T):
    w = leaf(T, 1.0, -2.0)
    h = T.relu(w)
    T.where(T.tensor([False, True]), h, T.zeros(2)).sum().backward()
    return w


@fault("zero", ("relu", "times-zero"), line=False)
def a_mask_and_a_dead_unit(T):
    w = leaf(T, 1.0, -2.0)
    (T.relu(w) * T.tensor([0.0, 1.0])).sum().backward()
    return w


@fault("zero", ("relu",))
def dead_units_behind_a_product(T):
    w = T.ones(2, 2, requires_grad=True)
    h = w @ T.tensor([[1.0], [-2.0]])
    T.relu(h).sum().backward()  # here
    return w


@fault("zero", ("underflow",))
def shrunk_thirty_times(T):
    w = leaf(T)
    h = w
    for _ in range(30):
        h = h * 1e-3  # here
    h.sum().backward()
    return w


@fault("zero", ("relu", "hook", "custom", "cancels"), line=False)
def a_hook_and_a_dead_unit(T):
    w = leaf(T, 1.0, -2.0)
    w.register_hook(lambda g: g * 0)
    T.relu(w).sum().backward()
    return w


# -- something is wrong with the loss


@fault("loss", "detached")
def loss_detached(T):
    w = leaf(T)
    return (w * w).sum().detach()  # here


@fault("loss", "no-grad")
def loss_under_no_grad(T):
    w = leaf(T)
    with T.no_grad():
        return w.sum()  # here


@fault("loss", "left-graph")
def loss_rebuilt(T):
    w = T.tensor(2.0, requires_grad=True)
    h = w * w
    return T.tensor(h.item())  # here


@fault("loss", "loss-is-leaf", line=False)
def flag_set_on_the_loss(T):
    w = leaf(T)
    return (w * w).sum().detach().requires_grad_()


@fault("loss", "stale")
def overwritten(T):
    w = leaf(T)
    h = w * 2
    loss = (h * h).sum()  # here
    h.add_(1)
    return loss


# -- nothing is wrong


@healthy
def chain(T):
    w = leaf(T)
    loss = (3 * w * w).sum()
    loss.backward()
    return loss, [w]


@healthy
def accumulated(T):
    w = leaf(T)
    for _ in range(2):
        loss = (w * w).sum()
        loss.backward()
    return loss, [w]


@healthy
def retained(T):
    w = leaf(T)
    h = w * w
    h.retain_grad()
    loss = h.sum()
    loss.backward()
    return loss, [w, h]


@healthy
def two_layers(T):
    T.manual_seed(0)
    model = T.nn.Sequential(T.nn.Linear(2, 3), T.nn.Linear(3, 1))
    loss = model(T.tensor([[1.0, 2.0]])).square().mean()
    loss.backward()
    return loss, list(model.parameters())


@healthy
def trained_for_three_steps(T):
    w = leaf(T)
    optimizer = T.optim.SGD([w], lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        loss = (w * w).sum()
        loss.backward()
        optimizer.step()
    return loss, [w]


@healthy
def logged_on_the_way(T):
    w = leaf(T)
    loss = (w * w).sum()
    [loss.item(), w.detach().numpy(), w.tolist(), float(loss.detach())]
    with T.no_grad():
        _ = (w * w).mean()
    loss.backward()
    return loss, [w]


@healthy
def target_is_detached(T):
    w, b = leaf(T), leaf(T, 3.0)
    loss = ((w * b - (w * w).detach()) * w).sum()
    loss.backward()
    return loss, [w, b]


@healthy
def updated_in_place(T):
    w = leaf(T)
    (w * w).sum().backward()
    with T.no_grad():
        w -= 0.1 * w.grad
    w.grad = None
    loss = (w * w).sum()
    loss.backward()
    return loss, [w]


@healthy
def views_and_writes(T):
    w = leaf(T)
    buffer = T.zeros(4)
    buffer[:2] = w * w
    buffer[2:] = w * 3
    loss = (buffer * buffer).sum()
    loss.backward()
    return loss, [w]


@healthy
def a_new_leaf(T):
    w = T.tensor([1.0, 2.0]).mul(2).requires_grad_()
    loss = (w * w).sum()
    loss.backward()
    return loss, [w]


@healthy
def shared_graph_twice(T):
    w = leaf(T)
    h = w * w
    h.sum().backward(retain_graph=True)
    loss = (h * h).sum()
    loss.backward()
    return loss, [w]


@healthy
def seeded(T):
    w = leaf(T)
    y = w * w
    y.backward(T.tensor([1.0, 3.0]))
    return y, [w]


@healthy
def limited_to_it(T):
    w, b = leaf(T), leaf(T, 3.0)
    loss = (w * b).sum()
    loss.backward(inputs=[w])
    return loss, [w]


@healthy
def some_alive(T):
    w = leaf(T, -1.0, 2.0)
    loss = (T.relu(w) + w).sum()
    loss.backward()
    return loss, [w]


@healthy
def copied_with_history(T):
    w = leaf(T)
    loss = (w.clone().reshape(2, 1) ** 2).sum()
    loss.backward()
    return loss, [w]


@healthy
def a_copy_is_kept(T):
    w = leaf(T)
    before = copy.deepcopy(w.detach())
    loss = ((w * w) * before).sum()
    loss.backward()
    return loss, [w]


@healthy
def a_row_is_zeroed_without_recording(T):
    T.manual_seed(0)
    e = T.nn.Linear(2, 3)
    with T.no_grad():
        e.weight[0].fill_(0)
    loss = (e(T.tensor([[1.0, 2.0]])) ** 2 + e.weight.sum()).sum()
    loss.backward()
    return loss, [e.weight]


@healthy
def parts_are_written_without_recording(T):
    w = leaf(T, 1.0, 2.0, 3.0, 4.0)
    with T.no_grad():
        a, b = w.split(2)
        a.add_(1)
        b[0].mul_(2)
    loss = (w * w).sum()
    loss.backward()
    return loss, [w]


@healthy
def an_embedding_with_padding(T):
    T.manual_seed(0)
    e = T.nn.Embedding(3, 2, padding_idx=0)
    loss = (e(T.tensor([1, 2])).sum() + e.weight.sum()) * 2
    loss.backward()
    return loss, [e.weight]


@healthy
def an_index_that_is_a_tensor(T):
    w = leaf(T)
    loss = w[w.argmax()] * w[: w.argmax() + 1].sum()
    loss.backward()
    return loss, [w]
