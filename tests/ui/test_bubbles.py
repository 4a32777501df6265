"""A chat as HTML: whatever was stored shows as text, and every source is a button."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from pmg.answer.evidence import Quote, QuoteKind
from pmg.base.model import Role
from pmg.chat import sessions
from pmg.chat.history import ChatBubble, answer_bubble
from pmg.chat.responder import ChatAnswer, Citation, CutOff, Unsupported, Used
from pmg.engine import Engine
from pmg.ui.chat import bubbles

AT = datetime(2026, 11, 15, 9, 30, tzinfo=UTC)
HOSTILE = '<script>x</script><img src="//evil.example"> ![p](//evil.example) [l](javascript:x) \x1b[31m "quoted"'


def shown(role: Role, **parts: object) -> str:
    return bubbles.bubble(ChatBubble(HOSTILE, role, HOSTILE, AT, **parts), {})  # type: ignore[arg-type]


@pytest.mark.parametrize("role", list(Role))
def test_stored_text_is_text_whoever_said_it(role: Role) -> None:
    html = shown(role)
    assert "<script" not in html and "<img" not in html and "href" not in html and "\x1b" not in html
    assert "&lt;script&gt;" in html


def test_a_quote_is_text_with_who_and_when() -> None:
    html = bubbles.quotes([Quote("seg_a_0", 0, 0, 5, HOSTILE, HOSTILE, AT, HOSTILE)])
    assert "<script" not in html and "<img" not in html
    assert "Sun 15 Nov 2026" in html


def test_a_passage_is_one_block_with_its_speakers_and_one_source() -> None:
    said = [("seg_a_0", "When?", "Mara"), ("seg_a_1", "On Friday.", HOSTILE), ("seg_b_4", "On Monday.", "Lena")]
    kinds = (QuoteKind.AROUND, QuoteKind.ANSWER, QuoteKind.ANSWER)
    quotes = [Quote(n, 0, 0, 5, text, who, AT, "Title", k) for (n, text, who), k in zip(said, kinds, strict=True)]
    html = bubbles.quotes(quotes)
    assert html.count("<blockquote") == 2 and html.count("<footer") == 2 and "<script" not in html
    assert html.count("pmg-around") == 1 and "<b>Mara</b> When?" in html
    assert 'data-pick="seg_a_1"' in html and 'data-pick="seg_a_0"' not in html


def test_what_was_so_before_is_told_apart_from_what_answers() -> None:
    kinds = (QuoteKind.ANSWER, QuoteKind.OLDER)
    quotes = [Quote(f"seg_{kind}_0", 0, 0, 5, f"It is {kind}.", "Mara", AT, "Title", kind) for kind in kinds]
    first, older = bubbles.quotes(quotes).split("</blockquote>")[:2]
    assert "Before that:" in older and "Before that:" not in first
    assert bubbles.quotes(quotes, is_german=True).count("Davor:") == 1


def test_sessions_of_a_time_are_told_apart_from_lines_that_tell_of_it() -> None:
    kinds = (QuoteKind.ANSWER, QuoteKind.SESSION, QuoteKind.SESSION)
    quotes = [Quote(f"seg_{n}_0", 0, 0, 5, f"Line {n}.", "Mara", AT, "Title", kind) for n, kind in enumerate(kinds)]
    parts = bubbles.quotes(quotes).split("</blockquote>")[:3]
    assert ["Talked about then:" in part for part in parts] == [False, True, False]
    assert bubbles.quotes(quotes, is_german=True).count("Worüber gesprochen wurde:") == 1
    assert "Talked about then:" not in bubbles.quotes(quotes[1:])


def test_a_quote_is_named_by_its_day_and_tool_and_only_a_whole_chat_by_its_title(engine: Engine) -> None:
    with engine.session("Convert 5 miles", source="chatgpt") as session:
        name = session.add(user="The boots are red.", assistant="a", at=AT)
    quote = Quote(name, 0, 0, 5, "The boots are red.", "Mara", AT, "Convert 5 miles")
    html = bubbles.quotes([quote], sources={name: engine.segment(name)})
    assert f'data-pick="{name}"' in html and ">Sun 15 Nov 2026 · chatgpt<" in html
    whole = Quote(name, 0, 0, 5, "The boots are red.", "Mara", AT, "Convert 5 miles", QuoteKind.SESSION)
    assert ">Convert 5 miles · Sun 15 Nov 2026<" in bubbles.quotes([whole])


def test_what_an_assistant_wrote_is_quoted_as_the_markdown_it_is_and_what_a_person_wrote_as_it_stands(
    engine: Engine,
) -> None:
    with engine.session("Boots", source="chatgpt") as session:
        name = session.add(user="What is *red* & __init__?", assistant="The **boots** are <b>red</b>.", at=AT)
    segment = engine.segment(name)
    mine, theirs = (Quote(name, i, 0, 9, segment.lines[i].text, "x", AT, "Boots") for i in (0, 1))
    html = bubbles.quotes([theirs], terms=frozenset({"boot"}), sources={name: segment})
    assert "The <strong><mark>boots</mark></strong> are &lt;b&gt;red&lt;/b&gt;.</div>" in html and "<p>" not in html
    assert "What is *red* &amp; __init__?" in bubbles.quotes([mine], sources={name: segment})
    assert "**boots**" in bubbles.quotes([theirs])  # whose words they are is not known any more


def test_a_forgotten_quote_is_mentioned() -> None:
    assert "1 quoted memory was forgotten since" in bubbles.quotes((), 1)
    assert "2 quoted memories were" in bubbles.quotes((), 2)


def test_a_source_says_what_was_said_and_when_and_opens_its_memory(engine: Engine) -> None:
    with engine.session(f"Boots {HOSTILE}") as session:
        name = session.add(user=HOSTILE, assistant="a", at=AT)
    html = bubbles.chips([Used(name, "lateral"), Used("seg_gone_0", "entry")], {name: engine.segment(name)})
    assert html.count("<button") == 1 and f'data-pick="{name}"' in html
    assert ">&lt;script&gt;" in html and "Sun 15 Nov 2026" in html and ">lateral<" not in html
    assert "<script" not in html and "<img" not in html


def test_a_chat_is_a_source_once_and_many_fold(engine: Engine) -> None:
    names = []
    for i in range(7):
        with engine.session(f"chat {i}") as session:
            names += [session.add(user=f"turn {i}", assistant="a"), session.add(user=f"more {i}", assistant="a")]
    sources = {name: engine.segment(name) for name in names}
    html = bubbles.chips([Used(name, "entry") for name in names], sources)
    assert html.count("<button") == 7 and "<summary>3 more</summary>" in html


def test_a_cited_memory_is_a_source_by_its_number_whichever_of_its_chat_was_found_first(engine: Engine) -> None:
    with engine.session("Lena") as lena:
        names = [lena.add(user=f"Lena said number {i}.", assistant="Yes.") for i in range(3)]
    with engine.session("Bread") as bread:
        other = bread.add(user="Sourdough needs flour.", assistant="Yes.")
    sources = {name: engine.segment(name) for name in (*names, other)}
    used = [Used(name, "entry") for name in (names[2], other, *names[:2])]
    html = bubbles.chips(used, sources, cited=[Citation(4, names[0]), Citation(9, ""), Citation(2, names[1])])
    assert [html.count(f'data-read="{name}"') for name in (*names, other)] == [1, 1, 0, 1]
    assert html.index("[2]") < html.index(names[0]) < html.index(other) and "[4]" in html and "[9]" not in html


def test_a_quoted_chat_is_no_source_a_second_time(engine: Engine) -> None:
    with engine.session("Boots") as session:
        name = session.add(user="The boots are red.", assistant="a", at=AT)
    quote = Quote(name, 0, 0, 18, "The boots are red.", "User", AT, "Boots")
    message = ChatBubble("Assistant", Role.ASSISTANT, "From your memory:", AT, "", (quote,), (Used(name, "entry"),))
    html = bubbles.bubble(message, {name: engine.segment(name)}, asked="Which colour are my boots?")
    assert html.count(f'data-pick="{name}"') == 1
    assert "<mark>boots</mark>" in html and "You · " in html and "User" not in html


def test_the_last_turn_can_be_asked_again_and_changed_and_every_message_copied() -> None:
    def turn(name: str) -> list[ChatBubble]:
        return [ChatBubble("User", Role.USER, "a?", AT, name), ChatBubble("Assistant", Role.ASSISTANT, "b", AT, name)]

    html = bubbles.conversation([*turn("seg_1"), *turn("seg_2")], {})
    assert html.count('data-copy=""') == 4
    assert html.count("data-do=") == 2 and html.count('data-segment="seg_2"') == 2
    folded = bubbles.conversation([*turn("seg_1"), *turn("seg_2")], {}, {"seg_1"})
    assert folded.count("An earlier version") == 1 and folded.count("<details") == 1
    twice = bubbles.conversation([*turn("seg_1"), *turn("seg_2"), *turn("seg_3")], {}, {"seg_1", "seg_2"})
    assert twice.count("<details") == 1 and "2 earlier versions" in twice
    assert twice.index("</details>") < twice.index('data-segment="seg_3"')
    apart = bubbles.conversation([*turn("seg_1"), *turn("seg_2"), *turn("seg_3")], {}, {"seg_1", "seg_3"})
    assert apart.count("An earlier version") == 2, "of two questions each has its own"
    assert "data-do=" not in bubbles.conversation(turn("seg_1"), {}, tools=False)


def test_a_citation_leads_to_its_memory_and_one_that_stands_for_none_is_struck_out() -> None:
    found = (Citation(3, "seg_a_0"), Citation(9, ""))
    message = ChatBubble(
        "A", Role.ASSISTANT, "Red [3, 9]. Blue [4].", AT, citations=found, unsupported=(Unsupported(12, 21),)
    )
    html = bubbles.bubble(message, {})
    assert html.count('data-read="seg_a_0"') == 1 and '<span class="pmg-unknown"' in html and "[4]" in html
    assert "No memory backs these parts" in html and "“Blue [4].”" in html


def test_an_answer_that_is_not_whole_says_so_at_its_end() -> None:
    for why, words in ((CutOff.STOPPED, "You stopped this answer here"), (CutOff.BROKEN, "broke off here")):
        answer = ChatAnswer("The first half", cut_off=why)
        assert words in bubbles.bubble(answer_bubble(answer, AT), {})
    assert "not whole" not in bubbles.bubble(answer_bubble(ChatAnswer("All of it"), AT), {})


def test_code_has_a_button_that_copies_it_and_text_finds_its_direction() -> None:
    html = bubbles.bubble(ChatBubble("Assistant", Role.ASSISTANT, "See:\n```\nx = '<pre>'\n```", AT), {})
    assert html.count('<div class="pmg-code">') == 1 and "&lt;pre&gt;" in html
    assert 'dir="auto"' in html


def test_no_chips_are_drawn_where_nothing_was_used() -> None:
    assert bubbles.chips((), {}) == ""


def test_the_list_marks_the_chat_that_is_open_and_shows_titles_as_text(engine: Engine) -> None:
    engine.session(HOSTILE, session_id="hostile").add(user="hi", assistant="ho")
    html = bubbles.session_list(sessions.listed(engine, "default"), "hostile", date(2026, 11, 15))
    assert 'data-pick="hostile" aria-current="true"' in html and "<script" not in html and "1 turn<" in html
    assert "open" not in html


def test_chats_without_the_words_stand_under_their_own_heading_and_without_dates(engine: Engine) -> None:
    for i, title in enumerate(("Bread", "Trip", "Cats")):
        with engine.session(title, session_id=title.lower()) as session:
            session.add(user=f"About {title}", assistant="Yes.", at=datetime(2025, 1 + i, 1, tzinfo=UTC))
    bread, trip, cats = (engine.reads.session(name) for name in ("bread", "trip", "cats"))
    assert bread and trip and cats
    html = bubbles.session_list(sessions.SessionList((cats,), 0, (bread, trip)), "", date(2026, 11, 18), True)
    assert html.index("March 2025") < html.index("Cats") < html.index("Without these words") < html.index("Bread")
    assert html.count("pmg-group") == 2
    none = bubbles.session_list(sessions.SessionList((), 0, (bread,)), "", date(2026, 11, 18), True)
    assert none.index("No chat holds these words") < none.index("Bread")
    assert "No chat holds these words" in bubbles.session_list(sessions.SessionList((), 0), "", AT.date(), True)


def test_pinned_chats_come_first_and_older_ones_fold_but_are_there(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    for i in range(4):
        with engine.session(f"chat {i}", session_id=f"s{i}") as session:
            session.add(user=f"About {i}", assistant="Yes.", at=datetime(2025, 1 + i, 1, tzinfo=UTC))
    sessions.pin(engine, "s0", "default")
    monkeypatch.setattr(bubbles, "PAGE", 2)
    html = bubbles.session_list(sessions.listed(engine, "default"), "s1", date(2026, 11, 18))
    places = [
        html.index(part) for part in ("Pinned", "chat 0", "chat 3", "<details open>", "2 older", "chat 2", "chat 1")
    ]
    assert places == sorted(places)
    sessions.pin(engine, "s0", "default")
    assert "Pinned" not in bubbles.session_list(sessions.listed(engine, "default"), "s3", date(2026, 11, 18))


def test_an_empty_list_says_so() -> None:
    assert "No chats here yet" in bubbles.session_list(sessions.SessionList((), 0), "", date(2026, 11, 15))


def test_a_question_to_try_is_safe_in_its_button() -> None:
    html = bubbles.beginning(['Why "now"? <b>'])
    assert 'data-pick="ask:Why &quot;now&quot;? &lt;b&gt;"' in html


def test_an_answer_that_is_awaited_says_so_to_screen_readers() -> None:
    html = bubbles.bubble(ChatBubble("Assistant", Role.ASSISTANT, "", AT), {}, waiting=True)
    assert 'role="status"' in html and "aria-label" in html
