"""Writes a level as a Hitstop log, in JSON Lines. Python 3.9 or newer, no dependencies.

    log = Recorder("run.jsonl.gz", dt=1 / 60)            # or Recorder(None, keep=10): the last ten seconds, for log.save(path)
    ball = log.add("ball", {"sphere": {"radius": 0.1}})
    for step in range(600):
        world.step()
        log.frame(step / 60, [body(ball, ball_position, ball_rotation, ball_velocity, ball_spin)])
    log.close()

Format: docs/log-format.md.
"""

import collections
import gzip
import json


def short(values):
    """Nine digits are enough for the geometry, and make the log half as long."""
    return [float(f"{value:.9g}") for value in values]


def body(number, p, q=(0, 0, 0, 1), v=None, w=None, **flags):
    """A body of a frame: position of the shape's origin, quaternion x y z w, velocity, angular velocity about world axes."""
    line = {"id": number, "p": short(p), "q": short(q), "v": v and short(v), "w": w and short(w), **flags}
    return {key: value for key, value in line.items() if value is not None}


def contact(a, b, point, normal, depth):
    """A contact point; the normal leads from b to a, the depth is negative while they are apart."""
    return {"a": a, "b": b, "point": short(point), "normal": short(normal), "depth": short([depth])[0]}


def open_text(path, mode):
    return gzip.open(path, mode) if str(path).endswith(".gz") else open(path, mode)


class Recorder:
    def __init__(self, path, keep=None, **header):
        """Writes to `path`, or keeps the last `keep` seconds. `header`: name, dt, up, gravity, engine, margin, .."""
        if (path is None) == (keep is None):
            raise ValueError("give a path, or the seconds to keep")
        self.header = {"hitstop": 1, **header}
        self.out = path and open_text(path, "wt")
        self.keep = keep
        self.waiting = []
        self.count = 0
        self.frames = 0
        # The header, and the objects that were added before the first frame that is kept.
        self.objects = ""
        self.lines = collections.deque()

    def add(self, name, shape, **fields):
        """The number of a new object; one that is added after the first frame appears in the next."""
        self.waiting.append({"id": self.count, "name": name, "shape": shape, **fields})
        self.count += 1
        return self.count - 1

    def frame(self, t, bodies, **fields):
        """Writes the state after `t` seconds. `fields`: contacts, queries, joints, camera, .."""
        objects = ""
        if self.frames == 0:
            objects = self.line({**self.header, "objects": self.waiting})
        elif self.waiting:
            objects = self.line({"spawn": self.waiting})
        self.waiting = []
        given = {key: value for key, value in fields.items() if value}
        line = self.line({"frame": self.frames, "t": t, "bodies": bodies, **given})
        self.frames += 1
        if self.out:
            self.out.write(objects + line)
            return
        self.lines.append((t, objects, line))
        while self.lines[0][0] < t - self.keep - 1e-9:
            self.objects += self.lines.popleft()[1]

    @staticmethod
    def line(value):
        return json.dumps(value, separators=(",", ":")) + "\n"

    def save(self, path):
        """Writes the frames that are kept, and goes on keeping them."""
        with open_text(path, "wt") as out:
            out.write(self.objects)
            out.writelines(objects + line for _, objects, line in self.lines)

    def close(self):
        if self.out:
            self.out.close()
