"""A ball and a cylinder jump while they slide over a flat mesh.
https://github.com/kripken/ammo.js/issues/383

Bullet tests each triangle of a mesh alone, so that an edge inside a flat floor pushes like the rim of a step. Its cure, the internal edge
utility, is not part of PyBullet (nor of ammo.js). `--fixed`: one box as the floor.
"""

import pybullet as bullet
from common import main

DT = 1 / 60
RADIUS, HALF_HEIGHT = 0.1, 0.15
SPEED = 3.0
# A floor of 8 by 2 cells, two triangles each.
CELL, WIDTH, COUNT = 0.5, 1.0, 8
X0 = -1.0
FRAMES = 40


def mesh():
    vertices = [[X0 + i * CELL, (j - 1) * WIDTH, 0.0] for i in range(COUNT + 1) for j in range(3)]
    triangles = []
    for i in range(COUNT):
        for j in range(2):
            a, b = 3 * i + j, 3 * (i + 1) + j
            triangles += [[a, b, b + 1], [a, b + 1, a + 1]]
    return vertices, triangles


def floor_box():
    """Half extents and centre of a box whose top is the mesh."""
    return [COUNT * CELL / 2, WIDTH, 0.5], [X0 + COUNT * CELL / 2, 0, -0.5]


def level(fixed):
    """The bodies are 0, the floor, 1, the ball, and 2, the cylinder."""
    bullet.resetSimulation()
    bullet.setTimeStep(DT)
    bullet.setGravity(0, 0, -9.81)
    if fixed:
        half, centre = floor_box()
        bullet.createMultiBody(0, bullet.createCollisionShape(bullet.GEOM_BOX, halfExtents=half), basePosition=centre)
    else:
        vertices, triangles = mesh()
        shape = bullet.createCollisionShape(
            bullet.GEOM_MESH, vertices=vertices, indices=sum(triangles, []), flags=bullet.GEOM_FORCE_CONCAVE_TRIMESH
        )
        bullet.createMultiBody(0, shape)
    ball = bullet.createCollisionShape(bullet.GEOM_SPHERE, radius=RADIUS)
    cylinder = bullet.createCollisionShape(bullet.GEOM_CYLINDER, radius=RADIUS, height=2 * HALF_HEIGHT)
    bullet.createMultiBody(1, ball, basePosition=[-0.8, 0.13, RADIUS])
    bullet.createMultiBody(1, cylinder, basePosition=[-0.8, -0.45, HALF_HEIGHT])
    for body in range(3):
        bullet.changeDynamics(body, -1, lateralFriction=0, linearDamping=0, angularDamping=0)
    for body in (1, 2):
        bullet.resetBaseVelocity(body, [SPEED, 0, 0])


def record(fixed):
    level(fixed)
    if fixed:
        half, centre = floor_box()
        floor = {"shape": {"box": {"half_extents": half}}, "position": centre}
    else:
        vertices, triangles = mesh()
        floor = {"shape": {"mesh": {"vertices": vertices, "triangles": triangles}}}
    yield {
        "hitstop": 1,
        "name": "Bumps on a flat mesh",
        "dt": DT,
        "up": "z",
        "gravity": [0, 0, -9.81],
        "engine": "bullet",
        "objects": [
            {"id": 0, "name": "floor", "motion": "fixed", **floor},
            {"id": 1, "name": "ball", "shape": {"sphere": {"radius": RADIUS}}},
            {"id": 2, "name": "cylinder", "shape": {"cylinder": {"half_height": HALF_HEIGHT, "radius": RADIUS}}},
        ],
    }
    fastest = [0.0, 0.0]
    for frame in range(FRAMES):
        if frame:
            bullet.stepSimulation()
        bodies = []
        for body in (1, 2):
            p, q = bullet.getBasePositionAndOrientation(body)
            v, w = bullet.getBaseVelocity(body)
            bodies.append({"id": body, "p": p, "q": q, "v": v, "w": w})
            fastest[body - 1] = max(fastest[body - 1], v[2])
        # Field 5 is the point on the first body, 7 the normal from the second to the first, 8 the distance.
        contacts = [{"a": c[1], "b": c[2], "point": c[5], "normal": c[7], "depth": -c[8]} for c in bullet.getContactPoints()]
        yield {"frame": frame, "bodies": bodies, "contacts": contacts}
    print("fastest upward speed of ball and cylinder: {:.3f} and {:.3f} m/s".format(*fastest))


bullet.connect(bullet.DIRECT)
main(record)
