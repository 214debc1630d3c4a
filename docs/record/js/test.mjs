// Tests of the recorder and of each adapter, with stubs of the engines' types: `node test.mjs [FOLDER]`. It writes a log of each to the folder.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { ammo } from './ammo.js';
import { arcade } from './arcade.js';
import { box2d } from './box2d.js';
import { cannon } from './cannon.js';
import { havok } from './havok.js';
import { hull, Recorder, WorldRecorder } from './hitstop.js';
import { matter } from './matter.js';
import { p2 } from './p2.js';
import { planck } from './planck.js';
import { rapier } from './rapier.js';

const folder = process.argv[2] ?? mkdtempSync(path.join(os.tmpdir(), 'hitstop'));
const at = (name) => path.join(folder, name);
const parsed = (text) => text.trim().split('\n').map((line) => JSON.parse(line));
const read = (name) => parsed(readFileSync(at(name), 'utf8'));
const HALF = Math.SQRT1_2;

/** Whether numbers are equal up to rounding, and all else is equal. */
function near(got, want) {
  if (typeof want === 'number') assert.ok(Math.abs(got - want) < 1e-6, `${got} is not ${want}`);
  else if (Array.isArray(want)) want.forEach((value, i) => near(got[i], value));
  else if (want && typeof want === 'object') for (const key of Object.keys(want)) near(got?.[key], want[key]);
  else assert.equal(got, want);
}

/** The log of a world of one engine: `steps` change the world, and a line is written after each. */
async function recorded(name, engine, steps, options) {
  const recorder = new WorldRecorder(at(`${name}.jsonl`), engine, options);
  for (const step of steps) {
    step(recorder);
    recorder.frame();
  }
  await recorder.close();
  return read(`${name}.jsonl`);
}

test('the calls of the conformance level give its log', { skip: !existsSync(new URL('../conformance/level.json', import.meta.url)) }, () => {
  const file = (name) => readFileSync(new URL(`../conformance/${name}`, import.meta.url), 'utf8');
  const level = JSON.parse(file('level.json'));
  const lines = [];
  const log = new Recorder({ write: (text) => lines.push(text) }, level.header);
  for (const { add = [], ignore = [], frame } of level.steps) {
    const { t, bodies, pushes = [], contacts, queries = [], camera, ...rest } = frame;
    add.forEach(({ name, shape, ...fields }) => log.add(name, shape, fields));
    ignore.forEach(([a, b]) => log.ignore(a, b));
    contacts?.forEach(({ a, b, point, normal, depth }) => log.contact(a, b, point, normal, depth));
    pushes.forEach(({ id, push }) => log.push(id, push));
    queries.forEach(({ hit, ...query }) => log.query(query, hit));
    if (camera) log.camera(camera.p, camera.q, { push: camera.push, teleported: camera.teleported });
    const placed = bodies.map(({ teleported, ...body }) => (teleported && log.teleport(body.id), body));
    log.frame(t, placed, { ...rest, ...(contacts?.length === 0 ? { contacts } : {}) });
  }
  assert.deepEqual(parsed(lines.join('')), parsed(file('expected.jsonl')));
});

test('numbers are read back as the single precision ones that they were, and those that are not numbers are named', () => {
  const lines = [];
  const log = new Recorder({ write: (text) => lines.push(text) });
  const p = [0.1, 1e-30, 123456.789].map(Math.fround);
  const x = { at: 1764236112.0123456 };
  log.frame(1 / 3, [{ id: 4294967295, p, v: [NaN, -Infinity, 0] }], { x });
  const [, frame] = parsed(lines.join(''));
  const [body] = frame.bodies;
  assert.deepEqual(body.p.map(Math.fround), p);
  assert.deepEqual([body.id, body.v, frame.t, frame.x], [4294967295, ['NaN', '-Infinity', 0], 1 / 3, x]);
});

test('the last second has the objects that were added before it', async () => {
  const whole = new Recorder(at('run.jsonl.gz'), { dt: 0.1 });
  const last = new Recorder(null, { keep: 1, dt: 0.1 });
  for (const log of [whole, last]) {
    log.add('first', { sphere: { radius: 0.5 } });
    for (let frame = 0; frame < 50; frame++) {
      if (frame === 20) log.add('second', { sphere: { radius: 0.5 } });
      if (frame === 20) log.ignore(0, 1);
      const all = [{ id: 0, p: [0.1 * frame, 0, 0] }, { id: 1, p: [0, 9, 0], asleep: true }];
      log.frame(0.1 * frame, frame < 20 ? all.slice(0, 1) : all);
    }
  }
  await whole.close();
  await last.save(at('last.jsonl'));
  const lines = read('last.jsonl');
  assert.deepEqual([lines[1].spawn.map(({ name }) => name), lines[1].ignore], [['second'], [[0, 1]]]);
  assert.deepEqual(lines.slice(2).map((line) => line.frame), [39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49]);
  assert.equal(parsed(gunzipSync(readFileSync(at('run.jsonl.gz'))).toString()).length, 1 + 50 + 1);
});

