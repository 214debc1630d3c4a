"""A level of MuJoCo with every kind of shape and of filter, recorded by docs/record/hitstop_mujoco.py. In the level `bug` the bits of the ball are wrong.

    python mujoco_level.py LOG bug|healthy
"""

import math
import sys

import mujoco
from hitstop_mujoco import MuJoCoRecorder

ROWS, COLUMNS = 9, 12
LEVEL = """
<mujoco>
  <option timestep="0.004" gravity="0 0 -9.81"/>
  <asset>
    <hfield name="hills" nrow="{rows}" ncol="{columns}" size="3 2 1 0.2"/>
    <mesh name="wedge" vertex="0 0 0  1 0 0  0 1 0  1 1 0  0 0 0.7  0 1 0.7"/>
  </asset>
  <worldbody>
    <geom name="wall" type="box" size="10 10 0.2" pos="0 0 -0.2"/>
    <geom name="hill" type="hfield" hfield="hills" pos="30 0 0"/>
    <geom name="slope" type="plane" size="0 0 1" pos="-40 0 0" zaxis="0.6 0 0.8" contype="0" conaffinity="4"/>
    {bodies}
    <body name="first" pos="6 0 0.5"><freejoint/><geom name="left" type="box" size="0.3 0.3 0.3"/></body>
    <body name="second" pos="6.2 0 0.5"><freejoint/><geom name="right" type="box" size="0.3 0.3 0.3"/></body>
    <body name="lift" mocap="true" pos="-6 0 0.1"><geom name="lift" type="box" size="1 1 0.1"/></body>
  </worldbody>
  <contact>
    <exclude body1="first" body2="second"/>
    <pair geom1="wall" geom2="listed"/>
  </contact>
</mujoco>
"""


def main(path, is_bug):
    shapes = ['sphere" size="0.15', 'box" size="0.12 0.1 0.14', 'capsule" size="0.1 0.12', 'cylinder" size="0.1 0.15', 'ellipsoid" size="0.2 0.1 0.15', 'mesh" mesh="wedge']
    bodies = []

    def add(name, at, shape, bits=""):
        bodies.append(f'<body pos="{at}"><freejoint/><geom name="{name}" type="{shape}" {bits}/></body>')

    add("ball", "0 0 0.6", 'sphere" size="0.2', 'contype="2" conaffinity="2"' if is_bug else 'contype="3" conaffinity="3"')
    # One side is enough: these meet what is below, not each other.
    add("shy", "0 3 0.2", 'sphere" size="0.2', 'contype="1" conaffinity="0"')
    add("shier", "0.1 3 0.9", 'sphere" size="0.2', 'contype="1" conaffinity="0"')
    add("asked", "2 3 0.5", 'sphere" size="0.2', 'contype="0" conaffinity="1"')
    add("listed", "4 3 0.5", 'sphere" size="0.2', 'contype="0" conaffinity="0"')
    add("rider", "-6 0 0.41", 'box" size="0.2 0.2 0.2')
    for i, shape in enumerate(shapes):
        add(f"on wall {i}", f"{-3 + 1.5 * i} -4 1", shape)
        add(f"on hill {i}", f"{28.5 + 0.6 * i} {-0.5 + 0.2 * i} 1.6", shape)
    model = mujoco.MjModel.from_xml_string(LEVEL.format(rows=ROWS, columns=COLUMNS, bodies="".join(bodies)))
    model.hfield_data[:] = [0.5 + 0.5 * math.sin(0.9 * x + 1.7 * y) for y in range(ROWS) for x in range(COLUMNS)]
    data = mujoco.MjData(model)
    recorder = MuJoCoRecorder(path, model, data)
    for step in range(500):
        data.mocap_pos[0][2] = 0.1 + 0.001 * min(max(step - 100, 0), 200)
        mujoco.mj_step(model, data)
        recorder.frame()
    recorder.close()


main(sys.argv[1], sys.argv[2] == "bug")
