"""What my own page may know, so that its buttons say at once what they would do or why not. The server decides."""

import json
from collections.abc import Sequence

from django.utils.translation import gettext as _

from games.rules.actions import Discard, LayOff, Meld
from games.rules.cards import by_id
from games.rules.melds import natural_melds
from games.rules.view import TableView
from games.tables import Board


def legal_json(board: Board) -> str:
    """What I may do now as JSON for hand.js: cards of melds, melds by card to lay off, cards to discard."""
    view = board.view
    if view is None:
        return ""
    lay: dict[str, list[int]] = {}
    for action in view.legal:
        if isinstance(action, LayOff):
            lay.setdefault(str(action.card), []).append(action.meld)
    known = {
        "melds": [sorted(map(str, a.cards)) for a in view.legal if isinstance(a, Meld)],
        "lay": lay,
        "discard": [str(a.card) for a in view.legal if isinstance(a, Discard)],
        "taken": str(view.taken or ""),
        "barred": _barred(board, view),
        "own_first": _own_first(board, view),
    }
    return json.dumps(known, separators=(",", ":"))


def _barred(board: Board, view: TableView) -> Sequence[Sequence[str]]:
    """Melds that my hand has and that I may not put down now."""
    legal = {a.cards for a in view.legal if isinstance(a, Meld)}
    return [sorted(some) for some in natural_melds(view.hand, board.game.shape) if by_id(some) not in legal]


def _own_first(board: Board, view: TableView) -> bool:
    """Whether I have to put down a meld of my own before I may lay off."""
    needed = getattr(board.options, "layoff_requires_own_meld", False)
    return bool(needed) and board.me not in dict(view.facts).get("owners", ())


def button_words() -> dict[str, str]:
    """Why a button cannot be pressed, or what it would do; about 15 letters each."""
    return {
        "select": _("select cards"),
        "three": _("needs 3 cards"),
        "no_meld": _("no set or run"),
        "not_now": _("not allowed now"),
        "meld": _("set or run"),
        "own_first": _("own meld first"),
        "no_place": _("fits nowhere"),
        "one_place": _("1 place fits"),
        "places": _("choose the meld"),
        "one_card": _("select one card"),
        "only_one": _("only one card"),
        "taken": _("just taken"),
        "ends": _("ends your turn"),
    }
