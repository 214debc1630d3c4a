import { dot, flat, isPair, local, placed, planar, plus, TURN, turned, xyz } from './geometry.js';

/** p2. */
export function p2(world, { length = 1 } = {}) {
  const shapes = flat(length);
  const MOTION = { 1: 'dynamic', 2: 'fixed', 4: 'kinematic' };
  const SLEEPING = 2;
  const [CIRCLE, PLANE, CONVEX, LINE, BOX, CAPSULE, HEIGHTFIELD] = [1, 4, 8, 16, 32, 64, 128];
  const shapeOf = (s) => {
    switch (s.type) {
      case CIRCLE:
        return { sphere: { radius: s.radius } };
      case BOX:
        return shapes.box(s.width / 2, s.height / 2);
      case CONVEX:
        return shapes.polygon(s.vertices);
      case CAPSULE:
        return { capsule: { a: [-s.length / 2, 0, 0], b: [s.length / 2, 0, 0], radius: s.radius } };
      case LINE:
        return shapes.strip([
          [-s.length / 2, 0],
          [s.length / 2, 0],
        ]);
      case PLANE:
        return { plane: { normal: [0, 1, 0], offset: 0 } };
      case HEIGHTFIELD:
        return shapes.strip(s.heights.map((y, i) => [i * s.elementWidth, y]));
      default:
        return null;
    }
  };
  /** The shape for which p2 reports an internal shape: the body's capsule or line nearest to a point, or its height field. */
  function replaced(body, point) {
    const start = { p: xyz(body.previousPosition), q: turned(body.previousAngle) };
    const off = (s) => {
      if (s.type === HEIGHTFIELD) return Infinity;
      const [x, y] = local(placed(start, { p: xyz(s.position), q: turned(s.angle) }), { p: point, q: TURN }).p;
      return Math.abs(Math.hypot(Math.max(0, Math.abs(x) - s.length / 2), y) - (s.radius ?? 0));
    };
    const found = body.shapes.filter(({ type }) => type === CAPSULE || type === LINE || type === HEIGHTFIELD);
    return found.sort((a, b) => off(a) - off(b))[0];
  }
  return {
    header: { engine: 'p2', length, gravity: xyz(world.gravity), margin: 0.01 },
    vector: xyz,
    bodies: () => world.bodies,
    parts: (body) => body.shapes,
    state: (body) =>
      planar(MOTION[body.type], body.position, body.angle, body.velocity, body.angularVelocity, { asleep: body.sleepState === SLEEPING }),
    size: (_, s) => s.boundingRadius,
    describe: (body, s) => ({
      p: xyz(s.position),
      q: turned(s.angle),
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
        const a = plus(xyz(it.bodyA.previousPosition), xyz(it.contactPointA));
        const b = plus(xyz(it.bodyB.previousPosition), xyz(it.contactPointB));
        const part = (body, s, point) => record(body, body.shapes.includes(s) ? s : replaced(body, point));
        const [one, two] = [part(it.bodyA, it.shapeA, a), part(it.bodyB, it.shapeB, b)];
        if (!it.enabled || !isPair(one, two)) return [];
        const normal = xyz(it.normalA);
        return [{ a: one.id, b: two.id, point: a, normal: normal.map((x) => -x), depth: dot(normal, plus(a, b, -1)) }];
      }),
    joined: () => world.constraints.filter((it) => !it.collideConnected).map((it) => [it.bodyA, it.bodyB]),
  };
}
