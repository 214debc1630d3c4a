"""A level of pymunk with every kind of shape, in pixels with y down, recorded by docs/record/hitstop_pymunk.py.

    python pymunk_level.py LOG bug|healthy
"""

import sys

import pymunk
from hitstop_pymunk import PymunkRecorder

STEP = 1 / 60


def main(path, is_bug):
    space = pymunk.Space()
    space.gravity, space.iterations, space.sleep_time_threshold = (0, 981), 30, 0.5

    def add(body, name, *shapes):
        for shape in shapes:
            shape.name, shape.friction = name, 0.5
            if body.body_type == pymunk.Body.DYNAMIC:
                shape.density = 0.01
        space.add(*([] if body is space.static_body else [body]), *shapes)

    def at(x, y, kind=pymunk.Body.DYNAMIC, velocity=(0, 0)):
        body = pymunk.Body(body_type=kind)
        body.position, body.velocity = (x, -y), velocity
        return body

    fixed, moved = pymunk.Body.STATIC, pymunk.Body.KINEMATIC
    add(space.static_body, "floor", pymunk.Segment(space.static_body, (-2000, 0), (2000, 0), 0))
    wall = at(500, 50, fixed)
    add(wall, "wall", pymunk.Poly.create_box(wall, (4, 100)))
    ball = at(0, 40, velocity=(4000 if is_bug else 400, 0))
    add(ball, "ball", pymunk.Circle(ball, 10))
    for i in range(5):
        crate = at(-500, 25 + 51 * i)
        add(crate, "crate", pymunk.Poly.create_box(crate, (50, 50)))
    triangle = at(-600, 60)
    add(triangle, "triangle", pymunk.Poly(triangle, [(-30, 20), (30, 20), (0, -30)], radius=2))
    pill = at(-700, 60)
    add(pill, "pill", pymunk.Segment(pill, (-30, 0), (30, -5), 10))
    two = at(-800, 60)
    add(two, "two", pymunk.Circle(two, 20, (15, 0)), pymunk.Circle(two, 15, (-20, -5)))
    lift = at(1200, 20, moved, (0, -50))
    add(lift, "lift", pymunk.Poly.create_box(lift, (150, 20)))
    rider = at(1200, 51)
    add(rider, "rider", pymunk.Poly.create_box(rider, (40, 40)))
    # Pairs that never collide: joined, or of one group; and a sensor.
    arms = at(200, 300), at(250, 300)
    for arm in arms:
        add(arm, "arm", pymunk.Segment(arm, (-30, 0), (30, 0), 10))
    elbow = pymunk.PivotJoint(*arms, (225, -300))
    elbow.collide_bodies = False
    space.add(elbow)
    for x in (800, 815):
        ghost = at(x, 30)
        shape = pymunk.Poly.create_box(ghost, (40, 40))
        shape.filter = pymunk.ShapeFilter(group=7)
        add(ghost, "ghost", shape)
    gate = at(-700, 30, fixed)
    sensor = pymunk.Poly.create_box(gate, (60, 60))
    sensor.sensor = True
    add(gate, "gate", sensor)

    recorder = PymunkRecorder(path, space, dt=STEP, unit="px")
    for step in range(180):
        space.step(STEP)
        queries = []
        for i in range(100 if step == 60 else 0):
            a, b = (-1700 + 30 * i, -600), (-1690 + 30 * i, 100)
            hit = space.segment_query_first(a, b, 0, pymunk.ShapeFilter())
            found = hit and {"id": recorder.number(hit.shape), "fraction": hit.alpha, "normal": list(hit.normal)}
            queries.append({"kind": "ray", "from": a, "to": b, "hit": found})
        recorder.frame(queries=queries or None)
    recorder.close()


main(sys.argv[1], sys.argv[2] == "bug")
