// The layers of Phaser's arcade physics, for arcade.js: which pairs its colliders and overlaps name.

const BITS = 32;
const STATIC = 1;

/** A game object or a group that is destroyed has no scene. */
const isGone = (it) => 'scene' in it && !it.scene;
const items = (side) => [side].flat().filter((it) => it && !isGone(it));
const has = (side, it) => items(side).some((item) => item === it || item.contains?.(it));
const isStill = (side) => items(side).every((it) => it.tilemap || (it.physicsType ?? it.body?.physicsType) === STATIC);

/**
 * The sides of colliders and overlaps, each with a bit. A side is in the masks of its partners, so that a pair collides where a collider names
 * both. Of an overlap one side is a sensor.
 */
export function pairs() {
  let sides = [];
  const known = new WeakMap();
  const linked = new WeakSet();
  const bodies = new WeakMap();
  let used = 0;
  let version = 0;

  const find = (object, isSensor) => known.get(object)?.[Number(isSensor)];

  function side(object, isSensor) {
    const own = known.get(object) ?? [];
    known.set(object, own);
    if (!own[Number(isSensor)]) sides.push((own[Number(isSensor)] = { object, isSensor, partners: new Set() }));
    return own[Number(isSensor)];
  }

  /** Whether a collider, or an overlap, has these two sides. */
  function isKnown(one, two, overlapOnly) {
    const kinds = overlapOnly
      ? [
          [true, false],
          [false, true],
        ]
      : [[false, false]];
    return kinds.some(([a, b]) => find(one, a)?.partners.has(find(two, b)));
  }

  /** Whether each pair of two sides is one of colliders, or of overlaps, already. */
  function isCovered(one, two, overlapOnly) {
    const isPair = (x, y) =>
      sides.some((a) => has(a.object, x) && [...a.partners].some((b) => (a.isSensor || b.isSensor) === overlapOnly && has(b.object, y)));
    return items(one).every((x) => items(two).every((y) => isPair(x, y)));
  }

  /** Whether the first side of an overlap is its sensor, as two sensors are not judged: one that collides nowhere, else the second. */
  function isFirstSensor(one, two, pushed) {
    const isPushed = (it) => items(it).some((item) => pushed.some((other) => has(other, item) || items(other).some((x) => has(item, x))));
    return !isPushed(one) && (isStill(one) || isPushed(two));
  }

  /** The bits of a side's partners; not a number while one has none. */
  const partnerBits = ({ partners }) => ([...partners].every(({ bit }) => bit) ? [...partners].reduce((mask, { bit }) => mask | bit, 0) : NaN);
  const isShared = (it) => it.bit && sides.some((other) => other !== it && other.bit === it.bit);

  /** Sides that are gone leave their bit to one that has the same partners. */
  function forgetGone() {
    for (const it of sides.filter(({ object }) => items(object).length === 0)) {
      if (!isShared(it)) continue;
      sides = sides.filter((other) => other !== it);
      it.partners.forEach(({ partners }) => partners.delete(it));
    }
  }

  /** Sides with the same partners share a bit: a game may make a collider for each bullet. */
  function giveBits() {
    const bare = sides.filter(({ bit }) => !bit).sort((a, b) => b.partners.size - a.partners.size);
    for (const it of bare) {
      const mask = partnerBits(it);
      const twin = sides.find((other) => other.bit && partnerBits(other) === mask);
      it.bit = twin ? twin.bit : used < BITS ? 1 << used++ : 0;
    }
    for (const it of bare) it.later = used < BITS ? -1 << used : 0;
  }

  /** Takes in colliders and calls that are new. */
  function take(colliders, calls) {
    const both = ({ object1, object2, overlapOnly }) => [object1, object2 ?? object1, Boolean(overlapOnly)];
    const isWhole = ([one, two]) => items(one).length > 0 && items(two).length > 0;
    const made = colliders.filter((it) => !linked.has(it) && isWhole(both(it)));
    made.forEach((it) => linked.add(it));
    const fresh = [...made.map(both), ...calls].filter((it, i) => !isKnown(...it) && (i < made.length || !isCovered(...it)));
    if (!fresh.length) return;
    version += 1;
    forgetGone();
    const pushed = sides.filter((it) => !it.isSensor && [...it.partners].some(({ isSensor }) => !isSensor)).map(({ object }) => object);
    pushed.push(...fresh.flatMap(([one, two, overlapOnly]) => (overlapOnly ? [] : [one, two])));
    for (const [one, two, overlapOnly] of fresh) {
      const isFirst = overlapOnly && isFirstSensor(one, two, pushed);
      const [a, b] = [side(one, isFirst), side(two, overlapOnly && !isFirst)];
      // The others that share its bit do not get this partner.
      for (const it of [a, b]) if (isShared(it)) it.bit = 0;
      a.partners.add(b);
      b.partners.add(a);
    }
    giveBits();
  }

  /** The layer and mask of a body where it is solid, and where it is a sensor; `isCut` where it has more than there are bits for. */
  function bits(body) {
    const found = bodies.get(body);
    if (found?.version === version) return found;
    const made = { version, isCut: false, solid: { layer: 0, mask: 0 }, sensor: { layer: 0, mask: 0 } };
    for (const it of sides.filter(({ object }) => has(object, body) || (body.gameObject && has(object, body.gameObject)))) {
      const own = it.isSensor ? made.sensor : made.solid;
      own.layer |= it.bit;
      own.mask |= [...it.partners].reduce((mask, { bit }) => mask | bit, 0);
      own.later = (own.later ?? -1) & it.later;
      made.isCut ||= !it.bit || [...it.partners].some(({ bit }) => !bit);
    }
    for (const own of [made.solid, made.sensor]) {
      // A side that comes later has the mask that decides, so that the bodies before it stay the same objects.
      own.mask = own.layer ? (own.mask | own.later) >>> 0 : 0;
      own.layer >>>= 0;
    }
    made.key = `${made.solid.layer} ${made.sensor.layer}`;
    bodies.set(body, made);
    return made;
  }

  return { take, bits, isKnown, objects: () => sides.flatMap(({ object }) => items(object)) };
}
