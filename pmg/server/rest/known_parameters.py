"""Parameters in the address that a path does not have, or that are given twice, are refused: a misspelt `namespace` would let a memory land in another one."""

from __future__ import annotations

from typing import cast

from fastapi import FastAPI, HTTPException, Request
from fastapi.routing import APIRoute

_SHOWN = 60  # characters of an unknown name in its error


def only_known_parameters(request: Request) -> None:
    route = request.scope.get("route")
    if not request.query_params or not isinstance(route, APIRoute):
        return
    known = _described(cast("FastAPI", request.app), route.path_format, request.method.lower())
    unknown = next((name for name in request.query_params if name not in known), None)
    names = [name for name, _ in request.query_params.multi_items()]
    twice = next((name for name in names if names.count(name) > 1), None)
    if unknown is not None:
        raise HTTPException(
            422, f"query.{unknown[:_SHOWN]} is no parameter of this path. Those it has: {', '.join(known)}."
        )
    if twice is not None:
        raise HTTPException(422, f"query.{twice[:_SHOWN]} is given twice: give it once.")


def _described(app: FastAPI, path: str, method: str) -> list[str]:
    """The parameters by which the app describes the path: what a caller can read is what is taken."""
    operation = app.openapi()["paths"][path][method]
    return sorted(one["name"] for one in operation.get("parameters", ()) if one["in"] == "query")
