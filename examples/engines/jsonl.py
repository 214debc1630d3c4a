"""Levels in, logs out: the part that the Python engines share."""

import json
import sys


def line(value):
    sys.stdout.write(json.dumps(value, separators=(",", ":")) + "\n")


def header(level):
    """The level as the first line of a log."""
    hidden = {"x", *level["hide"]}
    objects = [{key: value for key, value in item.items() if key not in hidden} for item in level["objects"]]
    kept = {key: level[key] for key in ("name", "dt", "gravity", "engine", "scalar", "margin") if key not in hidden}
    joined = [pair[:2] for pair in level["joints"]]
    line({"hitstop": 1, **kept, "objects": objects, **({"joints": joined} if joined else {})})


def short(values):
    """Nine digits are enough for the geometry, and make the log half as long."""
    return [float(f"{value:.9g}") for value in values]


def contact(a, b, point, normal, depth):
    return {"a": a, "b": b, "point": short(point), "normal": short(normal), "depth": short([depth])[0]}


def frame(number, time, bodies, contacts):
    line({"frame": number, "t": time, "bodies": bodies, **({"contacts": contacts} if contacts else {})})


def body(number, position, rotation, velocity, spin):
    p, q, v, w = map(short, (position, rotation, velocity, spin))
    return {"id": number, "p": p, "q": q, "v": v, "w": w}


def run(world):
    """Reads levels from standard input, steps each one and writes its log, with an empty line after it.

    `world(level)` has `step(dt)`, `bodies()` and `contacts()`.
    """
    for text in sys.stdin:
        level = json.loads(text)
        running = world(level)
        header(level)
        time = 0.0
        frame(0, time, running.bodies(), [])
        for number, dt in enumerate(level["dts"], 1):
            running.step(dt)
            time += dt
            frame(number, time, running.bodies(), running.contacts())
        running.close()
        print(flush=True)
