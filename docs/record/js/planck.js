import { check, isPair, named, polygon, xy } from './geometry.js';

/** planck. */
export function planck(world) {
  check(world?.getBodyList, 'planck(world) takes the World of planck');
  const list = (first) => {
    const found = [];
    for (let it = first; it; it = it.getNext()) found.push(it);
    return found;
  };
  const shapeOf = (s) => {
    switch (s.getType()) {
      case 'circle':
        return { p: xy(s.m_p), shape: { circle: { radius: s.m_radius } } };
      case 'polygon':
        return { shape: polygon(s.m_vertices.map(xy), s.m_radius) };
      // Both collide from both sides.
      case 'edge':
        return { shape: { segment: { a: xy(s.m_vertex1), b: xy(s.m_vertex2) } } };
      default:
        // A loop repeats its first point.
        return { shape: { chain: { points: s.m_vertices.slice(0, s.m_isLoop ? -1 : undefined).map(xy), loop: s.m_isLoop || undefined } } };
    }
  };
  const before = ({ body }) => {
    const { p, q } = body.before;
    return { p: { x: p[0], y: p[1] }, q: { s: Math.sin(q), c: Math.cos(q) } };
  };
  // Of contacts, of those solved since the last line: a step solves them together, and again those that continuous detection finds.
  let impulses = new Map();
  let solved = new Map();
  const onSolve = (contact, { normalImpulses }) => {
    const before = solved.get(contact) ?? [];
    solved.set(contact, normalImpulses.map((impulse, i) => impulse + (before[i] ?? 0)));
  };
  world.on('post-solve', onSolve);
  return {
    header: { flat: true, engine: 'planck', gravity: xy(world.getGravity()), margin: 0.02 },
    vector: xy,
    dt() {
      [impulses, solved] = [solved, new Map()];
      return world.s_step?.dt || undefined;
    },
    bodies: () => list(world.getBodyList()).filter((body) => body.isActive()),
    parts: (body) => list(body.getFixtureList()),
    state(body) {
      return {
        motion: body.isStatic() ? 'fixed' : body.getType(),
        p: xy(body.getPosition()),
        q: body.getAngle(),
        v: xy(body.getLinearVelocity()),
        w: body.getAngularVelocity(),
        centre: xy(body.getWorldCenter()),
        asleep: !body.isAwake(),
      };
    },
    describe(body, fixture) {
      const group = fixture.getFilterGroupIndex();
      const ccd = !world.getContinuousPhysics() ? false : body.isBullet() || undefined;
      return {
        ...shapeOf(fixture.getShape()),
        name: named(fixture.getUserData()) ?? named(body.getUserData()),
        mass: body.getMass() || undefined,
        ccd,
        sensor: fixture.isSensor() || undefined,
        layer: fixture.getFilterCategoryBits(),
        mask: fixture.getFilterMaskBits(),
        ...(group < 0 ? { body: `group ${group}` } : {}),
      };
    },
    /** Of the poses at the start of the step: with those of its end, a normal that is old would have a point that is new. */
    contacts: (record) =>
      list(world.getContactList()).flatMap((contact) => {
        const fixtures = [contact.getFixtureA(), contact.getFixtureB()];
        const [one, two] = fixtures.map((it) => record(it.getBody(), it));
        if (!contact.isTouching() || !contact.isEnabled() || fixtures.some((it) => it.isSensor()) || !isPair(one, two)) return [];
        const [a, b] = [one, two].map(before);
        const found = contact.getManifold().getWorldManifold(null, a, fixtures[0].getShape().m_radius, b, fixtures[1].getShape().m_radius);
        const normal = [-found.normal.x, -found.normal.y];
        return found.points
          .slice(0, found.pointCount)
          .map((point, i) => ({ a: one.id, b: two.id, point: xy(point), normal, depth: -found.separations[i], impulse: impulses.get(contact)?.[i] }));
      }),
    joined: () =>
      list(world.getJointList())
        .filter((joint) => !joint.getCollideConnected())
        .map((joint) => [joint.getBodyA(), joint.getBodyB()]),
    close: () => world.off('post-solve', onSolve),
  };
}