test('frames before there is a viewer reach it', async () => {
  let text = '';
  const lines = net.createServer((socket) => socket.on('data', (part) => (text += part)));
  const posts = http.createServer((request, response) => request.on('data', (part) => (text += part)).on('end', () => response.end()));
  for (const [server, name] of [[lines, 'tcp:127.0.0.1:'], [posts, 'http://127.0.0.1:']]) {
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
    assert.deepEqual(parsed(text).map((line) => line.frame), [undefined, 0, 1, 2, 3, 4, 5, 6, 7, 8]);
  }
});

test('outputs that are not there are refused', () => {
  assert.throws(() => new Recorder('run.jsonl.zst'), /must end in \.jsonl or \.jsonl\.gz/);
  assert.throws(() => new Recorder('tcp:9740'), /tcp:9740 is not an address/);
  assert.throws(() => new Recorder(null), /give an output, or the seconds to keep/);
  assert.throws(() => new Recorder('run.jsonl', { keep: 1 }), /give an output, or the seconds to keep/);
});

test('a hull keeps what is farthest out', () => {
  const points = Array.from({ length: 5000 }, (_, i) => [Math.cos(i), Math.sin(i), i / 5000]);
  const found = hull([...points, [9, 0, 0]]).convex_hull.points;
  assert.ok(found.length <= 1000);
  assert.ok(found.some(([x]) => x === 9));
  assert.deepEqual(hull([[0, 0, 0], [0, 0, 0], [1, 0, 0]], 0.5), { convex_hull: { points: [[0, 0, 0], [1, 0, 0]], radius: 0.5 } });
});

test('bodies come, go, change and are joined', async () => {
  const fixed = { motion: 'fixed', p: [0, -1, 0], q: [0, 0, 0, 1] };
  // Turned by 90 degrees about z: its part at (1, 0, 0) is above it, and the spin about z moves that along -x.
  const arm = { motion: 'dynamic', p: [5, 0, 0], q: [0, 0, HALF, HALF], v: [0, 2, 0], w: [0, 0, 3] };
  const late = { motion: 'kinematic', p: [9, 9, 9], q: [0, 0, 0, 1], v: [0, 0, 0], w: [0, 0, 0] };
  const ghost = { ...late };
  let all = [fixed, arm];
  const engine = {
    header: { engine: 'own' }, vector: ([x, y]) => [x, -y, 0], bodies: () => all, parts: (body) => (body === arm ? ['hand', 'hull'] : [0]), state: (body) => body,
    describe: (body, part) => (part === 'hull' ? { missing: 'a hull' } : { name: 'thing', shape: { sphere: { radius: 1 } }, ...(part === 'hand' ? { p: [1, 0, 0] } : {}) }),
    contacts: () => [], joined: () => [[fixed, arm]],
  };
  const warnings = [];
  const { error } = console;
  console.error = (text) => warnings.push(text);
  const steps = [
    () => (all = [fixed, arm, late, ghost]),
    (recorder) => {
      recorder.teleport(arm);
      recorder.query({ from: [1, 2], to: [3, 4] }, { id: recorder.id(late), fraction: 0.5, normal: [0, 1] });
      all = [arm, late];
    },
    (recorder) => {
      late.motion = 'dynamic';
      recorder.forget(arm);
    },
  ];
  const lines = await recorded('world', engine, steps, { fields: (body) => (body === ghost ? null : body === fixed ? { one_way: [0, 1, 0] } : {}) });
  console.error = error;
  assert.deepEqual(warnings, ['hitstop: a hull is not recorded; give its shape in `fields`']);
  const objects = lines.flatMap((line) => line.objects ?? line.spawn ?? []);
  assert.deepEqual(objects.map(({ name, motion }) => [name, motion]), [
    ['thing', 'fixed'], ['thing part 1', 'dynamic'], ['thing 2', 'kinematic'], ['thing part 1 3', 'dynamic'], ['thing 4', 'dynamic'],
  ]);
  assert.deepEqual(objects[0].one_way, [0, 1, 0]);
  const frames = lines.filter((line) => line.bodies);
  assert.deepEqual(frames.map((line) => line.bodies.map(({ id }) => id)), [[0, 1], [0, 1, 2], [1, 2], [3, 4]]);
  near(frames[0].bodies[1], { p: [5, 1, 0], q: [0, 0, HALF, HALF], v: [-3, 2, 0], w: [0, 0, 3] });
  assert.deepEqual(frames.map((line) => line.contacts), [undefined, [], [], []]);
  assert.deepEqual(frames[1].joints, [[0, 1]]);
  assert.equal(frames[2].bodies[0].teleported, true);
  assert.deepEqual(frames[2].queries, [{ kind: 'ray', from: [1, -2, 0], to: [3, -4, 0], hit: { id: 2, fraction: 0.5, normal: [0, -1, 0] } }]);
});

