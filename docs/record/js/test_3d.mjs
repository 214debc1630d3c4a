// Tests of the adapters of engines in space, with stubs of their types.

import assert from 'node:assert/strict';
import test from 'node:test';
import { ammo } from './ammo.js';
import { cannon } from './cannon.js';
import { named } from './geometry.js';
import { havok } from './havok.js';
import { rapier, recordMove } from './rapier.js';
import { END, HALF, HIT, near, recorded, START, vec } from './test_tools.mjs';

test('rapier: a manifold that is flipped, of the poses before the step', async () => {
  const RAPIER = { version: () => '0.21.0', ShapeType: { 0: 'Ball', 1: 'Cuboid', 9: 'RoundConvexPolyhedron', 17: 'HalfSpace' } };
  const IDENTITY = { x: 0, y: 0, z: 0, w: 1 };
  const collider = (handle, parent, type, shape, place, more) => ({
    handle,
    shape,
    shapeType: () => type,
    parent: () => parent,
    isEnabled: () => true,
    isSensor: () => false,
    collisionGroups: () => 0x00020003,
    translation: place,
    rotation: () => IDENTITY,
    ...more,
  });
  const ball = {
    y: START,
    p: () => vec(0, ball.y, 0),
    handle: 0,
    numColliders: () => 2,
    collider: (i) => parts[i],
    isEnabled: () => true,
    isFixed: () => false,
    isKinematic: () => false,
    isDynamic: () => true,
    isSleeping: () => false,
    isCcdEnabled: () => true,
    mass: () => 2,
    translation: () => ball.p(),
    rotation: () => IDENTITY,
    linvel: () => vec(0, -6, 0),
    angvel: () => vec(0, 0, 1),
    worldCom: () => ball.p(),
    userData: 'ball',
  };
  const parts = [
    collider(1, ball, 0, { radius: 0.5 }, () => ball.p()),
    collider(2, ball, 9, { vertices: new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]), borderRadius: 0.25 }, () => vec(1, ball.y, 0), {
      isSensor: () => true,
    }),
  ];
  const ground = collider(3, null, 1, { halfExtents: vec(5, 0.5, 5) }, () => vec(0, -0.5, 0));
  const manifold = {
    localNormal1: () => vec(0, 1, 0),
    numContacts: () => 1,
    localContactPoint1: () => vec(0, 0.5, 0),
    localContactPoint2: () => vec(0, -0.5, 0),
    contactImpulse: () => 3,
  };
  // What a character hits, each with the way that it had made and the rest, and how far it came.
  const hit = (applied, rest, collider, normal) => ({
    collider,
    translationDeltaApplied: vec(...applied),
    translationDeltaRemaining: vec(...rest),
    normal1: vec(...normal),
    witness1: vec(1.5, 0, 0),
  });
  const moved = [
    [[], [2, -1.5, 0]],
    [[hit([0.5, 0, 0], [1.5, 0, 0], ground, [-1, 0, 0]), hit([1, 0.5, 0], [0.5, 0, 0], null, [0, 1, 0])], [1.5, 0.5, 0]],
  ];
  const controller = (hits, to) => ({
    up: () => vec(0, 1, 0),
    computedMovement: () => vec(...to),
    numComputedCollisions: () => hits.length,
    computedCollision: (i) => hits[i],
    computedGrounded: () => true,
    snapToGroundEnabled: () => hits.length === 0,
    snapToGroundDistance: () => null,
    autostepMaxHeight: () => 0.5,
    maxSlopeClimbAngle: () => Math.fround(Math.PI / 4),
    offset: () => Math.fround(0.01),
  });
  const joint = { contactsEnabled: () => false, body1: () => ball, body2: () => ball };
  const world = {
    gravity: vec(0, -981, 0),
    timestep: 0.02,
    lengthUnit: 100,
    integrationParameters: { normalizedPredictionDistance: 0.02, maxCcdSubsteps: 1 },
    bodies: { getAll: () => [ball] },
    colliders: { getAll: () => [...parts, ground] },
    impulseJoints: { getAll: () => [joint] },
    contactPairsWith: (one, found) => one === parts[0] && found(ground),
    contactPair: (_one, _two, found) => found(manifold, true),
  };
  const steps = [
    (recorder) => {
      moved.forEach(([hits, to]) => recordMove(recorder, controller(hits, to), parts[1], vec(2, -1, 0)));
      ball.y = END;
    },
  ];
  const [header, , line] = await recorded('rapier', rapier(RAPIER, world), steps);
  near(header, { engine: 'rapier.js 0.21.0', scalar: 'f32', length: 0.01, margin: 2, dt: 0.02, gravity: [0, -981, 0] });
  const [one, two, floor] = header.objects;
  near(one, { name: 'ball part 1', motion: 'dynamic', mass: 2, ccd: true, layer: 2, mask: 3, shape: { sphere: { radius: 0.5 } }, body: two.body });
  near(two, { sensor: true, shape: { convex_hull: { radius: 0.25 } }, position: [1, START, 0] });
  near(floor, { motion: 'fixed', shape: { box: { half_extents: [5, 0.5, 5] } }, position: [0, -0.5, 0] });
  near(line.contacts, [{ a: 2, b: 0, normal: [0, -1, 0], impulse: 3, ...HIT }]);
  near(line.bodies.slice(0, 2), [
    { p: [0, END, 0], v: [0, -6, 0], w: [0, 0, 1] },
    { p: [1, END, 0], v: [0, -5, 0] },
  ]);
  assert.equal(line.t, 0.02);
  const [free, climbing] = line.moves;
  const from = [1, START, 0];
  const limits = { id: 1, grounded: true, up: [0, 1, 0], max_slope: 45, max_step: 0.51, snap: 0, skin: 0.01 };
  near(free, { ...limits, from, wish: [2, -1, 0], to: [3, START - 1.5, 0] });
  // It hits nothing, and is held to the floor.
  near(free.sweeps, [
    { kind: 'move', from, to: [3, START - 1, 0], hit: null },
    { kind: 'snap', from: [3, START - 1, 0], to: [3, START - 1.5, 0] },
  ]);
  near(climbing.sweeps, [
    { kind: 'move', from, to: [1.5, START, 0], wish: [2, 0, 0], hit: { id: 2, normal: [-1, 0, 0], point: [1.5, 0, 0] } },
    { kind: 'step_up', from: [1.5, START, 0], to: [1.5, START + 0.5, 0] },
    { kind: 'step_forward', from: [1.5, START + 0.5, 0], to: [2, START + 0.5, 0], hit: null },
    { kind: 'slide', from: [2, START + 0.5, 0], to: [2.5, START + 0.5, 0], hit: null },
  ]);
});

