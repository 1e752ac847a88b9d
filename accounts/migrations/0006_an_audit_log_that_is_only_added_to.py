from django.db import migrations

from accounts.append_only import triggers, without

TABLE = 'accounts_auditentry'


def add(apps, schema_editor):
    for statement in triggers(schema_editor.connection.vendor, TABLE):
        schema_editor.execute(statement, params=None)


def remove(apps, schema_editor):
    for statement in without(schema_editor.connection.vendor, TABLE):
        schema_editor.execute(statement, params=None)


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0005_sanctions_appeals_and_audit'),
    ]

    operations = [
        migrations.RunPython(add, remove),
    ]
