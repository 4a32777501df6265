"""What /api/v1 says of itself is true: behind the guard, complete, and held against what the server does by schemathesis."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, seed, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
)

from tests.browser.conftest import Served

V1 = "/api/v1"
EXAMPLES = 4  # of each operation and mode
TRUE = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
FUZZ = settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))


def described(api: httpx.Client) -> dict[str, Any]:
    answer = api.get(f"{V1}/openapi.json")
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()
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


def operations(api: httpx.Client) -> Iterator[Any]:
    schema = schemathesis.openapi.from_dict(described(api))
    for found in schema.get_all_operations():
        yield found.ok()


@pytest.mark.slow
@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_the_server_does_what_it_says_with_whatever_is_sent(
    served: Served, api: httpx.Client, mode: GenerationMode
) -> None:
    """Every operation with bodies and parameters as described, and with others: a described answer, never a fault of ours."""
    known = {"authorization": f"Bearer {served.token}"}
    checks = [*TRUE, negative_data_rejection] if mode is GenerationMode.NEGATIVE else TRUE
    answered: Counter[int] = Counter()
    for operation in operations(api):

        @seed(7)
        @FUZZ
        @given(case=operation.as_strategy(generation_mode=mode))
        def holds(case: Any) -> None:
            answer = case.call(base_url=served.address + V1, headers=known)
            case.validate_response(answer, checks=checks)
            answered[answer.status_code] += 1

        holds()
    # A control: what is as described is mostly taken, what is not is not.
    assert answered.total() > 100
    assert (answered[200] > answered.total() / 8) == (mode is GenerationMode.POSITIVE)
    assert api.get(f"{V1}/status").status_code == 200
