"""The explorers of chapters 03, 04, 06, 07 and 08: every state is the engine's, and PyTorch answers the same."""

import re
from itertools import product
from xml.etree import ElementTree

import pytest

from autograd_book.compare import engines
from autograd_book.compare.values import agree
from autograd_book.look import bytes_explorer, mode_matrix, seed_explorer, slot_explorer, version_scrubber
from autograd_book.look.explorers.bytes_explorer import history
from autograd_book.look.explorers.mode_matrix import SWITCHES, answers, program
from autograd_book.look.explorers.seed_explorer import SCALE, SEEDS
from autograd_book.look.explorers.slot_explorer import LINES, STORY, State, state_after
from autograd_book.look.explorers.version_scrubber import READERS, WRITES, outcome
from autograd_book.look.program import run

OURS = engines.load("autograd_core")
ALL = [bytes_explorer, mode_matrix, slot_explorer, version_scrubber]


@pytest.fixture(scope="module")
def theirs():
    pytest.importorskip("torch", reason="this compares with PyTorch")
    return engines.load("PyTorch")


# -- the seed


def words(picture):
    """Where each text of the seed's picture is: what it says, left, top, right and bottom, in pixels."""
    for group in ElementTree.fromstring(picture).iter("g"):
        x0, y0 = map(float, re.findall(r"[-.\d]+", group.get("transform", "0,0")))
        for text in group.findall("text"):
            x, y = map(float, re.findall(r"[-.\d]+", text.get("transform") or f"{text.get('x')} {text.get('y')}"))
            wide, high = 7 * len(text.text), 7 if text.text == "v" else 10
            left = x0 + x - {"start": 0, "middle": wide / 2, "end": wide}[text.get("text-anchor", "start")]
            yield text.text, left, y0 + y - high, left + wide, y0 + y


def test_no_line_and_no_word_runs_through_the_letter_of_the_seed():
    explorer = seed_explorer()
    for v in product(SEEDS, repeat=2):
        (_v, left, top, right, bottom), *others = sorted(words(explorer.picture(*v)), key=lambda word: word[0] != "v")
        for name, a, b, c, d in others:
            assert right <= a or c <= left or bottom <= b or d <= top, (v, name)
        (x, y), (jx, jy) = ((SCALE * a, -SCALE * b) for a, b in (v, explorer.jacobian))
        lines = {
            "v": (0, 0, x, y),
            "J": (0, 0, jx, jy),
            "level": (x - 9 * jy, y + 9 * jx, x + 9 * jy, y - 9 * jx),
            "y1": (-999, 0, 999, 0),
            "y2": (0, -999, 0, 999),
        }
        for name, (a, b, c, d) in lines.items():
            points = ((a + (c - a) * k / 3000, b + (d - b) * k / 3000) for k in range(3001))
            assert not any(left < p < right and top < q < bottom for p, q in points), (v, name)


# -- the slot


@pytest.mark.parametrize("first", LINES)
def test_pytorch_comes_to_the_same_slot_after_any_five_lines(theirs, first):
    for rest in product(LINES, repeat=4):
        pressed = first, *rest
        ours, others = state_after(OURS, *pressed), state_after(theirs, *pressed)
        assert all(agree(a, b) for a, b in zip(ours, others, strict=True)), pressed


def test_the_story_is_4_8_none_4():
    slots = [state_after(OURS, *STORY[:k]).slot for k in range(1, len(STORY) + 1)]
    assert slots == [4.0, 8.0, None, 4.0]


def test_none_is_skipped_and_zero_is_a_gradient():
    before = state_after(OURS, "backward", "step")
    assert state_after(OURS, "backward", "step", "none", "step") == before._replace(slot=None)
    moved = state_after(OURS, "backward", "step", "zero", "step")
    assert moved == State(w=pytest.approx(1.24), slot=0.0, memory=pytest.approx(3.6))


def test_the_rows_show_the_sums():
    explorer = slot_explorer()
    assert explorer.row("backward", "backward")[0] == "w.grad = 4 + 4 = 8"
    assert explorer.row("backward", "step")[0] == "m = 4; w = 2 − 0.1 × 4 = 1.6"
    assert explorer.row("backward", "step", "zero", "step")[0] == "m = 0.9 × 4 + 0 = 3.6; w = 1.6 − 0.1 × 3.6 = 1.24"
    assert explorer.row("zero")[0] == "AttributeError"
    assert isinstance(run(LINES["zero"], {"w": OURS.tensor(2.0, requires_grad=True)}), AttributeError)


def test_buttons_of_a_kernel_run_lines():
    pytest.importorskip("ipywidgets", reason="the widget form needs ipywidgets")
    *buttons, back, restart, _figure, words, _naming = slot_explorer().widget().children
    assert [button.description for button in buttons] == list(LINES.values())
    restart.click()
    assert "Nothing has run yet" in words.value
    back.click()
    assert "Nothing has run yet" in words.value
    buttons[0].click()
    buttons[0].click()
    assert "backward() adds 4 to the 4 in the slot: 8." in words.value
    back.click()
    assert back.description == "Take back" and "puts 4 into the empty slot" in words.value


# -- the four switches


@pytest.mark.parametrize("switches", list(product((False, True), repeat=len(SWITCHES))))
def test_pytorch_answers_the_same_in_every_position(theirs, switches):
    ours, others = answers(OURS, *switches), answers(theirs, *switches)
    assert ours.keys() == others.keys()
    assert {question for question in ours if not agree(ours[question], others[question])} == set()


