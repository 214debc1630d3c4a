"""Writes recordings of an engine without continuous detection: balls that bounce between two walls.

    python make_recordings.py FOLDER COUNT [FRAMES]

Three builds fire at different speeds, three levels have walls of different thickness; where a ball is fast and a wall thin, it tunnels.
The last file is cut off in its header, as of a game that crashed.
"""

import json
import pathlib
import random
import sys

DT = 1 / 60
BALLS = 12
RADIUS = 0.1
FASTEST = {"1.4.1": 26, "1.4.2": 22, "1.4.10": 34}  # m/s
HALF_THICKNESS = {"bridge": 0.06, "canyon": 0, "warehouse": 0.2}  # m; the canyon has walls of triangles


def lines(level, build, frames, seed):
    """The lines of a recording; the seed gives the speeds."""
    numbers = random.Random(seed)
    half = HALF_THICKNESS[level]
    shape = {"box": {"half_extents": [half, 1, BALLS]}}
    if half == 0:
        corners = [[0, y, z] for y in (-1, 1) for z in (-BALLS, BALLS)]
        shape = {"mesh": {"vertices": corners, "triangles": [[0, 1, 2], [1, 3, 2]]}}
    walls = [{"id": BALLS + n, "name": name, "shape": shape, "motion": "fixed", "position": [x, 0, BALLS / 2]}
             for n, (name, x) in enumerate([("left wall", -5), ("right wall", 5)])]
    balls = [{"id": n, "name": f"ball {n}", "shape": {"sphere": {"radius": RADIUS}}} for n in range(BALLS)]
    yield {"hitstop": 1, "name": level, "build": build, "dt": DT, "gravity": [0, 0, 0], "objects": balls + walls}
    x = [numbers.uniform(-4, 4) for _ in balls]
    v = [numbers.choice([-1, 1]) * numbers.uniform(5, FASTEST[build]) for _ in balls]
    for frame in range(frames):
        yield {"frame": frame, "bodies": [{"id": n, "p": [x[n], 0, n], "v": [v[n], 0, 0]} for n in range(BALLS)]}
        for n in range(BALLS):
            x[n] += v[n] * DT
            for wall in (-5, 5):
                # The overlap test at the end of the frame, and the push out of the nearer side.
                if abs(x[n] - wall) < half + RADIUS:
                    side = 1 if x[n] > wall else -1
                    x[n] = wall + side * (half + RADIUS)
                    v[n] = side * abs(v[n])


def main():
    folder, count = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    frames = int(sys.argv[3]) if len(sys.argv) > 3 else 300
    for number in range(count):
        build, level = list(FASTEST)[number % 3], sorted(HALF_THICKNESS)[number // 3 % 3]
        path = folder / build / f"{level}-{number:04}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        text = "".join(json.dumps(line) + "\n" for line in lines(level, build, frames, number))
        path.write_text(text if number + 1 < count else text[:100])


if __name__ == "__main__":
    main()
