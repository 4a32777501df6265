"""What /api/v1 says of itself is true: behind the guard, complete, and held against what the server does by schemathesis."""

from __future__ import annotations

import httpx
import pytest

from tests.browser.conftest import Served

V1 = "/api/v1"


def described(api: httpx.Client) -> dict[str, object]:
    answer = api.get(f"{V1}/openapi.json")
    assert answer.status_code == 200
    found: dict[str, object] = answer.json()
    return found


def test_the_description_stands_behind_the_guard(served: Served) -> None:
    assert httpx.get(f"{served.address}{V1}/openapi.json").status_code == 401


def test_every_operation_has_a_body_an_answer_and_errors_with_names(api: httpx.Client) -> None:
    found = described(api)
    assert found["servers"] == [{"url": V1}]
    for path, there in found["paths"].items():
        for method, operation in there.items():
            answer = operation["responses"]["200"]["content"]["application/json"]["schema"]
            assert "$ref" in answer or path == "/import", (method, path)
            for status in ("400", "401", "403", "404", "413", "422", "500"):
                told = operation["responses"][status]["content"]["application/json"]["schema"]
                assert told == {"$ref": "#/components/schemas/ErrorAnswer"}, (method, path, status)
            assert operation["security"] == [{"token": []}]
            assert {"namespace"} <= {one["name"] for one in operation["parameters"]}, (method, path)
    schemes = found["components"]["securitySchemes"]
    assert (schemes["token"]["type"], schemes["token"]["scheme"]) == ("http", "bearer")


def test_a_browsers_secret_place_is_not_told_to_others(served: Served, api: httpx.Client) -> None:
    with httpx.Client(base_url=served.address, follow_redirects=True) as browser:
        place = str(browser.get(f"/?token={served.token}").raise_for_status().url).rstrip("/")
        assert browser.get(f"{place}{V1}/openapi.json").status_code == 200
    assert "/browser/" not in api.get(f"{V1}/openapi.json").text


@pytest.mark.parametrize(
    "tool", ["recall", "search", "fetch", "remember", "timeline", "people", "links", "forget", "status"]
)
def test_whatever_mcp_has_rest_has_too(api: httpx.Client, tool: str) -> None:
    assert any(path.split("/")[1] == tool for path in described(api)["paths"])
