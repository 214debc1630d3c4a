// What a game of Phaser does to arcade physics while it is recorded, for arcade.js.

const STATIC = 1;
/** Pixels by which rounding may put a body into the one on which it lies. */
const TOUCH = 0.01;

const isStill = (body) => body.physicsType === STATIC || body.immovable;
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
 * Calls of the game: `overlap` and `collide`, `reset` of bodies, and callbacks of colliders, which refuse pairs and place bodies.
 * `isKnown`: whether the two sides of a call are known;
 * `runOf`: the body of which a tile is a part.
 */
export function watch(world, { isKnown, runOf }) {
  const followed = new WeakMap();
  let calls = [];
  let [placed, placing] = [new Map(), new Map()];
  let [last, answers] = [new Map(), new Map()];
  let apart = [];
  let updates = 0;
  let isMore = false;

  const place = (body, how) => placing.set(body, { ...placing.get(body), ...how });

  /** Whether a body that falls has come from above one that stays. */
  function isFromAbove(a, b) {
    const [mover, ground] = isStill(a) ? [b, a] : [a, b];
    if (isStill(mover) || !isStill(ground) || !mover.allowGravity) return false;
    const down = world.gravity.y + mover.gravity.y;
    const [top, own] = [ground, mover].map((it) => (it.prev ?? it.position).y);
    const gap = down > 0 ? top - own - mover.height : own - top - ground.height;
    return down !== 0 && gap >= -TOUCH;
  }

  function answered(one, two, isRefused) {
    let [a, b] = [one, two].map((it) => runOf(it) ?? bodyOf(it));
    if (answers.get(b)?.has(a)) [a, b] = [b, a];
    if (!answers.has(a)) answers.set(a, new Map());
    const before = answers.get(a).get(b);
    answers.get(a).set(b, { isRefused: isRefused && before?.isRefused !== false, isFall: before?.isFall ?? (isRefused && isFromAbove(a, b)) });
  }

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
          const ask = (a, b) => {
            const answer = process ? process.call(context, a, b) : true;
            // Of bodies only false refuses a pair, of a tile each value that counts as false.
            answered(a, b, runOf(b) ? !answer : answer === false);
            return answer;
          };
          return collideObjects.call(this, one, two, collide && observed(collide, context), ask, context, overlapOnly);
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
    /** Pairs that callbacks refused in each step since the last line. A fall that is refused may be a mistake, and is not among them. */
    apart: () => apart,
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
      apart = [];
      for (const [a, others] of answers) {
        for (const [b, it] of others) {
          const before = last.get(a)?.get(b) ?? last.get(b)?.get(a);
          it.isFall = it.isRefused && (before ? before.isFall : it.isFall);
          if (it.isRefused && !it.isFall) apart.push([a, b]);
        }
      }
      [last, answers] = [answers, new Map()];
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
