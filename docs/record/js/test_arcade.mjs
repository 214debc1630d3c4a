// Tests of the adapter of Phaser's arcade physics, with stubs of its types.

import assert from 'node:assert/strict';
import test from 'node:test';
import { arcade } from './arcade.js';
import { pairs } from './arcade_pairs.js';
import { near, recorded, warned } from './test_tools.mjs';

const list = (items) => ({ getArray: () => items, contains: (it) => items.includes(it) });

/** A body of arcade physics of 10 by 20 pixels, by its upper left corner. */
const arcadeBody = (name, x, y, more) => {
  const it = {
    gameObject: { name },
    checkCollision: { up: true, down: true, left: true, right: true },
    physicsType: 0,
    position: { x, y },
    width: 10,
    height: 20,
    halfWidth: 5,
    halfHeight: 10,
    velocity: { x: 60, y: 0 },
    enable: true,
    moves: true,
    immovable: false,
    mass: 1,
  };
  Object.assign(it, { prev: { x, y }, _dx: 0, _dy: 0, blocked: {}, collisionCategory: 1, collisionMask: 1, ...more });
  it.gameObject.body = it;
  it.reset = (left, top) => Object.assign(it, { prev: { x: left, y: top }, position: { x: left, y: top } });
  return it;
};

const arcadeWorld = (moving, fixed, colliders) => ({
  gravity: { x: 0, y: 300 },
  fps: 50,
  heard: [],
  on(_event, heard) {
    this.heard.push(heard);
  },
  off(_event, heard) {
    this.heard = this.heard.filter((it) => it !== heard);
  },
  stepped(dt) {
    this.heard.forEach((heard) => heard(dt));
  },
  step(dt) {
    this.stepped(dt);
  },
  /** Of two objects that overlap, or one and the first tile of a map. */
  collideObjects(a, other, collide, process, context) {
    const b = other.layer?.data[0][0] ?? other;
    if (process?.call(context, a, b) !== false) collide?.call(context, a, b);
  },
  bodies: list(moving),
  staticBodies: list(fixed),
  colliders: { update: () => colliders },
});

/** A collider of all bodies. */
const collider = (...bodies) => ({ object1: list(bodies.map((it) => it.gameObject)) });
/** The lines with bodies in which the first ones are teleported. */
const teleports = (lines, i) => lines.flatMap(({ frame, bodies }) => (bodies?.[i]?.teleported ? [frame] : []));

const meets = (a, b) => Boolean(a.layer & b.mask && b.layer & a.mask);

test('arcade: colliders are layers, and pushes are what was not the own velocity', async () => {
  const [hero, wall, coin] = [
    arcadeBody('hero', 0, 0),
    arcadeBody('wall', 20, 0, { physicsType: 1 }),
    arcadeBody('coin', 40, 0, { immovable: true }),
  ];
  const tile = (x, canCollide) => ({ canCollide, getLeft: () => 16 * x, getRight: () => 16 * x + 16, getTop: () => 50, getBottom: () => 66 });
  const map = { tilemap: {}, name: 'ground', layer: { data: [[tile(0, true), tile(1, true), tile(2, false), tile(3, true)]] } };
  const colliders = [
    { object1: hero.gameObject, object2: [wall.gameObject, map] },
    { object1: hero.gameObject, object2: list([coin.gameObject]), overlapOnly: true },
  ];
  const world = arcadeWorld([hero, coin], [wall], colliders);
  const step = () => {
    // It moves 12 pixels, and is pushed back by 3 and up by 1.
    hero.position = { x: 9, y: -1 };
    Object.assign(hero, { _dx: 12, _dy: 0 });
    world.stepped(0.01);
  };
  const [header, , line] = await recorded('arcade', arcade(world), [step]);
  const [player, money, stop, left, right] = header.objects;
  near(header, { flat: true, up: '-y', unit: 'px', gravity: [0, 300], dt: 0.02, engine: 'Phaser' });
  near(player, { name: 'hero', shape: { box: { half_extents: [5, 10] } }, position: [5, 10], motion: 'dynamic' });
  near([money, stop], [{ sensor: true, motion: 'kinematic' }, { motion: 'fixed' }]);
  near(
    [left, right],
    [
      { position: [16, 58], shape: { box: { half_extents: [16, 8] } } },
      { position: [56, 58], shape: { box: { half_extents: [8, 8] } } },
    ],
  );
  assert.deepEqual(
    [money, stop, left].map((it) => meets(player, it)),
    [true, true, true],
  );
  assert.deepEqual([meets(money, stop), meets(stop, left), meets(player, player)], [false, false, false]);
  near(line.pushes, [{ id: 0, push: [-3, -1] }]);
  near(line, { t: 0.01, bodies: [{ p: [14, 9], v: [60, 0] }, {}, {}, {}, {}] });
});

