"""The ledger's triggers as every release so far has shipped them: writers compare before they write.

They stand here as text, apart from the migrations that make them, so that hot commands need not
load a migration library; a test holds the two together.
"""

_NEVER = {
    "event_is_never_changed": "BEFORE UPDATE ON event",
    "event_is_never_deleted": "BEFORE DELETE ON event",
    "event_is_never_replaced": (
        "BEFORE INSERT ON event WHEN EXISTS ( SELECT 1 FROM event WHERE seq = NEW.seq"
        " OR (game = NEW.game AND n = NEW.n) OR (game = NEW.game AND client_id = NEW.client_id) )"
    ),
    "game_only_grows": ("BEFORE UPDATE ON game WHEN NEW.id IS NOT OLD.id OR NEW.count <= OLD.count"),
    "game_is_never_deleted": "BEFORE DELETE ON game",
    "game_is_never_replaced": "BEFORE INSERT ON game WHEN EXISTS (SELECT 1 FROM game WHERE id = NEW.id)",
}
_MESSAGES = {
    "event_is_never_changed": "a recorded event is never changed",
    "event_is_never_deleted": "a recorded event is never deleted",
    "event_is_never_replaced": "a recorded event is never replaced",
    "game_only_grows": "a game only grows",
    "game_is_never_deleted": "a game is never deleted",
    "game_is_never_replaced": "a game is never replaced",
}

TRIGGERS = {
    name: f"CREATE TRIGGER {name} {when} BEGIN SELECT RAISE(ABORT, '{_MESSAGES[name]}'); END"
    for name, when in _NEVER.items()
}
"""Every trigger's SQL, white space folded; the ledger has no other trigger and no view."""
