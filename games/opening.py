"""The form of a new match: which game, with whom, how fast, and the house rules of the preset.

Fields are named ``rule_<option>`` and ``seat_<index>``. What is left out of a submission is as the preset has it, so
a short form opens a usual match. What the rules refuse becomes a sentence at its field.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from django import forms
from django.utils.functional import cached_property
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from . import lobby, together
from .bots import LEVELS
from .lengths import Estimate, estimate
from .models import Match
from .moderation import words
from .opening_terms import KNOWN, TermsForm
from .paces import DAY, HOUR, PACES, Pace
from .preset_texts import GROUPS, OPTION_TEXTS, Text, why_not
from .rule_fields import Rule, RuleField, Way, shown
from .rules.catalog import Preset
from .rules.errors import BadOption
from .seats import Refusal
from .standing import MOST

WHO = (
    ("lobby", _("Whoever likes to join")),
    ("link", _("Friends, by a link")),
)
TAKERS = (("open", _("person")), ("named", _("by name")), ("easy", _("bot")))
STANDING = (("0", _("no")), *((str(n), str(n)) for n in range(1, MOST + 1)))
"""How many matches of an offer may run at once; no: the offer ends when the match starts."""
TOO_LONG = {"max_length": _("There is no player of this name.")}
USUAL_PACE = "1d"
KINDS: tuple[tuple[str, Text, Text], ...] = (
    ("correspondence", _("By correspondence"), _("time for a turn")),
    ("live", _("Live"), _("all sit at the table, time for a turn")),
    ("none", _("No clock"), _("only with bots")),
)


@dataclass(frozen=True, slots=True)
class Taking:
    """A seat of the form: who may take it, and the name of whom it is kept for."""

    number: int
    name: str
    takers: list[Way]
    asked_field: str
    asked: str
    errors: list[str]


class Opening(TermsForm):
    """Everything about a new match of ``preset``. ``save`` opens it."""

    title = forms.CharField(max_length=40, required=False)
    who = forms.ChoiceField(choices=WHO, initial="lobby", required=False)
    pace = forms.ChoiceField(
        choices=[(name, pace.label) for name, pace in PACES.items()],
        initial=USUAL_PACE,
        error_messages={"invalid_choice": _("Choose one of the paces shown."), "required": _("Choose a pace.")},
    )
    standing = forms.TypedChoiceField(
        choices=STANDING,
        coerce=int,
        initial="0",
        empty_value=None,
        required=False,
        error_messages=KNOWN,
    )
    at_once = forms.TypedChoiceField(
        choices=[(str(n), str(n)) for n in range(1, together.MOST + 1)],
        coerce=int,
        initial="1",
        empty_value=None,
        required=False,
        error_messages={"invalid_choice": _("Choose one of the values shown.")},
    )
    rated = forms.TypedChoiceField(
        choices=(("0", _("no")), ("1", _("yes"))),
        coerce=lambda value: value == "1",
        initial="0",
        empty_value=None,
        required=False,
        error_messages=KNOWN,
    )
    cut = forms.CharField(required=False, max_length=64)
    cut_typed = forms.CharField(
        required=False,
        max_length=200,
        error_messages={"max_length": _("A cut has at most %(limit_value)d characters.")},
    )

    def __init__(self, preset: Preset, data: Any = None, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, initial=dict(initial or {}))
        self.preset, self.rules_open = preset, False
        counts = sorted(preset.hand_sizes)
        said = {"invalid_choice": why_not(BadOption("players", "seats", counts[0], counts[-1]))}
        self.fields["seats"] = forms.TypedChoiceField(
            choices=[(n, str(n)) for n in counts], coerce=int, initial=preset.seats, empty_value=None,
            required=False, error_messages=said,
        )  # fmt: skip
        for index in range(1, counts[-1]):
            self.fields[f"seat_{index}"] = forms.ChoiceField(choices=TAKERS, initial="open", required=False)
            self.fields[f"name_{index}"] = forms.CharField(max_length=40, required=False, error_messages=TOO_LONG)
        usual = preset.options()
        for offer in preset.offers:
            # The usual hand depends on the number of seats, so it is left to the preset.
            value = None if offer.name == "hand_size" else getattr(usual, offer.name)
            self.fields[f"rule_{offer.name}"] = RuleField(offer, value, fixed=offer.name != "hand_size")

    def clean_title(self) -> str:
        """One line of plain text: what a match is called stands in lists, mails and calendars."""
        line = " ".join(str(self.cleaned_data["title"]).split())
        title = " ".join("".join(sign for sign in line if sign.isprintable()).split())
        try:
            return words.must_be_wanted(title, words.TITLES)
        except Refusal as why:
            raise forms.ValidationError(str(why)) from None

    def clean(self) -> dict[str, Any]:
        told = super().clean() or {}
        if "seats" in told:
            try:
                self.preset.options(told["seats"], self.chosen())
            except BadOption as bad:
                field = f"rule_{bad.option}"
                self.add_error(field if field in self.fields else None, why_not(bad))
        if PACES.get(told.get("pace", "")) == PACES["none"] and any(who not in LEVELS for who in self.others()):
            self.add_error("pace", gettext("Without a clock all other seats are for bots."))
        self.check_bank(PACES.get(told.get("pace", "")))
        if told.get("standing") and (told.get("who") == "link" or not lobby.may_stay_open(self.others())):
            self.add_error("standing", gettext("An offer that stays open is for whoever likes to join."))
        if (told.get("at_once") or 1) > 1 and not together.only_named(self.others()):
            self.add_error("at_once", gettext("Several matches at once are for players whom you name."))
        if told.get("rated") and not lobby.may_be_rated(self.others(), told.get("pace") or USUAL_PACE):
            self.add_error("rated", lobby.only_rated())
        return told

    def chosen(self) -> dict[str, Any]:
        """The options that were chosen and can be read, by name."""
        told = {name.removeprefix("rule_"): v for name, v in self.cleaned_data.items() if name.startswith("rule_")}
        if told.get("hand_size", 0) is None:
            del told["hand_size"]
        return told

    def others(self) -> list[str]:
        """Who takes each of the other seats."""
        seats = self.cleaned_data.get("seats") or self.preset.seats
        return [self._other(index) for index in range(1, seats)]

    def _other(self, index: int) -> str:
        who = self.cleaned_data.get(f"seat_{index}") or "open"
        return f"@{self.cleaned_data.get(f'name_{index}', '')}" if who == "named" else who

    def estimate(self) -> Estimate | None:
        """What the match will take, as far as the form can be read; the rest is taken as usual."""
        told, usual = dict[str, Any](self.initial), self.preset
        if self.is_bound:
            self.is_valid()
            told |= self.cleaned_data
            others = self.others()
        else:
            others = ["open"] * (usual.seats - 1)
        seats = len(others) + 1
        try:
            options = usual.options(seats, self.chosen() if self.is_bound else None)
        except BadOption:
            options = usual.options(seats)
        pace = told.get("pace") if told.get("pace") in PACES else USUAL_PACE
        return estimate(usual.name, options, str(pace), 1 + sum(who not in LEVELS for who in others))

    def save(self, user: Any, made: Sequence[str] = ()) -> Match:
        """Open the match, or the first of several. ``made``: the browser's cuts. Raises lobby.Refusal."""
        told = self.cleaned_data
        open_one = partial(
            lobby.open_match,
            user,
            self.preset.name,
            seats=self.others(),
            pace=told["pace"],
            chosen=self.chosen(),
            title=told["title"],
            private=told["who"] == "link",
            memory=user.memory,
            limited=True,
            standing=told["standing"] or 0,
            terms=self.terms(),
            rated=bool(told["rated"]),
        )
        cuts = together.cuts_from(made or [told["cut"]], told["cut_typed"], told["at_once"] or 1)
        return together.open_all(cuts, open_one)

    @cached_property
    def rules(self) -> list[tuple[Text, list[Rule]]]:
        """The house rules under their headings."""
        offered = {offer.name for offer in self.preset.offers}
        groups = [(heading, [self._rule(n) for n in names if n in offered]) for heading, names in GROUPS]
        return [(heading, rules) for heading, rules in groups if rules]

    def _rule(self, name: str) -> Rule:
        bound = self[f"rule_{name}"]
        field: Any = bound.field
        return shown(bound, name, str(field.usual) if field.fixed else self._usual_hands())

    def _usual_hands(self) -> str:
        sizes = sorted(set(self.preset.hand_sizes.values()))
        return "–".join(str(n) for n in (sizes[0], sizes[-1])[: len(sizes)])

    def problems(self) -> list[str]:
        """What keeps the match from being opened, one sentence each, with the house rule that it is about."""
        found = []
        for name, errors in self.errors.items():
            about = f"{OPTION_TEXTS[name[5:]].label}: " if name.startswith("rule_") else ""
            found += [f"{about}{error}" for error in errors]
        return found

    def has_rules_open(self) -> bool:
        """Whether the folded part has to stand open."""
        return self.rules_open or any(name.startswith("rule_") for name in self.errors)

    def seat_counts(self) -> list[Way]:
        """For how many players."""
        return self.ways("seats")

    def who_may_join(self) -> list[Way]:
        """Shown in the lobby or not."""
        return self.ways("who")

    def standings(self) -> list[Way]:
        """How often the offer is made."""
        return self.ways("standing")

    def how_many(self) -> list[Way]:
        """How many matches with the same players at once."""
        return self.ways("at_once")

    def rated_ways(self) -> list[Way]:
        """Whether ratings change."""
        return self.ways("rated")

    def places(self) -> list["Taking"]:
        """Each other seat; people count them from 1."""
        numbers = [int(name[5:]) for name in self.fields if name.startswith("seat_")]
        return [
            Taking(
                n + 1,
                f"seat_{n}",
                self.ways(f"seat_{n}"),
                f"name_{n}",
                str(self[f"name_{n}"].value() or ""),
                [*_sentences(self[f"seat_{n}"]), *_sentences(self[f"name_{n}"])],
            )
            for n in numbers
        ]

    def paces(self) -> list[tuple[Text, Text, list[Way]]]:
        """The paces by kind: heading, explanation, choices."""
        ways = self.ways("pace")
        return [
            (heading, text, [replace(w, label=_short(PACES[w.key])) for w in ways if PACES[w.key].kind == kind])
            for kind, heading, text in KINDS
        ]


def _sentences(bound: forms.BoundField) -> list[str]:
    return [str(error) for error in bound.errors]


def _short(pace: Pace) -> str:
    """The time for a turn, without the words that its heading says already."""
    n = pace.allowance
    if not n:
        return gettext("as long as I like")
    if n >= DAY:
        return ngettext("%(n)d day", "%(n)d days", n // DAY) % {"n": n // DAY}
    if n >= HOUR:
        return ngettext("%(n)d hour", "%(n)d hours", n // HOUR) % {"n": n // HOUR}
    return gettext("%(n)d s") % {"n": n}
