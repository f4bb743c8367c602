"""The language of every text: one process speaks Russian or English at a time.

Code is written in English; `_` and `ngettext` translate through the package's own gettext catalogue.
Texts that stand in tables are marked with `N_` there and translated when they are shown.
"""

import gettext as _gettext
import os

LANGUAGES = ("en", "ru")
_DOMAIN = "skachki"

_current: _gettext.NullTranslations = _gettext.NullTranslations()
_language = "en"


def use(language: str) -> None:
    """Make `language` ("en" or "ru") the one all later texts are in."""
    global _current, _language
    _language = language
    if language == "en":
        _current = _gettext.NullTranslations()
    else:
        folder = os.path.join(os.path.dirname(__file__), "locale")
        _current = _gettext.translation(_DOMAIN, folder, [language], fallback=True)


def language() -> str:
    """Return the language in use, "en" or "ru"."""
    return _language


def choose(wanted: str | None, environ: dict[str, str]) -> str:
    """Return the language to speak: `wanted`, else SKACHKI_LANG, else the locale's, else English."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if environ.get(name):
            locale = environ[name]
            break
    else:
        locale = ""
    for candidate in (wanted, environ.get("SKACHKI_LANG"), locale):
        if candidate:
            return "ru" if candidate.lower().startswith("ru") else "en"
    return "en"


def _(text: str) -> str:
    """Return `text` in the language in use."""
    return _current.gettext(text) if text else ""


def ngettext(one: str, many: str, n: int) -> str:
    """Return the form of the text that goes with `n`, in the language in use."""
    return _current.ngettext(one, many, n)


def N_(text: str) -> str:
    """Mark `text` for translation where it stands; it is translated when shown."""
    return text