test('contacts of one of several steps are left out', async () => {
  const ball = { motion: 'dynamic', p: [0, 0, 0], q: [0, 0, 0, 1], v: [0, 0, 0] };
  const engine = { header: {}, bodies: () => [ball], parts: () => [0], state: () => ball, describe: () => ({ shape: { sphere: { radius: 1 } } }), contacts: () => [] };
  const recorder = new WorldRecorder(at('steps.jsonl'), engine, { fixedCanMove: false });
  recorder.frame(0.1, { substeps: 4 });
  recorder.frame(0.2);
  await recorder.close();
  assert.deepEqual(read('steps.jsonl').slice(2).map(({ substeps, contacts }) => [substeps, contacts]), [[4, undefined], [undefined, []]]);
});

// A ball of radius 0.5 is at y = 0.4 above a ground up to y = 0 at the start of a step, and at y = 0.3 after it: its contact is 0.1 deep.
const vec = (x, y, z) => ({ x, y, z });
const START = 0.4;
const END = 0.3;
const HIT = { point: [0, -0.05, 0], depth: 0.1 };

test('rapier: a manifold that is flipped, of the poses before the step', async () => {
  const RAPIER = { version: () => '0.21.0', ShapeType: { 0: 'Ball', 1: 'Cuboid', 9: 'RoundConvexPolyhedron', 17: 'HalfSpace' } };
  const IDENTITY = { x: 0, y: 0, z: 0, w: 1 };
  const collider = (handle, parent, type, shape, place, more) => ({
    handle, shape, shapeType: () => type, parent: () => parent, isEnabled: () => true, isSensor: () => false, collisionGroups: () => 0x00020003,
    translation: place, rotation: () => IDENTITY, ...more,
  });
  const ball = {
    y: START, p: () => vec(0, ball.y, 0), handle: 0, numColliders: () => 2, collider: (i) => parts[i], isEnabled: () => true, isFixed: () => false, isKinematic: () => false,
    isDynamic: () => true, isSleeping: () => false, isCcdEnabled: () => true, mass: () => 2, translation: () => ball.p(), rotation: () => IDENTITY, linvel: () => vec(0, -6, 0),
    angvel: () => vec(0, 0, 1), worldCom: () => ball.p(), userData: 'ball',
  };
  const parts = [
    collider(1, ball, 0, { radius: 0.5 }, () => ball.p()),
    collider(2, ball, 9, { vertices: new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]), borderRadius: 0.25 }, () => vec(1, ball.y, 0), { isSensor: () => true }),
  ];
  const ground = collider(3, null, 1, { halfExtents: vec(5, 0.5, 5) }, () => vec(0, -0.5, 0));
  const manifold = { localNormal1: () => vec(0, 1, 0), numContacts: () => 1, localContactPoint1: () => vec(0, 0.5, 0), localContactPoint2: () => vec(0, -0.5, 0) };
  const joint = { contactsEnabled: () => false, body1: () => ball, body2: () => ball };
  const world = {
    gravity: vec(0, -981, 0), timestep: 0.02, lengthUnit: 100, integrationParameters: { normalizedPredictionDistance: 0.02, maxCcdSubsteps: 1 }, bodies: { getAll: () => [ball] },
    colliders: { getAll: () => [...parts, ground] }, impulseJoints: { getAll: () => [joint] }, contactPairsWith: (one, found) => one === parts[0] && found(ground),
    contactPair: (_one, _two, found) => found(manifold, true),
  };
  const [header, , line] = await recorded('rapier', rapier(RAPIER, world), [() => (ball.y = END)]);
  near(header, { engine: 'rapier 0.21.0', scalar: 'f32', length: 0.01, margin: 2, dt: 0.02, gravity: [0, -981, 0] });
  const [one, two, floor] = header.objects;
  near(one, { name: 'ball part 1', motion: 'dynamic', mass: 2, ccd: true, layer: 2, mask: 3, shape: { sphere: { radius: 0.5 } }, body: two.body });
  near(two, { sensor: true, shape: { convex_hull: { radius: 0.25 } }, position: [1, START, 0] });
  near(floor, { motion: 'fixed', shape: { box: { half_extents: [5, 0.5, 5] } }, position: [0, -0.5, 0] });
  near(line.contacts, [{ a: 2, b: 0, normal: [0, -1, 0], ...HIT }]);
  near(line.bodies, [{ p: [0, END, 0], v: [0, -6, 0], w: [0, 0, 1] }, { p: [1, END, 0], v: [0, -5, 0] }]);
  assert.equal(line.t, 0.02);
});

