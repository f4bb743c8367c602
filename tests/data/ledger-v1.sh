#!/bin/sh
# How ledger-v1.db and ledger-v1.jsonl were made, by version 1 of the ledger. Never made anew once released:
# a later version reads the file as it is. Run in an empty folder.
set -eu
export SKACHKI_DB=ledger-v1.db SKACHKI_BY=table SKACHKI_LANG=en TZ=UTC
skachki() { command skachki "$@" >/dev/null 2>&1; }

# A short game under Gambler's rules to its end, with money, an undo over a semester's end, ids.
skachki new Анна Борис Вера Глеб --rules gambler --rule semesters=2 --rule target=6 --date 2026-11-27 \
    --title 'Пятница "на даче"' --stake '0.50 RUB' --dealer Вера
skachki deal р 2/4/2/2 --id a1
skachki deal Анна 7б вп 7/3 --id a2
skachki deal Вера м 2
skachki deal r 3/2/2/3
skachki deal 2 8h ww 7/1/2
skachki deal Вера 7ч вп 8
skachki undo --expect 6
skachki redo
skachki undo --by Глеб
skachki deal Вера 7ч вп 7 --id a3
skachki deal Вера 7ч вп 7 --id a3
skachki deal штраф Глеб 4 гора 'засветил карту'
skachki deal Вера 9c ww 9/1/0
skachki undo
skachki redo
skachki deal r 2/4/2/2
skachki deal Вера 8ч пп г
skachki deal Вера 10s wp 10/0
skachki deal сверено

# A night with a newcomer, a wrong dealer, an irregular deal, adjustments; broken off.
skachki new Anna Boris Vera Gleb --date 2026-12-04 --stake '1 EUR'
skachki deal r 2/4/3/1
skachki deal Vera 7d wp 7/3
skachki deal dealer Anna 'dealt out of turn'
skachki deal r@4 0/5/2/3 Anna@g
skachki deal seat Boris 'Zoë Maria' 'went home'
skachki deal Gleb 6c ww 6/2/2 irregular 'too low, played all the same'
skachki deal adjust Zoë_Maria -14 whists Anna 'agreed'
skachki deal fine Vera 10 whists all revoke
skachki deal Anna m 3
skachki deal r 3/2/3/2
skachki deal stop final 'the last train'
skachki undo
skachki deal stop final 'the last train'

# One that goes on.
skachki new Nina O.Neil Ян Б --rule half_whist=no --rule unwhisted_choice=none --date 2026-12-11
skachki deal r 2/4/3/1
skachki deal 'note' 'Ян came late'
skachki deal Ян 7n pp
skachki deal Nina 9s/m wp 7/3
skachki deal r 3/2/3/2 --id last
skachki undo
for id in $(command skachki games | sed 's/^[* ]*//; s/ .*//'); do
    command skachki standing --json --game "$id"
done > ledger-v1.jsonl
