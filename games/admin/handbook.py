"""The handbook of docs/moderation.md, to be read in the administration: its few marks become HTML.

Headings, paragraphs, lists, tables, pictures, links and bold words; anything else is shown as it is written. It is
English, as all papers are.
"""

import re
from pathlib import Path

from django.conf import settings
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

FIRST = settings.BASE_DIR / "docs" / "moderation.md"
FOLDER = settings.BASE_DIR / "docs" / "moderation"
ITEM = re.compile(r"^(?:\d+\.|-) (.*)", re.DOTALL)


def page(request: HttpRequest, name: str = "") -> HttpResponse:
    """One page of it; without a name the first."""
    from django.contrib import admin

    known = {path.stem: path for path in FOLDER.glob("*.md")} | {"": FIRST}
    if name not in known:
        raise Http404
    title, _line, text = known[name].read_text().partition("\n")
    context = {**admin.site.each_context(request), "title": title.removeprefix("# "), "text": html(text), "name": name}
    return TemplateResponse(request, "admin/handbook.html", context)


@require_safe
def picture(request: HttpRequest, name: str) -> HttpResponseBase:
    """One of its pictures."""
    known: dict[str, Path] = {path.stem: path for path in FOLDER.glob("*.png")}
    if name not in known:
        raise Http404
    return FileResponse(known[name].open("rb"), content_type="image/png")


def html(text: str) -> SafeString:
    """The HTML of a text. All of it is escaped before a mark is looked for."""
    return mark_safe("\n".join(_block(block) for block in re.split(r"\n{2,}", text.strip())))


def _block(block: str) -> str:
    if heading := re.match(r"#+ (.*)", block):
        return f"<h2>{_inline(heading[1])}</h2>" + (_block(rest) if (rest := block[heading.end() :].strip()) else "")
    if block.startswith("|"):
        return _table(block.splitlines())
    if ITEM.match(block):
        items = [ITEM.sub(r"\1", one) for one in re.split(r"\n(?=\d+\. |- )", block)]
        kind = "ul" if block.startswith("-") else "ol"
        return f"<{kind}>{''.join(f'<li>{_item(one)}</li>' for one in items)}</{kind}>"
    return f"<p>{_inline(block)}</p>"


def _item(text: str) -> str:
    """What stands in an item, and the list within it."""
    own, *inner = re.split(r"\n +- ", text)
    return _inline(own) + (f"<ul>{''.join(f'<li>{_inline(one)}</li>' for one in inner)}</ul>" if inner else "")


def _table(lines: list[str]) -> str:
    rows = [[_inline(cell.strip()) for cell in line.strip("|").split("|")] for line in lines if "|---" not in line]
    head, *body = ("".join(f"<td>{cell}</td>" for cell in row) for row in rows)
    head = head.replace("td>", "th>")
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(f'<tr>{row}</tr>' for row in body)}</tbody></table>"


def _inline(text: str) -> str:
    text = str(escape(text))
    text = re.sub(r"!\[([^\]]*)\]\((?:moderation/)?([a-z-]+)\.png\)", _shown, text)
    text = re.sub(r"\[([^\]]+)\]\((?:moderation/)?([a-z-]+)\.md\)", _linked, text)
    text = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", text)  # papers that are not here
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", re.sub(r"\*\*([^*]+)\*\*", r"<b>\1</b>", text))


def _shown(found: re.Match[str]) -> str:
    return f'<img src="{reverse("admin:handbook_picture", args=[found[2]])}" alt="{found[1]}" loading="lazy">'


def _linked(found: re.Match[str]) -> str:
    return f'<a href="{reverse("admin:handbook_page", args=[found[2]])}">{found[1]}</a>'
