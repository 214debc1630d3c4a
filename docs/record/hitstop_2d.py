"""What the recorders of 2D engines in Python share: use hitstop_pymunk.py or hitstop_box2d.py.

The level has a depth along z (docs/record.md, "2D engines"); z is 0 in all positions, and y points up.
"""

import math
import sys

from hitstop_log import Recorder, body


class Level2D:
    """Records shapes, of which each is an object. `depth` is half the depth of the level: more than the half extents of all bodies that move."""

    def __init__(self, path, keep, depth, y_down, fixed_can_move, **header):
        self.depth, self.sign, self.fixed_can_move = depth, -1 if y_down else 1, fixed_can_move
        self.log = Recorder(path, keep, up="y", **header)
        # By the shape's key: its number in the log and its motion, and the pose of a static one.
        self.numbers, self.motions, self.fixed = {}, {}, {}
        self.groups, self.names, self.notes = {}, set(), set()
        self.time = 0.0

    def vec(self, v):
        return [v[0], self.sign * v[1], 0]

    def turned(self, angle):
        half = self.sign * angle / 2
        return [0, 0, math.sin(half), math.cos(half)]

    def spin(self, speed):
        return [0, 0, self.sign * speed]

    def circle(self, radius, center):
        sphere = {"sphere": {"radius": radius}}
        return {"compound": [{"shape": sphere, "position": self.vec(center)}]} if any(center) else sphere

    def capsule(self, a, b, radius):
        return {"capsule": {"a": self.vec(a), "b": self.vec(b), "radius": radius}}

    def polygon(self, points, radius):
        corners = [[*self.vec(point)[:2], z] for point in points for z in (-self.depth, self.depth)]
        return {"convex_hull": {"points": corners, **({"radius": radius} if radius else {})}}

    def edges(self, points):
        """A wall along a line of points, which collides from both sides."""
        corners = [[*self.vec(point)[:2], z] for point in points for z in (-self.depth, self.depth)]
        triangles = [[2 * i + k for k in half] for i in range(len(points) - 1) for half in ((0, 2, 3), (0, 3, 1))]
        return {"mesh": {"vertices": corners, "triangles": triangles}}

    def note(self, text):
        """Prints once what the log does not have."""
        if text not in self.notes:
            self.notes.add(text)
            print(f"hitstop: {text}", file=sys.stderr)

    def unique(self, name):
        free, count = name, 1
        while free in self.names:
            count += 1
            free = f"{name} {count}"
        self.names.add(free)
        return free

    def add(self, key, name, shape, pose, motion, group, **fields):
        """`group` is a value that shapes share which never collide with each other, or None."""
        p, q = pose
        self.end([key])
        number = self.log.add(self.unique(name), shape, motion=motion, position=p, rotation=q, **fields)
        self.numbers[key], self.motions[key] = number, motion
        if motion == "fixed":
            self.fixed[key] = pose, name
        if group is not None:
            for other in self.groups.setdefault(group, []):
                self.log.ignore(number, other)
            self.groups[group].append(number)
        return number

    def state(self, key, pose, velocity, spin, **flags):
        """The entries of a shape in a frame: none for one that is fixed."""
        if key in self.fixed and not self.fixed_can_move:
            first, name = self.fixed[key]
            if pose != first:
                self.note(f"{name} moved, but it is static; give fixed_can_move=True")
            return []
        return [body(self.numbers[key], *pose, velocity, spin, **{name: True for name, is_set in flags.items() if is_set})]

    def end(self, keys):
        """Ends the objects of shapes; those that are in every frame end by themselves."""
        for key in keys:
            if self.fixed.pop(key, None):
                del self.motions[key]
                if not self.fixed_can_move:
                    self.log.remove(self.numbers[key])

    def write(self, bodies, keys, length, **fields):
        """Writes a frame; `keys` are the shapes that are in the world, `length` the seconds since the frame before."""
        self.end(self.fixed.keys() - keys)
        self.time += length
        self.log.frame(self.time, bodies, **fields)

    def save(self, path):
        self.log.save(path)

    def close(self):
        self.log.close()
