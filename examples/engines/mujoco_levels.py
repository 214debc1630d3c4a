"""The levels in MuJoCo: reads levels from standard input, writes logs. See run.py.

Contacts in MuJoCo are soft: bodies at rest overlap a little, and the number that holds in a rigid engine may not hold here until
the contacts are stiffer (`solref`). A kinematic body is a heavy one without weight whose velocity is set before each step, as a
`mocap` body, which one places, has none.
"""

import math

import mujoco
import numpy

import jsonl

HEAVY = 1e6
# How a body moves, in its XML.
WAYS = {"fixed": ">", "dynamic": "><freejoint/>", "kinematic": ' gravcomp="1"><freejoint/>', "placed": ' mocap="true">'}
TURN_UP = [math.sqrt(0.5), math.sqrt(0.5), 0, 0]  # from MuJoCo's Z to the log's Y; w comes first
# Name, parent, half length, radius, place of the hinge below the parent's middle, axes. A chain for each limb.
HUMANOID = [
    ("trunk", None, 0.2, 0.11, (0, 0, 0), ()),
    ("head", "trunk", 0.02, 0.1, (0, 0.33, 0), ("x", "z")),
    *[
        part
        for side, x in (("left", -1), ("right", 1))
        for part in (
            (f"{side} arm", "trunk", 0.11, 0.045, (0.21 * x, 0.2, 0), ("x", "z")),
            (f"{side} hand", f"{side} arm", 0.1, 0.04, (0, -0.25, 0), ("x",)),
            (f"{side} thigh", "trunk", 0.14, 0.06, (0.09 * x, -0.3, 0), ("x", "y", "z")),
            (f"{side} shin", f"{side} thigh", 0.14, 0.05, (0, -0.4, 0), ("x",)),
        )
    ],
]


def geoms(shape):
    """Type, sizes, place and rotation of each convex part."""
    (kind, value), = shape.items()
    if kind == "sphere":
        return [("sphere", [value["radius"]], [0, 0, 0], [1, 0, 0, 0])]
    if kind == "box":
        return [("box", value["half_extents"], [0, 0, 0], [1, 0, 0, 0])]
    if kind == "capsule":
        return [("capsule", [value["radius"], value["half_height"]], [0, 0, 0], TURN_UP)]
    if kind == "compound":
        return [(*geoms(part["shape"])[0][:2], part["position"], [1, 0, 0, 0]) for part in value]
    raise ValueError(f"no shape {kind}")


def numbers(values):
    return " ".join(map(repr, map(float, values)))


def first(q):
    """A quaternion with w in front."""
    return [q[3], *q[:3]]


