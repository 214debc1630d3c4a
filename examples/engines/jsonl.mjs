// Levels in, logs out: the part that the engines in JavaScript share.

import { createInterface } from 'node:readline';

/** The shortest text that is read back as the same single precision number. */
const short = (value) => (Number.isFinite(value) ? Number(Math.fround(value).toPrecision(9)) : String(value));

const line = (value) => process.stdout.write(JSON.stringify(value) + '\n');

/** Vectors of both engines have x, y, z, as methods or as fields. */
export const list = (vector) =>
  (typeof vector.GetX === 'function' ? [vector.GetX(), vector.GetY(), vector.GetZ()] : [vector.x, vector.y, vector.z]).map(short);

export const quaternion = (q) =>
  (typeof q.GetX === 'function' ? [q.GetX(), q.GetY(), q.GetZ(), q.GetW()] : [q.x, q.y, q.z, q.w]).map(short);

export const contact = (a, b, point, normal, depth) => ({ a, b, point: point.map(short), normal: normal.map(short), depth: short(depth) });

/** The pose that a body moved by its position has after a step. */
export const driven = (p, drive, dt) => p.map((value, axis) => value + drive[axis] * dt);

function header(level) {
  const hidden = new Set(['x', ...level.hide]);
  const objects = level.objects.map((item) => Object.fromEntries(Object.entries(item).filter(([key]) => !hidden.has(key))));
  const { name, dt, gravity, engine, scalar } = level;
  const margin = hidden.has('margin') ? undefined : level.margin;
  const joints = level.joints.length ? { joints: level.joints.map((joint) => joint.slice(0, 2)) } : {};
  line({ hitstop: 1, name, dt, gravity, engine, scalar, margin, objects, ...joints });
}

function frame(number, t, bodies, contacts) {
  line({ frame: number, t, bodies, ...(contacts.length ? { contacts } : {}) });
}

/**
 * Reads levels from standard input, steps each one and writes its log, with an empty line after it.
 * `create(level)` gives an object with `step(dt)`, `bodies()`, `contacts()` and `close()`.
 */
export async function run(create) {
  for await (const text of createInterface({ input: process.stdin })) {
    const level = JSON.parse(text);
    const world = create(level);
    header(level);
    let time = 0;
    frame(0, time, world.bodies(), []);
    level.dts.forEach((dt, index) => {
      world.step(dt);
      time += dt;
      frame(index + 1, time, world.bodies(), world.contacts());
    });
    world.close();
    process.stdout.write('\n');
  }
}
