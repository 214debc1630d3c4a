"""The levels, once for all engines.

A level is a dictionary that each engine program reads as one line of JSON. Its objects are those of the log format; what an
engine needs besides stands in their field `x`: `v`, `w` (velocity, angular velocity), `drive` (velocity of a body that is
moved by setting its position), `tests` (the character's own overlap test), `friction`, `restitution`.

Metres, seconds, kilograms, Y up. `through` is the question that a run answers: did the bug happen?
"""

import math

STEP = 1 / 60
ENGINES = {
    "pybullet": {"scalar": "f64", "margin": 0.02},
    "mujoco": {"scalar": "f64", "margin": 0.0},
    "rapier": {"scalar": "f32", "margin": 0.02},
    "jolt": {"scalar": "f32", "margin": 0.02},
    "physx": {"scalar": "f32", "margin": 0.02},
}


class Settings(dict):
    """Values of Hitstop's fixes by name: `max_speed`, `min_radius` and so on. Each method applies one to a level's value.

    `used` has the names that the level asked for: others cannot be tried in it.
    """

    def __init__(self, values=()):
        super().__init__(values)
        self.used = set()

    def get(self, name, default=None):
        self.used.add(name)
        return super().get(name, default)

    def least(self, name, value):
        return max(value, self.get(name, value))

    def most(self, name, value):
        return min(value, self.get(name, value))

    def speed(self, value):
        return self.most("max_closing_speed", self.most("max_speed", value))

    def radius(self, value):
        return self.least("min_radius", value)

    def thickness(self, value):
        return self.least("min_thickness", value)

    @property
    def substeps(self):
        return max(1, round(self.get("substeps", 1)))

    def dt(self, value=STEP):
        """Seconds of one step of the engine."""
        return self.most("max_dt", value) / self.substeps

    def steps(self, frames):
        """Steps of the engine in as much time as these frames take."""
        return frames * math.ceil(STEP / self.dt() - 1e-9)

    @property
    def sweep(self):
        return bool(self.get("sweep", 0))


def item(name, shape, p, motion="dynamic", mass=1.0, **x):
    """An object; keywords of the log format go to the object, the others into `x`."""
    own = {key: x.pop(key) for key in ("ccd", "layer", "mask", "rotation", "sensor") if key in x}
    return {"name": name, "shape": shape, "position": list(p), "motion": motion, "mass": mass, **own, "x": x}


def ball(name, radius, p, **x):
    return item(name, {"sphere": {"radius": radius}}, p, **x)


def box(name, half, p, **x):
    return item(name, {"box": {"half_extents": list(half)}}, p, **x)


def capsule(name, half_height, radius, p, **x):
    return item(name, {"capsule": {"half_height": half_height, "radius": radius}}, p, **x)


def mesh(name, vertices, triangles, p=(0, 0, 0), facing="both", **x):
    shape = {"mesh": {"vertices": vertices, "triangles": triangles, "facing": facing}}
    return item(name, shape, p, motion="fixed", **x)


def wall(thickness, x=0.0, name="wall", **keywords):
    """Its front face, at x, stays where it is when it gets thicker."""
    return box(name, (thickness / 2, 2, 2), (x + thickness / 2, 0, 0), motion="fixed", **keywords)


def grid(columns, rows, cell, height):
    """Vertices and triangles of a surface, seen from above; centred."""
    vertices = [
        [(i - columns / 2) * cell, height(i, j), (j - rows / 2) * cell]
        for j in range(rows + 1)
        for i in range(columns + 1)
    ]
    triangles = []
    for j in range(rows):
        for i in range(columns):
            a = j * (columns + 1) + i
            b, c, d = a + 1, a + columns + 1, a + columns + 2
            triangles += [[a, c, b], [b, c, d]]
    return vertices, triangles


def past(mover, obstacle, axis=0, **more):
    """The bug: the mover ends beyond the obstacle's middle, along an axis of the obstacle."""
    return {"past": mover, "of": obstacle, "axis": axis, **more}


