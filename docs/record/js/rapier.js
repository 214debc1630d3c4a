import { box, chain, check, dot, hull, isPair, local, mesh, named, pieces, placed, plus, polygon, rings, rotate, xy, xyz, xyzw } from './geometry.js';

/** The shape of a collider in space; null for one that the log does not have. */
function shapeInSpace(kind, s) {
  const { halfHeight: half, radius, borderRadius: border = 0 } = s;
  switch (kind) {
    case 'Ball':
      return { sphere: { radius } };
    case 'Cuboid':
      return { box: { half_extents: xyz(s.halfExtents), ...(border ? { radius: border } : {}) } };
    case 'Capsule':
      return { capsule: { a: [0, -half, 0], b: [0, half, 0], radius } };
    case 'Cylinder':
      return border ? hull(rings(half, radius, radius), border) : { cylinder: { half_height: half, radius } };
    case 'Cone':
      return border ? hull(rings(half, radius, 0), border) : { cone: { half_height: half, radius } };
    case 'ConvexPolyhedron':
      return hull(pieces(s.vertices, 3), border);
    case 'Segment':
      return { segment: { a: xyz(s.a), b: xyz(s.b) } };
    case 'Triangle':
      return border ? null : { triangle: { a: xyz(s.a), b: xyz(s.b), c: xyz(s.c) } };
    case 'TriMesh':
      return mesh(pieces(s.vertices, 3), pieces(s.indices, 3));
    case 'HalfSpace':
      return { plane: { normal: xyz(s.normal), offset: 0 } };
    case 'HeightField': {
      const row = (z) => Array.from({ length: s.ncols + 1 }, (_, x) => s.heights[x * (s.nrows + 1) + z] * s.scale.y);
      const heights = Array.from({ length: s.nrows + 1 }, (_, z) => row(z));
      return { height_field: { heights, cell: [s.scale.x / s.ncols, s.scale.z / s.nrows], diagonal: 'anti' } };
    }
    default:
      return null;
  }
}

/** The same in the plane. */
function shapeInPlane(kind, s) {
  const { halfHeight: half, radius, borderRadius: border } = s;
  const points = () => pieces(s.vertices, 2);
  switch (kind) {
    case 'Ball':
      return { circle: { radius } };
    case 'Cuboid':
      return box(xy(s.halfExtents), border);
    case 'Capsule':
      return { capsule: { half_height: half, radius } };
    case 'ConvexPolygon':
      return polygon(points(), border);
    case 'Triangle':
      return polygon([s.a, s.b, s.c].map(xy), border);
    case 'Segment':
      return { segment: { a: xy(s.a), b: xy(s.b) } };
    case 'Polyline': {
      const all = points();
      const edges = s.indices?.length ? pieces(s.indices, 2) : all.slice(1).map((_, i) => [i, i + 1]);
      return chain(edges.map((ends) => ends.map((i) => all[i])));
    }
    case 'TriMesh': {
      const all = points();
      const triangles = pieces(s.indices, 3).flatMap((corners) => polygon(corners.map((i) => all[i])) ?? []);
      const isShort = triangles.length > 0 && triangles.length <= 256;
      return isShort ? { compound: triangles.map((shape) => ({ shape, position: [0, 0] })) } : null;
    }
    case 'HalfSpace':
      return { plane: { normal: xy(s.normal), offset: 0 } };
    case 'HeightField':
      return { chain: { points: Array.from(s.heights, (y, i) => [(i / (s.heights.length - 1) - 0.5) * s.scale.x, y * s.scale.y]) } };
    default:
      return null;
  }
}

