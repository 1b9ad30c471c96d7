"""Recorded results stand in for an engine that is not installed, for the very program that was recorded."""

import ast
import json
import linecache
import textwrap
from itertools import count

import numpy as np
import pytest

from autograd_book.compare import compare, records
from autograd_book.compare.records import Record, key
from autograd_book.compare.values import snapshot
from autograd_book.compare.wire import decode, encode

numbers = count()


def run(source, **given):
    """The names that a cell defines, as a notebook would run it: its source can be found."""
    source, name = textwrap.dedent(source).lstrip("\n"), f"<cell {next(numbers)}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    names = {"__name__": "a cell", **given}
    exec(compile(source, name, "exec"), names)
    return names


def key_of(source, **given):
    return key(run(source, **given)["f"])


F = """
def f(T):
    return {"row": T.tensor(2.0) * scale(3)}

def scale(x):
    return x + offset

offset = 1.0
"""


@pytest.mark.parametrize(
    "same",
    [
        F.replace("    return {", "    # why\n\n    return {"),
        F.replace('"row"', "'row'").replace(" * ", "*"),
        F.replace("offset = 1.0", "offset = 1.0\nunrelated = 2\nw = 3"),
        "other = 5\n" + F,
        F.replace("offset = 1.0", "offset = 1.00000000000001"),
    ],
)
def test_comments_layout_last_bits_and_what_is_not_reached_do_not_matter(same):
    assert same != F and key_of(same) == key_of(F)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("2.0", "2.5"),
        ("2.0", "2"),
        ("x + offset", "x - offset"),
        ("offset = 1.0", "offset = 1.5"),
        ("def f(T):", "def f(T, n=1):"),
        ("offset = 1.0", "offset = [1.0, 2.0]"),
    ],
)
def test_a_change_of_what_runs_matters(old, new):
    assert key_of(F.replace(old, new)) != key_of(F)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("g = lambda x: x + 1", "g = lambda x: x + 2"),
        ("n = np.arange(2000)", "n = np.arange(2000); n[1000] = 7"),
        ("k = {'a': [1, 2]}", "k = {'a': [1, 3]}"),
        ("c.size = 3", "c.size = 4"),
        ("return self.size", "return -self.size"),
        ("lambda x: -x", "lambda x: +x"),
        ("w = ac.tensor(2.0)", "w = ac.tensor(3.0)"),
    ],
)
def test_what_a_function_reaches_is_followed(old, new):
    source = """
    import numpy as np
    import autograd_core as ac

    class C:
        def double(self):
            return self.size

    g = lambda x: x + 1
    n = np.arange(2000)
    k = {'a': [1, 2]}
    w = ac.tensor(2.0)
    c = C()
    c.size = 3

    def outer(h):
        def f(T):
            return [g(n), k, c.double(), h, w]
        return f

    f = outer(lambda x: -x)
    """
    assert old in source and key_of(source.replace(old, new)) != key_of(source)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("{1, 2}", "{1, 3}"),
        ("np.float32(1)", "np.float32(2)"),
        ("range(3)", "range(4)"),
        ("slice(3)", "slice(4)"),
        ("1j", "2j"),
        ("partial(pow, 2)", "partial(pow, 3)"),
        ("Space(a=1)", "Space(a=2)"),
        ("return 4", "return 5"),
        ("return 6", "return 7"),
        ("return 8", "return 9"),
        ("self.x = 10", "self.x = 11"),
    ],
)
def test_objects_of_any_kind_are_followed(old, new):
    source = """
    import numpy as np
    from functools import cache, partial
    from types import SimpleNamespace as Space

    class C:
        __slots__ = ("x",)
        def __init__(self): self.x = 10
        def method(self): return 4
        @property
        def p(self): return 6

    @cache
    def helper(): return 8

    things = [{1, 2}, np.float32(1), range(3), slice(3), 1j, partial(pow, 2), Space(a=1)]
    c, bound = C(), C().method

    def f(T):
        return [things, c.x, bound(), helper()]
    """
    assert old in source and key_of(source.replace(old, new)) != key_of(source)


