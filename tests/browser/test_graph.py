"""Graph: pan, zoom and drag; a node opens in place; words are marked and nonsense is not found; time narrows it; it works by keyboard and on a phone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.conftest import Served
from tests.ui.hostile import HOSTILE

if TYPE_CHECKING:
    from playwright.sync_api import Page

CY = "document.querySelector('.pmg-g-canvas')._cyreg.cy"
COUNT = f"{CY}.nodes().length"
# Pairs of labels that lie on each other on the screen.
OVERLAPS = f"""() => {{
  const box = (node) => node.renderedBoundingBox({{includeNodes: false, includeEdges: false, includeLabels: true, includeOverlays: false}});
  const shown = {CY}.nodes().not('.pmg-gone, .pmg-mute').map(box);
  let pairs = 0;
  shown.forEach((a, i) => shown.slice(i + 1).forEach((b) => {{
    if (a.x1 < b.x2 && b.x1 < a.x2 && a.y1 < b.y2 && b.y1 < a.y2) pairs += 1; }}));
  return [shown.length, pairs];
}}"""


def labels_apart(page: Page, condition: str) -> None:
    """Labels are sorted out a moment after the picture stands."""
    page.wait_for_function(f"() => {{ const [shown, pairs] = ({OVERLAPS})(); return pairs === 0 && {condition}; }}")


def open_graph(page: Page) -> None:
    page.get_by_role("tab", name="Graph").click()
    page.wait_for_function(f"document.querySelector('.pmg-g-canvas')?._cyreg?.cy && {COUNT} > 1")


@pytest.fixture(scope="module", autouse=True)
def topics(served: Served) -> Iterator[None]:
    assert served.server.context is not None
    served.server.context.steward.run(["links"])
    yield


@pytest.fixture
def graph(shared_page: Page) -> Page:
    """For stories that leave the picture as it is, or need none of it untouched."""
    open_graph(shared_page)
    return shared_page


@pytest.fixture
def own_graph(page: Page) -> Page:
    """For stories that add to it."""
    open_graph(page)
    return page


def place(page: Page, selector: str) -> dict[str, Any]:
    """Where a node stands on the screen."""
    return page.evaluate(
        f"""selector => {{ const box = document.querySelector('.pmg-g-canvas').getBoundingClientRect();
        const at = {CY}.$(selector).first().renderedPosition(); return {{x: box.x + at.x, y: box.y + at.y}}; }}""",
        selector,
    )


def test_it_uses_the_window_and_its_labels_do_not_overlap(graph: Page) -> None:
    labels_apart(graph, "shown > 3")
    wide = graph.evaluate(f"(() => {{ const b = {CY}.nodes().renderedBoundingBox(); return b.w / {CY}.width(); }})()")
    assert wide > 0.55
    assert graph.locator(".pmg-g-legend button").count() >= 4


def test_a_name_goes_above_its_node_where_another_node_lies_below(own_graph: Page) -> None:
    """The most important node keeps its name: dropped, the largest topic would be the one without one."""
    own_graph.evaluate(
        f"""() => {{ const cy = {CY}, [first, other, ...rest] = cy.nodes().toArray().sort((a, b) => b.data('rank') - a.data('rank'));
        cy.batch(() => {{
          rest.forEach((node) => node.addClass('pmg-gone'));
          first.position({{x: 0, y: 0}});
          other.position({{x: 0, y: (first.height() + other.height()) / 2 + 8 / cy.zoom()}});
        }});
        cy.center(first);
        cy.panBy({{x: 1, y: 0}}); }}"""
    )
    first = f"{CY}.nodes().not('.pmg-gone').toArray().sort((a, b) => b.data('rank') - a.data('rank'))[0]"
    own_graph.wait_for_function(f"{first}.style('text-valign') === 'top' && !{first}.hasClass('pmg-mute')")
    labels_apart(own_graph, "shown === 2")


def test_a_double_click_adds_and_replaces_nothing(own_graph: Page) -> None:
    before = set(own_graph.evaluate(f"{CY}.nodes().map((node) => node.id())"))
    at = place(own_graph, "node[kind='topic']")
    own_graph.mouse.dblclick(at["x"], at["y"])
    own_graph.wait_for_function(f"count => {COUNT} > count", arg=len(before))
    after = set(own_graph.evaluate(f"{CY}.nodes().map((node) => node.id())"))
    assert before < after
    assert "added" in own_graph.locator(".pmg-g-said").inner_text()


def test_a_click_reads_beside_it_and_escape_back_and_reload_work(graph: Page) -> None:
    at = place(graph, "node[kind='person']")
    graph.mouse.click(at["x"], at["y"])
    graph.wait_for_selector("#pmg-reader-graph .pmg-now")
    assert "memory=" in graph.url
    graph.reload()
    graph.wait_for_selector("#pmg-reader-graph .pmg-now")
    open_graph(graph)
    graph.locator(".pmg-g-canvas").focus()
    graph.keyboard.press("Escape")
    graph.locator("#pmg-reader-graph .pmg-now").wait_for(state="detached")
    assert "memory=" not in graph.url


def test_it_pans_zooms_and_drags(graph: Page) -> None:
    zoom = graph.evaluate(f"{CY}.zoom()")
    box = graph.locator(".pmg-g-canvas").bounding_box()
    assert box is not None
    graph.mouse.move(box["x"] + 40, box["y"] + 40)
    graph.mouse.wheel(0, -300)
    graph.wait_for_function(f"zoom => {CY}.zoom() > zoom", arg=zoom)
    pan = graph.evaluate(f"({{...{CY}.pan()}})")
    graph.locator(".pmg-g-canvas").focus()
    graph.keyboard.press("ArrowLeft")
    graph.wait_for_function(f"x => {CY}.pan().x !== x", arg=pan["x"])
    graph.get_by_role("button", name="Show all of it").click()
    before = graph.evaluate(f"({{...{CY}.nodes('[kind=\"topic\"]').first().position()}})")
    at = place(graph, "node[kind='topic']")
    graph.mouse.move(at["x"], at["y"])
    graph.mouse.down()
    graph.mouse.move(at["x"] + 60, at["y"] + 30, steps=4)
    graph.mouse.up()
    after = graph.evaluate(f"({{...{CY}.nodes('[kind=\"topic\"]').first().position()}})")
    assert after["x"] > before["x"] + 5


def test_words_are_marked_and_nonsense_is_not_found(graph: Page) -> None:
    field = graph.get_by_label("Find in the graph")
    field.fill("decoder")
    field.press("Enter")
    graph.wait_for_function(f"{CY}.nodes('.pmg-hit').length > 0")
    assert "graph-words=decoder" in graph.url
    field.fill("xyzzyqwrt")
    field.press("Enter")
    graph.get_by_text("Nothing here has these words.").wait_for()
    assert graph.evaluate(f"{CY}.nodes('.pmg-hit').length") == 0
    graph.go_back()
    graph.wait_for_function(f"{CY}.nodes('.pmg-hit').length > 0")


def test_the_slider_of_time_and_the_legend_hide_what_is_outside(graph: Page) -> None:
    seen = f"{CY}.nodes().not('.pmg-gone').length"
    all_of_them = graph.evaluate(seen)
    graph.get_by_label("To", exact=True).focus()
    graph.keyboard.press("Home")
    graph.wait_for_function(f"count => {seen} < count", arg=all_of_them)
    assert "graph-to=" in graph.url
    graph.keyboard.press("End")
    graph.wait_for_function(f"count => {seen} === count", arg=all_of_them)
    topics = graph.locator(".pmg-g-legend button", has_text="topic").first
    topics.click()
    graph.wait_for_function(f"count => {seen} < count", arg=all_of_them)
    topics.click()
    graph.wait_for_function(f"count => {seen} === count", arg=all_of_them)


def test_only_the_neighbourhood_is_an_address_of_its_own(graph: Page) -> None:
    graph.locator(".pmg-g-canvas").focus()
    graph.keyboard.press("n")
    whole = graph.evaluate(COUNT)
    graph.get_by_role("button", name="Only around it").click()
    graph.wait_for_function("location.hash.includes('graph-at=')")
    graph.wait_for_function(f"count => {COUNT} !== count", arg=whole)
    graph.go_back()
    graph.wait_for_function(f"count => {COUNT} === count", arg=whole)


def test_the_list_has_the_same_nodes_without_a_pointer(own_graph: Page) -> None:
    own_graph.locator(".pmg-g-list summary").click()
    rows = own_graph.locator(".pmg-g-list li")
    assert rows.count() == own_graph.evaluate(COUNT)
    before = rows.count()
    rows.first.get_by_role("button").first.focus()
    own_graph.keyboard.press("Enter")  # add its neighbours
    own_graph.wait_for_function(f"count => {COUNT} > count", arg=before)
    rows.first.locator(".pmg-g-name").focus()
    own_graph.keyboard.press("Enter")
    own_graph.wait_for_selector("#pmg-reader-graph .pmg-now")


def test_what_was_built_up_is_there_after_another_tab(own_graph: Page) -> None:
    before = own_graph.evaluate(COUNT)
    own_graph.locator(".pmg-g-canvas").focus()
    own_graph.keyboard.press("n")
    own_graph.keyboard.press("e")
    own_graph.wait_for_function(f"count => {COUNT} > count", arg=before)
    built = own_graph.evaluate(COUNT)
    own_graph.get_by_role("tab", name="Chat").click()
    open_graph(own_graph)
    own_graph.wait_for_function(f"count => {COUNT} === count", arg=built)


@pytest.mark.fast
def test_hostile_text_stays_text(page: Page, served: Served) -> None:
    with served.engine.session(HOSTILE, session_id="hostile") as talk:
        talk.add(user=HOSTILE + " zebrafish")
    page.on("dialog", lambda dialog: (_ for _ in ()).throw(AssertionError(dialog.message)))
    page.get_by_role("tab", name="Graph").click()
    field = page.get_by_label("Find in the graph")
    field.fill("zebrafish")
    field.press("Enter")  # before the picture stands: it is not lost
    page.wait_for_function(f"document.querySelector('.pmg-g-canvas')?._cyreg?.cy && {COUNT} > 1")
    page.wait_for_function(f"{CY}.getElementById('memory:seg_hostile_0').length === 1")
    page.locator(".pmg-g-list summary").click()
    assert "<img src=x" in page.locator(".pmg-g-list").inner_text()
    at = place(page, "[id='memory:seg_hostile_0']")
    page.mouse.move(at["x"], at["y"])
    page.wait_for_timeout(200)
    assert page.locator("#pmg-tabs img[src='x'], #pmg-tabs script").count() == 0


def test_it_fits_a_phone_in_the_dark(open_page: Callable[..., Page]) -> None:
    page = open_page("__theme=dark", width=390, height=800, dark=True)
    page.locator("button[aria-label='More tabs']").click()
    page.get_by_text("Graph", exact=True).last.click()
    page.wait_for_function(f"document.querySelector('.pmg-g-canvas')?._cyreg?.cy && {COUNT} > 1")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    labels_apart(page, f"shown === {COUNT}")  # every name is there
    shares = page.evaluate(
        f"(() => {{ const cy = {CY}, box = cy.nodes().renderedBoundingBox({{includeLabels: false, includeEdges: false}});"
        " return [box.w / cy.width(), box.h / cy.height()]; })()"
    )
    assert min(shares) > 0.6, "the picture uses the whole of a small canvas"