class World:
    def __init__(self, level):
        self.objects = level["objects"]
        self.joints = level["joints"]
        self.solref = numbers(level.get("solref", [0.02, 1]))
        bodies = "".join(self.body(item) for item in self.objects)
        if level.get("humanoid"):
            bodies += self.humanoid(level)
        excluded = "".join(f'<exclude body1="{a}" body2="{b}"/>' for a, b, _ in self.joints)
        # A joint of the level is a point that two bodies share; the anchor is given in the first one's frame.
        connected = "".join(
            f'<connect body1="{a}" body2="{b}" anchor="{numbers(self.anchor(self.objects[a], point))}"/>'
            for a, b, point in self.joints
            if point
        )
        self.model = mujoco.MjModel.from_xml_string(
            f'<mujoco><option gravity="{numbers(level["gravity"])}"/>'
            f"<worldbody>{bodies}</worldbody><contact>{excluded}</contact><equality>{connected}</equality></mujoco>"
        )
        # Continuous detection of all bodies, since 4.0.
        speculative = getattr(mujoco.mjtEnableBit, "mjENBL_SPECULATIVE", None)
        if speculative is not None and any(item.get("ccd") for item in self.objects):
            self.model.opt.enableflags |= int(speculative)
        self.data = mujoco.MjData(self.model)
        self.places = {item["id"]: self.model.body(str(item["id"])).id for item in self.objects}
        self.ids = {body: number for number, body in self.places.items()}
        for item in self.objects:
            if "drive" not in item["x"]:
                self.set_velocity(item)
        mujoco.mj_forward(self.model, self.data)

    def set_velocity(self, item):
        """The angular velocity of a free joint is in the body's own axes; it is about one of them in all levels."""
        address = self.model.body_dofadr[self.places[item["id"]]]
        x = item["x"]
        if address >= 0 and ("v" in x or "w" in x):
            self.data.qvel[address : address + 6] = [*x.get("v", [0, 0, 0]), *x.get("w", [0, 0, 0])]

    def body(self, item):
        x = item["x"]
        kind = "placed" if "drive" in x else item["motion"]
        mass = HEAVY if kind == "kinematic" else item["mass"]
        friction = x.get("friction", 0.5)
        shapes = geoms(item["shape"])
        bits = self.bits(item)
        parts = "".join(
            f'<geom type="{geom}" size="{numbers(size)}" pos="{numbers(p)}" quat="{numbers(q)}" mass="{mass / len(shapes)}"'
            f' friction="{friction} 0.005 0.0001" solref="{self.solref}" {bits}/>'
            for geom, size, p, q in shapes
        )
        rotation = first(item.get("rotation", [0, 0, 0, 1]))
        return (
            f'<body name="{item["id"]}" pos="{numbers(item["position"])}" quat="{numbers(rotation)}"'
            f'{WAYS[kind]}{parts}</body>'
        )

    @staticmethod
    def anchor(item, point):
        """A point of the world in the frame of an object at its start."""
        place, inverse = numpy.zeros(3), numpy.zeros(4)
        mujoco.mju_negQuat(inverse, numpy.array(first(item.get("rotation", [0, 0, 0, 1])), float))
        mujoco.mju_rotVecQuat(place, numpy.subtract(point, item["position"]).astype(float), inverse)
        return place

    def bits(self, item):
        """MuJoCo collides a pair if either one's `contype` is in the other's `conaffinity`. With the bits on one side only, both rule."""
        if "layer" not in item:
            return ""
        if item["motion"] == "dynamic":
            return f'contype="0" conaffinity="{item["mask"]}"'
        return f'contype="{item["layer"]}" conaffinity="0"'

    def humanoid(self, level):
        """A tree of bodies. Parent and child do not collide in MuJoCo; in the log they are joined."""
        trees, known = {}, {}
        for name, parent, half, radius, hinge, axes in HUMANOID:
            number = len(self.objects)
            at = [0, 1.3, 0] if parent is None else list(hinge)
            middle = 0 if parent is None else (half if name == "head" else -half)
            # A push, so that it falls.
            item = {"id": number, "name": name, "motion": "dynamic", "mass": 1.0, "x": {} if parent else {"v": [1, 0, 1]}}
            item["shape"] = {"capsule": {"a": [0, middle - half, 0], "b": [0, middle + half, 0], "radius": radius}}
            item["position"] = [a + b for a, b in zip(at, known[parent]["position"])] if parent else at
            self.objects.append(item)
            known[name] = item
            hinges = "".join(f'<joint axis="{numbers([a == axis for a in "xyz"])}" damping="1" range="-70 70"/>' for axis in axes)
            geom = (
                f'<geom type="capsule" fromto="{numbers([0, middle - half, 0, 0, middle + half, 0])}" size="{radius}" mass="1"'
                f' solref="{self.solref}"/>'
            )
            trees[name] = [f'<body name="{number}" pos="{numbers(at)}">{hinges or "<freejoint/>"}{geom}', parent]
            if parent:
                self.joints.append([known[parent]["id"], number, None])

        def text(name):
            return trees[name][0] + "".join(text(child) for child in trees if trees[child][1] == name) + "</body>"

        return text("trunk")

    def step(self, dt):
        self.model.opt.timestep = dt
        for item in self.objects:
            if "drive" in item["x"]:
                number = self.model.body_mocapid[self.places[item["id"]]]
                self.data.mocap_pos[number] += numpy.array(item["x"]["drive"]) * dt
            elif item["motion"] == "kinematic":
                self.set_velocity(item)
        mujoco.mj_step(self.model, self.data)
        # What is logged: the poses after the step, and the contacts that the step was computed with.
        self.found = [self.contact(point) for point in self.data.contact]
        mujoco.mj_kinematics(self.model, self.data)
        mujoco.mj_comPos(self.model, self.data)
        mujoco.mj_comVel(self.model, self.data)

    def contact(self, point):
        """MuJoCo's normal points from the first to the second; the distance is negative where they overlap."""
        a, b = (self.ids[self.model.geom_bodyid[geom]] for geom in point.geom)
        return jsonl.contact(a, b, point.pos, -point.frame[:3], -point.dist)

    def bodies(self):
        found = []
        for item in self.objects:
            if item["motion"] == "fixed":
                continue
            number = self.places[item["id"]]
            q, velocity = self.data.xquat[number], numpy.zeros(6)
            mujoco.mj_objectVelocity(self.model, self.data, mujoco.mjtObj.mjOBJ_XBODY, number, velocity, 0)
            found.append(jsonl.body(item["id"], self.data.xpos[number], [*q[1:], q[0]], velocity[3:], velocity[:3]))
        return found

    def contacts(self):
        return self.found

    def close(self):
        pass


jsonl.run(World)
