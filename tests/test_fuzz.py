"""Whatever bytes and words come in: success or a clear refusal, in both languages, never a traceback.

Commands run in this process, hundreds a second; sizes are tried in processes of their own. What
Hypothesis draws is the same every time here; `pytest -m long` draws other and more.
"""

from __future__ import annotations

import contextlib
import functools
import io
import json
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import random_games
from conftest import SKACHKI, clean_environment
from hypothesis import given, settings
from hypothesis import strategies as st

from skachki_ledger import gamefile, i18n, journal, journalfile, lexer, notation, store
from skachki_ledger.cli.main import run
from skachki_ledger.errors import NotationError
from skachki_ledger.names import Seats

DATA = Path(__file__).parent / "data"
LEDGER = (DATA / "ledger-v1.db").read_bytes()
JOURNAL = (DATA / "ledger-v1.jsonl").read_text(encoding="utf-8")
LONG = settings(settings.get_profile("long"))
SHORT = settings(max_examples=40)

# ------------------------------------------------------------------ one command line, in this process

BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def unsafe(text: str) -> set[str]:
    """What of a text could steer a terminal or turn it round: all but line breaks."""
    return {char for char in text if unicodedata.category(char) == "Cc" or char in BIDI} - {"\n"}


class Said(NamedTuple):
    """What one command line came to."""

    code: int
    out: str
    err: str


def call(*arguments: str, stdin: bytes = b"") -> Said:
    """Run one command line in this process; whatever it does not refuse itself is raised here."""
    out, err = io.BytesIO(), io.BytesIO()
    streams = sys.stdin, sys.stdout, sys.stderr
    ours = (
        io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"),
        io.TextIOWrapper(out, encoding="utf-8"),
        io.TextIOWrapper(err, encoding="utf-8"),
    )
    sys.stdin, sys.stdout, sys.stderr = ours
    try:
        code = run(arguments)
        ours[1].flush()
        ours[2].flush()
    finally:
        sys.stdin, sys.stdout, sys.stderr = streams
    i18n.use("en")
    return Said(code, out.getvalue().decode("utf-8"), err.getvalue().decode("utf-8"))


def tame(*arguments: str, stdin: bytes = b"") -> Said:
    """Run one command line in both languages: success or a refusal in words, and nothing unsafe."""
    said = Said(2, "", "")
    for language in ("ru", "en"):
        said = call(*arguments, "--lang", language, stdin=stdin)
        assert said.code in (0, 1, 2), (arguments, said)
        assert not unsafe(said.out.replace("\r\n", "\n") + said.err), (arguments, said)
        assert "Traceback" not in said.err
        if said.code == 2:
            assert said.err, arguments
        elif "--json" in arguments:
            assert all(isinstance(json.loads(line), dict) for line in said.err.splitlines()), (
                arguments,
                said,
            )
    return said


@contextmanager
def folder() -> Iterator[Path]:
    """A folder of one's own to stand in: Hypothesis runs a test many times in one `tmp_path`."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as name:
        os.chdir(name)
        try:
            yield Path(name)
        finally:
            os.chdir(before)


# ------------------------------------------------------------------ what is fed


def words(text: str) -> list[str]:
    """Return the words of a text."""
    return text.split()


PLAYERS = ("Anna", "Boris", "Vera", "Gleb")
HEADER = '[Players "Anna, Boris, Vera, Gleb"]\n'

WORDS = st.one_of(
    st.sampled_from(
        words("""
    1 2 3 4 5 Anna Boris vera г А 6s 7d 7♦ 9т/м 10n 11c wp ww pp ph wh вп m м r р r@4 r@0 r@
    @g @p @п @ pool gora whists all 7/3 7/2/1 7.2.1 0 10 -3 +3 99999999999999999999 0/0/0/0
    3/4/2/1 1e3 ½ ² ٣ fine adjust dealer seat stop final agree note irregular undo redo amend
    void insert rename rule reopen нарушение правка заметка -- - " \\ ; [ ] [x] без трёх
