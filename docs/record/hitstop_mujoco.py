"""Records every geom of a MuJoCo model that collides. Run with MuJoCo 3.17 and 4.0.

    recorder = MuJoCoRecorder("run.jsonl.gz", model, data)
    while data.time < 4:
        mujoco.mj_step(model, data)
        recorder.frame()
    recorder.close()

Geoms of one body are not tested against each other. Pairs that a parent, a weld or `<exclude>` keeps apart are listed; `contype` and `conaffinity` are
layers and masks. Flexes are left out. MuJoCo's contacts give way: bodies at rest overlap a little.
"""

import itertools
import sys

import mujoco
import numpy

from hitstop_log import Recorder, body, contact, hull

GEOM = mujoco.mjtGeom
# Continuous detection of the whole world, since 4.0.
SPECULATIVE = getattr(mujoco.mjtEnableBit, "mjENBL_SPECULATIVE", None)
# Points on a sphere, for an ellipsoid.
SPHERE = [
    [numpy.cos(a) * numpy.cos(b), numpy.sin(a) * numpy.cos(b), numpy.sin(b)]
    for a in numpy.arange(24) * numpy.pi / 12
    for b in numpy.linspace(-numpy.pi / 2, numpy.pi / 2, 13)
]


def shape(model, geom):
    """MuJoCo's shapes lie along Z, which is up in the log, too."""
    kind, size = model.geom_type[geom], [float(value) for value in model.geom_size[geom]]
    if kind == GEOM.mjGEOM_PLANE:
        return {"plane": {"normal": [0, 0, 1], "offset": 0}}
    if kind == GEOM.mjGEOM_SPHERE:
        return {"sphere": {"radius": size[0]}}
    if kind == GEOM.mjGEOM_CAPSULE:
        return {"capsule": {"half_height": size[1], "radius": size[0]}}
    if kind == GEOM.mjGEOM_CYLINDER:
        return {"cylinder": {"half_height": size[1], "radius": size[0]}}
    if kind == GEOM.mjGEOM_BOX:
        return {"box": {"half_extents": size}}
    if kind == GEOM.mjGEOM_ELLIPSOID:
        return {"convex_hull": {"points": (numpy.array(SPHERE) * size).round(9).tolist()}}
    if kind == GEOM.mjGEOM_MESH:
        # Of a mesh, its hull collides.
        mesh = model.geom_dataid[geom]
        first = model.mesh_vertadr[mesh]
        return hull(model.mesh_vert[first : first + model.mesh_vertnum[mesh]].tolist())
    if kind == GEOM.mjGEOM_HFIELD:
        field = model.geom_dataid[geom]
        rows, columns, first = model.hfield_nrow[field], model.hfield_ncol[field], model.hfield_adr[field]
        x, y, top, _ = model.hfield_size[field].tolist()
        heights = top * model.hfield_data[first : first + rows * columns].reshape(rows, columns)
        # In the log the row of the greatest y comes first.
        cell = [2 * x / float(columns - 1), 2 * y / float(rows - 1)]
        return {"height_field": {"heights": heights[::-1].tolist(), "cell": cell, "diagonal": "anti"}}
    return None


def are_apart(model, a, b):
    """Whether MuJoCo never tests two geoms of different bodies, whatever their bits are."""
    one, two = model.geom_bodyid[a], model.geom_bodyid[b]
    welds = model.body_weldid[one], model.body_weldid[two]
    parents = model.body_weldid[model.body_parentid[welds[0]]], model.body_weldid[model.body_parentid[welds[1]]]
    filters = not model.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_FILTERPARENT
    is_family = filters and 0 not in welds and (parents[0] == welds[1] or parents[1] == welds[0])
    low, high = sorted((int(one), int(two)))
    return welds[0] == welds[1] or is_family or (low << 16) + high in model.exclude_signature


def bits(model, collide, pairs):
    """Layer and mask of each geom; `None` if there are too many kinds.

    In MuJoCo one `contype` that is in the other's `conaffinity` is enough, in a log both sides must match. Where that decides otherwise, or `<pair>` does, each
    kind of geom has a layer of its own, and the mask of what it meets.
    """
    paired = {geom for pair in pairs for geom in pair}
    kind_of = {geom: (int(model.geom_contype[geom]), int(model.geom_conaffinity[geom]), geom if geom in paired else -1) for geom in collide}
    kinds = list(dict.fromkeys(kind_of.values()))

    def meet(a, b):
        return bool(a[0] & b[1] or b[0] & a[1] or (a[2], b[2]) in pairs or (b[2], a[2]) in pairs)

    if all(meet(a, b) == bool(a[0] & b[1] and b[0] & a[1]) for a in kinds for b in kinds):
        return {geom: {"layer": kind[0], "mask": kind[1]} for geom, kind in kind_of.items()}
    if len(kinds) > 32:
        return None
    made = {a: {"layer": 1 << i, "mask": sum(1 << k for k, b in enumerate(kinds) if meet(a, b))} for i, a in enumerate(kinds)}
    return {geom: made[kind] for geom, kind in kind_of.items()}


