"""Table macros over one namespace: what the charts, the report and the notebooks ask.

Knows: each question as SQL, with a namespace (`ns`) and where it makes sense a range of time (`since` up to but not including `until`;
NULL is open).

Days and months are those of the clock of whoever spoke (UTC plus the offset it was said in); the recall log and the journal have
no offset and are in UTC. Sums over whole columns and few joins: each answers in milliseconds at 100,000 segments.
"""

from __future__ import annotations

from pmg.store.duckdb.macros_growth import GRAPH, GROWTH, UPKEEP
from pmg.store.duckdb.macros_use import CONTENT, USE

MACROS = (*GROWTH, *USE, *CONTENT, *GRAPH, *UPKEEP)