""")
    ),
    st.sampled_from(
        ('"a b"', '"Zoya"', '""', '"\\""', "\t", "\x00", "\x1b[31m", "\u202e", "\ufeff", "\x85")
    ),
    st.text(max_size=6),
)
LINES = st.lists(WORDS, max_size=9).map(" ".join)
TAGS = st.builds(
    lambda name, value: f'[{name} "{value}"]',
    st.sampled_from(("Players", "Dealer", "Rules", "Rule", "Stake", "Date", "Game", "Event", "Round")),
    st.one_of(
        st.sampled_from(
            ("Anna, Boris, Vera, Gleb", "A,B", "piter", "piter@9", "target = 0", "target=9" * 9, "0.50 RUB")
        ),
        st.sampled_from(("9" * 40, "-1 RUB", "2026-02-30", "semesters = 99999999999", "= = =")),
        st.text(max_size=20),
    ),
)
FILES = st.builds(
    lambda head, rows, end: head + end.join(rows),
    st.sampled_from((HEADER, HEADER, HEADER, "", "\ufeff" + HEADER)),
    st.lists(st.one_of(LINES, LINES, TAGS, st.text(max_size=20)), max_size=8),
    st.sampled_from(("\n", "\r\n", "\r")),
)


@functools.cache
def nights() -> tuple[str, ...]:
    """Whole legal games to spoil."""
    return tuple(random_games.night(seed).text() for seed in range(6))


@st.composite
def spoilt(draw: st.DrawFn, source: st.SearchStrategy[bytes]) -> bytes:
    """Bytes of which some are flipped, zeroed, cut out, doubled or put in, or the rest cut off."""
    data = bytearray(draw(source))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, max(0, len(data) - 1)))
        size = draw(st.sampled_from((1, 2, 7, 64, 512, 4096)))
        match draw(st.integers(0, 6)):
            case 0 if data:
                data[at] ^= 1 << draw(st.integers(0, 7))
            case 1:
                data[at : at + size] = bytes(len(data[at : at + size]))
            case 2:
                del data[at : at + size]
            case 3:
                data[at:at] = data[at : at + size]
            case 4:
                data[at:at] = draw(st.one_of(st.binary(max_size=8), st.text(max_size=4).map(_utf8)))
            case 5 if draw(st.booleans()):
                del data[at:]
            case _:
                data[at : at + 1] = draw(
                    st.sampled_from((b"\x00", b"\xff", b'"', b"\n", b"/", b"\x1b", b"\x9b"))
                )
    return bytes(data)


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


# ------------------------------------------------------------------ lines and files


def check_line(text: str) -> None:
    """A line is read or refused; the words of a command line are too."""
    seats = Seats(PLAYERS)
    with contextlib.suppress(NotationError):
        notation.read_line(text, seats)
    with contextlib.suppress(NotationError):
        notation.read_words(text.split(" "), seats)
    with contextlib.suppress(NotationError):
        found, columns = lexer.tokenize(text)
        assert len(found) == len(columns)


def check_file(data: bytes) -> None:
    """A file is scored and imported whole, or refused with its faults; what is written reads back."""
    with folder() as here:
        (here / "x.skachki").write_bytes(data)
        scored = tame("score", "x.skachki", "--json", "--log")
        taken = tame("import", "x.skachki", "--db", "l.db")
        assert scored.code == taken.code or journalfile.is_journal(data.decode("utf-8", "replace"))
        tame("diff", "x.skachki", "--db", "l.db")
        if taken.code == 0:
            text = call("export", "--db", "l.db").out
            assert gamefile.read(text).faults == ()
            kept = call("export", "--format", "journal", "--db", "l.db").out
            assert journalfile.write(journalfile.read(kept)) == kept


TEXTS = st.one_of(FILES.map(_utf8), spoilt(st.sampled_from([night.encode() for night in nights()])))
JOURNALS = spoilt(st.just(JOURNAL.encode()))


@settings(max_examples=400)
@given(LINES)
def test_any_line(text: str) -> None:
    check_line(text)


@settings(max_examples=60)
@given(TEXTS)
def test_any_file(data: bytes) -> None:
    check_file(data)


@pytest.mark.long
@LONG
@given(st.one_of(LINES, st.text()))
def test_any_line_long(text: str) -> None:
    check_line(text)


@pytest.mark.long
@LONG
@given(st.one_of(TEXTS, JOURNALS, st.binary()))
def test_any_file_long(data: bytes) -> None:
    check_file(data)


# ------------------------------------------------------------------ journals

FIELDS = ("game", "n", "at", "by", "payload", "typed", "reason", "client_id", "announced")
VALUES = st.one_of(
    st.sampled_from(
        ("", "\x1b[2J", "\u202e", "9999-99-99T99:99:99Z", "2026-02-30T10:00:00Z", "undo", "redo")
    ),
    st.sampled_from(
        ("void e2", "void 1", "void e999999999", "amend 1: r 1/4/4/1", "insert e2: insert 1: undo")
    ),
    st.sampled_from(
        ("reopen", 'rename 1 "Zoya"', 'rename 9 "x"', "rule target = 1", "stop final", "agree")
    ),
    st.sampled_from(
        ('seat 1 "Boris"', "rule forced_after = 9,10", HEADER, "[Rules", "null", "[]", "{}", "[" * 900)
    ),
    st.sampled_from(
        ('{"dealer":9,"semester":1,"price":2}', '{"dealer":2,"semester":7,"price":null}', "true")
    ),
    LINES,
    st.text(max_size=12),
    st.none(),
    st.integers(-3, 2**70),
)


@st.composite
def forged(draw: st.DrawFn) -> list[journal.Record]:
    """A journal somebody wrote by hand, its hashes right: any fields may say anything."""
    drafts = [
        journal.Draft("\n".join((HEADER.strip(), '[Rules "piter@1"]')), "x"),
        *(
            journal.Draft(line, line, None, None, f'{{"dealer":{seat},"semester":1,"price":2}}')
            for seat, line in enumerate(("r 2/4/3/1", "3 7d wp 7/3", "r 1/4/4/1"), 1)
        ),
    ]
    whole = journal.chained("g", [], drafts, "2026-01-02T20:00:00Z", "x")
    changes = draw(
        st.lists(st.tuples(st.integers(0, 3), st.sampled_from(FIELDS), VALUES), min_size=1, max_size=2)
    )
    records, prev = list(whole), ""
    for at, field, value in changes:
        plain = int if field == "n" else str
        if isinstance(value, plain) or (value is None and field in ("reason", "client_id", "announced")):
            changed: dict[str, Any] = {field: value}
            records[at] = records[at]._replace(**changed)
    for at, record in enumerate(records):
        records[at] = record._replace(game=records[0].game, prev=prev, hash="")
        try:
            prev = journal.record_hash(records[at])
        except UnicodeEncodeError:
            return whole
        records[at] = records[at]._replace(hash=prev)
    return records


READ = (
    "status",
    "standing",
    "log",
    "history",
    "check",
    "games",
    "settle",
    "verify",
    "undo",
    "export",
    "sheet",
)


def check_journal(records: list[journal.Record], commands: Sequence[str]) -> None:
    """A forged journal is refused or taken; in a ledger it is refused or shown, never worse."""
    with folder() as here:
        (here / "x.jsonl").write_text(journalfile.write(records), encoding="utf-8")
        tame("import", "x.jsonl", "--db", "new.db")
        with store.writing("l.db", create=True) as connection:
            try:
                store.write(connection, records, begins=True)
            except (sqlite3.Error, OverflowError):  # not even SQLite takes it
                return
            store.make_current(connection, records[0].game)
        for command in commands:
            tame(command, "--db", "l.db")
            tame(command, "--db", "l.db", "--json")


@settings(max_examples=60)
@given(JOURNALS)
def test_any_journal(data: bytes) -> None:
    check_file(data)


@settings(max_examples=50)
@given(forged(), st.lists(st.sampled_from(READ), min_size=3, max_size=3, unique=True))
def test_any_forged_journal(records: list[journal.Record], commands: list[str]) -> None:
    check_journal(records, commands)


@pytest.mark.long
@LONG
@given(forged())
def test_any_forged_journal_long(records: list[journal.Record]) -> None:
    check_journal(records, READ)


# ------------------------------------------------------------------ claims, sheets, options

JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.just("7/0")),
    lambda inner: st.one_of(
        st.lists(inner, max_size=5), st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=12,
)
ROWS = st.one_of(JSON, st.lists(st.one_of(st.none(), st.integers(-99, 99), JSON), min_size=4, max_size=4))
SHEETS = st.one_of(
    JSON,
    st.dictionaries(
        st.sampled_from(("pool", "gora", "whists", "net", "pool_total", "gora_total", "game", "format")),
        st.one_of(ROWS, st.lists(ROWS, max_size=4), st.fixed_dictionaries({"players": ROWS})),
    ),
).map(lambda value: json.dumps(value).encode())
CLAIMS = st.one_of(
    st.lists(
        st.one_of(
            st.sampled_from(
                words("""
    after 1: 99: 0a: semester 2: после 1 ~ ~3 7070/3 1/0 -0 1,5 ± pool gora net whists Anna 2
    г
