"""Claims and what is computed, two records of one night: as JSON and as tables and sentences."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from . import arguing
from .arbitration import cells
from .arbitration.cells import Cell
from .arbitration.claims import Answer
from .arbitration.diff import Difference
from .i18n import _
from .journal import Game
from .names import shown
from .reports import Listing, Report, Table
from .settlement import rational

if TYPE_CHECKING:
    from fractions import Fraction


def answer_json(game: Game, answer: Answer) -> dict[str, Any]:
    """Return an answered claim with the entries behind it."""
    then = arguing.until(game, answer.claim.after)
    row: dict[str, Any] = {
        "claim": answer.claim.text,
        "claimed": str(answer.claim.number),
        "computed": str(answer.computed),
        "difference": str(answer.difference),
        "ok": answer.ok,
        "entries": list(arguing.cell(then, [answer.claim.cell]).rows),
    }
    current = _current(then, answer.claim.cell)
    return row if current is None else row | {"current_semester": str(cells.value(then.history, current))}


def _current(game: Game, one: Cell) -> Cell | None:
    """Return the cell of the current semester, where the total of all is asked about."""
    if one.account not in ("pool", "gora") or one.semester is not None:
        return None
    return one._replace(semester=game.history.state.semester)


def answers(game: Game, found: Sequence[Answer]) -> Report:
    """Return claims in a table: said, computed, difference; then the entries behind those off."""
    rows = []
    sections: list[Table | Listing] = []
    for answer in found:
        then = arguing.until(game, answer.claim.after)
        name = arguing.cell_name(answer.claim.cell, then.history.state.players)
        if answer.claim.after:
            name = _("{cell}, after deal {label}").format(cell=name, label=answer.claim.after)
        said = answer.claim.text.split()[-1]
        difference = arguing.signed(str(answer.difference))
        mark = "✓" if answer.ok else "✗"
        rows.append((name, said, str(answer.computed), difference, mark))
        if not answer.ok:
            told = arguing.cell(then, [answer.claim.cell])
            sections.append(
                Listing(
                    told.title, (*_semester_line(then, answer.claim.cell, answer.claim.number), *told.lines)
                )
            )
    headers = ("", _("said"), _("computed"), _("difference"), "")
    return Report("", (), (Table("", headers, tuple(rows), (1, 2, 3)), *sections))


def _semester_line(game: Game, one: Cell, number: "Fraction") -> list[str]:
    current = _current(game, one)
    if current is None or game.history.state.semester == 1:
        return []
    lines = [_("of it in the current semester: {cell}").format(cell=arguing.cell_title(game, current))]
    if cells.value(game.history, current) == number:
        right = _("right of semester {n} alone: claim it as «semester {n}: …»")
        lines.insert(0, right.format(n=game.history.state.semester))
    return lines


# ------------------------------------------------------------------ two records


def diff_json(row: Difference) -> dict[str, Any]:
    """Return one difference of two records with its effect on the nets of the left one."""
    return {
        "kind": row.kind,
        "left": row.left or None,
        "right": row.right or None,
        "deal": row.deal or None,
        "left_deal": row.left_at or None,
        "right_deal": row.right_at or None,
        "nets": [rational(amount) for amount in row.nets],
    }


def diff_lines(
    names: tuple[str, str], found: Sequence[Difference], players: Sequence[str], total: Sequence[int]
) -> list[str]:
    """Return differences as sentences: where, what both records say, what that moves; at last all.

    `names` are what the two records are called.
    """
    words = {
        "missing": _("only in the first"),
        "extra": _("only in the second"),
        "different": _("different"),
        "swapped": _("in the other order"),
    }
    lines = [f"< {_('first: {name}').format(name=shown(names[0]))}"]
    lines += [f"> {_('second: {name}').format(name=shown(names[1]))}"]
    for row in found:
        lines += ["", f"{_where(row)}: {words[row.kind]}"]
        for sign, at, line in (("<", row.left_at, row.left), (">", row.right_at, row.right)):
            lines += [f"  {sign} {at + '. ' if at else ''}{line}"] if line else []
        lines.append("  " + moved(_("if the second is right: {nets}"), players, row.nets))
    if len(found) > 1:
        lines += ["", moved(_("all together: {nets}"), players, total)]
    return lines


def _where(row: Difference) -> str:
    if not row.deal:
        return _("agreed for the night")
    if row.left_at:
        return _("deal {label}").format(label=row.left_at)
    if row.deal == "0":
        return _("before the first deal")
    return _("after deal {label}").format(label=row.deal)


def moved(text: str, players: Sequence[str], nets: Sequence[int]) -> str:
    """Return how nets move, those that do: "if the second is right: Anna +36, Boris -36"."""
    parts = [
        f"{name} {arguing.signed(rational(amount))}"
        for name, amount in zip(players, nets, strict=True)
        if amount
    ]
    return text.format(nets=", ".join(parts)) if parts else _("moves no net")
