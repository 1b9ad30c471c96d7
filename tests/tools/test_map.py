"""The map of the project: what is imported, what stands above what, and the counts beside those of before."""

import json
import sys
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

pytest.importorskip("grimp", reason="the imports are read by grimp")
sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

import make_map

TOWER = {"top": ["base", "middle"], "middle": ["base"], "base": []}
CIRCLE = {"top": ["left", "right"], "left": ["base", "right"], "right": ["base", "left"], "base": []}
NO_FAMILY = {"a": ["b"], "b": []}


def kinds(found):
    return {(name, other): kind for name, other, kind in make_map.arrows(found, make_map.below(found))}


def test_a_part_stands_above_what_it_imports():
    assert make_map.levels(TOWER) == [["top"], ["middle"], ["base"]]


def test_parts_that_import_each_other_stand_side_by_side():
    assert make_map.levels(CIRCLE) == [["top"], ["left", "right"], ["base"]]


def test_an_import_that_others_imply_is_faint_and_a_circle_is_marked():
    assert kinds(TOWER) == {("top", "base"): "implied", ("top", "middle"): "plain", ("middle", "base"): "plain"}
    assert kinds(CIRCLE) == {
        **{("top", "left"): "plain", ("top", "right"): "plain"},
        **{("left", "right"): "circle", ("right", "left"): "circle"},
        **{("left", "base"): "plain", ("right", "base"): "plain"},
    }


@pytest.mark.parametrize("found", [TOWER, CIRCLE, NO_FAMILY])
def test_a_picture_has_a_title_a_box_for_each_part_and_an_arrow_for_each_import(found):
    svg = ElementTree.fromstring(make_map.drawn(found, "A <title>"))
    tag = "{http://www.w3.org/2000/svg}"
    assert svg.find(f"{tag}title").text == "A <title>"
    assert sorted(text.text for text in svg.iter(f"{tag}text")) == sorted(found)
    assert len(list(svg.iter(f"{tag}path"))) == sum(map(len, found.values()))


def test_boxes_of_a_row_do_not_touch():
    names = [f"a_long_name_{k}" for k in range(9)]
    at = make_map.places({"everything": names, **{name: [] for name in names}})
    row = sorted((x - width / 2, x + width / 2) for x, y, width in at.values() if y > 10)
    assert len(row) == 9 and all(end < begin for (_, end), (begin, _) in pairwise(row))


def test_the_imports_are_those_of_the_code():
    packages, core = make_map.imports(make_map.package), make_map.imports(make_map.in_core)
    assert packages["autograd_teaching"] == ["autograd_book"]
    assert "core" in packages["ops"] and "ops" not in packages["core"]
    assert "graph" in core["engine"] and core["graph"] == ["dtypes"]


def test_each_call_and_each_measure_was_recorded_before():
    before = json.loads(make_map.BEFORE.read_text("utf-8"))
    assert list(before["calls"]) == list(make_map.CALLS)
    assert set(before["chain"]) == set(make_map.measured(make_map.walk(make_map.chain)))
    assert make_map.levels(before["core"])[0] == ["engine", "views"]


def test_a_call_is_counted_warm_and_so_the_same_each_time():
    start, call = make_map.CALLS["x[0]"]
    once = make_map.counted(make_map.walk(call, start))
    assert once == make_map.counted(make_map.walk(call, start)) and list(once) == ["moves", "functions", "files"]


def test_before_and_now_stand_side_by_side():
    before = {"commit": "abc", "calls": {"f()": {"moves": 1, "functions": 2, "files": 3}}, "chain": {"lines": 1200}}
    now = {"calls": {"f()": {"moves": 4, "functions": 5, "files": 6}}, "chain": {"lines": 7}}
    table = make_map.side_by_side(before, now)
    assert table.header[1:] == ["abc", "now"]
    assert table.rows == [["f()", "1 / 2 / 3", "4 / 5 / 6"], ["the way of one chain: lines", "1,200", "7"]]
