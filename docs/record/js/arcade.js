import { box, named, PART, xy } from './geometry.js';

/** Phaser's arcade physics: y leads down, and the unit is a pixel. Bodies are boxes or circles that do not turn. */
export function arcade(world) {
  const STATIC = 1;
  const isFixed = (body) => body.physicsType === STATIC;
  const place = (body) => ({ p: [body.position.x + body.halfWidth, body.position.y + body.halfHeight], q: 0 });
  const runs = new Map();
  const clock = { time: 0, step: 0 };
  world.on('worldstep', (step) => Object.assign(clock, { step, time: clock.time + step }));

  /** Tiles side by side of the maps that colliders name, as fixed bodies. */
  function* tiles(layer) {
    for (const row of layer.layer.data) {
      for (let x = 0, end = 0; x < row.length; x = Math.max(end, x + 1)) {
        for (end = x; row[end]?.canCollide;) end += 1;
        if (end === x) continue;
        const [left, right, top, bottom] = [row[x].getLeft(), row[end - 1].getRight(), row[x].getTop(), row[x].getBottom()];
        const key = [left, right, top, bottom].join();
        const size = { halfWidth: (right - left) / 2, halfHeight: (bottom - top) / 2 };
        if (!runs.has(key)) runs.set(key, { position: { x: left, y: top }, ...size, physicsType: STATIC, gameObject: layer });
        yield runs.get(key);
      }
    }
  }

  function bodies() {
    const sides = world.colliders.update().flatMap(({ object1, object2 }) => [object1, object2].flat());
    const maps = [...new Set(sides.filter((it) => it?.tilemap))];
    return [
      ...[...world.bodies.getArray(), ...world.staticBodies.getArray()].filter((body) => body.enable),
      ...maps.flatMap((layer) => [...tiles(layer)]),
    ];
  }

  /** The two sides of each collider are layers: a pair collides if a collider names both. */
  function sides({ gameObject }, colliders) {
    const has = (side) => [side].flat().some((it) => it === gameObject || it?.contains?.(gameObject));
    const bits = { layer: 0, mask: 0, isTouched: false, isPushed: false };
    colliders.slice(0, 16).forEach(({ object1, object2, overlapOnly }, i) => {
      for (const [side, own, other] of [
        [object1, 2 * i, 2 * i + 1],
        [object2 ?? object1, 2 * i + 1, 2 * i],
      ]) {
        if (!has(side)) continue;
        bits.layer |= 1 << own;
        bits.mask |= 1 << other;
        bits[overlapOnly ? 'isTouched' : 'isPushed'] = true;
      }
    });
    return bits;
  }

  return {
    header: { flat: true, up: '-y', unit: 'px', engine: 'Phaser', gravity: xy(world.gravity), dt: 1 / world.fps },
    vector: xy,
    clock: () => clock,
    parts: () => [PART],
    bodies,
    state(body) {
      if (isFixed(body)) return { motion: 'fixed', ...place(body) };
      return { motion: body.immovable ? 'kinematic' : 'dynamic', ...place(body), v: xy(body.velocity) };
    },
    size: (body) => `${body.halfWidth} ${body.halfHeight} ${body.isCircle}`,
    describe(body) {
      // Of the next step, too.
      const colliders = world.colliders.update();
      const { layer, mask, isTouched, isPushed } = sides(body, colliders);
      const it = body.gameObject;
      const name = named(it?.name) ?? named(it?.texture?.key);
      const shape = body.isCircle ? { circle: { radius: body.halfWidth } } : box([body.halfWidth, body.halfHeight]);
      const missing = `${name ?? 'a body'}, which ${layer || colliders.length === 0 ? 'has no extent' : 'no collider of the world names'},`;
      const given = { name, missing, mass: isFixed(body) ? undefined : body.mass, ccd: false, sensor: (isTouched && !isPushed) || undefined };
      if (colliders.length === 0) return { shape, ...given, layer: body.collisionCategory, mask: body.collisionMask };
      return { shape: layer ? shape : undefined, ...given, layer, mask };
    },
    /** What a body moved besides its own velocity; not by the world's bounds, which are no object. */
    pushes: (record) =>
      world.bodies.getArray().flatMap((body) => {
        const it = record(body, PART);
        if (it?.id === undefined || !body.enable || !body.moves) return [];
        const { bounds } = world;
        const { left, right, up, down } = body.blocked;
        const isAtSide = (left && body.x <= bounds.x) || (right && body.right >= bounds.right);
        const isAtEnd = (up && body.y <= bounds.y) || (down && body.bottom >= bounds.bottom);
        const x = body.collideWorldBounds && isAtSide ? 0 : body.position.x - body.prev.x - body._dx;
        const y = body.collideWorldBounds && isAtEnd ? 0 : body.position.y - body.prev.y - body._dy;
        return x || y ? [{ id: it.id, push: [x, y] }] : [];
      }),
  };
}
