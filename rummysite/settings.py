"""Settings of the site. One file; what differs between places comes from the environment and fails loudly.

docs/operations.md lists every variable. Without any, the site runs on SQLite and in-memory channels from var/.
"""

import os
import sys
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.core.validators import validate_email
from django.utils.csp import CSP
from django.utils.translation import gettext_lazy as _

from .build import build_of
from .secret_key import is_push_key, push_key, secret_key

BASE_DIR = Path(__file__).resolve().parent.parent


def text(name: str, default: str = "") -> str:
    """A variable as text."""
    return os.environ.get(name, default)


def flag(name: str, *, default: bool = False) -> bool:
    """A variable that is 1 or 0. Anything else stops the start."""
    value = os.environ.get(name, "1" if default else "0")
    if value not in ("0", "1"):
        raise ImproperlyConfigured(f"{name} has to be 1 or 0, it is {value!r}.")
    return value == "1"


def number(name: str, default: int) -> int:
    """A variable that is a whole number."""
    value = os.environ.get(name, str(default))
    if not value.isdecimal():
        raise ImproperlyConfigured(f"{name} has to be a whole number, it is {value!r}.")
    return int(value)


def words(name: str, default: str = "") -> list[str]:
    """A variable that lists words, parted by commas."""
    return [word.strip() for word in os.environ.get(name, default).split(",") if word.strip()]


def address(name: str) -> str:
    """A variable that is an e-mail address, or empty."""
    value = os.environ.get(name, "").strip()
    if value:
        try:
            validate_email(value)
        except ValidationError:
            raise ImproperlyConfigured(f"{name} has to be an e-mail address, it is {value!r}.") from None
    return value


VAR = Path(text("VAR_DIR", str(BASE_DIR / "var")))
VAR.mkdir(mode=0o700, parents=True, exist_ok=True)

DEBUG = flag("DEBUG")
BUILD = text("BUILD") or build_of(BASE_DIR)
"""Pages carry it: one that hears of another tells its reader that a new version is here."""
SECRET_KEY = text("SECRET_KEY") or secret_key(VAR / "secret_key")
ALLOWED_HOSTS = words("ALLOWED_HOSTS", "127.0.0.1,localhost,[::1]")
CSRF_TRUSTED_ORIGINS = words("CSRF_TRUSTED_ORIGINS")
OPERATOR, CONTACT = text("OPERATOR").strip(), address("CONTACT")
"""Who runs the site and where letters go, as the pages on privacy, terms and contact say it."""
PROXY_HEADERS = flag("PROXY_HEADERS")

VAPID_PRIVATE_KEY = text("VAPID_PRIVATE_KEY").strip() or push_key(VAR / "push_key")
"""Signs what goes to push services. Browsers keep its public half: with another, each device has to be asked anew."""
if not is_push_key(VAPID_PRIVATE_KEY):
    raise ImproperlyConfigured("VAPID_PRIVATE_KEY has to be a private key of P-256: 32 bytes in base64url.")
VAPID_CONTACT = address("VAPID_CONTACT") or CONTACT
"""Where a push service writes to when something is wrong with what we send."""
PUSH_HOSTS = [
    "fcm.googleapis.com",
    "updates.push.services.mozilla.com",
    "*.notify.windows.com",
    "web.push.apple.com",
    *words("PUSH_HOSTS"),
]
"""Push services that are written to. Their addresses come from users, so no other host is ever asked."""
PUSH_LOCAL = ""
"""For tests only: "127.0.0.1:8000", a push service in this machine, without TLS."""

INSTALLED_APPS = [
    "accounts",
    "games",
    "rummysite.staff.Config",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.usersessions",
    "allauth.mfa",
    "django_htmx",
    "channels",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    "rummysite.build.stamped",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "allauth.usersessions.middleware.UserSessionsMiddleware",
    "accounts.middleware.preferences",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "accounts.middleware.ShutOut",
    "accounts.middleware.Patience",
    "rummysite.faults.explained",
]

ROOT_URLCONF = "rummysite.urls"
ASGI_APPLICATION = "rummysite.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.csp",
                "rummysite.build.named",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]


