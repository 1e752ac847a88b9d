from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):

    dependencies = [("games", "0011_who_drives_a_seat")]

    operations = [
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.UniqueConstraint(fields=("match", "driven_by"), name="seat_driver_once"),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.CheckConstraint(
                condition=Q(driver="user", driven_by__isnull=False) | (~Q(driver="user") & Q(driven_by__isnull=True)),
                name="seat_driven_by_a_person_or_nobody",
            ),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.CheckConstraint(
                condition=Q(gone="", given_up_at__isnull=True) | (~Q(gone="") & Q(given_up_at__isnull=False)),
                name="seat_given_up_says_how",
            ),
        ),
    ]
