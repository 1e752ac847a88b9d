"""The rows of this app, one file a topic."""

from .audit import AuditEntry
from .chore import Chore
from .limit import LimitRow
from .link import AccountLink
from .sanction import Appeal, Sanction
from .user import User, known_zone
from .words import WordEntry

__all__ = ["AccountLink", "Appeal", "AuditEntry", "Chore", "LimitRow", "Sanction", "User", "WordEntry", "known_zone"]
