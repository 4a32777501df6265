"""People, what was claimed about them by whom, and what changed. No language model is needed for any of it.

extract.py      a session's lines → claims; clauses.py, verbs.py, subjects.py, relations.py and moments.py are its grammar
question_form.py  a claim as a question and its answer
"""