test('rapier in the plane', async () => {
  const RAPIER = { version: () => '0.21.0', ShapeType: { 4: 'Polyline', 10: 'RoundCuboid' } };
  const of = (type, shape) => ({
    handle: type, shape, shapeType: () => type, parent: () => null, isEnabled: () => true, isSensor: () => false, collisionGroups: () => 0xffffffff,
    translation: () => ({ x: 1, y: 2 }), rotation: () => Math.PI / 2,
  });
  const all = [of(4, { vertices: new Float32Array([0, 0, 2, 0]), indices: new Uint32Array([0, 1]) }), of(10, { halfExtents: { x: 1, y: 2 }, borderRadius: 0.5 })];
  const world = { gravity: { x: 0, y: -10 }, integrationParameters: { predictionDistance: 0.002 }, bodies: { getAll: () => [] }, colliders: { getAll: () => all }, impulseJoints: { getAll: () => [] } };
  const [header] = await recorded('rapier2d', rapier(RAPIER, world), []);
  const [edge, box] = header.objects;
  near(edge, { shape: { mesh: { vertices: [[0, 0, -20], [0, 0, 20], [2, 0, -20], [2, 0, 20]], triangles: [[0, 2, 3], [0, 3, 1]] } }, position: [1, 2, 0], rotation: [0, 0, HALF, HALF] });
  near(box, { shape: { box: { half_extents: [1, 2, 20], radius: 0.5 } }, layer: 0xffff, mask: 0xffff });
  near(header, { margin: 0.002, gravity: [0, -10, 0] });
});

test('matter: y is turned round, and velocities are of a second', async () => {
  const filter = { category: 2, mask: 5, group: 0 };
  const part = (more) => ({ collisionFilter: filter, isSensor: false, vertices: [], ...more });
  const body = (more) => {
    const made = part({ isStatic: false, isSleeping: false, label: 'body', mass: 3, angle: 0, anglePrev: 0, deltaTime: 10, ...more });
    made.parts ??= [made];
    made.parts.forEach((it) => (it.parent = made));
    return made;
  };
  const ball = body({ position: { x: 10, y: -40 }, positionPrev: { x: 9, y: -42 }, angle: Math.PI / 2, anglePrev: Math.PI / 2 - 0.01, circleRadius: 50, label: 'ball' });
  const ground = body({ position: { x: 0, y: 50 }, positionPrev: { x: 0, y: 50 }, isStatic: true, vertices: [{ x: -9, y: 40 }, { x: 9, y: 40 }, { x: 0, y: 60 }], collisionFilter: { ...filter, group: -7 } });
  const contact = { bodyA: ball, bodyB: ground, collided: true, normal: { x: 0, y: -1 }, depth: 10, supports: [{ x: 1, y: 0 }, { x: 99, y: 99 }], supportCount: 1 };
  const pairs = [{ isActive: true, collision: contact }, { isActive: false, collision: contact }, { isActive: true, isSensor: true, collision: contact }];
  const engine = { gravity: { x: 0, y: 1, scale: 0.001 }, world: { bodies: [ball], composites: [{ bodies: [ground], composites: [] }] }, pairs: { list: pairs } };
  const [header, , line] = await recorded('matter', matter(engine), [() => {}]);
  near(header, { engine: 'matter', length: 0.01, gravity: [0, -1000, 0], margin: 0.05 });
  near(header.objects[0], { name: 'ball', shape: { sphere: { radius: 50 } }, mass: 3, layer: 2, mask: 5, position: [10, 40, 0] });
  near(header.objects[1], { motion: 'fixed', body: 'group -7', shape: { convex_hull: { points: [[-9, 10, -2000], [-9, 10, 2000]] } } });
  // From -42 to -40, down, in 10 ms; the turn is to the left on the screen's axes, to the right on the log's.
  near(line.bodies[0], { p: [10, 40, 0], q: [0, 0, -HALF, HALF], v: [100, -200, 0], w: [0, 0, -1] });
  near(line.contacts, [{ a: 0, b: 1, point: [1, 0, 0], normal: [0, 1, 0], depth: 10 }]);
  assert.equal(line.contacts.length, 1);
});

/** A list of planck. */
const linked = (items) => items.reduceRight((next, it) => Object.assign(it, { getNext: () => next }), null);

