from django.db import migrations

MODERATOR = (
    'moderate', 'handle_reports', 'warn', 'mute', 'bar_rated', 'bar_opening', 'suspend', 'hide_message', 'give_time',
    'bot_drives', 'see_private',
)
ROLES = {
    'moderator': MODERATOR,
    'senior moderator': (
        *MODERATOR, 'suspend_long', 'ban', 'rename', 'void_deal', 'abort_match', 'adjudicate', 'reopen_match',
        'see_hands', 'link_accounts', 'answer_appeals', 'see_audit',
    ),
    'operator': ('operate',),
}


def make_roles(apps, schema_editor):
    """Permissions of a model are made after all migrations; groups need them now."""
    kinds, permissions = apps.get_model('contenttypes', 'ContentType'), apps.get_model('auth', 'Permission')
    kind, _made = kinds.objects.get_or_create(app_label='accounts', model='auditentry')
    labels = dict(apps.get_model('accounts', 'AuditEntry')._meta.permissions)
    for role, names in ROLES.items():
        group, _made = apps.get_model('auth', 'Group').objects.get_or_create(name=role)
        for name in names:
            permission, _made = permissions.objects.get_or_create(
                codename=name, content_type=kind, defaults={'name': labels[name]}
            )
            group.permissions.add(permission)


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0006_an_audit_log_that_is_only_added_to'),
        ('contenttypes', '0002_remove_content_type_name'),
    ]

    operations = [
        migrations.RunPython(make_roles, migrations.RunPython.noop),
    ]
