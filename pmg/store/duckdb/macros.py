"""Table macros over one namespace: what the charts, the report and the notebooks ask.

Knows: each question as SQL, with a wall (`ns`) and where it makes sense a range of time (`since` up to but not including `until`;
NULL is open). Does not know: what is drawn.

Days and months are those of the clock of whoever spoke (UTC plus the offset it was said in); the recall log and the journal have
no offset and are in UTC. Sums over whole columns and few joins: each answers in milliseconds at 100,000 segments.
"""

from __future__ import annotations

from pmg.store.duckdb.relation import Relation

_RANGE = "ns, since := NULL, until := NULL"
_SAID = "(g.said_at + to_seconds(g.said_offset))"
# The month is reckoned before a join with edges: there are many more of those.
_MONTHS = f"(SELECT g.number, date_trunc('month', {_SAID})::DATE AS month FROM segments g WHERE g.namespace = ns)"


def _within(column: str) -> str:
    return f"(since IS NULL OR {column} >= since::TIMESTAMP) AND (until IS NULL OR {column} < until::TIMESTAMP)"


_GROWTH = (
    Relation(
        "growth",
        "How the memory grew, day by day and source by source.",
        {
            "day": "the day on which it was said",
            "source": "where the sessions came from",
            "sessions": "sessions that had a segment on that day",
            "segments": "segments said on that day",
            "total": "segments of that source up to and including that day, also from before `since`",
        },
        f"""SELECT day, source, sessions, segments, total FROM (
    SELECT day, source, count(*) AS sessions, sum(n)::BIGINT AS segments,
           sum(sum(n)) OVER (PARTITION BY source ORDER BY day)::BIGINT AS total
    FROM (SELECT {_SAID}::DATE AS day, g.session_id, count(*) AS n FROM segments g WHERE g.namespace = ns GROUP BY ALL) d
    JOIN sessions s ON s.id = d.session_id
    GROUP BY day, source)
WHERE {_within("day")} ORDER BY day, source""",
        _RANGE,
    ),
    Relation(
        "volume",
        "How much was said, day by day and role by role.",
        {
            "day": "the day on which it was said",
            "role": "user, assistant, person, system, tool, thinking or document",
            "lines": "lines said",
            "words": "words in them",
            "bytes": "bytes of text (UTF-8)",
        },
        f"""SELECT {_SAID}::DATE AS day, l.role, count(*) AS lines, sum(l.words)::BIGINT AS words, sum(strlen(l.text))::BIGINT AS bytes
FROM lines l JOIN segments g ON g.number = l.segment
WHERE g.namespace = ns AND {_within(_SAID)} GROUP BY ALL ORDER BY day, role""",
        _RANGE,
    ),
    Relation(
        "edge_growth",
        "How the graph grew: edges by the month in which their newer end was said.",
        {
            "month": "the first day of the month",
            "kind": "the kind of edge",
            "edges": "edges of that month; a chain link counts once, not once each way",
            "total": "edges of that kind up to and including that month, also from before `since`",
        },
        f"""SELECT month, kind, edges, total FROM (
    SELECT month, kind, sum(n)::BIGINT AS edges, sum(sum(n)) OVER (PARTITION BY kind ORDER BY month)::BIGINT AS total
    FROM (SELECT g.month, e.kind, count(*) AS n FROM edges e JOIN {_MONTHS} g ON g.number = e.source
          WHERE e.kind <> 'chain' OR e.source > e.target GROUP BY ALL)
    GROUP BY month, kind)
WHERE {_within("month")} ORDER BY month, kind""",
        _RANGE,
    ),
    Relation(
        "activity",
        "When things are said: by day of the week and hour.",
        {
            "weekday": "1 is Monday, 7 is Sunday",
            "hour": "0 to 23, on the clock of whoever spoke",
            "segments": "segments said then",
        },
        f"""SELECT isodow(local)::INTEGER AS weekday, hour(local)::INTEGER AS hour, count(*) AS segments
FROM (SELECT {_SAID} AS local FROM segments g WHERE g.namespace = ns AND {_within(_SAID)}) GROUP BY ALL ORDER BY weekday, hour""",
        _RANGE,
    ),
    Relation(
        "sources",
        "Where the memory comes from.",
        {
            "source": "chat, api, chatgpt, claude, document …",
            "sessions": "sessions with at least one segment",
            "segments": "segments",
            "first_said": "the first of them",
            "last_said": "the last of them",
        },
        f"""SELECT s.source, count(*) AS sessions, sum(n)::BIGINT AS segments, min(first_said) AS first_said, max(last_said) AS last_said
FROM (SELECT g.session_id, count(*) AS n, min({_SAID}) AS first_said, max({_SAID}) AS last_said
      FROM segments g WHERE g.namespace = ns AND {_within(_SAID)} GROUP BY g.session_id) d
JOIN sessions s ON s.id = d.session_id
GROUP BY s.source ORDER BY segments DESC, s.source""",
        _RANGE,
    ),
    Relation(
        "bytes_by_kind",
        "What takes the room: the data itself, before the database packs it.",
        {
            "kind": "text, vectors, links, windows or recall log",
            "part": "the role for text, the kind for links, the model's generation for vectors and windows",
            "items": "lines, edges, windows or recalls",
            "bytes": "UTF-8 bytes of text; 4 bytes a number of a vector; 36 bytes a link, 32 a window, 16 a hit",
        },
        """SELECT * FROM (
    SELECT 'text' AS kind, l.role AS part, count(*) AS items, sum(strlen(l.text))::BIGINT AS bytes
    FROM lines l JOIN segments g ON g.number = l.segment WHERE g.namespace = ns GROUP BY l.role
    UNION ALL
    SELECT unnest(['vectors', 'windows']), w.generation::VARCHAR, n, unnest([n * 4 * m.dimension, n * 32])
    FROM (SELECT w.generation, count(*) AS n FROM windows w JOIN segments g ON g.number = w.segment
          WHERE g.namespace = ns GROUP BY w.generation) w JOIN models m ON m.generation = w.generation
    UNION ALL
    SELECT 'links', e.kind, count(*), count(*) * 36 FROM edges e JOIN segments g ON g.number = e.source
    WHERE g.namespace = ns GROUP BY e.kind
    UNION ALL
    SELECT 'recall log', r.mode, count(*), (sum(strlen(r.query)) + 16 * sum(coalesce(h.n, 0)))::BIGINT
    FROM recalls r LEFT JOIN (SELECT recall, count(*) AS n FROM recall_hits GROUP BY recall) h ON h.recall = r.id
    WHERE r.namespace = ns GROUP BY r.mode)
ORDER BY bytes DESC, kind, part""",
        "ns",
    ),
)