def test_a_set_of_texts_has_one_key_in_every_process():
    source = "names = {'w', 'h', 'L'}\ndef f(T): return names"
    assert key_of(source) == key_of(source.replace("{'w', 'h', 'L'}", "{'L', 'w', 'h'}"))


def test_a_program_that_reaches_what_cannot_be_pickled_has_no_record(recorded):
    source = "import threading\nlock = threading.Lock()\ndef f(T): return {'row': T.tensor(1.0 + bool(lock.locked()))}"
    with pytest.raises(TypeError, match="pickle"):
        key_of(source)
    compare(run(source)["f"])
    recorded()
    assert "PyTorch" not in compare(run(source)["f"]).columns


def test_lambdas_of_one_line_are_told_apart():
    f, g, h = run("fs = [lambda T: {'a': 1}, lambda T: {'a': 2}, lambda T: {'a': 1}]")["fs"]
    assert key(f) != key(g) and key(f) == key(h)
    none, one = run("fs = [lambda T: None, lambda T: 1]")["fs"]
    assert key(none) != key(one)
    outer = run("f = lambda a: lambda T: a")["f"]
    assert key(outer) != key(outer(1)) != key(outer(2))


def test_a_function_may_begin_with_a_decorated_one():
    source = """
    def f(T):
        @T.register(1)
        def inner(x):
            return x
        return inner
    """
    assert key_of(source) == key_of(source) != key_of(source.replace("register(1)", "register(2)"))


def test_integers_may_be_of_any_size():
    source = "import numpy as np\nn = np.arange(3, dtype=np.int64)\ndef f(T): return n"
    assert key_of(source) == key_of(source.replace("int64", "int32")) != key_of(source.replace("int64", "float64"))


def test_counters_in_the_code_do_not_matter():
    source = "def f(T):\n    assert T\n    return {}\n"
    plain = run(source)["f"]
    name = f"<cell {next(numbers)}>"
    linecache.cache[name] = (1, None, source.splitlines(keepends=True), "")
    tree = ast.parse(source)
    tree.body[0].body.insert(1, ast.parse("counter['asserts'] += 1").body[0])
    names = {"__name__": "a cell", "counter": {"asserts": 0}}
    exec(compile(tree, name, "exec"), names)
    assert key(names["f"]) == key(plain)


def test_functions_that_call_each_other():
    first = "def f(n): return n and g(n - 1)\ndef g(n): return n and f(n - 1)"
    assert key_of(first) == key_of(first) != key_of(first.replace("n - 1)\ndef", "n - 2)\ndef"))


def test_what_is_no_function_or_has_no_source_is_named():
    with pytest.raises(TypeError, match="a record belongs to a function"):
        key(print)
    names = {"__name__": "nowhere"}
    exec("def f(T): return {}", names)
    with pytest.raises(OSError, match="source of f is not in <string>"):
        key(names["f"])


def test_the_key_is_that_of_every_python():
    """A digest that was computed once, by Python 3.11: what a browser's Python finds is recorded by another."""
    source = """
    def f(T, n: int = 3, *, s="x"):
        return {f"row {n!r:>{n}}": [T.tensor(x) for x in range(n) if x], "more": s + '"' + f'{n}' 'b'}
    """
    assert key_of(source) == "ecbe698b34b81232adf5a45a"


@pytest.fixture
def recorded(monkeypatch, tmp_path):
    """Record while a test says so; then forget the engines, and read."""
    monkeypatch.setenv("AUTOGRAD_CORE_RECORD", str(tmp_path / "records"))

    def read():
        (tmp_path / "records.json").write_text(records.gather(tmp_path / "records"), "utf-8")
        monkeypatch.delenv("AUTOGRAD_CORE_RECORD")
        monkeypatch.setenv("AUTOGRAD_CORE_RECORDS", str(tmp_path / "records.json"))
        monkeypatch.setattr("autograd_book.compare.engines.installed", lambda engine: engine == "autograd_core")

    return read


def chain(T):
    w = T.tensor(2.0, requires_grad=True)
    h = w.square()
    h.backward()
    return {"w.grad": w.grad, "h.grad": h.grad, "nan": float("nan"), "list": [w, None, True, "x"]}


def chain_jax(jax, jnp):
    return {"w.grad": jax.grad(jnp.square)(2.0)}