""")
            ),
            WORDS,
        ),
        max_size=7,
    ).map(" ".join),
    st.text(max_size=30),
)


@contextmanager
def small_ledger() -> Iterator[Path]:
    """A ledger with a game of three deals, to ask things of."""
    with folder() as here:
        (here / "x.skachki").write_text(HEADER + "r 2/4/3/1\nVera 7d wp 7/3\nAnna m 0\n", encoding="utf-8")
        assert call("import", "x.skachki", "--db", "l.db").code == 0
        yield here


def check_claims(claims: list[str], sheet: bytes) -> None:
    """Any claim and any sheet is answered or refused."""
    with small_ledger() as here:
        (here / "sheet.json").write_bytes(sheet)
        (here / "claims").write_text("\n".join(claims), encoding="utf-8", errors="replace")
        for more in ((), ("--json",)):
            tame("claim", "--sheet", "sheet.json", "--db", "l.db", *more)
            tame("claim", "--file", "claims", "--db", "l.db", *more)
        tame("claim", *(text for text in claims if not text.startswith("-")), "--db", "l.db")


@SHORT
@given(st.lists(CLAIMS, max_size=4), st.one_of(SHEETS, st.binary(max_size=20)))
def test_any_claim(claims: list[str], sheet: bytes) -> None:
    check_claims(claims, sheet)


@pytest.mark.long
@LONG
@given(st.lists(CLAIMS, max_size=4), st.one_of(SHEETS, spoilt(SHEETS)))
def test_any_claim_long(claims: list[str], sheet: bytes) -> None:
    check_claims(claims, sheet)


COMMANDS = words("""
    new deal status standing log history settle undo redo import export use games check rules
    score sheet chart verify backup restore merge recover explain register rule-text claim
    diff whatif amend void insert rename rule play watch сдача счёт что x
