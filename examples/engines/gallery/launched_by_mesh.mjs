// A ball that rolls over a flat mesh is launched at edges between coplanar triangles.
// https://github.com/godot-jolt/godot-jolt/issues/587
//
// Jolt gives the contact with the next triangle the floor's normal, but its point is on the edge ahead of the ball, where a rolling ball's
// surface moves down. `--fixed`: enhanced internal edge removal.

import { JoltWorld, load, main } from './common.mjs';

const DT = 1 / 60;
const RADIUS = 0.1;
const SPEED = 5;
const FRAMES = 40;
// A floor of 8 by 2 cells of a metre, two triangles each.
const COUNT = 8;
const vertices = [];
const triangles = [];
for (let i = 0; i <= COUNT; i++) {
  for (let j = 0; j <= 2; j++) vertices.push([i - 1, 0, j - 1]);
}
for (let i = 0; i < COUNT; i++) {
  for (let j = 0; j < 2; j++) {
    const [a, b] = [3 * i + j, 3 * (i + 1) + j];
    triangles.push([a, a + 1, b + 1], [a, b + 1, b]);
  }
}

const Jolt = await load('jolt-physics');

function level(fixed) {
  const world = new JoltWorld(Jolt, { gravity: [0, -9.81, 0] });
  const list = new Jolt.TriangleList();
  for (const corners of triangles) {
    list.push_back(new Jolt.Triangle(...corners.map((i) => new Jolt.Vec3(...vertices[i]))));
  }
  world.add(new Jolt.MeshShapeSettings(list).Create().Get(), { moves: false });
  world.add(new Jolt.SphereShape(RADIUS), {
    at: [-0.7, RADIUS, 0.3],
    v: [SPEED, 0, 0],
    w: [0, 0, -SPEED / RADIUS],
    change: (s) => (s.mEnhancedInternalEdgeRemoval = fixed),
  });
  return world;
}

await main({
  record(fixed) {
    const world = level(fixed);
    const lines = [
      {
        hitstop: 1,
        name: 'Launched by a mesh',
        dt: DT,
        engine: 'jolt',
        scalar: 'f32',
        gravity: [0, -9.81, 0],
        objects: [
          { id: 0, name: 'floor', shape: { mesh: { vertices, triangles, facing: 'front' } }, motion: 'fixed' },
          { id: 1, name: 'ball', shape: { sphere: { radius: RADIUS } } },
        ],
      },
      world.line(0, [1]),
    ];
    for (let frame = 1; frame <= FRAMES; frame++) {
      world.step(DT);
      lines.push(world.line(frame, [1]));
    }
    const upward = lines.slice(2).map((line) => line.bodies[0].v[1]);
    console.log(`fastest upward speed ${Math.max(...upward).toFixed(3)} m/s`);
    return lines;
  },
});