class MuJoCoRecorder:
    def __init__(self, path, model, data, keep=None, name="MuJoCo", fixed_can_move=False):
        self.model, self.data = model, data
        self.log = Recorder(
            path, keep, name=name, dt=model.opt.timestep, up="z", engine="mujoco", engine_version=mujoco.__version__, gravity=model.opt.gravity.tolist()
        )
        pairs = set(zip(model.pair_geom1.tolist(), model.pair_geom2.tolist()))
        paired = {geom for pair in pairs for geom in pair}
        collide = [geom for geom in range(model.ngeom) if model.geom_contype[geom] or model.geom_conaffinity[geom] or geom in paired]
        self.notes = set()
        self.place()
        decided = bits(model, collide, pairs)
        self.numbers = {}
        for geom in collide:
            self.add(geom, decided[geom] if decided else {})
        collide = list(self.numbers)
        self.moving = [geom for geom in collide if fixed_can_move or self.motion(geom) != "fixed"]
        if decided is None:
            self.note("there are more than 32 kinds of contype and conaffinity: pairs that they keep apart are on the ignore list")
        for a, b in itertools.combinations(collide, 2):
            if (a, b) in pairs or (b, a) in pairs:
                continue
            is_filtered = decided is None and not (model.geom_contype[a] & model.geom_conaffinity[b] or model.geom_contype[b] & model.geom_conaffinity[a])
            if is_filtered or are_apart(model, a, b):
                self.log.ignore(self.numbers[a], self.numbers[b])
        if model.nflex:
            self.note("flexes are not recorded")
        self.still = [geom for geom in collide if geom not in self.moving]
        self.first = self.snapshot()
        self.frame(step=False)

    def snapshot(self):
        """What the log has once: poses of what is fixed, sizes and bits."""
        model, data = self.model, self.data
        poses = data.geom_xpos[self.still].copy(), data.geom_xmat[self.still].copy()
        return poses, (model.geom_size.copy(), model.geom_contype.copy(), model.geom_conaffinity.copy())

    def note(self, text):
        """Prints once what the log does not have."""
        if text not in self.notes:
            self.notes.add(text)
            print(f"hitstop: {text}", file=sys.stderr)

    def motion(self, geom):
        # A mocap body is the root of what is welded to it, as the world is.
        root = self.model.body_weldid[self.model.geom_bodyid[geom]]
        if self.model.body_mocapid[root] >= 0:
            return "kinematic"
        return "fixed" if root == 0 else "dynamic"

    def add(self, geom, fields):
        of = self.model.geom_bodyid[geom]
        owner = self.model.body(of).name or f"body {of}"
        name = self.model.geom(geom).name or f"{owner} {geom}"
        made = shape(self.model, geom)
        if made is None:
            self.note(f"{name} is not recorded: the log has no shape like a geom of type {self.model.geom_type[geom]}")
            return
        p, q, *_ = self.state(geom)
        motion = self.motion(geom)
        if SPECULATIVE is not None and motion == "dynamic":
            fields = {**fields, "ccd": bool(self.model.opt.enableflags & int(SPECULATIVE))}
        self.numbers[geom] = self.log.add(
            name, made, motion=motion, position=p.tolist(), rotation=q, body=owner, mass=max(float(self.model.body_mass[of]), 1e-6), **fields
        )

    def place(self):
        """Poses and velocities of now: after a step they are those of its start."""
        mujoco.mj_kinematics(self.model, self.data)
        mujoco.mj_comPos(self.model, self.data)
        mujoco.mj_comVel(self.model, self.data)

    def state(self, geom):
        q, velocity = numpy.zeros(4), numpy.zeros(6)
        mujoco.mju_mat2Quat(q, self.data.geom_xmat[geom])
        mujoco.mj_objectVelocity(self.model, self.data, mujoco.mjtObj.mjOBJ_GEOM, geom, velocity, 0)
        w, x, y, z = q.tolist()
        return self.data.geom_xpos[geom], [x, y, z, w], velocity[3:].tolist(), velocity[:3].tolist()

    def island(self, geom):
        """The island of the step that a geom's body was in: bodies without contacts and other constraints are in none."""
        tree = self.model.body_treeid[self.model.geom_bodyid[geom]]
        number = int(self.data.tree_island[tree]) if self.data.nisland and tree >= 0 else -1
        return {"island": number} if number >= 0 else {}

    def frame(self, step=True, **fields):
        """Writes the state after a step, and the contacts at its start. `fields`: queries, camera, .., as in a log."""
        contacts, force = [], numpy.zeros(6)
        # Of a step of several evaluations the forces are those of the last.
        dt = None if self.model.opt.integrator == mujoco.mjtIntegrator.mjINT_RK4 else self.model.opt.timestep
        for i, it in enumerate(self.data.contact if step else ()):
            pair = self.numbers.get(int(it.geom[1])), self.numbers.get(int(it.geom[0]))
            if None not in pair:
                # MuJoCo's normal leads from the first geom to the second.
                mujoco.mj_contactForce(self.model, self.data, i, force)
                contacts.append(contact(*pair, it.pos, it.frame[:3], -float(it.dist), dt and force[0] * dt))
        self.place()
        for now, first, what in zip(self.snapshot(), self.first, ("a fixed geom moved; give fixed_can_move=True", "a geom has another size or other bits; the log keeps the first")):
            if any(not numpy.array_equal(a, b) for a, b in zip(now, first)):
                self.note(what)
        bodies = [body(self.numbers[geom], *self.state(geom), **(self.island(geom) if step else {})) for geom in self.moving]
        self.log.frame(self.data.time, bodies, contacts=contacts if step else None, **fields)

    def save(self, path):
        self.log.save(path)

    def close(self):
        self.log.close()