test('arcade: a box has its size, of which Phaser rounds the half down, and a circle that half', async () => {
  const [box, ball] = [arcadeBody('box', 3, 4), arcadeBody('ball', 3, 4, { isCircle: true })];
  for (const it of [box, ball]) Object.assign(it, { width: 15, height: 15, halfWidth: 7, halfHeight: 7 });
  const [header] = await recorded('odd', arcade(arcadeWorld([box, ball], [], [collider(box, ball)])), []);
  near(header.objects, [
    { shape: { box: { half_extents: [7.5, 7.5] } }, position: [10.5, 11.5] },
    { shape: { circle: { radius: 7 } }, position: [10, 11] },
  ]);
});

test('arcade: one side of an overlap is a sensor', async () => {
  const [shot, foe, hero, gem, ground] = ['shot', 'foe', 'hero', 'gem', 'ground'].map((name) => arcadeBody(name, 0, 0));
  const coin = arcadeBody('coin', 0, 0, { physicsType: 1 });
  const overlap = (a, b) => ({ object1: a.gameObject, object2: b.gameObject, overlapOnly: true });
  const colliders = [
    { object1: list([hero.gameObject, gem.gameObject]), object2: ground.gameObject },
    overlap(shot, foe),
    overlap(foe, hero),
    overlap(coin, hero),
    overlap(hero, gem),
    ...Array.from({ length: 11 }, () => overlap(shot, foe)),
  ];
  const world = arcadeWorld([shot, foe, hero, gem, ground], [coin], colliders);
  const [{ objects }] = await recorded('overlaps', arcade(world), []);
  const of = (body) => objects.filter((it) => it.name.startsWith(body.gameObject.name));
  /** Pairs of objects that meet, and whether one of them is the only sensor. */
  const kinds = (a, b) => of(a).flatMap((one) => of(b).flatMap((two) => (meets(one, two) ? [Boolean(one.sensor) !== Boolean(two.sensor)] : [])));
  for (const [a, b] of [[shot, foe], [foe, hero], [coin, hero], [hero, gem]]) assert.deepEqual(kinds(a, b), [true], JSON.stringify(objects));
  for (const it of [hero, gem]) assert.deepEqual(kinds(it, ground), [false]);
  assert.deepEqual([of(coin)[0].sensor, of(hero).length, of(gem).length], [true, 1, 2]);
  assert.ok(objects.every(({ layer, mask }) => layer >= 0 && mask >= 0));
});

test('arcade: a body that was placed, unless the game places it in update after update', async () => {
  const shot = arcadeBody('shot', 0, 0);
  const hand = arcadeBody('hand', 0, 0, { directControl: true, autoFrame: { x: 0, y: 0 } });
  const world = arcadeWorld([shot, hand], [], [collider(shot, hand)]);
  const step = (from, to) => () => {
    Object.assign(shot, { prev: { x: from, y: 0 }, position: { x: to, y: 0 }, _dx: to - from });
    // Each step it is found 9 pixels to the right.
    const [autoFrame, place] = [hand.position, { x: hand.position.x + 9, y: 0 }];
    Object.assign(hand, { autoFrame, prev: place, position: place, _dx: 9 });
    world.stepped(0.01);
  };
  const lines = await recorded('placed', arcade(world), [step(0, 5), step(-90, -85), step(-80, -75), step(-75, -70), step(50, 55), step(60, 65), step(70, 75), step(80, 85)]);
  assert.deepEqual([teleports(lines, 0), teleports(lines, 1)], [[2, 3, 5, 6], []]);
  assert.deepEqual(lines.flatMap(({ pushes = [] }) => pushes), []);
});

