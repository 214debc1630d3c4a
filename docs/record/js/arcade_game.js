// What a game of Phaser does to arcade physics while it is recorded, for arcade.js.

/** Of a game object, or of a body; a tile has none. */
const bodyOf = (it) => it.body ?? it;

/** Replaces a method. The result puts the old one back, unless another has replaced it since. */
function replace(object, name, make) {
  const isOwn = Object.hasOwn(object, name);
  const before = object[name];
  const made = make(before);
  object[name] = made;
  return () => {
    if (object[name] !== made) return;
    if (isOwn) object[name] = before;
    else delete object[name];
  };
}

/**
 * Calls of the game: `overlap` and `collide`, `reset` of bodies, and callbacks of colliders, which place bodies. `isKnown`: whether
 * the two sides of a call are known.
 */
export function watch(world, isKnown) {
  const followed = new WeakMap();
  let calls = [];
  let [placed, placing] = [new Map(), new Map()];
  let updates = 0;
  let isMore = false;

  const place = (body, how) => placing.set(body, { ...placing.get(body), ...how });

  /** A callback that may set the position of the two bodies. */
  const observed = (callback, context) => (one, two) => {
    const bodies = [one, two].map(bodyOf).filter((it) => it.prev);
    const before = bodies.map(({ position: { x, y } }) => [x, y]);
    callback.call(context, one, two);
    bodies.forEach((body, i) => {
      const { x, y } = body.position;
      if (x !== before[i][0] || y !== before[i][1]) place(body, { start: { x, y } });
    });
  };

  const undo = [
    replace(
      world,
      'collideObjects',
      (collideObjects) =>
        function (one, two, collide, process, context, overlapOnly) {
          const call = [one, two ?? one, Boolean(overlapOnly)];
          if (!isKnown(...call)) calls.push(call);
          return collideObjects.call(this, one, two, collide && observed(collide, context), process, context, overlapOnly);
        },
    ),
    replace(
      world,
      'step',
      (step) =>
        function (...args) {
          // The update of the world has made a step already.
          isMore = this.stepsLastFrame > 0;
          try {
            return step.apply(this, args);
          } finally {
            isMore = false;
          }
        },
    ),
  ];
  const onStep = () => (updates += isMore ? 0 : 1);
  world.on('worldstep', onStep);

  return {
    /** Updates of the game in which the world made a step. */
    updates: () => updates,
    /** How the game placed a body since the last line: `reset`, and `start`, where a callback put it. */
    placed: (body) => placed.get(body) ?? {},
    follow(body) {
      if (followed.has(body)) return;
      const make = (reset) =>
        function (...args) {
          place(body, { reset: true });
          return reset.apply(this, args);
        };
      followed.set(body, replace(body, 'reset', make));
    },
    /** Begins a line. The result is the sides of the calls since the last one that are not known. */
    next() {
      [placed, placing] = [placing, new Map()];
      const made = calls;
      calls = [];
      return made;
    },
    close() {
      undo.forEach((restore) => restore());
      world.bodies.getArray().forEach((body) => followed.get(body)?.());
      world.off('worldstep', onStep);
    },
  };
}