def _postgres(url: str) -> dict[str, Any]:
    parts = urlsplit(url)
    if parts.scheme not in ("postgres", "postgresql"):
        raise ImproperlyConfigured("DATABASE_URL has to begin with postgresql://")
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": parts.path.lstrip("/"),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": parts.hostname or "",
        "PORT": str(parts.port or ""),
        "CONN_MAX_AGE": None,
        "CONN_HEALTH_CHECKS": True,
    }


SQLITE: dict[str, Any] = {
    "ENGINE": "django.db.backends.sqlite3",
    "NAME": VAR / "db.sqlite3",
    "CONN_MAX_AGE": None,
    "OPTIONS": {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    },
    "TEST": {"NAME": VAR / f"test-{os.getpid()}.sqlite3"},  # two runs at once never share a file
}
DATABASES = {"default": _postgres(text("DATABASE_URL")) if text("DATABASE_URL") else SQLITE}

REDIS_URL = text("REDIS_URL")
if REDIS_URL:
    CHANNEL_LAYERS: dict[str, Any] = {
        "default": {"BACKEND": "channels_redis.core.RedisChannelLayer", "CONFIG": {"hosts": [REDIS_URL]}}
    }
    CACHES: dict[str, Any] = {
        "default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": REDIS_URL},
        "pictures": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": REDIS_URL,
            "KEY_PREFIX": "pictures",
        },
    }
else:
    CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    CACHES = {
        "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
        # apart, so that pictures push no counts out
        "pictures": {
            "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
            "LOCATION": "pictures",
            "OPTIONS": {"MAX_ENTRIES": 200},
        },
    }

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "games:tables"
LOGOUT_REDIRECT_URL = ACCOUNT_LOGOUT_REDIRECT_URL = "games:home"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_FORMS = {
    "login": "accounts.forms.LoginForm",
    "signup": "accounts.forms.SignupForm",
    "add_email": "accounts.forms.AddEmailForm",
    "reset_password": "accounts.forms.ResetPasswordForm",
}
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_USERNAME_MIN_LENGTH = 3
ACCOUNT_USERNAME_VALIDATORS = "accounts.names.USERNAME_VALIDATORS"
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = False
ACCOUNT_BEFORE_CLOSE = [
    "games.lobby.give_up_all",
    "games.people.forget",
    "games.notes.forget",
    "games.leaderboards.forget",
    "games.vacations.forget",
    "games.substitutes.forget",
    "games.notices.pruning.forget",
    "games.api.tokens.forget",
]
"""Called with the user, in this order, before an account is closed, and once more when it is."""
ACCOUNT_AFTER_SIGN_OUT = ["games.nudge.user_gone", "games.notices.devices.signed_out"]
"""Called with the id of a user, a session of whom has ended."""
ACCOUNT_AFTER_SANCTION = ["games.moderation.sanctioned.follow"]
"""Called with a Sanction and what has become of it (imposed, lifted, shortened, upheld), in the transaction of that."""
ACCOUNT_UNWANTED_NAME = ["games.moderation.words.named"]
"""Called with a user who took a name, and the words of it that the word list reports; within the transaction."""
ACCOUNT_AFTER_RENAMING = ["games.moderation.sanctioned.renamed"]
"""Called with a user whom a moderator has given another name, in the transaction of that."""
ACCOUNT_AFTER_LINKING = ["games.moderation.sanctioned.linked"]
"""Called with two users whose accounts are held for those of one person, what (linked, unlinked), and a key of it, in
the transaction of that."""
OPEN_TO_THOSE_SHUT_OUT = {
    *("sanctions", "appeal", "account_logout", "close_account", "set_language", "privacy", "terms", "contact"),
    *("healthz", "robots", "favicon", "offline", "worker", "manifest", "games:own_data"),
}
"""By name: the pages that somebody sees who is suspended or banned."""
ACCOUNT_AT_PLAY = "games.merging.at_play"
"""Called with a time: who has a match that is running, or ended since then."""
ACCOUNT_MERGE = {"offer": "games.merging.offer", "move": "games.merging.move"}
"""What can move from a guest to an account, and moving it; both called with the two users."""
USERSESSIONS_ADAPTER = "accounts.sessions.Adapter"
USERSESSIONS_TRACK_ACTIVITY = False
MFA_ADAPTER = "accounts.factors.Adapter"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = "Rummysite"
MFA_TOTP_TOLERANCE = 1
MFA_ALLOW_UNVERIFIED_EMAIL = True  # an address is no part of an account here

