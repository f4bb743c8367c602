"""Yardstick for throughput: python yardstick.py FILE...

Reads game files with plain string work and a fixed handful of integer updates a deal, and prints
seconds and lines (deals and other events). It scores nothing; it only says how fast this interpreter
on this machine goes through such files, so that the product's time on the same files in the same run
can be given as a ratio. The code is fixed: changing it would change what every ratio means.
"""

import json
import sys
import time


def read(path: str) -> tuple[int, str]:
    tags: dict[str, str]
    cells: dict[object, int]
    tags, deals, cells = {}, 0, {}
    for line in open(path, encoding="utf-8-sig"):  # noqa: SIM115
        line = line.strip()
        if not line or line[0] == ";":
            continue
        if line[0] == "[":
            name, _, value = line[1:-1].partition(" ")
            tags[name] = value.strip('"')
            continue
        words = line.split()
        numbers = [int(x) for w in words for x in w.replace("/", " ").split() if x.isdecimal()]
        deals += 1
        total = 0
        for i in range(12):
            key = (words[0], i % 4, len(words))
            n = numbers[i % len(numbers)] if numbers else 1
            cells[key] = cells.get(key, 0) + n * (i + 1)
            total += cells[key]
        cells["total"] = cells.get("total", 0) + total
    return deals, json.dumps({"tags": tags, "deals": deals, "cells": {str(k): v for k, v in cells.items()}})


if __name__ == "__main__":
    start = time.perf_counter()
    deals = sum(read(p)[0] for p in sys.argv[1:])
    seconds = time.perf_counter() - start
    print(f"{deals} deals, {seconds:.3f} s, {deals / seconds:.0f} deals/s")
