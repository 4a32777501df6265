"""The verbs of /api/v1 that other ways in have too: sessions that go on, search, fetch, timeline, people, links, forgetting, upkeep."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.browser.conftest import Served

V1 = "/api/v1"


class NamespaceApi:
    """A program that stays in one namespace."""

    def __init__(self, api: httpx.Client, namespace: str) -> None:
        self._api = api
        self._params = {"namespace": namespace}

    def get(self, path: str, **query: Any) -> Any:
        return self._ok(self._api.get(f"{V1}/{path}", params={**self._params, **query}))

    def post(self, path: str, **body: Any) -> Any:
        return self._ok(self._api.post(f"{V1}/{path}", params=self._params, json=body))

    def refused(self, path: str, **body: Any) -> httpx.Response:
        return self._api.post(f"{V1}/{path}", params=self._params, json=body)

    @staticmethod
    def _ok(answer: httpx.Response) -> Any:
        assert answer.status_code == 200, answer.text
        return answer.json()


def test_a_session_goes_on_over_several_calls_and_is_found_at_once(served: Served, api: httpx.Client) -> None:
    namespace = NamespaceApi(api, "goes-on")
    for i, said in enumerate(("the cat is ill", "the vet has time on Tuesday", "the cat is well again")):
        assert namespace.post("remember", user=said, session="visit")["segment"] == f"seg_visit_{i}"
        assert said in namespace.post("recall", query=said)["context"]
    found = served.engine.reads.session("visit")
    assert found is not None and found.is_open and found.segments == 3
    namespace.post("sessions/visit/close")
    assert not namespace.get("sessions/visit")["session"]["is_open"]
    assert namespace.post("remember", user="one more thing", session="visit")["segment"] == "seg_visit_3"


def test_without_a_session_a_note_goes_to_that_of_the_day_and_a_title_begins_a_new_one(api: httpx.Client) -> None:
    namespace = NamespaceApi(api, "notes")
    one, two = (namespace.post("remember", text=said)["session"] for said in ("bread", "soup"))
    assert one == two and one.startswith("rest-")
    titled = namespace.post("remember", user="soup", title="Kitchen")["session"]
    assert titled != one and namespace.get(f"sessions/{titled}")["session"]["title"] == "Kitchen"


def test_a_session_is_begun_filled_line_by_line_and_closed(api: httpx.Client) -> None:
    namespace = NamespaceApi(api, "lines")
    begun = namespace.post(
        "sessions", title="Call", session="call", started_at="2026-03-03T19:02+01:00", source="phone"
    )
    assert (begun["id"], begun["is_open"], begun["source"]) == ("call", True, "phone")
    said = [{"speaker": "Ana", "role": "person", "text": "the garden needs water"}]
    namespace.post("sessions/call/turns", lines=said, at="2026-03-03T19:03+01:00", meta={"room": "kitchen"})
    kept = namespace.get("segments/seg_call_0")["segment"]
    assert kept["lines"][0]["speaker"] == "Ana" and kept["at"] == "2026-03-03T19:03:00+01:00"
    assert kept["meta"] == {"room": "kitchen"}
    assert set(namespace.post("sessions/call/close")) == {"segments", "duplicates", "edges", "waiting"}
    refused = namespace.refused("sessions", session="call", conversation="work")
    assert refused.status_code == 400 and "belongs to the conversation 'call', not to 'work'" in refused.text


@pytest.fixture(scope="module")
def garden(served: Served) -> str:
    with served.engine.session("Garden", session_id="garden", namespace="garden", started_at=None) as session:
        for day in range(1, 7):
            session.add(user=f"the garden on day {day} has tomato seeds")
    return "garden"


def test_a_search_goes_on_with_its_cursor_and_with_no_other(api: httpx.Client, garden: str) -> None:
    namespace = NamespaceApi(api, garden)
    first = namespace.post("search", query="garden tomato", limit=4)
    rest = namespace.post("search", query="garden tomato", limit=4, cursor=first["cursor"])
    ids = [one["id"] for one in (*first["results"], *rest["results"])]
    assert len(ids) == len(set(ids)) == 6 and rest["cursor"] == ""
    foreign = namespace.refused("search", query="another question", cursor=first["cursor"])
    assert foreign.status_code == 400 and "begin again without one" in foreign.json()["error"]


def test_a_segment_comes_with_its_neighbours_and_links(api: httpx.Client, garden: str) -> None:
    namespace = NamespaceApi(api, garden)
    found = namespace.get("segments/seg_garden_2", neighbours=1)
    assert [one["id"] for one in found["neighbours"]] == ["seg_garden_1", "seg_garden_3"]
    assert {edge["kind"] for edge in found["edges"]} >= {"chain"}
    assert "day 3" in namespace.get("fetch/seg_garden_2", neighbours=0)["text"]
    assert "day 6" in namespace.get("fetch/garden")["text"]


def test_the_receipt_of_a_recall_can_be_read_again_in_its_namespace_only(api: httpx.Client, garden: str) -> None:
    namespace = NamespaceApi(api, garden)
    found = namespace.post("recall", query="garden day 2")
    assert namespace.get(f"receipts/{found['receipt_id']}") == found["receipt"]
    assert [one["id"] for one in found["segments"]] == [one["segment"] for one in found["receipt"]["found"]]
    other = api.get(f"{V1}/receipts/{found['receipt_id']}", params={"namespace": "another"})
    assert other.status_code == 404


def test_a_timeline_and_what_somebody_said_come_by_date(api: httpx.Client) -> None:
    namespace = NamespaceApi(api, "people")
    for day, who, said in (
        (3, "Ana", "the bike is red"),
        (1, "Ben", "the cat is ill"),
        (2, "Ana", "the train is late"),
    ):
        lines = [{"speaker": who, "role": "person", "text": said}]
        turn = {"lines": lines, "at": f"2026-05-{day:02d}"}
        namespace.post("ingest", sessions=[{"session": f"day-{day}", "turns": [turn]}])
    entries = namespace.get("timeline", since="2026-05-01", until="2026-05-02")["entries"]
    assert [one["segment"] for one in entries] == ["seg_day-1_0", "seg_day-2_0"]
    assert namespace.get("people")["people"] == ["Ana", "Ben"]
    assert [one["segment"] for one in namespace.get("people/said", name="ana")["entries"]] == [
        "seg_day-2_0",
        "seg_day-3_0",
    ]
    assert "bike" in namespace.get("people/said", name="Ana", question="which bike")["entries"][-1]["text"]
    whole = namespace.post("recall", query="bike cat train")
    anas = namespace.post("recall", query="bike cat train", people=["Ana"], since="2026-05-02")
    assert "cat" in whole["context"] and "cat" not in anas["context"] and "bike" in anas["context"]
    assert (
        {one["id"] for one in anas["segments"]}
        == {one["segment"] for one in anas["lines"]}
        <= {"seg_day-2_0", "seg_day-3_0"}
    )
    known = [one["number"] for one in whole["segments"]]
    assert namespace.post("recall", query="bike cat train", exclude_segments=known)["segments"] == []


def test_two_segments_are_linked_once_and_unlinked(api: httpx.Client, garden: str) -> None:
    namespace = NamespaceApi(api, garden)
    ends = {"source": "seg_garden_0", "target": "seg_garden_5", "kind": "supports"}
    assert namespace.post("links", **ends, weight=0.5)["origin"] == "user"
    made = namespace.post("links", **ends, origin="model")
    assert (made["weight"], made["origin"]) == (1.0, "model")
    query = {**ends, "namespace": garden}
    assert [api.delete(f"{V1}/links", params=query).json()["removed"] for _ in range(2)] == [1, 0]


def test_what_is_forgotten_was_shown_first_and_nothing_else_goes(served: Served, api: httpx.Client) -> None:
    namespace = NamespaceApi(api, "forgets")
    for said in ("the fisherman sold a swordfish", "the cat is ill"):
        namespace.post("remember", user=said, session="gate")
    shown = namespace.post("forget/preview", query="swordfish")
    assert shown["segments"] == ["seg_gate_0"] and "swordfish" in shown["preview"][0]
    for wrong in ({"query": "swordfish", "token": "1.x"}, {"sessions": ["gate"], "token": shown["token"]}):
        refused = namespace.refused("forget", **wrong)
        assert refused.status_code == 400 and "Nothing was changed" in refused.json()["error"]
    assert served.engine.counts("forgets").lines == 2
    done = namespace.post("forget", query="swordfish", token=shown["token"])
    assert done["residue"] == [] and done["counts"]
    assert served.engine.counts("forgets").lines == 1
    nowhere = namespace.post("forget/preview", query="cat nowhere")
    assert (nowhere["token"], nowhere["segments"], nowhere["counts"]) == ("", [], {})
    assert "No turn here holds these words" in nowhere["nothing"] and "cat is ill" in nowhere["nearest"][0]
    unsaid = namespace.refused("forget", query="cat nowhere", token=shown["token"])
    assert unsaid.status_code == 400 and "No turn here holds these words" in unsaid.json()["error"]
    assert served.engine.counts("forgets").lines == 1
    assert namespace.refused("forget", query="swordfish", token=shown["token"]).status_code == 400


def test_an_open_session_is_forgotten_whole(served: Served, api: httpx.Client) -> None:
    namespace = NamespaceApi(api, "weddings")
    namespace.post("remember", user="The wedding is at Larkhill Manor.", session="wedding")
    shown = namespace.post("forget/preview", sessions=["wedding"])
    assert shown["counts"]["sessions gone whole"] == 1
    assert namespace.post("forget", sessions=["wedding"], token=shown["token"])["counts"]["sessions"] == 1
    assert served.engine.reads.session("wedding") is None


def test_segments_are_archived_pinned_tagged_and_brought_back(api: httpx.Client) -> None:
    namespace = NamespaceApi(api, "upkeep")
    namespace.post("ingest", sessions=[{"session": "old", "turns": [{"user": "the train"}, {"user": "the bread"}]}])
    assert namespace.post("steward/archive", segments=["seg_old_0"]) == {"changed": 1}
    assert [one["id"] for one in namespace.get("steward/archived")["segments"]] == ["seg_old_0"]
    assert namespace.post("steward/restore", segments=["seg_old_0"]) == {"changed": 1}
    assert namespace.post("steward/pin", segments=["seg_old_1"]) == {"changed": 1}
    tagged = api.put(f"{V1}/segments/seg_old_1/tags", params={"namespace": "upkeep"}, json={"tags": ["travel"]}).json()
    assert (tagged["tags"], tagged["pinned"]) == (["travel"], True)
    assert namespace.get("steward/review") == {"pairs": []}
    assert {one["action"] for one in namespace.get("steward/history")["entries"]} >= {"archive", "restore"}


def test_who_asks_at_an_old_place_is_led_to_the_new_one(served: Served, api: httpx.Client) -> None:
    moved = api.post("/api/recall?namespace=x", json={"query": "cat"})
    assert (moved.status_code, moved.headers["location"]) == (308, "/api/v1/recall?namespace=x")
    followed = api.post("/api/recall", json={"query": "cat"}, follow_redirects=True)
    assert followed.status_code == 200 and "context" in followed.json()
    with httpx.Client(base_url=served.address, follow_redirects=True) as browser:
        place = str(browser.get(f"/?token={served.token}").raise_for_status().url).rstrip("/")
        assert browser.get(f"{place}/api/stats").url.path.endswith("/api/v1/stats")


def test_ten_megabytes_are_refused_with_a_sentence_and_the_server_stays(served: Served, api: httpx.Client) -> None:
    before = served.engine.counts()
    for path in ("remember", "recall", "ingest"):
        answer = api.post(f"{V1}/{path}", json={"user": "x" * 10_000_000})
        assert answer.status_code == 413 and "4,194,304 bytes" in answer.json()["error"]
    assert served.engine.counts() == before
    assert api.get(f"{V1}/status").status_code == 200


def test_a_zero_byte_is_kept_as_it_is(served: Served, api: httpx.Client) -> None:
    NamespaceApi(api, "odd").post("remember", user="a\0b", session="nul")
    assert served.engine.segment("seg_nul_0").lines[0].text == "a\0b"
    assert "a\0b" in NamespaceApi(api, "odd").get("sessions/nul")["segments"][0]["lines"][0]["text"]


def days(namespace: NamespaceApi, count: int, name: str = "days") -> list[str]:
    turns = [
        {"user": f"bread number {n}", "at": f"2026-05-{1 + n // 10:02d}T{n % 10:02d}:00+02:00"} for n in range(count)
    ]
    namespace.post("ingest", sessions=[{"session": name, "turns": turns}])
    return [f"seg_{name}_{n}" for n in range(count)]


def test_of_many_the_newest_come_and_a_page_leads_to_the_older_ones(api: httpx.Client) -> None:
    namespace = NamespaceApi(api, "pages")
    names = days(namespace, 25)
    for path, query in (("timeline", {"since": "2026-05-01"}), ("people/said", {"name": "User"})):
        found: list[str] = []
        page = namespace.get(path, **query, limit=10)
        assert [one["segment"] for one in page["entries"]] == names[-10:]
        while True:
            found = [one["segment"] for one in page["entries"]] + found
            if not page["before"]:
                break
            page = namespace.get(path, **query, limit=10, before=page["before"])
        assert found == names
    unknown = api.get(f"{V1}/timeline", params={"namespace": "elsewhere", "before": names[3]})
    assert unknown.status_code == 404, "an id from in another namespace"
    both = api.get(f"{V1}/timeline", params={"namespace": "pages", "about": "bread", "before": names[3]})
    assert both.status_code == 400 and "`about`" in both.json()["error"]


def test_what_lies_outside_the_time_takes_no_place_in_a_timeline_about_something(api: httpx.Client) -> None:
    namespace = NamespaceApi(api, "topics")
    names = days(namespace, 25, "topics")
    found = namespace.get("timeline", about="bread number", since="2026-05-03", until="2026-05-03", limit=5)["entries"]
    assert [one["segment"] for one in found] == names[20:]


def test_a_range_of_one_day_holds_that_day(api: httpx.Client) -> None:
    namespace = NamespaceApi(api, "one-day")
    names = days(namespace, 25, "one-day")
    day = {"since": "2026-05-02", "until": "2026-05-02"}
    assert [one["segment"] for one in namespace.get("timeline", **day)["entries"]] == names[10:20]
    found = namespace.post("recall", query="bread", **day)["segments"]
    assert {one["id"] for one in found} == set(names[10:20])
    assert namespace.post("forget/preview", **day)["counts"]["segments"] > 0
    wrong = namespace.refused("recall", query="bread", since="2026-05-02", until="2026-05-01")
    assert wrong.status_code == 400 and "earlier time first" in wrong.json()["error"]


def test_a_date_to_come_hides_nothing_from_the_last_week(api: httpx.Client) -> None:
    namespace = NamespaceApi(api, "to-come")
    namespace.post("remember", user="the bike is red", session="now")
    namespace.post("remember", user="we move to Mars", session="mars", at="2931-01-01")
    assert [one["segment"] for one in namespace.get("timeline")["entries"]] == ["seg_now_0"]
    assert [one["segment"] for one in namespace.get("timeline", since="2900-01-01")["entries"]] == ["seg_mars_0"]


def test_every_time_has_its_zone(api: httpx.Client) -> None:
    namespace = NamespaceApi(api, "zones")
    days(namespace, 3, "zones")
    pages = [
        namespace.get("timeline", since="2026-05-01"),
        namespace.get("timeline", about="bread"),
        namespace.get("people/said", name="User"),
    ]
    times = [[one["at"] for one in page["entries"]] for page in pages]
    assert times[0] == times[1] == times[2] == [f"2026-05-01T0{n}:00:00+02:00" for n in range(3)]


def test_a_session_is_read_by_the_name_it_was_told_under_whatever_another_namespace_has(api: httpx.Client) -> None:
    home, work = NamespaceApi(api, "home-wall"), NamespaceApi(api, "work-wall")
    home.post("remember", user="the tent is green", session="planning")
    told = work.post("remember", user="the train leaves at nine", session="planning")
    assert told["session"] != "planning"
    read = work.get("sessions/planning")
    assert [one["id"] for one in read["segments"]] == [told["segment"]] and read["session"]["id"] == told["session"]
    fetched = work.get("fetch/planning")
    assert "leaves at nine" in fetched["text"] and "tent" not in fetched["text"]
    assert told["session"] not in fetched["text"] + fetched["title"]
    assert told["session"] not in work.post("recall", query="train")["context"]
    assert work.post("recall", query="train", exclude_sessions=["planning"])["segments"] == []
    assert work.post("sessions/planning/close")
    assert work.post("forget/preview", sessions=["planning"])["segments"] == [told["segment"]]
    third = api.get(f"{V1}/sessions/planning", params={"namespace": "third-wall"})
    assert third.status_code == 404 and "'planning'" in third.json()["error"]


def test_a_session_goes_on_under_its_name_when_the_other_namespace_forgot_its_own(api: httpx.Client) -> None:
    home, work = NamespaceApi(api, "forgets"), NamespaceApi(api, "keeps")
    home.post("remember", user="the tent is green", session="camp")
    home.post("sessions/camp/close")
    first = work.post("remember", user="the train leaves at nine", session="camp")
    shown = home.post("forget/preview", sessions=["camp"])
    home.post("forget", sessions=["camp"], token=shown["token"])
    assert work.post("remember", user="and comes at ten", session="camp")["session"] == first["session"]
    assert len(work.get("sessions/camp")["segments"]) == 2


def test_a_session_without_a_title_is_called_by_its_first_words(api: httpx.Client) -> None:
    namespace = NamespaceApi(api, "untitled")
    namespace.post(
        "remember", user="My new bike is a red Cube.", session="20261118-001048-9c096b", at="2026-11-18T00:10Z"
    )
    (hit,) = namespace.post("search", query="bike")["results"]
    assert hit["title"] == "Wed 2026-11-18 00:10 +00:00 · My new bike is a red Cube."
    found = namespace.post("recall", query="bike")
    assert " · rest\n" in found["context"] and found["context"].count("red Cube") == 1  # a heading repeats no words
    assert found["segments"][0]["session_name"] == "My new bike is a red Cube."
    assert namespace.get("timeline", about="bike")["entries"][0]["title"] == "My new bike is a red Cube."
