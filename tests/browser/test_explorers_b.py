"""The explorers of chapters 10 and 11 in a browser: mouse, keys, dragging, phones, print, and no script at all."""

import pytest

from autograd_book.look import epsilon_explorer, kink_explorer
from autograd_book.look.page import source


def epsilon():
    return epsilon_explorer()


def kinks():
    pytest.importorskip("torch", reason="the explorer of kinks asks PyTorch too")
    return kink_explorer({"relu(x)": lambda T, x: T.relu(x), "clamp(x, min=0)": lambda T, x: x.clamp(min=0)})


def test_epsilon_by_keys_alone(show):
    page = show(epsilon())
    say = page.locator(".ac-say")
    assert say.inner_text().startswith("ε = 1.0e-05, float64, central")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    assert "float32, central" in say.inner_text()
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    assert "float32, forward" in say.inner_text()
    page.keyboard.press("Tab")
    page.keyboard.press("Home")
    assert say.inner_text().startswith("ε = 1.0e-14, float32, forward difference: 0.")
    assert page.get_by_role("slider", name="log₁₀ ε").get_attribute("aria-valuetext") == "ε = 1.0e-14"
    assert page.get_by_role("img").get_attribute("aria-label") == say.inner_text()


def test_the_point_is_dragged_in_the_picture(show):
    page = show(epsilon())
    box = page.locator("svg").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 100)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"], box["y"] + 100)
    page.mouse.up()
    assert page.locator(".ac-say").inner_text().startswith("ε = 1.0e+00")
    assert page.get_by_role("slider").input_value() == "28"
    page.mouse.move(box["x"], box["y"] + 100)
    assert page.locator(".ac-say").inner_text().startswith("ε = 1.0e+00")


def test_a_kink_is_crossed(show):
    page = show(kinks())
    say, slider = page.locator(".ac-say"), page.get_by_role("slider", name="x")
    assert "0 on the left and 1 on the right" in say.inner_text()
    slider.focus()
    page.keyboard.press("ArrowRight")
    assert say.inner_text() == "relu(x) at x = 0.125: the slope is 1. Derivatives: autograd_core 1, PyTorch 1."
    page.get_by_role("radio", name="clamp(x, min=0)").check()
    slider.press("ArrowLeft")
    assert "autograd_core 1, PyTorch 1." in say.inner_text()
    assert page.locator("svg").get_by_text("answer 1").is_visible()


def test_a_name_may_look_like_the_end_of_a_script(show):
    page = show(kink_explorer({"</script>": lambda T, x: x.abs()}))
    page.get_by_role("slider", name="x").press("ArrowRight")
    assert page.locator(".ac-say").inner_text().startswith("</script> at x = 0.125")


# What ipywidgets makes of a slider and of the words below it, as far as the script looks at it.
WIDGETS = """<div class="ac-slider"><label>{name}</label><div role="slider" tabindex="0">x</div></div>
<div class="ac-words">words</div>"""


def test_an_explorer_that_comes_after_its_script_and_after_another_one_is_named(browser):
    with browser.new_page() as page:
        page.set_content(WIDGETS.format(name="first"))
        page.add_script_tag(content=source("name_sliders.js"), type="module")
        page.get_by_role("slider", name="first").wait_for()
        page.evaluate("html => document.body.insertAdjacentHTML('beforeend', html)", WIDGETS.format(name="second"))
        page.get_by_role("slider", name="second").wait_for()
        assert page.locator(".ac-words[aria-live=polite]").count() == 2


def test_two_on_a_page_move_on_their_own(show):
    page = show(epsilon(), kinks(), epsilon())
    page.get_by_role("slider").nth(2).press("End")
    assert [text[:11] for text in page.locator(".ac-say").all_inner_texts()] == [
        "ε = 1.0e-05",
        "relu(x) at ",
        "ε = 1.0e+00",
    ]


@pytest.mark.parametrize("make", [epsilon, kinks])
def test_on_a_phone_all_fits_and_can_be_read(show, make):
    page = show(make(), width=360)
    for radio in page.get_by_role("radio").all():
        radio.check()
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        assert min(text.bounding_box()["height"] for text in page.locator("svg text").all()) >= 11
        edge = page.locator(".ac-viz").bounding_box()
        boxes = [text.bounding_box() for text in page.locator("svg text").all()]
        assert all(edge["x"] <= box["x"] and box["x"] + box["width"] <= edge["x"] + edge["width"] for box in boxes)


@pytest.mark.parametrize("make", [epsilon, kinks])
def test_without_javascript_the_picture_and_the_sentences_show(show, make):
    explorer = make()
    page = show(explorer, java_script_enabled=False)
    assert page.locator("svg circle").first.is_visible()
    assert page.locator("li").all_inner_texts() == [explorer.sentence(*position) for position in explorer.examples()]
    assert not page.get_by_role("slider").is_visible() and not page.get_by_role("radio").first.is_visible()


@pytest.mark.parametrize("make", [epsilon, kinks])
def test_in_print_the_sentences_stand_in_for_the_controls(show, make):
    page = show(make())
    page.emulate_media(media="print")
    assert page.locator("li").first.is_visible() and not page.get_by_role("slider").is_visible()
