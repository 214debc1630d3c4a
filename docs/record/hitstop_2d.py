"""What the recorders of 2D engines in Python share: use hitstop_pymunk.py or hitstop_box2d.py.

The log is flat, in the axes of the engine: `up` is "-y" where gravity points along +y, if it is not given.
"""

import sys

from hitstop_log import Recorder, body


class Level2D:
    """Records shapes, of which each is an object."""

    def __init__(self, path, keep, fixed_can_move, gravity, **header):
        self.fixed_can_move = fixed_can_move
        self.log = Recorder(path, keep, **{"flat": True, "up": "-y" if gravity[1] > 0 else "y", "gravity": list(gravity), **header})
        # By the shape's key: its number in the log and its motion, and the pose of a static one.
        self.numbers, self.motions, self.fixed = {}, {}, {}
        self.groups, self.names, self.notes = {}, set(), set()
        self.time = 0.0

    @staticmethod
    def circle(radius, center):
        circle = {"circle": {"radius": radius}}
        return {"compound": [{"shape": circle, "position": list(center)}]} if any(center) else circle

    @staticmethod
    def capsule(a, b, radius):
        return {"capsule": {"a": list(a), "b": list(b), "radius": radius}}

    @classmethod
    def polygon(cls, points, radius):
        if len(points) == 2:
            return cls.capsule(*points, radius) if radius else cls.edges(points)
        return {"polygon": {"points": [list(point) for point in points], **({"radius": radius} if radius else {})}}

    @staticmethod
    def edges(points):
        """A wall along a line of points, which collides from both sides; closed if the last is the first."""
        line = [list(point) for point in points]
        if len(line) == 2:
            return {"segment": {"a": line[0], "b": line[1]}}
        return {"chain": {"points": line[:-1], "loop": True} if line[0] == line[-1] else {"points": line}}

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
