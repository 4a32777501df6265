"""People, what was claimed about them by whom, and what changed. No language model is needed for any of it.

extract.py        a session's lines → claims; clauses.py, verbs.py, subjects.py, relations.py and moments.py are its grammar
model_extract.py  more of them from a language model, if one is asked: only what the lines bear out
question_form.py  a claim as a question and its answer
facts.py          which claims hold, since when, and what ended them
reconcile.py      who is who, from the four questions of tools.py
answer_check.py   an answer against its evidence
portable.py       what was decided, out of one memory and into another
"""
