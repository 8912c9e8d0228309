# Many connections that ask a gateway for pages of three kinds, and judge each answer:
#   /fresh/N   holds for long: once it was got, it is never missed
#   /grace/N   is stale at once, and stands in for its origin: the same
#   /never/N   is never kept: missed, with 502 or 504, while its origin is away
# usage: ServeLoad.py GATEWAY CONNECTIONS. It says `warm`, then `N` answers and what was wrong with any of
# them, until it is told a line.
import http.client
import random
import sys
import threading

host, count = sys.argv[1].removeprefix("http://"), int(sys.argv[2])
is_over = threading.Event()
lock = threading.Lock()
answers = {}


def say(*words):
    with lock:
        print(*words, flush=True)


def ask(connection, path):
    connection.request("GET", path)
    answer = connection.getresponse()
    return answer.status, answer.read()


def content(path):
    return (path * 200).encode()


def work(seed):
    rng = random.Random(seed)
    connection = http.client.HTTPConnection(host, timeout=60)
    while not is_over.is_set():
        path = f"/{rng.choice(['fresh', 'grace', 'never'])}/{rng.randrange(20)}"
        try:
            status, bytes = ask(connection, path)
        except http.client.IncompleteRead:
            # Its origin was taken away while it sent what nobody keeps.
            if not path.startswith("/never"):
                say("wrong", path, "was cut off")
            connection.close()
            continue
        except Exception as error:
            say("wrong", path, repr(error))
            connection.close()
            continue
        if status == 200:
            if bytes != content(path):
                say("wrong", path, "has the content", bytes[:40])
        elif not (path.startswith("/never") and status in (502, 504)):
            say("wrong", path, "is missed:", status, bytes[:80])
        with lock:
            answers[status] = answers.get(status, 0) + 1
            number = sum(answers.values())
            if number % 200 == 0:
                print(number, flush=True)
    connection.close()


first = http.client.HTTPConnection(host, timeout=60)
for kind in ("fresh", "grace"):
    for number in range(20):
        # What an origin has sent is stored a moment after its last byte.
        while True:
            first.request("GET", f"/{kind}/{number}")
            answer = first.getresponse()
            answer.read()
            if "stored" not in answer.headers["Cache-Status"] or "fwd=stale" in answer.headers["Cache-Status"]:
                break
first.close()
say("warm")
threads = [threading.Thread(target=work, args=(seed,)) for seed in range(count)]
for thread in threads:
    thread.start()
sys.stdin.readline()
is_over.set()
for thread in threads:
    thread.join()
print("answers", *(f"{status}:{number}" for status, number in sorted(answers.items())), flush=True)
