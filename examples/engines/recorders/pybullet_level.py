"""A level of PyBullet with every kind of shape, recorded by docs/record/hitstop_pybullet.py. Walls without mass are set by their position: in the level
`bug` through a ball.

    python pybullet_level.py LOG bug|healthy
"""

import sys

import pybullet as p
from hitstop_pybullet import PyBulletRecorder

# Around its own corner, so that a pose that is applied twice shows.
WEDGE = [[x, y, z * (1 - x)] for x in (0, 1) for y in (0, 1) for z in (0, 1)]


def main(path, is_bug):
    p.connect(p.DIRECT)
    p.setGravity(0, 0, -9.81)

    def add(mass, at, kind, **shape):
        return p.createMultiBody(mass, p.createCollisionShape(kind, **shape), basePosition=at)

    add(0, [0, 0, -0.5], p.GEOM_BOX, halfExtents=[20, 20, 0.5])
    ramp = add(0, [-8, 0, 0], p.GEOM_PLANE, planeNormal=[0.6, 0, 0.8])
    add(1, [-4, 0, 1], p.GEOM_SPHERE, radius=0.3)
    for i, height in enumerate((0.31, 0.92, 1.53)):
        add(1, [2, 3, height], p.GEOM_BOX, halfExtents=[0.4 - 0.1 * i, 0.3, 0.3])
    add(1, [4, 3, 0.4], p.GEOM_CYLINDER, radius=0.3, height=0.6, collisionFramePosition=[0, 0, 0.2])
    add(1, [6, 3, 0.6], p.GEOM_CAPSULE, radius=0.2, height=0.6)
    # Hulls that are turned and shifted in their bodies, alone and as parts of one.
    turned = p.getQuaternionFromEuler([0.4, 1.2, 2.0])
    add(1, [2, 6, 1], p.GEOM_MESH, vertices=WEDGE, meshScale=[0.6, 0.8, 0.5], collisionFramePosition=[-0.3, 0.2, 0.1], collisionFrameOrientation=turned)
    parts = p.createCollisionShapeArray(
        shapeTypes=[p.GEOM_BOX, p.GEOM_SPHERE], halfExtents=[[0.6, 0.1, 0.1], [0, 0, 0]], radii=[0, 0.2], collisionFramePositions=[[0, 0, 0], [0.5, 0, 0.2]]
    )
    p.createMultiBody(1, parts, basePosition=[5, 6, 1])
    # What has no mass at first, and what is gone later.
    stone = add(0, [8, 6, 2], p.GEOM_BOX, halfExtents=[0.3, 0.2, 0.2])
    shelf = add(0, [-4, 6, 1], p.GEOM_BOX, halfExtents=[0.5, 0.5, 0.1])
    add(1, [-4, 6, 1.31], p.GEOM_BOX, halfExtents=[0.2, 0.2, 0.2])
    lift = add(0, [0, -4, 0.1], p.GEOM_BOX, halfExtents=[1, 1, 0.1])
    add(1, [0, -4, 0.401], p.GEOM_BOX, halfExtents=[0.2, 0.2, 0.2])
    wall = add(0, [8, -4, 1], p.GEOM_BOX, halfExtents=[0.05, 1, 1])
    ball = add(1, [10, -4, 0.101], p.GEOM_SPHERE, radius=0.1)

    names = {(wall, -1): {"name": "wall"}, (ball, -1): {"name": "ball"}, (ramp, -1): {"name": "ramp"}}
    recorder = PyBulletRecorder(path, fields=names)
    for step in range(480):
        if step >= 60:
            p.resetBasePositionAndOrientation(lift, [0, -4, 0.1 + 0.001 * min(step - 60, 300)], [0, 0, 0, 1])
        if step >= 120 and is_bug:
            p.resetBasePositionAndOrientation(wall, [8 + 0.4 * (step - 119), -4, 1], [0, 0, 0, 1])
        if step == 200:
            p.changeDynamics(stone, -1, mass=1)
            p.removeBody(shelf)
        p.stepSimulation()
        recorder.frame()
    recorder.close()


main(sys.argv[1], sys.argv[2] == "bug")