_CONTENT = (
    Relation(
        "topic_months",
        "What the memory was about, month by month. Topics are those of the steward's last `links` run.",
        {
            "month": "the first day of the month",
            "topic": "the topic's number",
            "name": "its name",
            "segments": "its segments said in that month",
        },
        f"""SELECT date_trunc('month', {_SAID})::DATE AS month, t.id AS topic, t.name, count(*) AS segments
FROM topic_members m JOIN topics t ON t.id = m.topic JOIN segments g ON g.number = m.segment
WHERE t.namespace = ns AND g.namespace = ns AND {_within(_SAID)} GROUP BY ALL ORDER BY month, topic""",
        _RANGE,
    ),
    Relation(
        "people",
        "Who speaks in the memory.",
        {
            "speaker": "the name",
            "role": "user, assistant, person, system, tool, thinking or document",
            "lines": "lines they said",
            "words": "words in them",
            "sessions": "sessions they speak in",
            "first_said": "their first line",
            "last_said": "their last line",
        },
        f"""SELECT speaker, role, sum(n)::BIGINT AS lines, sum(words)::BIGINT AS words, count(*) AS sessions,
       min(first_said) AS first_said, max(last_said) AS last_said
FROM (SELECT l.speaker, l.role, g.session_id, count(*) AS n, sum(l.words) AS words, min(g.said) AS first_said, max(g.said) AS last_said
      FROM lines l JOIN (SELECT g.number, g.session_id, {_SAID} AS said FROM segments g
                         WHERE g.namespace = ns AND {_within(_SAID)}) g ON g.number = l.segment
      GROUP BY ALL)
GROUP BY speaker, role ORDER BY lines DESC, speaker, role""",
        _RANGE,
    ),
    Relation(
        "people_months",
        "Who spoke how much, month by month.",
        {
            "month": "the first day of the month",
            "speaker": "the name",
            "role": "user, assistant, person …",
            "lines": "lines said",
            "words": "words in them",
        },
        f"""SELECT date_trunc('month', {_SAID})::DATE AS month, l.speaker, l.role, count(*) AS lines, sum(l.words)::BIGINT AS words
FROM lines l JOIN segments g ON g.number = l.segment
WHERE g.namespace = ns AND {_within(_SAID)} GROUP BY ALL ORDER BY month, lines DESC, speaker, role""",
        _RANGE,
    ),
    Relation(
        "quality_spread",
        "How the quality judged at write time is spread.",
        {
            "quality": "the lower end of a step of 0.05",
            "state": "active, duplicate, merged or archived",
            "segments": "segments in that step and state",
        },
        f"""SELECT least(floor(g.quality * 20), 19)::INTEGER / 20::DOUBLE AS quality, g.state, count(*) AS segments
FROM segments g WHERE g.namespace = ns AND {_within(_SAID)} GROUP BY ALL ORDER BY quality, state""",
        _RANGE,
    ),
    Relation(
        "quality_by_age",
        "Quality against age: how good what was said in each month is, and how much of it is used.",
        {
            "month": "the first day of the month in which it was said",
            "quality": "the lower end of a step of 0.1",
            "segments": "segments",
            "hits": "how often they were recalled, together",
        },
        f"""SELECT date_trunc('month', {_SAID})::DATE AS month, least(floor(g.quality * 10), 9)::INTEGER / 10::DOUBLE AS quality,
       count(*) AS segments, sum(g.hits)::BIGINT AS hits
FROM segments g WHERE g.namespace = ns AND {_within(_SAID)} GROUP BY ALL ORDER BY month, quality""",
        _RANGE,
    ),
)

