"""The figures in a browser: buttons, keys, links, sliders, switches, print, no script errors."""

import json
import sys
from types import SimpleNamespace

import pytest

import autograd_core as ac
from autograd_book.look import Message, microscope, note_modules, seed_explorer, sequence, split_explorer, switchboard
from tests.browser.axe import violations


def chain(name=None):
    w = ac.tensor(2.0, requires_grad=True)
    h = w.square()
    L = 3 * h
    return microscope(L, name=name)


def test_buttons_step_forwards_and_back(show):
    page = show(chain())
    say, count = page.locator(".ac-say"), page.locator(".ac-count")
    assert count.inner_text() == "step 4 of 10"
    page.get_by_role("button", name="Next").click()
    page.get_by_role("button", name="Next").click()
    assert say.inner_text().startswith("mul sends 1 · 3 = 3 back to h.")
    for text in ("∂L/∂h = 3", "1 · 3 = 3"):
        assert page.locator(".wide svg").get_by_text(text, exact=True).is_visible()
    page.get_by_role("button", name="Back").click()
    assert count.inner_text() == "step 5 of 10"
    assert not page.locator(".wide svg").get_by_text("∂L/∂h = 3").is_visible()
    page.get_by_role("button", name="First step").click()
    assert say.inner_text() == "The forward pass begins with w = 2."
    page.get_by_role("button", name="Next").click()
    assert say.inner_text().startswith("square computes h = 4.")
    page.get_by_role("button", name="Last step").click()
    assert say.inner_text().endswith("w.grad = 12.")


def test_keys_alone_step_and_stop_at_the_ends(show):
    page = show(chain())
    count = page.locator(".ac-count")
    page.keyboard.press("Tab")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    for _ in range(5):
        page.keyboard.press("ArrowLeft")
    assert count.inner_text() == "step 1 of 10"
    for _ in range(11):
        page.keyboard.press("ArrowRight")
    assert count.inner_text() == "step 10 of 10"
    assert page.locator(".ac-say").get_attribute("aria-live") == "polite"
    page.keyboard.press("Home")
    assert count.inner_text() == "step 1 of 10"
    page.keyboard.press("End")
    assert count.inner_text() == "step 10 of 10"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert count.inner_text() == "step 1 of 10"


def test_play_takes_its_time_pauses_and_stops_at_the_end(show):
    page = show(chain())
    count, play = page.locator(".ac-count"), page.locator(".ac-play")
    page.clock.install()
    play.click()
    assert play.inner_text() == "Pause"
    page.clock.run_for(1500)
    assert count.inner_text() == "step 4 of 10"
    page.clock.run_for(3000)
    assert count.inner_text() == "step 5 of 10"
    page.get_by_role("group").focus()
    page.keyboard.press(" ")
    assert play.inner_text() == "Play"
    page.clock.run_for(60_000)
    assert count.inner_text() == "step 5 of 10"
    page.keyboard.press(" ")
    page.clock.run_for(60_000)
    assert (count.inner_text(), play.inner_text()) == ("step 10 of 10", "Play")
    play.click()
    assert count.inner_text() == "step 1 of 10"


def test_a_step_by_hand_stops_the_playing(show):
    page = show(chain())
    page.clock.install()
    page.locator(".ac-play").click()
    page.get_by_role("button", name="Next").click()
    page.clock.run_for(60_000)
    assert page.locator(".ac-count").inner_text() == "step 5 of 10"


def test_nothing_moves_for_readers_who_want_no_motion(show):
    for motion, animation in (("reduce", "none"), ("no-preference", "ac-travel")):
        page = show(chain(), reduced_motion=motion)
        style = "getComputedStyle(document.querySelector('.wide .ac-back path')).animationName"
        assert page.evaluate(style) == animation


