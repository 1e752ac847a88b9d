"""What a notice of each kind has to know for its words, beside who did it and in which deal."""

from typing import Any

NEEDED: dict[str, dict[str, Any]] = {"sanctioned": {"what": "imposed", "kind": "warning", "ground": "abuse"}}


def facts(kind: str, **more: Any) -> dict[str, Any]:
    """``about`` of a notice of this kind."""
    return NEEDED.get(kind, {}) | more