_USE = (
    Relation(
        "recall_days",
        "Recalls day by day: how many, how useful, how fast.",
        {
            "day": "the day (UTC)",
            "mode": "diffuse or fixed",
            "recalls": "recalls",
            "empty": "recalls that found nothing to show",
            "shown": "memories they showed, together",
            "p50_ms": "half were at least this fast, in milliseconds",
            "p95_ms": "nineteen of twenty were at least this fast",
        },
        f"""SELECT r.recalled_at::DATE AS day, r.mode, count(*) AS recalls, count(*) FILTER (h.n IS NULL) AS empty,
       coalesce(sum(h.n), 0)::BIGINT AS shown, quantile_cont(r.milliseconds, 0.5) AS p50_ms,
       quantile_cont(r.milliseconds, 0.95) AS p95_ms
FROM recalls r LEFT JOIN (SELECT recall, count(*) AS n FROM recall_hits GROUP BY recall) h ON h.recall = r.id
WHERE r.namespace = ns AND {_within("r.recalled_at")} GROUP BY ALL ORDER BY day, mode""",
        _RANGE,
    ),
    Relation(
        "recall_latency",
        "How long recalls take.",
        {
            "milliseconds": "the lower end of a step; steps grow by a quarter of a doubling",
            "mode": "diffuse or fixed",
            "recalls": "recalls in that step",
        },
        f"""SELECT 2 ** (floor(4 * log2(greatest(r.milliseconds, 0.125))) / 4) AS milliseconds, r.mode, count(*) AS recalls
FROM recalls r WHERE r.namespace = ns AND {_within("r.recalled_at")} GROUP BY ALL ORDER BY milliseconds, mode""",
        _RANGE,
    ),
    Relation(
        "recall_roles",
        "How recalled memories were reached.",
        {
            "role": "entry (found by the search), lateral (over an edge) or vertical (a neighbour in its session)",
            "shown": "how often a memory was shown in that role",
            "segments": "how many different memories",
            "mean_score": "their mean score",
        },
        f"""SELECT h.role, count(*) AS shown, count(DISTINCT h.segment) AS segments, avg(h.score) AS mean_score
FROM recall_hits h JOIN recalls r ON r.id = h.recall
WHERE r.namespace = ns AND {_within("r.recalled_at")} GROUP BY h.role ORDER BY shown DESC, h.role""",
        _RANGE,
    ),
    Relation(
        "recall_funnel",
        "From what is stored to what is used again and again; only segments said in the range are counted.",
        {
            "step": "1 to 5",
            "stage": "stored, in recall (active), recalled once, recalled three times, recalled ten times",
            "segments": "how many got that far",
        },
        f"""SELECT unnest([1, 2, 3, 4, 5]) AS step,
       unnest(['stored', 'in recall', 'recalled once', 'recalled 3 times', 'recalled 10 times']) AS stage,
       unnest([count(*), count(*) FILTER (g.state = 'active'), count(*) FILTER (g.state = 'active' AND g.hits >= 1),
               count(*) FILTER (g.state = 'active' AND g.hits >= 3), count(*) FILTER (g.state = 'active' AND g.hits >= 10)]) AS segments
FROM segments g WHERE g.namespace = ns AND {_within(_SAID)}""",
        _RANGE,
    ),
    Relation(
        "hit_counts",
        "How often memories are recalled.",
        {
            "hits": "the lower end of a step: 0, 1, 2, 4, 8 …",
            "up_to": "the upper end of the step",
            "segments": "active segments in that step",
        },
        f"""SELECT step AS hits, CASE WHEN step < 2 THEN step ELSE 2 * step - 1 END AS up_to, count(*) AS segments
FROM (SELECT CASE WHEN g.hits < 1 THEN 0 ELSE (2 ** floor(log2(g.hits)))::BIGINT END AS step
      FROM segments g WHERE g.namespace = ns AND g.state = 'active' AND {_within(_SAID)}) GROUP BY ALL ORDER BY hits""",
        _RANGE,
    ),
    Relation(
        "usefulness",
        "Of what was said in each month: how much was ever recalled.",
        {
            "month": "the first day of the month in which it was said",
            "segments": "active segments of that month",
            "used": "those recalled at least once",
            "hits": "how often, together",
        },
        f"""SELECT date_trunc('month', {_SAID})::DATE AS month, count(*) AS segments, count(*) FILTER (g.hits > 0) AS used,
       sum(g.hits)::BIGINT AS hits
FROM segments g WHERE g.namespace = ns AND g.state = 'active' AND {_within(_SAID)} GROUP BY ALL ORDER BY month""",
        _RANGE,
    ),
)

