"""Slips in words: what stands where, what should, and how a slip of the paper came about."""

from collections.abc import Callable, Sequence

from .. import canon, rules
from ..i18n import N_, _
from ..model import SEATS, WHIST
from .effects import Base
from .reconcile import Contradiction
from .slips import Slip

KINDS: dict[str, str] = {
    "tricks": N_("tricks at the wrong player"),
    "calls": N_("whist, pass or half called otherwise"),
    "level": N_("level off by one"),
    "declarer": N_("another declarer"),
    "strain": N_("another strain"),
    "dest": N_("pool and gora mixed up"),
    "outbid": N_("/m forgotten or wrong"),
    "misere-tricks": N_("misère tricks off by one"),
    "allpass-tricks": N_("a trick of the all-pass at the wrong player"),
    "allpass-swap": N_("two players' all-pass tricks swapped"),
    "left-out": N_("a deal left out"),
    "twice": N_("a deal entered twice"),
    "swapped": N_("two deals in the wrong order"),
    "fine-missing": N_("a fine left out"),
    "fine-twice": N_("a fine written twice"),
    "fine-seat": N_("a fine on the wrong player"),
    "paper-price": N_("on paper: all-pass at another price"),
    "paper-double": N_("on paper: whists not doubled"),
    "paper-gentleman": N_("on paper: gentleman's whist not halved"),
    "paper-consolation": N_("on paper: consolation not written"),
    "paper-short": N_("on paper: shortage fined wrongly"),
    "paper-clean": N_("on paper: clean all-pass written wrongly"),
    "paper-prize": N_("on paper: prize written wrongly"),
    "paper-sum": N_("on paper: added up wrongly"),
    "paper-cell": N_("on paper: an entry in the wrong cell"),
    "switch": N_("a rule read otherwise"),
}
"""What each kind of slip is called."""

ANYWHERE = ("by",)
"""Notes of paper slips whose place cannot be known: a sum may go wrong anywhere."""


def kind_text(kind: str) -> str:
    """Return what a kind of slip is called."""
    return _(KINDS[kind])


def recorded(base: Base, slip: Slip, tokens: canon.Tokens = canon.CANONICAL) -> str | None:
    """Return the line that stands in the record; None where there is none."""
    if slip.where == "rules" or slip.note[:1] == ANYWHERE:
        return None
    if slip.where == "ledger" and slip.removed == 0:
        return None
    taken = base.steps[slip.at]
    return canon.line(taken.event, taken.players, tokens)


def instead(base: Base, slip: Slip, tokens: canon.Tokens = canon.CANONICAL) -> str | None:
    """Return the line that should stand there; None where there is none."""
    if not slip.events:
        return None
    at = min(slip.at, base.end - 1)
    players = base.steps[at].players if base.steps else base.history.start.players
    return canon.line(slip.events[0], players, tokens)


def deal_of(base: Base, slip: Slip) -> str | None:
    """Return the label of the deal it is about; of what was left out, the deal it goes before."""
    if slip.where == "rules" or slip.note[:1] == ANYWHERE:
        return None
    if slip.at >= base.end:
        return None
    if slip.where == "ledger" and slip.removed == 0:
        at = base.next_deal[slip.at]
        return base.steps[at].label if at < base.end else None
    return base.steps[slip.at].label or None


def second_of(base: Base, slip: Slip) -> str | None:
    """Return the label of the other deal of two: the later one that was swapped, or the equal one."""
    return base.steps[slip.second].label or None if slip.second >= 0 else None


def slip_text(base: Base, slip: Slip) -> str:
    """Return one slip as a sentence."""
    if slip.where == "rules":
        text = _("{switch} = {value} all night, not {now}")
        now = rules.switches(base.header.rules)[slip.switch]
        shown = {"value": rules.show_value(slip.value), "now": rules.show_value(now)}
        return text.format(switch=slip.switch, **shown)
    if slip.where == "paper":
        return _paper(base, slip)
    return _record(base, slip)


def _record(base: Base, slip: Slip) -> str:
    deal, other = deal_of(base, slip), second_of(base, slip)
    kind, new = kind_text(slip.kind), instead(base, slip, canon.shown(signs=False))
    if slip.kind == "swapped":
        return _("deals {first} and {second} stand in the wrong order").format(first=deal, second=other)
    if slip.removed == 0:
        if deal is None:
            return _("{kind} after the last deal: {line}").format(kind=kind, line=new)
        return _("{kind} before deal {deal}: {line}").format(kind=kind, deal=deal, line=new)
    old = recorded(base, slip, canon.shown(signs=False))
    if new is None:
        return _("{at}: {kind}: {line}").format(at=_at(base, slip), kind=kind, line=old)
    text = _("{at}: {recorded}, not {instead} ({kind})")
    return text.format(at=_at(base, slip), recorded=new, instead=old, kind=kind)


def _at(base: Base, slip: Slip) -> str:
    """Return where a line stands: its deal, or after which deal an event between deals does."""
    label = base.steps[slip.at].label
    if label:
        return _("deal {label}").format(label=label)
    before = [taken.label for taken in base.steps[: slip.at] if taken.label]
    return _("after deal {label}").format(label=before[-1] if before else "0")