test('arcade: updates of the game count, not steps: more steps do not hide what is driven by its position', async () => {
  const hero = arcadeBody('hero', 0, 0);
  const world = arcadeWorld([hero], [], [collider(hero)]);
  const next = (x) => Object.assign(hero, { prev: { x, y: 0 }, position: { x, y: 0 } });
  // Of seven steps, the first is after a jump of 120 pixels.
  const first = () => {
    next(hero.position.x + 120);
    world.stepped(0.002);
  };
  const later = () => {
    world.stepsLastFrame = 1;
    next(hero.position.x);
    world.step(0.002);
    world.stepsLastFrame = 0;
  };
  const update = [first, ...Array(6).fill(later)];
  const rest = Array(7).fill(later);
  const lines = await recorded('updates', arcade(world), [...rest, ...update, ...update, ...update, later, ...rest, () => world.stepped(0.002), ...update]);
  assert.deepEqual(teleports(lines, 0), [8, 15, 38]);
});

test('arcade: `reset` is a teleport, also beside a placement of another kind, unless the game calls it in update after update', async () => {
  const shot = arcadeBody('shot', 0, 0);
  const world = arcadeWorld([shot], [], [collider(shot)]);
  const reset = () => {
    shot.reset(shot.position.x + 50, 0);
    world.stepped(0.01);
  };
  const rest = () => {
    shot.prev = shot.position;
    world.stepped(0.01);
  };
  const move = () => {
    shot.position = shot.prev = { x: shot.position.x + 50, y: 0 };
    world.stepped(0.01);
  };
  const lines = await recorded('reset', arcade(world), [reset, move, reset, rest, reset, reset, reset, reset, rest, reset]);
  assert.deepEqual(teleports(lines, 0), [1, 2, 3, 5, 6, 10]);
});

test('arcade: what a callback places is teleported, not pushed', async () => {
  for (const move of [(body) => body.reset(400, 0), (body) => (body.position = { x: 400, y: 0 }), (body, recorder) => (body.reset(400, 0), recorder.teleport(body))]) {
    const [hero, door, wall] = [arcadeBody('hero', 0, 0), arcadeBody('door', 20, 0, { physicsType: 1 }), arcadeBody('wall', 410, 0, { physicsType: 1 })];
    const world = arcadeWorld([hero], [door, wall], [collider(hero, door, wall)]);
    const step = (recorder) => {
      Object.assign(hero, { prev: { x: 0, y: 0 }, position: { x: 12, y: 0 }, _dx: 12 });
      world.collideObjects(hero.gameObject, door.gameObject, () => move(hero, recorder));
      // The engine pushes it back.
      hero.position = { x: hero.position.x - 2, y: 0 };
      world.stepped(0.01);
    };
    const [, , line] = await recorded('callback', arcade(world), [step]);
    near(line, { bodies: [{ p: [403, 10], teleported: true }, {}, {}], pushes: [] });
  }
});

