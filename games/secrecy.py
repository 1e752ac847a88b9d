"""The list of secret columns. Admin, log filter and the leak test all read it here, so that none forgets one."""

SECRET_COLUMNS: dict[str, frozenset[str]] = {
    "match": frozenset({"chain", "token", "wake_at"}),
    "seat": frozenset({"cut"}),
    "deal": frozenset({"secret", "record"}),
    "pushsubscription": frozenset({"endpoint", "p256dh", "auth", "mark"}),
    "feed": frozenset({"key"}),
    "apitoken": frozenset({"key"}),
    "authenticator": frozenset({"data"}),
    "note": frozenset({"text", "deal", "turn", "changed_at"}),
    "draft": frozenset({"actions", "order", "deal", "turn", "number", "sort", "stamp"}),
    "standingorder": frozenset({"seat", "deal", "since", "asides", "order", "why", "who", "until", "given_at"}),
}
"""By model name: the columns that no list, log, export or mail may show while a deal runs."""