# Bug levels. Each takes the settings and the starting phase, a share of one step's travel.


def bullet(s, phase, engine, speed=60.0, radius=0.05, thickness=0.04, x=0.0, **more):
    speed, radius, travel = s.speed(speed), s.radius(radius), s.speed(speed) * s.dt()
    start = x - radius - (2 + 1 - phase) * travel
    return {
        "objects": [
            ball("ball", radius, (start, 0, 0), ccd=s.sweep, v=[speed, 0, 0]),
            wall(s.thickness(thickness), x),
        ],
        "steps": s.steps(10),
        "through": past("ball", "wall"),
        **more,
    }


def bullet_soft(s, phase, engine):
    """With MuJoCo's default contacts, which give way for 20 ms. The other bug levels have them as stiff as it allows."""
    return bullet(s, phase, engine, solref=[s.most("max_contact_time", 0.02), 1])


def two_bullets(s, phase, engine):
    radius, speed = s.radius(0.05), s.speed(80.0) / 2
    gap = (2 + 1 - phase) * speed * s.dt()
    one = ball("left", radius, (-radius - gap, 0, 0), ccd=s.sweep, v=[speed, 0, 0])
    two = ball("right", 0.05, (0.05 + gap, 0, 0), ccd=s.sweep, v=[-speed, 0, 0])
    return {"objects": [one, two], "steps": s.steps(8), "through": past("left", "right")}


def two_bullets_ccd(s, phase, engine):
    s.setdefault("sweep", 1)
    return two_bullets(s, phase, engine)


def blade(s, phase, engine):
    """Turns about Y; a ball rests in its path, 0.9 m from the axis."""
    spin, radius, half = s.most("max_spin", 24.0), s.radius(0.05), s.thickness(0.03) / 2
    turn = spin * s.dt()
    # The turn at which the faces touch, and two steps and a part before it. Z of the blade moves toward -X of the world.
    angle = (radius + half) / 0.9 + (2 + 1 - phase) * turn
    q = [0, math.sin(angle / 2), 0, math.cos(angle / 2)]
    return {
        "objects": [
            box("blade", (1, 0.1, half), (0, 0, 0), motion="kinematic", rotation=q, ccd=s.sweep, w=[0, -spin, 0]),
            ball("ball", radius, (0.9, 0, 0), ccd=s.sweep),
        ],
        "steps": s.steps(8),
        # A ball that slides off the end of the blade, 1 m from the axis, did not pass through it.
        "through": past("ball", "blade", 2, start=1, ever=True, within=1),
    }


def paddle(s, phase, engine):
    """Moved by setting its position; `drive_speed` moves it by its velocity instead."""
    travel, radius = 30 * s.dt(), s.radius(0.1)
    half = s.thickness(0.1) / 2
    speed = s.get("drive_speed")
    by = {"v": [speed, 0, 0]} if speed else {"drive": [30, 0, 0]}
    start = -radius - half - (2 + 1 - phase) * travel
    return {
        "objects": [
            box("paddle", (half, 0.5, 0.5), (start, 0, 0), motion="kinematic", ccd=s.sweep, **by),
            ball("ball", radius, (0, 0, 0), ccd=s.sweep),
        ],
        "steps": s.steps(8),
        "through": past("paddle", "ball", 0),
    }


def dt_spike(s, phase, engine):
    """64 steps a second, and one that takes eight times as long."""
    speed, radius, short = s.speed(6.0), s.radius(0.1), 1 / 64
    dts = []
    for dt in [short] * 4 + [8 * short] + [short] * 6:
        parts = math.ceil(dt / s.dt(dt) - 1e-9)
        dts += [dt / parts] * parts
    before = speed * 4 * short
    # All phases of the long step: from touching at its end to touching at its start.
    start = -radius - before - (1 - phase) * speed * s.most("max_dt", 8 * short) / s.substeps
    return {
        "objects": [ball("ball", radius, (start, 0, 0), ccd=s.sweep, v=[speed, 0, 0]), wall(s.thickness(0.1))],
        "dts": dts,
        "through": past("ball", "wall"),
    }


