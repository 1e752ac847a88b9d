"""What explains the games: the rules page of each preset, the glossary, strategy. Texts and facts, no rows.

A rules page is ``templates/games/learn/<preset>.html``; what it names comes from the preset itself (``pages.py``).
"""
