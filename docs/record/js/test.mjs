// Tests of the recorder and of each adapter: `node test.mjs [FOLDER]`. They write logs to the folder.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import test from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { box, chain, local, placed, polygon } from './geometry.js';
import { hull, Recorder, WorldRecorder } from './hitstop.js';
import './test_2d.mjs';
import './test_3d.mjs';
import './test_arcade.mjs';
import { at, HALF, near, parsed, read, recorded } from './test_tools.mjs';

for (const flat of ['', 'flat_']) {
  const file = new URL(`../conformance/${flat}level.json`, import.meta.url);
  test(`the calls of ${flat}level.json give its log`, { skip: !existsSync(file) }, () => {
    const level = JSON.parse(readFileSync(file, 'utf8'));
    const lines = [];
    const log = new Recorder({ write: (text) => lines.push(text) }, level.header);
    for (const { add = [], ignore = [], remove = [], frame } of level.steps) {
      const { t, bodies, pushes = [], contacts, queries = [], camera, log: messages = [], values = [], marks = [], moves = [], ...rest } = frame;
      add.forEach(({ name, shape, ...fields }) => log.add(name, shape, fields));
      ignore.forEach(([a, b]) => log.ignore(a, b));
      remove.forEach((id) => log.remove(id));
      contacts?.forEach(({ a, b, point, normal, depth, impulse }) => log.contact(a, b, point, normal, depth, impulse));
      pushes.forEach(({ id, push }) => log.push(id, push));
      queries.forEach(({ hit, ...query }) => log.query(query, hit));
      messages.forEach((it) => (it.text === undefined ? log.message(it) : log.message(it.text, it)));
      values.forEach(({ name, id, value, text }) => log.value(name, text ?? value, id));
      marks.forEach(({ points, ...mark }) => log.mark(points, mark));
      moves.forEach(({ id, ...move }) => log.move(id, move));
      if (camera) log.camera(camera.p, camera.q, { push: camera.push, teleported: camera.teleported });
      const placed = bodies.map(({ teleported, ...body }) => (teleported && log.teleport(body.id), body));
      log.frame(t, placed, { ...rest, ...(contacts?.length === 0 ? { contacts } : {}) });
    }
    const expected = new URL(`../conformance/${flat}expected.jsonl`, import.meta.url);
    assert.deepEqual(parsed(lines.join('')), parsed(readFileSync(expected, 'utf8')));
  });
}

test('numbers are read back as the single precision ones that they were, and those that are not numbers are named', async () => {
  const lines = [];
  const log = new Recorder({ write: (text) => lines.push(text) });
  const p = [0.1, 1e-30, 123456.789].map(Math.fround);
  const x = { at: 1764236112.0123456 };
  log.frame(1 / 3, [{ id: 4294967295, p, v: [NaN, -Infinity, 0] }], { x });
  await log.close();
  log.frame(1, []);
  const [, frame, after] = parsed(lines.join(''));
  assert.equal(after, undefined, 'the recording has ended');
  const [body] = frame.bodies;
  assert.deepEqual(body.p.map(Math.fround), p);
  assert.deepEqual([body.id, body.v, frame.t, frame.x], [4294967295, ['NaN', '-Infinity', 0], 1 / 3, x]);
});

test('states in double precision are kept to the bit, the rest of the geometry to nine digits', async () => {
  const lines = [];
  const log = new Recorder({ write: (text) => lines.push(text) });
  const apart = 0.4199552315616232;
  log.push(0, [apart, 0, 0]);
  log.frame(0, [{ id: 0, p: [apart, Math.fround(0.1), 0], q: [0, 0, Math.SQRT1_2, Math.SQRT1_2] }]);
  const [, frame] = parsed(lines.join(''));
  assert.deepEqual(frame.bodies[0].p, [apart, 0.100000001, 0]);
  assert.equal(frame.bodies[0].q[2], Math.SQRT1_2);
  assert.equal(frame.pushes[0].push[0], 0.419955232);
});