LANGUAGE_CODE = "en"
LANGUAGES = [
    ("en", _("English")),
    ("sr-latn", _("Serbian")),
    ("cs", _("Czech")),
    ("pl", _("Polish")),
    ("mk", _("Macedonian")),
]
LOCALE_PATHS = [BASE_DIR / "locale", BASE_DIR / "rummysite" / "locale"]
"""Our own texts; and texts of the libraries in languages that they lack."""
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "/static/"
STATIC_ROOT = VAR / "static"
STATIC_ROOT.mkdir(exist_ok=True)
STATICFILES_DIRS = [BASE_DIR / "rummysite" / "static"]
COLLECTED_STATIC = flag("COLLECTED_STATIC")
WHITENOISE_USE_FINDERS = not COLLECTED_STATIC
STORAGES: dict[str, Any] = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "rummysite.slim.SlimStorage"
        if COLLECTED_STATIC
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}

MAILERS: dict[str, Any] = {"default": {"BACKEND": "django.core.mail.backends.console.EmailBackend"}}
if text("SMTP_HOST"):
    MAILERS["default"] = {
        "BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "OPTIONS": {
            "host": text("SMTP_HOST"),
            "port": number("SMTP_PORT", 587),
            "username": text("SMTP_USER"),
            "password": text("SMTP_PASSWORD"),
            "use_tls": flag("SMTP_TLS", default=True),
            "timeout": 20,
        },
    }
elif flag("HTTPS"):
    MAILERS["default"] = {"BACKEND": "accounts.mail.Unsent"}  # the console's log is no place for letters
DEFAULT_FROM_EMAIL = SERVER_EMAIL = text("MAIL_FROM", "Rummysite <noreply@localhost>")

HTTPS = flag("HTTPS")
_HOST = next((host for host in ALLOWED_HOSTS if host.strip("*.") == host), "localhost")
SITE_URL = text("SITE_URL", f"https://{_HOST}" if HTTPS else f"http://{_HOST}:{text('PORT', '8000')}").rstrip("/")
"""Where links in letters lead: no page has asked for them, so that no request can tell."""
if urlsplit(SITE_URL).scheme not in ("http", "https") or urlsplit(SITE_URL).path:
    raise ImproperlyConfigured(f"SITE_URL has to be https:// and a host, it is {SITE_URL!r}.")
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = number("HSTS_SECONDS", 31_536_000 if HTTPS else 0)
SECURE_HSTS_INCLUDE_SUBDOMAINS, SECURE_HSTS_PRELOAD = flag("HSTS_SUBDOMAINS"), flag("HSTS_PRELOAD")
if SECURE_HSTS_PRELOAD and not (SECURE_HSTS_INCLUDE_SUBDOMAINS and SECURE_HSTS_SECONDS >= 31_536_000):
    raise ImproperlyConfigured("HSTS_PRELOAD=1 needs HSTS_SUBDOMAINS=1 and HSTS_SECONDS of a year at least.")
# W005, W021: what binds all subdomains, or browsers for years, is a step that the operator takes by HSTS_*.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if PROXY_HEADERS else None
SESSION_COOKIE_HTTPONLY = True
SESSION_ENGINE = "accounts.session_store"
SECURE_CSP = {
    "default-src": [CSP.SELF],
    "script-src": [CSP.SELF, CSP.NONCE],
    "style-src": [CSP.SELF],
    "connect-src": [CSP.SELF],
    "worker-src": [CSP.SELF],
    "img-src": [CSP.SELF, "data:"],
    "frame-ancestors": [CSP.NONE],
    "base-uri": [CSP.SELF],
    "form-action": [CSP.SELF],
}
LIMITED = flag("LIMITS", default=True)
DATA_UPLOAD_MAX_MEMORY_SIZE = 64 * 1024

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "filters": {"no_tokens": {"()": "rummysite.logs.NoTokens"}},
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": "plain",
            "filters": ["no_tokens"],
            "stream": sys.stderr,
        }
    },
    "root": {"handlers": ["console"], "level": text("LOG_LEVEL", "INFO")},
    "loggers": {
        "django": {"handlers": [], "propagate": True},
        # these bring handlers of their own, which know no filter
        **dict.fromkeys(("django.server", "uvicorn.access"), {"handlers": ["console"], "propagate": False}),
        "uvicorn": {"handlers": ["console"], "propagate": False, "level": "WARNING"},
    },
}
