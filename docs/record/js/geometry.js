// Numbers, vectors, poses and shapes, for hitstop.js and the adapters of engines.

export const HERE = [0, 0, 0];
export const TURN = [0, 0, 0, 1];

/** A vector of an engine as a list: from an array or an object, with z = 0 if it has none. */
export const xyz = (v) => (v.x === undefined ? [v[0], v[1], v[2] ?? 0] : [v.x, v.y, v.z ?? 0]);
export const xyzw = (q) => [q.x, q.y, q.z, q.w];
/** The quaternion of an angle in the plane of x and y. */
export const turned = (angle) => [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)];
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

export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const plus = (a, b, scale = 1) => [a[0] + scale * b[0], a[1] + scale * b[1], a[2] + scale * b[2]];
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

/** A vector turned by a quaternion x y z w. */
export function rotate(q, v) {
  const t = cross(q, v);
  return plus(plus(v, t, 2 * q[3]), cross(q, t), 2);
}

/** The pose of a part that is at its body's. */
export const HOME = { p: HERE, q: TURN };

/** A local pose in the frame of another. */
export function placed(pose, local) {
  if (local === HOME) return pose;
  const [a, b] = [pose.q, local.q];
  const [x, y, z] = plus(plus(cross(a, b), b, a[3]), a, b[3]);
  return { p: plus(pose.p, rotate(a, local.p)), q: [x, y, z, a[3] * b[3] - dot(a, b)] };
}

/** A pose in the frame of another. */
export function local({ p, q: [x, y, z, w] }, pose) {
  const back = [-x, -y, -z, w];
  return placed({ p: rotate(back, plus(pose.p, p, -1)), q: back }, { p: HERE, q: pose.q });
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

/** The shapes of a plane, with a depth along z that is larger than every body. */
export function flat(length) {
  const depth = 20 / length;
  const ends = (points) =>
    points.flatMap(([x, y]) => [
      [x, y, -depth],
      [x, y, depth],
    ]);
  const strips = (points, edges, isFront) => {
    const triangles = edges.flatMap(([a, b]) => [
      [2 * a, 2 * b, 2 * b + 1],
      [2 * a, 2 * b + 1, 2 * a + 1],
    ]);
    return { mesh: { vertices: ends(points), triangles, facing: isFront ? 'front' : 'both' } };
  };
  return {
    box: (x, y, radius) => ({ box: { half_extents: [x, y, depth], ...(radius > 0 ? { radius } : {}) } }),
    polygon: (points, radius) => hull(ends(points), radius),
    /** Edges between points; the front is on the right of their direction. */
    strip: (points, isFront) =>
      strips(
        points,
        points.slice(1).map((_, i) => [i, i + 1]),
        isFront,
      ),
    strips,
  };
}

/** The state of a body in the plane of x and y. */
export const planar = (motion, [x, y], angle, [vx, vy], spin, more) => ({
  motion,
  p: [x, y, 0],
  q: turned(angle),
  v: [vx, vy, 0],
  w: [0, 0, spin],
  ...more,
});

/** The one part of a body that has no others. */
export const PART = 0;
export const named = (text) => (typeof text === 'string' && text ? text : undefined);
/** Whether both parts of a contact are recorded. */
export const isPair = (one, two) => one?.id !== undefined && two?.id !== undefined;

/** Of these fields numbers are kept as they are: times, and the program's own data. */
const WHOLE = new Set(['t', 'dt', 'x']);

/** Nine digits are enough for the geometry, and make the log half as long. Whole numbers are ids, masks and counts. */
export function rounded(value) {
  if (typeof value === 'number') {
    if (Number.isInteger(value)) return value;
    const size = Math.abs(value);
    if (!(size > 1e-9 && size < 1e12)) return Number.isFinite(value) ? Number(value.toPrecision(9)) : String(value);
    const scale = 10 ** (8 - Math.floor(Math.log10(size)));
    return Math.round(value * scale) / scale;
  }
  if (Array.isArray(value)) return value.map(rounded);
  if (value === null || typeof value !== 'object') return value;
  const copy = {};
  for (const key of Object.keys(value)) copy[key] = WHOLE.has(key) ? value[key] : rounded(value[key]);
  return copy;
}
