// Tests of the adapters of engines in the plane, with stubs of their types.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import test from 'node:test';
import { ammo } from './ammo.js';
import { arcade } from './arcade.js';
import { box2d } from './box2d.js';
import { cannon } from './cannon.js';
import { babylon, havok } from './havok.js';
import { WorldRecorder } from './hitstop.js';
import { matter } from './matter.js';
import { p2 } from './p2.js';
import { planck } from './planck.js';
import { rapier } from './rapier.js';
import { at, END, FLAT_HIT, near, recorded, START } from './test_tools.mjs';

test('rapier in the plane', async () => {
  const RAPIER = { version: () => '0.21.0', ShapeType: { 4: 'Polyline', 10: 'RoundCuboid' } };
  const of = (type, shape) => ({
    handle: type,
    shape,
    shapeType: () => type,
    parent: () => null,
    isEnabled: () => true,
    isSensor: () => false,
    collisionGroups: () => 0xffffffff,
    translation: () => ({ x: 1, y: 2 }),
    rotation: () => Math.PI / 2,
  });
  const all = [
    of(4, { vertices: new Float32Array([0, 0, 2, 0, 2, 1]), indices: new Uint32Array([0, 1, 1, 2, 2, 0]) }),
    of(10, { halfExtents: { x: 1, y: 2 }, borderRadius: 0.5 }),
  ];
  const world = {
    gravity: { x: 0, y: -10 },
    integrationParameters: { predictionDistance: 0.002 },
    bodies: { getAll: () => [] },
    colliders: { getAll: () => all },
    impulseJoints: { getAll: () => [] },
  };
  const [header] = await recorded('rapier2d', rapier(RAPIER, world), []);
  const [edge, box] = header.objects;
  near(edge, {
    shape: {
      chain: {
        points: [
          [0, 0],
          [2, 0],
          [2, 1],
        ],
        loop: true,
      },
    },
    position: [1, 2],
    rotation: Math.PI / 2,
  });
  near(box, { shape: { box: { half_extents: [1, 2], radius: 0.5 } }, layer: 0xffff, mask: 0xffff });
  near(header, { flat: true, margin: 0.002, gravity: [0, -10] });
});