test('arcade: a pair for which the game calls `overlap` or `collide` is one that is tested', async () => {
  const [hero, ground, coin, gem, rock] = ['hero', 'ground', 'coin', 'gem', 'rock'].map((name) => arcadeBody(name, 0, 0));
  const world = arcadeWorld([hero, ground, coin, gem, rock], [], [{ object1: hero.gameObject, object2: ground.gameObject }]);
  const step = () => {
    for (const it of [coin, gem]) world.collideObjects(hero.gameObject, [it.gameObject], null, null, null, true);
    world.collideObjects(rock.gameObject, hero.gameObject, null, null, null, false);
    world.stepped(0.01);
  };
  const lines = await recorded('calls', arcade(world), [step, step]);
  const objects = lines.flatMap(({ objects, spawn }) => objects ?? spawn ?? []);
  near(objects, [{ name: 'hero' }, { name: 'ground' }, { name: 'coin', sensor: true }, { name: 'gem', sensor: true }, { name: 'rock', sensor: undefined }]);
  const [player, ...others] = objects;
  assert.deepEqual(others.map((it) => meets(it, player)), [true, true, true, true]);
  assert.deepEqual(others.slice(1).map((it) => meets(it, others[0])), [false, false, false]);
});

test('arcade: a pair collides where a collider names both, whichever colliders come and go', () => {
  let seed = 1;
  const random = (n) => (seed = (seed * 48271) % 2147483647) % n;
  for (let round = 0; round < 60; round += 1) {
    const bodies = Array.from({ length: 8 }, (_, i) => arcadeBody(`body ${i}`, 0, 0));
    const groups = Array.from({ length: 3 }, () => list(bodies.filter(() => random(3) === 0).map((it) => it.gameObject)));
    const side = () => (random(3) ? bodies[random(8)].gameObject : groups[random(3)]);
    const layers = pairs();
    const made = [];
    const inside = (it, body) => it === body.gameObject || it.contains?.(body.gameObject);
    for (let batch = 0; batch < 4; batch += 1) {
      made.push(...Array.from({ length: 1 + random(4) }, () => ({ object1: side(), object2: side(), overlapOnly: random(2) === 0 })));
      layers.take(made, []);
      for (const a of bodies) {
        for (const b of bodies.filter((it) => it !== a)) {
          const kinds = ['solid', 'sensor'];
          const isPair = kinds.some((one) => kinds.some((two) => meets(layers.bits(a)[one], layers.bits(b)[two])));
          const isNamed = made.some(({ object1, object2 }) => (inside(object1, a) && inside(object2, b)) || (inside(object1, b) && inside(object2, a)));
          assert.equal(isPair, isNamed, `round ${round}, batch ${batch}, ${a.gameObject.name} and ${b.gameObject.name}`);
        }
      }
    }
  }
});

test('arcade: a collider for each bullet takes no bits, and leaves the others what they are', () => {
  const [wall, ...shots] = Array.from({ length: 100 }, (_, i) => arcadeBody(`body ${i}`, 0, 0));
  const layers = pairs();
  let first;
  for (const shot of shots) {
    layers.take([{ object1: shot.gameObject, object2: wall.gameObject }], []);
    near(layers.bits(shot), { isCut: false, solid: (first ??= layers.bits(shot).solid) });
    near(layers.bits(wall).solid, { layer: 2, mask: 0xfffffffd });
    // The bullet is destroyed.
    shot.gameObject.scene = undefined;
  }
});

test('arcade: a group that is destroyed is not asked what it contains', () => {
  const [shot, wall, late] = ['shot', 'wall', 'late'].map((name) => arcadeBody(name, 0, 0));
  const group = { ...list([shot.gameObject]), scene: {} };
  const layers = pairs();
  layers.take([{ object1: group, object2: wall.gameObject }], []);
  assert.ok(meets(layers.bits(shot).solid, layers.bits(wall).solid));
  Object.assign(group, { scene: undefined, contains: () => assert.fail() });
  assert.equal(layers.bits(late).solid.layer, 0);
});

test('arcade: a body of which pairs are missing, as there are more kinds of colliders than bits', () => {
  const bodies = Array.from({ length: 40 }, (_, i) => arcadeBody(`body ${i}`, 0, 0));
  const couples = bodies.slice(0, 20).map((it, i) => ({ object1: it.gameObject, object2: bodies[39 - i].gameObject }));
  const layers = pairs();
  layers.take(couples, []);
  assert.deepEqual(bodies.map((it, i) => [i, layers.bits(it).isCut]).filter(([, isCut]) => isCut).map(([i]) => i), [16, 17, 18, 19, 20, 21, 22, 23]);
});

