"""The views and macros that a person reads with SQL, each with what it says and what every column means.

Knows: their text and their explanation; docs/schema.md is made from it. Does not know: the tables' own text (schema.py), charts.

Views hold every namespace and have a `namespace` column: the person who owns the file may read all of it. Macros look behind
one namespace (`ns`), where it makes sense in a range of time (`since` up to but not including `until`; NULL is open): the page uses nothing else.
Their days and months are those of the clock of whoever spoke (UTC plus the offset it was said in); the recall log and the journal have no offset
and are in UTC. They are sums over whole columns with few joins: each answers in milliseconds at 100,000 segments. Both are derived: they are made anew whenever their text changes, so they need no migration.
"""

from __future__ import annotations

from pmg.store.duckdb.macros_growth import GRAPH, GROWTH, UPKEEP
from pmg.store.duckdb.macros_use import CONTENT, USE
from pmg.store.duckdb.relation import IS_LINK, Relation
from pmg.store.duckdb.speaking import JOINED, OWNER_NAMES, PERSON

MACROS = (*GROWTH, *USE, *CONTENT, *GRAPH, *UPKEEP)


VIEWS = (
    OWNER_NAMES,
    Relation(
        "v_sessions",
        "One row a session: a sitting.",
        {
            "session": "its id",
            "namespace": "the namespace it lies in",
            "conversation": "what groups the sessions of one thread or of the same people",
            "title": "its title",
            "source": "where it came from: chat, api, chatgpt, claude, document …",
            "started_at": "when it began, UTC",
            "ended_at": "when it ended, UTC; empty while it is open",
            "is_open": "whether it is still open",
            "segments": "how many segments it has, in any state",
            "hits": "how often they were recalled or said again, together",
        },
        """SELECT s.id AS session, s.namespace, s.conversation, s.title, s.source, s.started_at, s.ended_at, s.is_open,
       count(g.number) AS segments, coalesce(sum(g.hits), 0)::BIGINT AS hits
FROM sessions s LEFT JOIN segments g ON g.session_id = s.id
GROUP BY ALL""",
    ),
    Relation(
        "v_segments",
        "One row a segment: a user message and its answer, or one utterance between people.",
        {
            "segment": "its id, seg_<session>_<position>",
            "session": "the session it belongs to",
            "position": "its place in the session, from 0",
            "namespace": "the namespace it lies in",
            "said_at": "when it was said, UTC",
            "state": "active, duplicate, merged or archived; only active ones are recalled",
            "stands_for": "the segment that a duplicate or merged one gave way to",
            "hits": "how often it was in the block of a recall, of which an answer may show less, or was said again (a duplicate gave way to it)",
            "last_hit": "when it was last recalled or said again, UTC",
            "pinned": "whether it may never be archived or merged away",
            "tags": "a list of tags",
            "quality": "0 to 1, judged when it was written",
            "asked": "whether it only asks, greets or thanks, and no answer says anything: history, not recalled by default",
            "speakers": "who says each of its lines, in order",
            "words": "how many words it has",
            "text": "its lines as `speaker: text`",
        },
        """SELECT g.id AS segment, g.session_id AS session, g.idx AS position, g.namespace, g.said_at, g.state, o.id AS stands_for,
       g.hits, g.last_hit, g.pinned, g.tags, g.quality,
       coalesce(contains(g.meta, '"asked": "yes"'), false) AS asked, l.speakers, l.words, l.text
FROM segments g
LEFT JOIN segments o ON o.number = g.stands_for AND g.stands_for > 0
LEFT JOIN (SELECT segment, list(speaker ORDER BY idx) AS speakers, sum(words)::BIGINT AS words,
                  string_agg(speaker || ': ' || text, chr(10) ORDER BY idx) AS text
           FROM lines GROUP BY segment) l ON l.segment = g.number""",
    ),
    Relation(
        "v_lines",
        "One row a line: one speaker's words inside a segment.",
        {
            "segment": "the segment it belongs to",
            "position": "its place in the segment, from 0",
            "namespace": "the namespace it lies in",
            "said_at": "when it was said, UTC; the segment's time where the line has none of its own",
            "speaker": "who said it",
            "person": "the same, but You for the person whose memory this is, under every name they have (v_owner_names)",
            "role": "user, assistant, person, system, tool, thinking or document",
            "text": "the words",
            "words": "how many",
            "asks": "whether it asks something",
        },
        f"""SELECT g.id AS segment, l.idx AS position, g.namespace, coalesce(l.said_at, g.said_at) AS said_at,
       l.speaker, {PERSON} AS person, l.role, l.text, l.words, l.asks
FROM lines l JOIN segments g ON g.number = l.segment {JOINED}""",
    ),
    Relation(
        "v_edges",
        "One row an edge between two segments, in the direction in which it can be walked: a chain is there twice, once each way.",
        {
            "source": "the segment it leads from; for a semantic edge the newer one",
            "target": "the segment it leads to",
            "kind": "chain, semantic, related_to, supports, contradicts, part_of, caused_by or extends_source",
            "weight": "0 to 1; for a semantic edge the cosine, as use has moved it since",
            "origin": "auto, user or model: who made it",
            "created_at": "when it was made, UTC",
            "namespace": "the namespace both ends lie in",
        },
        """SELECT a.id AS source, b.id AS target, e.kind, e.weight, e.origin, e.created_at, a.namespace
FROM edges e JOIN segments a ON a.number = e.source JOIN segments b ON b.number = e.target""",
    ),
    Relation(
        "v_links",
        "One row a link: an edge, and a chain once. Its rows are the links that the page, `pmg stats` and `pmg doctor` count.",
        {
            "source": "the segment it leads from; for a chain and a semantic link the newer one",
            "target": "the segment it leads to",
            "kind": "chain, semantic, related_to, supports, contradicts, part_of, caused_by or extends_source",
            "weight": "0 to 1; for a semantic link the cosine, as use has moved it since",
            "origin": "auto, user or model: who made it",
            "created_at": "when it was made, UTC",
            "namespace": "the namespace both ends lie in",
        },
        f"""SELECT a.id AS source, b.id AS target, e.kind, e.weight, e.origin, e.created_at, a.namespace
FROM edges e JOIN segments a ON a.number = e.source JOIN segments b ON b.number = e.target WHERE {IS_LINK}""",
    ),
    Relation(
        "v_claims",
        "One row a claim: what one speaker said about somebody or something. Made from the lines; made again when the extractor improves.",
        {
            "claim": "its number",
            "namespace": "the namespace it lies in",
            "segment": "the segment it was read from",
            "position": "the line of the segment, from 0",
            "start_at": "the clause: its first character in the line",
            "end_at": "one past its last character",
            "said_at": "when it was said, UTC",
            "speaker": "who said it; empty where nobody can tell",
            "subject": "whom or what it is about",
            "relation": "works_at, lives_in, likes … or the verb itself",
            "object": "the rest, or the state",
            "is_positive": "false for what is denied",
            "certainty": "0 to 1: how sure the speaker sounds",
            "modality": "stated, question, hypothetical, plan or quotation",
            "valid_from": "the day since when it holds, where the words say so; 0001-01-01 of a denial that takes back what was said by mistake",
            "valid_to": "the first day on which it holds no more, where the words say so",
            "quoted": "of a quotation: whose words they are",
            "source": "which extractor read it: grammar, or model: and its name",
            "ruling": "what a person decided about it: wrong, holds, ended or corrected; empty where nobody did",
            "corrected": "of a corrected one the object that a person wrote",
            "ended": "of an ended one the day that a person named",
        },
        """SELECT c.id AS claim, g.namespace, g.id AS segment, c.line AS position, c.start_at, c.end_at,
       coalesce(l.said_at, g.said_at) AS said_at, c.speaker, c.subject, c.relation, c.object, c.is_positive, c.certainty, c.modality,
       c.valid_from, c.valid_to, c.quoted, c.source, coalesce(r.ruling, '') AS ruling, coalesce(r.words, '') AS corrected, r.ended
FROM claims c JOIN segments g ON g.number = c.segment LEFT JOIN lines l ON l.segment = c.segment AND l.idx = c.line
    LEFT JOIN claim_rulings r ON (r.segment, r.line, r.start_at, r.relation, r.object) = (c.segment, c.line, c.start_at, c.relation, c.object)""",
    ),
    Relation(
        "v_entities",
        "One row a person, organisation, place, project, tool, pet or event inside one conversation.",
        {
            "entity": "its number",
            "namespace": "the namespace it lies in",
            "conversation": "the conversation; empty for the person whose memory this is",
            "kind": "person, organisation, place, project, tool, pet, event or thing",
            "name": "what it is called most, or the name it was given",
            "aliases": "every name it goes by",
            "mentions": "how often it is named",
        },
        """SELECT e.id AS entity, e.namespace, e.conversation, e.kind, coalesce(max(n.name), arg_max(m.name, m.times)) AS name,
       list(DISTINCT m.name) AS aliases, sum(m.times)::BIGINT AS mentions
FROM entities e
JOIN (SELECT entity, name, count(*) AS times FROM mentions GROUP BY ALL) m ON m.entity = e.id
LEFT JOIN entity_names n ON n.entity = e.id
GROUP BY e.id, e.namespace, e.conversation, e.kind""",
    ),
    Relation(
        "v_recalls",
        "One row a recall: what was asked and what came of it.",
        {
            "recall": "its number",
            "recalled_at": "when, UTC",
            "namespace": "the namespace it looked in",
            "query": "what was asked, without secrets",
            "mode": "diffuse or fixed",
            "milliseconds": "how long it took",
            "segments": "how many memories it showed",
            "best_score": "the highest score among them",
        },
        """SELECT r.id AS recall, r.recalled_at, r.namespace, r.query, r.mode, r.milliseconds,
       count(h.segment) AS segments, max(h.score) AS best_score
FROM recalls r LEFT JOIN recall_hits h ON h.recall = r.id
GROUP BY ALL""",
    ),
    Relation(
        "v_recall_hits",
        "One row a memory that a recall showed.",
        {
            "recall": "the recall's number",
            "recalled_at": "when, UTC",
            "namespace": "the namespace it looked in",
            "segment": "the memory",
            "role": "entry, lateral or vertical: how it was reached",
            "score": "its score in that recall",
        },
        """SELECT h.recall, r.recalled_at, r.namespace, g.id AS segment, h.role, h.score
FROM recall_hits h JOIN recalls r ON r.id = h.recall JOIN segments g ON g.number = h.segment""",
    ),
    Relation(
        "v_topics",
        "One row a topic, as the steward's last `links` run found them.",
        {
            "topic": "its number; it stays with a topic from run to run",
            "namespace": "the namespace it lies in",
            "name": "its name, made of its terms",
            "terms": "the words that set it apart",
            "segments": "how many segments belong to it",
        },
        """SELECT t.id AS topic, t.namespace, t.name, t.terms, count(m.segment) AS segments
FROM topics t LEFT JOIN topic_members m ON m.topic = t.id
GROUP BY ALL""",
    ),
    Relation(
        "v_topic_segments",
        "One row a segment of a topic.",
        {
            "topic": "the topic's number",
            "name": "its name",
            "namespace": "the namespace it lies in",
            "segment": "the segment",
            "said_at": "when that was said, UTC",
        },
        """SELECT t.id AS topic, t.name, t.namespace, g.id AS segment, g.said_at
FROM topic_members m JOIN topics t ON t.id = m.topic JOIN segments g ON g.number = m.segment""",
    ),
    Relation(
        "v_journal",
        "One row an entry of the steward's journal.",
        {
            "entry": "its number; `pmg steward undo NUMBER` takes it back",
            "run": "the run it belongs to",
            "written_at": "when, UTC",
            "actor": "schedule, user …",
            "action": "merge, archive, restore, score, weights …",
            "reason": "why",
            "undone_at": "when it was undone, UTC",
            "namespaces": "the namespaces whose segments it touched; empty for what concerns the whole store",
            "segments": "how many segments it touched",
        },
        """SELECT j.id AS entry, j.run, j.written_at, j.actor, j.action, j.reason, j.undone_at,
       list_sort(list_distinct(list(g.namespace) FILTER (g.namespace IS NOT NULL))) AS namespaces,
       count(g.number) AS segments
FROM journal j LEFT JOIN journal_touched t ON t.entry = j.id LEFT JOIN segments g ON g.number = t.segment
GROUP BY j.id, j.run, j.written_at, j.actor, j.action, j.reason, j.undone_at""",
    ),
    Relation(
        "v_reviews",
        "One row a pair that sounds alike and differs: for a person's eye.",
        {
            "review": "its number",
            "a": "the older segment",
            "b": "the newer segment",
            "namespace": "the namespace both lie in",
            "cosine": "how alike they sound",
            "kinds": "in what they differ",
            "state": "open, merged, kept or linked",
            "found_at": "when it was found, UTC",
        },
        """SELECT r.id AS review, a.id AS a, b.id AS b, a.namespace, r.cosine, r.kinds, r.state, r.found_at
FROM reviews r JOIN segments a ON a.number = r.a JOIN segments b ON b.number = r.b""",
    ),
)


def text() -> str:
    """All of it as SQL."""
    views = [f"CREATE OR REPLACE VIEW {view.name} AS\n{view.sql};" for view in VIEWS]
    macros = [f"CREATE OR REPLACE MACRO {macro.call} AS TABLE\n{macro.sql};" for macro in MACROS]
    return "\n\n".join([*views, *macros])
