import { dot, flat, hull, isPair, local, mesh, named, placed, plus, rotate, triples, turned, xyz, xyzw } from './geometry.js';

/** rapier, 2D and 3D. */
export function rapier(RAPIER, world) {
  const is2D = world.gravity.z === undefined;
  const { integrationParameters: settings } = world;
  const length = 1 / (world.lengthUnit ?? 1);
  const shapes = flat(length);
  const turn = (q) => (is2D ? turned(q) : xyzw(q));
  const points = (values) => (is2D ? Array.from({ length: values.length / 2 }, (_, i) => [values[2 * i], values[2 * i + 1]]) : triples(values));
  const solid = (vertices, radius) => (is2D ? shapes.polygon(points(vertices), radius) : hull(points(vertices), radius));
  const ring = (half, radius, top) =>
    Array.from({ length: 32 }, (_, i) => [Math.cos((i * Math.PI) / 16), Math.sin((i * Math.PI) / 16)]).flatMap(([x, z]) => [[radius * x, -half, radius * z], [top * x, half, top * z]]);

  function heights({ nrows, ncols, heights: all, scale }) {
    if (is2D) return shapes.strip(Array.from(all, (y, i) => [(i / (all.length - 1) - 0.5) * scale.x, y * scale.y]));
    const rows = Array.from({ length: nrows + 1 }, (_, row) => Array.from({ length: ncols + 1 }, (_, column) => all[column * (nrows + 1) + row] * scale.y));
    return { height_field: { heights: rows, cell: [scale.x / ncols, scale.z / nrows], diagonal: 'anti' } };
  }

  function polyline({ vertices, indices }) {
    const all = points(vertices);
    if (!is2D) return null;
    const edges = indices?.length ? Array.from({ length: indices.length / 2 }, (_, i) => [indices[2 * i], indices[2 * i + 1]]) : all.slice(1).map((_, i) => [i, i + 1]);
    const parts = edges.map((edge) => shapes.strip(edge.map((i) => all[i])).mesh.vertices);
    return mesh(parts.flat(), parts.flatMap((_, i) => [[4 * i, 4 * i + 2, 4 * i + 3], [4 * i, 4 * i + 3, 4 * i + 1]]));
  }

  function shapeOf(type, s) {
    const border = s.borderRadius;
    const capsule = () => ({ capsule: { a: [0, -s.halfHeight, 0], b: [0, s.halfHeight, 0], radius: s.radius } });
    const box = () => (is2D ? shapes.box(s.halfExtents.x, s.halfExtents.y, border) : { box: { half_extents: xyz(s.halfExtents), ...(border ? { radius: border } : {}) } });
    const triangle = () => (is2D ? shapes.polygon([s.a, s.b, s.c].map(xyz), border) : border ? null : { triangle: { a: xyz(s.a), b: xyz(s.b), c: xyz(s.c) } });
    const faces = () => triples(s.indices);
    switch (RAPIER.ShapeType[type].replace('Round', '')) {
      case 'Ball': return { sphere: { radius: s.radius } };
      case 'Cuboid': return box();
      case 'Capsule': return capsule();
      case 'Cylinder': return border ? hull(ring(s.halfHeight, s.radius, s.radius), border) : { cylinder: { half_height: s.halfHeight, radius: s.radius } };
      case 'Cone': return border ? hull(ring(s.halfHeight, s.radius, 0), border) : { cone: { half_height: s.halfHeight, radius: s.radius } };
      case 'ConvexPolyhedron': case 'ConvexPolygon': return solid(s.vertices, border);
      case 'Segment': return is2D ? shapes.strip([s.a, s.b].map(xyz)) : { segment: { a: xyz(s.a), b: xyz(s.b) } };
      case 'Triangle': return triangle();
      case 'Polyline': return polyline(s);
      case 'TriMesh': return is2D ? compound(faces().map((corners) => shapes.polygon(corners.map((i) => points(s.vertices)[i])))) : mesh(points(s.vertices), faces());
      case 'HeightField': return heights(s);
      case 'HalfSpace': return { plane: { normal: xyz(s.normal), offset: 0 } };
      default: return null;
    }
  }
  const compound = (parts) => ({ compound: parts.map((shape) => ({ shape })) });

  // A collider without a body is a fixed body of its own.
  const bodyOf = (collider) => collider.parent() ?? collider;
  const isBody = (it) => it.numColliders !== undefined;
  const bodies = () => [...world.bodies.getAll(), ...world.colliders.getAll().filter((it) => !it.parent())].filter((it) => it.isEnabled());
  const parts = (body) => (isBody(body) ? Array.from({ length: body.numColliders() }, (_, i) => body.collider(i)).filter((it) => it.isEnabled()) : [body]);

  /** Points are local to the colliders as they were at the start of the step; their distance follows from them, as rapier may keep an old one. */
  function contacts(record) {
    const found = [];
    const seen = new Set();
    const add = (one, two) => world.contactPair(one, two, (manifold, isFlipped) => {
      const [first, second] = (isFlipped ? [two, one] : [one, two]).map((it) => record(bodyOf(it), it));
      const [from, to] = [first, second].map((it) => placed(it.body.before, it.local));
      const normal = rotate(from.q, xyz(manifold.localNormal1()));
      for (let i = 0; i < manifold.numContacts(); i++) {
        const on1 = plus(from.p, rotate(from.q, xyz(manifold.localContactPoint1(i))));
        const on2 = plus(to.p, rotate(to.q, xyz(manifold.localContactPoint2(i))));
        const point = plus(on1, on2).map((x) => x / 2);
        found.push({ a: first.id, b: second.id, point, normal: normal.map((x) => -x), depth: dot(normal, plus(on1, on2, -1)) });
      }
    });
    for (const body of bodies().filter((it) => isBody(it) && !it.isFixed())) {
      for (const one of parts(body)) {
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

  function describe(body, collider) {
    const type = collider.shapeType();
    const groups = collider.collisionGroups();
    const pose = (it) => ({ p: xyz(it.translation()), q: turn(it.rotation()) });
    return {
      ...local(pose(body), pose(collider)), name: named(body.userData) ?? named(body.userData?.name), shape: shapeOf(type, collider.shape), missing: `a collider of type ${RAPIER.ShapeType[type]}`,
      sensor: collider.isSensor() || undefined, layer: groups >>> 16, mask: groups & 0xffff,
      ...(isBody(body) && body.isDynamic() ? { mass: body.mass(), ccd: body.isCcdEnabled() } : {}),
    };
  }

  function state(body) {
    const place = { p: xyz(body.translation()), q: turn(body.rotation()) };
    if (!isBody(body) || body.isFixed()) return { motion: 'fixed', ...place };
    const w = is2D ? [0, 0, body.angvel()] : xyz(body.angvel());
    const motion = body.isKinematic() ? 'kinematic' : 'dynamic';
    return { motion, ...place, v: xyz(body.linvel()), w, centre: xyz(body.worldCom()), asleep: body.isSleeping() };
  }

  const margin = settings.predictionDistance ?? settings.normalizedPredictionDistance / length;
  return {
    header: { engine: `rapier ${RAPIER.version()}`, scalar: 'f32', length, gravity: xyz(world.gravity), dt: world.timestep, margin },
    vector: xyz, dt: () => world.timestep, bodies, parts, describe, state, contacts,
    joined: () => world.impulseJoints.getAll().filter((joint) => !joint.contactsEnabled()).map((joint) => [joint.body1(), joint.body2()]),
  };
}
