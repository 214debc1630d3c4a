import { box, check, dot, isPair, local, placed, plus, polygon, xy } from './geometry.js';

/** p2. */
export function p2(world) {
  check(world?.narrowphase?.contactEquations, 'p2(world) takes the World of p2');
  const MOTION = { 1: 'dynamic', 2: 'fixed', 4: 'kinematic' };
  const SLEEPING = 2;
  const [CIRCLE, PLANE, CONVEX, LINE, BOX, CAPSULE, HEIGHTFIELD] = [1, 4, 8, 16, 32, 64, 128];
  const shapeOf = (s) => {
    switch (s.type) {
      case CIRCLE:
        return { circle: { radius: s.radius } };
      case BOX:
        return box([s.width / 2, s.height / 2]);
      case CONVEX:
        return polygon(s.vertices.map(xy));
      case CAPSULE:
        return { capsule: { a: [-s.length / 2, 0], b: [s.length / 2, 0], radius: s.radius } };
      case LINE:
        return { segment: { a: [-s.length / 2, 0], b: [s.length / 2, 0] } };
      case PLANE:
        return { plane: { normal: [0, 1], offset: 0 } };
      case HEIGHTFIELD:
        return { chain: { points: s.heights.map((y, i) => [i * s.elementWidth, y]) } };
      default:
        return null;
    }
  };
  /** The shape for which p2 reports an internal shape: the body's capsule or line nearest to a point, or its height field. */
  function replaced(body, point) {
    const start = { p: xy(body.previousPosition), q: body.previousAngle };
    const off = (s) => {
      if (s.type === HEIGHTFIELD) return Infinity;
      const [x, y] = local(placed(start, { p: xy(s.position), q: s.angle }), { p: point, q: 0 }).p;
      return Math.abs(Math.hypot(Math.max(0, Math.abs(x) - s.length / 2), y) - (s.radius ?? 0));
    };
    const found = body.shapes.filter(({ type }) => type === CAPSULE || type === LINE || type === HEIGHTFIELD);
    return found.sort((a, b) => off(a) - off(b))[0];
  }
  return {
    header: { flat: true, engine: 'p2', gravity: xy(world.gravity), margin: 0.01 },
    vector: xy,
    clock: () => ({ time: world.time, step: world.lastTimeStep }),
    bodies: () => world.bodies,
    parts: (body) => body.shapes,
    state: (body) => ({
      motion: MOTION[body.type],
      p: xy(body.position),
      q: body.angle,
      v: xy(body.velocity),
      w: body.angularVelocity,
      asleep: body.sleepState === SLEEPING,
    }),
    size: (_, s) => s.boundingRadius,
    describe: (body, s) => ({
      p: xy(s.position),
      q: s.angle,
      shape: shapeOf(s),
      missing: `a shape of type ${s.type}`,
      mass: body.type === 1 ? body.mass : undefined,
      ccd: body.ccdSpeedThreshold >= 0,
      sensor: s.sensor || !s.collisionResponse || undefined,
      layer: s.collisionGroup,
      mask: s.collisionMask,
    }),
    /** The arms of a contact are those of the start of the step. p2 names a circle or a convex of its own in place of some shapes. */
    contacts: (record) =>
      world.narrowphase.contactEquations.flatMap((it) => {
        const a = plus(xy(it.bodyA.previousPosition), xy(it.contactPointA));
        const b = plus(xy(it.bodyB.previousPosition), xy(it.contactPointB));
        const part = (body, s, point) => record(body, body.shapes.includes(s) ? s : replaced(body, point));
        const [one, two] = [part(it.bodyA, it.shapeA, a), part(it.bodyB, it.shapeB, b)];
        if (!it.enabled || !isPair(one, two)) return [];
        const normal = xy(it.normalA);
        const impulse = it.multiplier * world.lastTimeStep;
        return [{ a: one.id, b: two.id, point: a, normal: normal.map((x) => -x), depth: dot(normal, plus(a, b, -1)), impulse }];
      }),
    joined: () => world.constraints.filter((it) => !it.collideConnected).map((it) => [it.bodyA, it.bodyB]),
  };
}
