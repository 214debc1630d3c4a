"""Records every body of a PyBullet world. Run with PyBullet 3.2.7.

    recorder = PyBulletRecorder("run.jsonl.gz")          # before the first step
    for _ in range(240):
        pybullet.stepSimulation()
        recorder.frame()
    recorder.close()

A link is an object; the links of a body are not tested against each other. Bodies that are made or removed later are found. A body without mass is fixed
until it is moved, then kinematic. Pass fields of an object, such as `name`, `motion`, `layer` and `mask`, which PyBullet does not give, as
`fields={(body, link): {"motion": "kinematic"}}`; the base is link -1. A mesh is recorded as the hulls that Bullet makes of it. PyBullet gives neither the
triangles of other meshes nor height fields: pass `shapes={(body, link): {"mesh": {..}}}`, around the centre of mass.
"""

import importlib.metadata
import sys

import pybullet

from hitstop_log import Recorder, body, contact, hull

# Most parts of a compound in a log.
PARTS = 256
HOME = (0, 0, 0), (0, 0, 0, 1)


def part(kind, size):
    """Bullet's shapes lie along Z, which is up in the log, too."""
    if kind == pybullet.GEOM_SPHERE:
        return {"sphere": {"radius": size[0]}}
    if kind == pybullet.GEOM_BOX:
        return {"box": {"half_extents": [length / 2 for length in size]}}
    if kind == pybullet.GEOM_CAPSULE:
        return {"capsule": {"half_height": size[0] / 2, "radius": size[1]}}
    if kind == pybullet.GEOM_CYLINDER:
        return {"cylinder": {"half_height": size[0] / 2, "radius": size[1]}}
    return None


def meshes(body_id, link, data, note):
    """The points of each hull, with the poses of the shapes in them. Bullet makes a compound of a mesh of several parts."""

    def points(**index):
        return pybullet.getMeshData(body_id, link, **index)[1]

    count = sum(it[2] == pybullet.GEOM_MESH for it in data)
    whole, found = points() if count else (), []
    indices = range(PARTS) if len(data) == 1 else [i for i, it in enumerate(data) if it[2] == pybullet.GEOM_MESH]
    for index in indices:
        piece = points(collisionShapeIndex=index) if sum(map(len, found)) < len(whole) else ()
        if not piece:
            break
        found.append(piece)
    if sum(map(len, found)) == len(whole) and len(found) >= count:
        return found
    if len(data) > 1 or not whole:
        note("is not recorded: PyBullet does not give its mesh; pass its shape in `shapes`")
        return None
    note("is recorded as the hull of a mesh of several parts, which PyBullet does not give; pass its shape in `shapes`")
    return [whole]


def shape(body_id, link, note):
    """The shape of a link around its centre of mass; `None` if it has none that is recorded."""
    try:
        data = pybullet.getCollisionShapeData(body_id, link)
    except pybullet.error:
        note("is not recorded: PyBullet does not give the shapes of bodies with `useMaximalCoordinates`; pass its shape in `shapes`")
        return None
    if not data:
        low, high = pybullet.getAABB(body_id, link)
        # A link without a shape has one of a few millimetres.
        if max(b - a for a, b in zip(low, high)) > 0.01:
            note("is not recorded: PyBullet does not give its height field; pass its shape in `shapes`")
        return None
    if data[0][2] == pybullet.GEOM_PLANE:
        normal = pybullet.rotateVector(data[0][6], data[0][3])
        return {"plane": {"normal": list(normal), "offset": sum(a * b for a, b in zip(normal, data[0][5]))}}
    hulls = meshes(body_id, link, data, note)
    if hulls is None:
        return None
    parts = [(hull(points), *HOME) for points in hulls]
    parts += [(part(kind, size), place, rotation) for _, _, kind, size, _, place, rotation in data if kind != pybullet.GEOM_MESH]
    if any(made is None for made, *_ in parts):
        note("is not recorded: one of its shapes is not known here; pass its shape in `shapes`")
        return None
    if len(parts) == 1 and parts[0][1:] == HOME:
        return parts[0][0]
    return {"compound": [{"shape": made, "position": list(place), "rotation": list(rotation)} for made, place, rotation in parts]}


def version():
    """The version of PyBullet, if it was installed as a package."""
    try:
        return {"engine_version": importlib.metadata.version("pybullet")}
    except importlib.metadata.PackageNotFoundError:
        return {}