test('arcade: the sides of an overlap are known once there is something in them', () => {
  const [shot, wall] = [arcadeBody('shot', 0, 0), arcadeBody('wall', 0, 0, { physicsType: 1 })];
  const shots = [];
  const overlap = { object1: shots, object2: wall.gameObject, overlapOnly: true };
  const layers = pairs();
  layers.take([overlap], []);
  shots.push(shot.gameObject);
  layers.take([overlap], []);
  assert.ok(meets(layers.bits(shot).solid, layers.bits(wall).sensor));
});

test('arcade: a pair that a callback refuses is not tested in that step, unless a body falls onto it', async () => {
  const [hero, ghost, faller, lift] = ['hero', 'ghost', 'faller', 'lift'].map((name) => arcadeBody(name, 0, 0, { allowGravity: true, gravity: { x: 0, y: 0 } }));
  const ledge = arcadeBody('ledge', 0, 40, { physicsType: 1 });
  const tile = { canCollide: true, collideUp: true, getLeft: () => 0, getRight: () => 16, getTop: () => 90, getBottom: () => 106 };
  const map = { tilemap: {}, layer: { data: [[tile]] } };
  const all = [hero, ghost, faller, lift];
  const world = arcadeWorld(all, [ledge], [{ ...collider(...all), object2: [ledge.gameObject, map] }]);
  const put = (body, from, to) => Object.assign(body, { prev: { x: 0, y: from }, position: { x: 0, y: to } });
  const ask = (body, answer, it = ledge.gameObject) => world.collideObjects(body.gameObject, it, null, () => answer);
  const steps = [
    () => {
      // One jumps from below, one falls from above and is refused at once.
      [put(hero, 65, 55), ask(hero, false), put(faller, 15, 25), ask(faller, false)];
      // One of two colliders holds, and a tile is refused by each value that counts as false.
      [put(lift, 15, 25), ask(lift, true), ask(lift, false), put(ghost, 85, 80), ask(ghost, undefined, map), ask(ghost, undefined)];
    },
    // The first falls down again and is inside, the second falls on; the third stood on it, and is let through.
    () => [put(hero, 55, 57), ask(hero, false), put(faller, 25, 35), ask(faller, false), put(lift, 20, 22), ask(lift, false)],
    () => ask(faller, true),
    // It stood on it, too.
    () => ask(faller, false),
  ];
  const made = await recorded('refused', arcade(world), steps.map((step) => () => (step(), world.stepped(0.01))));
  const names = made[0].objects.map(({ name }) => name);
  assert.deepEqual(
    made.slice(1).map(({ joints = [] }) => joints.map((pair) => pair.map((id) => names[id]))),
    [[], [['hero', 'ledge'], ['ghost', 'box 5']], [['hero', 'ledge'], ['lift', 'ledge']], [], [['faller', 'ledge']]],
  );
});

