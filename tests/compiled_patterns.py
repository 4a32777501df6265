"""Every compiled pattern of the product, wherever a module holds it or a function writes it, and how the code uses it."""

from __future__ import annotations

import ast
import gc
import importlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from types import FunctionType, ModuleType
from typing import Any

from pmg.base import patterns
from pmg.base.patterns import Pattern as LinearBytes
from pmg.base.patterns import ShortPattern, compile_linear
from pmg.ingest.redact.table import DEFAULT_RULES
from tests.test_architecture import modules

PACKAGES = ("pmg", "steward")
ONCE = frozenset({"match", "fullmatch"})  # do not begin anew at each place of a text
_METHODS = ONCE | {"search", "finditer", "findall", "sub", "subn", "split"}
_OF_RE = _METHODS | {"compile"}
_DOORS = frozenset({"plain", "short", "linear"})
_ANYHOW = frozenset({"finditer", "fullmatch"})
_STAND_IN = "anna"  # for what a function puts into its pattern: names and words, escaped


@dataclass(frozen=True)
class Compiled:
    """A pattern of the product: where it stands, and the methods it is used by."""

    where: str
    pattern: Any
    methods: frozenset[str] = _ANYHOW

    @property
    def own(self) -> re.Pattern[Any] | None:
        """The one of Python's own, if it is one."""
        inner = self.pattern._pattern if self.is_short else self.pattern
        return inner if isinstance(inner, re.Pattern) else None

    @property
    def source(self) -> str:
        """As Python's own parser reads it."""
        held = self.own.pattern if self.own else as_pythons(self.pattern.pattern)
        return held.decode("latin-1") if isinstance(held, bytes) else str(held)

    @property
    def flags(self) -> int:
        return self.own.flags & ~re.UNICODE if self.own else 0

    @property
    def key(self) -> tuple[object, ...]:
        """The same for patterns of which one attack is enough."""
        return self.source, self.flags, self.methods, type(self.pattern), self.is_bytes

    @property
    def is_short(self) -> bool:
        return isinstance(self.pattern, ShortPattern)

    @property
    def is_bytes(self) -> bool:
        return isinstance(self.pattern, LinearBytes) or bool(self.own and isinstance(self.own.pattern, bytes))

    def run(self, text: str) -> None:
        """Over all of a text, as it is used."""
        if isinstance(self.pattern, LinearBytes):
            _find_all(self.pattern, text.encode())
            return
        given = text.encode() if self.is_bytes else text
        for method in sorted(self.methods & ONCE):
            getattr(self.pattern, method)(given)
        if self.methods - ONCE:
            for _ in self.pattern.finditer(given):
                pass


def _find_all(pattern: LinearBytes, text: bytes) -> None:
    place = 0
    while found := pattern.find(text, place, len(text)):
        place = max(found[1], place + 1)


def as_pythons(pattern: str) -> str:
    """A pattern of RE2 with what only RE2 reads put in another way: near enough to make texts of."""
    flags = "".join(sorted(set("".join(re.findall(r"\(\?([imsx]+)\)", pattern)))))
    read = re.sub(r"\(\?[imsx]+\)", "", pattern).replace(r"\z", r"\Z")
    read = re.sub(r"\[(?=(?:[^\]\\]|\\.)*\\p)(?:[^\]\\]|\\.)*\]", lambda found: _spelt(found[0]), read)
    read = re.sub(r"\\p\w", lambda found: f"[{_spelt(found[0])}]", read)
    read = re.sub(r"\\x\{(\w+)\}", lambda found: chr(int(found[1], 16)), read)
    return f"(?{flags}){read}" if flags else read


def _spelt(part: str) -> str:
    for name, letters in {r"\pL": "A-Za-zäé", r"\pN": "0-9", r"\pZ": " \u00a0"}.items():
        part = part.replace(name, letters)
    return part


def compiled_patterns() -> list[Compiled]:
    trees = {name: tree for name, tree in modules().items() if name.startswith(PACKAGES) and "__main__" not in name}
    opened = {name: importlib.import_module(name) for name in trees}
    rules = [
        Compiled(f"redaction rule {rule.name}", compile_linear(rule.pattern, rule.name))
        for rule in DEFAULT_RULES
        if rule.pattern
    ]
    written = [found for name, tree in trees.items() for found in _written(opened[name], tree)]
    return rules + written + [*_held(opened)]


# Held by modules