""")
OPTIONS = words("""
    --json --game --suits --after --tablefmt --format --expect --id --by --dry-run --bom -o
    --deal --semester --head --reason --yes --dealer --before --reopen --title --date --stake
    --rules --rule --again --force --sheet --file --diff --log --max-slips --help --version
    --x -x -- --db
""")
ODD = st.text(max_size=6).filter(lambda text: "\0" not in text)
ARGUMENTS = st.lists(
    st.one_of(
        st.sampled_from(OPTIONS),
        WORDS.filter(lambda text: "\0" not in text),
        ODD,
        st.sampled_from(
            ("x.skachki", "l.db", "new.db", "1", "2", "e2", "Anna", "deal", "without", "piter", "json")
        ),
    ),
    max_size=6,
)


def check_arguments(command: str, arguments: list[str]) -> None:
    """Any words after any command are done, refused or misuse; "/" would let them leave the folder."""
    with small_ledger():
        words = [word.replace("/", "").replace("..", "") if "@" not in word else "r" for word in arguments]
        tame(command, *words, "--db", "l.db")


@settings(max_examples=150)
@given(st.sampled_from(COMMANDS), ARGUMENTS)
def test_any_arguments(command: str, arguments: list[str]) -> None:
    check_arguments(command, arguments)


@pytest.mark.long
@LONG
@given(st.sampled_from(COMMANDS), ARGUMENTS)
def test_any_arguments_long(command: str, arguments: list[str]) -> None:
    check_arguments(command, arguments)


# ------------------------------------------------------------------ a ledger's bytes

ON_LEDGER: tuple[tuple[str, ...], ...] = (
    ("status",),
    ("standing",),
    ("log",),
    ("deal", "r", "3/3/3/1"),
    ("verify",),
    ("recover", "l.db", "-o", "new.db"),
    ("games",),
    ("history",),
    ("undo",),
    ("check",),
    ("backup", "new.db"),
    ("restore", "l.db", "--force"),
    ("merge", "l.db"),
)


def check_ledger(data: bytes, commands: Sequence[tuple[str, ...]]) -> None:
    """A damaged ledger is refused, or what it still says is right: verify and recover never fail."""
    for words in commands:
        with folder() as here:
            (here / "l.db").write_bytes(data)
            (here / "other.db").write_bytes(LEDGER)
            tame(*words, "--db", "other.db" if words[0] in ("restore", "merge") else "l.db")
            (here / "l.db").write_bytes(data)
            for name in ("new.db", "new.db-journal", "l.db-journal"):
                (here / name).unlink(missing_ok=True)
            tame(*words, "--json", "--db", "l.db")


def _spoil_page(seed: int) -> bytes:
    """Flip, zero and cut as a disk does: anywhere, but the schema and the header more than their share."""
    rng = random.Random(seed)
    data = bytearray(LEDGER)
    for _ in range(rng.choice((1, 1, 2, 5, 40))):
        at = rng.randrange(len(data) if rng.random() < 0.6 else 4096)
        size = rng.choice((1, 1, 16, 64, 512, 4096))
        match rng.randrange(6):
            case 0 | 1:
                data[at] ^= 1 << rng.randrange(8)
            case 2:
                data[at : at + size] = bytes(len(data[at : at + size]))
            case 3:
                data[at : at + size] = rng.randbytes(len(data[at : at + size]))
            case 4 if rng.random() < 0.3:
                del data[max(at, 1) :]
            case _:
                data[at] = rng.randrange(256)
        if len(data) < 4096:
            break
    return bytes(data)


@SHORT
@given(st.integers(0, 2**32), st.lists(st.sampled_from(ON_LEDGER), min_size=3, max_size=3, unique=True))
def test_any_bytes_in_a_ledger(seed: int, commands: list[tuple[str, ...]]) -> None:
    check_ledger(_spoil_page(seed), commands)


@pytest.mark.long
@LONG
@given(st.integers(0, 2**32))
def test_any_bytes_in_a_ledger_long(seed: int) -> None:
    check_ledger(_spoil_page(seed), ON_LEDGER)


@pytest.mark.parametrize("words", ON_LEDGER, ids=lambda words: words[0])
def test_a_schema_that_is_no_text(words: tuple[str, ...]) -> None:
    """A flipped bit in the schema's SQL: SQLite's own message about it is no UTF-8 then."""
    broken = LEDGER.replace(b"CREATE TABLE event", b"CREATE T\xf8BLE event")
    assert broken != LEDGER
    check_ledger(broken, [words])


# ------------------------------------------------------------------ sizes


class Ran(NamedTuple):
    """How a process ended, what it said on standard error, and what it took."""

    code: int
    err: str
    seconds: float
    peak_mb: float


LAUNCHER = """
import os, sys
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(child, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss)
"""
"""A child's peak memory begins with what its parent had; this parent is a small one."""


