"""How a tab follows the page's address: when somebody comes to it, and when Back or Forward leads to it.

Knows: that a field somebody can type in is filled in the browser, at once: an answer of the server comes later, and would take away what was typed
meanwhile. What an address says is read by page_address.py; what a tab shows then is the tab's own.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import gradio as gr

from pmg.ui import page_address
from pmg.ui.app_context import PageContext
from pmg.ui.event_options import LATEST

HERE = "(address, namespace) => [location.hash, namespace]"  # the address stands in the browser alone
CORRECTED = "(address, namespace) => [window.pmg.corrected(), namespace]"  # … and a namespace that cannot be leaves it
ENTER = "(namespace) => { window.pmg.enter(namespace); }"  # the whole page goes into that namespace
RouteHandler = Callable[[str, str], list[Any]]  # from an address and a namespace to what is shown


@dataclass(frozen=True, slots=True)
class AddressField:
    """A field of a tab that stands in the address as `tab-name`; what is no choice of its own is `otherwise`."""

    component: Any
    name: str
    most: int  # characters that are read
    choices: tuple[str, ...] = ()  # none: any words
    otherwise: str = ""

    def read(self, found: dict[str, str]) -> str:
        """The same in Python, of what an address says."""
        value = found.get(self.name, "")[: self.most] or self.otherwise
        return value if not self.choices or value in self.choices else self.otherwise


_FILL = """(...now) => {
  const read = window.pmg.read();
  return __FIELDS__.map(([name, most, choices, otherwise], place) => {
    const told = (read['__TAB__-' + name] || '').slice(0, most), value = told || (__STAYS__ && now[place]) || otherwise;
    return !choices.length || choices.includes(value) ? value : otherwise;
  });
}"""


_CHOOSE = """() => {
  const asked = window.pmg.read().tab, tab = __TABS__.includes(asked) ? asked : __FIRST__;
  return tab ? {__type__: 'update', selected: tab} : {__type__: 'update'};
}"""


def tab_choice(tabs: Sequence[str], first: str) -> str:
    """The script that opens the tab the address names, at once: somebody may have clicked another when an answer comes.

    `first` is the tab where the address names none; empty leaves the person where they are.
    """
    return _CHOOSE.replace("__TABS__", json.dumps(list(tabs))).replace("__FIRST__", json.dumps(first))


_NAME = """() => {
  const first = __FIRST__, name = window.pmg.read().in || first, names = [...new Set([first, name])];
  return {__type__: 'update', choices: names.map((one) => [one, one]), value: name};
}"""


def namespace_choice(first: str) -> str:
    """The script that lets the menu name the namespace of the address at once; `first` where it names none. The others come with the answer."""
    return _NAME.replace("__FIRST__", json.dumps(first))


def wire_route(
    page: PageContext,
    tab: gr.Tab,
    name: str,
    load: RouteHandler,
    outputs: Sequence[Any],
    fields: Sequence[AddressField] = (),
) -> list[Any]:
    """`load` when the tab is chosen, and after Back or Forward if the address is this tab's: another's is none of its business.

    Gives the events after which the server's answer is shown.
    """

    def return_to(address: str, namespace: str) -> list[Any]:
        here = page_address.parse(address).tab == name
        return load(address, namespace) if here else [gr.skip()] * len(outputs)

    asked = [page.address, page.namespace]
    filled = [one.component for one in fields]
    if filled:
        tab.select(None, filled, filled, js=_fill(name, fields, stays=True), **LATEST)
        page.route.click(None, filled, filled, js=_fill(name, fields, stays=False), **LATEST)
    return [
        tab.select(load, asked, outputs, js=HERE, **LATEST),
        page.route.click(return_to, asked, outputs, js=HERE, **LATEST),
    ]


def _fill(tab: str, fields: Sequence[AddressField], stays: bool) -> str:
    """The script that fills them. What the address says nothing of `stays` where somebody only comes to the tab, and may have typed already;
    Back and Forward lead to what was, in every tab."""
    told = [[one.name, one.most, list(one.choices), one.otherwise] for one in fields]
    script = _FILL.replace("__TAB__", tab).replace("__STAYS__", json.dumps(stays))
    return script.replace("__FIELDS__", json.dumps(told))
