import { watch } from './arcade_game.js';
import { pairs } from './arcade_pairs.js';
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
  const runs = new Map();
  const runOf = new WeakMap();
  const layers = pairs();
  const game = watch(world, { isKnown: layers.isKnown, runOf: (tile) => runOf.get(tile) });
  const clock = { time: 0, step: 0 };
  const onStep = (step) => Object.assign(clock, { step, time: clock.time + step });
  world.on('worldstep', onStep);

  /** Where a step began; a body under direct control is at its end from the start. */
  const begin = (body) => (body.directControl ? body.autoFrame : body.prev);
  const isOff = ({ enable, checkCollision: { none, up, down, left, right } }) => !enable || none || !(up || down || left || right);
  const stopsFalls = new WeakSet();

  /** Remembers a body of which the face that stops a fall has collided: the upper one of what stays, the lower one of what falls. */
  function noteFace(body) {
    const isStill = isFixed(body) || body.immovable;
    const own = body.allowGravity ? world.gravity.y + body.gravity.y : 0;
    const gravity = isStill ? world.gravity.y : own;
    const isUpper = isStill === (gravity > 0);
    if (gravity === 0 || (isUpper ? body.checkCollision.up : body.checkCollision.down)) stopsFalls.add(body);
  }

  /**
   * The way in which others pass a body of which only one face of two collides. One that has never stopped a fall has none: that is likely
   * a mistake.
   */
  function oneWay(body) {
    const { up, down, left, right } = body.checkCollision;
    if (up !== down) return stopsFalls.has(body) ? [0, up ? -1 : 1] : undefined;
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
        for (let i = x; i < end; i += 1) runOf.set(row[i], runs.get(key));
        yield runs.get(key);
      }
    }
  }

  /** Those of the last line, also of a scene that has ended since. */
  let all = [];
  /** Layers of bodies that were on. */
  const wereOn = new Set();

  function bodies() {
    layers.take(world.colliders.update(), game.next());
    all = [...world.bodies.getArray(), ...world.staticBodies.getArray()];
    all.filter((body) => !isFixed(body)).forEach(game.follow);
    const maps = [...new Set(layers.objects().filter((it) => it.tilemap))];
    const found = all.filter((body) => !isOff(body));
    found.forEach((body) => wereOn.add(layers.bits(body).key));
    found.push(...maps.flatMap((layer) => [...tiles(layer)]));
    found.forEach(noteFace);
    return found;
  }

  const shapeOf = (body) => (body.isCircle ? { circle: { radius: body.halfWidth } } : box(half(body)));
  const nameOf = ({ gameObject: it }) => named(it?.name) ?? named(it?.texture?.key);
  const isNamed = ({ solid, sensor }) => solid.layer !== 0 || sensor.layer !== 0;
  const isSensor = ({ solid, sensor }, part) => part === SENSOR || (solid.layer === 0 && sensor.layer !== 0);

  return {
    header: { flat: true, up: '-y', unit: 'px', engine: 'Phaser', gravity: xy(world.gravity), dt: 1 / world.fps },
    vector: xy,
    clock: () => ({ ...clock, update: game.updates() }),
    /** A body that collides, and is the sensor of an overlap, is two objects. */
    parts(body) {
      const { solid, sensor } = layers.bits(body);
      return solid.layer && sensor.layer ? [PART, SENSOR] : [PART];
    },
    bodies,
    state(body) {
      if (isFixed(body)) return { motion: 'fixed', ...place(body) };
      const { reset, start = begin(body) } = game.placed(body);
      const from = { start: body.moves ? middle(body, start) : undefined, reset };
      return { motion: body.immovable ? 'kinematic' : 'dynamic', ...place(body), v: xy(body.velocity), ...from };
    },
    size(body, part) {
      const bits = layers.bits(body);
      const { layer, mask } = isSensor(bits, part) ? bits.sensor : bits.solid;
      return `${half(body)} ${body.isCircle} ${oneWay(body)} ${layer} ${mask}`;
    },
    describe(body, part) {
      const bits = layers.bits(body);
      const sensor = isSensor(bits, part);
      const name = nameOf(body);
      const mass = isFixed(body) ? undefined : body.mass;
      const given = { name, mass, ccd: false, sensor: sensor || undefined, one_way: oneWay(body) };
      if (!isNamed(bits)) return given;
      const { layer, mask } = sensor ? bits.sensor : bits.solid;
      return { shape: shapeOf(body), missing: `${name ?? 'a body'}, which has no extent,`, ...given, layer, mask };
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
    joined: game.apart,
    /** Bodies of which there is no object, each with the reason, and bodies of which pairs are missing. */
    *leftOut() {
      for (const body of all) {
        const bits = layers.bits(body);
        const it = { body, name: nameOf(body) ?? 'a body', ...place(body), shape: shapeOf(body) ?? { box: { half_extents: [0, 0] } } };
        if (bits.isCut) yield { ...it, body: undefined, why: 'there are more than 32 kinds of colliders, pairs are missing' };
        else if (!isNamed(bits)) yield { ...it, why: 'no collider names it' };
        else if (!shapeOf(body)) yield { ...it, why: 'it has no extent', isWarned: true };
        else if (body.enable) yield { ...it, why: 'its `checkCollision` was always off' };
        // Others of a pool were used.
        else if (!wereOn.has(bits.key)) yield { ...it, why: 'its `enable` was always false' };
      }
    },
    close() {
      game.close();
      world.off('worldstep', onStep);
    },
  };
}
