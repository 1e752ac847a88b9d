"""The rows of this app, one file a topic."""

from .audit import AuditEntry
from .chore import Chore
from .limit import LimitRow
from .sanction import Appeal, Sanction
from .user import User, known_zone
from .words import WordEntry

__all__ = ["Appeal", "AuditEntry", "Chore", "LimitRow", "Sanction", "User", "WordEntry", "known_zone"]
