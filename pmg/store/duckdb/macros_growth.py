"""Macros on what grows and how it is kept: growth, bytes, links, upkeep. views.py says what is common to all of them."""

from __future__ import annotations

from pmg.store.duckdb.relation import IS_LINK, MONTHS, RANGE, SAID, Relation, within

GROWTH = (
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
    FROM (SELECT {SAID}::DATE AS day, g.session_id, count(*) AS n FROM segments g WHERE g.namespace = ns GROUP BY ALL) d
    JOIN sessions s ON s.id = d.session_id
    GROUP BY day, source)
WHERE {within("day")} ORDER BY day, source""",
        RANGE,
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
        f"""SELECT {SAID}::DATE AS day, l.role, count(*) AS lines, sum(l.words)::BIGINT AS words, sum(strlen(l.text))::BIGINT AS bytes
FROM lines l JOIN segments g ON g.number = l.segment
WHERE g.namespace = ns AND {within(SAID)} GROUP BY ALL ORDER BY day, role""",
        RANGE,
    ),
    Relation(
        "edge_growth",
        "How the graph grew: links by the month in which their newer end was said.",
        {
            "month": "the first day of the month",
            "kind": "the kind of link",
            "edges": "links of that month; a chain counts once, not once each way",
            "total": "links of that kind up to and including that month, also from before `since`",
        },
        f"""SELECT month, kind, edges, total FROM (
    SELECT month, kind, sum(n)::BIGINT AS edges, sum(sum(n)) OVER (PARTITION BY kind ORDER BY month)::BIGINT AS total
    FROM (SELECT g.month, e.kind, count(*) AS n FROM edges e JOIN {MONTHS} g ON g.number = e.source
          WHERE {IS_LINK} GROUP BY ALL)
    GROUP BY month, kind)
WHERE {within("month")} ORDER BY month, kind""",
        RANGE,
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
FROM (SELECT {SAID} AS local FROM segments g WHERE g.namespace = ns AND {within(SAID)}) GROUP BY ALL ORDER BY weekday, hour""",
        RANGE,
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
FROM (SELECT g.session_id, count(*) AS n, min({SAID}) AS first_said, max({SAID}) AS last_said
      FROM segments g WHERE g.namespace = ns AND {within(SAID)} GROUP BY g.session_id) d
JOIN sessions s ON s.id = d.session_id
GROUP BY s.source ORDER BY segments DESC, s.source""",
        RANGE,
    ),
    Relation(
        "bytes_by_kind",
        "What takes the room: the data itself, before the database packs it.",
        {
            "kind": "text, vectors, links, windows or recall log",
            "part": "the role for text, the kind for links, the model's generation for vectors and windows",
            "items": "lines, links, windows or recalls",
            "bytes": "UTF-8 bytes of text; 4 bytes a number of a vector; 36 bytes a link (a chain is stored both ways), 32 a window, 16 a hit",
        },
        f"""SELECT * FROM (
    SELECT 'text' AS kind, l.role AS part, count(*) AS items, sum(strlen(l.text))::BIGINT AS bytes
    FROM lines l JOIN segments g ON g.number = l.segment WHERE g.namespace = ns GROUP BY l.role
    UNION ALL
    SELECT unnest(['vectors', 'windows']), w.generation::VARCHAR, n, unnest([n * 4 * m.dimension, n * 32])
    FROM (SELECT w.generation, count(*) AS n FROM windows w JOIN segments g ON g.number = w.segment
          WHERE g.namespace = ns GROUP BY w.generation) w JOIN models m ON m.generation = w.generation
    UNION ALL
    SELECT 'links', e.kind, count(*) FILTER {IS_LINK}, count(*) * 36 FROM edges e JOIN segments g ON g.number = e.source
    WHERE g.namespace = ns GROUP BY e.kind
    UNION ALL
    SELECT 'recall log', r.mode, count(*), (sum(strlen(r.query)) + 16 * sum(coalesce(h.n, 0)))::BIGINT
    FROM recalls r LEFT JOIN (SELECT recall, count(*) AS n FROM recall_hits GROUP BY recall) h ON h.recall = r.id
    WHERE r.namespace = ns GROUP BY r.mode)
ORDER BY bytes DESC, kind, part""",
        "ns",
    ),
)

GRAPH = (
    Relation(
        "degrees",
        "How well linked memories are: how many have how many links of each sort.",
        {
            "sort": "chain, semantic or typed",
            "degree": "links of that sort that a segment has, whichever way they lead",
            "segments": "active segments with so many; beyond 500,000 in the store counted on every second, fourth … and multiplied",
        },
        # Counting both ends of sixteen million edges takes three seconds: a large memory is looked at in part. A chain is stored both ways,
        # so each end finds it among its own.
        """WITH every AS (SELECT greatest(1, count(*) // 250000)::BIGINT AS nth FROM segments),
mine AS (SELECT number FROM segments WHERE namespace = ns AND state = 'active' AND number % (SELECT nth FROM every) = 0),
ends AS (
    SELECT number, count(*) FILTER (kind = 'chain') AS chain, count(*) FILTER (kind = 'semantic') AS semantic,
           count(*) FILTER (kind NOT IN ('chain', 'semantic')) AS typed
    FROM (SELECT source AS number, kind FROM edges WHERE source % (SELECT nth FROM every) = 0
          UNION ALL
          SELECT target, kind FROM edges WHERE kind <> 'chain' AND target % (SELECT nth FROM every) = 0) GROUP BY number),
linked AS (
    SELECT coalesce(chain, 0) AS chain, coalesce(semantic, 0) AS semantic, coalesce(typed, 0) AS typed,
           count(*) * (SELECT nth FROM every) AS n
    FROM mine LEFT JOIN ends USING (number) GROUP BY ALL)
SELECT * FROM (
    SELECT 'chain' AS sort, chain AS degree, sum(n)::BIGINT AS segments FROM linked GROUP BY ALL
    UNION ALL SELECT 'semantic', semantic, sum(n)::BIGINT FROM linked GROUP BY ALL
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

UPKEEP = (
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
WHERE g.namespace = ns AND {within("j.written_at")} GROUP BY ALL ORDER BY day, action""",
        RANGE,
    ),
    Relation(
        "states",
        "What merging and archiving did: how much of each month is still in recall.",
        {
            "month": "the first day of the month in which it was said",
            "state": "active, duplicate, merged or archived",
            "segments": "segments of that month in that state",
        },
        f"""SELECT date_trunc('month', {SAID})::DATE AS month, g.state, count(*) AS segments
FROM segments g WHERE g.namespace = ns AND {within(SAID)} GROUP BY ALL ORDER BY month, state""",
        RANGE,
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
FROM (SELECT unnest(g.tags) AS tag FROM segments g WHERE g.namespace = ns AND {within(SAID)}) GROUP BY tag ORDER BY segments DESC, tag""",
        RANGE,
    ),
)
