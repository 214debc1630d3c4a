// A spinning bat passes a ball, although the bat's continuous detection is on.
// https://github.com/godot-jolt/godot-jolt/issues/389
//
// Jolt turns a body to its final rotation first and casts it along a straight line then; a bat that only spins is never cast.
// `--fixed`: as many collision steps per frame as Hitstop says.

import { JoltWorld, count, load, main } from './common.mjs';

const DT = 1 / 60;
const BAT = [1, 0.05, 0.03];
const BALL = 0.08;
const SPIN = 40;
// Collision steps per frame with `--fixed`.
const STEPS = 7;

const Jolt = await load('jolt-physics');

/** The bat turns about y, and the ball rests where the bat's outer half comes by. */
function level(phase) {
  const world = new JoltWorld(Jolt);
  world.add(new Jolt.BoxShape(new Jolt.Vec3(...BAT), 0), {
    w: [0, SPIN, 0],
    change(settings) {
      settings.mMotionQuality = Jolt.EMotionQuality_LinearCast;
      settings.mOverrideMassProperties = Jolt.EOverrideMassProperties_CalculateInertia;
      settings.mMassPropertiesOverride.mMass = 20;
    },
  });
  const angle = 1.0 + phase * SPIN * DT;
  world.add(new Jolt.SphereShape(BALL), {
    at: [0.8 * Math.cos(angle), 0, -0.8 * Math.sin(angle)],
    change(settings) {
      settings.mOverrideMassProperties = Jolt.EOverrideMassProperties_CalculateInertia;
      settings.mMassPropertiesOverride.mMass = 0.15;
    },
  });
  return world;
}

await main({
  record(fixed) {
    const world = level(0);
    const lines = [
      {
        hitstop: 1,
        name: 'Spinning bat',
        dt: DT,
        engine: 'jolt',
        scalar: 'f32',
        objects: [
          { id: 0, name: 'bat', shape: { box: { half_extents: BAT } }, ccd: true, mass: 20 },
          { id: 1, name: 'ball', shape: { sphere: { radius: BALL } }, ccd: false, mass: 0.15 },
        ],
      },
      world.line(0, [0, 1]),
    ];
    for (let frame = 1; frame <= 4; frame++) {
      const { jolt } = world;
      world.contacts = [];
      jolt.Step(DT, fixed ? STEPS : 1);
      lines.push(world.line(frame, [0, 1]));
    }
    return lines;
  },
  phases(fixed) {
    const missed = count((phase) => {
      const world = level(phase);
      for (let frame = 0; frame < 4; frame++) {
        world.jolt.Step(DT, fixed ? STEPS : 1);
      }
      const speed = world.bodies[1].GetLinearVelocity().Length();
      world.free();
      return speed === 0;
    });
    return `${missed} of 64 balls are passed by the bat`;
  },
});