def test_a_comparison_without_the_engines_shows_what_was_recorded(recorded):
    before = compare(chain, {"w.grad": 4.0}, jax=chain_jax)
    recorded()
    after = compare(chain, {"w.grad": 4.0}, jax=chain_jax)
    assert repr(after.columns) == repr(before.columns)
    assert after.warnings == before.warnings and after.warnings["PyTorch"]
    header = after.table()[0]
    assert header[3].startswith("PyTorch 2.") and header[4].startswith("JAX 0.")
    assert header[3].endswith("(recorded)") and "+" not in header[3]


def test_every_number_is_written_as_json_that_a_browser_reads():
    rows = {"number": np.inf, "list": [1.0, -np.inf], "array": np.float32([np.nan, 1.5]), "flags": np.array([True])}

    def refuse(word):
        raise ValueError(f"no word of JSON: {word}")

    json.loads(encode(rows), parse_constant=refuse)
    read = decode(encode(rows))
    assert repr(read) == repr(rows)


@pytest.mark.parametrize(
    "value",
    [
        '{"dtype": ",", "shape": [], "values": [1]}', '{"dtype": "object", "shape": [], "values": [1]}',
        '{"dtype": ["float32"], "shape": [], "values": [1]}', '{"dtype": "int8", "shape": [], "values": [1000]}',
        '{"dtype": "float32", "shape": [3], "values": [1]}', '{"dtype": "float32", "shape": [], "values": ["1e"]}',
        '{"float": "12.5"}', '{"float": true}', "{}", "NaN", "[Infinity]",
    ],
)  # fmt: skip
def test_what_is_no_row_of_ours_is_refused(value):
    with pytest.raises(ValueError):
        decode(f'{{"a": {value}}}')


def test_numbers_that_no_other_machine_has_are_refused_by_the_name_of_their_row():
    with pytest.raises(TypeError, match="row 'wide' is a longdouble"):
        snapshot({"wide": np.longdouble(1)})


def test_a_program_may_write_into_what_it_reaches(recorded):
    source = """
    losses = {}

    def f(T):
        losses[T.__name__] = T.tensor(1.0).item()
        return {"row": 1.0}
    """
    compare(run(source)["f"])
    recorded()
    assert "PyTorch" in compare(run(source)["f"]).columns


def test_a_record_is_held_against_the_other_columns(recorded):
    compare(chain)
    recorded()
    with pytest.raises(AssertionError, match=r"w\.grad: by hand 5, autograd_core 4, PyTorch 4"):
        compare(chain, {"w.grad": 5.0})


def test_without_a_record_the_rest_is_compared_and_a_note_says_so(recorded):
    compare(chain, jax=chain_jax)
    recorded()
    result = compare(lambda T: {"row": T.tensor(1.0)}, {"row": 1.0}, jax=lambda jax, jnp: {"row": 1.0})
    assert list(result.columns) == ["by hand", "autograd_core"]
    assert [note.split()[0] for note in result.notes()] == ["PyTorch", "JAX"]
    assert all("no record of this version of the function" in note for note in result.notes())
    with pytest.raises(AssertionError, match="the columns disagree"):
        compare(lambda T: {"row": T.tensor(1.0)}, {"row": 2.0})


def test_an_engine_that_is_installed_is_asked_even_where_records_are_read(monkeypatch, tmp_path):
    (tmp_path / "none.json").write_text("{}")
    monkeypatch.setenv("AUTOGRAD_CORE_RECORDS", str(tmp_path / "none.json"))
    assert compare(chain).table()[0][2] == "PyTorch"


def test_lookup_gives_the_record_of_one_function(recorded):
    f = run("def f(T): return {}")["f"]
    records.write(key(f), "PyTorch", Record("9.9", {"row": np.float32([1.5, np.nan])}, ["beware"]))
    recorded()
    found = records.lookup(key(f), "PyTorch")
    assert (found.version, found.warnings) == ("9.9", ["beware"])
    assert found.rows["row"].dtype == np.float32 and np.isnan(found.rows["row"][1])
    assert records.lookup(key(f), "JAX") is None
    assert records.lookup(key(chain), "PyTorch") is None