def test_two_steppers_on_a_page_step_on_their_own(show):
    page = show(chain(), chain())
    page.get_by_role("group").nth(1).focus()
    page.keyboard.press("ArrowRight")
    assert page.locator(".ac-count").all_inner_texts() == ["step 4 of 10", "step 5 of 10"]


def test_a_link_opens_a_step_and_follows_the_reader(show):
    page = show(chain(), chain("chain"), hash="#microscope=chain:8")
    count = page.locator(".ac-count")
    assert count.all_inner_texts() == ["step 4 of 10", "step 8 of 10"]
    page.get_by_role("button", name="Back").nth(1).click()
    assert page.evaluate("location.hash") == "#microscope=chain:7"
    page.get_by_role("button", name="Next").first.click()
    assert page.evaluate("location.hash") == "#microscope=1:5"
    page.evaluate("location.hash = '#microscope=1:2'")
    page.wait_for_function("document.querySelector('.ac-count').textContent === 'step 2 of 10'")
    assert count.all_inner_texts() == ["step 2 of 10", "step 7 of 10"]


def test_a_stepper_that_left_the_page_no_longer_plays(show):
    page = show(chain("chain"))
    page.clock.install()
    page.locator(".ac-play").click()
    page.evaluate("window.left = document.querySelector('.ac-viz'); left.remove()")
    page.clock.run_for(60_000)
    assert page.evaluate("left.querySelector('.ac-count').textContent") == "step 4 of 10"


def test_a_stepper_follows_links_only_while_it_is_in_the_page(show):
    page = show(chain("chain"))
    page.evaluate("window.left = document.querySelector('.ac-viz'); window.place = left.parentNode; left.remove()")
    page.evaluate("addEventListener('hashchange', () => { window.heard = location.hash; })")
    follow = "hash => { location.hash = hash; }"
    page.evaluate(follow, "#microscope=chain:2")
    page.wait_for_function("window.heard === '#microscope=chain:2'")
    assert page.evaluate("left.querySelector('.ac-count').textContent") == "step 4 of 10"
    page.evaluate("place.append(left)")
    page.evaluate(follow, "#microscope=chain:5")
    page.get_by_text("step 5 of 10").wait_for()


@pytest.mark.parametrize(
    "link", ["#microscope=chain:99", "#microscope=chain:0", "#microscope=other:3", "#microscope=%"]
)
def test_a_link_that_leads_nowhere_is_ignored(show, link):
    page = show(chain("chain"), hash=link)
    assert page.locator(".ac-count").inner_text() == "step 4 of 10"


def test_a_name_may_hold_any_letter(show):
    page = show(chain("50%: a/b"), hash="#microscope=50%25%3A%20a%2Fb:8")
    count = page.locator(".ac-count")
    assert count.inner_text() == "step 8 of 10"
    page.get_by_role("button", name="Back").click()
    page.goto(page.url)
    page.reload()
    assert count.inner_text() == "step 7 of 10"


def test_a_notebook_keeps_its_address(show, monkeypatch):
    request = {"content": {"allow_stdin": True}}  # so says a front end with a person before it
    shell = SimpleNamespace(kernel=SimpleNamespace(get_parent=lambda: request))
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    page = show(chain("chain"), hash="#microscope=chain:8")
    assert page.locator(".ac-count").inner_text() == "step 4 of 10"
    page.get_by_role("button", name="Next").click()
    assert page.url.endswith("#microscope=chain:8")


def folded():
    model = ac.nn.Sequential(ac.nn.Sequential(ac.nn.Linear(2, 2), ac.nn.Tanh()), ac.nn.Linear(2, 1))
    with note_modules(model):
        loss = model(ac.ones(3, 2)).sum()
    return microscope(loss, dict(model.named_parameters()), name="layers")


