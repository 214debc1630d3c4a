"""Runs the levels in the engines.

    python run.py list
    python run.py record ENGINE LEVEL OUT.jsonl [--set substeps=4 ..]
    python run.py one ENGINE LEVEL OUT.jsonl PHASE [--set substeps=4 ..]
    python run.py phases ENGINE LEVEL [--set substeps=4 ..]

`one` records the level at a phase, from 0 to 1, as `hitstop tune` runs it. `phases` starts the level at 64 phases, shares of one step's travel, and prints in how many of them the bug happens.
Values of --set are those of Hitstop's fixes, and `sweep=1` for the engine's continuous detection.
"""

import argparse
import json
import math
import os
import pathlib
import subprocess
import sys

import levels

HERE = pathlib.Path(__file__).parent
CARGO = ["cargo", "run", "--quiet", "--release", "--manifest-path", str(HERE / "rapier/Cargo.toml")]
# `RAPIER_LEVELS` names the program that is built of rapier/, where no cargo is to be run.
RAPIER = [os.environ["RAPIER_LEVELS"]] if "RAPIER_LEVELS" in os.environ else CARGO
PROGRAMS = {
    "pybullet": [sys.executable, str(HERE / "pybullet_levels.py")],
    "mujoco": [sys.executable, str(HERE / "mujoco_levels.py")],
    "rapier": RAPIER,
    "jolt": ["node", str(HERE / "jolt_levels.mjs")],
    "physx": ["node", str(HERE / "physx_levels.mjs")],
}
PHASES = 64


def logs(engine, made):
    """The log of each level, as text, from one run of the engine's program."""
    program = subprocess.Popen(PROGRAMS[engine], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    text = "".join(json.dumps(level) + "\n" for level in made)
    out, _ = program.communicate(text)
    if program.returncode:
        raise SystemExit(f"{engine}: its program ended with status {program.returncode}")
    found = out.split("\n\n")[: len(made)]
    if len(found) < len(made) or not found[-1]:
        raise SystemExit(f"{engine}: {len(made)} levels, {len(found)} logs")
    return found


def local(state, point):
    """A point of the world in the frame of a body."""
    x, y, z, w = state.get("q", [0, 0, 0, 1])
    x, y, z = -x, -y, -z
    d = [a - b for a, b in zip(point, state["p"])]
    t = [2 * (y * d[2] - z * d[1]), 2 * (z * d[0] - x * d[2]), 2 * (x * d[1] - y * d[0])]
    return [d[0] + w * t[0] + y * t[2] - z * t[1], d[1] + w * t[1] + z * t[0] - x * t[2], d[2] + w * t[2] + x * t[1] - y * t[0]]


def happened(level, log):
    """Whether the level's bug is in the log: the level's `through`."""
    question = level["through"]
    ids = {item["name"]: item["id"] for item in level["objects"]}
    fixed = {item["id"]: {"p": item["position"], "q": item.get("rotation", [0, 0, 0, 1])} for item in level["objects"]}
    lines = log.strip().split("\n")[1:]
    if not question.get("ever") and "past" in question:
        lines = lines[-1:]
    first = None
    for text in lines:
        state = {**fixed, **{body["id"]: body for body in json.loads(text)["bodies"]}}
        axis = question["axis"]
        if "past" in question:
            mover = state[ids[question["past"]]]["p"]
            place = local(state[ids[question["of"]]], mover)
            if not all(map(math.isfinite, place)):
                return True
            # `start`: the side on which it starts, if not the negative one. `within`: only this far from the axis.
            if place[axis] * -question.get("start", -1) > 0 and math.hypot(*place) < question.get("within", math.inf):
                return True
        elif "still" in question:
            place = state[ids[question["still"]]]["p"][axis]
            first = place if first is None else first
            if text is lines[-1] and place == first:
                return True
        else:
            speed = state[ids[question.get("slower") or question["faster"]]]["v"][axis]
            if speed < question["than"] if "slower" in question else speed > question["than"]:
                return True
    return False


def phases(engine, name, all_settings):
    """For each of the settings, at which of the starting phases the bug happens."""
    made = [levels.level(name, engine, s, k / PHASES) for s in all_settings for k in range(PHASES)]
    bad = [happened(level, log) for level, log in zip(made, logs(engine, made))]
    return [[k for k in range(PHASES) if bad[i + k]] for i in range(0, len(bad), PHASES)]


def record(engine, name, path, settings=()):
    """Records a level. A bug level starts at the phase nearest to half a step at which the bug happens."""
    found = phases(engine, name, [settings])[0] if name in [row[0] for row in levels.BUGS] else []
    phase = min(found, key=lambda k: abs(k - PHASES / 2), default=PHASES / 2) / PHASES
    pathlib.Path(path).write_text(logs(engine, [levels.level(name, engine, settings, phase)])[0].strip() + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["list", "record", "one", "phases"])
    parser.add_argument("names", nargs="*", metavar="ENGINE LEVEL [OUT [PHASE]]")
    parser.add_argument("--set", nargs="*", default=[], action="extend", metavar="NAME=VALUE")
    given = parser.parse_args()
    settings = {key: float(value) for key, _, value in (pair.partition("=") for pair in given.set)}
    if given.command == "list":
        for name, _, engines, *_ in levels.BUGS + levels.HEALTHY:
            print(f"{name:16} {', '.join(engines)}")
    elif given.command == "record":
        record(*given.names, settings)
    elif given.command == "one":
        engine, name, path, phase = given.names
        pathlib.Path(path).write_text(logs(engine, [levels.level(name, engine, settings, float(phase))])[0].strip() + "\n")
    else:
        print(len(phases(*given.names, [settings])[0]), "of", PHASES)


if __name__ == "__main__":
    main()
