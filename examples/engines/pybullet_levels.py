"""The levels in PyBullet: reads levels from standard input, writes logs. See run.py.

Bullet's `p` is the centre of mass, which is the shape's origin in all levels here. A kinematic body is a heavy one whose pose
and velocity are set before each step: a body without mass has no velocity in PyBullet.
"""

import math

import pybullet as bullet

import jsonl

HEAVY = 1e6
TURN_UP = [-math.sqrt(0.5), 0, 0, math.sqrt(0.5)]  # from Bullet's Z to the log's Y


def collision_shape(shape):
    (kind, value), = shape.items()
    if kind == "sphere":
        return bullet.createCollisionShape(bullet.GEOM_SPHERE, radius=value["radius"])
    if kind == "box":
        return bullet.createCollisionShape(bullet.GEOM_BOX, halfExtents=value["half_extents"])
    if kind == "capsule":
        return bullet.createCollisionShape(
            bullet.GEOM_CAPSULE, radius=value["radius"], height=2 * value["half_height"],
            collisionFrameOrientation=TURN_UP,
        )
    if kind == "mesh":
        # With indices, it is a mesh of triangles and not their hull.
        return bullet.createCollisionShape(
            bullet.GEOM_MESH, vertices=value["vertices"], indices=sum(value["triangles"], [])
        )
    if kind == "compound":
        types, radii, halves = [], [], []
        for part in value:
            sphere, half = part["shape"].get("sphere"), part["shape"].get("box")
            types.append(bullet.GEOM_SPHERE if sphere else bullet.GEOM_BOX)
            radii.append(sphere["radius"] if sphere else 1)
            halves.append(half["half_extents"] if half else [1, 1, 1])
        places = [part["position"] for part in value]
        return bullet.createCollisionShapeArray(
            shapeTypes=types, radii=radii, halfExtents=halves, collisionFramePositions=places
        )
    raise ValueError(f"no shape {kind}")


class World:
    def __init__(self, level):
        bullet.connect(bullet.DIRECT)
        bullet.setGravity(*level["gravity"])
        # 50 iterations are its default. Of masks, its default is that one of a pair is enough; the log's rule is that both allow it.
        bullet.setPhysicsEngineParameter(
            numSolverIterations=level.get("iterations") or 50,
            collisionFilterMode=0,
            contactBreakingThreshold=level["margin"],
        )
        self.objects = level["objects"]
        self.handles = [self.add(item) for item in self.objects]
        self.numbers = {handle: item["id"] for handle, item in zip(self.handles, self.objects)}
        for a, b, anchor in level["joints"]:
            self.join(self.handles[a], self.handles[b], anchor)

    def add(self, item):
        mass = {"fixed": 0, "kinematic": HEAVY, "dynamic": item["mass"]}[item["motion"]]
        rotation, x = item.get("rotation", [0, 0, 0, 1]), item["x"]
        # Bullet sweeps rigid bodies only, not its multibodies.
        rigid = any(other.get("ccd") for other in self.objects)
        shape = collision_shape(item["shape"])
        handle = bullet.createMultiBody(mass, shape, -1, item["position"], rotation, useMaximalCoordinates=rigid)
        bullet.changeDynamics(
            handle, -1, linearDamping=0, angularDamping=0, restitution=x.get("restitution", 0),
            lateralFriction=x.get("friction", 0.5),
        )
        if item.get("ccd"):
            radius = item["shape"].get("sphere", {}).get("radius", 0.01)
            bullet.changeDynamics(handle, -1, ccdSweptSphereRadius=radius)
        if "layer" in item:
            bullet.setCollisionFilterGroupMask(handle, -1, item["layer"], item["mask"])
        bullet.resetBaseVelocity(handle, x.get("v", [0, 0, 0]), x.get("w", [0, 0, 0]))
        return handle

    @staticmethod
    def join(a, b, anchor):
        frames = []
        for handle in (a, b):
            p, q = bullet.getBasePositionAndOrientation(handle)
            frames.append(bullet.multiplyTransforms(*bullet.invertTransform(p, q), anchor, [0, 0, 0, 1])[0])
        bullet.createConstraint(a, -1, b, -1, bullet.JOINT_POINT2POINT, [0, 0, 0], *frames)
        bullet.setCollisionFilterPair(a, b, -1, -1, 0)

    def step(self, dt):
        bullet.setTimeStep(dt)
        moved = [
            (item["x"], handle, self.place_after(item["x"], handle, dt))
            for item, handle in zip(self.objects, self.handles)
            if item["motion"] == "kinematic"
        ]
        for x, handle, place in moved:
            if "drive" in x:
                self.put(x, handle, place)
        bullet.stepSimulation()
        for x, handle, place in moved:
            self.put(x, handle, place)

    def put(self, x, handle, place):
        """Places a kinematic body. A character that overlaps its obstacle there is pushed out the shortest way."""
        bullet.resetBasePositionAndOrientation(handle, *place)
        if "tests" in x:
            obstacle = next(other["id"] for other in self.objects if other["name"] == x["tests"])
            for point in bullet.getClosestPoints(handle, self.handles[obstacle], 0.0):
                p = [a - n * point[8] for a, n in zip(place[0], point[7])]
                bullet.resetBasePositionAndOrientation(handle, p, place[1])
        bullet.resetBaseVelocity(handle, x.get("v", [0, 0, 0]), x.get("w", [0, 0, 0]))

    @staticmethod
    def place_after(x, handle, dt):
        p, q = bullet.getBasePositionAndOrientation(handle)
        v, w = x.get("drive") or x.get("v", [0, 0, 0]), x.get("w", [0, 0, 0])
        speed = math.hypot(*w)
        if speed:
            turn = bullet.getQuaternionFromAxisAngle([value / speed for value in w], speed * dt)
            q = bullet.multiplyTransforms([0, 0, 0], turn, [0, 0, 0], q)[1]
        return [a + b * dt for a, b in zip(p, v)], q

    def bodies(self):
        found = []
        for item, handle in zip(self.objects, self.handles):
            if item["motion"] != "fixed":
                velocity = bullet.getBaseVelocity(handle)
                found.append(jsonl.body(item["id"], *bullet.getBasePositionAndOrientation(handle), *velocity))
        return found

    def contacts(self):
        """All points. The normal is that of b, toward a; the distance is negative where they overlap."""
        return [
            jsonl.contact(self.numbers[point[1]], self.numbers[point[2]], point[6], point[7], -point[8])
            for point in bullet.getContactPoints()
        ]

    @staticmethod
    def close():
        bullet.disconnect()


jsonl.run(World)
