import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import F


def say_who_drives(apps, schema_editor):
    """A person who drives a seat is its user: there were no substitutes before. How a seat was left stands on its tape."""
    Seat = apps.get_model("games", "Seat")
    Move = apps.get_model("games", "Move")
    Seat.objects.filter(driver="user").update(driven_by=F("user"))
    for seat in Seat.objects.filter(given_up_at__isnull=False).iterator():
        acts = Move.objects.filter(match=seat.match_id, seat=seat.index, action__type__in=["resigned", "given_up"])
        last = acts.order_by("-number").first()
        seat.gone = last.action["type"] if last else "resigned"
        seat.save(update_fields=["gone"])


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0010_banks_days_off_and_pauses"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="seat",
            name="driven_by",
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name="driven_seats", to=settings.AUTH_USER_MODEL, verbose_name="driven by"),
        ),
        migrations.AddField(
            model_name="seat",
            name="gone",
            field=models.CharField(blank=True, choices=[("resigned", "resigned"), ("given_up", "missed too many turns")], default="", max_length=8, verbose_name="left by"),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="seat",
            name="wants_back",
            field=models.BooleanField(default=False, verbose_name="user wants it back"),
        ),
        migrations.AddField(
            model_name="seat",
            name="looked_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="last look"),
        ),
        migrations.AlterField(
            model_name="match",
            name="ending",
            field=models.CharField(blank=True, choices=[("played", "played to the end"), ("resigned", "resigned"), ("clock", "out of time"), ("abandoned", "abandoned in the first deal")], max_length=10, verbose_name="ending"),
        ),
        migrations.RunPython(say_who_drives, migrations.RunPython.noop),
    ]
