import { check, cross, dot, HERE, hull, mesh, named, PART, pieces, plus, TURN, xyz } from './geometry.js';

/** The shape of a drawn solid: a sphere or capsule along an axis if it is one; a box; the hull, rounded by `radius`; else a mesh. */
function solid(points, corners, [low, high], radius) {
  const size = low.map((x, axis) => (high[axis] - x) / 2);
  const centre = low.map((x, axis) => (high[axis] + x) / 2);
  const round = Math.min(...size);
  const axis = size.indexOf(Math.max(...size));
  const end = HERE.map((_, i) => (i === axis ? size[axis] - round : 0));
  const distances = points.map((point) => {
    const d = plus(point, centre, -1);
    d[axis] = Math.max(0, Math.abs(d[axis]) - end[axis]);
    return Math.hypot(...d);
  });
  if (points.length > 100 && distances.every((x) => x > 0.95 * round && x < 1.001 * round)) {
    return {
      p: centre,
      shape: end[axis] > 0.001 * round ? { capsule: { a: end.map((x) => -x), b: end, radius: round } } : { sphere: { radius: round } },
    };
  }
  const inner = size.map((x) => x - radius);
  const isBox =
    points.length === 8 && points.every((point) => point.every((x, i) => Math.abs(Math.abs(x - centre[i]) - inner[i]) < 1e-4 * size[i]));
  if (isBox)
    return {
      p: centre,
      shape: { box: inner.every((x) => x > 0) && radius > 0 ? { half_extents: inner, radius } : { half_extents: size } },
    };
  return { shape: isConvex(points, corners) ? hull(points, radius) : mesh(points, corners) };
}

/** Whether triangles close a convex solid that has a volume. Corners of hulls are drawn a little beside their place: a dent of 2 % counts as none. */
function isConvex(points, corners) {
  const edges = new Set(corners.flatMap(([a, b, c]) => [`${a} ${b}`, `${b} ${c}`, `${c} ${a}`]));
  const isClosed = [...edges].every((edge) => edges.has(edge.split(' ').reverse().join(' ')));
  if (points.length > 1024 || !isClosed) return false;
  const size = Math.max(...points.map((point) => Math.hypot(...plus(point, points[0], -1))));
  let deepest = 0;
  const isFace = ([a, b, c]) => {
    const n = cross(plus(points[b], points[a], -1), plus(points[c], points[a], -1));
    const heights = points.map((point) => dot(n, plus(point, points[a], -1)) / (Math.hypot(...n) || 1));
    deepest = Math.min(deepest, ...heights);
    return Math.max(...heights) < 0.02 * size;
  };
  return corners.every(isFace) && deepest < -1e-4 * size;
}

/** The connected parts of a drawing. */
function split(points, corners) {
  const root = points.map((_, i) => i);
  const find = (i) => {
    while (root[i] !== i) i = root[i] = root[root[i]];
    return i;
  };
  for (const [a, b, c] of corners) root[find(b)] = root[find(c)] = find(a);
  const parts = new Map();
  points.forEach((point, i) => {
    const part = parts.get(find(i)) ?? { points: [], corners: [], at: new Map() };
    parts.set(find(i), part);
    part.at.set(i, part.points.push(point) - 1);
  });
  for (const face of corners) {
    const part = parts.get(find(face[0]));
    part.corners.push(face.map((i) => part.at.get(i)));
  }
  return [...parts.values()];
}

const bounds = (points) =>
  [Math.min, Math.max].map((most) => HERE.map((_, axis) => points.reduce((x, point) => most(x, point[axis]), points[0][axis])));

