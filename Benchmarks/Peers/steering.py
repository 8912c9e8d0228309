"""Does what the benchmark asks for on standard input and says how many nanoseconds it took.

Started with an empty folder and a file of the keys that are asked for, in their order.
"""

import itertools
import shutil
import sys
import time
from pathlib import Path

BATCH = 1000


def person(number):
    """What the records hold, as in Person.swift."""
    return {
        "id": number,
        "name": f"Person number {number} of this store",
        "email": f"person.{number}@example.org",
        "city": "Sint-Katelijne-Waver",
        "isActive": number % 2 == 0,
        "score": number % 100 / 8,
        "tags": ["reader", "subscriber since 2019", "member of the board", "speaks at meetings"],
    }


def steer(open_peer):
    """Serves until standard input ends.

    A peer has `read(key)`, `prepare(key, value)`, whose result goes to `store(prepared)`,
    `transaction()`, a context manager, and `close()`.
    """
    base, keys = Path(sys.argv[1]), itertools.cycle(Path(sys.argv[2]).read_text().split())
    folders = (base / str(number) for number in itertools.count())
    folder = next(folders)
    peer = open_peer(folder)
    print("ready", flush=True)
    for line in sys.stdin:
        verb, count = line.split()[0], int(line.split()[1])
        if verb == "read":
            time_taken = read(peer, keys, count)
        elif verb == "put":
            time_taken = put(peer, keys, count)
        else:
            peer.close()
            shutil.rmtree(folder)
            folder = next(folders)
            peer = open_peer(folder)
            time_taken = fill(peer, count)
        print(time_taken, flush=True)
    peer.close()


def read(peer, keys, count):
    ask = peer.read
    total = 0
    start = time.perf_counter_ns()
    for _ in range(count):
        total += ask(next(keys))["id"]
    return time.perf_counter_ns() - start


def put(peer, keys, count):
    prepared = [peer.prepare(next(keys), person(number)) for number in range(count)]
    store = peer.store
    start = time.perf_counter_ns()
    for one in prepared:
        store(one)
    return time.perf_counter_ns() - start


def fill(peer, count):
    store = peer.store
    taken = 0
    for first in range(0, count, BATCH):
        numbers = range(first, min(first + BATCH, count))
        prepared = [peer.prepare(f"user:{number}", person(number)) for number in numbers]
        start = time.perf_counter_ns()
        with peer.transaction():
            for one in prepared:
                store(one)
        taken += time.perf_counter_ns() - start
    return taken
