"""The explorers of chapters 03 to 08 in a browser: mouse, keys alone, phones, dark, print, no script, WCAG."""

import json

import pytest

from autograd_book.look import (
    bytes_explorer,
    mode_matrix,
    seed_explorer,
    slot_explorer,
    split_explorer,
    version_scrubber,
)
from tests.browser.axe import violations

ALL = [seed_explorer, slot_explorer, split_explorer, mode_matrix, bytes_explorer, version_scrubber]
NO_SCROLL = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"


def boxes(page):
    return dict(zip(page.locator("dt").all_inner_texts(), page.locator("dd").all_inner_texts(), strict=True))


def test_the_slot_follows_the_lines(show):
    page = show(slot_explorer())
    say, rows = page.locator(".ac-say"), page.locator("tbody tr")
    assert rows.locator("td:nth-child(3)").all_inner_texts() == ["4", "8", "None", "4"]
    page.get_by_role("button", name="optimizer.step()").click()
    page.get_by_role("button", name="w.grad.zero_()").click()
    page.get_by_role("button", name="optimizer.step()").click()
    assert boxes(page) == {"w": "1.24", "w.grad": "0", "m": "3.6"}
    assert rows.last.inner_text().split("\t")[1:] == ["m = 0.9 × 4 + 0 = 3.6; w = 1.6 − 0.1 × 3.6 = 1.24", "0", "1.24"]
    assert say.inner_text().endswith("moves w to 1.24.") and say.get_attribute("aria-live") == "polite"
    page.get_by_role("button", name="optimizer.step()").click()
    assert rows.count() == 7 and "7 lines in a row" in say.inner_text()


def test_the_lines_of_the_slot_stay_under_the_pointer(show):
    page = show(slot_explorer())
    place = page.get_by_role("button", name="optimizer.step()").bounding_box()
    for rows in range(5, 8):
        page.mouse.click(place["x"] + 20, place["y"] + 20)
        assert page.locator("tbody tr").count() == rows


def test_the_slot_by_keys_alone(show):
    page = show(slot_explorer())
    page.get_by_role("button", name="Start over").press("Enter")
    assert page.locator("tbody tr").count() == 0 and boxes(page)["w.grad"] == "None"
    assert page.get_by_role("button", name="Take back").get_attribute("aria-disabled") == "true"
    page.get_by_role("button", name="w.square().backward()").focus()
    for key in ("Space", "Tab", "Enter", "Tab", "Enter", "Shift+Tab", "Enter"):
        page.keyboard.press(key)
    assert page.locator("tbody td:nth-child(2)").all_inner_texts() == [
        "w.grad = 4",
        "w.grad = 0",
        "w.grad = None",
        "AttributeError",
    ]
    page.get_by_role("button", name="Take back").press("Enter")
    assert page.locator(".ac-say").inner_text() == "The slot is empty. None says that nothing has arrived."


def test_an_empty_slot_is_told_by_more_than_its_color(show):
    page = show(slot_explorer())
    border = "getComputedStyle(document.querySelector('[data-of=slot]')).borderTopStyle"
    assert page.evaluate(border) == "solid"
    page.get_by_role("button", name="w.grad = None").click()
    assert page.evaluate(border) == "dashed"


def test_switches_change_the_answers_and_say_so(show):
    page = show(mode_matrix())
    say, marks = page.locator(".ac-say"), page.locator(".ac-mark")
    assert say.inner_text().startswith("no_grad changes 3 of 9 answers.") and marks.count() == 3
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    assert say.inner_text() == "All four switches are off." and marks.count() == 0
    page.get_by_role("checkbox", name="eval").check()
    assert page.get_by_role("row", name="What does dropout let through?").locator("td").all_inner_texts() == [
        "[0, 0]",
        "[12, 27]changed",
    ]
    assert "dropout.eval()" in page.locator("pre").inner_text()


def test_the_answers_stay_in_place(show):
    page = show(mode_matrix())
    page.add_style_tag(content="main { max-width: 688px }")
    parts = [page.locator(name).first for name in ("table.ac-answers", ".ac-say", ".ac-note")]
    tops = [part.bounding_box()["y"] for part in parts]
    for box in page.get_by_role("checkbox").all():
        box.click()
        assert [part.bounding_box()["y"] for part in parts] == tops


@pytest.mark.parametrize("explorer", [bytes_explorer, version_scrubber])
def test_what_stands_below_a_scene_stays_in_place(show, explorer):
    page = show(explorer())
    page.add_style_tag(content="main { max-width: 688px }")
    note = page.locator(".ac-note")
    top = note.bounding_box()["y"]
    for radio in page.get_by_role("radio").all():
        radio.check()
        page.get_by_role("slider").press("Home")
        for _ in range(int(page.get_by_role("slider").get_attribute("max")) + 1):
            assert note.bounding_box()["y"] == top
            page.get_by_role("slider").press("ArrowRight")


