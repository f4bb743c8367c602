"""`python -m skachki_ledger` is the command `skachki`."""

from .cli.main import main

main()