_GRAPH = (
    Relation(
        "degrees",
        "How well linked memories are: how many have how many links of each sort.",
        {
            "sort": "semantic or typed",
            "degree": "links that lead away from or to a segment",
            "segments": "active segments with so many; 0 are those without any",
        },
        """WITH mine AS (SELECT number FROM segments WHERE namespace = ns AND state = 'active'),
ends AS (
    SELECT number, count(*) FILTER (kind = 'semantic') AS semantic, count(*) FILTER (kind <> 'semantic') AS typed
    FROM (SELECT source AS number, kind FROM edges WHERE kind <> 'chain'
          UNION ALL SELECT target, kind FROM edges WHERE kind <> 'chain') GROUP BY number),
linked AS (
    SELECT coalesce(semantic, 0) AS semantic, coalesce(typed, 0) AS typed, count(*) AS n
    FROM mine LEFT JOIN ends USING (number) GROUP BY ALL)
SELECT * FROM (
    SELECT 'semantic' AS sort, semantic AS degree, sum(n)::BIGINT AS segments FROM linked GROUP BY ALL
    UNION ALL SELECT 'typed', typed, sum(n)::BIGINT FROM linked GROUP BY ALL)
ORDER BY sort, degree""",
        "ns",
    ),
    Relation(
        "link_weights",
        "How strong the links are.",
        {
            "kind": "semantic, related_to, supports …",
            "weight": "to the nearest 0.02; for semantic edges the cosine",
            "edges": "edges in that step",
        },
        # Rounded by a cast: floor() would take three times as long as all the rest.
        """SELECT e.kind, e.step / 50::DOUBLE AS weight, count(*) AS edges
FROM (SELECT source, kind, (weight * 50)::UTINYINT AS step FROM edges WHERE kind <> 'chain') e
JOIN (SELECT number FROM segments WHERE namespace = ns) g ON g.number = e.source
GROUP BY e.kind, e.step ORDER BY e.kind, weight""",
        "ns",
    ),
)

