import { check, dot, hull, isPair, PART, plus, rings, rotate, TURN, xyz } from './geometry.js';

/** ammo.js: Bullet gives neither its bodies nor its shapes, so they are those that the program made. */
export function ammo(Ammo, world) {
  check(Ammo?.getCache && world?.getDispatcher, 'ammo(Ammo, world) takes what `await Ammo()` gives, and then its world');
  const [STATIC, KINEMATIC, NO_RESPONSE] = [1, 2, 4];
  const vector = (v) => (typeof v.x === 'function' ? [v.x(), v.y(), v.z()] : xyz(v));
  const made = (type, it) => Ammo[type] && Ammo.getCache(Ammo[type])[Ammo.getPointer(it)];

  /** Half the size of a shape, of the box around it: its own cannot be read. */
  function extents(shape) {
    const place = new Ammo.btTransform();
    place.setIdentity();
    const [low, high] = [new Ammo.btVector3(), new Ammo.btVector3()];
    const motion = new Ammo.btDefaultMotionState(place);
    const settings = new Ammo.btRigidBodyConstructionInfo(0, motion, shape, low);
    const body = new Ammo.btRigidBody(settings);
    body.getAabb(low, high);
    const size = plus(vector(high), vector(low), -1).map((x) => x / 2);
    [body, settings, motion, low, high, place].forEach(Ammo.destroy);
    return size;
  }

  function along(axis, half) {
    const end = [0, 0, 0];
    end[axis] = half;
    return end;
  }

  /** A shape that lies along y, along an axis. */
  function upright(shape, axis) {
    const rotation = [[0, 0, -Math.SQRT1_2, Math.SQRT1_2], TURN, [Math.SQRT1_2, 0, 0, Math.SQRT1_2]][axis];
    return axis === 1 ? shape : { compound: [{ shape, rotation }] };
  }

  function points(shape) {
    shape.initializePolyhedralFeatures(0);
    const all = shape.getConvexPolyhedron().get_m_vertices();
    return Array.from({ length: all.size() }, (_, i) => vector(all.at(i)));
  }

  function shapeOf(shape) {
    const as = (type) => made(type, shape);
    if (as('btSphereShape')) return { sphere: { radius: as('btSphereShape').getMargin() } };
    if (as('btBoxShape')) return { box: { half_extents: extents(as('btBoxShape')) } };
    const capsule = as('btCapsuleShape') ?? as('btCapsuleShapeX') ?? as('btCapsuleShapeZ');
    if (capsule) {
      const end = along(capsule.getUpAxis(), capsule.getHalfHeight());
      return { capsule: { a: end.map((x) => -x), b: end, radius: capsule.getRadius() } };
    }
    for (const axis of [0, 1, 2]) {
      const suffix = ['X', '', 'Z'][axis];
      const [cylinder, cone] = [as(`btCylinderShape${suffix}`), as(`btConeShape${suffix}`)];
      const size = cylinder || cone ? extents(cylinder ?? cone) : [];
      const radius = size[(axis + 1) % 3];
      if (cylinder) return upright({ cylinder: { half_height: size[axis], radius } }, axis);
      // The margin is outside of a cone, and a second one is in the box around it.
      const margin = shape.getMargin?.();
      if (cone) return upright(hull(rings(size[axis] - 2 * margin, radius - 2 * margin, 0), margin), axis);
    }
    // Its margin is outside.
    if (as('btConvexHullShape')) return hull(points(as('btConvexHullShape')), as('btConvexHullShape').getMargin());
    return null;
  }

  const isIn = (body) => Ammo.getPointer(body.getBroadphaseProxy()) !== 0;
  const bodies = () => Object.values(Ammo.getCache(Ammo.btRigidBody)).filter(isIn);

  /** Of the poses at the start of the step, at which Bullet has refreshed them; a kinematic body is then where it ends. */
  function contacts(record) {
    const known = new Map(bodies().map((body) => [Ammo.getPointer(body), body]));
    const dispatcher = world.getDispatcher();
    const found = [];
    for (let i = 0; i < dispatcher.getNumManifolds(); i++) {
      const manifold = dispatcher.getManifoldByIndexInternal(i);
      const [one, two] = [manifold.getBody0(), manifold.getBody1()].map((it) => record(known.get(Ammo.getPointer(it)), PART));
      if (!isPair(one, two)) continue;
      const [from, to] = [one, two].map((it) => (it.motion === 'kinematic' ? it.body.at : it.body.before));
      for (let k = 0; k < manifold.getNumContacts(); k++) {
        const it = manifold.getContactPoint(k);
        const normal = vector(it.get_m_normalWorldOnB());
        const a = plus(from.p, rotate(from.q, vector(it.get_m_localPointA())));
        const b = plus(to.p, rotate(to.q, vector(it.get_m_localPointB())));
        found.push({ a: one.id, b: two.id, point: b, normal, depth: dot(normal, plus(b, a, -1)), impulse: it.getAppliedImpulse?.() });
      }
    }
    return found;
  }

  return {
    header: { engine: 'ammo.js', scalar: 'f32', gravity: vector(world.getGravity()), margin: 0.02 },
    vector,
    bodies,
    parts: () => [PART],
    contacts,
    state(body) {
      const place = body.getWorldTransform();
      const q = place.getRotation();
      const flags = body.getCollisionFlags();
      const motion = flags & STATIC ? 'fixed' : flags & KINEMATIC ? 'kinematic' : 'dynamic';
      const [v, w] = [vector(body.getLinearVelocity()), vector(body.getAngularVelocity())];
      return { motion, p: vector(place.getOrigin()), q: [q.x(), q.y(), q.z(), q.w()], v, w, asleep: !body.isActive() };
    },
    describe(body) {
      const proxy = body.getBroadphaseProxy();
      const flags = body.getCollisionFlags();
      const mass = flags & (STATIC | KINEMATIC) ? undefined : body.getMass?.();
      return {
        shape: shapeOf(body.getCollisionShape()),
        missing: 'a mesh, a height field, a compound or a plane of ammo.js, whose content cannot be read,',
        mass,
        sensor: Boolean(flags & NO_RESPONSE) || undefined,
        layer: proxy.get_m_collisionFilterGroup(),
        mask: proxy.get_m_collisionFilterMask(),
      };
    },
  };
}