test('a name is a text, or that of an object', () => {
  for (const [data, name] of [['ball', 'ball'], [{ name: 'ball' }, 'ball'], [{ name: 7 }], [{}], [''], [7], [null], [undefined]]) {
    assert.equal(named(data), name, JSON.stringify(data));
  }
});

test('cannon: arms of contacts are of the start of the step, and its shapes may be named the other way round', async () => {
  const body = (type, y, s, more) => ({
    type,
    position: vec(0, y, 0),
    previousPosition: vec(0, y, 0),
    quaternion: { x: 0, y: 0, z: 0, w: 1 },
    velocity: vec(0, -6, 0),
    angularVelocity: vec(0, 0, 0),
    sleepState: 0,
    mass: 2,
    shapes: [{ collisionResponse: true, ...s }],
    shapeOffsets: [vec(0, 0, 0)],
    shapeOrientations: [{ x: 0, y: 0, z: 0, w: 1 }],
    collisionResponse: true,
    collisionFilterGroup: 2,
    collisionFilterMask: -1,
    ...more,
  });
  const ball = body(1, START, { type: 1, radius: 0.5 });
  const ground = body(
    2,
    0,
    {
      type: 32,
      data: [
        [0, 1],
        [2, 3],
      ],
      elementSize: 10,
    },
    { isTrigger: true },
  );
  const contact = { enabled: true, bi: ball, bj: ground, si: ground.shapes[0], sj: ball.shapes[0], ni: vec(0, -1, 0), ri: vec(0, -0.5, 0), rj: vec(0, 0, 0), multiplier: 150 };
  // A box against the height field, each named by a hull of cannon's own.
  const box = body(1, START, { type: 4, halfExtents: vec(0.5, 0.5, 0.5), convexPolyhedronRepresentation: {} }, { collisionFilterGroup: 1 });
  Object.assign(box.shapes[0], { collisionFilterGroup: 8, collisionFilterMask: 3 });
  const hulls = { ...contact, bi: box, si: box.shapes[0].convexPolyhedronRepresentation, sj: {} };
  const contacts = [contact, { ...contact, enabled: false }, hulls];
  const world = { gravity: vec(0, -10, 0), bodies: [ball, ground, box], contacts, constraints: [], dt: 0.02 };
  const [header, , line] = await recorded('cannon', cannon(world), [() => (ball.position.y = END)]);
  near(header.objects[0], { shape: { sphere: { radius: 0.5 } }, layer: 2, mask: -1, ccd: false });
  const field = {
    vertices: [
      [0, 0, 0],
      [0, 10, 1],
      [10, 0, 2],
      [10, 10, 3],
    ],
    triangles: [
      [0, 2, 1],
      [2, 3, 1],
    ],
  };
  near(header.objects[1], { sensor: true, shape: { mesh: field } });
  near(header.objects[2], { layer: 8, mask: 3 });
  const hit = { a: 0, b: 1, point: [0, 0, 0], normal: [0, 1, 0], depth: 0.1, impulse: 3 };
  near(line.contacts, [hit, { ...hit, a: 2 }]);
  assert.equal(line.contacts.length, 2);
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
  const shapes = {
    btBoxShape: { ptr: 10, half: [5, 0.5, 5] },
    btSphereShape: { ptr: 11, getMargin: () => 0.5 },
    btCylinderShapeZ: { ptr: 12, half: [1, 1, 3] },
  };
  const made = (it) => ({ [it.ptr]: it });
  const body = (ptr, shape, y, flags) => {
    const it = {
      ptr,
      y,
      getBroadphaseProxy: () => ({ ptr: 9, get_m_collisionFilterGroup: () => 2, get_m_collisionFilterMask: () => -3 }),
      getCollisionFlags: () => flags,
      getMass: () => 2,
    };
    const turn = Object.assign(new btVector3(), { w: () => 1 });
    it.getWorldTransform = () => ({ getOrigin: () => new btVector3(0, it.y, 0), getRotation: () => turn });
    return Object.assign(it, {
      getLinearVelocity: () => new btVector3(0, -6, 0),
      getAngularVelocity: () => new btVector3(),
      isActive: () => ptr === 2,
      getCollisionShape: () => ({ ptr: shape.ptr }),
    });
  };
  const [ground, ball, roll] = [body(1, shapes.btBoxShape, -0.5, 1), body(2, shapes.btSphereShape, START, 0), body(3, shapes.btCylinderShapeZ, 7, 2)];
  const away = { ...body(4, shapes.btBoxShape, 0, 0), getBroadphaseProxy: () => ({ ptr: 0 }) };
  const caches = { btRigidBody: { 1: ground, 2: ball, 3: roll, 4: away } };
  for (const [type, it] of Object.entries(shapes)) caches[type] = made(it);
  const point = {
    get_m_normalWorldOnB: () => new btVector3(0, -1, 0),
    get_m_localPointA: () => new btVector3(0, 0.5, 0),
    get_m_localPointB: () => new btVector3(0, -0.5, 0),
    getAppliedImpulse: () => 3,
  };
  const manifold = { getBody0: () => ({ ptr: 1 }), getBody1: () => ({ ptr: 2 }), getNumContacts: () => 1, getContactPoint: () => point };
  const Ammo = {
    btVector3,
    btTransform,
    btDefaultMotionState: class {},
    btRigidBodyConstructionInfo,
    getPointer: (it) => it.ptr,
    getCache: (type) => caches[type.key ?? 'btRigidBody'] ?? {},
    destroy: () => {},
    btRigidBody,
    ...Object.fromEntries(['btBoxShape', 'btSphereShape', 'btCylinderShapeZ', 'btCylinderShape'].map((key) => [key, { key }])),
  };
  const world = { getGravity: () => new btVector3(0, -10, 0), getDispatcher: () => ({ getNumManifolds: () => 1, getManifoldByIndexInternal: () => manifold }) };
  const [header, , line] = await recorded('ammo', ammo(Ammo, world), [() => (ball.y = END)]);
  near(header.objects, [
    { motion: 'fixed', shape: { box: { half_extents: [5, 0.5, 5] } }, layer: 2, mask: -3 },
    { motion: 'dynamic', mass: 2, shape: { sphere: { radius: 0.5 } } },
    { motion: 'kinematic', shape: { compound: [{ shape: { cylinder: { half_height: 3, radius: 1 } }, rotation: [HALF, 0, 0, HALF] }] } },
  ]);
  assert.equal(header.objects.length, 3);
  near(line.contacts, [{ a: 0, b: 1, point: [0, -0.1, 0], normal: [0, -1, 0], depth: 0.1, impulse: 3 }]);
  assert.deepEqual(line.bodies.map(({ asleep }) => asleep), [undefined, undefined, true]);
});

