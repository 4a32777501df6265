"""What somebody is to whoever speaks of them (sister, boss, friend), and which two of that one person cannot be. Pure.

Knows: the words, and that nobody is a sister and a mother, or a sister and a boss, of one person; a friend who is a colleague too may be one, and a girlfriend becomes a wife.
"""

from __future__ import annotations

import re

# One role a word; names of one role, and roles that follow each other, are joined by a stroke.
_FAMILY = """mother/mom/mum/stepmom father/dad/stepdad sister brother grandmother/grandma grandfather/grandpa aunt uncle niece nephew daughter son cousin grandson
    granddaughter"""
_OTHERS = """husband/wife/boyfriend/girlfriend/fiance/fiancee/partner/spouse boss/manager colleague/coworker/teammate friend/bestie/buddy neighbor/neighbour roommate
    teacher mentor coach doctor therapist student landlord"""
_FAMILY_ROLES = {word: role.split("/")[0] for role in _FAMILY.split() for word in role.split("/")}
_ROLES = _FAMILY_ROLES | {word: role.split("/")[0] for role in _OTHERS.split() for word in role.split("/")}
UNTOLD = "?"  # of somebody whose name several have here: nobody can tell which of them
_CALLED = re.compile(r"(?P<name>.+) \((?P<role>[\w?]+)\)")
_OF = re.compile(r"(?P<role>\w+) of (?P<whose>.+)")


def differ(a: str, b: str) -> bool:
    """Whether two words are two roles: "mom" and "mother" are one. Of a word that is no role nothing is known."""
    return a in _ROLES and b in _ROLES and _ROLES[a] != _ROLES[b]


def exclude(a: str, b: str) -> bool:
    """Whether nobody has both: one of them is of the family."""
    return differ(a, b) and (a in _FAMILY_ROLES or b in _FAMILY_ROLES)


def is_family(role: str) -> bool:
    return role in _FAMILY_ROLES


def role_in(description: str) -> tuple[str, str] | None:
    """ "sister of Ana": the role and whose; None where it tells none."""
    found = _OF.fullmatch(description)
    return (found["role"], found["whose"]) if found is not None and found["role"] in _ROLES else None


def called(name: str, role: str) -> str:
    """What one of several people of a name is called."""
    return f"{name} ({role})"


def bare(name: str) -> str:
    """The name that people use."""
    found = _CALLED.fullmatch(name) if name.endswith(")") else None  # asked of every name that is known
    return found["name"] if found is not None else name


def role_of(name: str) -> str:
    """The role that tells somebody from others of their name; "" where none is needed."""
    found = _CALLED.fullmatch(name)
    return found["role"] if found is not None else ""


def has(role: str, wanted: str) -> bool:
    return role == wanted or (role in _ROLES and _ROLES[role] == _ROLES.get(wanted))
