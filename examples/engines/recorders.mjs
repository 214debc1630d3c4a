// Records a level in each engine with docs/record/js: a ball at 60 m/s through a thin wall, and the same ball at 3 m/s.
//
//     npm install --prefix /tmp/engines matter-js planck ..     # those that you want
//     cd /tmp/engines; HITSTOP=.../hitstop node .../recorders.mjs OUT [ENGINE ..]
//
// OUT/ENGINE-bug.jsonl and OUT/ENGINE-ok.jsonl: Hitstop finds the ball in the first, and nothing in the second. Without HITSTOP they are only written.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const here = new URL('../../docs/record/js/', import.meta.url);
const { WorldRecorder } = await import(new URL('hitstop.js', here));
const adapter = async (name) => (await import(new URL(`${name}.js`, here)))[name];
const require = createRequire(path.join(process.cwd(), 'x.js'));
const load = (name) => import(pathToFileURL(require.resolve(name)).href).then((it) => it.default ?? it);
const DT = 1 / 60;
const SECONDS = 2;
const GRAVITY = [0, -9.81, 0];

// The level, in metres: a floor up to y = 0, a wall of 4 cm at x = 2, the ball, and things at rest on the floor.
const FLOOR = { name: 'floor', half: [20, 0.5, 5], p: [0, -0.5, 0] };
const WALL = { name: 'wall', half: [0.02, 2, 2], p: [2, 2, 0] };
const BALL = { name: 'ball', radius: 0.15, p: [-2.3, 1.2, 0] };
const CRATE = { name: 'crate', half: [0.3, 0.3, 0.3], p: [-4, 0.31, 0] };
const ROCK = {
  name: 'rock',
  points: [
    [-0.3, -0.2],
    [0.3, -0.2],
    [0.2, 0.3],
    [-0.2, 0.3],
  ],
  p: [-6, 0.25, 0],
};
const HILLS = Array.from({ length: 8 }, (_, x) => Array.from({ length: 6 }, (_, y) => 0.6 + 0.3 * Math.sin(0.9 * x + 0.5 * y)));

