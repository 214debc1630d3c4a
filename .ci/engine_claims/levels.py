"""Small levels that show what an engine's continuous detection and its substeps do, for any engine.

A level is one line of numbers: steps, substeps of a step, the world's continuous detection (0 or 1), gravity along y, then eleven for
each body: motion (0 fixed, 1 kinematic, 2 dynamic), shape (0 ball, 1 box), radius or half extents x and y, position x and y, angle,
velocity along x, angular velocity, the body's continuous detection, mass. Metres, seconds, kilograms; steps of 1/60 s; boxes of 3D
engines are 4 m deep. An engine's program answers with one line: position x and y and angle of each body at the end.
"""

import math
import subprocess

PHASES = 64
DT = 1 / 60
FIXED, KINEMATIC, DYNAMIC = 0, 1, 2


def ball(x, speed=0.0, sweep=0, radius=0.1, y=0.0):
    return [DYNAMIC, 0, radius, 0, x, y, 0, speed, 0, sweep, 1]


def box(motion, half, x=0.0, y=0.0, speed=0.0, mass=1000.0, angle=0.0, spin=0.0, sweep=0):
    return [motion, 1, *half, x, y, angle, speed, spin, sweep, mass]


def wall(motion, phase, world, sweep, substeps=1):
    """A ball at 60 m/s and a wall of 0.1 m."""
    speed = -1 if motion == KINEMATIC else 0
    bodies = [ball(-0.1 - (3 - phase), 60, sweep), box(motion, (0.05, 2), 0.05, speed=speed)]
    return [10, substeps, world, 0, *sum(bodies, [])]


def two(phase, sweep, other):
    """Two balls at 40 m/s, toward each other."""
    gap = (3 - phase) * 40 * DT
    return [8, 1, sweep, 0, *ball(-0.05 - gap, 40, sweep, 0.05), *ball(0.05 + gap, -40, other, 0.05)]


def bar(phase, sweep):
    """A bar that turns by 0.4 a step, and a ball at rest in its path, 0.9 m from the axis."""
    angle = -0.08 / 0.9 - (3 - phase) * 0.4
    turner = box(DYNAMIC, (1, 0.03), angle=angle, spin=24, sweep=sweep, mass=100)
    return [4, 1, sweep, 0, *turner, *ball(0.9, sweep=0, radius=0.05)]


def rest():
    """A ball that comes to rest on a floor."""
    return [300, 1, 1, -9.81, *box(FIXED, (5, 0.5), y=-0.5), *ball(0, y=0.12)]


def passed(states):
    """Whether the first body is beyond the second."""
    return states[0][0] > states[1][0]


def overtaken(states):
    """Whether the bar has passed the ball."""
    (bx, by, angle), (x, y, _) = states
    side = math.cos(angle) * (y - by) - math.sin(angle) * (x - bx)
    return side < 0


def run(program, levels):
    """The end of each level: for each body x, y, angle."""
    text = "".join(" ".join(f"{value:.9g}" for value in level) + "\n" for level in levels)
    out = subprocess.run(program, input=text, capture_output=True, text=True, timeout=600)
    lines = [line.split() for line in out.stdout.splitlines()]
    if out.returncode or len(lines) != len(levels):
        raise RuntimeError(f"{program[0]}: status {out.returncode}, {len(lines)} of {len(levels)} answers\n{out.stderr[-2000:]}")
    return [[tuple(map(float, line[i : i + 3])) for i in range(0, len(line), 3)] for line in lines]


def through(program, level, question):
    """In how many of the starting phases a body passes."""
    return sum(map(question, run(program, [level(phase / PHASES) for phase in range(PHASES)])))


def measure(program):
    """What the levels show: by name, how many of 64 pass without and with continuous detection of the mover, or of the world."""
    count = lambda level, question=passed: through(program, level, question)
    return {
        "fixed": [count(lambda p: wall(FIXED, p, 0, 0)), count(lambda p: wall(FIXED, p, 1, 0)), count(lambda p: wall(FIXED, p, 1, 1))],
        "kinematic": [count(lambda p: wall(KINEMATIC, p, 0, 0)), count(lambda p: wall(KINEMATIC, p, 1, 0)), count(lambda p: wall(KINEMATIC, p, 1, 1))],
        "dynamic": [count(lambda p: wall(DYNAMIC, p, 0, 0)), count(lambda p: wall(DYNAMIC, p, 1, 0)), count(lambda p: wall(DYNAMIC, p, 1, 1))],
        "two": [count(lambda p: two(p, 0, 0)), count(lambda p: two(p, 1, 0)), count(lambda p: two(p, 1, 1))],
        "rotation": [count(lambda p: bar(p, 0), overtaken), count(lambda p: bar(p, 1), overtaken)],
        "substeps": [count(lambda p: wall(FIXED, p, 0, 0, 1)), count(lambda p: wall(FIXED, p, 0, 0, 16))],
        "depth": 0.1 - run(program, [rest()])[0][1][1],
    }


if __name__ == "__main__":
    import sys

    for name, value in measure(sys.argv[1:]).items():
        print(name, value)
