// Bodies fall through a mesh whose triangles are wound the wrong way round.
// https://github.com/jrouwe/JoltPhysics/issues/682
//
// Jolt's mesh triangles are one-sided: only the side from which they run counter-clockwise collides. `--fixed`: the other winding.

import { JoltWorld, count, load, main } from './common.mjs';

const DT = 1 / 60;
const RADIUS = 0.3;
// A floor of two triangles, 4 m wide; seen from above they run clockwise.
const VERTICES = [[-2, 0, -2], [-2, 0, 2], [2, 0, 2], [2, 0, -2]];
const WRONG = [[0, 2, 1], [0, 3, 2]];
const RIGHT = [[0, 1, 2], [0, 2, 3]];

const Jolt = await load('jolt-physics');

function level(phase, fixed) {
  const world = new JoltWorld(Jolt, { gravity: [0, -9.81, 0] });
  const triangles = new Jolt.TriangleList();
  for (const corners of fixed ? RIGHT : WRONG) {
    triangles.push_back(new Jolt.Triangle(...corners.map((i) => new Jolt.Vec3(...VERTICES[i]))));
  }
  world.add(new Jolt.MeshShapeSettings(triangles).Create().Get(), { moves: false });
  world.add(new Jolt.SphereShape(RADIUS), { at: [0.5, 1.2 + phase * 0.1, 0.3] });
  return world;
}

await main({
  record(fixed) {
    const world = level(0, fixed);
    const mesh = { vertices: VERTICES, triangles: fixed ? RIGHT : WRONG, facing: 'front' };
    const lines = [
      {
        hitstop: 1,
        name: 'One-sided mesh',
        dt: DT,
        engine: 'jolt',
        scalar: 'f32',
        gravity: [0, -9.81, 0],
        objects: [
          { id: 0, name: 'floor', shape: { mesh }, motion: 'fixed' },
          { id: 1, name: 'ball', shape: { sphere: { radius: RADIUS } }, ccd: false },
        ],
      },
      world.line(0, [1]),
    ];
    for (let frame = 1; frame <= 50; frame++) {
      world.step(DT);
      lines.push(world.line(frame, [1]));
    }
    return lines;
  },
  phases(fixed) {
    const through = count((phase) => {
      const world = level(phase, fixed);
      for (let frame = 0; frame < 60; frame++) world.step(DT);
      const y = world.bodies[1].GetPosition().GetY();
      world.free();
      return y < 0;
    });
    return `${through} of 64 balls fall through the floor`;
  },
});