test('planck: contacts of the poses before the step, without those that are switched off', async () => {
  const fixture = (body, type, shape, more) => ({
    getBody: () => body, getShape: () => ({ getType: () => type, m_radius: 0.01, ...shape }), getUserData: () => null, isSensor: () => false, getFilterCategoryBits: () => 4,
    getFilterMaskBits: () => 0xffff, getFilterGroupIndex: () => 0, ...more,
  });
  const body = (type, y, more) => {
    const it = { y, isActive: () => true, isStatic: () => type === 'static', getType: () => type, getAngle: () => 0, getAngularVelocity: () => 0, getUserData: () => type, getMass: () => 2 };
    it.getPosition = it.getWorldCenter = () => ({ x: 0, y: it.y });
    return Object.assign(it, { getLinearVelocity: () => ({ x: 0, y: -6 }), isAwake: () => true, isBullet: () => true, getFixtureList: () => linked(it.fixtures), ...more });
  };
  const [ball, ground] = [body('dynamic', START), body('static', 0)];
  ball.fixtures = [fixture(ball, 'circle', { m_radius: 0.5, m_p: { x: 0, y: 0 } })];
  ground.fixtures = [fixture(ground, 'chain', { m_vertices: [{ x: -1, y: 0 }, { x: 1, y: 0 }] }, { getFilterGroupIndex: () => -3 })];
  const seen = [];
  const getWorldManifold = (_none, a, radiusA, b, radiusB) => {
    seen.push(a.p.y, a.q.c, radiusA, b.p.y, radiusB);
    return { normal: { x: 0, y: -1 }, points: [{ x: 0, y: -0.05 }, { x: 9, y: 9 }], separations: [-0.1], pointCount: 1 };
  };
  const contact = (isEnabled, isTouching) => ({ getFixtureA: () => ball.fixtures[0], getFixtureB: () => ground.fixtures[0], isEnabled: () => isEnabled, isTouching: () => isTouching, getManifold: () => ({ getWorldManifold }) });
  const joint = { getCollideConnected: () => false, getBodyA: () => ball, getBodyB: () => ground };
  const world = {
    getGravity: () => ({ x: 0, y: -10 }), getContinuousPhysics: () => true, getBodyList: () => linked([ball, ground]), getJointList: () => linked([joint]),
    getContactList: () => linked([contact(true, true), contact(false, true), contact(true, false)]),
  };
  const [header, , line] = await recorded('planck', planck(world), [() => (ball.y = END)]);
  near(header, { engine: 'planck', margin: 0.02, gravity: [0, -10, 0] });
  near(header.objects, [{ ccd: true, layer: 4, mask: 0xffff }, { body: 'group -3', shape: { mesh: { facing: 'both', triangles: [[0, 2, 3], [0, 3, 1]] } } }]);
  near(line.contacts, [{ a: 0, b: 1, normal: [0, 1, 0], ...HIT }]);
  assert.equal(line.contacts.length, 1);
  assert.deepEqual(seen, [START, 1, 0.5, 0, 0.01]);
  assert.deepEqual(line.joints, [[0, 1]]);
});

test('p2: arms of contacts are of the start of the step', async () => {
  const shape = (type, more) => ({ type, position: [0, 0], angle: 0, sensor: false, collisionResponse: true, collisionGroup: 2, collisionMask: 3, ...more });
  const body = (type, y, shapes) => ({ type, shapes, mass: 2, position: [0, y], previousPosition: [0, y], angle: 0, velocity: [0, -6], angularVelocity: 0, sleepState: 0, ccdSpeedThreshold: -1 });
  const ball = body(1, START, [shape(64, { length: 1, radius: 0.5 })]);
  const ground = body(2, 0, [shape(4)]);
  // p2 names a circle of its own for the end of a capsule.
  const contact = { enabled: true, bodyA: ball, bodyB: ground, shapeA: shape(1), shapeB: ground.shapes[0], normalA: [0, -1], contactPointA: [0, -0.5], contactPointB: [0, 0] };
  const constraint = (collideConnected) => ({ collideConnected, bodyA: ball, bodyB: ground });
  const world = { gravity: [0, -10], bodies: [ball, ground], narrowphase: { contactEquations: [contact, { ...contact, enabled: false }] }, constraints: [constraint(true), constraint(false)] };
  const [header, , line] = await recorded('p2', p2(world), [() => (ball.position[1] = END)]);
  near(header.objects, [{ ccd: false, layer: 2, mask: 3, mass: 2, shape: { capsule: { a: [-0.5, 0, 0], b: [0.5, 0, 0], radius: 0.5 } } }, { shape: { plane: { normal: [0, 1, 0], offset: 0 } } }]);
  near(line.contacts, [{ a: 0, b: 1, point: [0, -0.1, 0], normal: [0, 1, 0], depth: 0.1 }]);
  assert.deepEqual([line.contacts.length, line.joints], [1, [[0, 1]]]);
});

test('cannon: arms of contacts are of the start of the step, and its shapes may be named the other way round', async () => {
  const body = (type, y, s, more) => ({
    type, position: vec(0, y, 0), previousPosition: vec(0, y, 0), quaternion: { x: 0, y: 0, z: 0, w: 1 }, velocity: vec(0, -6, 0), angularVelocity: vec(0, 0, 0), sleepState: 0, mass: 2,
    shapes: [{ collisionResponse: true, ...s }], shapeOffsets: [vec(0, 0, 0)], shapeOrientations: [{ x: 0, y: 0, z: 0, w: 1 }], collisionResponse: true, collisionFilterGroup: 2, collisionFilterMask: -1, ...more,
  });
  const ball = body(1, START, { type: 1, radius: 0.5 });
  const ground = body(2, 0, { type: 32, data: [[0, 1], [2, 3]], elementSize: 10 }, { isTrigger: true });
  const contact = { enabled: true, bi: ball, bj: ground, si: ground.shapes[0], sj: ball.shapes[0], ni: vec(0, -1, 0), ri: vec(0, -0.5, 0), rj: vec(0, 0, 0) };
  const world = { gravity: vec(0, -10, 0), bodies: [ball, ground], contacts: [contact, { ...contact, enabled: false }], constraints: [] };
  const [header, , line] = await recorded('cannon', cannon(world), [() => (ball.position.y = END)]);
  near(header.objects[0], { shape: { sphere: { radius: 0.5 } }, layer: 2, mask: -1, ccd: false });
  const field = { vertices: [[0, 0, 0], [0, 10, 1], [10, 0, 2], [10, 10, 3]], triangles: [[0, 2, 1], [2, 3, 1]] };
  near(header.objects[1], { sensor: true, shape: { mesh: field } });
  near(line.contacts, [{ a: 0, b: 1, point: [0, 0, 0], normal: [0, 1, 0], depth: 0.1 }]);
  assert.equal(line.contacts.length, 1);
});

