import { check, isPair, named, polygon, rotate, xy } from './geometry.js';

/** matter: y leads down, and the unit is a pixel. `Matter`: the module, for its version; without it that of a script tag. */
export function matter(engine, Matter = globalThis.Matter) {
  check(engine?.pairs && engine.world, 'matter(engine) takes what `Engine.create()` returns, not its world; in Phaser that is scene.matter.world.engine');
  const { gravity } = engine;
  // Built from its sources, the module has no number there.
  const version = /^\d/.test(Matter?.version) ? Matter.version : undefined;
  const scale = 1e6 * (gravity.scale ?? 0.001);
  const partsOf = (body) => (body.parts.length > 1 ? body.parts.slice(1) : body.parts);
  const owner = (part) => (part.parent === part ? part : part.parent);
  const all = (composite) => [...composite.bodies, ...composite.composites.flatMap(all)];
  return {
    header: { flat: true, up: '-y', unit: 'px', engine: 'matter', engine_version: version, gravity: [scale * gravity.x, scale * gravity.y], margin: 0.05 },
    vector: xy,
    clock: () => ({ time: engine.timing.timestamp / 1000, step: engine.timing.lastDelta / 1000 }),
    bodies: () => all(engine.world),
    parts: partsOf,
    state(body) {
      // Of the last step, whatever it lasted: its velocity is a distance per step.
      const step = (body.deltaTime ?? 1000 / 60) / 1000;
      const v = ['x', 'y'].map((axis) => (body.position[axis] - body.positionPrev[axis]) / step);
      const w = (body.angle - body.anglePrev) / step;
      return { motion: body.isStatic ? 'fixed' : 'dynamic', p: xy(body.position), q: body.angle, v, w, asleep: body.isSleeping };
    },
    size: (_, part) => part.area,
    describe(body, part) {
      const local = ({ x, y }) => rotate(-body.angle, [x - body.position.x, y - body.position.y]);
      const { category, mask, group } = part.collisionFilter;
      // Bodies of a negative group never collide.
      const together = group < 0 ? { body: `group ${group}` } : {};
      const circle = { p: local(part.position), shape: { circle: { radius: part.circleRadius } } };
      return {
        ...(part.circleRadius ? circle : { shape: polygon(part.vertices.map(local)) }),
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
        return points.map((point) => ({ a: one.id, b: two.id, point: xy(point), normal: xy(it.normal), depth: it.depth }));
      }),
  };
}