_UPKEEP = (
    Relation(
        "upkeep",
        "What the steward and the person did to memories: merges, archiving, restoring, pins, links.",
        {
            "day": "the day (UTC)",
            "action": "merge, archive, restore, pin …",
            "changes": "entries in the journal",
            "segments": "segments of this namespace they touched",
            "undone": "entries that were undone since",
        },
        f"""SELECT j.written_at::DATE AS day, j.action, count(DISTINCT j.id) AS changes, count(*) AS segments,
       count(DISTINCT j.id) FILTER (j.undone_at IS NOT NULL) AS undone
FROM journal j JOIN journal_touched t ON t.entry = j.id JOIN segments g ON g.number = t.segment
WHERE g.namespace = ns AND {_within("j.written_at")} GROUP BY ALL ORDER BY day, action""",
        _RANGE,
    ),
    Relation(
        "states",
        "What merging and archiving did: how much of each month is still in recall.",
        {
            "month": "the first day of the month in which it was said",
            "state": "active, duplicate, merged or archived",
            "segments": "segments of that month in that state",
        },
        f"""SELECT date_trunc('month', {_SAID})::DATE AS month, g.state, count(*) AS segments
FROM segments g WHERE g.namespace = ns AND {_within(_SAID)} GROUP BY ALL ORDER BY month, state""",
        _RANGE,
    ),
    Relation(
        "half_lives",
        "How memories fade: the stored score by the time since a memory was last active, beside what the half-life alone would leave.",
        {
            "quality": "low (under 1/3), middling or high (over 2/3): quality lengthens the half-life",
            "idle_weeks": "weeks since it was said or last recalled, counted from the newest of either",
            "segments": "active segments with a score",
            "score": "their mean score, from the steward's last `score` run",
            "expected": "0.5 ^ (idle days / half-life) at the middle of that quality",
        },
        """SELECT CASE level WHEN 0 THEN 'low' WHEN 1 THEN 'middling' ELSE 'high' END AS quality, idle_weeks, count(*) AS segments,
       avg(score) AS score, 0.5 ** (7 * idle_weeks / (days * 4 ** ((level + 0.5) / 3 - 0.5))) AS expected
FROM (SELECT least(floor(g.quality * 3), 2)::INTEGER AS level, g.quality,
             date_diff('week', greatest(g.said_at, g.last_hit), max(greatest(g.said_at, g.last_hit)) OVER ()) AS idle_weeks, s.score
      FROM segments g JOIN scores s ON s.segment = g.number WHERE g.namespace = ns AND g.state = 'active')
GROUP BY level, idle_weeks ORDER BY level, idle_weeks""",
        "ns, days := 60.0",
    ),
    Relation(
        "tag_counts",
        "Which tags there are.",
        {"tag": "the tag", "segments": "segments that have it"},
        f"""SELECT tag, count(*) AS segments
FROM (SELECT unnest(g.tags) AS tag FROM segments g WHERE g.namespace = ns AND {_within(_SAID)}) GROUP BY tag ORDER BY segments DESC, tag""",
        _RANGE,
    ),
)

MACROS = (*_GROWTH, *_USE, *_CONTENT, *_GRAPH, *_UPKEEP)
