"""Forms of the accounts pages."""

from typing import Any, cast

from allauth.account.adapter import get_adapter
from allauth.account.forms import AddEmailForm as AllauthAddEmailForm
from allauth.account.forms import LoginForm as AllauthLoginForm
from allauth.account.forms import ResetPasswordForm as AllauthResetPasswordForm
from allauth.account.forms import SignupForm as AllauthSignupForm
from allauth.account.utils import setup_user_email
from django import forms
from django.conf import settings
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from .models import User, known_zone
from .names import look_at, plain
from .renaming import known_as


class LoginForm(AllauthLoginForm):
    """Sign-in by either of two things, which the label names."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].label = _("User name or e-mail")

    def clean_login(self) -> str:
        """Whom a moderator has renamed may still sign in by the old name."""
        return known_as(self.cleaned_data["login"].strip())


class AddEmailForm(AllauthAddEmailForm):
    """One more address."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].label = _("E-mail")


class ResetPasswordForm(AllauthResetPasswordForm):
    """Where the letter goes."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].label = _("E-mail")


def zone_or_utc(name: str) -> str:
    """A zone that is not known here is no reason to refuse a person."""
    try:
        known_zone(name)
    except forms.ValidationError:
        return "UTC"
    return name


class SignupForm(AllauthSignupForm):
    """Sign-up; a small script fills in the browser's time zone, without it the zone is UTC."""

    time_zone = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput(attrs={"data-time-zone": ""}))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        name, email, again = (self.fields[name] for name in ("username", "email", "password2"))
        name.label, name.help_text = _("User name"), User._meta.get_field("username").help_text
        name.widget.attrs |= {"autocapitalize": "none", "spellcheck": "false"}
        email.label = _("E-mail, if you like")
        email.help_text = _("For a forgotten password. Nobody else sees it.")
        again.label = _("Password, once more")

    def clean_username(self) -> str:
        """Nobody else's name in another case or width, and none of signs that stand for whole words each."""
        name: str = super().clean_username()
        if len(plain(name)) > (User._meta.get_field("name_key").max_length or 0):
            raise forms.ValidationError(_("Use letters, digits and the signs _ - . only."))
        if User.objects.filter(name_key=plain(name)).exists():
            raise forms.ValidationError(_("Somebody has this name already. Choose another."), code="unique")
        return name

    def clean_time_zone(self) -> str:
        return zone_or_utc(self.cleaned_data["time_zone"])

    def save(self, request: HttpRequest) -> Any:
        """Keep the zone with the new user."""
        with transaction.atomic():
            user = cast(User, super().save(request))
            user.time_zone = self.cleaned_data["time_zone"]
            user.save(update_fields=["time_zone"])
            look_at(user)
        return user


class KeepForm(SignupForm):
    """The sign-up of somebody who plays as a guest already. The zone is known."""

    def __init__(self, guest: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["time_zone"]
        self.guest = guest

    def save(self, request: HttpRequest) -> User:
        """The same row with name, address and password. Its link to come back ends. Raises IntegrityError."""
        with transaction.atomic():
            user = User.objects.select_for_update().get(pk=self.guest.pk)
            if user.is_guest:  # else another page was quicker
                user.is_guest, user.back_key = False, ""
                get_adapter().save_user(request, user, self)
                setup_user_email(request, user, [])
                look_at(user)
        return user


class SettingsForm(forms.ModelForm):  # type: ignore[type-arg]
    """What a person likes the site to be."""

    class Meta:
        model = User
        fields = (
            "display_name", "language", "time_zone", "theme", "deck", "card_size", "hand_sort", "animation", "sound",
            "confirm_live", "confirm_correspondence", "next_by_itself", "memory",
        )  # fmt: skip
        widgets = {"time_zone": forms.TextInput(attrs={"list": "zones", "autocomplete": "off"})} | {
            name: forms.RadioSelect() for name in ("theme", "deck", "card_size", "hand_sort", "animation", "memory")
        }
        labels = {
            "sound": _("A soft sound when it is my turn"),
            "confirm_live": _("in live matches"),
            "confirm_correspondence": _("by correspondence"),
            "next_by_itself": _("Go to the next table that waits for me"),
            "memory": _("In matches that I open, the table tells of earlier turns"),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["language"].choices = [("", _("as my browser asks")), *settings.LANGUAGES]  # type: ignore[attr-defined]
        if self.instance.is_guest:
            self.fields["display_name"].help_text = _(
                "How others see you at the table. Empty: the name that the site gave you."
            )
        self.fields["memory"].help_text = _("All players of such a match see as much.")

    def save(self, commit: bool = True) -> User:
        """A new display name is looked at."""
        with transaction.atomic():
            user = cast(User, super().save(commit))
            if "display_name" in self.changed_data:
                look_at(user)
        return user


class CloseForm(forms.Form):
    """Closing an account asks for its password once more; guests, who have none, tick a box."""

    sure = forms.BooleanField(label=_("Yes, I want to leave for good"))
    password = forms.CharField(
        label=_("Your password"), widget=forms.PasswordInput(attrs={"autocomplete": "current-password"})
    )

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        del self.fields["password" if user.is_guest else "sure"]

    def clean_password(self) -> str:
        """The right one, or a sentence."""
        password: str = self.cleaned_data["password"]
        if not self.user.check_password(password):
            raise forms.ValidationError(_("This is not your password."))
        return password
