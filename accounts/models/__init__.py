"""The rows of this app, one file a topic."""

from .audit import AuditEntry
from .chore import Chore
from .sanction import Appeal, Sanction
from .user import User, known_zone

__all__ = ["Appeal", "AuditEntry", "Chore", "Sanction", "User", "known_zone"]
