"""The arithmetic of an entry in words: "2 undertricks × 4, doubled"."""

from collections.abc import Callable

from .i18n import N_, _, ngettext
from .model import Entry

NAMED = {
    "fine": N_("fine"),
    "adjust": N_("adjustment"),
    "prize.pool": N_("pool prize"),
    "prize.gora": N_("gora prize"),
    "prize.total-pool": N_("final pool prize"),
    "prize.total-gora": N_("final gora prize"),
}
"""Rules whose entries have no arithmetic that would tell what they are."""


def grounds(rule: str, text: str, amount: str) -> list[str]:
    """Return why an entry is there, in words: what it is, and its arithmetic if that says more."""
    named = [_(NAMED[rule])] if rule in NAMED else []
    return named if text.lstrip("+") == amount else [*named, text]  # "+12" alone explains no 12


def entry_text(entry: Entry) -> str:
    """Return the arithmetic behind an entry's amount, in the language in use."""
    kind, *numbers = entry.why
    if kind == "stated":
        return str(numbers[0])
    return ARITHMETIC[str(kind)](*map(int, numbers))


def _times(text: str, each: int, factor: int = 1) -> str:
    return f"{text} × {each}" + (_(", doubled") if factor == 2 else "")


def _tricks(count: int, each: int, factor: int = 1) -> str:
    return _times(ngettext("{n} trick", "{n} tricks", count).format(n=count), each, factor)


def _tricks_half(count: int, each: int, factor: int = 1) -> str:
    return _tricks(count, each, factor) + _(", half each")


def _undertricks(count: int, each: int, factor: int = 1) -> str:
    return _times(ngettext("{n} undertrick", "{n} undertricks", count).format(n=count), each, factor)


def _missing(count: int, each: int) -> str:
    return _times(ngettext("{n} trick short", "{n} tricks short", count).format(n=count), each)


def _missing_split(count: int, each: int) -> str:
    return _missing(count, each) + _(", half each")


def _half_whist(must: int, each: int) -> str:
    return _times(ngettext("half of {n} trick", "half of {n} tricks", must).format(n=must), each)


def _value(points: int) -> str:
    return ngettext("{n} point", "{n} points", points).format(n=points)


def _off_gora(points: int) -> str:
    return _("2 × {n} off the gora").format(n=points)


def _share(whists: int, winners: int) -> str:
    if winners == 1:
        return str(whists)
    return ngettext("{whists} between {n}", "{whists} between {n}", winners).format(
        whists=whists, n=winners
    )


ARITHMETIC: dict[str, Callable[..., str]] = {
    "value": _value,
    "off-gora": _off_gora,
    "tricks": _tricks,
    "tricks-half": _tricks_half,
    "undertricks": _undertricks,
    "consolation": _undertricks,
    "missing": _missing,
    "missing-split": _missing_split,
    "half-whist": _half_whist,
    "taken": _tricks,
    "share": _share,
}
"""How the numbers of `Entry.why` are told, by its first word; what was "stated" stands as it is."""