def mask(s, phase, engine, hide=()):
    """The crate's mask lacks the floor's layer, 2. The barrel's does not."""
    drop = 0.25 + 0.05 * phase
    bits = int(s.get("mask", 1))
    return {
        "gravity": [0, -9.81, 0],
        "objects": [
            box("floor", (3, 0.5, 3), (0, -0.5, 0), motion="fixed", layer=2, mask=0xFFFF),
            box("crate", (0.2, 0.2, 0.2), (0, drop, 0), layer=1, mask=bits),
            box("barrel", (0.2, 0.2, 0.2), (1, 0.21, 0), layer=1, mask=3),
        ],
        "steps": s.steps(45),
        "hide": list(hide),
        "through": past("crate", "floor", 1, start=1),
    }


def mask_hidden(s, phase, engine):
    """The same; the log has no masks."""
    return mask(s, phase, engine, hide=("layer", "mask"))


def one_sided_mesh(s, phase, engine):
    """Two triangles that face +X; the ball comes from behind. `winding` turns them."""
    speed, radius = s.speed(3.0), s.radius(0.1)
    corners = [[0, -2, -2], [0, 2, -2], [0, 2, 2], [0, -2, 2]]
    triangles = [[0, 1, 2], [0, 2, 3]]
    if s.get("winding"):
        triangles = [triangle[::-1] for triangle in triangles]
    start = -radius - (2 + 1 - phase) * speed * s.dt()
    return {
        "objects": [ball("ball", radius, (start, 0, 0), ccd=s.sweep, v=[speed, 0, 0]),
                    mesh("wall", corners, triangles, facing="front")],
        "steps": s.steps(20),
        "through": past("ball", "wall"),
    }


def ghost(s, phase, engine, hide=("margin",)):
    """The ball flies past a ledge's edge, 26 mm from it. The engine's margin is so large that it brakes it in the air."""
    x, y = -0.05 + (phase - 2.5) * 10 * STEP, 0.35 - (phase - 2.5) * 18 * STEP
    return {
        "margin": s.most("max_margin", 0.3),
        "objects": [
            box("ledge", (2, 0.5, 2), (-2, -0.5, 0), motion="fixed", friction=0.0),
            ball("ball", 0.1, (x, y, 0), v=[10, -18, 0], friction=0.0),
        ],
        "steps": s.steps(8),
        "hide": list(hide),
        "through": {"faster": "ball", "axis": 1, "than": -17.5},
    }


def ghost_logged(s, phase, engine):
    """The same; the log has the margin."""
    return ghost(s, phase, engine, hide=())


def smooth(s, engine):
    return {"smooth": True} if engine in ("rapier", "jolt") and s.get("smooth") else {}


def internal_edge(s, phase, engine):
    """A box slides over flat triangles without friction. `merged` makes them one box, `smooth` is the engine's own remedy."""
    floor = mesh("floor", *grid(6, 6, 1.0, lambda i, j: 0.0), friction=0.0, **smooth(s, engine))
    if s.get("merged"):
        floor = box("floor", (3, 0.5, 3), (0, -0.5, 0), motion="fixed", friction=0.0)
    return {
        "gravity": [0, -9.81, 0],
        "objects": [
            floor,
            box("crate", (0.2, 0.2, 0.2), (-2.6 + 0.05 * phase, 0.2, 0.1), v=[3, 0, 0], friction=0.0),
        ],
        "steps": s.steps(60),
        "through": {"slower": "crate", "axis": 0, "than": 2.5},
    }


