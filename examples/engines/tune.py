"""Compares `hitstop tune` with the exhaustive answer, and prints a Markdown table.

    python tune.py [--engine NAME ..] [--level NAME ..] [--jobs N]

For each level and parameter, the engine runs every value at 64 starting phases, and the question of the level says where the bug still happens:
the exhaustive answer is the value from which on it does in none. `hitstop tune` has the same range, 64 runs of each value that it tries, and only
the logs. Ends with status 1 where the value that it confirms is more than one notch away, or none is confirmed.
The environment variable HITSTOP is the command to call; `hitstop` without it.
"""

import argparse
import json
import os
import subprocess
import sys
import time

import run

HITSTOP = os.environ.get("HITSTOP", "hitstop")
# Level, the parameter and its values from the one that prevents least, and other settings that go with it, as a function of the value.
TRIES = [
    ("bullet", "substeps", list(range(1, 25)), {}),
    ("bullet", "max_speed", list(range(60, 0, -1)), {}),
    ("two_bullets", "substeps", list(range(1, 25)), {}),
    ("blade", "substeps", list(range(1, 17)), {}),
]
ENGINES = ["rapier", "pybullet", "mujoco", "jolt"]
# PyBullet and MuJoCo do not sweep two bodies, and their level has another name; the time constant of MuJoCo's contacts is as short as its steps allow.
NAMES = {("two_bullets", "pybullet"): "two_bullets_relative", ("two_bullets", "mujoco"): "two_bullets_relative"}


def exhaustive(engine, level, parameter, values, more):
    """The index of the value from which on the bug never happens; None where it happens at the last. And whether it holds at none before."""
    counts = [len(bad) for bad in run.phases(engine, level, [{parameter: value, **more} for value in values])]
    failing = [index for index, count in enumerate(counts) if count]
    first = failing[-1] + 1 if failing else 0
    return (first if first < len(values) else None), len(failing) == first, counts


def tuned(engine, level, parameter, values, more, jobs):
    """The value that is confirmed, the runs of it and of one notch less, and the seconds."""
    given = f"{parameter}={min(values)}..{max(values)}"
    words = [HITSTOP, "tune", "--format", "json", "--no-progress", "--param", given, "--phase", "start=0..1", "--runs", str(run.PHASES)]
    settings = [f"{parameter}={{{parameter}}}", *(f"{name}={value}" for name, value in more.items())]
    program = [sys.executable, str(run.HERE / "run.py"), "one", engine, level, "{log}", "{start}", "--set", *settings]
    begun = time.time()
    done = subprocess.run([*words, "--jobs", str(jobs), "--", *program], capture_output=True, text=True)
    if done.returncode > 1:
        raise SystemExit(f"{engine} {level}: {done.stderr}")
    search = next(iter(json.loads(done.stdout)["searches"]), None)
    row = lambda name: search["rows"][search[name]] if search and search[name] is not None else None
    return row("found"), row("below"), time.time() - begun


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", nargs="*", default=ENGINES)
    parser.add_argument("--level", nargs="*", default=[])
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    print("| level | engine | parameter | every value tried | confirmed | one notch less | seconds |")
    print("|---|---|---|---:|---:|---:|---:|")
    bad = 0
    for level, parameter, values, more in TRIES:
        for engine in given.engine:
            name = NAMES.get((level, engine), level)
            if given.level and level not in given.level:
                continue
            right, is_monotone, counts = exhaustive(engine, name, parameter, values, more)
            found, below, seconds = tuned(engine, name, parameter, values, more, given.jobs)
            text = lambda row: "-" if row is None else f"{row['value']}: {row['with_finding']} of {row['runs']}"
            truth = "none" if right is None else f"{values[right]}" + ("" if is_monotone else ", not monotone")
            near = None if found is None else values.index(int(found["value"]))
            is_near = near is not None and right is not None and abs(near - right) <= 1 or near is right is None
            bad += not is_near
            mark = "" if is_near else " **wrong**"
            print(f"| {name} | {engine} | {parameter} | {truth} | {text(found)}{mark} | {text(below)} | {seconds:.0f} |", flush=True)
            if not is_near:
                print(f"{name} {engine} {parameter}: bug in {dict(zip(values, counts))}", file=sys.stderr)
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
