import { flat, isPair, named, planar, xyz } from './geometry.js';

/** planck. */
export function planck(world, { length = 1 } = {}) {
  const shapes = flat(length);
  const list = (first) => {
    const found = [];
    for (let it = first; it; it = it.getNext()) found.push(it);
    return found;
  };
  const shapeOf = (s) => {
    const points = (vertices) => vertices.map(({ x, y }) => [x, y]);
    switch (s.getType()) {
      case 'circle':
        return { p: xyz(s.m_p), shape: { sphere: { radius: s.m_radius } } };
      case 'polygon':
        return { shape: shapes.polygon(points(s.m_vertices)) };
      // Both collide from both sides; a loop repeats its first point.
      case 'edge':
        return { shape: shapes.strip(points([s.m_vertex1, s.m_vertex2])) };
      default:
        return { shape: shapes.strip(points(s.m_vertices)) };
    }
  };
  const before = ({
    body: {
      before: { p, q },
    },
  }) => ({ p: { x: p[0], y: p[1] }, q: { s: 2 * q[2] * q[3], c: 1 - 2 * q[2] * q[2] } });
  return {
    header: { engine: 'planck', length, gravity: xyz(world.getGravity()), margin: 0.02 },
    vector: xyz,
    bodies: () => list(world.getBodyList()).filter((body) => body.isActive()),
    parts: (body) => list(body.getFixtureList()),
    state(body) {
      const more = { centre: xyz(body.getWorldCenter()), asleep: !body.isAwake() };
      const motion = body.isStatic() ? 'fixed' : body.getType();
      return planar(motion, xyz(body.getPosition()), body.getAngle(), xyz(body.getLinearVelocity()), body.getAngularVelocity(), more);
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
        const normal = [-found.normal.x, -found.normal.y, 0];
        return found.points
          .slice(0, found.pointCount)
          .map((point, i) => ({ a: one.id, b: two.id, point: xyz(point), normal, depth: -found.separations[i] }));
      }),
    joined: () =>
      list(world.getJointList())
        .filter((joint) => !joint.getCollideConnected())
        .map((joint) => [joint.getBodyA(), joint.getBodyB()]),
  };
}