def test_the_moment_moves_over_the_saved_bytes(show):
    page = show(bytes_explorer())
    say, slider = page.locator(".ac-say"), page.get_by_role("slider", name="moment")
    assert "holds 36,000 bytes, 36,000 at most" in say.inner_text()
    slider.press("ArrowRight")
    assert "lets go of it" in say.inner_text() and "holds 32,000 bytes" in say.inner_text()
    assert slider.get_attribute("aria-valuetext") == "moment 10"
    page.get_by_role("group", name="checkpoint").get_by_role("radio", name="on").check()
    assert page.locator("svg").get_by_text("h = checkpoint(part, h)").is_visible()
    slider.press("End")
    assert say.inner_text().endswith("holds 0 bytes, 20,000 at most.")
    page.get_by_role("group", name="retain_graph").get_by_role("radio", name="on").check()
    assert say.inner_text().endswith("holds 12,000 bytes, 20,000 at most.")


def test_the_write_moves_along_the_versions(show):
    page = show(version_scrubber())
    say, slider = page.locator(".ac-say"), page.get_by_role("slider", name="moment of the write")
    assert "Backward raises: one of the variables" in say.inner_text()
    slider.press("Home")
    assert say.inner_text().endswith("w.grad = 44 is right.")
    assert slider.get_attribute("aria-valuetext") == "after h = w.square()"
    box = page.locator("svg").bounding_box()
    page.mouse.move(box["x"] + 30, box["y"] + 60)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.7, box["y"] + 60)
    page.mouse.up()
    page.get_by_role("radio", name="h.data.add_(1)").check()
    assert say.inner_text().endswith("w.grad = 44 is wrong: it should be 36.")
    assert page.locator("svg .ac-written").inner_html() == "h.data.add_(1)"


def test_the_words_at_the_write_stand_apart(show):
    page = show(version_scrubber())
    page.get_by_role("slider", name="moment of the write").press("Home")
    write, title = (page.locator("svg").get_by_text(text).bounding_box() for text in ("write", "version of h"))
    assert title["y"] + title["height"] <= write["y"] + 3


def test_the_split_says_its_sizes_to_a_screen_reader(show):
    page = show(split_explorer())
    slider = page.get_by_role("slider", name="split after")
    slider.press("ArrowLeft")
    assert slider.get_attribute("aria-valuetext") == "5 + 3"


def test_all_on_a_page_move_on_their_own(show):
    page = show(*(make() for make in ALL))
    before = page.locator(".ac-say").all_inner_texts()
    page.get_by_role("slider", name="split after").press("ArrowRight")
    after = page.locator(".ac-say").all_inner_texts()
    assert [a != b for a, b in zip(before, after, strict=True)] == [make is split_explorer for make in ALL]


@pytest.mark.parametrize("make", ALL)
def test_on_a_phone_all_fits_and_can_be_read(show, make):
    page = show(make(), width=360)
    assert page.evaluate(NO_SCROLL)
    for switch in page.locator("input[type=radio], input[type=checkbox]").all():
        switch.check()
        assert page.evaluate(NO_SCROLL)
    assert all(text.bounding_box()["height"] >= 11 for text in page.locator("svg text").all())
    edge = page.locator(".ac-viz").bounding_box()
    for text in page.locator("svg text").all():
        box = text.bounding_box()
        assert edge["x"] <= box["x"] and box["x"] + box["width"] <= edge["x"] + edge["width"]


@pytest.mark.parametrize("make", ALL)
def test_without_javascript_a_picture_and_the_states_show(show, make):
    page = show(make(), java_script_enabled=False)
    assert page.locator("svg, dl, pre").first.is_visible()
    assert page.locator(".ac-steps").is_visible() and len(page.locator(".ac-steps").inner_text()) > 100
    assert not page.locator("input, button").first.is_visible()


@pytest.mark.parametrize("make", ALL)
def test_in_print_the_states_stand_in_for_the_controls(show, make):
    page = show(make())
    assert not page.locator(".ac-steps").is_visible()
    page.emulate_media(media="print")
    assert page.locator(".ac-steps").is_visible() and not page.locator("input, button").first.is_visible()


@pytest.mark.parametrize("make", ALL)
@pytest.mark.parametrize("options", [{"color_scheme": "dark"}, {"width": 360}, {"java_script_enabled": True}])
def test_axe_finds_nothing(show, make, options):
    assert json.dumps(violations(show(make(), **options)), indent=1) == "[]"