def sinks(s, phase, engine):
    """A light ball between a thin floor and heavy crates. In MuJoCo, a ball on a floor with soft contacts."""
    radius, half = s.radius(0.1), s.thickness(0.1) / 2
    objects = [
        box("floor", (2, half, 2), (0, -half, 0), motion="fixed"),
        ball("ball", radius, (0, radius + 0.02 * phase, 0), mass=0.1),
    ]
    if engine != "mujoco":
        top = 2 * radius + 0.03
        objects += [
            box(f"crate {i + 1}", (0.3, 0.3, 0.3), (0, top + 0.3 + 0.61 * i, 0), mass=500.0) for i in range(3)
        ]
    made = {"gravity": [0, -9.81, 0], "objects": objects, "steps": s.steps(90), "through": past("ball", "floor", 1, start=1)}
    if engine != "mujoco":
        made["iterations"] = int(s.get("iterations", 0))
    elif not s.get("stiff"):
        made["solref"] = [s.most("max_contact_time", 1.0), 1]
    return made


def character(s, phase, engine):
    """A kinematic capsule; its program tests for overlap at the end of each step, and moves it back then."""
    speed, radius = s.speed(90.0), s.radius(0.25)
    start = -radius - (2 + 1 - phase) * speed * s.dt()
    return {
        "objects": [
            capsule("character", 0.5, radius, (start, 0, 0), motion="kinematic", v=[speed, 0, 0], tests="wall"),
            wall(s.thickness(0.05)),
        ],
        "steps": s.steps(8),
        "through": past("character", "wall"),
    }


def far(s, phase, engine):
    """The shot that stops at the origin, far from it. Rapier's ball does not move at all there."""
    far_away = {"jolt": 2e6, "physx": 2e6, "rapier": 1e6}[engine]
    x = s.most("max_coordinate", far_away)
    made = bullet(s, phase, engine, speed=12.0 if engine != "rapier" else 6.0, radius=0.1, thickness=0.2, x=x)
    if engine == "rapier":
        made["through"] = {"still": "ball", "axis": 0}
    return made


def inside(s, phase, engine):
    """Starts past the middle of the wall. `separation` moves it toward the side it should be on."""
    x = 0.06 + 0.01 * phase - s.get("separation", 0.0)
    return {
        "objects": [ball("ball", 0.1, (x, 0, 0)), wall(0.1)],
        "steps": s.steps(30),
        "through": past("ball", "wall"),
    }


# Healthy levels: nothing goes wrong in them, so that each finding is to be explained.

FLOOR = {"gravity": [0, -9.81, 0]}


def floor(size=10.0, **x):
    return box("floor", (size, 0.5, size), (0, -0.5, 0), motion="fixed", **x)


def scatter(n, side, y, spacing):
    """Places in layers of side * side, each moved a little, the same in every run."""
    for i in range(n):
        layer, cell = divmod(i, side * side)
        row, column = divmod(cell, side)
        shift = 0.1 * spacing * math.sin(12.9 * i)
        yield i, ((column - (side - 1) / 2) * spacing + shift, y + layer * spacing, (row - (side - 1) / 2) * spacing - shift)


def mixed(i, p, size=0.2):
    """Balls, boxes and capsules in turn."""
    make = [
        lambda: ball(f"ball {i}", size, p),
        lambda: box(f"box {i}", (size, 0.8 * size, size), p),
        lambda: capsule(f"capsule {i}", size, 0.6 * size, p),
    ]
    return make[i % 3]()


def stack(s, phase, engine):
    crates = []
    for row in range(6):
        for i in range(6 - row):
            p = ((i - (5 - row) / 2) * 0.52, 0.25 + 0.5 * row, 0)
            crates.append(box(f"crate {len(crates)}", (0.25, 0.25, 0.25), p, friction=0.6))
    return {**FLOOR, "objects": [floor(friction=0.6), *crates], "steps": 120}


def pile(s, phase, engine, n=40):
    walls = [
        box(f"side {i}", (0.2, 2, 1.7) if i < 2 else (1.7, 2, 0.2), p, motion="fixed")
        for i, p in enumerate([(-1.5, 2, 0), (1.5, 2, 0), (0, 2, -1.5), (0, 2, 1.5)])
    ]
    bodies = [mixed(i, p) for i, p in scatter(n, 4, 0.6, 0.6)]
    return {**FLOOR, "objects": [floor(), *walls, *bodies], "steps": 180}


