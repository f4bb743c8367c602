"""The Russian catalogues: `python -m tools.catalogs` brings them up to date, `--check` only judges them.

skachki.po has every text of the package that is marked for translation; messages.po has those of
click's and typer's texts that people see. The headers hold no dates or versions, so that a diff shows
changed texts and nothing else.
"""

import ast
import io
import itertools
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

PACKAGE = Path(__file__).parent.parent / "skachki_ledger"
FOLDER = PACKAGE / "locale" / "ru" / "LC_MESSAGES"
MARKS = ("_", "N_", "ngettext")
PLURAL = "n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2"
HEADER = f"""\
Language: ru
MIME-Version: 1.0
Content-Type: text/plain; charset=UTF-8
Content-Transfer-Encoding: 8bit
Plural-Forms: nplurals=3; plural=({PLURAL});
"""
_PLACE = re.compile(r"\{[^{}]*\}|%\(\w+\)s")


class _Russian(Catalog):
    """A catalogue with a header that never changes by itself."""

    def __init__(self) -> None:
        super().__init__(locale="ru", header_comment="# Updated by python -m tools.catalogs")

    def __iter__(self) -> Iterator[Message]:
        yield Message("", HEADER)
        yield from itertools.islice(super().__iter__(), 1, None)

    def keep(self, message: Message, old: Catalog) -> None:
        """Add a message with what `old` has of it: its text, its comments, whether it is fuzzy."""
        known = old.get(message.id)
        if known is None or known.pluralizable != message.pluralizable:
            self.add(message.id).flags.clear()
            return
        kept = self.add(message.id, known.string, user_comments=known.user_comments)
        kept.flags = {"fuzzy"} if known.fuzzy else set()


def extracted() -> Catalog:
    """Return every text of the package that is marked for translation.

    Read from the syntax tree: what Babel's own extractor sees inside an f-string depends on the
    version of Python.
    """
    found = Catalog()
    for file in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_bytes())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MARKS:
                texts = [part.value for part in node.args if isinstance(part, ast.Constant)]
                if words := tuple(text for text in texts if isinstance(text, str)):
                    found.add(words if node.func.id == "ngettext" else words[0])
    return found


def updated(old: Catalog, texts: Catalog) -> Catalog:
    """Return the catalogue of `texts`, translated as in `old`."""
    new = _Russian()
    for message in texts:
        if message.id:
            new.keep(message, old)
    return new


def as_po(catalog: Catalog) -> bytes:
    """Return the text of a catalogue, sorted by message."""
    buffer = io.BytesIO()
    write_po(buffer, catalog, width=0, no_location=True, sort_output=True, ignore_obsolete=True)
    return buffer.getvalue().rstrip(b"\n") + b"\n"


def as_mo(catalog: Catalog) -> bytes:
    """Return the compiled form of a catalogue."""
    buffer = io.BytesIO()
    write_mo(buffer, catalog)
    return buffer.getvalue()


def faults(catalog: Catalog) -> list[str]:
    """Return what is wrong with the translations, one thing each."""
    found = []
    for message in catalog:
        texts, forms = _forms(message.id), _forms(message.string)
        if not message.id:
            continue
        if not all(forms) or len(forms) != (3 if message.pluralizable else 1):
            found.append(f"untranslated: {texts[0]}")
        elif message.fuzzy:
            found.append(f"fuzzy: {texts[0]}")
        else:
            allowed = [_places(text) for text in texts]
            wrong = [form for form in forms if _places(form) not in allowed]
            found += [f"placeholders differ: {texts[0]} / {form}" for form in wrong]
    return found


def _forms(text: str | list[str] | tuple[str, ...] | None) -> tuple[str, ...]:
    return tuple(text) if isinstance(text, list | tuple) else (text or "",)


def _places(text: str) -> set[str]:
    return set(_PLACE.findall(text))


def main(arguments: list[str]) -> int:
    """Update the catalogues, or with --check tell what is out of date; return the exit code."""
    if arguments not in ([], ["--check"]):
        print("usage: python -m tools.catalogs [--check]", file=sys.stderr)
        return 2
    check, wrong = bool(arguments), []
    for domain in ("skachki", "messages"):
        po, mo = FOLDER / f"{domain}.po", FOLDER / f"{domain}.mo"
        old = _read(po)
        new = updated(old, extracted() if domain == "skachki" else old)
        if check:
            wrong += _out_of_date(old, new, po, mo)
        else:
            po.write_bytes(as_po(new))
            mo.write_bytes(as_mo(new))
            wrong += [f"{po.name}: {fault}" for fault in faults(new)]
    for line in wrong:
        print(line)
    if wrong and check:
        print("The catalogues are out of date: run python -m tools.catalogs and translate what it names.")
    return 1 if wrong else 0


def _out_of_date(old: Catalog, new: Catalog, po: Path, mo: Path) -> list[str]:
    wrong = [f"{po.name}: {fault}" for fault in [*_stale(old, new), *faults(old)]]
    if not wrong and not (po.exists() and as_po(new) == po.read_bytes()):
        wrong.append(f"{po.name}: not as this program writes it")
    if not (mo.exists() and as_mo(new) == mo.read_bytes()):
        wrong.append(f"{mo.name}: not what {po.name} compiles to")
    return wrong


def _read(po: Path) -> Catalog:
    if not po.exists():
        return Catalog(locale="ru")
    with po.open("rb") as file:
        return read_po(file, locale="ru")


def _stale(old: Catalog, new: Catalog) -> list[str]:
    """Return the messages that one of the catalogues has and the other has not."""
    before, after = ({_forms(message.id): None for message in catalog} for catalog in (old, new))
    return [
        *(f"missing: {text[0]}" for text in after if text not in before),
        *(f"no longer used: {text[0]}" for text in before if text not in after),
    ]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
