// A ball that rolls over two touching cubes bounces at the seam between them.
// https://github.com/jrouwe/JoltPhysics/issues/717
//
// The cubes' tops are one flat floor, but the second cube's edge is a contact of its own, whose normal points back at the ball.
// By default Jolt also rounds boxes by 5 cm, which makes a real dent at the seam; these here are not rounded.
// `--fixed`: both cubes are parts of one body with enhanced internal edge removal.

import { JoltWorld, load, main } from './common.mjs';

const DT = 1 / 60;
const RADIUS = 0.1;
const HALF = 1;
const CUBES = [-1, 1];
const SPEED = 5;

const Jolt = await load('jolt-physics');

function level(fixed) {
  const world = new JoltWorld(Jolt, { gravity: [0, -9.81, 0] });
  const cube = () => new Jolt.BoxShape(new Jolt.Vec3(HALF, HALF, HALF), 0);
  if (fixed) {
    const both = new Jolt.StaticCompoundShapeSettings();
    for (const x of CUBES) both.AddShapeShape(new Jolt.Vec3(x, -HALF, 0), new Jolt.Quat(0, 0, 0, 1), cube(), 0);
    world.add(both.Create().Get(), { moves: false });
  } else {
    for (const x of CUBES) world.add(cube(), { at: [x, -HALF, 0], moves: false });
  }
  world.add(new Jolt.SphereShape(RADIUS), {
    at: [-1.2, RADIUS, 0],
    v: [SPEED, 0, 0],
    change: (s) => (s.mEnhancedInternalEdgeRemoval = fixed),
  });
  return world;
}

/** One entry of `objects` per body of the world. */
function objects(fixed) {
  const cube = { box: { half_extents: [HALF, HALF, HALF] } };
  const ground = fixed
    ? [{ name: 'cubes', shape: { compound: CUBES.map((x) => ({ shape: cube, position: [x, -HALF, 0] })) }, motion: 'fixed' }]
    : CUBES.map((x) => ({ name: x < 0 ? 'left cube' : 'right cube', shape: cube, motion: 'fixed', position: [x, -HALF, 0] }));
  const ball = { name: 'ball', shape: { sphere: { radius: RADIUS } } };
  return [...ground, ball].map((object, id) => ({ id, ...object }));
}

await main({
  record(fixed) {
    const world = level(fixed);
    const ball = world.bodies.length - 1;
    const lines = [
      { hitstop: 1, name: 'Bounce on a seam', dt: DT, engine: 'jolt', scalar: 'f32', gravity: [0, -9.81, 0], objects: objects(fixed) },
      world.line(0, [ball]),
    ];
    for (let frame = 1; frame <= 30; frame++) {
      world.step(DT);
      lines.push(world.line(frame, [ball]));
    }
    const v = lines.slice(1).map((line) => line.bodies[0].v[1]);
    console.log(`fastest upward speed ${Math.max(...v).toFixed(3)} m/s`);
    return lines;
  },
});
