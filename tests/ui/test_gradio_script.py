"""The mended script of the page: it fits the installed gradio, gives what the library's own gives, and leaves other versions alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from pmg.ui import gradio_script
from pmg.ui.gradio_script import CLONE_JS, FOLDER, REPLACEMENTS, with_replacements

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CORE = REPLACEMENTS["core-*.js"]
EVENTS, FOUND, _ = CORE
SHOWN = REPLACEMENTS["Blocks-*.js"][-1]


@pytest.mark.parametrize("names", REPLACEMENTS)
def test_every_replacement_fits_the_installed_gradio_once(names: str) -> None:
    """When this fails gradio has changed: look at what its new script does in these places, and whether they still need us."""
    (file,) = FOLDER.glob(names)
    text = file.read_text(encoding="utf-8")
    assert [text.count(old) for old, _ in REPLACEMENTS[names]] == [1] * len(REPLACEMENTS[names])
    assert all(new in with_replacements(text, REPLACEMENTS[names]) for _, new in REPLACEMENTS[names])


def test_another_version_is_left_as_it_is() -> None:
    others = "".join(old for old, _ in CORE[1:])
    for text in ("", others, others + EVENTS[0] * 2):
        assert with_replacements(text, CORE) == text


@pytest.mark.parametrize("names", REPLACEMENTS)
def test_the_page_is_served_the_mended_script(names: str) -> None:
    app = FastAPI()
    gradio_script.mount(app, "/place/")
    (file,) = FOLDER.glob(names)
    answer = TestClient(app).get(f"/place/assets/{file.name}")
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.text == with_replacements(file.read_text(encoding="utf-8"), REPLACEMENTS[names])


@pytest.fixture(scope="module")
def blank(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    yield context.new_page()
    context.close()


def test_a_copy_is_what_it_was_and_the_same_things_are_refused(blank: Page) -> None:
    compared: list[Any] = blank.evaluate(
        """script => {
          const values = [null, undefined, 1, NaN, 'a', true, 7n, {a: [1, {b: 'c'}]}, [1,, 3], new Date(5), new Map([[1, {}]]), new Set([2]),
            () => 1, Symbol('s'), {f() {}}, [() => 1], document.body];
          const tried = (clone, value) => { try {
            const made = clone(value);
            return [typeof made, String(made?.constructor?.name), made === value,
              typeof made === 'bigint' ? String(made) : JSON.stringify(made instanceof Map || made instanceof Set ? [...made] : made)];
          } catch (error) { return [error.name, error instanceof DOMException]; } };
          const own = window.structuredClone, before = values.map((value) => tried(own, value));
          new Function(script)();
          return [before, values.map((value) => tried(window.structuredClone, value)), window.structuredClone !== own];
        }""",
        CLONE_JS,
    )
    before, after, replaced = compared
    assert replaced and before == after


def test_parts_are_found_as_before_also_when_the_tree_changes(blank: Page) -> None:
    found = blank.evaluate(
        """([old, quick]) => {
          const made = (text) => new Function(text + '; return Z;')(), plain = made(old), ours = made(quick);
          let next = 0;
          const node = (depth) => ({id: next++, children: depth ? Array.from({length: 3}, () => node(depth - 1)) : undefined});
          const root = node(3), wrong = [];
          const compare = (ids) => ids.forEach((id) => { if (plain(root, id) !== ours(root, id)) wrong.push(id); });
          const all = () => Array.from({length: next + 1}, (_, id) => id);
          compare(all());
          compare(all());
          root.children[1].children = [node(1), node(2)];
          root.children[0].children.reverse();
          root.children[2] = {id: next++};
          compare(all());
          compare(all());
          return [wrong, plain(root, 0) === root, ours(root.children[1], 0)];
        }""",
        [FOUND[0], FOUND[1]],
    )
    assert found == [[], True, None]


def test_events_of_a_part_are_those_that_all_handlers_name(blank: Page) -> None:
    lists = blank.evaluate(
        """([old, quick]) => {
          const made = (text) => new (new Function('return class {' + text + 'e.props.shared_props.attached_events=n;return e}}')())();
          const handlers = [{targets: [[1, 'click'], [2, 'change'], [1, 'submit']]}, {targets: [[1, 'load']]}, {targets: []}, {targets: [[3, null]]}];
          const more = [{targets: [[2, 'input']]}];
          const of = (tree) => [[1, handlers], [2, handlers], [3, handlers], [4, handlers], [2, more], [1, handlers]].map(
            ([id, told]) => tree.find_attached_events({id, props: {shared_props: {}}}, told).props.shared_props.attached_events);
          return [of(made(old)), of(made(quick))];
        }""",
        [EVENTS[0], EVENTS[1]],
    )
    assert lists[0] == lists[1] == [["click", "load"], ["change"], [], [], ["input"], ["click", "load"]]


def test_an_answer_yields_to_one_that_was_asked_for_later_and_showing_nothing_takes_no_place(blank: Page) -> None:
    shown = blank.evaluate(
        """async (text) => {
          const made = 'const qe = Symbol(), Xe = (e) => typeof e === "object" && !!e && "__type__" in e; return class { said = [];'
            + text + 'this.said.push([n, i])}))}}';
          const skip = {__type__: 'update'}, skipped_html = {__type__: 'update', props: {__type__: 'update'}};
          const after = async (...answers) => {
            const one = new (new Function(made)())();
            for (const [value, order, yields] of answers) await one.handle_data([7], [value], order, yields);
            return one.said.map(([, value]) => value).filter((value) => typeof value === 'string' || value.visible !== undefined);
          };
          return [await after(['new', 2, true], ['old', 1, true]), await after(['old', 1, true], ['new', 2, true]),
            await after(['new', 2, true], ['change', 1, false]), await after([skip, 2, true], [skipped_html, 3, true], ['first', 1, true]),
            (await after([{__type__: 'update', visible: false}, 2, true], ['late', 1, true])).length];
        }""",
        SHOWN[1],
    )
    assert shown == [["new"], ["old", "new"], ["new", "change"], ["first"], 1]