def pile80(s, phase, engine):
    return pile(s, phase, engine, n=80)


def terrain(s, phase, engine):
    ground = mesh("terrain", *grid(16, 16, 1.0, lambda i, j: round(0.5 * math.sin(0.9 * i) * math.cos(0.7 * j), 6)), **smooth(s, engine))
    bodies = [mixed(i, p, 0.25) for i, p in scatter(40, 7, 1.5, 1.4)]
    return {**FLOOR, "objects": [ground, *bodies], "steps": 180}


def terrain_smooth(s, phase, engine):
    """With the engine's own remedy for internal edges."""
    s["smooth"] = 1
    return terrain(s, phase, engine)


def ragdoll(s, phase, engine, n=2):
    """A trunk, a head and four limbs of two parts each, hung together with ball joints."""
    objects, joints = [floor(friction=0.8)], []
    for doll in range(n):
        at, y = 1.5 * doll, 1.4 + 0.4 * doll
        first = len(objects)
        lean = [0.0, 0.0, math.sin(0.2), math.cos(0.2)]
        parts = [("trunk", 0.22, 0.12, 0, 0.0), ("head", 0.02, 0.1, 0, 0.5)]
        for side, x in (("left", -1), ("right", 1)):
            parts += [(f"{side} arm", 0.1, 0.05, 0.22 * x, 0.1), (f"{side} hand", 0.1, 0.05, 0.22 * x, -0.25)]
            parts += [(f"{side} leg", 0.13, 0.07, 0.1 * x, -0.55), (f"{side} foot", 0.13, 0.06, 0.1 * x, -1.0)]
        cos, sin = math.cos(0.4), math.sin(0.4)

        def turned(x, height):
            return (at + x * cos - height * sin, y + x * sin + height * cos, 0.0)

        for name, half, radius, x, height in parts:
            objects.append(capsule(f"{name} {doll}", half, radius, turned(x, height), rotation=lean, mass=2.0, friction=0.8))
        links = [(0, 1, 0, 0.37), (0, 2, -0.2, 0.24), (2, 3, -0.22, -0.07), (0, 4, -0.1, -0.3), (4, 5, -0.1, -0.78),
                 (0, 6, 0.2, 0.24), (6, 7, 0.22, -0.07), (0, 8, 0.1, -0.3), (8, 9, 0.1, -0.78)]
        joints += [[first + a, first + b, list(turned(x, height))] for a, b, x, height in links]
    return {**FLOOR, "objects": objects, "joints": joints, "steps": 180}


def dumbbells(s, phase, engine):
    """Bodies of three convex parts."""
    parts = [
        {"shape": {"sphere": {"radius": 0.2}}, "position": [-0.4, 0, 0]},
        {"shape": {"sphere": {"radius": 0.2}}, "position": [0.4, 0, 0]},
        {"shape": {"box": {"half_extents": [0.4, 0.06, 0.06]}}, "position": [0, 0, 0]},
    ]
    turned = [0, 0.26, 0, 0.9656]
    bodies = [item(f"dumbbell {i}", {"compound": parts}, p, rotation=turned) for i, p in scatter(12, 2, 0.8, 1.3)]
    return {**FLOOR, "objects": [floor(), *bodies], "steps": 180}


def slide(s, phase, engine):
    """The box on flat triangles, in the engines where it keeps its speed."""
    return internal_edge(s, phase, engine)


def conveyor(s, phase, engine):
    crates = [box(f"crate {i}", (0.2, 0.2, 0.2), (-2.0 + 0.8 * i, 0.25, 0), friction=0.8) for i in range(5)]
    belt = box("belt", (5, 0.2, 1), (0, -0.2, 0), motion="kinematic", v=[1.5, 0, 0], friction=0.8)
    return {**FLOOR, "objects": [belt, *crates], "steps": 120}


