"""What our libraries say to people, named once more so that our catalogues translate it.

Our catalogues win over theirs: the voice is one, and no page is half English where a library lacks a language.
"""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

TEXTS = (
    _("The username and/or password you specified are not correct."),
    _("Forgot your password?"),
    _("You must type the same password each time."),
    _("Too many failed login attempts. Try again later."),
    _("A user is already registered with this email address."),
    _("Please type your current password."),
    _("Incorrect password."),
    _("The password is too similar to the %(verbose_name)s."),
    _("Your password can’t be too similar to your other personal information."),
    _("This password is too common."),
    _("Your password can’t be a commonly used password."),
    _("You have signed out."),
    _("Password successfully changed."),
)
ADMINISTRATION = (
    _("Skip to main content"),
    _("Breadcrumbs"),
    _("Toggle theme (current theme: auto)"),
    _("Toggle theme (current theme: light)"),
    _("Toggle theme (current theme: dark)"),
    _("Select %s to view"),
    _("Select %s to change"),
    _("Add %s"),
    _("Change %s"),
    _("View %s"),
    _("Search %(name)s"),
    _("Filter by %(field_name)s"),
    _("Show counts"),
    _("Hide counts"),
    _("Not empty"),
    _("Pagination %(name)s"),
    _("Error:"),
    _("The {name} “{obj}” was added successfully."),
    _("The {name} “{obj}” was added successfully. You may add another {name} below."),
    _("The {name} “{obj}” was changed successfully."),
    _("The {name} “{obj}” was changed successfully. You may edit it again below."),
    _("The {name} “{obj}” was changed successfully. You may add another {name} below."),
    _("%(name)s with ID “%(key)s” doesn’t exist. Perhaps it was deleted?"),
    _("This object doesn’t have a change history. It probably wasn’t added via this admin site."),
)
COUNTED = (
    ngettext_lazy(
        "This password is too short. It must contain at least %d character.",
        "This password is too short. It must contain at least %d characters.",
    ),
    ngettext_lazy(
        "Your password must contain at least %(min_length)d character.",
        "Your password must contain at least %(min_length)d characters.",
        "min_length",
    ),
)
