"""Records a world of Box2D 2 in Python (the packages box2d and box2d-py). Run with box2d 2.3.10.

    recorder = Box2DRecorder("run.jsonl.gz", world, dt=1 / 60)                   # or (None, world, keep=10)
    for _ in range(600):
        world.Step(1 / 60, 8, 3)
        recorder.frame()                                                         # after each step
    recorder.close()

Every fixture of the world is recorded, under the `userData` of it or its body if that is a text. Polygons have the engine's skin of 1 cm as radius. Contacts
that a listener disables are left out. A body that is destroyed between two frames in which another is made may be taken for that one. For Box2D 3 in C there is hitstop_box2d.hpp.
"""

import math

import Box2D

from hitstop_2d import Level2D
from hitstop_log import contact, short

MOTIONS = {Box2D.b2_dynamicBody: "dynamic", Box2D.b2_kinematicBody: "kinematic", Box2D.b2_staticBody: "fixed"}


def placed(state, point):
    """A point of a body in the world; a state is a position and an angle."""
    (x, y), angle = state
    c, s = math.cos(angle), math.sin(angle)
    return x + c * point[0] - s * point[1], y + s * point[0] + c * point[1]


def points_of(manifold, a, b, radius_a, radius_b):
    """Points, normal from a to b, and distances of a manifold, with the bodies in the states `a` and `b`."""
    points = manifold.points[:manifold.pointCount]
    if manifold.type_ == Box2D.b2Manifold.e_circles:
        one, two = placed(a, manifold.localPoint), placed(b, points[0].localPoint)
        apart = math.dist(one, two)
        normal = ((two[0] - one[0]) / apart, (two[1] - one[1]) / apart) if apart > 0 else (1.0, 0.0)
        at = (apart + radius_a - radius_b) / 2
        return [((one[0] + at * normal[0], one[1] + at * normal[1]), apart - radius_a - radius_b)], normal
    is_a = manifold.type_ == Box2D.b2Manifold.e_faceA
    face, other = (a, b) if is_a else (b, a)
    outward = placed(((0, 0), face[1]), manifold.localNormal)
    plane = placed(face, manifold.localPoint)
    made = []
    for point in points:
        clip = placed(other, point.localPoint)
        height = (clip[0] - plane[0]) * outward[0] + (clip[1] - plane[1]) * outward[1]
        # Halfway between both skins.
        at = ((radius_a if is_a else radius_b) - height - (radius_b if is_a else radius_a)) / 2
        made.append(((clip[0] + at * outward[0], clip[1] + at * outward[1]), height - radius_a - radius_b))
    return made, outward if is_a else (-outward[0], -outward[1])


class Box2DRecorder(Level2D):
    def __init__(self, path, world, keep=None, dt=1 / 60, fixed_can_move=False, **header):
        self.world = world
        header = {"name": "Box2D", "engine": "box2d", "engine_version": Box2D.__version__, "margin": 0.02, **header}
        super().__init__(path, keep, fixed_can_move, **{"dt": dt, "gravity": world.gravity, **header})
        self.dt = dt
        # Of bodies: a number, and the state at the frame before.
        self.owners, self.states = {}, {}
        self.frame(step=False)

    def number(self, fixture):
        """The number of a fixture in the log, for queries of your own. When the type of its body changes, a fixture becomes a new object."""
        if self.motions.get(fixture) != MOTIONS[fixture.body.type]:
            self.add_fixture(fixture)
        return self.numbers[fixture]

    def add_fixture(self, fixture):
        of, shape = fixture.body, fixture.shape
        if isinstance(shape, Box2D.b2CircleShape):
            kind, made = "circle", self.circle(shape.radius, shape.pos)
        elif isinstance(shape, Box2D.b2PolygonShape):
            kind, made = "polygon", self.polygon(shape.vertices, shape.radius)
        else:
            kind, made = "edge", self.edges(shape.vertices)
        names = [text for text in (fixture.userData, of.userData) if isinstance(text, str) and text]
        group, name = fixture.filterData.groupIndex, names[0] if names else f"{kind} {len(self.numbers)}"
        if group > 0:
            self.note("positive group indices are not in the log: pairs collide as their masks say")
        fields = {} if of.type == Box2D.b2_staticBody else {"body": f"body {self.owners.setdefault(of, self.log.count)}"}
        if of.type == Box2D.b2_dynamicBody:
            fields["mass"] = of.mass or 1
            # Every dynamic body is swept against static ones; a bullet against others, too.
            if of.bullet or not self.world.continuousPhysics:
                fields["ccd"] = self.world.continuousPhysics
        self.add(
            fixture, name, made, self.pose(of), MOTIONS[of.type], group if group < 0 else None, layer=fixture.filterData.categoryBits,
            mask=fixture.filterData.maskBits, sensor=fixture.sensor, **fields,
        )

    def pose(self, of):
        return short(of.position), short(of.angle)

    def frame(self, step=True, dt=None, teleported=(), **fields):
        """Writes the state after a step, and its contacts. `dt`: seconds since the frame before, if they are not the usual ones; `teleported`: bodies that
        you placed; `fields`: queries, camera, .., as in a log."""
        bodies, keys, states = [], set(), {}
        for of in self.world.bodies:
            states[of] = tuple(of.position), of.angle
            for fixture in of.fixtures if of.active else ():
                self.number(fixture)
                keys.add(fixture)
                velocity = of.GetLinearVelocityFromLocalPoint((0, 0))
                is_asleep = not of.awake and of.type == Box2D.b2_dynamicBody
                bodies += self.state(fixture, self.pose(of), velocity, of.angularVelocity, asleep=is_asleep, teleported=of in teleported)
        self.owners = {of: number for of, number in self.owners.items() if of in states}
        contacts = [point for it in self.world.contacts for point in self.contacts_of(it, states)] if step else None
        joints = [
            [self.numbers[a], self.numbers[b]]
            for joint in self.world.joints if not joint.collideConnected
            for a in joint.bodyA.fixtures for b in joint.bodyB.fixtures if {a, b} <= keys
        ]
        self.states = states
        self.write(bodies, keys, (self.dt if dt is None else dt) * step, contacts=contacts, joints=joints or None, **fields)
        # The engine gives the addresses of those that are gone to new ones.
        self.numbers = {key: number for key, number in self.numbers.items() if key in keys}
        self.motions = {key: motion for key, motion in self.motions.items() if key in keys}

    def contacts_of(self, it, states):
        a, b = it.fixtureA, it.fixtureB
        if not (it.touching and it.enabled) or a.sensor or b.sensor:
            return
        radii = [0 if isinstance(one.shape, (Box2D.b2EdgeShape, Box2D.b2ChainShape)) else one.shape.radius for one in (a, b)]
        # Of the step's start, or of the impact that continuous detection found: of the state in which it is closer to touching.
        tries = [
            points_of(it.manifold, state.get(a.body, states[a.body]), state.get(b.body, states[b.body]), *radii) for state in (self.states, states)
        ]
        points, normal = min(tries, key=lambda one: min((abs(distance) for _, distance in one[0]), default=0))
        is_solved = any(one.body.awake and one.body.type == Box2D.b2_dynamicBody for one in (a, b))
        for (point, distance), solved in zip(points, it.manifold.points):
            # Of a contact that continuous detection made in the step the engine keeps none, of one that sleeps that of an earlier step.
            yield contact(self.numbers[b], self.numbers[a], point, normal, -distance, solved.normalImpulse or None if is_solved else None)