/** rapier, 2D and 3D. */
export function rapier(RAPIER, world) {
  check(RAPIER?.ShapeType && world?.integrationParameters, 'rapier(RAPIER, world) takes the module of rapier, and then its World');
  const is2D = world.gravity.z === undefined;
  const { integrationParameters: settings } = world;
  const length = 1 / (world.lengthUnit ?? 1);
  const vector = is2D ? xy : xyz;
  const turn = (q) => (is2D ? q : xyzw(q));
  const shapeOf = (type, s) => (is2D ? shapeInPlane : shapeInSpace)(RAPIER.ShapeType[type].replace('Round', ''), s);

  // A collider without a body is a fixed body of its own.
  const bodyOf = (collider) => collider.parent() ?? collider;
  const isBody = (it) => it.numColliders !== undefined;
  const bodies = () => [...world.bodies.getAll(), ...world.colliders.getAll().filter((it) => !it.parent())].filter((it) => it.isEnabled());
  const colliders = (body) => Array.from({ length: body.numColliders() }, (_, i) => body.collider(i));
  const parts = (body) => (isBody(body) ? colliders(body).filter((it) => it.isEnabled()) : [body]);

  /** Points are local to the colliders as they were at the start of the step; their distance follows from them, as rapier may keep an old one. */
  function contacts(record) {
    const found = [];
    const seen = new Set();
    const add = (one, two) =>
      world.contactPair(one, two, (manifold, isFlipped) => {
        const [first, second] = (isFlipped ? [two, one] : [one, two]).map((it) => record(bodyOf(it), it));
        const [from, to] = [first, second].map((it) => placed(it.body.before, it.local));
        const normal = rotate(from.q, vector(manifold.localNormal1()));
        const outward = normal.map((x) => -x);
        for (let i = 0; i < manifold.numContacts(); i++) {
          const on1 = plus(from.p, rotate(from.q, vector(manifold.localContactPoint1(i))));
          const on2 = plus(to.p, rotate(to.q, vector(manifold.localContactPoint2(i))));
          const apart = plus(on1, on2, -1);
          const impulse = manifold.contactImpulse(i);
          found.push({ a: first.id, b: second.id, point: plus(on2, apart, 0.5), normal: outward, depth: dot(normal, apart), impulse });
        }
      });
    for (const body of world.bodies.getAll()) {
      for (const one of body.isFixed() ? [] : colliders(body)) {
        const other = (two) => {
          const key = one.handle < two.handle ? `${one.handle} ${two.handle}` : `${two.handle} ${one.handle}`;
          if (!seen.has(key) && isPair(record(body, one), record(bodyOf(two), two))) add(one, two);
          seen.add(key);
        };
        if (world.contactPairsWith) world.contactPairsWith(one, other);
        else world.contactsWith(one, other);
      }
    }
    return found;
  }

  /** Newer versions sweep every fast body against fixed ones, so that the flag matters only for the others. */
  function sweep(body) {
    const isOld = settings.predictionDistance !== undefined;
    return settings.maxCcdSubsteps > 0 && (body.isCcdEnabled() || (isOld ? false : undefined));
  }

  function describe(body, collider) {
    const type = collider.shapeType();
    const groups = collider.collisionGroups();
    const pose = (it) => ({ p: vector(it.translation()), q: turn(it.rotation()) });
    const own = () => ({ p: vector(collider.translationWrtParent()), q: turn(collider.rotationWrtParent()) });
    const place = isBody(body) && collider.translationWrtParent ? own() : local(pose(body), pose(collider));
    return {
      ...place,
      name: named(body.userData),
      shape: shapeOf(type, collider.shape),
      missing: `a collider of type ${RAPIER.ShapeType[type]}`,
      sensor: collider.isSensor() || undefined,
      layer: groups >>> 16,
      mask: groups & 0xffff,
      ...(isBody(body) && body.isDynamic() ? { mass: body.mass(), ccd: sweep(body) } : {}),
    };
  }

  function state(body) {
    const place = { p: vector(body.translation()), q: turn(body.rotation()) };
    if (!isBody(body) || body.isFixed()) return { motion: 'fixed', ...place };
    const w = is2D ? body.angvel() : xyz(body.angvel());
    const motion = body.isKinematic() ? 'kinematic' : 'dynamic';
    return { motion, ...place, v: vector(body.linvel()), w, centre: vector(body.worldCom()), asleep: body.isSleeping() };
  }

  const margin = settings.predictionDistance ?? settings.normalizedPredictionDistance / length;
  return {
    header: {
      flat: is2D || undefined,
      engine: `rapier.js ${RAPIER.version()}`,
      scalar: 'f32',
      length: length === 1 ? undefined : length,
      gravity: vector(world.gravity),
      dt: world.timestep,
      margin,
    },
    vector,
    dt: () => world.timestep,
    bodies,
    parts,
    // Of `setShape`; the shape of `setRadius` stays the same object.
    size: (_, collider) => collider.shape,
    describe,
    state,
    contacts,
    joined: () =>
      world.impulseJoints
        .getAll()
        .filter((joint) => !joint.contactsEnabled())
        .map((joint) => [joint.body1(), joint.body2()]),
  };
}

/**
 * Records the move of a character: call it after `computeColliderMovement`, before the character is moved. `wish` is what that was asked for. rapier tells
 * what it hit, in order; of a step and of what holds it to the floor it tells only how far they led.
 */
export function recordMove(recorder, controller, collider, wish) {
  const { vector } = recorder.engine;
  const up = vector(controller.up());
  const from = vector(collider.translation());
  const to = plus(from, vector(controller.computedMovement()));
  // Less is the controller's own noise.
  const least = 0.1 * controller.offset();
  const sweeps = [];
  let [at, normal, left] = [from, undefined, vector(wish)];
  const add = (kind, end, more) => {
    sweeps.push({ kind, from: at, to: end, ...more });
    at = end;
  };
  const sweep = (end, hit, rest) => {
    const way = plus(end, at, -1);
    // It came over what it hit last.
    const isStep = normal && dot(way, normal) < -least && dot(way, up) > least;
    if (isStep) add('step_up', plus(at, up, dot(way, up)));
    const asked = rest && !isStep ? plus(way, rest) : undefined;
    add(isStep ? 'step_forward' : normal ? 'slide' : 'move', end, { wish: asked, hit });
  };
  for (let i = 0; i < controller.numComputedCollisions(); i++) {
    const it = controller.computedCollision(i);
    const id = it.collider ? recorder.id(it.collider.parent() ?? it.collider, it.collider) : undefined;
    // The second names are those of older versions.
    const applied = vector(it.translationDeltaApplied ?? it.translationApplied);
    const rest = vector(it.translationDeltaRemaining ?? it.translationRemaining);
    sweep(plus(from, applied), id === undefined ? null : { id, normal: it.normal1, point: it.witness1 }, rest);
    normal = vector(it.normal1);
    left = plus(rest, normal, -Math.min(dot(rest, normal), 0));
  }
  // What is farther down than it slides is what it was held to the floor by.
  const below = dot(plus(to, at, -1), up) - Math.min(dot(left, up), 0);
  const isSnapped = controller.snapToGroundEnabled() && below < -least;
  const end = isSnapped ? plus(to, up, -below) : to;
  if (String(end) !== String(at)) sweep(end, null);
  if (isSnapped) add('snap', to);
  // Of single precision.
  const short = (value) => Number((value ?? 0).toPrecision(7));
  const limits = {
    grounded: controller.computedGrounded(),
    max_slope: short((controller.maxSlopeClimbAngle() * 180) / Math.PI),
    // It climbs by its offset more than that.
    max_step: short(controller.autostepMaxHeight() + controller.offset()),
    snap: short(controller.snapToGroundDistance()),
    skin: short(controller.offset()),
  };
  recorder.move(collider.parent() ?? collider, { part: collider, from, wish, to, up, ...limits, sweeps });
}
