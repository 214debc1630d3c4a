// Levels in, logs out: the part that the engines in JavaScript share.

import { createInterface } from 'node:readline';
import { Recorder } from '../../docs/record/js/hitstop.js';

/** Vectors of both engines have x, y, z, as methods or as fields. */
export const list = (vector) => (typeof vector.GetX === 'function' ? [vector.GetX(), vector.GetY(), vector.GetZ()] : [vector.x, vector.y, vector.z]);

export const quaternion = (q) => [...list(q), typeof q.GetW === 'function' ? q.GetW() : q.w];

/** The pose that a body moved by its position has after a step. */
export const driven = (p, drive, dt) => p.map((value, axis) => value + drive[axis] * dt);

function begin(level) {
  const hidden = new Set(['x', ...level.hide]);
  const shown = (value) => Object.fromEntries(Object.entries(value).filter(([key]) => !hidden.has(key)));
  const { name, dt, gravity, engine, scalar, margin } = level;
  const joints = level.joints.length ? level.joints.map((joint) => joint.slice(0, 2)) : undefined;
  const log = new Recorder(process.stdout, { name, dt, gravity, engine, scalar, ...shown({ margin }), joints });
  for (const item of level.objects) {
    const { name: called, shape, ...fields } = shown(item);
    log.add(called, shape, fields);
  }
  return log;
}

/**
 * Reads levels from standard input, steps each one and writes its log, with an empty line after it.
 * `create(level)` gives an object with `step(dt)`, `bodies()`, `contacts()` and `close()`.
 */
export async function run(create) {
  for await (const text of createInterface({ input: process.stdin })) {
    const level = JSON.parse(text);
    const world = create(level);
    const log = begin(level);
    let time = 0;
    log.frame(time, world.bodies());
    for (const dt of level.dts) {
      world.step(dt);
      time += dt;
      const contacts = world.contacts();
      log.frame(time, world.bodies(), contacts.length ? { contacts } : {});
    }
    world.close();
    process.stdout.write('\n');
  }
}
