"""Writing very many rows: COPY into PostgreSQL, one prepared INSERT on SQLite. For measuring only: checks nothing."""

import json
from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import Any

from django.core.management.color import no_style
from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.models import BinaryField, DateField, DateTimeField, Field, JSONField, Max, Model
from django.db.models.base import ModelState


def like[M: Model](pattern: M, **columns: Any) -> M:
    """A new row like another, without what a model does when it is made, which takes most of the time."""
    row = type(pattern).__new__(type(pattern))
    row.__dict__ = pattern.__dict__ | columns | {"_state": ModelState()}
    return row


def next_number(model: type[Model]) -> int:
    """The number of the next row."""
    return int(model._default_manager.aggregate(last=Max("pk"))["last"] or 0) + 1


def pour(model: type[Model], rows: Sequence[Model]) -> None:
    """Write rows that have their numbers."""
    fields = [field for field in model._meta.local_concrete_fields if not field.generated]
    getters = [_getter(field) for field in fields]
    quote = connection.ops.quote_name
    table, names = quote(model._meta.db_table), ", ".join(quote(field.column or "") for field in fields)
    told = (tuple(get(row) for get in getters) for row in rows)
    if connection.vendor == "postgresql":
        _copy(f"COPY {table} ({names}) FROM STDIN", told)
    else:
        with connection.cursor() as cursor:
            marks = ", ".join(["%s"] * len(fields))
            cursor.executemany(f"INSERT INTO {table} ({names}) VALUES ({marks})", list(told))


def _getter(field: "Field[Any, Any]") -> Callable[[Model], Any]:
    """How a column is told to the database: as it stands, but for JSON, times and bytes."""
    get, way = attrgetter(field.attname), _way(field)
    return get if way is None else lambda row: None if (value := get(row)) is None else way(value)


def _way(field: "Field[Any, Any]") -> Callable[[Any], Any] | None:
    one = connections[DEFAULT_DB_ALIAS]  # ``connection`` looks it up each time
    if isinstance(field, JSONField):
        return json.dumps
    if isinstance(field, DateTimeField):
        return one.ops.adapt_datetimefield_value
    if isinstance(field, DateField | BinaryField):
        return lambda value: field.get_db_prep_save(value, one)
    return None


def _copy(statement: str, rows: Iterable[tuple[Any, ...]]) -> None:
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        for row in rows:
            copy.write_row(row)


def settle(*models: type[Model]) -> None:
    """Numbers go on behind what was poured, and the database knows how much there is now."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), list(models)):
            cursor.execute(statement)
        cursor.execute("ANALYZE")
