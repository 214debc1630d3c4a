// A box that slides over flat tiles of matter stops at a seam between two of them.
// https://github.com/liabru/matter-js/issues/970
//
// Between two tiles matter takes the side of the next one for the way out. `--fixed`: one tile as long as all.

import { WorldRecorder } from '../../../docs/record/js/hitstop.js';
import { matter } from '../../../docs/record/js/matter.js';
import { count, load, main } from './common.mjs';

const TILE = 32;
const TILES = 8;
const SIZE = 24;
const SPEED = 5;
const FRAMES = 40;

const Matter = await load('matter-js');

function level(fixed, phase) {
  const engine = Matter.Engine.create();
  const tile = (x, tiles) =>
    Matter.Bodies.rectangle(x * TILE, 0.5 * TILE, tiles * TILE, TILE, { label: 'tile', isStatic: true, friction: 0 });
  const ground = fixed ? [tile(TILES / 2, TILES)] : Array.from({ length: TILES }, (_, i) => tile(i + 0.5, 1));
  const crate = Matter.Bodies.rectangle(TILE + SPEED * phase, -0.5 * SIZE, SIZE, SIZE, { label: 'crate', friction: 0, frictionAir: 0, inertia: Infinity });
  Matter.Composite.add(engine.world, [...ground, crate]);
  Matter.Body.setVelocity(crate, { x: SPEED, y: 0 });
  return { engine, crate };
}

const step = (engine) => Matter.Engine.update(engine, 1000 / 60);
const stops = ({ engine, crate }) => Array.from({ length: FRAMES }, () => (step(engine), crate.velocity.x)).some((x) => x < SPEED / 2);

await main({
  phases: (fixed) => count((phase) => stops(level(fixed, phase))),
  async record(fixed) {
    const { engine } = level(fixed, 0.25);
    const lines = [];
    const recorder = new WorldRecorder({ write: (text) => lines.push(text) }, matter(engine), { name: 'Crate on tiles', fixedCanMove: false });
    for (let frame = 0; frame < FRAMES; frame++) {
      step(engine);
      recorder.frame();
    }
    await recorder.close();
    return lines.join('').trim().split('\n').map((line) => JSON.parse(line));
  },
});
