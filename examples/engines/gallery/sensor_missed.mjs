// A fast body with continuous detection passes a thin sensor unnoticed.
// https://github.com/jrouwe/JoltPhysics/issues/1142
//
// Jolt's linear casts leave sensors out, so the sensor is tested at the ends of steps only: 100 m/s is 1.67 m a step.
// `--fixed`: a sensor as thick as the program's `THICK`, from where it is found in every phase.

import { JoltWorld, count, load, main } from './common.mjs';

const DT = 1 / 60;
const RADIUS = 0.25;
const SPEED = 100;
const THIN = 0.1;
// Half of the printed thickness, with which no phase misses the sensor.
const THICK = 0.585;

const Jolt = await load('jolt-physics');

function level(phase, fixed) {
  const world = new JoltWorld(Jolt);
  const half = [fixed ? THICK : THIN, 2, 2];
  world.add(new Jolt.BoxShape(new Jolt.Vec3(...half), 0), { moves: false, change: (s) => (s.mIsSensor = true) });
  world.add(new Jolt.SphereShape(RADIUS), {
    at: [-5.8 + phase * SPEED * DT, 0, 0],
    v: [SPEED, 0, 0],
    change: (s) => (s.mMotionQuality = Jolt.EMotionQuality_LinearCast),
  });
  return { world, half };
}

await main({
  record(fixed) {
    const { world, half } = level(0, fixed);
    const lines = [
      {
        hitstop: 1,
        name: 'Sensor missed',
        dt: DT,
        engine: 'jolt',
        scalar: 'f32',
        objects: [
          { id: 0, name: 'trigger', shape: { box: { half_extents: half } }, motion: 'fixed', sensor: true },
          { id: 1, name: 'player', shape: { sphere: { radius: RADIUS } }, ccd: true },
        ],
      },
      world.line(0, [1]),
    ];
    for (let frame = 1; frame <= 8; frame++) {
      world.step(DT);
      lines.push(world.line(frame, [1]));
    }
    return lines;
  },
  phases(fixed) {
    const missed = count((phase) => {
      const { world } = level(phase, fixed);
      let found = false;
      for (let frame = 0; frame < 8; frame++) {
        world.step(DT);
        found ||= world.contacts.length > 0;
      }
      world.free();
      return !found;
    });
    return `${missed} of 64 players pass the sensor without a contact`;
  },
});
