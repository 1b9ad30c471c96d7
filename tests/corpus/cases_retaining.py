"""The second backward through a graph: what was released, and what was not."""

from tests.corpus.corpus import TWICE, case, outcome, snapshot


@case("must")
def case_two_losses_share_a_subgraph(T):
    """Two losses sharing a subgraph: the second backward fails or works depending on what the shared op saved.

    Freed are the saved values, not the graph: x+1 saved nothing (works); 2*x saved its factor (fails in torch 2.x,
    worked in 0.4).
    """
    out = {}
    for name, f in {
        "t+1": lambda t: t + 1,
        "2*t": lambda t: 2 * t,
        "-t": lambda t: -t,
        "t.exp()": lambda t: t.exp(),
    }.items():
        t = T.tensor(1.0, dtype=T.float64, requires_grad=True)
        k = f(t)
        (k + 1).backward()
        out[name] = [outcome((k + 2).backward, TWICE), snapshot(t.grad)]
    return out


@case("must")
def case_computed_once_outside_the_loop(T):
    """A constant-looking computation kept outside the training loop breaks the second iteration.

    The pre-loop op is a shared subgraph whose saved values were freed by iteration 1; recompute it or detach it.
    """
    r = T.tensor([0.5, 0.2], dtype=T.float64, requires_grad=True)
    w = T.tensor(2.0, dtype=T.float64, requires_grad=True)
    t = 1 + 3 * r
    res = [outcome(lambda: (w * t).sum().backward(), TWICE) for _ in range(2)]
    t = (1 + 3 * r).detach()
    return {
        "outside_loop": res,
        "detached": [outcome(lambda: (w * t).sum().backward(), TWICE) for _ in range(2)],
        "w.grad": w.grad,
    }


@case("must")
def case_grad_frees_the_graph(T):
    """autograd.grad() frees the graph just like backward(); backward afterwards fails.

    retain_graph defaults to create_graph in both calls.
    """
    x = T.tensor([1.0, 2.0], dtype=T.float64, requires_grad=True)
    y = (x**3).sum()
    T.autograd.grad(y, x)
    e = outcome(lambda: y.backward(), TWICE)
    z = (x**3).sum()
    T.autograd.grad(z, x, create_graph=True)
    return {"after_grad": e, "after_create_graph": outcome(lambda: z.backward(), TWICE), "x.grad": x.grad}


@case("must")
def case_hidden_state_between_batches(T):
    """RNN hidden state carried between batches: second backward fails unless the state is detached.

    The state drags the previous batch's graph along; detach() is truncated BPTT.
    """
    w = T.tensor(0.5, dtype=T.float64, requires_grad=True)

    def run(detach):
        w.grad = None
        h, log = T.tensor(1.0, dtype=T.float64), []
        for _ in range(3):
            h = T.tanh(w * h)
            log.append(outcome(h.backward, TWICE))
            h = h.detach() if detach else h
        return log, snapshot(w.grad)

    return {"carried": run(False)[0], "detached": run(True)}


@case("must")
def case_retain_graph_accumulates(T):
    """retain_graph=True keeps the graph alive; the result accumulates, and the last call may drop it.

    retain_graph is about memory, not about 'keeping gradients' (that is retain_grad).
    """
    x = T.tensor(2.0, dtype=T.float64, requires_grad=True)
    y = x**3
    y.backward(retain_graph=True)
    a = snapshot(x.grad)
    y.backward()
    b = snapshot(x.grad)
    return {"first": a, "second": b, "third": outcome(lambda: y.backward(), TWICE)}