def stairs(s, phase, engine):
    steps = [box(f"step {i}", (0.25, 0.15, 1.5), (0.5 * i, -0.15 - 0.3 * i, 0), motion="fixed") for i in range(8)]
    bodies = [ball(f"ball {i}", 0.15, (-0.1, 0.3, -0.9 + 0.6 * i), v=[1.0 + 0.3 * i, 0, 0], restitution=0.3) for i in range(4)]
    return {**FLOOR, "objects": [*steps, *bodies], "steps": 150}


def humanoid(s, phase, engine):
    """MuJoCo only: a tree of bodies with hinges, built by the engine program."""
    return {**FLOOR, "objects": [floor()], "humanoid": True, "steps": 180}


ALL, RIGID = list(ENGINES), ["pybullet", "rapier", "jolt", "physx"]
# Name, function, engines, expected cause.
BUGS = [
    ("bullet", bullet, ALL, "C01"),
    ("bullet_soft", bullet_soft, ["mujoco"], "C01"),
    ("two_bullets", two_bullets, ["rapier", "jolt"], "C02"),
    # These sweep the motion of both.
    ("two_bullets_relative", two_bullets, ["pybullet", "mujoco", "physx"], "C01"),
    ("two_bullets_ccd", two_bullets_ccd, ["rapier", "jolt"], "C02"),
    ("blade", blade, ALL, "C04"),
    ("paddle", paddle, ALL, "C13"),
    ("dt_spike", dt_spike, ALL, "C14"),
    ("mask", mask, ALL, "C18"),
    ("mask_hidden", mask_hidden, ALL, "C18"),
    ("one_sided_mesh", one_sided_mesh, ["jolt", "physx"], "C08"),
    ("ghost", ghost, ["jolt", "physx"], "C11"),
    ("ghost_logged", ghost_logged, ["jolt", "physx"], "C11"),
    ("internal_edge", internal_edge, ["pybullet", "rapier"], "C10"),
    ("sinks", sinks, ["pybullet", "mujoco"], "C21"),
    ("character", character, ["pybullet", "rapier"], "C01"),
    ("far", far, ["rapier", "jolt", "physx"], "C17"),
    ("inside", inside, ["pybullet", "rapier", "jolt", "physx"], "C12"),
]
HEALTHY = [
    ("stack", stack, ALL),
    ("pile", pile, ALL),
    ("pile80", pile80, ["pybullet"]),
    ("terrain", terrain, RIGID),
    ("terrain_smooth", terrain_smooth, ["rapier", "jolt"]),
    ("ragdoll", ragdoll, ["pybullet", "mujoco", "rapier", "jolt"]),
    ("dumbbells", dumbbells, ALL),
    ("slide", slide, ["jolt", "physx"]),
    ("conveyor", conveyor, ALL),
    ("stairs", stairs, ALL),
    ("humanoid", humanoid, ["mujoco"]),
]


def level(name, engine, settings=(), phase=0.5):
    """A level as the engine programs read it."""
    s = Settings(settings)
    row = next(row for row in BUGS + HEALTHY if row[0] == name)
    if engine not in row[2]:
        raise SystemExit(f"{name} is not a level of {engine}")
    made = {"gravity": [0, 0, 0], "hide": [], "joints": [], **row[1](s, phase, engine)}
    made.setdefault("dts", [s.dt()] * made.get("steps", 0))
    if engine == "mujoco" and row in BUGS:
        made.setdefault("solref", [s.most("max_contact_time", 1e-4), 1])
    made.setdefault("margin", s.most("max_margin", ENGINES[engine]["margin"]))
    for number, thing in enumerate(made["objects"]):
        thing["id"] = number
    made["unused"] = sorted(set(s) - s.used)
    return {"name": name, "engine": engine, "scalar": ENGINES[engine]["scalar"], "dt": made["dts"][0], **made}
