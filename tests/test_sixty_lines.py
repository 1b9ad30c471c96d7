"""The engine of chapter 15 fits sixty lines, agrees with PyTorch, and has none of the five faults."""

import inspect
import io
import tokenize
import weakref

import numpy as np
import pytest
import torch

from autograd_book import sixty_lines

LAYOUT = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)


def array(tensor):
    return tensor.array if isinstance(tensor, sixty_lines.Tensor) else tensor.detach().numpy()


def leaf(T, data):
    return (
        T.tensor(data, requires_grad=True)
        if T is sixty_lines
        else T.tensor(data, dtype=torch.float64, requires_grad=True)
    )


def test_sixty_lines_of_code():
    source = inspect.getsource(sixty_lines)
    tokens = [t for t in tokenize.generate_tokens(io.StringIO(source).readline) if t.type not in LAYOUT]
    _docstring, *code = [set(range(t.start[0], t.end[0] + 1)) for t in tokens]
    assert len(set().union(*code)) <= 60


def random_program(T, rng, steps):
    leaves = [leaf(T, rng.normal(size=3)) for _ in range(3)]
    pool = list(leaves)
    for _ in range(steps):
        kind, x, y = rng.integers(7), pool[rng.integers(len(pool))], pool[rng.integers(len(pool))]
        if kind == 0:
            out = x + y
        elif kind == 1:
            out = x.sin() * y
        elif kind == 2:
            out = 0.5 * x
        elif kind == 3:
            out = (-x).sin().exp()
        elif kind == 4:
            out = x.detach() + y
        elif kind == 5:
            with T.no_grad():
                out = x * y
        else:
            out = x.exp().sin()
        if out.requires_grad and rng.integers(2):
            out.retain_grad()
        pool.append(out)
    roots = [t for t in pool[3:] if t.requires_grad]
    errors = []
    for retain in rng.integers(2, size=3):
        root, seed = roots[rng.integers(len(roots))], T.tensor(rng.normal(size=3))
        try:
            root.backward(seed, retain_graph=bool(retain))
        except RuntimeError as error:
            assert "second time" in str(error)
            return pool, [*errors, "second time"]  # how much was stored by then is not compared
        errors.append([None if not t.requires_grad or t.grad is None else array(t.grad).copy() for t in pool])
    return pool, errors


@pytest.mark.filterwarnings("ignore:The .grad attribute")
@pytest.mark.parametrize("seed", range(100))
def test_random_programs_agree_with_pytorch(seed):
    (ours, answers), (theirs, references) = (
        random_program(T, np.random.default_rng(seed), steps=12) for T in (sixty_lines, torch)
    )
    for a, b in zip(ours, theirs, strict=True):
        assert a.requires_grad == b.requires_grad
        np.testing.assert_allclose(array(a), array(b), rtol=1e-12)
    assert len(answers) == len(references)
    for mine, right in zip(answers, references, strict=True):
        if isinstance(right, str):
            assert mine == right
            continue
        for a, b in zip(mine, right, strict=True):
            assert (a is None) == (b is None)
            if b is not None:
                np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-12)


def test_a_diamond_is_visited_once_and_a_chain_needs_no_recursion():
    x = leaf(sixty_lines, 1.0)
    h = x
    for _ in range(40):
        h = h + h
    for _ in range(20_000):
        h = -h
    h.backward()
    assert x.grad.array == 2.0**40


def test_gradients_share_no_memory():
    a, b, seed = leaf(sixty_lines, [1.0, 2.0]), leaf(sixty_lines, [3.0, 4.0]), sixty_lines.tensor([1.0, 1.0])
    (a + b).backward(seed)
    c = leaf(sixty_lines, [5.0, 6.0])
    c.backward(seed)
    arrays = [a.grad.array, b.grad.array, c.grad.array, seed.array]
    assert not any(np.shares_memory(p, q) for k, p in enumerate(arrays) for q in arrays[:k])


@pytest.mark.parametrize(("op", "overwritten", "stale"), [("sin", 0, True), ("exp", 0, False), ("exp", 1, True)])
def test_an_overwritten_value_is_noticed_where_it_is_needed(op, overwritten, stale):
    x = leaf(sixty_lines, 2.0)
    pair = x, getattr(x, op)()
    with sixty_lines.no_grad():
        pair[overwritten].detach().copy_(sixty_lines.tensor(9.0))
    if stale:
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            pair[1].backward()
    else:
        pair[1].backward()
        assert x.grad.array == np.exp(2)


def test_a_graph_dies_by_reference_counting():
    x = leaf(sixty_lines, 2.0)
    y = x.exp()
    dead = weakref.ref(y)
    del y
    assert dead() is None


def test_what_it_cannot_do_it_refuses():
    x, y = leaf(sixty_lines, [1.0, 2.0]), leaf(sixty_lines, 3.0)
    with pytest.raises(ValueError, match="shape"):
        x * y
    with pytest.raises(RuntimeError, match="gradient of its shape"):
        (x * x).backward()
    with pytest.raises(RuntimeError, match="requires grad"):
        x.detach().backward(sixty_lines.tensor([1.0, 1.0]))
    with pytest.raises(RuntimeError, match="in-place"):
        x.copy_(x)


def test_no_grad_ends_where_it_began():
    with pytest.raises(ZeroDivisionError), sixty_lines.no_grad(), sixty_lines.no_grad():
        1 / 0  # noqa: B018
    assert leaf(sixty_lines, 1.0).sin().requires_grad
