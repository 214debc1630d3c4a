"""Python engines: `python engines.py NAME` reads levels from standard input, writes where the bodies end. See levels.py."""

import math
import sys

DT = 1 / 60
DEPTH = 2
FIXED, KINEMATIC, DYNAMIC = 0, 1, 2


def bodies_of(numbers):
    names = ("motion", "shape", "a", "b", "x", "y", "angle", "speed", "spin", "sweep", "mass")
    return [dict(zip(names, numbers[i : i + 11])) for i in range(0, len(numbers), 11)]


def half(angle):
    return [math.cos(angle / 2), 0, 0, math.sin(angle / 2)]


def pymunk(substeps, continuous, gravity, bodies):
    import pymunk

    space = pymunk.Space()
    space.gravity = (0, gravity)
    space.iterations = int(10 * substeps)
    made = []
    for b in bodies:
        dynamic = b["motion"] == DYNAMIC
        kind = {FIXED: pymunk.Body.STATIC, KINEMATIC: pymunk.Body.KINEMATIC, DYNAMIC: pymunk.Body.DYNAMIC}[b["motion"]]
        a, c = b["a"], b["b"]
        moment = b["mass"] * (a * a / 2 if b["shape"] == 0 else (a * a + c * c) / 3)
        body = pymunk.Body(b["mass"], moment, kind) if dynamic else pymunk.Body(body_type=kind)
        body.position, body.angle, body.velocity, body.angular_velocity = (b["x"], b["y"]), b["angle"], (b["speed"], 0), b["spin"]
        shape = pymunk.Circle(body, a) if b["shape"] == 0 else pymunk.Poly.create_box(body, (2 * a, 2 * c))
        space.add(body, shape)
        made.append(body)
    return lambda: space.step(DT), lambda: [(body.position.x, body.position.y, body.angle) for body in made]


def pybullet(substeps, continuous, gravity, bodies):
    import pybullet as engine

    if not engine.isConnected():
        engine.connect(engine.DIRECT)
    engine.resetSimulation()
    engine.setPhysicsEngineParameter(fixedTimeStep=DT, numSubSteps=int(substeps) if substeps > 1 else 0)
    engine.setGravity(0, gravity, 0)
    # Bullet sweeps rigid bodies, not multibodies.
    rigid = any(b["sweep"] for b in bodies)
    made = []
    for b in bodies:
        shape = (
            engine.createCollisionShape(engine.GEOM_SPHERE, radius=b["a"])
            if b["shape"] == 0
            else engine.createCollisionShape(engine.GEOM_BOX, halfExtents=[b["a"], b["b"], DEPTH])
        )
        w, *xyz = half(b["angle"])
        # A body without mass has no velocity: a driven one is heavy, and meets nothing that turns it.
        mass = 0 if b["motion"] == FIXED else 1e9 if b["motion"] == KINEMATIC else b["mass"]
        body = engine.createMultiBody(mass, shape, -1, [b["x"], b["y"], 0], [*xyz, w], useMaximalCoordinates=rigid)
        engine.resetBaseVelocity(body, [b["speed"], 0, 0], [0, 0, b["spin"]])
        engine.changeDynamics(body, -1, linearDamping=0, angularDamping=0)
        if b["sweep"]:
            engine.changeDynamics(body, -1, ccdSweptSphereRadius=b["a"] / 2)
        made.append(body)

    def states():
        places = [engine.getBasePositionAndOrientation(body) for body in made]
        return [(p[0], p[1], 2 * math.atan2(q[2], q[3])) for p, q in places]

    return engine.stepSimulation, states


def mujoco(substeps, continuous, gravity, bodies):
    import mujoco

    text = ""
    for b in bodies:
        size = f'type="sphere" size="{b["a"]}"' if b["shape"] == 0 else f'type="box" size="{b["a"]} {b["b"]} {DEPTH}"'
        quaternion = " ".join(map(str, half(b["angle"])))
        mass = 1e9 if b["motion"] == KINEMATIC else b["mass"]
        joint = "" if b["motion"] == FIXED else "<freejoint/>"
        still = ' gravcomp="1"' if b["motion"] == KINEMATIC else ""
        text += f'<body pos="{b["x"]} {b["y"]} 0" quat="{quaternion}"{still}>{joint}<geom {size} mass="{mass}"/></body>'
    # Substeps of MuJoCo are iterations of its solver.
    option = f'<option timestep="{DT}" gravity="0 {gravity} 0" iterations="{int(100 * substeps)}">'
    model = mujoco.MjModel.from_xml_string(f"<mujoco>{option}</option><worldbody>{text}</worldbody></mujoco>")
    speculative = getattr(mujoco.mjtEnableBit, "mjENBL_SPECULATIVE", None)
    if speculative is not None and (continuous or any(b["sweep"] for b in bodies)):
        model.opt.enableflags |= int(speculative)
    data = mujoco.MjData(model)
    moving = [b for b in bodies if b["motion"] != FIXED]
    for i, b in enumerate(moving):
        data.qvel[6 * i], data.qvel[6 * i + 5] = b["speed"], b["spin"]

    def states():
        mujoco.mj_kinematics(model, data)
        return [(p[0], p[1], 2 * math.atan2(q[3], q[0])) for p, q in zip(data.xpos[1:], data.xquat[1:])]

    return lambda: mujoco.mj_step(model, data), states


ENGINES = {"pymunk": pymunk, "pybullet": pybullet, "mujoco": mujoco}

for line in sys.stdin:
    steps, substeps, continuous, gravity, *numbers = map(float, line.split())
    step, states = ENGINES[sys.argv[1]](substeps, continuous, gravity, bodies_of(numbers))
    for _ in range(int(steps)):
        step()
    print(*[f"{value:.9g}" for state in states() for value in state])
