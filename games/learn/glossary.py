"""The words of the game: what each means, and what it is called in the five languages (RULES.md section 15).

The terms are data, the same in every language of the site; the definitions are texts and get translated.
"""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

TONGUES = ("en", "sr-latn", "cs", "pl", "mk")


@dataclass(frozen=True, slots=True)
class Entry:
    """A word: its English ``key`` (also its place in the page), its terms in the order of TONGUES, its meaning."""

    terms: tuple[str, str, str, str, str]
    means: str | Promise

    @property
    def key(self) -> str:
        return "".join(sign if sign.isalnum() else "-" for sign in self.terms[0].lower()).strip("-")

    @property
    def in_tongues(self) -> list[tuple[str, str]]:
        """(language, term) of each language."""
        return list(zip(TONGUES, self.terms, strict=True))

    def term(self, language: str) -> str:
        """The word in a language; English where we have no other."""
        return dict(self.in_tongues).get(language, self.terms[0])


TABLE = (
    Entry(
        ("rummy", "remi", "žolíky, rummy", "remik, rummy", "рами"),
        _("A family of games in which you collect cards that belong together and get rid of all others."),
    ),
    Entry(
        ("deck", "špil", "balíček karet", "talia", "шпил"),
        _("All cards of a game: 52, four suits of thirteen."),
    ),
    Entry(
        ("card, hand", "karta, ruka", "karta, ruka", "karta, ręka", "карта, рака"),
        _("Your hand is the cards that you hold and nobody else sees."),
    ),
    Entry(
        ("rank, suit", "rang, boja", "hodnota, barva", "ranga, kolor", "ранг, боја"),
        _("The rank is the number or figure of a card, the suit its sign."),
    ),
    Entry(
        (
            "clubs, diamonds, hearts, spades", "tref, karo, herc, pik", "kříže, kára, srdce, piky",
            "trefl, karo, kier, pik", "детелина, каро, срце, лист",
        ),
        _("The four suits."),
    ),
    Entry(
        ("ace, face card", "as, figura", "eso, obrázková karta", "as, figura", "кец, карта со слика"),
        _("The ace is the one of a suit. Face cards are jack, queen and king."),
    ),
    Entry(
        ("jack, queen, king", "žandar, dama, kralj", "spodek, dáma, král", "walet, dama, król", "џандар, дама, поп"),
        _("The three face cards, from low to high. Each counts ten points."),
    ),
    Entry(
        ("dealer", "delilac", "rozdávající", "rozdający", "делител"),
        _("Who deals. On this site the cards are dealt for you; the dealer is named because the next player begins."),
    ),
    Entry(
        ("opponent", "protivnik", "soupeř", "przeciwnik", "противник"),
        _("Everybody who plays against you."),
    ),
    Entry(
        ("stock", "zaliha", "lízací balíček", "stos kart", "залиха, купче"),
        _("The cards that lie face down and are drawn one by one. Everybody sees how many they are."),
    ),
    Entry(
        (
            "discard pile", "gomila odbačenih karata", "odkládací (odhazovací) hromádka", "stos kart odrzuconych",
            "куп за отфрлање",
        ),
        _("The cards that were discarded, face up. Only the top one can be taken."),
    ),
    Entry(
        ("upcard", "okrenuta karta", "odkrytá karta", "karta odkryta", "отворена карта"),
        _("The card that is turned up after the deal. It is the first of the discards."),
    ),
)  # fmt: skip

TURN = (
    Entry(
        ("turn", "potez", "tah", "tura", "ред, потег"),
        _("All that one player does before the next one: draw, meld and lay off as wanted, discard."),
    ),
    Entry(
        ("draw", "izvlačenje, izvući", "líznout", "dobierać, dobrać", "влечење"),
        _("Take a card, from the stock or from the top of the discards. Every turn begins with it."),
    ),
    Entry(
        ("meld (noun)", "kombinacija", "kombinace", "układ", "комбинација"),
        _("Cards that belong together: a set or a run."),
    ),
    Entry(
        ("meld (verb)", "spustiti kombinaciju", "vyložit", "wyłożyć układ", "спушти комбинација"),
        _("Lay a set or a run on the table, where all see it."),
    ),
    Entry(
        ("set", "set", "skupina", "trójka/czwórka", "група"),
        _("Three or four cards of one rank."),
    ),
    Entry(
        ("run", "niz", "postupka", "sekwens", "низа, секвенца"),
        _("Three or more cards of one suit that follow each other."),
    ),
    Entry(
        ("pair", "par", "dvojice", "para", "пар"),
        _("Two cards that lack a third for a meld: two of a rank, or two neighbours of a suit."),
    ),
    Entry(
        ("lay off", "dograđivanje, dograditi", "přiložit", "dołożyć (dokładać)", "додавање карта"),
        _("Add a card to a meld that lies on the table, your own or somebody else's."),
    ),
    Entry(
        ("discard (verb)", "odbaciti, odložiti", "odhodit, zahodit", "odrzucić", "отфрли"),
        _("Put a card on the discards. It ends your turn."),
    ),
    Entry(
        ("go out", "izlazak, izaći", "skončit, zavřít", "zakończyć rozdanie", "излегување, излезе"),
        _("Get rid of your last card. The deal is over at once."),
    ),
    Entry(
        (
            "going rummy", "rummy iz jednog poteza", "jít rummy, rummy naráz", "rummy w jednej turze",
            "рами во еден потег",
        ),
        _("Go out in a single turn, with nothing put down before in that deal."),
    ),
    Entry(
        ("hint", "savet", "nápověda", "podpowiedź", "совет"),
        _("A recommended move with its reason."),
    ),
)  # fmt: skip