test('the last second has the objects that were added before it', async () => {
  const whole = new Recorder(at('run.jsonl.gz'), { dt: 0.1 });
  const last = new Recorder(null, { keep: 1, dt: 0.1 });
  for (const log of [whole, last]) {
    log.add('first', { sphere: { radius: 0.5 } });
    for (let frame = 0; frame < 50; frame++) {
      if (frame === 20) log.add('second', { sphere: { radius: 0.5 } });
      if (frame === 20) log.ignore(0, 1);
      const all = [
        { id: 0, p: [0.1 * frame, 0, 0] },
        { id: 1, p: [0, 9, 0], asleep: true },
      ];
      log.frame(0.1 * frame, frame < 20 ? all.slice(0, 1) : all);
    }
  }
  await whole.close();
  await last.save(at('last.jsonl'));
  const lines = read('last.jsonl');
  assert.deepEqual([lines[1].spawn.map(({ name }) => name), lines[1].ignore], [['second'], [[0, 1]]]);
  assert.deepEqual(
    lines.slice(2).map((line) => line.frame),
    [39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49],
  );
  assert.equal(parsed(gunzipSync(readFileSync(at('run.jsonl.gz'))).toString()).length, 1 + 50 + 1);
});

test('frames before there is a viewer reach it', async () => {
  let text = '';
  const lines = net.createServer((socket) => socket.on('data', (part) => (text += part)));
  const posts = http.createServer((request, response) => request.on('data', (part) => (text += part)).on('end', () => response.end()));
  for (const [server, name] of [
    [lines, 'tcp:127.0.0.1:'],
    [posts, 'http://127.0.0.1:'],
  ]) {
    text = '';
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address();
    server.close();
    await once(server, 'close');
    const log = new Recorder(name + port);
    for (let frame = 0; frame < 9; frame++) {
      log.frame(frame, []);
      await wait(10);
    }
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    await wait(1500);
    await log.close();
    server.close();
    assert.deepEqual(
      parsed(text).map((line) => line.frame),
      [undefined, 0, 1, 2, 3, 4, 5, 6, 7, 8],
    );
  }
});

test('outputs that are not there are refused', () => {
  assert.throws(() => new Recorder('run.jsonl.zst'), /must end in \.jsonl or \.jsonl\.gz/);
  assert.throws(() => new Recorder('tcp:9740'), /tcp:9740 is not an address/);
  assert.throws(() => new Recorder(null), /give an output, or the seconds to keep/);
  assert.throws(() => new Recorder('run.jsonl', { keep: 1 }), /give an output, or the seconds to keep/);
});

test('a pose in the frame of another leads back to it', () => {
  const body = { p: [1, 2, 3], q: [0.5, 0.5, 0.5, 0.5] };
  const part = { p: [-4, 5, 6], q: [0, 0, HALF, HALF] };
  near(placed(body, local(body, part)), part);
  // The body's x is the level's y: one unit along it is at (1, 3, 3).
  near(local(body, { p: [1, 3, 3], q: body.q }), { p: [1, 0, 0], q: [0, 0, 0, 1] });
  // In the plane: a quarter turn to the left.
  const disc = { p: [1, 2], q: Math.PI / 2 };
  near(placed(disc, { p: [3, 0], q: 1 }), { p: [1, 5], q: 1 + Math.PI / 2 });
  near(local(disc, { p: [1, 5], q: 0 }), { p: [3, 0], q: -Math.PI / 2 });
});

test('a hull keeps what is farthest out', () => {
  const points = Array.from({ length: 5000 }, (_, i) => [Math.cos(i), Math.sin(i), i / 5000]);
  const found = hull([...points, [9, 0, 0]]).convex_hull.points;
  assert.ok(found.length <= 1000);
  assert.ok(found.some(([x]) => x === 9));
  assert.deepEqual(
    hull(
      [
        [0, 0, 0],
        [0, 0, 0],
        [1, 0, 0],
      ],
      0.5,
    ),
    {
      convex_hull: {
        points: [
          [0, 0, 0],
          [1, 0, 0],
        ],
        radius: 0.5,
      },
    },
  );
});

test('shapes without an extent are none, and a chain has no points twice', () => {
  const [a, b, c] = [
    [0, 0],
    [2, 0],
    [2, 1],
  ];
  const chained = (...ends) => chain(ends.slice(1).map((end, i) => [ends[i], end]));
  assert.deepEqual(chained(a, b, b, c, a).chain, { points: [a, b, c], loop: true, facing: undefined });
  assert.deepEqual(chained(a, b, c).chain.points, [a, b, c]);
  assert.equal(chain([[a, b], [c, a]]), null, 'two pieces');
  assert.deepEqual([chained(a, a), polygon([a, b, [4, 0]]), polygon([a, b]), box([0, 1])], [null, null, null, null]);
  assert.deepEqual([polygon([a, b, c]).polygon.points, box([0, 1], 0.5).box.radius], [[a, b, c], 0.5]);
});

