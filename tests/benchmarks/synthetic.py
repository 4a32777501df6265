"""Small benchmark files of our own making, with every trap of the real ones in them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any


def utterance(dia: str, speaker: str, text: str, **more: str) -> dict[str, str]:
    return {"dia_id": dia, "speaker": speaker, "text": text, **more}


def locomo_rows() -> list[dict[str, Any]]:
    conversation = {
        "speaker_a": "Ada",
        "speaker_b": "Ben",
        "session_2_date_time": "9:05 am on 3 June, 2023",
        "session_2": [
            utterance("D2:1", "Ada", "The sourdough bread came out of the oven burnt."),
            utterance("D2:2", "Ben", "My guitar has a broken string before the concert."),
        ],
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            utterance("D1:1", "Ada", "My kitten saw the vet today."),
            utterance("D1:2", "Ben", "Look at this!", blip_caption="a photo of a red bicycle", img_url="x"),
            utterance("D1:3", "Ada", "I planted tomato seeds in the garden soil."),
        ],
        "session_3_date_time": "2:00 pm on 9 July, 2023",
    }
    qa = [
        {"question": "What did Ada's kitten do?", "answer": "a vet", "evidence": ["D1:1"], "category": 4},
        {
            "question": "What went wrong with bread and guitar?",
            "answer": "x",
            "evidence": ["D2:1; D2:02"],
            "category": 1,
        },
        {"question": "What did Ada plant in the garden?", "answer": "x", "evidence": ["D:1:3", "D7:9"], "category": 2},
        {"question": "Would Ada like Rome?", "answer": "x", "evidence": [], "category": 3},
        {"question": "What did Ben's kitten do?", "adversarial_answer": "x", "evidence": ["D1:1"], "category": 5},
        {"question": "Which bicycle does Ben show?", "answer": "red", "evidence": ["D1:1"], "category": 4},
    ]
    return [{"sample_id": "conv-1", "conversation": conversation, "qa": qa}]


def audit_rows() -> list[dict[str, Any]]:
    return [
        {"question_id": "locomo_0_qa5", "question": "Which bicycle does Ben show?", "correct_evidence": ["D1:2"]},
        {"question_id": "locomo_0_qa2", "question": "What did Ada plant in the garden?", "correct_evidence": []},
    ]


def message(role: str, content: str, gold: bool = False) -> dict[str, Any]:
    return {"role": role, "content": content} | ({"has_answer": True} if gold else {})


def longmemeval_rows() -> list[dict[str, Any]]:
    haystack = [
        [message("user", "Which flour for sourdough bread?"), message("assistant", "Strong flour, and patience.")],
        [
            message("assistant", "Welcome back to your study course."),
            message("user", "My guitar concert is on Friday", gold=True),
            message("assistant", "Then practise the song."),
            message("user", ""),
            message("user", "And the band needs a piano"),
        ],
        [message("user", "   ")],
    ]
    row = {
        "question_id": "q1",
        "question_type": "single-session-user",
        "question": "When is my guitar concert?",
        "question_date": "2023/05/30 (Tue) 23:40",
        "answer": "Friday",
        "answer_session_ids": ["answer_77"],
        "haystack_dates": ["2023/05/29 (Mon) 10:00", "2023/05/20 (Sat) 02:21", "2023/05/01 (Mon) 02:21"],
        "haystack_session_ids": ["ultrachat_1", "answer_77", "empty_1"],
        "haystack_sessions": haystack,
    }
    unanswerable = {**row, "question_id": "q2_abs", "answer_session_ids": ["answer_77_abs"]}
    lost = {**row, "question_id": "q3", "answer_session_ids": ["answer_99"]}
    second = {**row, "question_id": "q4", "question": "Which flour?", "answer_session_ids": ["ultrachat_1"]}
    return [row, unanswerable, lost, second]


def write(file: Path, rows: list[dict[str, Any]]) -> Path:
    data = json.dumps(rows).encode()
    file.write_bytes(gzip.compress(data) if file.suffix == ".gz" else data)
    return file
