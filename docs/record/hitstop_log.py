"""Writes a level as a Hitstop log, in JSON Lines. Python 3.9 or newer, no dependencies.

    log = Recorder("run.jsonl.gz", dt=1 / 60)            # or "run.jsonl"
                                                         # or Recorder(None, keep=10): the last ten seconds, for log.save(path)
                                                         # or Recorder("tcp:127.0.0.1:9740"): to a Hitstop that listens
    ball = log.add("ball", {"sphere": {"radius": 0.1}})
    for step in range(600):
        world.step()
        log.value("grounded", player.is_grounded, ball)  # also log.log("jump", ball), log.mark([start, end], "aim", ball), log.move(..): of the frame to come
        log.frame(step / 60, [body(ball, ball_position, ball_rotation, ball_velocity, ball_spin)])
    log.close()

Format: docs/log-format.md.
"""

import collections
import gzip
import json
import math
import select
import socket
import sys
import threading
import time


def short(value):
    """A number or a list of them: nine digits are enough for the geometry, and make the log half as long."""
    return [short(part) for part in value] if hasattr(value, "__iter__") else float(f"{value:.9g}")


def body(number, p, q=None, v=None, w=None, **flags):
    """A body of a frame: position of the shape's origin, quaternion x y z w, velocity, angular velocity about world axes; in a flat level `q` is an
    angle and `w` a number."""
    values = {"p": p, "q": q, "v": v, "w": w}
    return {"id": number, **{key: short(value) for key, value in values.items() if value is not None}, **flags}


def contact(a, b, point, normal, depth, impulse=None):
    """A contact point; the normal leads from b to a, the depth is negative while they are apart. `impulse`: what the engine applied there along the
    normal in this step, if it is known."""
    made = {"a": a, "b": b, "point": short(point), "normal": short(normal), "depth": short(depth)}
    return made if impulse is None else {**made, "impulse": short(impulse)}


def sweep(kind, start, end, wish=None, hit=None, normal=None, point=None):
    """A sweep of a move: its `kind` is move, slide, step_up, step_forward, step_down, snap, floor, push_out or another word. `wish`: the displacement that
    it was asked for, if that is not the one that it made; `hit`: the number of the object that it met, with the normal toward the character."""
    made = {"kind": kind, "from": short(start), "to": short(end)}
    if wish is not None:
        made["wish"] = short(wish)
    if hit is not None:
        met = {"normal": normal, "point": point}
        made["hit"] = {"id": hit, **{key: short(value) for key, value in met.items() if value is not None}}
    return made


def hull(points):
    """The convex hull of points; of more than a log may have, those that are farthest out along 1,000 directions, evenly spread."""
    found = list(dict.fromkeys(map(tuple, points)))
    if len(found) > 1024:
        count, turn = 1000, math.pi * (3 - math.sqrt(5))
        heights = [1 - (2 * i + 1) / count for i in range(count)]
        along = [(math.sqrt(1 - y * y) * math.cos(i * turn), y, math.sqrt(1 - y * y) * math.sin(i * turn)) for i, y in enumerate(heights)]
        found = list({max(found, key=lambda p: p[0] * x + p[1] * y + p[2] * z) for x, y, z in along})
    return {"convex_hull": {"points": [list(point) for point in sorted(found)]}}


def create(path):
    """A file to write lines to, compressed if its name ends in .gz."""
    name = str(path)
    if not name.endswith((".jsonl", ".jsonl.gz")):
        raise ValueError(f"{name} must end in .jsonl or .jsonl.gz; `hitstop convert` makes .jsonl.zst and .parquet of them")
    return gzip.open(path, "wt", encoding="utf-8") if name.endswith(".gz") else open(path, "w", encoding="utf-8")


