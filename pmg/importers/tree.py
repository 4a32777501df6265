"""A tree of messages into its current branch and the other branches. Iterative: depth and cycles cost nothing.

Handles parent links that may be missing, wrong or cyclic, and how every node is placed exactly once all the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MessageChain:
    """A run of node ids off the current branch, in order, and the id it hangs on ("" where it hangs on nothing)."""

    at: str
    nodes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TreeLayout:
    """Every node of a tree exactly once: on the current branch or on one of the chains."""

    current: tuple[str, ...]
    chains: tuple[MessageChain, ...]


def arrange(parents: Mapping[str, str], leaf: str) -> TreeLayout:
    """Walk from `leaf` up to a root for the current branch; hang everything else on it, in the order given.

    A parent that is not among the nodes counts as none; a cycle is cut where the walk would enter it again.
    """
    current = _ancestry(parents, leaf)
    placed = set(current)
    children = _children(parents)
    chains = [*_hanging(current, children, placed)]
    for root in parents:  # other roots and cycles: nothing on the current branch leads to them
        if root not in placed and (parents[root] not in parents or parents[root] in placed):
            chains.extend(_from(root, parents, children, placed))
    for node in parents:
        if node not in placed:
            chains.extend(_from(node, parents, children, placed))
    return TreeLayout(tuple(current), tuple(chains))


def last_leaf(parents: Mapping[str, str], rank: Mapping[str, float]) -> str:
    """The leaf with the highest rank (its time); of equals the one that stands last. "" for no nodes."""
    inner = set(parents.values())
    leaves = [node for node in parents if node not in inner] or list(parents)
    best = ""
    for node in leaves:
        if not best or rank.get(node, 0.0) >= rank.get(best, 0.0):
            best = node
    return best


def _ancestry(parents: Mapping[str, str], leaf: str) -> list[str]:
    path: list[str] = []
    seen: set[str] = set()
    node = leaf
    while node in parents and node not in seen:
        seen.add(node)
        path.append(node)
        node = parents[node]
    return path[::-1]


def _children(parents: Mapping[str, str]) -> dict[str, list[str]]:
    children: dict[str, list[str]] = {}
    for node, parent in parents.items():
        if parent in parents and parent != node:
            children.setdefault(parent, []).append(node)
    return children


def _hanging(path: Sequence[str], children: Mapping[str, list[str]], placed: set[str]) -> list[MessageChain]:
    """The chains that leave this path, and theirs in turn, nearest the root first."""
    chains: list[MessageChain] = []
    todo = list(reversed([(node, child) for node in path for child in children.get(node, ())]))
    while todo:
        at, start = todo.pop()
        if start in placed:
            continue
        chain = _descent(start, children, placed)
        chains.append(MessageChain(at, tuple(chain)))
        todo.extend(reversed([(node, child) for node in chain for child in children.get(node, ())]))
    return chains


def _from(
    root: str, parents: Mapping[str, str], children: Mapping[str, list[str]], placed: set[str]
) -> list[MessageChain]:
    chain = _descent(root, children, placed)
    at = parents[root] if parents[root] in parents else ""
    return [MessageChain(at, tuple(chain)), *_hanging(chain, children, placed)]


def _descent(start: str, children: Mapping[str, list[str]], placed: set[str]) -> list[str]:
    chain = [start]
    placed.add(start)
    while True:
        onward = [child for child in children.get(chain[-1], ()) if child not in placed]
        if not onward:
            return chain
        chain.append(onward[-1])  # the last child is the newest try: the one the person went on with
        placed.add(onward[-1])