test('bodies come, go, change and are joined', async () => {
  const fixed = { motion: 'fixed', p: [0, -1, 0], q: [0, 0, 0, 1] };
  // Turned by 90 degrees about z: its part at (1, 0, 0) is above it, and the spin about z moves that along -x.
  const arm = { motion: 'dynamic', p: [5, 0, 0], q: [0, 0, HALF, HALF], v: [0, 2, 0], w: [0, 0, 3] };
  const late = { motion: 'kinematic', p: [9, 9, 9], q: [0, 0, 0, 1], v: [0, 0, 0], w: [0, 0, 0] };
  const ghost = { ...late };
  let all = [fixed, arm];
  const engine = {
    header: { engine: 'own' },
    vector: ([x, y]) => [x, -y, 0],
    bodies: () => all,
    parts: (body) => (body === arm ? ['hand', 'hull'] : [0]),
    state: (body) => body,
    describe: (body, part) =>
      part === 'hull' ? { missing: 'a hull' } : { name: 'thing', shape: { sphere: { radius: 1 } }, ...(part === 'hand' ? { p: [1, 0, 0] } : {}) },
    contacts: (record) => (before.push(record(arm, 'hand').body.before.p[0]), []),
    joined: () => [[fixed, arm]],
  };
  const [warnings, before] = [[], []];
  const { error } = console;
  console.error = (text) => warnings.push(text);
  const steps = [
    () => (all = [fixed, arm, late, ghost]),
    (recorder) => {
      arm.p = [7, 0, 0];
      recorder.teleport(arm);
      arm.p = [8, 0, 0];
      recorder.query({ from: [1, 2], to: [3, 4] }, { id: recorder.id(late), fraction: 0.5, normal: [0, 1] });
      all = [arm, late];
    },
    (recorder) => {
      late.motion = 'dynamic';
      recorder.forget(arm);
    },
    () => (all = [late]),
    () => (all = [Object.assign(arm, { p: [20, 0, 0] })]),
  ];
  const lines = await recorded('world', engine, steps, { fields: (body) => (body === ghost ? null : body === fixed ? { one_way: [0, 1, 0] } : {}) });
  console.error = error;
  assert.deepEqual(warnings, ['hitstop: a hull is not recorded; give its shape in `fields`']);
  const objects = lines.flatMap((line) => line.objects ?? line.spawn ?? []);
  assert.deepEqual(
    objects.map(({ name, motion }) => [name, motion]),
    [
      ['thing', 'fixed'],
      ['thing part 1', 'dynamic'],
      ['thing 2', 'kinematic'],
      ['thing part 1 3', 'dynamic'],
      ['thing 4', 'dynamic'],
    ],
  );
  assert.deepEqual(objects[0].one_way, [0, 1, 0]);
  const frames = lines.filter((line) => line.bodies);
  assert.deepEqual(
    frames.map((line) => line.bodies.map(({ id }) => id)),
    [[0, 1], [0, 1, 2], [1, 2], [3, 4], [4], [3]],
  );
  // Of a body that was placed, and of one that was away, the step begins where it is then.
  assert.deepEqual(before, [5, 7, 8, 8, 20]);
  near(frames[0].bodies[1], { p: [5, 1, 0], q: [0, 0, HALF, HALF], v: [-3, 2, 0], w: [0, 0, 3] });
  assert.deepEqual(
    frames.map((line) => line.contacts),
    [undefined, [], [], [], [], []],
  );
  assert.deepEqual(frames[1].joints, [[0, 1]]);
  assert.equal(frames[2].bodies[0].teleported, true);
  assert.deepEqual(frames[2].queries, [{ kind: 'ray', from: [1, -2, 0], to: [3, -4, 0], hit: { id: 2, fraction: 0.5, normal: [0, -1, 0] } }]);
});

