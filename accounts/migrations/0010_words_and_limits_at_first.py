from django.db import migrations

RESERVED = (
    'admin', 'administrator', 'moderator', 'mod', 'system', 'rummysite', 'dealer', 'staff', 'deleted', 'deleted player',
)
"""Names that only the site bears."""
UNWANTED = (
    'fuck', 'fucker', 'fucking', 'motherfucker', 'cunt', 'nigger', 'faggot', 'kurva', 'kurwa', 'chuj', 'pizda', 'píča',
    'čurák', 'zmrd', 'jebać', 'kurac', 'pička', 'курва', 'пичка', 'курац', 'кур',
)
REPORTED = ('kill yourself', 'kys', 'zabij se', 'zabij się', 'ubij se', 'убиј се')
HOUR, DAY = 3600, 86_400
LIMITS = {
    'guest': (10, None, 10, HOUR),
    'come_back': (20, None, 20, HOUR),
    'open': (40, None, 120, HOUR),
    'sit': (60, None, 240, HOUR),
    'invite': (60, None, 240, HOUR),
    'people': (60, None, 240, HOUR),
    'appeal': (20, None, 60, HOUR),
    'report': (20, 5, 60, DAY),
    'talk': (20, None, 120, 60),
    'talk_hour': (200, None, 1000, HOUR),
    'feed': (120, None, 3000, HOUR),
    'token': (40, None, 40, HOUR),
    'device': (40, None, 120, HOUR),
    'export': (60, None, 300, HOUR),
    'own_data': (1, None, 20, HOUR),
    'api': (600, None, 3000, 600),
    'act': (600, None, 3000, 600),
    'new_days': (3, None, None, None),
    'new_matches': (3, None, None, None),
}


def words():
    """Every entry as the columns of its row."""
    yield from ({'word': word, 'how': 'whole', 'messages': False, 'titles': False} for word in RESERVED)
    yield from ({'word': word} for word in UNWANTED)
    yield from ({'word': word, 'happens': 'report'} for word in REPORTED)


def fill(apps, schema_editor):
    word, limit = apps.get_model('accounts', 'WordEntry'), apps.get_model('accounts', 'LimitRow')
    word.objects.bulk_create(word(**columns) for columns in words())
    limit.objects.bulk_create(
        limit(name=name, number=number, new=new, shared=shared, seconds=seconds)
        for name, (number, new, shared, seconds) in LIMITS.items()
    )


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0009_word_list_and_limits'),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
