"""Namespaces are apart: no recall in one ever returns another's text, in any part of the answer."""

from __future__ import annotations

import json

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pmg.base.model import Line, Role, Turn
from pmg.engine import Engine
from pmg.ingest.turns import SessionInput

SPACES = ("mine", "yours", "theirs")
WORDS = st.sampled_from("cat vet bread oven release blocked soup dinner knee doctor".split())
texts = st.lists(WORDS, min_size=1, max_size=5).map(" ".join)


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.tuples(st.sampled_from(SPACES), texts), min_size=1, max_size=8), texts)
def test_no_recall_returns_another_namespaces_text(engine: Engine, said: list[tuple[str, str]], query: str) -> None:
    """Each namespace marks its turns, titles, speakers and sessions with a word that no other may show."""
    sessions = [
        SessionInput(
            [Turn((Line(f"Canary{namespace}", Role.PERSON, f"{text} canary{namespace} {i}"),))],
            f"canary{namespace} title",
            id=f"canary{namespace}-{i}",
            namespace=namespace,
        )
        for i, (namespace, text) in enumerate(said)
    ]
    engine.ingest(sessions)
    for namespace in SPACES:
        for mode in ("fixed", "diffuse"):
            for asked in (query, f"{query} canarymine canaryyours canarytheirs"):
                found = engine.recall(asked, namespace=namespace, mode=mode, count=False, limit=100, budget_tokens=5000)
                shown = json.dumps({"context": found.context, **found.receipt.to_dict(), "query": "", "cues": ""})
                shown += "".join(segment.text for segment in found.segments)
                for other in SPACES:
                    assert other == namespace or f"canary{other}" not in shown.lower()


def test_excluding_a_session_or_naming_a_foreign_segment_opens_no_door(engine: Engine) -> None:
    for namespace in SPACES:
        with engine.session(session_id=f"s-{namespace}", namespace=namespace) as session:
            session.add(user=f"the cat canary{namespace}")
    found = engine.recall("cat", namespace="mine", exclude_session="s-mine")
    assert found.segments == ()
    assert "canaryyours" not in found.context
    assert engine.recall("cat", namespace="nobody").segments == ()
