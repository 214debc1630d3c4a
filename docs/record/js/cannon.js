import { check, dot, hull, isPair, mesh, pieces, plus, xyz, xyzw } from './geometry.js';

/** cannon-es. */
export function cannon(world) {
  check(world?.contacts && world.bodies, 'cannon(world) takes the World of cannon-es');
  const MOTION = { 1: 'dynamic', 2: 'fixed', 4: 'kinematic' };
  const SLEEPING = 2;
  const [SPHERE, PLANE, BOX, CONVEX, HEIGHTFIELD, CYLINDER, TRIMESH] = [1, 2, 4, 16, 32, 128, 256];
  const shapeOf = (s) => {
    switch (s.type) {
      case SPHERE:
        return { sphere: { radius: s.radius } };
      case BOX:
        return { box: { half_extents: xyz(s.halfExtents) } };
      case PLANE:
        return { plane: { normal: [0, 0, 1], offset: 0 } };
      case CYLINDER:
      case CONVEX:
        return hull(s.vertices.map(xyz));
      case TRIMESH:
        return mesh(
          pieces(s.vertices, 3).map((v) => v.map((x, axis) => x * xyz(s.scale)[axis])),
          pieces(s.indices, 3),
        );
      case HEIGHTFIELD:
        return heights(s);
      default:
        return null;
    }
  };
  /** In the plane of x and y, each cell split from the corner of most x to that of most y. */
  function heights({ data, elementSize }) {
    const [columns, rows] = [data.length, data[0].length];
    const vertices = data.flatMap((column, x) => column.map((z, y) => [x * elementSize, y * elementSize, z]));
    const cells = Array.from({ length: (columns - 1) * (rows - 1) }, (_, i) => Math.floor(i / (rows - 1)) * rows + (i % (rows - 1)));
    return mesh(
      vertices,
      cells.flatMap((at) => [
        [at, at + rows, at + 1],
        [at + rows, at + rows + 1, at + 1],
      ]),
    );
  }
  /** Bodies and shapes have bits, and both must match: the log has those of the body, or of the shape where the body has none of its own. */
  function filter(body, s) {
    const isAll = body.collisionFilterGroup === 1 && body.collisionFilterMask === -1;
    const { collisionFilterGroup: layer, collisionFilterMask: mask } = isAll ? s : body;
    return { layer, mask };
  }
  return {
    header: { engine: 'cannon', gravity: xyz(world.gravity), margin: 0 },
    vector: xyz,
    dt: () => (world.dt > 0 ? world.dt : undefined),
    bodies: () => world.bodies,
    parts: (body) => body.shapes.map((_, i) => i),
    state: (body) => ({
      motion: MOTION[body.type],
      p: xyz(body.position),
      q: xyzw(body.quaternion),
      v: xyz(body.velocity),
      w: xyz(body.angularVelocity),
      asleep: body.sleepState === SLEEPING,
    }),
    size: (body, i) => body.shapes[i].boundingSphereRadius,
    describe: (body, i) => ({
      ...filter(body, body.shapes[i]),
      p: xyz(body.shapeOffsets[i]),
      q: xyzw(body.shapeOrientations[i]),
      shape: shapeOf(body.shapes[i]),
      missing: `a shape of type ${body.shapes[i].type}`,
      mass: body.type === 1 ? body.mass : undefined,
      ccd: false,
      sensor: body.isTrigger || !body.collisionResponse || !body.shapes[i].collisionResponse || undefined,
    }),
    /**
     * The arms of a contact are those of the start of the step. Its shapes may be named the other way round, or by hulls of cannon's own: that of a box, or
     * of a piece of a height field. One that a body has twice is taken for its first.
     */
    contacts: (record) =>
      world.contacts.flatMap((it) => {
        const part = (body, own, other) => {
          const index = (named) => body.shapes.findIndex((s) => s === named || s.convexPolyhedronRepresentation === named);
          const field = body.shapes.findIndex(({ type }) => type === HEIGHTFIELD);
          return record(body, [index(own), index(other), field].find((i) => i >= 0));
        };
        const [one, two] = [part(it.bi, it.si, it.sj), part(it.bj, it.sj, it.si)];
        if (!it.enabled || !isPair(one, two)) return [];
        const normal = xyz(it.ni);
        const a = plus(xyz(it.bi.previousPosition), xyz(it.ri));
        const b = plus(xyz(it.bj.previousPosition), xyz(it.rj));
        const impulse = it.multiplier * world.dt;
        return [{ a: one.id, b: two.id, point: b, normal: normal.map((x) => -x), depth: dot(normal, plus(a, b, -1)), impulse }];
      }),
    joined: () => world.constraints.filter((it) => !it.collideConnected).map((it) => [it.bodyA, it.bodyB]),
  };
}