class LiveOutput:
    """Sends a log to a viewer, which may come and go, without ever waiting for it.

    While there is no viewer, a thread looks for one every second; one that connects gets the objects and the latest frames. For one that is
    too slow the oldest frames are dropped, and it shows a gap; `dropped` counts them. That, and each new error of a viewer, is printed to
    the error output.
    """

    LIMIT = 16 << 20
    AGAIN = 1.0
    LAST = 2.0

    def __init__(self, address):
        host, _, port = address.rpartition(":")
        self.address = (host, int(port))
        self.changed = threading.Condition()
        # The header and the objects that were sent, for the next viewer.
        self.objects = b""
        self.queue = collections.deque()
        self.size = 0
        self.connected = False
        self.dropped = 0
        self.error = None
        self.ended = None
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def write(self, objects, line):
        with self.changed:
            self.queue.append((objects.encode(), line.encode()))
            self.size += len(objects) + len(line)
            before = self.dropped
            while self.size > self.LIMIT and len(self.queue) > 1:
                self.take()
                self.dropped += self.connected
            self.changed.notify()
        if not before and self.dropped:
            self.report("the viewer is too slow, so frames are dropped; to keep all of them, record to a file")

    def take(self):
        """The oldest frame, with the objects before it, which are kept."""
        objects, line = self.queue.popleft()
        self.size -= len(objects) + len(line)
        self.objects += objects
        return objects + line

    def run(self):
        while True:
            begun = time.monotonic()
            try:
                with socket.create_connection(self.address, self.AGAIN) as viewer:
                    viewer.settimeout(0.05)
                    self.send_all(viewer)
                return
            except OSError:
                pass
            finally:
                self.connected = False
            with self.changed:
                while self.ended is None and time.monotonic() - begun < self.AGAIN:
                    self.changed.wait(self.AGAIN)
                if self.ended is not None:
                    return

    def send_all(self, viewer):
        with self.changed:
            self.connected = True
            text = sent = self.objects
        while True:
            self.send(viewer, text)
            with self.changed:
                while not self.queue and self.ended is None:
                    self.changed.wait()
                if not self.queue:
                    return
                # Objects of frames that were dropped meanwhile.
                missed = self.objects[len(sent):]
                text = missed + self.take()
                sent = self.objects

    def send(self, viewer, text):
        while text:
            if self.ended is not None and time.monotonic() - self.ended > self.LAST:
                raise socket.timeout
            if select.select([viewer], [], [], 0)[0]:
                self.read_answer(viewer)
            try:
                text = text[viewer.send(text):]
            except socket.timeout:
                pass

    def read_answer(self, viewer):
        """Reads the error line of a viewer, after which it closes the connection, and reports it once."""
        line = viewer.recv(1024)
        try:
            error = json.loads(line).get("error")
        except (ValueError, AttributeError):
            error = None
        if error and error != self.error:
            self.error = error
            self.report(f"the viewer answers: {error}")
        raise ConnectionAbortedError

    @staticmethod
    def report(text):
        print(f"hitstop: {text}", file=sys.stderr)

    def close(self):
        """Ends the recording; waits up to two seconds for what is not sent yet."""
        with self.changed:
            self.ended = time.monotonic()
            self.changed.notify()
        self.thread.join(self.LAST + self.AGAIN)
        if self.dropped:
            self.report(f"{self.dropped} frames were dropped, as the viewer was too slow; to keep all of them, record to a file")


class FileOutput:
    """Writes a log to a file, at least once a second, so that a program that crashes loses no more than that."""

    AGAIN = 1.0

    def __init__(self, path):
        self.file = create(path)
        self.close = self.file.close
        self.flushed = time.monotonic()

    def write(self, objects, line):
        self.file.write(objects + line)
        if time.monotonic() - self.flushed > self.AGAIN:
            self.file.flush()
            self.flushed = time.monotonic()


