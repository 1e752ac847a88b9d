"""The rules of the rummy family: pure values and functions, standard library only.

No Django, no clock, no chance, no I/O in here. Source: docs/rules and RULES.md, cited by section.
"""