test('lines, values, marks and moves are those of the next line, also of a body that is new or goes', async () => {
  const still = { q: [0, 0, 0, 1], v: [0, 0, 0] };
  const [first, second] = [0, 9].map((x) => ({ motion: 'dynamic', p: [x, 0, 0], ...still }));
  let all = [first];
  const engine = {
    header: {},
    vector: ([x, y]) => [x, -y, 0],
    bodies: () => all,
    parts: () => [0],
    state: (body) => body,
    describe: () => ({ shape: { sphere: { radius: 1 } } }),
  };
  const steps = [
    (recorder) => {
      recorder.message('start');
      recorder.message('spawned', { body: second, level: 'debug' });
      recorder.message('stranger', { body: {} });
      recorder.value('speed', 0.5, second);
      recorder.value('state', 'idle', first);
      recorder.mark([[1, 2]], { name: 'target', body: first, radius: 0.5 });
      recorder.query({ from: [1, 2], to: [3, 4], tag: 'ground' }, null);
      const sweeps = [{ kind: 'slide', from: [1, 2], to: [2, 2], hit: { id: 1, normal: [0, 1] } }];
      recorder.move(first, { from: [1, 2], wish: [3, 0], to: [2, 2], grounded: false, up: [0, -1], max_slope: 45, sweeps });
      all = [first, second];
    },
    (recorder) => {
      recorder.message('died', { body: first, level: 'warning' });
      recorder.log.value('own', false);
      all = [second];
    },
  ];
  const [, before, , line, after] = await recorded('notes', engine, steps);
  assert.deepEqual([before.log, before.values, before.marks], [undefined, undefined, undefined]);
  assert.deepEqual(line.log, ['start', { text: 'spawned', id: 1, level: 'debug' }, 'stranger']);
  assert.deepEqual(line.values, [
    { name: 'speed', id: 1, value: 0.5 },
    { name: 'state', id: 0, text: 'idle' },
  ]);
  assert.deepEqual(line.marks, [{ points: [[1, -2, 0]], name: 'target', id: 0, radius: 0.5 }]);
  assert.deepEqual(line.queries, [{ kind: 'ray', from: [1, -2, 0], to: [3, -4, 0], tag: 'ground', hit: null }]);
  const way = { from: [1, -2, 0], to: [2, -2, 0] };
  assert.deepEqual(line.moves, [
    {
      id: 0,
      ...way,
      wish: [3, 0, 0],
      up: [0, 1, 0],
      grounded: false,
      max_slope: 45,
      sweeps: [{ kind: 'slide', ...way, hit: { id: 1, normal: [0, -1, 0] } }],
    },
  ]);
  assert.deepEqual([after.log, after.values], [[{ text: 'died', id: 0, level: 'warning' }], [{ name: 'own', value: false }]]);
});

test('a pair that sleeps has no impulse', async () => {
  const home = { p: [0, 0, 0], q: [0, 0, 0, 1] };
  const [ground, ball] = [{ motion: 'fixed', ...home }, { motion: 'dynamic', ...home, v: [0, 0, 0] }];
  const engine = {
    header: {},
    bodies: () => [ground, ball],
    parts: () => [0],
    state: (body) => body,
    describe: () => ({ shape: { sphere: { radius: 1 } } }),
    contacts: () => [{ a: 1, b: 0, point: [0, 0, 0], normal: [0, 1, 0], depth: 0, impulse: 3 }],
  };
  for (const fixedCanMove of [true, false]) {
    const lines = await recorded('asleep', engine, [() => (ball.asleep = false), () => (ball.asleep = true)], { fixedCanMove });
    assert.deepEqual(lines.slice(2).map(({ contacts }) => contacts[0].impulse), [3, undefined]);
  }
});

test('contacts of one of several steps are left out', async () => {
  const ball = { motion: 'dynamic', p: [0, 0, 0], q: [0, 0, 0, 1], v: [0, 0, 0] };
  const engine = {
    header: {},
    bodies: () => [ball],
    parts: () => [0],
    state: () => ball,
    describe: () => ({ shape: { sphere: { radius: 1 } } }),
    contacts: () => [],
  };
  const recorder = new WorldRecorder(at('steps.jsonl'), engine, { fixedCanMove: false });
  recorder.frame(0.1, { substeps: 4 });
  recorder.frame(0.2);
  await recorder.close();
  assert.deepEqual(
    read('steps.jsonl')
      .slice(2)
      .map(({ substeps, contacts }) => [substeps, contacts]),
    [
      [4, undefined],
      [undefined, []],
    ],
  );
});

test('a fixed body that grows is another object, also where fixed ones are written once', async () => {
  const rock = { motion: 'fixed', p: [0, 0, 0], q: [0, 0, 0, 1], radius: 1 };
  const engine = {
    header: {},
    bodies: () => [rock],
    parts: () => [0],
    state: () => rock,
    size: () => rock.radius,
    describe: () => ({ shape: { sphere: { radius: rock.radius } } }),
  };
  const [header, , spawn, line] = await recorded('grown', engine, [() => (rock.radius = 2)], { fixedCanMove: false });
  assert.deepEqual([header.objects[0].shape.sphere.radius, spawn.spawn[0].shape.sphere.radius], [1, 2]);
  assert.deepEqual([spawn.remove, line.bodies], [[0], []]);
});
