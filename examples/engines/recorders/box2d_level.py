"""A level of Box2D 2 with every kind of shape, recorded by docs/record/hitstop_box2d.py.

    python box2d_level.py LOG bug|healthy
"""

import sys

from Box2D import b2RayCastCallback, b2World
from hitstop_box2d import Box2DRecorder


class Closest(b2RayCastCallback):
    hit = None

    def ReportFixture(self, fixture, point, normal, fraction):
        self.hit = fixture, normal, fraction
        return fraction


def main(path, is_bug):
    world = b2World(gravity=(0, -10))
    world.continuousPhysics = not is_bug
    world.CreateStaticBody(userData="ground").CreateEdgeFixture(vertices=[(-60, 0), (40, 0)])
    world.CreateStaticBody(userData="ramp").CreateChainFixture(vertices_chain=[(-40, 2), (-36, 1), (-30, 0.5)])
    world.CreateStaticBody(position=(5, 1), userData="wall").CreatePolygonFixture(box=(0.05, 1))

    def dynamic(name, position, **fields):
        return world.CreateDynamicBody(position=position, userData=name, **fields)

    dynamic("ball", (0, 0.4), linearVelocity=(60, 0)).CreateCircleFixture(radius=0.1, density=1)
    for i in range(6):
        dynamic("crate", (-10, 0.52 + 1.05 * i)).CreatePolygonFixture(box=(0.5, 0.5), density=1, friction=0.5)
    two = dynamic("two", (-18, 2), angle=1)
    two.CreateCircleFixture(radius=0.25, pos=(0.3, 0.1), density=1)
    two.CreateCircleFixture(radius=0.3, pos=(-0.3, 0), density=1)
    dynamic("stone", (-14, 1), angle=0.3).CreatePolygonFixture(vertices=[(-0.4, -0.3), (0.4, -0.3), (0.5, 0.1), (0, 0.4)], density=1)
    dynamic("roller", (-38, 3)).CreateCircleFixture(radius=0.3, density=1)
    lift = world.CreateKinematicBody(position=(20, 0.3), userData="lift", linearVelocity=(0, 0.5))
    lift.CreatePolygonFixture(box=(1, 0.2))
    dynamic("rider", (20, 0.82)).CreatePolygonFixture(box=(0.3, 0.3), density=1)
    # Pairs that never collide: joined, or of one negative group; and a sensor.
    arms = dynamic("arm", (10, 3)), dynamic("arm", (10.6, 3))
    for arm in arms:
        arm.CreatePolygonFixture(box=(0.4, 0.1), density=1)
    world.CreateRevoluteJoint(bodyA=arms[0], bodyB=arms[1], anchor=(10.3, 3))
    for x in (15, 15.2):
        dynamic("ghost", (x, 0.5)).CreatePolygonFixture(box=(0.3, 0.3), density=1, groupIndex=-1)
    world.CreateStaticBody(position=(-18, 0.5), userData="gate").CreatePolygonFixture(box=(0.5, 0.5), isSensor=True)

    recorder = Box2DRecorder(path, world)
    for step in range(180):
        world.Step(1 / 60, 8, 3)
        queries = []
        for i in range(150 if step == 60 else 0):
            a, b = (-52 + 0.6 * i, 6), (-51.7 + 0.6 * i, -1)
            cast = Closest()
            world.RayCast(cast, a, b)
            found = None
            if cast.hit:
                fixture, normal, fraction = cast.hit
                found = {"id": recorder.number(fixture), "fraction": fraction, "normal": list(normal)}
            queries.append({"kind": "ray", "from": a, "to": b, "hit": found})
        recorder.frame(queries=queries or None)
    recorder.close()


main(sys.argv[1], sys.argv[2] == "bug")