const engines = {
  async rapier3d(speed) {
    const R = await load('@dimforge/rapier3d-compat');
    await R.init();
    const world = new R.World({ x: 0, y: -9.81, z: 0 });
    world.maxCcdSubsteps = 0;
    const { RigidBodyDesc: B, ColliderDesc: C } = R;
    const add = (it, body, shape) => {
      const made = world.createRigidBody(body.setTranslation(...it.p));
      made.userData = it.name;
      world.createCollider(shape, made);
      return made;
    };
    for (const it of [FLOOR, WALL]) add(it, B.fixed(), C.cuboid(...it.half));
    add(CRATE, B.dynamic(), C.cuboid(...CRATE.half));
    add(ROCK, B.dynamic(), C.convexHull(new Float32Array(ROCK.points.flatMap(([x, y]) => [x, y, -0.2, x, y, 0.2]))));
    add({ name: 'pill', p: [-8, 0.51, 0] }, B.dynamic(), C.capsule(0.3, 0.2));
    // Two colliders of one body, one of them turned, and a joint that keeps two bodies from each other.
    const car = add({ name: 'car', p: [5, 0.41, 0] }, B.dynamic(), C.cuboid(0.5, 0.1, 0.3));
    world.createCollider(C.cylinder(0.3, 0.2).setTranslation(0, -0.2, 0).setRotation({ x: Math.SQRT1_2, y: 0, z: 0, w: Math.SQRT1_2 }), car);
    const bob = add({ name: 'bob', p: [5, 0.6, 0] }, B.dynamic(), C.ball(0.1));
    const joint = R.JointData.spherical({ x: 0, y: 0.2, z: 0 }, { x: 0, y: 0, z: 0 });
    world.createImpulseJoint(joint, car, bob, true).setContactsEnabled(false);
    add(BALL, B.dynamic().setLinvel(speed, 0, 0), C.ball(BALL.radius));
    // A character that walks into the wall.
    const walker = add({ name: 'walker', p: [0, 0.91, -1] }, B.kinematicPositionBased(), C.capsule(0.6, 0.3));
    const controller = world.createCharacterController(0.01);
    const { recordMove } = await import(new URL('rapier.js', here));
    const step = (recorder) => {
      const wish = { x: 2 * DT, y: -0.01, z: 0 };
      controller.computeColliderMovement(walker.collider(0), wish);
      recordMove(recorder, controller, walker.collider(0), wish);
      const [from, way] = [walker.translation(), controller.computedMovement()];
      walker.setNextKinematicTranslation({ x: from.x + way.x, y: from.y + way.y, z: from.z + way.z });
      world.step();
    };
    return { engine: (await adapter('rapier'))(R, world), step };
  },
  async rapier2d(speed) {
    const R = await load('@dimforge/rapier2d-compat');
    await R.init();
    const world = new R.World({ x: 0, y: -9.81 });
    world.maxCcdSubsteps = 0;
    const { RigidBodyDesc: B, ColliderDesc: C } = R;
    const add = (it, body, shape) => {
      const made = world.createRigidBody(body.setTranslation(it.p[0], it.p[1]));
      made.userData = it.name;
      world.createCollider(shape, made);
    };
    world.createCollider(C.polyline(new Float32Array([-20, 0, 0, 0, 20, 0])));
    add(WALL, B.fixed(), C.cuboid(WALL.half[0], WALL.half[1]));
    add(CRATE, B.dynamic(), C.cuboid(0.3, 0.3));
    add(ROCK, B.dynamic(), C.convexHull(new Float32Array(ROCK.points.flat())));
    add({ name: 'pill', p: [-8, 0.51] }, B.dynamic(), C.capsule(0.3, 0.2));
    add(BALL, B.dynamic().setLinvel(speed, 0), C.ball(BALL.radius));
    return { engine: (await adapter('rapier'))(R, world), step: () => world.step() };
  },
  async matter(speed) {
    const M = await load('matter-js');
    // 100 pixels a metre, and y leads down.
    const at = ({ p }) => [100 * p[0], -100 * p[1]];
    const engine = M.Engine.create();
    const box = (it, more) => M.Bodies.rectangle(...at(it), 200 * it.half[0], 200 * it.half[1], { label: it.name, ...more });
    const ball = M.Bodies.circle(...at(BALL), 100 * BALL.radius, { label: 'ball', frictionAir: 0 });
    const rock = M.Bodies.fromVertices(...at(ROCK), [ROCK.points.map(([x, y]) => ({ x: 100 * x, y: -100 * y }))], { label: 'rock' });
    const cross = M.Body.create({ label: 'cross', parts: [M.Bodies.rectangle(500, -60, 100, 20), M.Bodies.rectangle(500, -60, 20, 100)] });
    M.Composite.add(engine.world, [box(FLOOR, { isStatic: true }), box(WALL, { isStatic: true }), box(CRATE), rock, cross, ball]);
    M.Body.setVelocity(ball, { x: (100 * speed) / 60, y: 0 });
    return { engine: (await adapter('matter'))(engine, M), step: () => M.Engine.update(engine, 1000 * DT) };
  },
  async planck(speed) {
    const P = await load('planck');
    const world = new P.World({ gravity: P.Vec2(0, -9.81) });
    world.setContinuousPhysics(false);
    const add = (it, type, shape, more) => {
      const body = world.createBody({ type, position: P.Vec2(it.p[0], it.p[1]), userData: it.name, ...more });
      body.createFixture({ shape, density: 1 });
      return body;
    };
    add({ name: 'ground', p: [0, 0] }, 'static', P.Chain([P.Vec2(-20, 0), P.Vec2(0, 0), P.Vec2(20, 0)]));
    add(WALL, 'static', P.Box(WALL.half[0], WALL.half[1]));
    add(CRATE, 'dynamic', P.Box(0.3, 0.3));
    add(ROCK, 'dynamic', P.Polygon(ROCK.points.map(([x, y]) => P.Vec2(x, y))));
    const one = add({ name: 'left', p: [5, 0.31] }, 'dynamic', P.Circle(P.Vec2(0.1, 0), 0.3));
    const two = add({ name: 'right', p: [5.4, 0.31] }, 'dynamic', P.Circle(0.3));
    world.createJoint(P.DistanceJoint({}, one, two, P.Vec2(5, 0.31), P.Vec2(5.4, 0.31)));
    add(BALL, 'dynamic', P.Circle(BALL.radius), { linearVelocity: P.Vec2(speed, 0) });
    return { engine: (await adapter('planck'))(world), step: () => world.step(DT) };
  },
  async p2(speed) {
    const P = await import(pathToFileURL(require.resolve('p2-es')).href);
    const world = new P.World({ gravity: [0, -9.81] });
    const add = (it, mass, shape, more) => {
      const body = new P.Body({ mass, position: [it.p[0], it.p[1]], damping: 0, ...more });
      body.addShape(shape);
      world.addBody(body);
      return body;
    };
    add(FLOOR, 0, new P.Box({ width: 40, height: 1 }));
    add(WALL, 0, new P.Box({ width: 2 * WALL.half[0], height: 2 * WALL.half[1] }));
    add(CRATE, 1, new P.Box({ width: 0.6, height: 0.6 }));
    add(ROCK, 1, new P.Convex({ vertices: ROCK.points }));
    add({ p: [-8, 0.21] }, 1, new P.Capsule({ length: 0.6, radius: 0.2 }));
    // A box and a convex on a height field, in whose place p2 names shapes of its own.
    add({ p: [30, 0] }, 0, new P.Heightfield({ heights: HILLS.map((column) => column[0]), elementWidth: 1 }));
    add({ p: [32.5, 1.6] }, 1, new P.Box({ width: 0.6, height: 0.6 }));
    add({ p: [35, 1.6] }, 1, new P.Convex({ vertices: ROCK.points }));
    add(BALL, 1, new P.Circle({ radius: BALL.radius }), { velocity: [speed, 0] });
    return { engine: (await adapter('p2'))(world), step: () => world.step(DT) };
  },
  async cannon(speed) {
    const C = await load('cannon-es');
    const world = new C.World({ gravity: new C.Vec3(...GRAVITY) });
    const add = (it, mass, shape) => {
      const body = new C.Body({ mass, position: new C.Vec3(...it.p), linearDamping: 0 });
      body.addShape(shape);
      world.addBody(body);
      return body;
    };
    const ground = add({ p: [0, 0, 0] }, 0, new C.Plane());
    ground.quaternion.setFromEuler(-Math.PI / 2, 0, 0);
    add(WALL, 0, new C.Box(new C.Vec3(...WALL.half)));
    add(CRATE, 5, new C.Box(new C.Vec3(...CRATE.half)));
    add({ p: [-8, 0.31, 0] }, 5, new C.Cylinder(0.3, 0.3, 0.6, 16));
    const bars = add({ p: [5, 0.11, 0] }, 5, new C.Box(new C.Vec3(0.5, 0.1, 0.1)));
    bars.addShape(new C.Box(new C.Vec3(0.1, 0.1, 0.5)), new C.Vec3(0, 0, 0.1));
    // A box and a cylinder on a height field, of whose cells cannon makes hulls.
    add({ p: [30, 0, 0] }, 0, new C.Heightfield(HILLS, { elementSize: 1 })).quaternion.setFromEuler(-Math.PI / 2, 0, 0);
    add({ p: [32.5, 1.6, -2.4] }, 5, new C.Box(new C.Vec3(...CRATE.half)));
    add({ p: [35, 1.6, -2.6] }, 5, new C.Cylinder(0.3, 0.3, 0.6, 16));
    add(BALL, 1, new C.Sphere(BALL.radius)).velocity.set(speed, 0, 0);
    return { engine: (await adapter('cannon'))(world), step: () => world.step(DT) };
  },
  async ammo(speed) {
    const A = await require('ammojs3/dist/ammo.js').call({});
    const settings = new A.btDefaultCollisionConfiguration();
    const world = new A.btDiscreteDynamicsWorld(
      new A.btCollisionDispatcher(settings),
      new A.btDbvtBroadphase(),
      new A.btSequentialImpulseConstraintSolver(),
      settings,
    );
    const vector = (v) => new A.btVector3(...v);
    world.setGravity(vector(GRAVITY));
    const add = (it, mass, shape, v = [0, 0, 0]) => {
      const place = new A.btTransform();
      place.setIdentity();
      place.setOrigin(vector(it.p));
      const inertia = vector([0, 0, 0]);
      if (mass) shape.calculateLocalInertia(mass, inertia);
      const body = new A.btRigidBody(new A.btRigidBodyConstructionInfo(mass, new A.btDefaultMotionState(place), shape, inertia));
      body.setLinearVelocity(vector(v));
      world.addRigidBody(body);
    };
    const rock = new A.btConvexHullShape();
    for (const [x, y] of ROCK.points) for (const z of [-0.2, 0.2]) rock.addPoint(vector([x, y, z]), true);
    for (const it of [FLOOR, WALL]) add(it, 0, new A.btBoxShape(vector(it.half)));
    add(CRATE, 5, new A.btBoxShape(vector(CRATE.half)));
    add(ROCK, 5, rock);
    add({ p: [-8, 0.31, 0] }, 5, new A.btCylinderShape(vector([0.2, 0.3, 0.2])));
    add({ p: [-9, 0.51, 0] }, 5, new A.btCapsuleShape(0.2, 0.6));
    add(BALL, 1, new A.btSphereShape(BALL.radius), [speed, 0, 0]);
    return { engine: (await adapter('ammo'))(A, world), step: () => world.stepSimulation(DT, 1, DT) };
  },
  async havok(speed) {
    const wasmBinary = fs.readFileSync(require.resolve('@babylonjs/havok').replace(/umd.HavokPhysics_umd.js$/, 'umd/HavokPhysics.wasm'));
    const H = await (await load('@babylonjs/havok'))({ wasmBinary });
    const world = H.HP_World_Create()[1];
    H.HP_World_SetGravity(world, GRAVITY);
    const [NONE, TURN] = [
      [0, 0, 0],
      [0, 0, 0, 1],
    ];
    const bodies = [];
    const add = (it, type, shape, v = NONE) => {
      const body = H.HP_Body_Create()[1];
      H.HP_Body_SetShape(body, shape);
      H.HP_Body_SetMotionType(body, H.MotionType[type]);
      H.HP_Body_SetMassProperties(body, H.HP_Shape_BuildMassProperties(shape)[1]);
      H.HP_Body_SetQTransform(body, [it.p, TURN]);
      H.HP_Body_SetLinearVelocity(body, v);
      H.HP_World_AddBody(world, body, false);
      bodies.push(body);
    };
    const box = (half) =>
      H.HP_Shape_CreateBox(
        NONE,
        TURN,
        half.map((x) => 2 * x),
      )[1];
    for (const it of [FLOOR, WALL]) add(it, 'STATIC', box(it.half));
    add(CRATE, 'DYNAMIC', box(CRATE.half));
    add({ p: [-8, 0.51, 0] }, 'DYNAMIC', H.HP_Shape_CreateCapsule([0, -0.3, 0], [0, 0.3, 0], 0.2)[1]);
    add({ p: [-10, 0.31, 0] }, 'DYNAMIC', H.HP_Shape_CreateCylinder([0, -0.3, 0], [0, 0.3, 0], 0.2)[1]);
    const hammer = H.HP_Shape_CreateContainer()[1];
    H.HP_Shape_AddChild(hammer, box([0.5, 0.1, 0.1]), [[0, 0, 0], TURN, [1, 1, 1]]);
    H.HP_Shape_AddChild(hammer, H.HP_Shape_CreateSphere(NONE, 0.2)[1], [[0.6, 0.1, 0], TURN, [1, 1, 1]]);
    add({ p: [5, 0.11, 0] }, 'DYNAMIC', hammer);
    add(BALL, 'DYNAMIC', H.HP_Shape_CreateSphere(NONE, BALL.radius)[1], [speed > 30 ? 0 : speed, 0, 0]);
    // Havok sweeps each body: the bug is a body that a script places.
    const place = (body, [x, y, z]) => H.HP_Body_SetQTransform(body, [[x + speed * DT, y, z], TURN]);
    const step = () => {
      if (speed > 30) place(bodies.at(-1), H.HP_Body_GetQTransform(bodies.at(-1))[1][0]);
      H.HP_World_Step(world, DT);
    };
    return { engine: (await adapter('havok'))(H, world, () => bodies), step, options: { gravity: GRAVITY } };
  },
  async box2d(speed) {
    const B = await import(pathToFileURL(path.join(path.dirname(require.resolve('phaser-box2d/package.json')), 'dist/PhaserBox2D.js')).href);
    B.b2CreateWorldArray();
    const settings = B.b2DefaultWorldDef();
    settings.gravity = new B.b2Vec2(0, -9.81);
    const world = B.b2CreateWorld(settings);
    B.b2World_EnableContinuous(world, false);
    const add = (it, type, v = [0, 0]) => {
      const body = Object.assign(B.b2DefaultBodyDef(), {
        type,
        position: new B.b2Vec2(it.p[0], it.p[1]),
        linearVelocity: new B.b2Vec2(...v),
        userData: it.name,
      });
      return B.b2CreateBody(world, body);
    };
    const shape = B.b2DefaultShapeDef();
    const chain = B.b2DefaultChainDef();
    // Its front is on the right: above, from right to left.
    chain.points = [20, 10, -10, -20].map((x) => new B.b2Vec2(x, 0));
    chain.count = 4;
    B.b2CreateChain(add({ name: 'ground', p: [0, 0] }, 0), chain);
    B.b2CreatePolygonShape(add(WALL, 0), shape, B.b2MakeBox(WALL.half[0], WALL.half[1]));
    B.b2CreatePolygonShape(add(CRATE, 2), shape, B.b2MakeBox(0.3, 0.3));
    B.b2CreateCircleShape(add(BALL, 2, [speed, 0]), shape, new B.b2Circle(new B.b2Vec2(0, 0), BALL.radius));
    return { engine: (await adapter('box2d'))(B, world), step: () => B.b2World_Step(world, DT, 4), options: { fields: () => ({ ccd: false }) } };
  },
  async arcade(speed) {
    const { JSDOM } = await load('jsdom');
    const page = new JSDOM('<body></body>', { pretendToBeVisual: true });
    const names = ['document', 'screen', 'HTMLElement', 'HTMLCanvasElement', 'HTMLVideoElement', 'Element', 'Event', 'XMLHttpRequest'];
    globalThis.window = page.window;
    for (const name of names) globalThis[name] = page.window[name];
    Object.defineProperty(globalThis, 'navigator', { value: page.window.navigator, configurable: true });
    globalThis.Image = class {
      set src(_) {
        setTimeout(() => this.onload());
      }
    };
    globalThis.HTMLCanvasElement.prototype.getContext = () => new Proxy({}, { get: () => () => ({ data: [0, 0, 0, 0] }) });
    const Phaser = await load('phaser/dist/phaser.js');
    const at = ({ p }) => [100 * p[0], -100 * p[1]];
    const world = await new Promise((resolve) => {
      function create() {
        const { physics, add } = this;
        const fixed = [FLOOR, WALL].map((it) => add.rectangle(...at(it), 200 * it.half[0], 200 * it.half[1]).setName(it.name));
        fixed.forEach((it) => physics.add.existing(it, true));
        const ball = physics.add.existing(add.rectangle(...at(BALL), 30, 30).setName('ball'));
        const crate = physics.add.existing(add.rectangle(...at(CRATE), 60, 60).setName('crate'));
        ball.body.setVelocity(100 * speed, 0);
        ball.body.setMaxVelocity(1e5, 1e5);
        physics.add.collider([ball, crate], fixed);
        physics.add.existing(add.rectangle(0, 0, 10, 10).setName('decoration'));
        // A platform of tiles, on which a box lands.
        const map = this.make.tilemap({ data: [[-1, 1, 1, 1, -1, 1]], tileWidth: 50, tileHeight: 50 });
        const platform = map.createLayer(0, map.addTilesetImage('tiles', '__DEFAULT', 50, 50), -900, -100);
        platform.setCollision(1);
        const guest = physics.add.existing(add.rectangle(-780, -200, 40, 40).setName('guest'));
        physics.add.collider(guest, platform);
        this.game.loop.stop();
        resolve(physics.world);
      }
      const physics = { default: 'arcade', arcade: { gravity: { x: 0, y: 981 } } };
      new Phaser.Game({ type: Phaser.HEADLESS, banner: false, audio: { noAudio: true }, physics, scene: { create } });
    });
    return { engine: (await adapter('arcade'))(world), step: () => world.singleStep() };
  },
};

const [out, ...names] = process.argv.slice(2);
for (const name of names.length ? names : Object.keys(engines)) {
  for (const [kind, speed] of [
    ['bug', 60],
    ['ok', 3],
  ]) {
    const { engine, step, options } = await engines[name](speed);
    const recorder = new WorldRecorder(path.join(out, `${name}-${kind}.jsonl`), engine, { name: `${name}, ${kind}`, dt: DT, ...options });
    for (let frame = 0; frame < SECONDS / DT; frame++) {
      step(recorder);
      recorder.frame();
    }
    await recorder.close();
  }
  if (!process.env.HITSTOP) continue;
  const [bug, ok] = ['bug', 'ok'].map((kind) => spawnSync(process.env.HITSTOP, ['check', path.join(out, `${name}-${kind}.jsonl`)], { encoding: 'utf8' }));
  const cause = /Tunnels .*\n.* · (.*)/.exec(bug.stdout)?.[1] ?? 'nothing';
  console.log(`${name}: ${cause}; the other: ${ok.status === 0 ? 'nothing' : ok.stdout}`);
  if (cause === 'nothing' || ok.status !== 0) process.exitCode = 1;
}
process.exit();