/** Havok. `bodies`: a function that gives the ids of the bodies in the world, as Havok does not list them. */
export function havok(HK, world, bodies) {
  check(HK?.HP_Shape_CreateDebugDisplayGeometry && typeof bodies === 'function', 'havok(HK, worldId, () => bodyIds) takes what `await HavokPhysics()` gives');
  let keys = new Map();
  const keyed = (id) => {
    const number = Array.isArray(id) ? id[0] : id;
    return [number, keys.get(number) ?? { id: [number] }];
  };
  const of = (name, ...given) => HK[name](...given)[1];
  const is = (value, kind) => value === kind || value?.value === kind.value;

  /** What Havok draws of a shape: solids are drawn without the radius by which they are rounded from inside. */
  function describeShape(shape) {
    const geometry = of('HP_Shape_CreateDebugDisplayGeometry', shape);
    const [vertices, count, triangles, faces] = of('HP_DebugGeometry_GetInfo', geometry);
    const points = pieces(new Float32Array(HK.HEAPU8.buffer, vertices, 3 * count), 3);
    const corners = pieces(new Uint32Array(HK.HEAPU8.buffer, triangles, 3 * faces), 3);
    HK.HP_DebugGeometry_Release(geometry);
    const whole = of('HP_Shape_GetBoundingBox', shape, [HERE, TURN]);
    const drawn = bounds(points);
    const radius = Math.max(0, Math.min(...HERE.map((_, axis) => (whole[1][axis] - whole[0][axis] - drawn[1][axis] + drawn[0][axis]) / 2)));
    const parts = split(points, corners);
    if (parts.length === 1) return solid(points, corners, whole, radius);
    const grown = (box) => box.map((corner, side) => corner.map((x) => x + (2 * side - 1) * radius));
    const solids = parts.map((part) =>
      solid(part.points, part.corners, part.points.length > 100 ? bounds(part.points) : grown(bounds(part.points)), radius),
    );
    if (solids.length > 256 || solids.some(({ shape: { mesh: isSurface } }) => isSurface)) return { shape: mesh(points, corners) };
    return { shape: { compound: solids.map(({ p = HERE, shape: one }) => ({ shape: one, position: p })) } };
  }

  return {
    header: { engine: 'Havok', scalar: 'f32', gravity: HK.HP_World_GetGravity && of('HP_World_GetGravity', world) },
    vector: xyz,
    parts: () => [PART],
    bodies() {
      keys = new Map(Array.from(bodies(), keyed));
      return [...keys.values()];
    },
    state({ id }) {
      const [p, q] = of('HP_Body_GetQTransform', id);
      const type = of('HP_Body_GetMotionType', id);
      const motion = is(type, HK.MotionType.STATIC) ? 'fixed' : is(type, HK.MotionType.KINEMATIC) ? 'kinematic' : 'dynamic';
      const asleep = is(of('HP_Body_GetActivationState', id), HK.ActivationState.INACTIVE);
      return {
        motion,
        p: [...p],
        q: [...q],
        v: [...of('HP_Body_GetLinearVelocity', id)],
        w: [...of('HP_Body_GetAngularVelocity', id)],
        asleep,
      };
    },
    describe({ id }) {
      const shape = of('HP_Body_GetShape', id);
      const isWhole = is(of('HP_Shape_GetType', shape), HK.ShapeType.COLLIDER);
      const [layer, mask] = of('HP_Shape_GetFilterInfo', isWhole ? shape : of('HP_Shape_GetChildShape', shape, 0));
      const isDynamic = is(of('HP_Body_GetMotionType', id), HK.MotionType.DYNAMIC);
      return { ...describeShape(shape), mass: isDynamic ? of('HP_Body_GetMassProperties', id)[1] : undefined, layer, mask };
    },
  };
}

/** Havok as Babylon's plug-in runs it. */
export function babylon(plugin) {
  check(plugin?._hknp, 'babylon(plugin) takes the HavokPlugin');
  const engine = havok(plugin._hknp, plugin.world, () => plugin._bodies.keys());
  const describe = (key) => {
    const { transformNode, shape } = plugin._bodies.get(key.id[0]).body;
    return { ...engine.describe(key), name: named(transformNode?.name), sensor: shape?.isTrigger || undefined };
  };
  return { ...engine, describe };
}
