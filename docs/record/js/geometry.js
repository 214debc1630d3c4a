// Numbers, vectors, poses and shapes, for hitstop.js and the adapters of engines.

export const HERE = [0, 0, 0];
export const TURN = [0, 0, 0, 1];
/** The pose of a part that is at its body's: in space, and in the plane of a flat level, where a rotation is an angle. */
export const HOME = { p: HERE, q: TURN };
export const FLAT_HOME = { p: [0, 0], q: 0 };

/** A vector of an engine as a list: from an array or an object, with z = 0 if it has none. */
export const xyz = (v) => (v.x === undefined ? [v[0], v[1], v[2] ?? 0] : [v.x, v.y, v.z ?? 0]);
export const xy = (v) => (v.x === undefined ? [v[0], v[1]] : [v.x, v.y]);
export const xyzw = (q) => [q.x, q.y, q.z, q.w];
/** A flat array in pieces of so many numbers. */
export const pieces = (values, size) =>
  Array.from({ length: values.length / size }, (_, i) => Array.from(values.slice(size * i, size * i + size)));

/** The convex hull of points; of more than a log may have, those that are farthest out along 1,000 directions, evenly spread. */
export function hull(points, radius) {
  let found = [...new Map(points.map((point) => [String(point), point])).values()];
  if (found.length > 1024) {
    const all = found;
    const along = Array.from({ length: 1000 }, (_, i) => {
      const y = 1 - (2 * i + 1) / 1000;
      const turn = i * Math.PI * (3 - Math.sqrt(5));
      return [Math.sqrt(1 - y * y) * Math.cos(turn), y, Math.sqrt(1 - y * y) * Math.sin(turn)];
    });
    const farthest = (n) => all.reduce((best, point) => (dot(point, n) > dot(best, n) ? point : best));
    found = [...new Set(along.map(farthest))];
  }
  return { convex_hull: { points: found, ...(radius > 0 ? { radius } : {}) } };
}

// Of lists of two or three numbers; without `map`, which is slower.
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + (a.length > 2 ? a[2] * b[2] : 0);
export const plus = (a, b, scale = 1) => {
  const [x, y] = [a[0] + scale * b[0], a[1] + scale * b[1]];
  return a.length > 2 ? [x, y, a[2] + scale * b[2]] : [x, y];
};
/** The first may be a spin in the plane. */
export const cross = (a, b) =>
  typeof a === 'number' ? [-a * b[1], a * b[0]] : [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

/** A vector turned by a quaternion x y z w, or by an angle. */
export function rotate(q, v) {
  if (typeof q === 'number') return plus(v.map((x) => x * Math.cos(q)), cross(Math.sin(q), v));
  const t = cross(q, v);
  return plus(plus(v, t, 2 * q[3]), cross(q, t), 2);
}

/** A rotation in the frame of another. */
function turned(a, b) {
  if (typeof a === 'number') return a + b;
  const [x, y, z] = plus(plus(cross(a, b), b, a[3]), a, b[3]);
  return [x, y, z, a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]];
}

/** A local pose in the frame of another. */
export function placed(pose, local) {
  if (local === HOME || local === FLAT_HOME) return pose;
  return { p: plus(pose.p, rotate(pose.q, local.p)), q: turned(pose.q, local.q) };
}

/** A pose in the frame of another. */
export function local({ p, q }, pose) {
  const back = typeof q === 'number' ? -q : [-q[0], -q[1], -q[2], q[3]];
  return { p: rotate(back, plus(pose.p, p, -1)), q: turned(back, pose.q) };
}

/** Points on both circles of a cylinder or a cone. */
export const rings = (half, radius, top) =>
  Array.from({ length: 32 }, (_, i) => (i * Math.PI) / 16).flatMap((angle) => {
    const [x, z] = [Math.cos(angle), Math.sin(angle)];
    return [
      [radius * x, -half, radius * z],
      [top * x, half, top * z],
    ];
  });

export const mesh = (vertices, triangles) => ({ mesh: { vertices, triangles } });

// Shapes of flat levels; null for one without an extent, which a log does not have.
const added = (radius) => (radius > 0 ? { radius } : {});
export const box = (half_extents, radius) => (half_extents.every((x) => x > 0) || radius > 0 ? { box: { half_extents, ...added(radius) } } : null);
export function polygon(points, radius) {
  const [a, ...rest] = points;
  const hasArea = rest.some((b, i) => i > 0 && (b[0] - a[0]) * (rest[i - 1][1] - a[1]) !== (b[1] - a[1]) * (rest[i - 1][0] - a[0]));
  return hasArea ? { polygon: { points, ...added(radius) } } : null;
}
/** Of segments; null also if one does not begin where the one before it ends. */
export function chain(segments, facing) {
  const isSame = (a, b) => a[0] === b[0] && a[1] === b[1];
  const all = segments.filter(([a, b]) => !isSame(a, b));
  if (all.length === 0 || all.some(([a], i) => i > 0 && !isSame(a, all[i - 1][1]))) return null;
  const last = all.at(-1)[1];
  const loop = all.length > 2 && isSame(last, all[0][0]);
  return { chain: { points: [...all.map(([a]) => a), ...(loop ? [] : [last])], loop: loop || undefined, facing } };
}

/** An adapter says what it takes if it gets something else. */
export function check(isRight, text) {
  if (!isRight) throw new TypeError(text);
}

/** The one part of a body that has no others. */
export const PART = 0;
/** A name from what a game keeps with a body: a text, or an object with one. */
export const named = (it) => {
  const text = it?.name ?? it;
  return typeof text === 'string' && text ? text : undefined;
};
/** Whether both parts of a contact are recorded. */
export const isPair = (one, two) => one?.id !== undefined && two?.id !== undefined;

/** Of these fields numbers are kept as they are: times, and the program's own data. */
const WHOLE = new Set(['t', 'dt', 'x']);

/**
 * Nine digits are enough for the geometry and for the numbers of engines in single precision, and make the log half as long; the states of bodies in
 * double precision (`exact`) are kept, so that two runs that differ have other logs. Whole numbers are ids, masks and counts.
 */
export function rounded(value, exact = false) {
  if (typeof value === 'number') {
    if (Number.isInteger(value) || (exact && Number.isFinite(value) && Math.fround(value) !== value)) return value;
    const size = Math.abs(value);
    if (!(size > 1e-9 && size < 1e12)) return Number.isFinite(value) ? Number(value.toPrecision(9)) : String(value);
    const scale = 10 ** (8 - Math.floor(Math.log10(size)));
    return Math.round(value * scale) / scale;
  }
  if (Array.isArray(value)) return value.map((item) => rounded(item, exact));
  if (value === null || typeof value !== 'object') return value;
  const copy = {};
  for (const key of Object.keys(value)) copy[key] = WHOLE.has(key) ? value[key] : rounded(value[key], exact || key === 'bodies');
  return copy;
}
