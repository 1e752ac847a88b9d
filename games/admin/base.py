"""What all pages of the administration are: to be read, by those who have a role for it."""

from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.db import DataError
from django.db.models import Model
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts import roles
from games.secrecy import SECRET_COLUMNS

if TYPE_CHECKING:
    Base = admin.ModelAdmin[Any]
else:
    Base = admin.ModelAdmin


class ReadOnly(Base):
    """Lists and pages without a way to change anything. ``narrowed_by``: columns by which an address may narrow a list
    besides the filters; every other column is refused, since a filter by a hidden column tells it letter by letter.
    ``opened_by``: the permissions of roles.py, one of which opens it.
    """

    actions = None
    list_per_page = 50
    narrowed_by: ClassVar[tuple[str, ...]] = ()
    opened_by: ClassVar[tuple[str, ...]] = ("moderate",)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return any(roles.may(request.user, permission) for permission in self.opened_by)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        filters = [_asked_by(item[0] if isinstance(item, tuple) else item) for item in self.list_filter]
        allowed = {name.partition("__")[0] for name in (*self.narrowed_by, *filters, self.date_hierarchy or "")}
        return lookup.partition("__")[0] in allowed and super().lookup_allowed(lookup, value, request)

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """A row is read once for a request, also where a page of ours asks for it before Django's does."""
        known: dict[tuple[Any, str], Any] = request.__dict__.setdefault("_rows_read", {})
        key = (self.model, object_id)
        if key not in known:
            known[key] = super().get_object(request, object_id, from_field)
        return known[key]

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        """The list that an address asks for. A number that no column can hold is wrong as any other wrong value is."""
        try:
            return super().get_changelist_instance(request)
        except (OverflowError, DataError) as wrong:
            raise IncorrectLookupParameters from wrong

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        return [*open_columns(self.model), *self.readonly_fields] if self.fields is None else list(self.fields)


def _asked_by(item: Any) -> str:
    """The column of a filter, or the name in the address of one that is a class of ours."""
    return str(getattr(item, "parameter_name", None) or item)


def open_columns(model: type[Model]) -> list[str]:
    """The columns of a row that may be shown while a deal runs."""
    secret = SECRET_COLUMNS.get(model._meta.model_name or "", frozenset())
    return [field.name for field in model._meta.fields if field.name not in secret]


def list_link(name: str, match_id: int, text: str) -> SafeString:
    """A link to the rows of that kind which belong to a match."""
    address = reverse(f"admin:games_{name}_changelist")
    return format_html('<a href="{}?match={}">{}</a>', address, match_id, text)
