"""The sequence diagram and the switchboard as HTML: well formed, complete without a script, true to what they show."""

import re
import warnings
from xml.etree import ElementTree

import pytest

from autograd_book.look import Message, sequence, switchboard


def loan():
    return sequence(
        "A loan",
        ["you", "library", "store"],
        [
            Message("you", "library", "lend(<book>)"),
            Message("library", "store", "fetch a book that nobody has asked for in the last forty years or so"),
            Message("store", "library", "here", reply=True),
            "The shelf has a gap & a card.",
        ],
    )


def parsed(html):
    """The figure as a tree; its `<style>` and void `<input>` are made into XML first."""
    html = re.sub(r"(<input[^>]*?)( checked)?>", r"\1/>", html)
    return ElementTree.fromstring(html)


def test_a_sequence_says_its_steps_in_order():
    assert repr(loan()).splitlines() == [
        "1. you to library: lend(<book>)",
        "2. library to store: fetch a book that nobody has asked for in the last forty years or so",
        "3. store answers library: here",
        "4. The shelf has a gap & a card.",
    ]


def test_both_pictures_hold_every_word_within_their_frame():
    for picture in parsed(loan()._repr_html_()).iter("svg"):
        _, _, width, height = map(float, picture.get("viewBox").split())
        assert picture.find("title").text == "A loan" and picture.find("desc").text == repr(loan())
        texts = list(picture.iter("text"))
        said = " ".join("".join(text.itertext()) for text in texts)
        for word in ["you", "library", "store", "lend(<book>)", "fetch", "forty", "years", "here", "gap", "&", "card."]:
            assert word in said
        for text in texts:
            half = len(text.text) * 7 / 2
            assert half <= float(text.get("x")) + 1 and float(text.get("x")) + half <= width + 1
            assert 0 < float(text.get("y")) < height


def test_arrows_point_from_the_sender_to_the_receiver():
    picture = next(parsed(loan()._repr_html_()).iter("svg"))
    ends = []
    for group in picture.iter("g"):
        start, end = re.match(r"M([\d.]+),[\d.]+ H([\d.]+)", group.find("path").get("d")).groups()
        ends.append((float(start) < float(end), "ac-reply" in group.get("class")))
    assert ends == [(True, False), (True, False), (False, True)]


def test_a_message_to_oneself_goes_around():
    picture = next(parsed(sequence("", ["you"], [Message("you", "you", "think")])._repr_html_()).iter("svg"))
    line, head = picture.find("g").iter("path")
    assert re.fullmatch(r"M340.0,\S+ h22 v12 H344.5", line.get("d")) and head.get("d").startswith("M340.0,")


def test_a_diagram_has_actors():
    with pytest.raises(ValueError, match="at least one actor"):
        sequence("A loan", [], [])


def test_an_unknown_actor_is_named():
    with pytest.raises(ValueError, match="'nobody' is not among the actors you, library"):
        sequence("", ["you", "library"], [Message("you", "nobody", "hello")])


CALLS = []


def arithmetic(first, second):
    CALLS.append((first, second))
    return {"sum": int(first) + int(second), "<note>": "a & b"}


def board():
    CALLS.clear()
    return switchboard(
        {"first": ["1", "2"], "second": ["10", "20", "30"]},
        {"Python": arithmetic, "twice": lambda first, second: {"sum": 2 * (int(first) + int(second))}},
    )


def test_every_state_is_computed_once_and_can_be_asked_for():
    b = board()
    assert [(first, second) for first in ("1", "2") for second in ("10", "20", "30")] == CALLS
    assert b["2", "30"].columns == {"Python": {"sum": 32, "<note>": "a & b"}, "twice": {"sum": 64}}
    assert repr(b).splitlines()[:3] == ["first: 1; second: 10", "        Python  twice", "sum     11      22"]
    with pytest.raises(KeyError):
        b["3", "10"]


def test_the_page_holds_every_state_and_a_rule_that_shows_it():
    html = board()._repr_html_()
    tree = parsed(html)
    states = {div.get("data-state"): div for div in tree.iter("div") if div.get("class") == "ac-state"}
    assert list(states) == ["0-0", "0-1", "0-2", "1-0", "1-1", "1-2"]
    cells = ["".join(cell.itertext()) for cell in states["1-2"].iter("td")]
    assert cells == ["32", "64", "a & b", ""]
    assert states["1-2"].find("table/caption").text == "first: 2; second: 30"
    ident = re.search(r'id="(ac-\w+)"', html).group(1)
    rule = f'#{ident}:has(#{ident}-0-1:checked):has(#{ident}-1-2:checked) [data-state="1-2"] {{ display: block }}'
    assert html.count(rule) == 1
    assert "<script" not in html and "http" not in html


def test_each_switch_is_a_named_group_with_its_first_position_on():
    html = board()._repr_html_()
    groups = re.findall(r"<fieldset><legend>(\w+)</legend>(.*?)</fieldset>", html)
    assert [name for name, _ in groups] == ["first", "second"]
    for _, buttons in groups:
        assert re.findall(r"( checked)?><span>", buttons) == [" checked"] + [""] * (buttons.count("<label>") - 1)
        assert len(set(re.findall(r'name="([^"]+)"', buttons))) == 1


def test_two_boards_on_a_page_share_no_id():
    b = board()
    first, second = (set(re.findall(r'\bid="([^"]+)"', b._repr_html_())) for _ in range(2))
    assert first and not first & second


def test_a_warning_stands_below_the_state_that_gave_it():
    def program(mood):
        if mood == "loud":
            warnings.warn("beware of <this>", UserWarning, stacklevel=1)
        return {"row": 1}

    html = switchboard({"mood": ["quiet", "loud"]}, {"Python": program})._repr_html_()
    quiet, loud = [div for div in parsed(html).iter("div") if div.get("class") == "ac-state"]
    assert quiet.find("p") is None and loud.find("p").text == "Python warned: UserWarning: beware of <this>"


def test_what_a_program_raises_is_not_swallowed():
    with pytest.raises(ZeroDivisionError):
        switchboard({"n": ["0"]}, {"Python": lambda n: {"1 / n": 1 / int(n)}})


def test_a_switch_has_positions():
    with pytest.raises(ValueError, match="the switch 'mood' has no positions"):
        switchboard({"n": ["0"], "mood": []}, {"Python": lambda n, mood: {"row": 1}})
    with pytest.raises(ValueError, match="the switch 'mood' has the position 'loud' more than once"):
        switchboard({"mood": ["loud", "quiet", "loud"]}, {"Python": lambda mood: {"row": 1}})


def test_a_board_without_a_choice_has_one_state():
    assert repr(switchboard({}, {"Python": lambda: {"row": 1}})).endswith("(the only state)")


def test_a_message_may_say_nothing():
    assert parsed(sequence("Silence", ["you", "me"], [Message("you", "me", "")])._repr_html_()) is not None
