#!/bin/sh
# A few deals recorded live, in a ledger that is thrown away again: sh examples/session.sh
set -eu
folder=$(mktemp -d) && trap 'rm -r "$folder"' EXIT && export SKACHKI_DB="$folder/ledger.db"
skachki new Anna Boris Vera Gleb --title "The first evening" --stake "0.50 RUB"
skachki deal r 2/4/3/1
skachki deal Vera 7d wp 7/3
skachki deal Gleb m 0 @g
skachki undo
skachki settle
