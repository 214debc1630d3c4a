"""Records every geom of a MuJoCo model that collides. Tried with MuJoCo 4.0.

    recorder = MuJoCoRecorder("run.jsonl.gz", model, data)
    while data.time < 4:
        mujoco.mj_step(model, data)
        recorder.frame()
    recorder.close()

Geoms of one body are not tested against each other. Pairs that the bits of MuJoCo, a parent, a weld or `<exclude>` keep apart are
listed. MuJoCo's contacts give way: bodies at rest overlap a little.
"""

import itertools

import mujoco
import numpy

from hitstop_log import Recorder, body, contact, hull

GEOM = mujoco.mjtGeom
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
    raise ValueError(f"a geom of type {kind} cannot be recorded; exclude it with contype=0 and conaffinity=0")


def are_apart(model, a, b):
    """Whether MuJoCo never tests two geoms of different bodies."""
    bits = model.geom_contype[a] & model.geom_conaffinity[b] or model.geom_contype[b] & model.geom_conaffinity[a]
    one, two = model.geom_bodyid[a], model.geom_bodyid[b]
    welds = model.body_weldid[one], model.body_weldid[two]
    parents = model.body_weldid[model.body_parentid[welds[0]]], model.body_weldid[model.body_parentid[welds[1]]]
    is_family = 0 not in welds and (parents[0] == welds[1] or parents[1] == welds[0])
    low, high = sorted((int(one), int(two)))
    return not bits or welds[0] == welds[1] or is_family or (low << 16) + high in model.exclude_signature


class MuJoCoRecorder:
    def __init__(self, path, model, data, keep=None, name="MuJoCo"):
        self.model, self.data = model, data
        self.log = Recorder(
            path, keep, name=name, dt=model.opt.timestep, up="z", engine="mujoco", gravity=model.opt.gravity.tolist()
        )
        collide = [geom for geom in range(model.ngeom) if model.geom_contype[geom] or model.geom_conaffinity[geom]]
        self.place()
        self.numbers = {geom: self.add(geom) for geom in collide}
        self.moving = [geom for geom in collide if self.motion(geom) != "fixed"]
        pairs = itertools.combinations(collide, 2)
        for a, b in pairs:
            if are_apart(model, a, b):
                self.log.ignore(self.numbers[a], self.numbers[b])
        self.frame(step=False)

    def motion(self, geom):
        # A mocap body is the root of what is welded to it, as the world is.
        root = self.model.body_weldid[self.model.geom_bodyid[geom]]
        if self.model.body_mocapid[root] >= 0:
            return "kinematic"
        return "fixed" if root == 0 else "dynamic"

    def add(self, geom):
        of = self.model.geom_bodyid[geom]
        owner = self.model.body(of).name or f"body {of}"
        name = self.model.geom(geom).name or f"{owner} {geom}"
        p, q, *_ = self.state(geom)
        return self.log.add(
            name, shape(self.model, geom), motion=self.motion(geom), position=p.tolist(), rotation=q, body=owner,
            mass=max(float(self.model.body_mass[of]), 1e-6),
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

    def frame(self, step=True):
        """Writes the state after a step, and the contacts at its start."""
        contacts = []
        for it in self.data.contact if step else ():
            pair = self.numbers.get(int(it.geom[1])), self.numbers.get(int(it.geom[0]))
            if None not in pair:
                # MuJoCo's normal leads from the first geom to the second.
                contacts.append(contact(*pair, it.pos, it.frame[:3], -float(it.dist)))
        self.place()
        bodies = [body(self.numbers[geom], *self.state(geom)) for geom in self.moving]
        self.log.frame(self.data.time, bodies, contacts=contacts if step else None)

    def save(self, path):
        self.log.save(path)

    def close(self):
        self.log.close()