test('ammo: shapes by what made them, contacts from the points on both bodies', async () => {
  class btVector3 {
    constructor(x = 0, y = 0, z = 0) {
      Object.assign(this, { v: [x, y, z] });
    }
    x = () => this.v[0];
    y = () => this.v[1];
    z = () => this.v[2];
  }
  class btTransform {
    setIdentity() {}
  }
  class btRigidBodyConstructionInfo {
    constructor(_mass, _motion, shape) {
      this.shape = shape;
    }
  }
  class btRigidBody {
    constructor({ shape }) {
      this.shape = shape;
    }
    getAabb(low, high) {
      low.v = this.shape.half.map((x) => -x);
      high.v = this.shape.half;
    }
  }
  const shapes = { btBoxShape: { ptr: 10, half: [5, 0.5, 5] }, btSphereShape: { ptr: 11, getMargin: () => 0.5 }, btCylinderShapeZ: { ptr: 12, half: [1, 1, 3] } };
  const made = (it) => ({ [it.ptr]: it });
  const body = (ptr, shape, y, flags) => {
    const it = { ptr, y, getBroadphaseProxy: () => ({ ptr: 9, get_m_collisionFilterGroup: () => 2, get_m_collisionFilterMask: () => -3 }), getCollisionFlags: () => flags, getMass: () => 2 };
    const turn = Object.assign(new btVector3(), { w: () => 1 });
    it.getWorldTransform = () => ({ getOrigin: () => new btVector3(0, it.y, 0), getRotation: () => turn });
    return Object.assign(it, { getLinearVelocity: () => new btVector3(0, -6, 0), getAngularVelocity: () => new btVector3(), isActive: () => false, getCollisionShape: () => ({ ptr: shape.ptr }) });
  };
  const [ground, ball, roll] = [body(1, shapes.btBoxShape, -0.5, 1), body(2, shapes.btSphereShape, START, 0), body(3, shapes.btCylinderShapeZ, 7, 2)];
  const away = { ...body(4, shapes.btBoxShape, 0, 0), getBroadphaseProxy: () => ({ ptr: 0 }) };
  const caches = { btRigidBody: { 1: ground, 2: ball, 3: roll, 4: away } };
  for (const [type, it] of Object.entries(shapes)) caches[type] = made(it);
  const point = { get_m_normalWorldOnB: () => new btVector3(0, -1, 0), get_m_localPointA: () => new btVector3(0, 0.5, 0), get_m_localPointB: () => new btVector3(0, -0.5, 0) };
  const manifold = { getBody0: () => ({ ptr: 1 }), getBody1: () => ({ ptr: 2 }), getNumContacts: () => 1, getContactPoint: () => point };
  const Ammo = {
    btVector3, btTransform, btDefaultMotionState: class {}, btRigidBodyConstructionInfo, getPointer: (it) => it.ptr, getCache: (type) => caches[type.key ?? 'btRigidBody'] ?? {}, destroy: () => {},
    btRigidBody, ...Object.fromEntries(['btBoxShape', 'btSphereShape', 'btCylinderShapeZ', 'btCylinderShape'].map((key) => [key, { key }])),
  };
  const world = { getGravity: () => new btVector3(0, -10, 0), getDispatcher: () => ({ getNumManifolds: () => 1, getManifoldByIndexInternal: () => manifold }) };
  const [header, , line] = await recorded('ammo', ammo(Ammo, world), [() => (ball.y = END)]);
  near(header.objects, [
    { motion: 'fixed', shape: { box: { half_extents: [5, 0.5, 5] } }, layer: 2, mask: -3 }, { motion: 'dynamic', mass: 2, shape: { sphere: { radius: 0.5 } } },
    { motion: 'kinematic', shape: { compound: [{ shape: { cylinder: { half_height: 3, radius: 1 } }, rotation: [HALF, 0, 0, HALF] }] } },
  ]);
  assert.equal(header.objects.length, 3);
  near(line.contacts, [{ a: 0, b: 1, point: [0, -0.1, 0], normal: [0, -1, 0], depth: 0.1 }]);
  assert.equal(line.bodies[1].asleep, true);
});

