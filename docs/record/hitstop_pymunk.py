"""Records a space of pymunk. Run with pymunk 7.3.1.

    recorder = PymunkRecorder("run.jsonl.gz", space, dt=1 / 60, unit="px")       # 100 a metre; or (None, space, keep=10)
    for _ in range(600):
        space.step(1 / 60)
        recorder.frame()                                                         # after each step, also of several a frame
    recorder.close()

Every shape of the space is recorded, under the `name` that you give to it or its body (`shape.name = "ball"`). Other arguments are fields of the
header: `unit`, `length`, `up` ("-y" if gravity points along +y), .. Contacts are those that pymunk solves: none of sensors, nor those that a callback refuses.
"""

import pymunk

from hitstop_2d import Level2D
from hitstop_log import contact, short

MOTIONS = {pymunk.Body.DYNAMIC: "dynamic", pymunk.Body.KINEMATIC: "kinematic", pymunk.Body.STATIC: "fixed"}


class PymunkRecorder(Level2D):
    def __init__(self, path, space, keep=None, dt=1 / 60, fixed_can_move=False, **header):
        self.space = space
        header = {"name": "pymunk", "engine": "pymunk", "engine_version": pymunk.version, "margin": space.collision_slop, **header}
        super().__init__(path, keep, fixed_can_move, **{"dt": dt, "gravity": space.gravity, **header})
        self.frame(step=False)

    def number(self, shape):
        """The number of a shape in the log, for queries of your own. When the type of its body changes, a shape becomes a new object."""
        if self.motions.get(shape) != MOTIONS[shape.body.body_type]:
            self.add_shape(shape)
        return self.numbers[shape]

    def add_shape(self, shape):
        if isinstance(shape, pymunk.Circle):
            kind, made = "circle", self.circle(shape.radius, shape.offset)
        elif isinstance(shape, pymunk.Poly):
            kind, made = "polygon", self.polygon(shape.get_vertices(), shape.radius)
        elif shape.radius > 0:
            kind, made = "segment", self.capsule(shape.a, shape.b, shape.radius)
        else:
            kind, made = "segment", self.edges([shape.a, shape.b])
        of = shape.body
        name = getattr(shape, "name", None) or getattr(of, "name", None) or f"{kind} {len(self.numbers)}"
        fields = {} if of.body_type == pymunk.Body.STATIC else {"body": f"body {of.id}"}
        if of.body_type == pymunk.Body.DYNAMIC:
            fields["mass"] = of.mass
        self.add(
            shape, name, made, self.pose(of), MOTIONS[of.body_type], shape.filter.group or None, layer=shape.filter.categories,
            mask=shape.filter.mask, sensor=shape.sensor, **fields,
        )

    def pose(self, of):
        return short(of.position), short(of.angle)

    def frame(self, step=True, dt=None, teleported=(), **fields):
        """Writes the state after a step, and its contacts. `dt`: seconds since the frame before, if they are not those of the last step; `teleported`: bodies
        that you placed; `fields`: queries, camera, .., as in a log."""
        bodies = []
        for shape in self.space.shapes:
            self.number(shape)
            of = shape.body
            velocity = of.velocity_at_local_point((0, 0))
            bodies += self.state(
                shape, self.pose(of), velocity, of.angular_velocity, asleep=of.is_sleeping and of.body_type == pymunk.Body.DYNAMIC,
                teleported=of in teleported,
            )
        contacts, seen = [], set()
        for of in self.space.bodies if step else ():
            of.each_arbiter(self.add_contacts, contacts, seen)
        joints = [
            [self.numbers[a], self.numbers[b]]
            for joint in self.space.constraints if not joint.collide_bodies
            for a in joint.a.shapes for b in joint.b.shapes if a in self.numbers and b in self.numbers
        ]
        length = self.space.current_time_step if dt is None else dt
        self.write(bodies, set(self.space.shapes), length * step, contacts=contacts if step else None, joints=joints or None, **fields)

    def add_contacts(self, arbiter, contacts, seen):
        a, b = arbiter.shapes
        if (a, b) in seen or a not in self.numbers or b not in self.numbers:
            return
        seen.add((a, b))
        points = arbiter.contact_point_set
        # pymunk gives the sum of all points, with friction, and goes on with it while both sleep.
        is_solved = any(one.body.body_type == pymunk.Body.DYNAMIC and not one.body.is_sleeping for one in (a, b))
        impulse = abs(arbiter.total_impulse.dot(points.normal)) if is_solved and len(points.points) == 1 else None
        for point in points.points:
            # The normal leads from the first shape to the second; the distance is negative where they overlap.
            middle = [(one + two) / 2 for one, two in zip(point.point_a, point.point_b)]
            contacts.append(contact(self.numbers[b], self.numbers[a], middle, points.normal, -point.distance, impulse))