test('what is not of an engine is named before a file is made', () => {
  const engine = { gravity: { x: 0, y: 1 }, world: { type: 'composite', bodies: [], composites: [] }, pairs: { list: [] } };
  const given = [
    [() => matter(engine.world), /^matter\(engine\) takes/],
    [() => matter(undefined), /^matter\(engine\) takes/],
    [() => planck(engine), /^planck\(world\) takes/],
    [() => p2(engine), /^p2\(world\) takes/],
    [() => arcade({ physics: {} }), /^arcade\(world\) takes/],
    [() => rapier(engine), /^rapier\(RAPIER, world\) takes/],
    [() => box2d(engine), /^box2d\(B2, worldId\) takes/],
    [() => ammo(engine), /^ammo\(Ammo, world\) takes/],
    [() => cannon(engine), /^cannon\(world\) takes/],
    [() => havok(engine), /^havok\(HK, worldId/],
    [() => babylon(engine), /^babylon\(plugin\) takes/],
    [() => engine, /^give the adapter/],
    [() => matter, /^give the adapter/],
    [() => undefined, /^give the adapter/],
  ];
  for (const [adapter, message] of given) assert.throws(() => new WorldRecorder(at('wrong.jsonl'), adapter()), { name: 'TypeError', message });
  assert.ok(!existsSync(at('wrong.jsonl')));
});

test('matter: y leads down, and velocities are of a second', async () => {
  const filter = { category: 2, mask: 5, group: 0 };
  const part = (more) => ({ collisionFilter: filter, isSensor: false, vertices: [], ...more });
  const body = (more) => {
    const made = part({ isStatic: false, isSleeping: false, label: 'body', mass: 3, angle: 0, anglePrev: 0, deltaTime: 10, ...more });
    made.parts ??= [made];
    made.parts.forEach((it) => (it.parent = made));
    return made;
  };
  const ball = body({
    position: { x: 10, y: -40 },
    positionPrev: { x: 9, y: -42 },
    angle: Math.PI / 2,
    anglePrev: Math.PI / 2 - 0.01,
    circleRadius: 50,
    label: 'ball',
  });
  const ground = body({
    position: { x: 0, y: 50 },
    positionPrev: { x: 0, y: 50 },
    isStatic: true,
    vertices: [
      { x: -9, y: 40 },
      { x: 9, y: 40 },
      { x: 0, y: 60 },
    ],
    collisionFilter: { ...filter, group: -7 },
  });
  const contact = {
    bodyA: ball,
    bodyB: ground,
    collided: true,
    normal: { x: 0, y: -1 },
    depth: 10,
    supports: [
      { x: 1, y: 0 },
      { x: 99, y: 99 },
    ],
    supportCount: 1,
  };
  const pairs = [
    { isActive: true, collision: contact },
    { isActive: false, collision: contact },
    { isActive: true, isSensor: true, collision: contact },
  ];
  const engine = {
    gravity: { x: 0, y: 1, scale: 0.001 },
    timing: { timestamp: 0, lastDelta: 0 },
    world: { bodies: [ball], composites: [{ bodies: [ground], composites: [] }] },
    pairs: { list: pairs },
  };
  const [header, , line] = await recorded('matter', matter(engine), [() => (engine.timing = { timestamp: 10, lastDelta: 10 })]);
  near(header, { flat: true, up: '-y', unit: 'px', engine: 'matter', gravity: [0, 1000], margin: 0.05 });
  const version = (module) => JSON.parse(JSON.stringify(matter(engine, module).header)).engine_version;
  assert.equal(version(undefined), undefined);
  assert.equal(version({ version: '0.20.0' }), '0.20.0');
  assert.equal(version({ version: '*' }), undefined, 'built from its sources');
  globalThis.Matter = { version: '0.19.0' };
  assert.equal(version(undefined), '0.19.0', 'of a script tag');
  delete globalThis.Matter;
  near(header.objects[0], { name: 'ball', shape: { circle: { radius: 50 } }, mass: 3, layer: 2, mask: 5, position: [10, -40] });
  near(header.objects[1], {
    motion: 'fixed',
    body: 'group -7',
    shape: {
      polygon: {
        points: [
          [-9, -10],
          [9, -10],
          [0, 10],
        ],
      },
    },
  });
  // From -42 to -40, down, in 10 ms.
  near(line.bodies[0], { p: [10, -40], q: Math.PI / 2, v: [100, 200], w: 1 });
  near(line.contacts, [{ a: 0, b: 1, point: [1, 0], normal: [0, -1], depth: 10 }]);
  assert.equal(line.contacts.length, 1);
});

test('the time of a line is that of the engine, which may have made several steps, or none', async () => {
  const timing = { timestamp: 5000, lastDelta: 8 };
  const engine = { timing, gravity: { x: 0, y: 1 }, world: { bodies: [], composites: [] }, pairs: { list: [] } };
  const update = (...deltas) => deltas.forEach((lastDelta) => Object.assign(timing, { lastDelta, timestamp: timing.timestamp + lastDelta }));
  const steps = [() => update(8), () => {}, () => update(8, 8, 8), () => update(4, 16), (recorder) => update(8) ?? recorder.frame(9), () => update(8)];
  const [, ...lines] = await recorded('clock', matter(engine), steps);
  near(
    lines.map(({ t, substeps = 1, contacts }) => [t, substeps, Boolean(contacts)]),
    [
      [0, 1, false],
      [0.008, 1, true],
      [0.032, 3, false],
      [0.052, 2, false],
      [9, 1, true],
      [9.008, 1, true],
    ],
  );
});

/** A list of planck. */
const linked = (items) => items.reduceRight((next, it) => Object.assign(it, { getNext: () => next }), null);

test('planck: contacts of the poses before the step, without those that are switched off', async () => {
  const fixture = (body, type, shape, more) => ({
    getBody: () => body,
    getShape: () => ({ getType: () => type, m_radius: 0.01, ...shape }),
    getUserData: () => null,
    isSensor: () => false,
    getFilterCategoryBits: () => 4,
    getFilterMaskBits: () => 0xffff,
    getFilterGroupIndex: () => 0,
    ...more,
  });
  const body = (type, y, more) => {
    const it = {
      y,
      isActive: () => true,
      isStatic: () => type === 'static',
      getType: () => type,
      getAngle: () => 0,
      getAngularVelocity: () => 0,
      getUserData: () => type,
      getMass: () => 2,
    };
    it.getPosition = it.getWorldCenter = () => ({ x: 0, y: it.y });
    return Object.assign(it, {
      getLinearVelocity: () => ({ x: 0, y: -6 }),
      isAwake: () => true,
      isBullet: () => true,
      getFixtureList: () => linked(it.fixtures),
      ...more,
    });
  };
  const [ball, ground] = [body('dynamic', START), body('static', 0)];
  ball.fixtures = [fixture(ball, 'circle', { m_radius: 0.5, m_p: { x: 0, y: 0 } })];
  ground.fixtures = [
    fixture(
      ground,
      'chain',
      {
        m_vertices: [
          { x: -1, y: 0 },
          { x: 1, y: 0 },
          { x: 0, y: -1 },
          { x: -1, y: 0 },
        ],
        m_isLoop: true,
      },
      { getFilterGroupIndex: () => -3 },
    ),
  ];
  const seen = [];
  const getWorldManifold = (_none, a, radiusA, b, radiusB) => {
    seen.push(a.p.y, a.q.c, radiusA, b.p.y, radiusB);
    return {
      normal: { x: 0, y: -1 },
      points: [
        { x: 0, y: -0.05 },
        { x: 9, y: 9 },
      ],
      separations: [-0.1],
      pointCount: 1,
    };
  };
  const contact = (isEnabled, isTouching) => ({
    getFixtureA: () => ball.fixtures[0],
    getFixtureB: () => ground.fixtures[0],
    isEnabled: () => isEnabled,
    isTouching: () => isTouching,
    getManifold: () => ({ getWorldManifold }),
  });
  const joint = { getCollideConnected: () => false, getBodyA: () => ball, getBodyB: () => ground };
  const touching = contact(true, true);
  // A step solves its contacts, and those that continuous detection finds once more.
  const listeners = new Set();
  const solve = (...normalImpulses) => listeners.forEach((listener) => listener(touching, { normalImpulses }));
  const world = {
    on: (name, listener) => name === 'post-solve' && listeners.add(listener),
    off: (name, listener) => listeners.delete(listener),
    getGravity: () => ({ x: 0, y: -10 }),
    getContinuousPhysics: () => true,
    getBodyList: () => linked([ball, ground]),
    getJointList: () => linked([joint]),
    getContactList: () => linked([touching, contact(false, true), contact(true, false)]),
  };
  const [header, , line] = await recorded('planck', planck(world), [() => (solve(1, 9), solve(2, 9), (ball.y = END))]);
  const [, , first, second, third] = await recorded('planck_steps', planck(world), [() => solve(0.5), () => solve(0.25), () => {}]);
  assert.deepEqual([first, second, third].map(({ contacts }) => contacts[0].impulse), [0.5, 0.25, undefined]);
  assert.equal(listeners.size, 0);
  near(header, { flat: true, engine: 'planck', margin: 0.02, gravity: [0, -10] });
  near(header.objects, [
    { ccd: true, layer: 4, mask: 0xffff },
    {
      body: 'group -3',
      shape: {
        chain: {
          points: [
            [-1, 0],
            [1, 0],
            [0, -1],
          ],
          loop: true,
        },
      },
    },
  ]);
  near(line.contacts, [{ a: 0, b: 1, normal: [0, 1], impulse: 3, ...FLAT_HIT }]);
  assert.equal(line.contacts.length, 1);
  assert.deepEqual(seen.slice(0, 5), [START, 1, 0.5, 0, 0.01]);
  assert.deepEqual(line.joints, [[0, 1]]);
});

test('p2: arms of contacts are of the start of the step', async () => {
  const shape = (type, more) => ({ type, position: [0, 0], angle: 0, sensor: false, collisionResponse: true, collisionGroup: 2, collisionMask: 3, ...more });
  const body = (type, y, shapes) => ({
    type,
    shapes,
    mass: 2,
    position: [0, y],
    previousPosition: [0, y],
    angle: 0,
    previousAngle: 0,
    velocity: [0, -6],
    angularVelocity: 0,
    sleepState: 0,
    ccdSpeedThreshold: -1,
  });
  // Of two capsules, the one that the contact is on.
  const capsule = { length: 1, radius: 0.5 };
  const ball = body(1, START, [shape(64, { ...capsule, position: [0, 3] }), shape(64, capsule)]);
  const ground = body(2, 0, [shape(128, { heights: [0, 0], elementWidth: 9 })]);
  // p2 names a circle of its own for the end of a capsule, and a convex for a piece of a height field.
  const contact = {
    enabled: true,
    bodyA: ball,
    bodyB: ground,
    shapeA: shape(1),
    shapeB: shape(8),
    normalA: [0, -1],
    contactPointA: [0, -0.5],
    contactPointB: [0, 0],
    multiplier: 150,
  };
  const constraint = (collideConnected) => ({ collideConnected, bodyA: ball, bodyB: ground });
  const world = {
    gravity: [0, -10],
    time: 0,
    bodies: [ball, ground],
    narrowphase: { contactEquations: [contact, { ...contact, enabled: false }] },
    constraints: [constraint(true), constraint(false)],
  };
  const [header, , line] = await recorded('p2', p2(world), [() => Object.assign(world, { time: 0.02, lastTimeStep: 0.02 }, (ball.position[1] = END))]);
  near(header.objects, [
    {},
    { ccd: false, layer: 2, mask: 3, mass: 2, shape: { capsule: { a: [-0.5, 0], b: [0.5, 0], radius: 0.5 } } },
    {
      shape: {
        chain: {
          points: [
            [0, 0],
            [9, 0],
          ],
        },
      },
    },
  ]);
  near(line, { t: 0.02, contacts: [{ a: 1, b: 2, point: [0, -0.1], normal: [0, 1], depth: 0.1, impulse: 3 }] });
  assert.deepEqual([line.contacts.length, line.joints.length], [1, 2]);
});

test('box2d: bodies by their shapes, segments as their chain, each contact once', async () => {
  const id = (index1) => ({ index1, revision: 0 });
  const shapes = {
    1: { type: 0, circle: { center: { x: 0, y: 0 }, radius: 0.5 }, body: 1 },
    2: { type: 4, segment: { point1: { x: 1, y: 0 }, point2: { x: -1, y: 0 } }, body: 2 },
    3: { type: 4, segment: { point1: { x: -1, y: 0 }, point2: { x: -2, y: 1 } }, body: 2 },
  };
  const contact = {
    shapeIdA: id(1),
    shapeIdB: id(2),
    manifold: { normalX: 0, normalY: -1, pointCount: 1, points: [{ pointX: 0, pointY: -0.05, separation: -0.1 }, {}] },
  };
  let y = START;
  const fill = (found, items) => {
    items.forEach((it, i) => (found[i] = it));
    return items.length;
  };
  const B2 = {
    b2AABB: class {},
    b2ContactData: class {},
    b2DefaultQueryFilter: () => ({}),
    b2World_GetGravity: () => ({ x: 0, y: -10 }),
    b2World_OverlapAABB: (_w, _box, _filter, add) => Object.keys(shapes).forEach((key) => add(id(key))),
    b2Shape_GetBody: ({ index1 }) => id(shapes[index1].body),
    b2Shape_GetType: ({ index1 }) => shapes[index1].type,
    b2Shape_GetCircle: ({ index1 }) => shapes[index1].circle,
    b2Shape_GetChainSegment: ({ index1 }) => shapes[index1],
    b2Shape_GetFilter: () => ({ categoryBits: 2, maskBits: 3, groupIndex: 0 }),
    b2Shape_IsSensor: () => false,
    b2Shape_GetParentChain: () => id(7),
    b2Body_GetShapes: ({ index1 }, found) => fill(found, index1 === 1 ? [id(1)] : [id(3), id(2)]),
    b2Body_GetType: ({ index1 }) => (index1 === 1 ? 2 : 1),
    b2Body_GetRotation: () => ({ s: 0, c: 1 }),
    b2Body_GetAngularVelocity: () => 0,
    b2Body_GetWorldCenterOfMass: () => ({ x: 0, y }),
    b2Body_IsAwake: () => true,
    b2Body_GetPosition: ({ index1 }) => ({ x: 0, y: index1 === 1 ? y : 0 }),
    b2Body_GetLinearVelocity: () => ({ x: 0, y: -6 }),
    b2Body_GetUserData: () => null,
    b2Body_GetMass: () => 2,
    b2Body_IsBullet: () => true,
    b2Body_GetJointCount: () => 1,
    b2Body_GetJoints: (_id, found) => fill(found, [{}]),
    b2Joint_GetBodyA: () => id(1),
    b2Joint_GetBodyB: () => id(2),
    b2Joint_GetCollideConnected: () => false,
    b2Body_GetContactCapacity: () => 1,
    b2Body_GetContactData: (_id, found) => fill(found, [contact]),
  };
  const [header, , line] = await recorded('box2d', box2d(B2, 0), [() => (y = END)]);
  near(header, { flat: true, engine: 'Box2D 3', margin: 0.02 });
  near(header.objects, [
    { motion: 'dynamic', ccd: true, shape: { circle: { radius: 0.5 } }, layer: 2, mask: 3 },
    {
      motion: 'kinematic',
      shape: {
        chain: {
          facing: 'right',
          points: [
            [1, 0],
            [-1, 0],
            [-2, 1],
          ],
        },
      },
    },
  ]);
  assert.equal(header.objects.length, 2);
  near(line.contacts, [{ a: 0, b: 1, normal: [0, 1], ...FLAT_HIT }]);
  assert.deepEqual([line.contacts.length, line.joints], [1, [[0, 1]]]);
});