COUNT = (
    Entry(
        ("deal, round", "deljenje, runda", "rozdání, kolo", "rozdanie, runda", "делење, рака"),
        _("What is played from one dealing of the cards until somebody goes out or nobody can."),
    ),
    Entry(
        ("match", "igra, partija", "hra, partie", "gra", "игра, партија"),
        _("Deals in succession, until somebody has the points to win or the agreed number of deals is played."),
    ),
    Entry(
        ("points, score", "poeni, rezultat", "body, skóre", "punkty, wynik", "поени, резултат"),
        _("What the cards are worth that the others still hold when somebody goes out."),
    ),
    Entry(
        ("double", "udvostručiti", "zdvojnásobit", "podwoić", "удвои"),
        _("Count twice, as the points of a deal that was won by going rummy, where that is agreed."),
    ),
    Entry(
        ("deadwood", "neuparene karte", "nespárované karty", "martwe karty", "неврзани карти"),
        _("The cards of a hand that are in no meld, and what they count together."),
    ),
    Entry(
        ("draw (no winner)", "nerešeno", "nerozhodně", "remis", "нерешено"),
        _("A deal or a match that nobody has won."),
    ),
    Entry(
        ("winner", "pobednik", "vítěz", "zwycięzca", "победник"),
        _("Who goes out wins the deal; who has most points at the end wins the match."),
    ),
)

FAMILY = (
    Entry(
        ("wild card, joker", "džoker", "zástupná karta, žolík", "dzika karta, dżoker", "џокер"),
        _("A card that may stand for any other."),
    ),
    Entry(
        ("gin", "džin, gin", "gin", "gin", "џин"),
        _("In gin rummy: to end the deal with all cards in melds."),
    ),
    Entry(
        ("knock", "kucanje", "klepnutí", "pukanie, zapukać", "чукање"),
        _("In gin rummy: to end the deal with little deadwood."),
    ),
    Entry(
        ("undercut", "podsecanje", "podtrhnutí", "podcięcie", "поткастрување"),
        _("In gin rummy: to have less deadwood than the player who knocked."),
    ),
    Entry(
        ("take, pass", "uzeti, propustiti", "vzít, pas", "wziąć, zrezygnować", "земи, пас"),
        _("In gin rummy: the two answers to the upcard before the first turn."),
    ),
    Entry(
        ("game bonus", "bonus za partiju", "prémie za hru", "premia za grę", "бонус за партија"),
        _("In gin rummy: points for winning the match."),
    ),
    Entry(
        ("box bonus", "bonus po ruci", "prémie za rozdání", "premia za rozdania", "бонус за добиена рака"),
        _("In gin rummy: points for every deal won, added after the match."),
    ),
    Entry(
        ("shutout", "bonus „na nulu“", "výhra na nulu", "premia „do zera“", "победа на нула"),
        _("In gin rummy: a match in which the loser has won no deal."),
    ),
    Entry(
        ("phase, skip", "faza, preskoči", "fáze, vynechat", "faza, pauza", "фаза, прескокни"),
        _("In games of ten phases: the melds that are asked for, and the card that makes a player miss a turn."),
    ),
    Entry(
        ("canasta", "kanasta", "canasta (kanasta)", "kanasta", "канаста"),
        _("In the game of the same name: a meld of seven or more cards."),
    ),
    Entry(
        ("frozen pile", "zamrznuta gomila", "zmrazená hromádka", "zamrożony stos", "замрзнат куп"),
        _("In canasta: discards that can be taken only with a natural pair."),
    ),
    Entry(
        ("manipulation", "manipulacija", "manipulation", "manipulacja", "манипулација"),
        _("A rummy in which the melds on the table may be parted and joined anew."),
    ),
)

GROUPS: tuple[tuple[str | Promise, tuple[Entry, ...]], ...] = (
    (_("Cards and people"), TABLE),
    (_("A turn"), TURN),
    (_("Counting"), COUNT),
    (_("Words of other rummy games"), FAMILY),
)
