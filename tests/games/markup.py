"""Pages as a browser without scripts sees them: forms with their controls, and text."""

from dataclasses import dataclass, field
from html.parser import HTMLParser


@dataclass
class Control:
    """An input or button, with its attributes."""

    tag: str
    attrs: dict
    form: str = ""

    @property
    def name(self):
        return self.attrs.get("name")

    @property
    def value(self):
        return self.attrs.get("value", "on" if self.tag == "input" else "")


@dataclass
class Page(HTMLParser):
    """Forms by id (or number), and the controls that belong to each, inside it or by their ``form`` attribute."""

    html: str
    forms: dict = field(default_factory=dict)
    controls: list = field(default_factory=list)
    words: list = field(default_factory=list)

    def __post_init__(self):
        super().__init__(convert_charrefs=True)
        self.inside, self.skip = "", 0
        self.feed(self.html)

    def handle_starttag(self, tag, attrs):
        attrs = {key: value if value is not None else "" for key, value in attrs}
        if tag == "form":
            self.inside = attrs.get("id") or str(len(self.forms))
            self.forms[self.inside] = attrs
        if tag in ("input", "button", "select", "textarea"):
            self.controls.append(Control(tag, attrs, attrs.get("form", self.inside)))
        if attrs.get("aria-label"):
            self.words.append(attrs["aria-label"])
        if tag in ("script", "style"):
            self.skip += 1

    def handle_endtag(self, tag):
        if tag == "form":
            self.inside = ""
        if tag in ("script", "style"):
            self.skip -= 1

    def handle_data(self, data):
        words = data.replace("\u2060", "").strip()  # keeps a mark beside the card before it, and is not seen
        if words and not self.skip:
            self.words.append(words)

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())

    def of(self, form="turn"):
        return [c for c in self.controls if c.form == form and "disabled" not in c.attrs]

    def button(self, name, value, form="turn"):
        """A submit button by what it sends, or None."""
        return next((c for c in self.of(form) if c.tag == "button" and (c.name, c.value) == (name, value)), None)

    def hand(self):
        return [c.value for c in self.of() if c.name == "card"]

    def submit(self, client, name, value, *, cards=(), meld=None, form="turn"):
        """Press a button as a browser does: to its formaction, with hidden and checked controls, and itself."""
        button = self.button(name, value, form)
        assert button is not None, f"there is no button {name}={value}"
        data = {}
        for control in self.of(form):
            kind = control.attrs.get("type")
            if kind == "hidden" and control.name:
                data.setdefault(control.name, []).append(control.value)
        for card in cards:
            assert card in self.hand(), f"{card} is not in the hand"
            data.setdefault("card", []).append(card)
        if meld is not None:
            assert any(c.name == "meld" and c.value == str(meld) for c in self.of())
            data["meld"] = [str(meld)]
        data.setdefault(name, []).append(value)
        return client.post(button.attrs.get("formaction") or self.forms[form]["action"], data)
