import { chain, check, isPair, named, polygon, xy } from './geometry.js';

/** Box2D 3 as phaser-box2d: `B2` is its module, `world` the id of the world. */
export function box2d(B2, world) {
  check(B2?.b2World_GetGravity && world !== undefined, 'box2d(B2, worldId) takes the module of Box2D with its functions, and then the id of the world');
  const MOTION = ['fixed', 'kinematic', 'dynamic'];
  const [CIRCLE, CAPSULE, SEGMENT, POLYGON, CHAIN_SEGMENT] = [0, 1, 2, 3, 4];
  const name = (id) => `${id.index1} ${id.revision}`;
  /** Names what one object is made of: a shape, or all segments of a chain. */
  const key = (shape) => (B2.b2Shape_GetType(shape) === CHAIN_SEGMENT ? `chain ${name(B2.b2Shape_GetParentChain(shape))}` : name(shape));
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

  /** The shapes of a part of a body, in the order in which they were made. */
  function shapesOf({ id }, part) {
    const found = [];
    B2.b2Body_GetShapes(id, found);
    return found.filter((it) => key(it) === part).sort((a, b) => a.index1 - b.index1);
  }

  function shapeOf(ids) {
    const [id] = ids;
    switch (B2.b2Shape_GetType(id)) {
      case CIRCLE: {
        const { center, radius } = B2.b2Shape_GetCircle(id);
        return { p: xy(center), shape: { circle: { radius } } };
      }
      case CAPSULE: {
        const { center1, center2, radius } = B2.b2Shape_GetCapsule(id);
        return { shape: { capsule: { a: xy(center1), b: xy(center2), radius } } };
      }
      case POLYGON: {
        const { vertices, count, radius } = B2.b2Shape_GetPolygon(id);
        return { shape: polygon(vertices.slice(0, count).map(xy), radius) };
      }
      case SEGMENT: {
        const { point1, point2 } = B2.b2Shape_GetSegment(id);
        return { shape: { segment: { a: xy(point1), b: xy(point2) } } };
      }
      // A chain collides from its right side only.
      default: {
        const segments = ids.map((it) => B2.b2Shape_GetChainSegment(it).segment);
        return { shape: chain(segments.map(({ point1, point2 }) => [xy(point1), xy(point2)]), 'right') };
      }
    }
  }

  function state({ id }) {
    const { s, c } = B2.b2Body_GetRotation(id);
    return {
      motion: MOTION[B2.b2Body_GetType(id)],
      p: xy(B2.b2Body_GetPosition(id)),
      q: Math.atan2(s, c),
      v: xy(B2.b2Body_GetLinearVelocity(id)),
      w: B2.b2Body_GetAngularVelocity(id),
      centre: xy(B2.b2Body_GetWorldCenterOfMass(id)),
      asleep: !B2.b2Body_IsAwake(id),
    };
  }

  /** Parts are named by texts, as ids are made anew at each call. */
  function parts({ id }) {
    const found = [];
    B2.b2Body_GetShapes(id, found);
    return [...new Set(found.map(key))];
  }

  function contacts(record) {
    const seen = new Set();
    return bodies().flatMap(({ id }) => {
      if (B2.b2Body_GetType(id) === 0) return [];
      const found = Array.from({ length: B2.b2Body_GetContactCapacity(id) }, () => new B2.b2ContactData());
      return found.slice(0, B2.b2Body_GetContactData(id, found, found.length)).flatMap(({ shapeIdA, shapeIdB, manifold }) => {
        const [one, two] = [shapeIdA, shapeIdB].map((shape) => record(keys.get(name(B2.b2Shape_GetBody(shape))), key(shape)));
        const pair = `${name(shapeIdA)} ${name(shapeIdB)}`;
        if (seen.has(pair) || !isPair(one, two)) return [];
        seen.add(pair);
        const normal = [-manifold.normalX, -manifold.normalY];
        return manifold.points
          .slice(0, manifold.pointCount)
          .map((it) => ({ a: one.id, b: two.id, point: [it.pointX, it.pointY], normal, depth: -it.separation }));
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

  function describe(body, part) {
    const { id } = body;
    const shapes = shapesOf(body, part);
    const { categoryBits, maskBits, groupIndex } = B2.b2Shape_GetFilter(shapes[0]);
    return {
      ...shapeOf(shapes),
      name: named(B2.b2Body_GetUserData(id)),
      mass: B2.b2Body_GetMass(id) || undefined,
      ccd: B2.b2Body_IsBullet(id) || undefined,
      sensor: B2.b2Shape_IsSensor?.(shapes[0]) || undefined,
      layer: categoryBits,
      mask: maskBits,
      ...(groupIndex < 0 ? { body: `group ${groupIndex}` } : {}),
    };
  }

  return {
    header: { flat: true, engine: 'Box2D 3', gravity: xy(B2.b2World_GetGravity(world)), margin: 0.02 },
    vector: xy,
    bodies,
    parts,
    state,
    describe,
    contacts,
    joined,
  };
}
