"""Whether JSON has the shape that a schema tells: the part of JSON Schema that our documents use, and no more.

Answers a sentence that names the first place where it has not, so that a file of a stranger can be refused by it.
"""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

NOTES = ("description", "title", "examples")
OF_ANY = ("$ref", "anyOf", "type", "const", "enum")
OF_SOME = ("properties", "required", "additionalProperties", "items", "minItems", "maxItems", "minLength", "maxLength")
KNOWN = frozenset((*NOTES, *OF_ANY, *OF_SOME, "minimum", "maximum", "pattern", "format"))
"""The words of JSON Schema that are understood here."""


def problem(value: Any, schema: Mapping[str, Any], among: Mapping[str, Any], at: str = "the document") -> str:
    """The first place where ``value`` is not as ``schema`` says, as a sentence; empty if it is.

    ``among``: the schemas by name to which ``$ref`` leads. Raises ValueError for a schema that is not understood.
    """
    if unknown := set(schema) - KNOWN:
        raise ValueError(f"{at}: {sorted(unknown)} is not understood")
    if "$ref" in schema:
        return problem(value, among[schema["$ref"].rpartition("/")[2]], among, at)
    if "anyOf" in schema:
        found = [problem(value, one, among, at) for one in schema["anyOf"]]
        return found[0] if all(found) else ""
    kinds = schema.get("type", [])
    if kinds and _kind(value) not in ([kinds] if isinstance(kinds, str) else kinds):
        return f"At {at} there is {_kind(value)}, and it has to be {_listed(kinds)}."
    if "const" in schema and (type(value) is not type(schema["const"]) or value != schema["const"]):
        return f"At {at} only {schema['const']!r} is known."
    if "enum" in schema and value not in schema["enum"]:
        return f"At {at} only these are known: {', '.join(map(str, schema['enum']))}."
    if isinstance(value, dict):
        return _of_object(value, schema, among, at)
    if isinstance(value, list):
        return _of_list(value, schema, among, at)
    return _of_text(value, schema, at) if isinstance(value, str) else _of_number(value, schema, at)


def _kind(value: Any) -> str:
    for kind, name in ((bool, "boolean"), (int, "integer"), (str, "string"), (list, "array"), (dict, "object")):
        if isinstance(value, kind):
            return name
    return "null" if value is None else "number"


def _listed(kinds: Any) -> str:
    return kinds if isinstance(kinds, str) else " or ".join(kinds)


def _of_object(value: dict[str, Any], schema: Mapping[str, Any], among: Mapping[str, Any], at: str) -> str:
    known, more = schema.get("properties", {}), schema.get("additionalProperties", True)
    for name in schema.get("required", ()):
        if name not in value:
            return f"At {at} there is no {name!r}."
    for name, one in value.items():
        if name not in known and more is False:
            return f"At {at} {name[:40]!r} is not known."
        inner = known.get(name, more)
        if isinstance(inner, dict) and (found := problem(one, inner, among, f"{at}.{name[:40]}")):
            return found
    return ""


def _of_list(value: list[Any], schema: Mapping[str, Any], among: Mapping[str, Any], at: str) -> str:
    if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
        return f"At {at} there are {len(value)} entries: too few or too many."
    for place, one in enumerate(value):
        if found := problem(one, schema.get("items", {}), among, f"{at}[{place}]"):
            return found
    return ""


def _of_text(value: str, schema: Mapping[str, Any], at: str) -> str:
    if not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value)):
        return f"At {at} the text is too short or too long."
    if "pattern" in schema and not re.fullmatch(schema["pattern"], value):
        return f"At {at} the text is not of the form {schema['pattern']}."
    if schema.get("format") == "date-time":
        try:
            zone = datetime.fromisoformat(value).tzinfo
        except ValueError:
            zone = None
        if zone is None:
            return f"At {at} there is no time with its zone."
    return ""


def _of_number(value: Any, schema: Mapping[str, Any], at: str) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    if value is None or isinstance(value, bool) or ((low is None or value >= low) and (high is None or value <= high)):
        return ""
    return f"At {at} the number is too small or too large."
