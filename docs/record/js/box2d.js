import { flat, isPair, named, planar, xyz } from './geometry.js';

/** Box2D 3 as phaser-box2d: `B2` is its module, `world` the id of the world. */
export function box2d(B2, world, { length = 1 } = {}) {
  const shapes = flat(length);
  const MOTION = ['fixed', 'kinematic', 'dynamic'];
  const [CIRCLE, CAPSULE, SEGMENT, POLYGON] = [0, 1, 2, 3];
  const name = (id) => `${id.index1} ${id.revision}`;
  let keys = new Map();

  /** Bodies by their shapes, as there is no list of either. */
  function bodies() {
    const found = new Map();
    const add = (shape) => {
      const id = B2.b2Shape_GetBody(shape);
      found.set(name(id), keys.get(name(id)) ?? { id });
      return true;
    };
    B2.b2World_OverlapAABB(world, new B2.b2AABB(-1e5, -1e5, 1e5, 1e5), B2.b2DefaultQueryFilter(), add);
    keys = found;
    return [...found.values()];
  }

  function shapeOf(id) {
    const point = ({ x, y }) => [x, y, 0];
    const type = B2.b2Shape_GetType(id);
    if (type === CIRCLE) {
      const { center, radius } = B2.b2Shape_GetCircle(id);
      return { p: point(center), shape: { sphere: { radius } } };
    }
    if (type === CAPSULE) {
      const { center1, center2, radius } = B2.b2Shape_GetCapsule(id);
      return { shape: { capsule: { a: point(center1), b: point(center2), radius } } };
    }
    if (type === POLYGON) {
      const { vertices, count, radius } = B2.b2Shape_GetPolygon(id);
      return { shape: shapes.polygon(vertices.slice(0, count).map(point), radius) };
    }
    // A segment collides from both sides, one of a chain from its right.
    const { point1, point2 } = type === SEGMENT ? B2.b2Shape_GetSegment(id) : B2.b2Shape_GetChainSegment(id).segment;
    return { shape: shapes.strip([point1, point2].map(point), type !== SEGMENT) };
  }

  function state({ id }) {
    const { s, c } = B2.b2Body_GetRotation(id);
    const motion = MOTION[B2.b2Body_GetType(id)];
    const spin = B2.b2Body_GetAngularVelocity(id);
    const more = { centre: xyz(B2.b2Body_GetWorldCenterOfMass(id)), asleep: !B2.b2Body_IsAwake(id) };
    return planar(motion, xyz(B2.b2Body_GetPosition(id)), Math.atan2(s, c), xyz(B2.b2Body_GetLinearVelocity(id)), spin, more);
  }

  /** Shapes are named by a number of the body, as ids are made anew at each call. */
  function parts({ id }) {
    const found = [];
    B2.b2Body_GetShapes(id, found);
    return found.map(name);
  }

  function contacts(record) {
    const seen = new Set();
    return bodies().flatMap(({ id }) => {
      if (B2.b2Body_GetType(id) === 0) return [];
      const found = Array.from({ length: B2.b2Body_GetContactCapacity(id) }, () => new B2.b2ContactData());
      return found.slice(0, B2.b2Body_GetContactData(id, found, found.length)).flatMap(({ shapeIdA, shapeIdB, manifold }) => {
        const [one, two] = [shapeIdA, shapeIdB].map((shape) => record(keys.get(name(B2.b2Shape_GetBody(shape))), name(shape)));
        const key = `${name(shapeIdA)} ${name(shapeIdB)}`;
        if (seen.has(key) || !isPair(one, two)) return [];
        seen.add(key);
        const normal = [-manifold.normalX, -manifold.normalY, 0];
        return manifold.points
          .slice(0, manifold.pointCount)
          .map((it) => ({ a: one.id, b: two.id, point: [it.pointX, it.pointY, 0], normal, depth: -it.separation }));
      });
    });
  }

  function* joined() {
    for (const { id } of bodies()) {
      const found = [];
      B2.b2Body_GetJoints(id, found, B2.b2Body_GetJointCount(id));
      for (const joint of found) {
        const pair = [B2.b2Joint_GetBodyA(joint), B2.b2Joint_GetBodyB(joint)].map(name);
        // Each of the two bodies has the joint.
        if (pair[0] === name(id) && !B2.b2Joint_GetCollideConnected(joint)) yield pair.map((it) => keys.get(it));
      }
    }
  }

  function describe({ id }, part) {
    const found = [];
    B2.b2Body_GetShapes(id, found);
    const shape = found.find((it) => name(it) === part);
    const { categoryBits, maskBits, groupIndex } = B2.b2Shape_GetFilter(shape);
    return {
      ...shapeOf(shape),
      name: named(B2.b2Body_GetUserData(id)),
      mass: B2.b2Body_GetMass(id) || undefined,
      ccd: B2.b2Body_IsBullet(id) || undefined,
      sensor: B2.b2Shape_IsSensor?.(shape) || undefined,
      layer: categoryBits,
      mask: maskBits,
      ...(groupIndex < 0 ? { body: `group ${groupIndex}` } : {}),
    };
  }

  return {
    header: { engine: 'Box2D 3', length, gravity: xyz(B2.b2World_GetGravity(world)), margin: 0.02 },
    vector: xyz,
    bodies,
    parts,
    state,
    describe,
    contacts,
    joined,
  };
}
