"""Records every body of a PyBullet world. Tried with PyBullet 3.2.7.

    recorder = PyBulletRecorder("run.jsonl.gz")          # once all bodies are there
    for _ in range(240):
        pybullet.stepSimulation()
        recorder.frame()
    recorder.close()

A link is an object; the links of a body are not tested against each other. Meshes of files are recorded as the hull of their
vertices, as Bullet makes of moving ones; pass the shape of others: `shapes={(body, link): {"mesh": {..}}}`. PyBullet has
no function that reads the masks of a body: pass `fields={(body, link): {"layer": 1, "mask": 3}}`.
"""

import pybullet

from hitstop_log import Recorder, body, contact, hull


def part(body_id, link, kind, size):
    """Bullet's shapes lie along Z, which is up in the log, too."""
    if kind == pybullet.GEOM_SPHERE:
        return {"sphere": {"radius": size[0]}}
    if kind == pybullet.GEOM_BOX:
        return {"box": {"half_extents": [length / 2 for length in size]}}
    if kind == pybullet.GEOM_CAPSULE:
        return {"capsule": {"half_height": size[0] / 2, "radius": size[1]}}
    if kind == pybullet.GEOM_CYLINDER:
        return {"cylinder": {"half_height": size[0] / 2, "radius": size[1]}}
    if kind == pybullet.GEOM_PLANE:
        return {"plane": {"normal": [0, 0, 1], "offset": 0}}
    return hull(pybullet.getMeshData(body_id, link)[1])


def shape(body_id, link):
    """The shape of a link around its centre of mass; `None` if it has none."""
    parts = [
        {"shape": part(body_id, link, kind, size), "position": list(place), "rotation": list(rotation)}
        for _, _, kind, size, _, place, rotation in pybullet.getCollisionShapeData(body_id, link)
    ]
    if len(parts) == 1 and (tuple(parts[0]["position"]), tuple(parts[0]["rotation"])) == ((0, 0, 0), (0, 0, 0, 1)):
        return parts[0]["shape"]
    return {"compound": parts} if parts else None


class PyBulletRecorder:
    def __init__(self, path, keep=None, name="PyBullet", shapes=None, fields=None):
        parameters = pybullet.getPhysicsEngineParameters()
        self.dt = parameters["fixedTimeStep"]
        self.time = 0.0
        self.log = Recorder(
            path, keep, name=name, dt=self.dt, up="z", engine="bullet", margin=parameters.get("contactBreakingThreshold", 0.02),
            gravity=[parameters.get(f"gravityAcceleration{axis}", 0) for axis in "XYZ"],
        )
        self.numbers, self.moving = {}, []
        for index in range(pybullet.getNumBodies()):
            body_id = pybullet.getBodyUniqueId(index)
            for link in range(-1, pybullet.getNumJoints(body_id)):
                self.add(body_id, link, (shapes or {}).get((body_id, link)), (fields or {}).get((body_id, link), {}))
        self.frame(step=False)

    def add(self, body_id, link, own_shape, fields):
        made = own_shape or shape(body_id, link)
        if made is None:
            return
        base, called = (text.decode() for text in pybullet.getBodyInfo(body_id))
        # Names are often those of a file: the number of the body makes them differ.
        name = f"{called or base or 'body'} {body_id}"
        if link >= 0:
            name += " " + pybullet.getJointInfo(body_id, link)[12].decode()
        mass = pybullet.getDynamicsInfo(body_id, link)[0]
        is_moving = mass > 0 or link >= 0
        p, q, *_ = self.state(body_id, link)
        placed = {"motion": "dynamic", "mass": max(mass, 1e-6)} if is_moving else {"motion": "fixed"}
        placed |= {"position": list(p), "rotation": list(q), "body": f"body {body_id}"}
        number = self.log.add(name, made, **placed, **fields)
        self.numbers[body_id, link] = number
        if is_moving:
            self.moving.append((body_id, link, number))

    @staticmethod
    def state(body_id, link):
        """Position and rotation of the centre of mass, and velocities."""
        if link < 0:
            return (*pybullet.getBasePositionAndOrientation(body_id), *pybullet.getBaseVelocity(body_id))
        state = pybullet.getLinkState(body_id, link, computeLinkVelocity=1, computeForwardKinematics=1)
        return state[0], state[1], state[6], state[7]

    def frame(self, step=True):
        """Writes the state after a step, and the contacts at its start."""
        bodies = [body(number, *self.state(body_id, link)) for body_id, link, number in self.moving]
        contacts = []
        for _, a, b, link_a, link_b, _, point, normal, distance, *_ in pybullet.getContactPoints() if step else ():
            pair = self.numbers.get((a, link_a)), self.numbers.get((b, link_b))
            if a != b and None not in pair:
                contacts.append(contact(*pair, point, normal, -distance))
        self.time += self.dt * step
        self.log.frame(self.time, bodies, contacts=contacts if step else None)

    def save(self, path):
        self.log.save(path)

    def close(self):
        self.log.close()