class PyBulletRecorder:
    def __init__(self, path, keep=None, name="PyBullet", shapes=None, fields=None):
        parameters = pybullet.getPhysicsEngineParameters()
        self.time = 0.0
        self.log = Recorder(
            path, keep, name=name, dt=parameters["fixedTimeStep"], up="z", engine="pybullet", **version(), margin=parameters.get("contactBreakingThreshold", 0.02),
            gravity=[parameters.get(f"gravityAcceleration{axis}", 0) for axis in "XYZ"],
        )
        self.shapes, self.fields = shapes or {}, fields or {}
        # By body and link: the object, its number, and its pose at the frame before; `None` for one that is not recorded.
        self.known = {}
        # Fixed objects that end with this frame.
        self.removed, self.names = [], set()
        # The line of the frame before: what moves in a step is movable from its start.
        self.held = None
        self.frame(step=False)

    def add(self, body_id, link):
        key = body_id, link
        base, called = (text.decode() for text in pybullet.getBodyInfo(body_id))
        # That of every body that is not of a file.
        called = called if called != "link0" else ""
        own = pybullet.getJointInfo(body_id, link)[12].decode() if link >= 0 else base

        def note(what):
            print(f"hitstop: {called or 'body'} {body_id} {own} {what}", file=sys.stderr)

        made = self.shapes.get(key) or shape(body_id, link, note)
        if made is None:
            return None
        # Names of files occur several times: the number of the body makes them differ.
        name = f"{called or next(iter(made))} {body_id}" + (f" {own}" if link >= 0 else "")
        # A number is used again once its body is removed.
        name = f"{name} from {self.time:.9g} s" if name in self.names else name
        self.names.add(name)
        p, q, *_ = self.state(body_id, link)
        mass = pybullet.getDynamicsInfo(body_id, link)[0]
        moving = {"motion": "dynamic", "mass": max(mass, 1e-6)} if mass > 0 or link >= 0 else {"motion": "fixed"}
        placed = {"position": list(p), "rotation": list(q), "body": f"body {body_id}"}
        fields = {"name": name, "shape": made, **moving, **placed, **self.fields.get(key, {})}
        return {"fields": fields, "number": self.log.add(**fields), "pose": (p, q)}

    def find_motion(self, key, pose):
        """A body that is moved without mass, or moves with another, goes on as another object from where it was at the frame before."""
        it = self.known[key]
        before = it["fields"]["motion"]
        if key[1] >= 0 or "motion" in self.fields.get(key, {}) or (before == "fixed" and pose == it["pose"]):
            return
        mass = pybullet.getDynamicsInfo(*key)[0]
        motion = "dynamic" if mass > 0 else "kinematic"
        if motion == before:
            return
        old, name = it["number"], it["fields"]["name"]
        it["fields"] = {**it["fields"], "motion": motion, **({"mass": mass} if mass > 0 else {})}
        if self.log.frames == 0:
            # Not written yet.
            self.log.waiting[old] = {"id": old, **it["fields"]}
        else:
            it["number"] = self.log.add(**{**it["fields"], "name": f"{name} from {self.time:.9g} s"})
            self.removed += [old] if before == "fixed" else []
        if self.held and (before == "fixed" or it["number"] != old):
            self.held[1].append(body(it["number"], *it["pose"]))

    @staticmethod
    def state(body_id, link):
        """Position and rotation of the centre of mass, and velocities."""
        if link < 0:
            return (*pybullet.getBasePositionAndOrientation(body_id), *pybullet.getBaseVelocity(body_id))
        state = pybullet.getLinkState(body_id, link, computeLinkVelocity=1, computeForwardKinematics=1)
        return state[0], state[1], state[6], state[7]

    def number(self, body_id, link=-1):
        """The number of a link in the log, for queries of your own; `None` if it is not recorded."""
        it = self.known.get((body_id, link))
        return it and it["number"]

    def frame(self, step=True, **fields):
        """Records the state after a step, and the contacts at its start; its line is written with the next. `fields`: queries, camera, .., as in a log."""
        # What was added is of this frame, not of the one that is held.
        fields = self.log.with_notes(fields)
        bodies = map(pybullet.getBodyUniqueId, range(pybullet.getNumBodies()))
        keys = [(body_id, link) for body_id in bodies for link in range(-1, pybullet.getNumJoints(body_id))]
        states = {key: self.state(*key) for key in keys if self.known.get(key, True)}
        for key, (p, q, *_) in states.items():
            if key in self.known:
                self.find_motion(key, (p, q))
        self.write()
        for key in keys:
            if key not in self.known:
                self.known[key] = self.add(*key)
        for it in [self.known.pop(key) for key in self.known.keys() - set(keys)]:
            self.removed += [it["number"]] if it and it["fields"]["motion"] == "fixed" else []
        bodies = []
        for key, (p, q, v, w) in states.items():
            it = self.known[key]
            if it and it["fields"]["motion"] != "fixed":
                it["pose"] = p, q
                bodies.append(body(it["number"], p, q, v, w))
        contacts = []
        parameters = pybullet.getPhysicsEngineParameters()
        # A force is that of the step, or of its last substep.
        dt = parameters["fixedTimeStep"] if parameters.get("numSubSteps", 0) < 2 else None
        for _, a, b, link_a, link_b, _, point, normal, distance, force, *_ in pybullet.getContactPoints() if step else ():
            pair = self.number(a, link_a), self.number(b, link_b)
            if a != b and None not in pair:
                contacts.append(contact(*pair, point, normal, -distance, dt and force * dt))
        for number in sorted(self.removed):
            self.log.remove(number)
        self.removed = []
        self.time += parameters["fixedTimeStep"] * step
        self.held = self.time, bodies, {"contacts": contacts if step else None, **fields}

    def write(self):
        if self.held:
            time, bodies, fields = self.held
            self.log.frame(time, bodies, **fields)
        self.held = None

    def save(self, path):
        self.write()
        self.log.save(path)

    def close(self):
        self.write()
        self.log.close()