def _held(opened: dict[str, ModuleType]) -> Iterator[Compiled]:
    """In names, containers, closures and caches, however deep."""
    used = _uses()
    seen = {id(vars(module)) for module in opened.values()}
    for name, module in opened.items():
        for variable, value in [*vars(module).items()]:
            for pattern in _inside(value, seen) if not variable.startswith("__") else ():
                home = _homes(name, modules()[name]).get(variable, (name, variable))
                methods = used.get(home, _ANYHOW) if pattern is value else _ANYHOW
                yield Compiled(f"{name}.{variable}", pattern, frozenset(methods) or _ANYHOW)


def _inside(value: object, seen: set[int]) -> Iterator[Any]:
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if id(one) in seen or isinstance(one, ModuleType) or not _is_ours(one):
            continue
        seen.add(id(one))
        if isinstance(one, re.Pattern | ShortPattern | LinearBytes) or type(one).__name__ == "_Linear":
            yield one
        else:
            waiting += gc.get_referents(one)


def _is_ours(one: object) -> bool:
    return not isinstance(one, type | FunctionType) or (one.__module__ or "").startswith(PACKAGES)


@cache
def _uses() -> dict[tuple[str, str], set[str]]:
    """By module and name of a constant the methods it is used by, in every module that imports it."""
    used: dict[tuple[str, str], set[str]] = {}
    for name, tree in modules().items():
        homes = _homes(name, tree)
        nodes = [*ast.walk(tree)]
        called = {
            id(node.value): node.attr
            for node in nodes
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
        }
        for node in nodes:
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                method = called.get(id(node), "")
                ways = {method} if method in _METHODS else set() if method else _ANYHOW
                used.setdefault(homes.get(node.id, (name, node.id)), set()).update(ways)
    return used


@cache
def _homes(name: str, tree: ast.Module) -> dict[str, tuple[str, str]]:
    """Of what a module imports: its name here, and its module and name there."""
    return {
        alias.asname or alias.name: (node.module or "", alias.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


# Written in functions


def _written(module: ModuleType, tree: ast.Module) -> Iterator[Compiled]:
    inside = {
        id(node): node
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.Lambda)
        for node in ast.walk(function)
        if isinstance(node, ast.Call)
    }
    for call in inside.values():
        if (method := _makes_pattern(module, call)) and (source := _source(module, call.args[0])) is not None:
            methods = frozenset({method}) if method in _METHODS else _ANYHOW
            flags = _flags(module, call)
            made = (
                getattr(patterns, method)(source, *[flags] * bool(flags))
                if method in _DOORS
                else re.compile(source, flags)
            )
            yield Compiled(f"{module.__name__}:{call.lineno}", made, methods)


def _makes_pattern(module: ModuleType, call: ast.Call) -> str:
    """`re.search(…)` and the like, or one of the doors."""
    function = call.func
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
        is_re = vars(module).get(function.value.id) is re and function.attr in _OF_RE
        return function.attr if is_re else ""
    if isinstance(function, ast.Name) and function.id in _DOORS:
        made_by: object = vars(module).get(function.id)
        return function.id if getattr(made_by, "__module__", "") == "pmg.base.patterns" else ""
    return ""


def _source(module: ModuleType, node: ast.expr) -> str | bytes | None:
    """The pattern as it is written, with a word for what only the call knows; None where it is made elsewhere."""
    if isinstance(node, ast.JoinedStr):
        parts = [_source(module, part) for part in node.values]
        return "".join(part if isinstance(part, str) else _STAND_IN for part in parts)
    if isinstance(node, ast.BinOp):
        sides = [_source(module, side) for side in (node.left, node.right)]
        if any(isinstance(side, bytes) for side in sides):
            return b"".join(side if isinstance(side, bytes) else _STAND_IN.encode() for side in sides)
        known = [side if isinstance(side, str) else _STAND_IN for side in sides]
        return "".join(known) if any(sides) else None
    inner = node.value if isinstance(node, ast.FormattedValue) else node
    value = inner.value if isinstance(inner, ast.Constant) else None
    if isinstance(inner, ast.Name):
        value = vars(module).get(inner.id)
    return value if isinstance(value, str | bytes) else None


def _flags(module: ModuleType, call: ast.Call) -> int:
    told = [word.value for word in call.keywords if word.arg == "flags"] or call.args[1:]
    for node in told:
        if isinstance(node, ast.Attribute | ast.Name | ast.BinOp):
            try:
                value = eval(ast.unparse(node), {**vars(module)})
            except NameError:
                continue
            if isinstance(value, re.RegexFlag):
                return int(value)
    return 0
