import { watch } from './arcade_game.js';
import { box, check, named, PART, plus, xy } from './geometry.js';

/** Phaser's arcade physics: y leads down, and the unit is a pixel. Bodies are boxes or circles that do not turn. */
export function arcade(world) {
  check(world?.staticBodies && world.colliders, 'arcade(world) takes the world of a scene with arcade physics, this.physics.world');
  const STATIC = 1;
  const SENSOR = 'sensor';
  const isFixed = (body) => body.physicsType === STATIC;
  /** Half the size. That of Phaser is rounded down, and is only what circles collide with. */
  const half = (body) => (body.isCircle ? [body.halfWidth, body.halfHeight] : [body.width / 2, body.height / 2]);
  const middle = (body, corner) => plus(xy(corner), half(body));
  const place = (body) => ({ p: middle(body, body.position), q: 0 });
  /** Where a step began; a body under direct control is at its end from the start. */
  const begin = (body) => (body.directControl ? body.autoFrame : body.prev);
  const runs = new Map();
  const game = watch(world);
  const clock = { time: 0, step: 0 };
  const onStep = (step) => Object.assign(clock, { step, time: clock.time + step });
  world.on('worldstep', onStep);

  /** The way in which others pass a body of which only one face of two collides. */
  function oneWay({ up, down, left, right }) {
    if (up !== down) return [0, up ? -1 : 1];
    return left !== right && !up ? [left ? -1 : 1, 0] : undefined;
  }

  const faces = ({ collideUp: up, collideDown: down, collideLeft: left, collideRight: right }) => ({ up, down, left, right });
  const isAlike = (a, b) =>
    a?.canCollide &&
    a.collideUp === b.collideUp &&
    a.collideDown === b.collideDown &&
    a.collideLeft === b.collideLeft &&
    a.collideRight === b.collideRight;

  /** Tiles side by side of the maps that colliders name, as fixed bodies. */
  function* tiles(layer) {
    for (const row of layer.layer.data) {
      for (let x = 0, end = 0; x < row.length; x = Math.max(end, x + 1)) {
        for (end = x; isAlike(row[end], row[x]);) end += 1;
        if (end === x) continue;
        const [left, right, top, bottom] = [row[x].getLeft(), row[end - 1].getRight(), row[x].getTop(), row[x].getBottom()];
        const checkCollision = faces(row[x]);
        const key = [left, right, top, bottom, ...Object.values(checkCollision)].join();
        const size = { width: right - left, height: bottom - top };
        if (!runs.has(key)) runs.set(key, { position: { x: left, y: top }, ...size, physicsType: STATIC, gameObject: layer, checkCollision });
        yield runs.get(key);
      }
    }
  }

  function bodies() {
    game.next();
    world.bodies.getArray().forEach(game.follow);
    const sides = world.colliders.update().flatMap(({ object1, object2 }) => [object1, object2].flat());
    const maps = [...new Set(sides.filter((it) => it?.tilemap))];
    return [
      ...[...world.bodies.getArray(), ...world.staticBodies.getArray()].filter((body) => body.enable && !body.checkCollision.none),
      ...maps.flatMap((layer) => [...tiles(layer)]),
    ];
  }

  const has = (side, it) => [side].flat().some((item) => item === it || item?.contains?.(it));
  const known = new WeakMap();

  /** Whether the first side of an overlap is its sensor, as two sensors are not judged: one that collides nowhere, else the second. */
  function isFirstSensor({ object1, object2 }, colliders) {
    const pushed = colliders.filter((it) => !it.overlapOnly).flatMap((it) => [it.object1, it.object2].flat());
    const isPushed = (side) => [side].flat().some((item) => pushed.some((other) => has(other, item) || has(item, other)));
    const isStill = (side) => [side].flat().every((item) => item?.tilemap || (item?.physicsType ?? item?.body?.physicsType) === STATIC);
    return !isPushed(object1) && (isStill(object1) || isPushed(object2 ?? object1));
  }

  /** The two sides of each collider are layers: a pair collides if a collider names both. A body is solid in some, and a sensor in others. */
  function sides(body) {
    // Of the next step, too.
    const colliders = world.colliders.update();
    const bits = { solid: { layer: 0, mask: 0 }, sensor: { layer: 0, mask: 0 }, hasColliders: colliders.length > 0 };
    colliders.slice(0, 16).forEach((collider, i) => {
      [collider.object1, collider.object2 ?? collider.object1].forEach((side, k) => {
        if (!has(side, body.gameObject)) return;
        const isSensor = collider.overlapOnly && isFirstSensor(collider, colliders) === (k === 0);
        const own = isSensor ? bits.sensor : bits.solid;
        own.layer = (own.layer | (1 << (2 * i + k))) >>> 0;
        own.mask = (own.mask | (1 << (2 * i + 1 - k))) >>> 0;
      });
    });
    known.set(body, bits);
    return bits;
  }

  return {
    header: { flat: true, up: '-y', unit: 'px', engine: 'Phaser', gravity: xy(world.gravity), dt: 1 / world.fps },
    vector: xy,
    clock: () => ({ ...clock, update: game.updates() }),
    /** A body that collides, and is the sensor of an overlap, is two objects. */
    parts(body) {
      const { solid, sensor } = known.get(body) ?? sides(body);
      return solid.layer && sensor.layer ? [PART, SENSOR] : [PART];
    },
    bodies,
    state(body) {
      if (isFixed(body)) return { motion: 'fixed', ...place(body) };
      const { reset, start = begin(body) } = game.placed(body);
      const from = { start: body.moves ? middle(body, start) : undefined, reset };
      return { motion: body.immovable ? 'kinematic' : 'dynamic', ...place(body), v: xy(body.velocity), ...from };
    },
    size: (body) => `${half(body)} ${body.isCircle} ${oneWay(body.checkCollision)}`,
    describe(body, part) {
      const { solid, sensor, hasColliders } = sides(body);
      const isSensor = part === SENSOR || (solid.layer === 0 && sensor.layer !== 0);
      const { layer, mask } = isSensor ? sensor : solid;
      const it = body.gameObject;
      const name = named(it?.name) ?? named(it?.texture?.key);
      const shape = body.isCircle ? { circle: { radius: body.halfWidth } } : box(half(body));
      const missing = `${name ?? 'a body'}, which ${layer || !hasColliders ? 'has no extent' : 'no collider of the world names'},`;
      const mass = isFixed(body) ? undefined : body.mass;
      const given = { name, missing, mass, ccd: false, sensor: isSensor || undefined, one_way: oneWay(body.checkCollision) };
      if (!hasColliders) return { shape, ...given, layer: body.collisionCategory, mask: body.collisionMask };
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
        const x = body.collideWorldBounds && isAtSide ? 0 : body.position.x - begin(body).x - body._dx;
        const y = body.collideWorldBounds && isAtEnd ? 0 : body.position.y - begin(body).y - body._dy;
        return x || y ? [{ id: it.id, push: [x, y] }] : [];
      }),
    close() {
      game.close();
      world.off('worldstep', onStep);
    },
  };
}