# ------------------------------------------------------------------ the paper


def _paper(base: Base, slip: Slip) -> str:
    said = _TOLD[slip.kind](base, slip)
    if slip.note[:1] == ANYWHERE:
        return f"{kind_text(slip.kind)}: {said}"
    return f"{_at(base, slip)}, {kind_text(slip.kind)}: {said}"


def _name(base: Base, seat: str | int) -> str:
    return base.history.state.players[int(seat)]


def _cell(base: Base, account: str | int, seat: str | int, on: str | int = -1) -> str:
    """Return a cell's name, the game's."""
    if account == "whists":
        return _("{name}'s whists on {on}").format(name=_name(base, seat), on=_name(base, on))
    text = _("{name}'s pool") if account == "pool" else _("{name}'s gora")
    return text.format(name=_name(base, seat))


def _price(_base: Base, slip: Slip) -> str:
    return _("at {price}, not {right}").format(price=slip.note[1], right=slip.note[0])


def _double(base: Base, slip: Slip) -> str:
    what = {
        "all": _("all whists"),
        "consolation": _("the consolation"),
        "tricks": _("the whists for tricks"),
    }
    if slip.note[0] == "writer":
        return _("{name}'s whists").format(name=_name(base, slip.note[1]))
    return what[str(slip.note[0])]


def _gentleman(base: Base, slip: Slip) -> str:
    whister, passer = (_name(base, seat) for seat in slip.note)
    return _("{whister} wrote {passer}'s half too").format(whister=whister, passer=passer)


def _consolation(base: Base, slip: Slip) -> str:
    return _name(base, slip.note[0])


def _short(base: Base, slip: Slip) -> str:
    if slip.note[0] == "other":
        text = _("on {other}, not {name}")
        return text.format(other=_name(base, slip.note[2]), name=_name(base, slip.note[1]))
    who = _("both") if slip.note[1] == -1 else _name(base, slip.note[1])
    return _("at the full price, {who}").format(who=who)


def _clean(base: Base, slip: Slip) -> str:
    name = _name(base, slip.note[1])
    if slip.note[0] == "price":
        text = _("{name}, at {price}, not {right}")
        return text.format(name=name, price=slip.note[3], right=slip.note[2])
    account = _("in the pool") if slip.note[2] == "pool" else _("off the gora")
    return f"{name}, {account}"


def _prize(base: Base, slip: Slip) -> str:
    how, kind, semester = slip.note[:3]
    which = _("pool prize") if kind == "pool" else _("gora prize")
    when = _("of semester {number}").format(number=semester) if semester else _("at the end")
    if how == "missing":
        what = _("missing")
    elif how == "each":
        what = _("not shared")
    else:
        names = [_name(base, seat) for seat in SEATS if int(slip.note[3]) >> seat & 1]
        what = _("written by {names}").format(names=", ".join(names))
    return f"{which} {when}, {what}"


def _sum(base: Base, slip: Slip) -> str:
    cell = _cell(base, *slip.note[2 if slip.note[0] == "by" else 3 :])
    if slip.amounts[0][1] != "whists":
        cell = _("{cell}, semester {number}").format(cell=cell, number=slip.amounts[0][0])
    if slip.note[0] == "by":
        return f"{cell}: {int(slip.note[1]):+}"
    text = _("{cell}: {wrong} for {right}")
    return text.format(cell=cell, wrong=slip.note[2], right=slip.note[1])


def _wrong_cell(base: Base, slip: Slip) -> str:
    amount = abs(slip.amounts[0][4])
    shown = amount / WHIST if slip.note[0] == "whists" else amount
    text = _("{amount} in {wrong}, not in {right}")
    right, wrong = _cell(base, *slip.note[:3]), _cell(base, *slip.note[3:])
    return text.format(amount=f"{shown:g}", wrong=wrong, right=right)


_TOLD: dict[str, Callable[[Base, Slip], str]] = {
    "paper-price": _price,
    "paper-double": _double,
    "paper-gentleman": _gentleman,
    "paper-consolation": _consolation,
    "paper-short": _short,
    "paper-clean": _clean,
    "paper-prize": _prize,
    "paper-sum": _sum,
    "paper-cell": _wrong_cell,
}


# ------------------------------------------------------------------ claims that cannot be


def contradiction_text(found: Contradiction) -> str:
    """Return as a sentence why no game has the claimed numbers."""
    said = ", ".join(claim.text for claim in found.claims)
    texts = {
        "nets": _("the four nets sum to {amount}, not 0: {claims}"),
        "twice": _("two numbers for one cell: {claims}"),
        "fraction": _("no game reaches this number: {claims}"),
        "pool": _("no game reaches this pool, only paper that is added up wrongly: {claims}"),
        "sum": _("does not add up, by {amount}: {claims}"),
    }
    return texts[found.kind].format(amount=found.amount, claims=said)


def labels_alike(base: Base, slips: Sequence[Slip]) -> list[str]:
    """Return the deals of slips of one kind, each once, in order of play."""
    ordered = sorted(slips, key=lambda slip: slip.at)
    return list(dict.fromkeys(label for slip in ordered if (label := deal_of(base, slip)) is not None))
