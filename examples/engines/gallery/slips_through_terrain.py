"""A long thin box slips through a height field.
https://github.com/bulletphysics/bullet3/issues/1022

Bullet makes contacts with every triangle of the field alone, and a triangle has no inside. Where the box strikes two triangles in one
step, one of them pushes it up and the other one down. `--fixed`: smaller time steps.
"""

import pybullet as bullet
from common import main

DT = 1 / 60
BOX = [1.5, 0.05, 0.05]
COUNT, CELL = 8, 4.0
FRAMES = 70
# Angles about x, y and z, and the speed along x and down.
START = ([0.0, 0.3, 0.4], 6)
# Steps per frame with `--fixed`.
SUBSTEPS = 8

def level(fixed, tilt, speed):
    """The bodies are 0, a flat field, and 1, the box."""
    bullet.resetSimulation()
    bullet.setTimeStep(DT / (SUBSTEPS if fixed else 1))
    bullet.setGravity(0, 0, -9.81)
    heights = [0.0] * COUNT * COUNT
    field = bullet.createCollisionShape(
        bullet.GEOM_HEIGHTFIELD, meshScale=[CELL, CELL, 1], heightfieldData=heights, numHeightfieldRows=COUNT, numHeightfieldColumns=COUNT
    )
    bullet.createMultiBody(0, field)
    box = bullet.createCollisionShape(bullet.GEOM_BOX, halfExtents=BOX)
    turn = bullet.getQuaternionFromEuler(tilt)
    bullet.createMultiBody(1, box, basePosition=[0.7, 0.4, 2.2], baseOrientation=turn)
    bullet.changeDynamics(1, -1, linearDamping=0, angularDamping=0)
    bullet.resetBaseVelocity(1, [speed, 0, -speed])

def step(fixed):
    for _ in range(SUBSTEPS if fixed else 1):
        bullet.stepSimulation()

def record(fixed):
    level(fixed, *START)
    rows = [[0.0] * COUNT] * COUNT
    yield {
        "hitstop": 1,
        "name": "Box through a height field",
        "dt": DT,
        "up": "z",
        "gravity": [0, 0, -9.81],
        "engine": "bullet",
        "objects": [
            {"id": 0, "name": "terrain", "shape": {"height_field": {"heights": rows, "cell": [CELL, CELL]}}, "motion": "fixed"},
            {"id": 1, "name": "box", "shape": {"box": {"half_extents": BOX}}},
        ],
    }
    for frame in range(FRAMES):
        if frame:
            step(fixed)
        p, q = bullet.getBasePositionAndOrientation(1)
        v, w = bullet.getBaseVelocity(1)
        # Field 5 is the point on the first body, 7 the normal from the second to the first, 8 the distance.
        contacts = [{"a": c[1], "b": c[2], "point": c[5], "normal": c[7], "depth": -c[8]} for c in bullet.getContactPoints()]
        yield {"frame": frame, "bodies": [{"id": 1, "p": p, "q": q, "v": v, "w": w}], "contacts": contacts}

def falls(fixed, tilt, speed):
    level(fixed, tilt, speed)
    for _ in range(300):
        step(fixed)
        if bullet.getBasePositionAndOrientation(1)[0][2] < -3:
            return True
    return False

STARTS = [([a * 0.3, b * 0.3, 0.4], v) for a in range(5) for b in range(5) for v in (0, 3, 6)]
START = ([0.0, 0.3, 0.4], 6)

def phases(fixed):
    bad = [s for s in STARTS if falls(fixed, *s)]

    return f"{len(bad)} of {len(STARTS)} boxes fall through the terrain"

bullet.connect(bullet.DIRECT)
main(record, phases)
