"""Signs for moderators: what the numbers of ended deals and matches say about one player or two. Nothing acts on them.

One pure function a kind (helping, sharing, trading, sandbagging, timing, abandoning): values in, Findings out. What
they read is gathered in sources.py, written once a day by computing.py, and told in words.py. No card is in a Finding,
no address, nothing of a running deal.
"""
