"""A sign in words, for moderators: what was seen with its numbers, what it may mean, and why it may be innocent."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Sign


@dataclass(frozen=True, slots=True)
class Told:
    """``seen``: sentences with the numbers; ``rests``: on what they rest; ``means`` and ``innocent``: what to think of.

    Names of players stand in ``seen``, so it is no HTML.
    """

    seen: list[str]
    rests: list[str]
    means: str
    innocent: list[str]


def told(sign: Sign) -> Told:
    """All that the page of a sign says."""
    seen, means, innocent = KINDS[sign.kind]
    return Told([*seen(sign), *_again(sign)], _rests(sign), str(means()), [str(one) for one in innocent()])


def short(sign: Sign) -> str:
    """The sign in one line of a list: cases, of how many, and how many were to be expected."""
    return _("%(observed)d of %(n)d, expected %(expected)s") % _values(sign)


def _values(sign: Sign) -> dict[str, Any]:
    numbers = sign.numbers
    names = {"a": sign.user.shown_name, "b": sign.other.shown_name if sign.other else ""}
    expected = number_format(numbers["expected"], 1)
    return {**numbers, "expected": expected, **names}


def _rests(sign: Sign) -> list[str]:
    """How unlikely it is, and on which cases and days it rests."""
    numbers = sign.numbers
    lines = []
    if numbers["expected"]:
        ratio = number_format(numbers["observed"] / numbers["expected"], 1)
        lines.append(
            _("That is %(ratio)s times as many as expected, %(z)s standard deviations more.")
            % {"ratio": ratio, "z": number_format(numbers["z"], 1)}
        )
    if numbers["sample"]:
        lines.append(
            ngettext(
                "What is to be expected comes from %(sample)d case of other players.",
                "What is to be expected comes from %(sample)d cases of other players.",
                numbers["sample"],
            )
            % {"sample": numbers["sample"]}
        )
    else:
        lines.append(_("What is to be expected follows from chance alone."))
    days = [date_format(timezone.localtime(datetime.fromisoformat(numbers[at]))) for at in ("since", "until")]
    lines.append(_("Counted is what ended from %(since)s to %(until)s.") % {"since": days[0], "until": days[1]})
    return lines


def _again(sign: Sign) -> list[str]:
    if sign.state == Sign.State.NEW and sign.reason:
        return [_("It was looked at before, and has grown or was opened again. What was said then: %s") % sign.reason]
    return []


def _helping(sign: Sign) -> list[str]:
    one, two = (sign.user, sign.other) if sign.numbers["thrower"] == sign.user_id else (sign.other, sign.user)
    names = {"thrower": one.shown_name if one else "", "taker": two.shown_name if two else ""}
    return [
        _(
            "%(taker)s took %(observed)d of %(n)d discards that %(thrower)s threw to him, in %(of_matches)d matches. "
            "From how both play with others %(expected)s were to be expected."
        )
        % (_values(sign) | names)
    ]


def _sharing(sign: Sign) -> list[str]:
    values = _values(sign)
    return [
        ngettext(
            "%(a)s and %(b)s are signed in with the same kind of browser at the same address, on %(devices)d device.",
            "%(a)s and %(b)s are signed in with the same kind of browser at the same address, on %(devices)d devices.",
            sign.numbers["devices"],
        )
        % values,
        ngettext(
            "With whatever browser, they share %(places)d address.",
            "With whatever browser, they share %(places)d addresses.",
            sign.numbers["places"],
        )
        % values,
        _(
            "They sat together at %(observed)d matches, %(rated)d of them rated. The one who plays less sat at %(n)d "
            "matches in all; %(expected)s of these would be with the other if everybody met everybody."
        )
        % values,
    ]


def _given(sign: Sign) -> list[str]:
    return [
        _(
            "Of %(n)d matches between %(a)s and %(b)s, %(observed)d were left by one who was not behind; %(expected)s "
            "were to be expected. %(a)s left %(given_by_a)d of them, %(b)s %(given_by_b)d. %(rated)d of all were rated."
        )
        % _values(sign)
    ]


def _in_turns(sign: Sign) -> list[str]:
    return [
        _(
            "In rated matches between %(a)s and %(b)s the winner changed %(observed)d of %(n)d times from one match to "
            "the next; %(expected)s were to be expected. %(a)s won %(won_by_a)d, %(b)s won %(won_by_b)d."
        )
        % _values(sign)
    ]


def _sandbagging(sign: Sign) -> list[str]:
    return [
        _(
            "%(a)s left %(observed)d of %(n)d rated matches without being behind; %(expected)s were to be expected. "
            "Of the %(stayed)d others %(won)d were won. The rating fell by up to %(fall)d points meanwhile."
        )
        % _values(sign)
    ]


def _timing(sign: Sign) -> list[str]:
    median = number_format(sign.numbers["median_ms"] / 1000, 1)
    return [
        _(
            "%(observed)d of %(n)d answers of %(a)s took nearly equally long: %(median)s seconds, give or take a "
            "tenth. %(expected)s were to be expected. They were given on %(days)d days, in %(hours)d of the 24 hours "
            "of the day."
        )
        % (_values(sign) | {"median": median})
    ]


def _abandoning(sign: Sign) -> list[str]:
    return [
        _(
            "%(a)s left %(observed)d of %(n)d matches to the clock, or in their first deal; %(expected)s were to be "
            "expected. That was at %(times)d different times, against %(opponents)d opponents."
        )
        % _values(sign)
    ]


def _of_helping() -> list[str]:
    return [
        _("The two like the same game and know how the other plays."),
        _("One of them threw what he needed least and the other collected just that, in a few long deals."),
    ]


def _of_sharing() -> list[str]:
    return [
        _("A household: two people with phones of the same kind, or one tablet."),
        _("A school, a library or a company, where many use the same machines."),
        _("Somebody who helped a friend to sign up on his own phone."),
    ]


def _of_given() -> list[str]:
    return [
        _("Two who play often and end a match when one has to go."),
        _("A child or a beginner who is let win."),
        _("A game that both found too long."),
    ]


def _of_turns() -> list[str]:
    return [
        _("Chance: of many pairs that are looked at, one may look like this."),
        _("Whoever deals first has it a little harder, and the deal changes hands."),
    ]


def _of_sandbagging() -> list[str]:
    return [
        _("Little time: matches left because of work or family, and the others played well."),
        _("A bad connection in live matches."),
        _("Anger over the cards, which is no fraud."),
    ]


def _of_timing() -> list[str]:
    return [
        _("A tool that helps somebody who cannot use his hands well, and presses for him."),
        _("Very quick games against one opponent, where there is little to think about."),
    ]


def _of_abandoning() -> list[str]:
    return [
        _("Illness, a move or an exam, and no vacation that was told to the site."),
        _("Notices that do not arrive: look at the failed mail of this player."),
        _("Matches opened without knowing how long they last."),
    ]


Parts = tuple[Callable[[Sign], list[str]], Callable[[], str], Callable[[], list[str]]]
KINDS: dict[str, Parts] = {
    "helping": (
        _helping,
        lambda: _("It may mean that the two tell each other their cards, or that one plays for the other."),
        _of_helping,
    ),
    "sharing": (
        _sharing,
        lambda: _("It may mean that one person plays with two accounts, and so against himself."),
        _of_sharing,
    ),
    "wins_given": (_given, lambda: _("It may mean that wins are given away to raise a rating."), _of_given),
    "wins_in_turns": (
        _in_turns,
        lambda: _("It may mean that the two agree who wins, so that both are rated by matches that nobody played."),
        _of_turns,
    ),
    "sandbagging": (
        _sandbagging,
        lambda: _("It may mean that somebody keeps his rating low on purpose, to be paired with weaker players."),
        _of_sandbagging,
    ),
    "timing": (_timing, lambda: _("It may mean that a program plays in place of a person."), _of_timing),
    "abandoning": (
        _abandoning,
        lambda: _("It means that others wait in vain. It may be carelessness, or spite when a match goes badly."),
        _of_abandoning,
    ),
}
"""By kind: what was seen, what it may mean, what innocent reasons there are."""