def test_each_switch_changes_what_the_chapter_says():
    board = mode_matrix()
    changed = {name: set(board.changed(*(other == name for other in SWITCHES))) for name in SWITCHES}
    assert changed["eval"] == {"What does dropout let through?"}
    assert changed["detach"] == {"Does y require a gradient?", "What gradient reaches w?"}
    assert changed["no_grad"] == changed["detach"] | {"Is the square recorded?"}
    assert changed["inference_mode"] - changed["no_grad"] == {
        "What does w * y give later?",
        "Is y marked for good?",
    }


def test_some_answers_never_change():
    changed = set().union(*(mode_matrix().changed(*switches) for switches in mode_matrix().states))
    stay = {"What is y?", "Do h and d share memory?", "Does a new leaf require a gradient?"}
    assert mode_matrix().states[False, False, False, False].keys() - changed == stay


def test_the_program_that_is_shown_is_the_one_that_ran():
    board = mode_matrix()
    for switches in board.states:
        assert program(*switches) in board.picture(*switches).replace("&#x27;", "'")
        assert board.picture(*switches).count(">changed<") == len(board.changed(*switches))


def test_checkboxes_of_a_kernel_choose():
    pytest.importorskip("ipywidgets", reason="the widget form needs ipywidgets")
    box = mode_matrix().widget()
    no_grad, words = box.children[1], box.children[-2]
    assert no_grad.description == "no_grad" and no_grad.value
    no_grad.value = False
    assert "All four switches are off." in words.value


# -- saved bytes


@pytest.mark.parametrize(("retain", "again"), list(product((False, True), repeat=2)))
def test_pytorch_holds_the_same_bytes_at_every_moment(theirs, retain, again):
    assert history(OURS, retain, again) == history(theirs, retain, again)


def test_a_checkpoint_trades_moments_for_bytes_and_retain_graph_keeps_them():
    runs = {key: history(OURS, *key) for key in product((False, True), repeat=2)}
    most = {key: max(moment.held for moment in moments) for key, moments in runs.items()}
    assert most[False, True] < most[False, False] and len(runs[False, True]) > len(runs[False, False])
    assert [runs[key][-1].held for key in runs] == [0, 0, most[True, False], 3 * 4000]


def test_the_nodes_hold_what_the_curve_says():
    explorer, h = bytes_explorer(), OURS.ones(1000, requires_grad=True)
    for k in range(9):
        h = h.sin()
        assert OURS.explain.memory(h).total == explorer.held("off", "off", k + 1)


def test_the_curve_goes_on_when_backward_is_over():
    explorer = bytes_explorer()
    for chosen, moments in explorer.histories.items():
        *_steps, last, end = re.findall(r"[HV][\d.]+", explorer.scene(*chosen).split('"ac-held"')[1].split("</g>")[0])
        assert (last, end) == (f"V{explorer._up(moments[-1].held):.1f}", f"H{explorer.right}")


def test_the_sentences_name_what_happens():
    explorer = bytes_explorer()
    assert explorer.sentence("off", "off", 0).startswith("Nothing has run yet.")
    assert "runs again, and a sine saves" in explorer.sentence("off", "on", 6)
    assert "keeps it" in explorer.sentence("on", "off", 10)
    assert explorer.sentence("on", "off", 24).startswith("Backward is over. With retain_graph on")


# -- versions


@pytest.mark.parametrize(("reader", "write", "stop"), list(product(READERS, WRITES, range(4))))
def test_pytorch_raises_at_the_same_moments(theirs, reader, write, stop):
    ours, others = outcome(OURS, reader, write, stop), outcome(theirs, reader, write, stop)
    assert ours[:2] == others[:2] and agree(ours.gradient, others.gradient)
    assert (ours.error is None) == (others.error is None)
    for found in (ours, others):
        assert found.error is None or "modified by an inplace operation" in found.error


def test_a_write_is_noticed_between_the_reading_and_backward_or_is_silent_through_data():
    scrubber = version_scrubber()
    noticed = [stop for stop in range(4) if "Backward raises" in scrubber.sentence("h.square()", "h.add_(1)", stop)]
    silent = [stop for stop in range(4) if "is wrong" in scrubber.sentence("h.square()", "h.data.add_(1)", stop)]
    assert noticed == silent == [1, 2]
    for reader, write, stop in product(READERS[1:], WRITES, range(4)):
        assert "is right." in scrubber.sentence(reader, write, stop)


def test_the_error_quotes_the_lines_of_the_program_and_no_file():
    sentence = version_scrubber().sentence("h.square()", "h.add_(1)", 2)
    assert "program:3: side = h.square()" in sentence and "program:5: h.add_(1)" in sentence
    assert "/" not in sentence


# -- all of them


@pytest.mark.parametrize("make", [bytes_explorer, version_scrubber])
def test_a_slider_over_whole_numbers_reads_as_one(make):
    ipywidgets = pytest.importorskip("ipywidgets", reason="the widget form needs ipywidgets")
    *_menus, slider, _figure, words, _naming = make().widget().children
    assert isinstance(slider, ipywidgets.IntSlider)
    before = words.value
    slider.value += 1
    assert words.value != before


@pytest.mark.parametrize("make", ALL)
def test_every_control_has_a_name_and_nothing_comes_from_elsewhere(make):
    html = make()._repr_html_()
    assert "http" not in html
    assert html.count("<label>") == html.count("<input")