def process(home: Path, *arguments: str, stdin: Path | None = None) -> Ran:
    """Run the installed command; seconds are of processor time, which a busy machine leaves alone."""
    with open(stdin or os.devnull, "rb") as source:
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", LAUNCHER, str(SKACHKI), *arguments],
            cwd=home,
            env=clean_environment(home),
            stdin=source,
            capture_output=True,
            encoding="utf-8",
            check=True,
            timeout=120,
        )
    code, seconds, peak = done.stdout.splitlines()[-1].split()
    return Ran(
        int(code), done.stderr, float(seconds), int(peak) / (1 << (10 if sys.platform != "darwin" else 20))
    )


def sparse(path: Path, start: bytes, size: int) -> None:
    """Write a file of zero bytes after a start, which takes no room on the disk."""
    with open(path, "wb") as file:
        file.write(start)
        file.truncate(size)


MB = 1 << 20
HUGE: dict[str, tuple[str, Callable[[Path], object]]] = {
    "a line of 100 MB": ("E306", lambda path: sparse(path, b"", 100 * MB)),
    "a line of 100 MB after tags": ("E306", lambda path: sparse(path, HEADER.encode(), 100 * MB)),
    "a line of 15 MB": ("E125", lambda path: path.write_text(HEADER + "r 2/4/3/1 " + "x " * (7 * MB))),
    "an open quote of 15 MB": ("E125", lambda path: path.write_text(HEADER + 'note "' + "\\" * (15 * MB))),
    "10 million lines": ("E142", lambda path: path.write_bytes(b"\n" * 10_000_000)),
    "10 million old lines": ("E142", lambda path: path.write_bytes(HEADER.encode() + b"\r" * 10_000_000)),
    "10 million deals": (
        "E306",
        lambda path: path.write_bytes(HEADER.encode() + b"r 2/4/3/1\n" * 10_000_000),
    ),
    "a name of 1 MB": ("E125", lambda path: path.write_text('[Players "' + "A" * MB + ', B, C, D"]\n')),
    "a newcomer's name of 1 MB": ("E125", lambda path: path.write_text(f'{HEADER}seat 1 "{"A" * MB}"\n')),
    "a tag of 1 MB": ("E125", lambda path: path.write_text(f'{HEADER}[Event "{"A" * MB}"]\n')),
    "100,000 brackets": ("E326", lambda path: path.write_text('{"a":' + "[" * 100_000)),
    "brackets in a line that is short enough": (
        "E326",
        lambda path: path.write_text('{"a":' + "[" * 19_000),
    ),
    "a journal of 10 million blank lines": ("E326", lambda path: path.write_text("{" + "\n" * 10_000_000)),
    "a journal's line of 15 MB": ("E326", lambda path: path.write_text('{"format": "' + "x" * (15 * MB))),
}


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """What a night of the usual size takes, the least of three."""
    home = tmp_path_factory.mktemp("usual")
    (home / "x.skachki").write_text(nights()[0], encoding="utf-8")
    return min(
        (process(home, "import", "x.skachki", "--db", "l.db") for _ in range(3)),
        key=lambda ran: ran.seconds,
    )


