"""SHA-256 without OpenSSL: loading `hashlib` costs up to a seventh of a whole command's start.

Python 3.12 has its own in `_sha2`, 3.11 in `_sha256`; `hashlib` falls back to the same modules.
"""

try:
    from _sha2 import sha256  # type: ignore[import-not-found, unused-ignore]
except ImportError:
    try:
        from _sha256 import sha256  # type: ignore[import-not-found, unused-ignore]
    except ImportError:  # an interpreter built without its own
        from hashlib import sha256

__all__ = ["sha256"]