class Recorder:
    def __init__(self, path, keep=None, **header):
        """Writes to `path` (.jsonl or .jsonl.gz), sends to `tcp:HOST:PORT`, or keeps the last `keep` seconds. `header`: name, dt, flat, up, gravity, engine, build, margin, .."""
        if (path is None) == (keep is None):
            raise ValueError("give a path, or the seconds to keep")
        self.header = {"hitstop": 1, **header}
        self.out = path and (LiveOutput(path[4:]) if str(path).startswith("tcp:") else FileOutput(path))
        self.keep = keep
        self.waiting = []
        self.ignored = []
        self.removed = []
        self.notes = {}
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

    def ignore(self, a, b):
        """Two objects that are never tested against each other."""
        self.ignored.append([a, b])

    def remove(self, number):
        """A fixed object that is gone from the next frame on, unless it is in each frame."""
        self.removed.append(number)

    def log(self, text, object=None, level="info"):
        """Adds a line of the program's own log to the next frame. `object`: the number of what it is about; `level`: debug, info, warning or error."""
        more = {} if level == "info" else {"level": level}
        self.note("log", {"text": text, **more} if more or object is not None else text, object)

    def value(self, name, value, object=None):
        """Adds a value of the program to the next frame: a number, True or False, or a text for the name of a state."""
        # One of numpy becomes one of Python.
        value = value.item() if hasattr(value, "item") else value
        self.note("values", {"name": name, "text" if isinstance(value, str) else "value": value}, object)

    def mark(self, points, name="", object=None, radius=0, color=None):
        """Adds a drawing to the next frame: a point, a line of two, or a polyline of up to 256, with a sphere of `radius` at each; `color` is red,
        green and blue from 0 to 255."""
        more = {"name": name, "radius": short(radius), "color": color and list(color)}
        self.note("marks", {"points": short(points), **{key: value for key, value in more.items() if value}}, object)

    def move(self, object, start, wish, end, grounded=None, up=None, max_slope=None, max_step=None, snap=None, skin=None, sweeps=()):
        """Adds the move of a character to the next frame: where it was, the displacement that the game asked for, and where it is then. `grounded`: the
        controller's answer; `max_slope` in degrees; `snap`: how far down it is held to the floor; `skin`: the distance that it keeps; `sweeps`: of `sweep`."""
        more = {"up": up, "max_slope": max_slope, "max_step": max_step, "snap": snap, "skin": skin}
        made = {"from": short(start), "wish": short(wish), "to": short(end), **({} if grounded is None else {"grounded": bool(grounded)})}
        made.update({key: short(value) for key, value in more.items() if value is not None})
        self.note("moves", {**made, **({"sweeps": list(sweeps)} if sweeps else {})}, object)

    def note(self, field, made, object):
        self.notes.setdefault(field, []).append(made if object is None else {**made, "id": object})

    def with_notes(self, fields):
        """The fields of a frame that are given, with what was added to it."""
        given = {key: value for key, value in fields.items() if value is not None}
        given.update({key: [*given.get(key, ()), *notes] for key, notes in self.notes.items()})
        self.notes = {}
        return given

    def frame(self, t, bodies, **fields):
        """Writes the state after `t` seconds. `fields`: contacts, pushes, queries, joints, substeps, camera, .., as in a log. An empty
        list of contacts means that the engine made none; before the first step give no list."""
        objects = ""
        more = {"ignore": self.ignored} if self.ignored else {}
        if self.frames == 0:
            objects, more = self.line({**self.header, **more, "objects": self.waiting}), {}
        elif self.waiting:
            more = {"spawn": self.waiting, **more}
        if self.removed:
            more["remove"] = self.removed
        objects += self.line(more) if more else ""
        self.waiting, self.ignored, self.removed = [], [], []
        line = self.line({"frame": self.frames, "t": t, "bodies": bodies, **self.with_notes(fields)})
        self.frames += 1
        if self.out:
            self.out.write(objects, line)
            return
        self.lines.append((t, objects, line))
        while self.lines[0][0] < t - self.keep - 1e-9:
            self.objects += self.lines.popleft()[1]

    @staticmethod
    def line(value):
        return json.dumps(value, separators=(",", ":")) + "\n"

    def save(self, path):
        """Writes the frames that are kept, and goes on keeping them."""
        with create(path) as out:
            out.write(self.objects)
            out.writelines(objects + line for _, objects, line in self.lines)

    def close(self):
        if self.out:
            self.out.close()
