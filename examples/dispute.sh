#!/bin/sh
# A dispute settled, from the first doubt to the new settlement: sh examples/dispute.sh
# docs/dispute.md tells the story. It works in a folder that is thrown away again.
set -eu
cd "$(dirname "$0")"
folder=$(mktemp -d) && trap 'rm -r "$folder"' EXIT && export SKACHKI_DB="$folder/ledger.db"
show() {
    printf '\n$ skachki %s\n' "$*"
    skachki "$@"
}
differs() { # these end with 1 where something is off: that is what we came for
    show "$@" && exit 1 || test $? -eq 1
}
show import dispute-recorded.skachki
show settle --format chat
differs claim "semester 1: Vera pool 18" "semester 1: Boris gora 24" "after 12: Vera pool 12"
show explain 13
show register Boris pool
differs diff dispute-paper.skachki
show whatif deal 13 Boris 8s ww 7/2/1
show amend 13 Boris 8s ww 7/2/1 --reason "Gleb's list and all four: one down" --by anna --reopen --yes
show diff dispute-paper.skachki
show claim "semester 1: Vera pool 18" "semester 1: Boris gora 24"
show settle
