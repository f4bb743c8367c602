#!/usr/bin/env bash
# From a fresh checkout to a settled night: an environment in .venv, the program in it, a night in a ledger.
# All of it lies in .venv; running it again begins again.
set -euo pipefail
cd "$(dirname "$0")/.."

for python in python3 python3.14 python3.13 python3.12 python3.11 none; do
    if [ "$python" = none ]; then
        echo "Python 3.11 or newer is needed. Нужен Python 3.11 или новее." >&2
        exit 1
    fi
    if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        break
    fi
done

if [ ! -x .venv/bin/python ] && ! "$python" -m venv .venv 2>/dev/null; then
    rm -rf .venv
    echo "This Python lacks its module venv; trying the package python3-venv." >&2
    apt-get update -qq && apt-get install -y -qq python3-venv >/dev/null
    "$python" -m venv .venv
fi
.venv/bin/python -m pip install --quiet --disable-pip-version-check .

export SKACHKI_DB=.venv/first-night.db
rm -f "$SKACHKI_DB"
show() {
    printf '\n$ skachki %s\n' "$*"
    .venv/bin/skachki "$@"
}
show score examples/friday-night.skachki
show import examples/friday-night.skachki
show settle
if [ "${SKACHKI_LANG:-}" = ru ]; then
    printf '\nКоманда – .venv/bin/skachki; эта пробная база – %s.\n' "$SKACHKI_DB"
else
    printf '\nThe command is .venv/bin/skachki; this ledger is %s.\n' "$SKACHKI_DB"
fi
