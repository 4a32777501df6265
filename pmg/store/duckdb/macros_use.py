"""Macros on what a memory holds and how it is used: recalls, topics, people, quality. views.py says what is common to all of them."""

from __future__ import annotations

from pmg.store.duckdb.feeds import ASKED
from pmg.store.duckdb.relation import RANGE, SAID, Relation, within
from pmg.store.duckdb.speaking import JOINED, PERSON

USE = (
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
WHERE r.namespace = ns AND {within("r.recalled_at")} GROUP BY ALL ORDER BY day, mode""",
        RANGE,
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
FROM recalls r WHERE r.namespace = ns AND {within("r.recalled_at")} GROUP BY ALL ORDER BY milliseconds, mode""",
        RANGE,
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
WHERE r.namespace = ns AND {within("r.recalled_at")} GROUP BY h.role ORDER BY shown DESC, h.role""",
        RANGE,
    ),
    Relation(
        "recall_funnel",
        "From what is stored to what is used again and again, by `hits` of v_segments: what was said again counts as recalled; only segments said in the range are counted.",
        {
            "step": "1 to 5",
            "stage": "stored, in recall (active, and no mere question to this memory), recalled once, recalled three times, recalled ten times",
            "segments": "how many got that far",
        },
        f"""SELECT unnest([1, 2, 3, 4, 5]) AS step,
       unnest(['stored', 'in recall', 'recalled once', 'recalled 3 times', 'recalled 10 times']) AS stage,
       unnest([count(*), count(*) FILTER (is_in), count(*) FILTER (is_in AND hits >= 1), count(*) FILTER (is_in AND hits >= 3),
               count(*) FILTER (is_in AND hits >= 10)]) AS segments
FROM (SELECT g.hits, g.state = 'active' AND NOT {ASKED} AS is_in FROM segments g WHERE g.namespace = ns AND {within(SAID)})""",
        RANGE,
    ),
    Relation(
        "hit_counts",
        "How often memories are recalled or said again.",
        {
            "hits": "the lower end of a step: 0, 1, 2, 4, 8 …",
            "up_to": "the upper end of the step",
            "segments": "active segments in that step",
        },
        f"""SELECT step AS hits, CASE WHEN step < 2 THEN step ELSE 2 * step - 1 END AS up_to, count(*) AS segments
FROM (SELECT CASE WHEN g.hits < 1 THEN 0 ELSE (2 ** floor(log2(g.hits)))::BIGINT END AS step
      FROM segments g WHERE g.namespace = ns AND g.state = 'active' AND {within(SAID)}) GROUP BY ALL ORDER BY hits""",
        RANGE,
    ),
    Relation(
        "usefulness",
        "Of what was said in each month: how much was ever recalled or said again.",
        {
            "month": "the first day of the month in which it was said",
            "segments": "active segments of that month",
            "used": "those recalled or said again at least once",
            "hits": "how often, together",
        },
        f"""SELECT date_trunc('month', {SAID})::DATE AS month, count(*) AS segments, count(*) FILTER (g.hits > 0) AS used,
       sum(g.hits)::BIGINT AS hits
FROM segments g WHERE g.namespace = ns AND g.state = 'active' AND {within(SAID)} GROUP BY ALL ORDER BY month""",
        RANGE,
    ),
)

CONTENT = (
    Relation(
        "topic_months",
        "What the memory was about, month by month. Topics are those of the steward's last `links` run.",
        {
            "month": "the first day of the month",
            "topic": "the topic's number",
            "name": "its name",
            "segments": "its segments said in that month",
        },
        f"""SELECT date_trunc('month', {SAID})::DATE AS month, t.id AS topic, t.name, count(*) AS segments
FROM topic_members m JOIN topics t ON t.id = m.topic JOIN segments g ON g.number = m.segment
WHERE t.namespace = ns AND g.namespace = ns AND {within(SAID)} GROUP BY ALL ORDER BY month, topic""",
        RANGE,
    ),
    Relation(
        "people",
        "Who speaks in the memory.",
        {
            "speaker": "the name",
            "person": "the same, but You for the person whose memory this is, under every name they have",
            "role": "user, assistant, person, system, tool, thinking or document",
            "lines": "lines they said",
            "words": "words in them",
            "sessions": "sessions they speak in",
            "first_said": "their first line",
            "last_said": "their last line",
        },
        f"""SELECT speaker, person, role, sum(n)::BIGINT AS lines, sum(words)::BIGINT AS words, count(*) AS sessions,
       min(first_said) AS first_said, max(last_said) AS last_said
FROM (SELECT l.speaker, {PERSON} AS person, l.role, g.session_id, count(*) AS n, sum(l.words) AS words, min(g.said) AS first_said, max(g.said) AS last_said
      FROM lines l JOIN (SELECT g.number, g.namespace, g.session_id, {SAID} AS said FROM segments g
                         WHERE g.namespace = ns AND {within(SAID)}) g ON g.number = l.segment {JOINED}
      GROUP BY ALL)
GROUP BY speaker, person, role ORDER BY lines DESC, speaker, person, role""",
        RANGE,
    ),
    Relation(
        "people_months",
        "Who spoke how much, month by month.",
        {
            "month": "the first day of the month",
            "speaker": "the name",
            "person": "the same, but You for the person whose memory this is, under every name they have",
            "role": "user, assistant, person …",
            "lines": "lines said",
            "words": "words in them",
        },
        f"""SELECT date_trunc('month', {SAID})::DATE AS month, l.speaker, {PERSON} AS person, l.role, count(*) AS lines, sum(l.words)::BIGINT AS words
FROM lines l JOIN segments g ON g.number = l.segment {JOINED}
WHERE g.namespace = ns AND {within(SAID)} GROUP BY ALL ORDER BY month, lines DESC, speaker, person, role""",
        RANGE,
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
FROM segments g WHERE g.namespace = ns AND {within(SAID)} GROUP BY ALL ORDER BY quality, state""",
        RANGE,
    ),
    Relation(
        "quality_by_age",
        "Quality against age: how good what was said in each month is, and how much of it is used.",
        {
            "month": "the first day of the month in which it was said",
            "quality": "the lower end of a step of 0.1",
            "segments": "segments",
            "hits": "how often they were recalled or said again, together",
        },
        f"""SELECT date_trunc('month', {SAID})::DATE AS month, least(floor(g.quality * 10), 9)::INTEGER / 10::DOUBLE AS quality,
       count(*) AS segments, sum(g.hits)::BIGINT AS hits
FROM segments g WHERE g.namespace = ns AND {within(SAID)} GROUP BY ALL ORDER BY month, quality""",
        RANGE,
    ),
)
