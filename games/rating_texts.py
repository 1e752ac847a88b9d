"""The words for what is rated: families of games and kinds of pace."""

from django.utils.translation import gettext_lazy as _

from .preset_texts import Text

FAMILY_TEXTS: dict[str, Text] = {"rummy": _("Rummy"), "gin": _("Gin")}
KIND_TEXTS: dict[str, Text] = {"correspondence": _("by correspondence"), "live": _("live")}
