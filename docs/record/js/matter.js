import { flat, isPair, named, planar, rotate, turned, xyz } from './geometry.js';

/** matter: y leads down, and the unit is a pixel. */
export function matter(engine, { length = 0.01 } = {}) {
  const shapes = flat(length);
  const { gravity } = engine;
  const scale = 1e6 * (gravity.scale ?? 0.001);
  const partsOf = (body) => (body.parts.length > 1 ? body.parts.slice(1) : body.parts);
  const owner = (part) => (part.parent === part ? part : part.parent);
  const all = (composite) => [...composite.bodies, ...composite.composites.flatMap(all)];
  return {
    header: { engine: 'matter', length, gravity: [scale * gravity.x, -scale * gravity.y, 0], margin: 0.05 },
    vector: (v) => [xyz(v)[0], -xyz(v)[1], 0],
    bodies: () => all(engine.world),
    parts: partsOf,
    state(body) {
      // Of the last step, whatever it lasted: its velocity is a distance per step.
      const step = (body.deltaTime ?? 1000 / 60) / 1000;
      const v = ['x', 'y'].map((axis) => (body.position[axis] - body.positionPrev[axis]) / step);
      const spin = (body.angle - body.anglePrev) / step;
      const { x, y } = body.position;
      return planar(body.isStatic ? 'fixed' : 'dynamic', [x, -y], -body.angle, [v[0], -v[1]], -spin, { asleep: body.isSleeping });
    },
    size: (_, part) => part.area,
    describe(body, part) {
      const local = ({ x, y }) => rotate(turned(body.angle), [x - body.position.x, -(y - body.position.y), 0]);
      const { category, mask, group } = part.collisionFilter;
      // Bodies of a negative group never collide.
      const together = group < 0 ? { body: `group ${group}` } : {};
      const circle = { p: local(part.position), shape: { sphere: { radius: part.circleRadius } } };
      return {
        ...(part.circleRadius ? circle : { shape: shapes.polygon(part.vertices.map(local)) }),
        ...together,
        name: named(body.label),
        mass: body.isStatic ? undefined : body.mass,
        ccd: false,
        sensor: part.isSensor || undefined,
        layer: category,
        mask,
      };
    },
    contacts: (record) =>
      engine.pairs.list.flatMap(({ isActive, isSensor, collision: it }) => {
        const [one, two] = [it.bodyA, it.bodyB].map((part) => record(owner(part), part));
        if (!isActive || isSensor || !it.collided || !isPair(one, two)) return [];
        const points = it.supports.slice(0, it.supportCount ?? it.supports.length);
        return points.map(({ x, y }) => ({
          a: one.id,
          b: two.id,
          point: [x, -y, 0],
          normal: [it.normal.x, -it.normal.y, 0],
          depth: it.depth,
        }));
      }),
  };
}