test('havok: shapes from what it draws', async () => {
  const corners = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => [x, y, z])));
  const faces = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]];
  const moved = (points, by) => points.map((point) => point.map((x, axis) => x + by[axis]));
  const sheared = corners.map(([x, y, z]) => [x + 0.5 * y, y, z]);
  // 18 by 9 points on a sphere of radius 2 around (0, 1, 0).
  const round = Array.from({ length: 162 }, (_, i) => [((i % 18) * Math.PI) / 9, ((Math.floor(i / 18) + 0.5) * Math.PI) / 9]).map(([a, b]) => [2 * Math.cos(a) * Math.sin(b), 1 + 2 * Math.cos(b), 2 * Math.sin(a) * Math.sin(b)]);
  const drawn = [
    { points: corners, faces, box: [[-1.5, -1.5, -1.5], [1.5, 1.5, 1.5]] },
    { points: sheared, faces, box: [[-1.5, -1, -1], [1.5, 1, 1]] },
    { points: round, faces: round.slice(2).map((_, i) => [i, i + 1, i + 2]), box: [[-2, -1, -2], [2, 3, 2]] },
    { points: [...corners, ...moved(corners, [5, 0, 0])], faces: [...faces, ...faces.map((face) => face.map((i) => i + 8))], box: [[-1, -1, -1], [6, 1, 1]] },
    { points: corners.slice(0, 3), faces: [[0, 1, 2]], box: [[-1, -1, -1], [-1, 1, 1]] },
  ];
  const heap = new ArrayBuffer(1 << 16);
  const ok = (...values) => [0, ...values];
  let used = 0;
  const write = (Type, values) => {
    const start = used;
    new Type(heap, start, values.length).set(values);
    used += 4 * values.length;
    return start;
  };
  const HK = {
    HEAPU8: new Uint8Array(heap), MotionType: { STATIC: { value: 0 }, KINEMATIC: { value: 1 }, DYNAMIC: { value: 2 } }, ActivationState: { INACTIVE: { value: 1 } }, ShapeType: { COLLIDER: { value: 0 } },
    HP_Body_GetShape: ([id]) => ok(Number(id)), HP_Shape_GetFilterInfo: () => ok([2, 3]), HP_Shape_GetType: () => ok({ value: 0 }), HP_Body_GetMotionType: () => ok({ value: 2 }),
    HP_Body_GetQTransform: ([id]) => ok([[10 * Number(id), 0, 0], [0, 0, 0, 1]]), HP_Body_GetActivationState: () => ok({ value: 0 }), HP_Body_GetLinearVelocity: () => ok([1, 2, 3]),
    HP_Body_GetAngularVelocity: () => ok([0, 0, 0]), HP_Body_GetMassProperties: () => ok([[0, 0, 0], 4]), HP_Shape_CreateDebugDisplayGeometry: (shape) => ok(shape), HP_DebugGeometry_Release: () => {},
    HP_DebugGeometry_GetInfo: (shape) => ok([write(Float32Array, drawn[shape].points.flat()), drawn[shape].points.length, write(Uint32Array, drawn[shape].faces.flat()), drawn[shape].faces.length]),
    HP_Shape_GetBoundingBox: (shape) => ok(drawn[shape].box),
  };
  const [header, , line] = await recorded('havok', havok(HK, 0, () => [0n, [1n], 2n, 3n, 4n]), [() => {}]);
  const [box, slanted, sphere, pair, sheet] = header.objects;
  near(box, { shape: { box: { half_extents: [1, 1, 1], radius: 0.5 } }, mass: 4, layer: 2, mask: 3 });
  near(slanted.shape.convex_hull.points[0], [-1.5, -1, -1]);
  near(sphere, { shape: { sphere: { radius: 2 } }, position: [20, 1, 0] });
  near(pair.shape.compound, [{ shape: { box: { half_extents: [1, 1, 1] } }, position: [0, 0, 0] }, { position: [5, 0, 0] }]);
  near(sheet.shape.mesh, { triangles: [[0, 1, 2]] });
  near(line.bodies[2], { id: 2, p: [20, 1, 0], v: [1, 2, 3] });
});