def test_a_folded_box_opens_into_a_stepper_of_its_own(show):
    page = show(folded())
    assert page.locator(".ac-stepper").first.get_by_text("0: Sequential (folded)").first.is_visible()
    assert page.locator(".ac-count:visible").count() == 1
    page.locator("summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("End")
    outer, inner = page.locator(".ac-count").all_inner_texts()
    assert outer != inner and len(set(inner.split()[1::2])) == 1  # step n of n
    assert page.evaluate("location.hash").startswith("#microscope=layers.1:")


def test_a_link_into_a_folded_box_opens_it(show):
    page = show(folded(), hash="#microscope=layers.1:3")
    assert page.locator(".ac-inside .ac-count").inner_text().startswith("step 3 ")


def test_the_description_of_the_picture_follows_the_step(show):
    page = show(chain())
    page.get_by_role("button", name="Next").click()
    said = page.locator(".ac-say").inner_text()
    assert said.startswith("Backward starts") and page.locator("desc").all_text_contents() == [said, said]


def test_keys_scroll_the_narrow_picture_where_it_has_the_focus(show):
    w = ac.tensor([1.0, 2.0], requires_grad=True)
    page = show(microscope(w.square().sum(), {"a_weight_with_a_long_name": w}), width=320)
    picture = page.get_by_role("region", name="The graph of")
    assert picture.evaluate("picture => picture.scrollWidth > picture.clientWidth")
    count = page.locator(".ac-count").inner_text()
    picture.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("document.querySelector('.narrow').scrollLeft > 0")
    assert page.locator(".ac-count").inner_text() == count
    page.get_by_role("group").press("ArrowRight")
    assert page.locator(".ac-count").inner_text() != count


def test_print_shows_the_forward_graph_and_all_sentences(show):
    page = show(chain())
    page.get_by_role("button", name="Last step").click()
    page.emulate_media(media="print")
    page.locator(".wide .ac-grad:visible", has_text="None").wait_for()
    assert page.locator("li:visible").count() == 10
    assert not page.locator(".ac-bar").is_visible()
    page.emulate_media(media="screen")
    page.locator(".wide .ac-grad:visible", has_text="12").wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_wrong_with_an_open_stepper(show, scheme):
    page = show(folded(), chain(), color_scheme=scheme)
    page.locator("summary").click()
    for button in page.get_by_role("button", name="Next").all():
        button.click()
        button.click()
    assert violations(page) == []


def test_buttons_are_large_enough_and_named(show):
    page = show(chain(), width=360)
    for button in page.get_by_role("button").all():
        box = button.bounding_box()
        assert min(box["width"], box["height"]) >= 24
        assert button.get_attribute("aria-label") or button.inner_text()


def test_the_widget_form_takes_html_and_step_from_its_model(show):
    pytest.importorskip("anywidget", reason="the widget form needs anywidget")
    widget = chain().widget()

    class Host:
        def _repr_html_(self):
            script = widget._esm.replace("export default", "const widget =")
            return f"""<div id="host"></div><script type="module">{script}
                window.model = pageModel({{ step: {widget.step}, html: {json.dumps(widget.html)} }});
                widget.render({{ model, el: document.getElementById("host") }});</script>"""

    page = show(Host())
    page.get_by_role("button", name="Next").click()
    assert page.evaluate("model.get('step')") == 4
    page.evaluate("model.set('step', 8); model.save_changes()")
    assert page.locator(".ac-count").inner_text() == "step 9 of 10"
    assert page.evaluate("location.hash") == ""


@pytest.mark.parametrize("width, shown, hidden", [(1000, ".wide", ".narrow"), (360, ".narrow", ".wide")])
def test_the_picture_fits_and_its_text_is_never_small(show, width, shown, hidden):
    page = show(chain(), width=width)
    assert page.locator(shown).is_visible() and not page.locator(hidden).is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    scale = page.evaluate(f"document.querySelector('{shown} svg').getScreenCTM().a")
    assert 13 * scale >= 11


def test_without_javascript_the_first_frame_and_all_sentences_show(show):
    page = show(chain(), java_script_enabled=False)
    assert page.locator(".wide .ac-grad:visible").all_text_contents() == ["w.grad = None"]
    assert page.locator("li").all_inner_texts()[-1].endswith("w.grad = 12.")
    assert not page.get_by_role("button").first.is_visible()


def test_the_seed_follows_its_sliders_and_the_drag(show):
    page = show(seed_explorer())
    say = page.locator(".ac-say")
    assert say.inner_text().endswith("= 10")
    page.get_by_label("seed v₂").focus()
    page.keyboard.press("ArrowLeft")
    assert say.inner_text() == "v = (1, 1.5): vᵀJ = 1 × 4 + 1.5 × 3 = 8.5"
    handle = page.locator(".ac-v circle").bounding_box()
    x, y = handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 72, y + 54)
    page.mouse.up()
    assert say.inner_text().startswith("v = (-1, 0): ")
    assert page.get_by_label("seed v₁").input_value() == "-1"