test('havok: shapes from what it draws', async () => {
  const corners = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => [x, y, z])));
  const faces = [
    [0, 1, 3],
    [0, 3, 2],
    [4, 6, 7],
    [4, 7, 5],
    [0, 4, 5],
    [0, 5, 1],
    [2, 3, 7],
    [2, 7, 6],
    [0, 2, 6],
    [0, 6, 4],
    [1, 5, 7],
    [1, 7, 3],
  ];
  const moved = (points, by) => points.map((point) => point.map((x, axis) => x + by[axis]));
  const sheared = corners.map(([x, y, z]) => [x + 0.5 * y, y, z]);
  // 18 by 9 points on a sphere of radius 2 around (0, 1, 0).
  const round = Array.from({ length: 162 }, (_, i) => [((i % 18) * Math.PI) / 9, ((Math.floor(i / 18) + 0.5) * Math.PI) / 9]).map(([a, b]) => [
    2 * Math.cos(a) * Math.sin(b),
    1 + 2 * Math.cos(b),
    2 * Math.sin(a) * Math.sin(b),
  ]);
  const drawn = [
    {
      points: corners,
      faces,
      box: [
        [-1.5, -1.5, -1.5],
        [1.5, 1.5, 1.5],
      ],
    },
    {
      points: sheared,
      faces,
      box: [
        [-1.5, -1, -1],
        [1.5, 1, 1],
      ],
    },
    {
      points: round,
      faces: round.slice(2).map((_, i) => [i, i + 1, i + 2]),
      box: [
        [-2, -1, -2],
        [2, 3, 2],
      ],
    },
    {
      points: [...corners, ...moved(corners, [5, 0, 0])],
      faces: [...faces, ...faces.map((face) => face.map((i) => i + 8))],
      box: [
        [-1, -1, -1],
        [6, 1, 1],
      ],
    },
    {
      points: corners.slice(0, 3),
      faces: [[0, 1, 2]],
      box: [
        [-1, -1, -1],
        [-1, 1, 1],
      ],
    },
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
    HEAPU8: new Uint8Array(heap),
    MotionType: { STATIC: { value: 0 }, KINEMATIC: { value: 1 }, DYNAMIC: { value: 2 } },
    ActivationState: { INACTIVE: { value: 1 } },
    ShapeType: { COLLIDER: { value: 0 } },
    HP_Body_GetShape: ([id]) => ok(Number(id)),
    HP_Shape_GetFilterInfo: () => ok([2, 3]),
    HP_Shape_GetType: () => ok({ value: 0 }),
    HP_Body_GetMotionType: () => ok({ value: 2 }),
    HP_Body_GetQTransform: ([id]) =>
      ok([
        [10 * Number(id), 0, 0],
        [0, 0, 0, 1],
      ]),
    HP_Body_GetActivationState: () => ok({ value: 0 }),
    HP_Body_GetLinearVelocity: () => ok([1, 2, 3]),
    HP_Body_GetAngularVelocity: () => ok([0, 0, 0]),
    HP_Body_GetMassProperties: () => ok([[0, 0, 0], 4]),
    HP_Shape_CreateDebugDisplayGeometry: (shape) => ok(shape),
    HP_DebugGeometry_Release: () => {},
    HP_DebugGeometry_GetInfo: (shape) =>
      ok([
        write(Float32Array, drawn[shape].points.flat()),
        drawn[shape].points.length,
        write(Uint32Array, drawn[shape].faces.flat()),
        drawn[shape].faces.length,
      ]),
    HP_Shape_GetBoundingBox: (shape) => ok(drawn[shape].box),
  };
  const [header, , line] = await recorded(
    'havok',
    havok(HK, 0, () => [0n, [1n], 2n, 3n, 4n]),
    [() => {}],
  );
  const [box, slanted, sphere, pair, sheet] = header.objects;
  near(box, { shape: { box: { half_extents: [1, 1, 1], radius: 0.5 } }, mass: 4, layer: 2, mask: 3 });
  near(slanted.shape.convex_hull.points[0], [-1.5, -1, -1]);
  near(sphere, { shape: { sphere: { radius: 2 } }, position: [20, 1, 0] });
  near(pair.shape.compound, [{ shape: { box: { half_extents: [1, 1, 1] } }, position: [0, 0, 0] }, { position: [5, 0, 0] }]);
  near(sheet.shape.mesh, { triangles: [[0, 1, 2]] });
  near(line.bodies[2], { id: 2, p: [20, 1, 0], v: [1, 2, 3] });
});