test('arcade: colliders are layers, and pushes are what was not the own velocity', async () => {
  const list = (items) => ({ getArray: () => items, contains: (it) => items.includes(it) });
  const body = (name, x, y, more) => {
    const it = { gameObject: { name }, physicsType: 0, position: { x, y }, halfWidth: 5, halfHeight: 10, velocity: { x: 60, y: 0 }, enable: true, moves: true, immovable: false, mass: 1 };
    return Object.assign(it, { prev: { x, y }, _dx: 0, _dy: 0, blocked: {}, collisionCategory: 1, collisionMask: 1, ...more });
  };
  const [hero, wall, coin, cloud] = [body('hero', 0, 0), body('wall', 20, 0, { physicsType: 1 }), body('coin', 40, 0, { immovable: true }), body('cloud', 0, -90)];
  const tile = (x, canCollide) => ({ canCollide, getLeft: () => 16 * x, getRight: () => 16 * x + 16, getTop: () => 50, getBottom: () => 66 });
  const map = { tilemap: {}, name: 'ground', layer: { data: [[tile(0, true), tile(1, true), tile(2, false), tile(3, true)]] } };
  const colliders = [{ object1: hero.gameObject, object2: [wall.gameObject, map] }, { object1: hero.gameObject, object2: list([coin.gameObject]), overlapOnly: true }];
  const world = { gravity: { x: 0, y: 300 }, fps: 50, bodies: list([hero, coin, cloud]), staticBodies: list([wall]), colliders: { update: () => colliders } };
  const warnings = [];
  const { error } = console;
  console.error = (text) => warnings.push(text);
  const step = () => {
    // It moves 12 pixels, and is pushed back by 3 and up by 1.
    hero.position = { x: 9, y: -1 };
    Object.assign(hero, { _dx: 12, _dy: 0 });
  };
  const [header, , line] = await recorded('arcade', arcade(world), [step]);
  console.error = error;
  assert.deepEqual(warnings, ['hitstop: cloud, of which no collider of the world knows, is not recorded; give its shape in `fields`']);
  const [player, money, stop, left, right] = header.objects;
  near(header, { gravity: [0, -300, 0], dt: 0.02, length: 0.01, engine: 'Phaser' });
  near(player, { name: 'hero', shape: { box: { half_extents: [5, 10, 2000] } }, position: [5, -10, 0], motion: 'dynamic' });
  near([money, stop], [{ sensor: true, motion: 'kinematic' }, { motion: 'fixed' }]);
  near([left, right], [{ position: [16, -58, 0], shape: { box: { half_extents: [16, 8, 2000] } } }, { position: [56, -58, 0], shape: { box: { half_extents: [8, 8, 2000] } } }]);
  const meets = (a, b) => Boolean(a.layer & b.mask && b.layer & a.mask);
  assert.deepEqual([money, stop, left].map((it) => meets(player, it)), [true, true, true]);
  assert.deepEqual([meets(money, stop), meets(stop, left), meets(player, player)], [false, false, false]);
  near(line.pushes, [{ id: 0, push: [-3, 1, 0] }]);
  near(line.bodies[0], { p: [14, -9, 0], v: [60, 0, 0] });
});

test('box2d: bodies by their shapes, each contact once', async () => {
  const id = (index1) => ({ index1, revision: 0 });
  const shapes = { 1: { type: 0, circle: { center: { x: 0, y: 0 }, radius: 0.5 }, body: 1 }, 2: { type: 4, segment: { point1: { x: 1, y: 0 }, point2: { x: -1, y: 0 } }, body: 2 } };
  const contact = { shapeIdA: id(1), shapeIdB: id(2), manifold: { normalX: 0, normalY: -1, pointCount: 1, points: [{ pointX: 0, pointY: -0.05, separation: -0.1 }, {}] } };
  let y = START;
  const fill = (found, items) => {
    items.forEach((it, i) => (found[i] = it));
    return items.length;
  };
  const B2 = {
    b2AABB: class {}, b2ContactData: class {}, b2DefaultQueryFilter: () => ({}), b2World_GetGravity: () => ({ x: 0, y: -10 }), b2World_OverlapAABB: (_w, _box, _filter, add) => Object.keys(shapes).forEach((key) => add(id(key))),
    b2Shape_GetBody: ({ index1 }) => id(shapes[index1].body), b2Shape_GetType: ({ index1 }) => shapes[index1].type, b2Shape_GetCircle: ({ index1 }) => shapes[index1].circle,
    b2Shape_GetChainSegment: ({ index1 }) => shapes[index1], b2Shape_GetFilter: () => ({ categoryBits: 2, maskBits: 3, groupIndex: 0 }), b2Shape_IsSensor: () => false,
    b2Body_GetShapes: ({ index1 }, found) => fill(found, [id(index1)]), b2Body_GetType: ({ index1 }) => (index1 === 1 ? 2 : 1), b2Body_GetRotation: () => ({ s: 0, c: 1 }), b2Body_GetAngularVelocity: () => 0,
    b2Body_GetWorldCenterOfMass: () => ({ x: 0, y }), b2Body_IsAwake: () => true, b2Body_GetPosition: ({ index1 }) => ({ x: 0, y: index1 === 1 ? y : 0 }), b2Body_GetLinearVelocity: () => ({ x: 0, y: -6 }),
    b2Body_GetUserData: () => null, b2Body_GetMass: () => 2, b2Body_IsBullet: () => true, b2Body_GetJointCount: () => 1, b2Body_GetJoints: (_id, found) => fill(found, [{}]),
    b2Joint_GetBodyA: () => id(1), b2Joint_GetBodyB: () => id(2), b2Joint_GetCollideConnected: () => false, b2Body_GetContactCapacity: () => 1, b2Body_GetContactData: (_id, found) => fill(found, [contact]),
  };
  const [header, , line] = await recorded('box2d', box2d(B2, 0), [() => (y = END)]);
  near(header, { engine: 'Box2D 3', margin: 0.02 });
  near(header.objects, [{ motion: 'dynamic', ccd: true, shape: { sphere: { radius: 0.5 } }, layer: 2, mask: 3 }, { motion: 'kinematic', shape: { mesh: { facing: 'front', vertices: [[1, 0, -20]] } } }]);
  near(line.contacts, [{ a: 0, b: 1, normal: [0, 1, 0], ...HIT }]);
  assert.deepEqual([line.contacts.length, line.joints], [1, [[0, 1]]]);
});