@pytest.mark.parametrize("width", [1000, 360])
def test_the_split_follows_its_slider(show, width):
    page = show(split_explorer(), width=width)
    say = page.locator(".ac-say")
    assert say.inner_text().startswith("6 + 2: ")
    page.get_by_label("split after").focus()
    page.keyboard.press("ArrowRight")
    assert say.inner_text().startswith("7 + 1: the means are 12 and 44. Their mean is 28.")
    assert page.locator("svg").get_by_text("of means: 28").is_visible()
    assert page.get_by_role("img").get_attribute("aria-label") == say.inner_text()
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert min(text.bounding_box()["height"] for text in page.locator("svg text").all()) >= 11


def test_without_javascript_a_split_and_all_sentences_show(show):
    page = show(split_explorer(), java_script_enabled=False)
    assert page.locator("svg").is_visible() and page.locator("li").count() == 7
    assert not page.get_by_role("slider").is_visible()


def board():
    return switchboard(
        {"first": ["1", "2"], "second": ["10", "20"]},
        {name: lambda first, second: {"sum": int(first) + int(second)} for name in ("one system", "another")},
    )


@pytest.mark.parametrize("options", [{}, {"java_script_enabled": False}])
def test_switches_choose_the_state_that_shows_and_need_no_script(show, options):
    page = show(board(), **options)
    shown = page.locator(".ac-state:visible")
    assert shown.locator("td").all_inner_texts() == ["11", "11"]
    page.get_by_role("group", name="second").get_by_role("radio", name="20").check()
    assert shown.locator("td").all_inner_texts() == ["21", "21"]
    page.get_by_role("group", name="first").get_by_role("radio", name="1").focus()
    page.keyboard.press("ArrowRight")
    assert shown.locator("td").all_inner_texts() == ["22", "22"]
    assert shown.locator("caption").inner_text() == "first: 2; second: 20"


def test_a_board_on_a_phone_names_the_system_of_each_cell_and_is_still_a_table(show):
    page = show(board(), width=360)
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    table = page.get_by_role("table")
    assert table.get_by_role("cell").count() == 2 and table.get_by_role("rowheader", name="sum").is_visible()
    labels = "[...document.querySelectorAll('.ac-state td')].map(cell => getComputedStyle(cell, '::before').content)"
    assert page.evaluate(labels)[:2] == ['"one system"', '"another"']


@pytest.mark.parametrize(("width", "shown"), [(1000, ".wide"), (360, ".narrow")])
def test_a_sequence_fits_and_its_text_is_never_small(show, width, shown):
    page = show(
        sequence("A loan", ["you", "library"], [Message("you", "library", "lend(book)"), "A gap."]), width=width
    )
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    picture = page.locator(f"{shown} svg")
    heights = [text.bounding_box()["height"] for text in picture.locator("text").all()]
    assert len(heights) == 4 and min(heights) >= 11
    assert page.get_by_role("img", name="A loan").count() == 1