@pytest.mark.parametrize("kind", HUGE)
def test_what_is_too_large_is_refused_early(kind: str, tmp_path: Path, usual: Ran) -> None:
    code, make = HUGE[kind]
    make(tmp_path / "x.skachki")
    for command in ("import", "score"):
        if command == "score" and code == "E326":
            continue  # to score a journal is no more than a game file without tags
        ran = process(tmp_path, command, "x.skachki", "--db", "l.db")
        assert (ran.code, code in ran.err) == (1, True), ran.err[:300]
        assert len(ran.err) < 2000
        assert "Traceback" not in ran.err
        assert ran.peak_mb < usual.peak_mb + 160, kind
        assert ran.seconds < 12 * usual.seconds, kind
    assert not (tmp_path / "l.db").exists()


def test_standard_input_without_an_end(tmp_path: Path, usual: Ran) -> None:
    ran = process(tmp_path, "import", "-", "--db", "l.db", stdin=Path("/dev/zero"))
    assert (ran.code, "E306" in ran.err) == (1, True)
    assert ran.peak_mb < usual.peak_mb + 160


@pytest.mark.parametrize(
    ("option", "text"),
    [
        ("--sheet", "[" * 100_000),
        ("--sheet", '{"pool":' * 100_000),
        ("--sheet", '{"net": [' + "9" * 100_000 + ", 1, 1, 1]}"),
        ("--sheet", '{"net": [1e999, NaN, 1, 1]}'),
        ("--file", "Anna pool " + "9" * MB),
    ],
    ids=lambda text: str(text)[:12],
)
def test_deep_or_long_claims_are_refused(option: str, text: str, tmp_path: Path, usual: Ran) -> None:
    (tmp_path / "x.skachki").write_text(HEADER + "r 2/4/3/1\n", encoding="utf-8")
    (tmp_path / "claims").write_text(text, encoding="utf-8")
    assert process(tmp_path, "import", "x.skachki", "--db", "l.db").code == 0
    ran = process(tmp_path, "claim", option, "claims", "--db", "l.db")
    assert (ran.code, "Traceback" in ran.err) == (1, False), ran.err[-500:]
    assert len(ran.err) < 2000
    assert ran.peak_mb < usual.peak_mb + 160
    assert ran.seconds < 12 * usual.seconds


def test_as_many_lines_as_a_file_may_have(tmp_path: Path, usual: Ran) -> None:
    """Nonsense line by line, each refused: the time grows no faster than the file."""
    sizes = (1_900, 19_000)
    taken = []
    for lines in sizes:
        (tmp_path / "x.skachki").write_text(HEADER + "Анна 7d wp 7/4 bb\n" * lines, encoding="utf-8")
        ran = process(tmp_path, "score", "x.skachki")
        assert (ran.code, len(ran.err.splitlines())) == (1, lines)
        assert ran.peak_mb < usual.peak_mb + 200
        taken.append(max(ran.seconds - usual.seconds / 2, 0.01))
    assert taken[1] / taken[0] < 25
