"""A fast capsule passes a wall, although its continuous detection is set up.
https://github.com/bulletphysics/bullet3/issues/2228

Bullet sweeps rigid bodies only. PyBullet makes every body a multibody unless it is told otherwise, and drops the setting without a word.
`--fixed`: `useMaximalCoordinates`, which makes rigid bodies.
"""

import pybullet as bullet
from common import main

DT = 1 / 60
RADIUS, LENGTH = 0.3, 0.6
WALL = [0.1, 2, 2]
# The report has a wall about 10 m away and an impulse of 500; the mass here makes this 100 m/s.
START, SPEED, MASS = -10.8, 100.0, 5.0
# As in the report: a fifth of the bounding sphere's radius.
SWEPT_RADIUS = 0.2 * (RADIUS + LENGTH / 2)
FRAMES = 10


def level(fixed, phase=0.0):
    """The bodies are 0, the wall, and 1, the capsule."""
    bullet.resetSimulation()
    bullet.setTimeStep(DT)
    wall = bullet.createCollisionShape(bullet.GEOM_BOX, halfExtents=WALL)
    capsule = bullet.createCollisionShape(bullet.GEOM_CAPSULE, radius=RADIUS, height=LENGTH)
    bullet.createMultiBody(0, wall, useMaximalCoordinates=fixed)
    start = [START + phase * SPEED * DT, 0, 0]
    body = bullet.createMultiBody(MASS, capsule, basePosition=start, useMaximalCoordinates=fixed)
    bullet.changeDynamics(body, -1, linearDamping=0, angularDamping=0, ccdSweptSphereRadius=SWEPT_RADIUS)
    bullet.resetBaseVelocity(body, [SPEED, 0, 0])


def record(fixed):
    level(fixed)
    yield {
        "hitstop": 1,
        "name": "CCD does not work",
        "dt": DT,
        "up": "z",
        "engine": "bullet",
        "objects": [
            {"id": 0, "name": "wall", "shape": {"box": {"half_extents": WALL}}, "motion": "fixed"},
            {"id": 1, "name": "capsule", "shape": {"capsule": {"half_height": LENGTH / 2, "radius": RADIUS}}, "ccd": True, "mass": MASS},
        ],
    }
    for frame in range(FRAMES):
        if frame:
            bullet.stepSimulation()
        p, q = bullet.getBasePositionAndOrientation(1)
        v, w = bullet.getBaseVelocity(1)
        yield {"frame": frame, "bodies": [{"id": 1, "p": p, "q": q, "v": v, "w": w}]}


def phases(fixed):
    through = 0
    for i in range(64):
        level(fixed, i / 64)
        for _ in range(FRAMES):
            bullet.stepSimulation()
        through += bullet.getBasePositionAndOrientation(1)[0][0] > 0
    return f"{through} of 64 capsules pass the wall"


bullet.connect(bullet.DIRECT)
main(record, phases)