test('arcade: what is left out is named in the log', async () => {
  const off = { up: false, down: false, left: false, right: false };
  const [hero, foe, ghost, cloud, dot] = ['hero', 'foe', 'ghost', 'cloud', 'dot'].map((name) => arcadeBody(name, 0, 0));
  Object.assign(foe, { enable: false });
  Object.assign(ghost, { checkCollision: off });
  dot.width = 0;
  const [shot, spare] = ['shot', 'spare'].map((name) => arcadeBody(name, 0, 0));
  spare.enable = false;
  const all = [hero, foe, ghost, dot];
  const colliders = [collider(...all), { object1: hero.gameObject, object2: foe.gameObject }, { object1: list([shot.gameObject, spare.gameObject]), object2: hero.gameObject }];
  const warnings = await warned(async () => {
    const lines = await recorded('left_out', arcade(arcadeWorld([...all, cloud, shot, spare], [], colliders)), []);
    assert.deepEqual(lines[0].objects.map(({ name }) => name), ['hero', 'shot']);
    assert.deepEqual(
      lines.slice(2).map(({ spawn: [{ name, motion }] }) => [name, motion]),
      [
        ['foe (its `enable` was always false)', 'kinematic'],
        ['ghost (its `checkCollision` was always off)', 'kinematic'],
        ['dot (it has no extent)', 'kinematic'],
        ['cloud (no collider names it)', 'kinematic'],
      ],
    );
  });
  assert.deepEqual(warnings, [
    'hitstop: dot, which has no extent, is not recorded; give its shape in `fields`',
    'hitstop: foe is not recorded: its `enable` was always false',
    'hitstop: ghost is not recorded: its `checkCollision` was always off',
    'hitstop: cloud is not recorded: no collider names it',
  ]);
});

test('arcade: the world is as before once the recorder is closed', async () => {
  const hero = arcadeBody('hero', 0, 0);
  const world = arcadeWorld([hero], [], [collider(hero)]);
  const before = [world.collideObjects, world.step, hero.reset, Object.hasOwn(world, 'step')];
  const during = [];
  await recorded('restored', arcade(world), [() => during.push(world.collideObjects, world.step, hero.reset)]);
  assert.deepEqual([world.collideObjects, world.step, hero.reset, Object.hasOwn(world, 'step')], before);
  assert.ok(during.every((it) => !before.includes(it)));
  assert.deepEqual(world.heard, []);
});

test('arcade: a body of which one face collides is passed the other ways, one of none is left out, and one that never stops a fall is solid', async () => {
  const sides = (...names) => Object.fromEntries(['up', 'down', 'left', 'right', 'none'].map((side) => [side, names.includes(side)]));
  const open = [['up'], ['down'], ['left'], ['right'], ['up', 'left', 'right'], ['up', 'down', 'left', 'right'], ['none']];
  const bodies = open.map((names, i) => arcadeBody(`body ${i}`, 0, 0, { checkCollision: sides(...names) }));
  const [player] = [arcadeBody('player', 0, 0, { checkCollision: sides('down') })];
  for (const body of bodies) body.physicsType = 1;
  const world = arcadeWorld([player], bodies, [collider(player, ...bodies)]);
  const step = () => {
    bodies[5].checkCollision = sides('up');
    // A platform that is let go below the player.
    bodies[4].checkCollision = sides('down', 'left', 'right');
    world.stepped(0.01);
  };
  const warnings = await warned(async () => {
    const [{ objects }, , { spawn }] = await recorded('faces', arcade(world), [step]);
    assert.deepEqual(
      objects.map((it) => it.one_way),
      [[0, 1], [0, -1], undefined, [-1, 0], [1, 0], [0, -1], undefined],
    );
    near(spawn, [{ one_way: [0, 1] }, { one_way: [0, -1] }]);
  });
  assert.deepEqual(warnings, ['hitstop: body 6 is not recorded: its `checkCollision` was always off']);
});

test('arcade: tiles side by side are one body where the same faces collide', async () => {
  const tile = (x, isLedge) => ({
    ...{ canCollide: true, collideUp: true, collideDown: !isLedge, collideLeft: !isLedge, collideRight: !isLedge },
    ...{ getLeft: () => 16 * x, getRight: () => 16 * x + 16, getTop: () => 50, getBottom: () => 66 },
  });
  const map = { tilemap: {}, layer: { data: [[tile(0, false), tile(1, true), tile(2, true)]] } };
  const [{ objects }] = await recorded('tiles', arcade(arcadeWorld([], [], [{ object1: map, object2: map }])), []);
  near(objects, [
    { position: [8, 58], one_way: undefined },
    { position: [32, 58], one_way: [0, -1] },
  ]);
});
