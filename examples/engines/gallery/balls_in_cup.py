"""Balls leave a cup through its walls when it is moved quickly.
https://github.com/google-deepmind/mujoco/issues/441

MuJoCo's contacts are springs: the wall passes a ball's middle before they have pushed it away. `--fixed`: stiffer contacts.
"""

import mujoco
import numpy as np
from common import main

DT = 0.002
BALL = 0.012
INNER, HEIGHT, HALF_WALL = 0.04, 0.05, 0.001
SPEED = 3.0
FRAMES = 60
BALLS = [-0.02, 0.02]
# Seconds: the time constant of a contact. MuJoCo's default, and with `--fixed`.
SOFT, STIFF = 0.02, 0.004


def walls():
    """Name, centre and half extents of the cup's parts."""
    half, reach = HALF_WALL, INNER + 2 * HALF_WALL
    return [
        ("bottom", [0, 0, -half], [reach, reach, half]),
        ("back wall", [-INNER - half, 0, HEIGHT], [half, reach, HEIGHT]),
        ("front wall", [INNER + half, 0, HEIGHT], [half, reach, HEIGHT]),
        ("left wall", [0, INNER + half, HEIGHT], [INNER, half, HEIGHT]),
        ("right wall", [0, -INNER - half, HEIGHT], [INNER, half, HEIGHT]),
    ]


def level(fixed, phase=0.0):
    """`phase`: share of a step's travel by which the balls start farther along."""
    text = lambda numbers: " ".join(map(str, numbers))
    geoms = "".join(f'<geom name="{name}" type="box" pos="{text(at)}" size="{text(half)}" mass="0.1"/>' for name, at, half in walls())
    balls = "".join(
        f'<body pos="{x + phase * SPEED * DT} 0 {BALL}"><freejoint/><geom name="ball {i}" size="{BALL}" mass="0.005"/></body>'
        for i, x in enumerate(BALLS)
    )
    model = mujoco.MjModel.from_xml_string(f"""<mujoco>
        <option timestep="{DT}"/>
        <default><geom solref="{STIFF if fixed else SOFT} 1"/></default>
        <worldbody>
            <body name="cup" gravcomp="1"><joint name="slide" type="slide" axis="1 0 0"/>{geoms}</body>
            {balls}
        </worldbody>
        <actuator><velocity joint="slide" kv="200"/></actuator>
    </mujoco>""")
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data


def step(model, data):
    """The cup stands for 0.02 s, moves fast, and stops."""
    data.ctrl[0] = SPEED if 0.02 <= data.time < 0.1 else 0.0
    mujoco.mj_step(model, data)


def record(fixed):
    model, data = level(fixed)
    parts = [{"name": name, "shape": {"box": {"half_extents": half}}, "body": "cup"} for name, _, half in walls()]
    parts += [{"name": f"ball {i}", "shape": {"sphere": {"radius": BALL}}} for i in range(len(BALLS))]
    objects = [{"id": i, **part} for i, part in enumerate(parts)]
    yield {"hitstop": 1, "name": "Balls in a cup", "dt": DT, "up": "z", "gravity": [0, 0, -9.81], "engine": "mujoco", "objects": objects}
    # The geoms' numbers are the objects' ids, as both are in the order of the model.
    for frame in range(FRAMES):
        if frame:
            step(model, data)
        yield {
            "frame": frame,
            "bodies": [body(model, data, geom) for geom in range(model.ngeom)],
            # MuJoCo's normal points from the first geom to the second.
            "contacts": [
                {"a": int(c.geom[0]), "b": int(c.geom[1]), "point": c.pos.tolist(), "normal": (-c.frame[:3]).tolist(), "depth": -c.dist}
                for c in data.contact
            ],
        }


def body(model, data, geom):
    """An entry of `bodies`; the cup moves along x only."""
    velocity = np.zeros(6)
    mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_GEOM, geom, velocity, 0)
    return {"id": geom, "p": data.geom_xpos[geom].tolist(), "v": velocity[3:].tolist()}


def phases(fixed):
    outside = 0
    for i in range(64):
        model, data = level(fixed, i / 64)
        for _ in range(FRAMES):
            step(model, data)
        cup = data.body("cup").xpos[0]
        outside += sum(abs(data.geom(f"ball {i}").xpos[0] - cup) > INNER for i in range(len(BALLS)))
    return f"{outside} of 128 balls leave the cup"


if __name__ == "__main__":
    main(record, phases)
