// The levels in PhysX 5: reads levels from standard input, writes logs. See run.py.
//
// PhysX makes contacts at the sum of both shapes' contact offsets: each shape has half of the level's margin. A kinematic body gets its
// target before each step; one that is placed with setGlobalPose has no velocity.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import initialize from 'physx-js-webidl';
import { driven, list, quaternion, run } from './jsonl.mjs';

/** The package is built for browsers and refuses to start in Node: it gets its binary from here, and no `process` while it starts. */
async function start() {
  const wasmBinary = readFileSync(createRequire(import.meta.url).resolve('physx-js-webidl').replace(/mjs$/, 'wasm'));
  const { process } = globalThis;
  Object.assign(globalThis, { window: globalThis, process: undefined });
  const engine = await initialize({ wasmBinary });
  Object.assign(globalThis, { window: undefined, process });
  return engine;
}

const PhysX = await start();
const Px = PhysX.PxTopLevelFunctions.prototype;
const foundation = Px.CreateFoundation(Px.PHYSICS_VERSION, new PhysX.PxDefaultAllocator(), new PhysX.PxDefaultErrorCallback());
const scale = new PhysX.PxTolerancesScale();
const physics = Px.CreatePhysics(Px.PHYSICS_VERSION, foundation, scale);
const vector = ([x, y, z]) => new PhysX.PxVec3(x, y, z);
const transform = (p, [x, y, z, w] = [0, 0, 0, 1]) => {
  const length = Math.hypot(x, y, z, w);
  return new PhysX.PxTransform(vector(p), new PhysX.PxQuat(x / length, y / length, z / length, w / length));
};
const PAIR = PhysX.PxPairFlagEnum;
const SUPPRESS = 2; // PxFilterFlag::eSUPPRESS
const SIDEWAYS = [0, 0, Math.SQRT1_2, Math.SQRT1_2]; // from PhysX's X to the log's Y
const ALL = 0xffff;
const POINTS = 64;

function geometryOf(shape) {
  const [[kind, value]] = Object.entries(shape);
  if (kind === 'sphere') return [new PhysX.PxSphereGeometry(value.radius)];
  if (kind === 'box') return [new PhysX.PxBoxGeometry(...value.half_extents)];
  if (kind === 'capsule') return [new PhysX.PxCapsuleGeometry(value.radius, value.half_height), transform([0, 0, 0], SIDEWAYS)];
  if (kind === 'mesh') {
    const [points, indices] = [new PhysX.PxArray_PxVec3(), new PhysX.PxArray_PxU32()];
    value.vertices.forEach((vertex) => points.pushBack(vector(vertex)));
    value.triangles.flat().forEach((corner) => indices.pushBack(corner));
    const description = new PhysX.PxTriangleMeshDesc();
    for (const [field, count, data] of [['points', value.vertices.length, points], ['triangles', value.triangles.length, indices]]) {
      description[field].count = count;
      description[field].stride = 12;
      description[field].data = data.begin();
    }
    return [new PhysX.PxTriangleMeshGeometry(Px.CreateTriangleMesh(new PhysX.PxCookingParams(scale), description))];
  }
  throw new Error(`no shape ${kind}`);
}

class World {
  constructor(level) {
    const description = new PhysX.PxSceneDesc(scale);
    description.gravity = vector(level.gravity);
    description.cpuDispatcher = this.dispatcher = Px.DefaultCpuDispatcherCreate(0);
    description.flags.raise(PhysX.PxSceneFlagEnum.eENABLE_CCD);
    description.simulationEventCallback = this.listener();
    Px.setupPassThroughFilterShader(description, this.filter());
    this.scene = physics.createScene(description);
    this.numbers = new Map();
    this.found = [];
    this.buffer = new PhysX.PxArray_PxContactPairPoint(POINTS);
    this.objects = level.objects.map((item) => this.add(item, level));
  }

  /** A pair collides if both masks allow it, as in the log; all its contacts are reported. */
  filter() {
    const filter = new PhysX.PassThroughFilterShaderImpl();
    const flags = PAIR.eSOLVE_CONTACT | PAIR.eDETECT_DISCRETE_CONTACT | PAIR.eDETECT_CCD_CONTACT | PAIR.eNOTIFY_TOUCH_FOUND
      | PAIR.eNOTIFY_TOUCH_PERSISTS | PAIR.eNOTIFY_TOUCH_CCD | PAIR.eNOTIFY_CONTACT_POINTS;
    filter.filterShader = (_a, layerA, maskA, _a2, _a3, _b, layerB, maskB) => {
      filter.outputPairFlags = flags;
      return layerA & maskB && layerB & maskA ? 0 : SUPPRESS;
    };
    return filter;
  }

  add(item, level) {
    const { x, motion } = item;
    const place = transform(item.position, item.rotation);
    const body = motion === 'fixed' ? physics.createRigidStatic(place) : physics.createRigidDynamic(place);
    const friction = x.friction ?? 0.5;
    const material = physics.createMaterial(friction, friction, x.restitution ?? 0);
    for (const part of item.shape.compound ?? [{ shape: item.shape, position: [0, 0, 0] }]) {
      const [geometry, local] = geometryOf(part.shape);
      const shape = physics.createShape(geometry, material, true);
      shape.setLocalPose(local ?? transform(part.position, part.rotation));
      shape.setContactOffset(level.margin / 2);
      shape.setSimulationFilterData(new PhysX.PxFilterData(item.layer ?? 1, item.mask ?? ALL, 0, 0));
      body.attachShape(shape);
    }
    if (motion !== 'fixed') {
      PhysX.PxRigidBodyExt.prototype.setMassAndUpdateInertia(body, item.mass);
      body.setLinearDamping(0);
      body.setAngularDamping(0);
      if (motion === 'kinematic') {
        body.setRigidBodyFlag(PhysX.PxRigidBodyFlagEnum.eKINEMATIC, true);
      } else {
        body.setRigidBodyFlag(PhysX.PxRigidBodyFlagEnum.eENABLE_CCD, Boolean(item.ccd));
        body.setLinearVelocity(vector(x.v ?? [0, 0, 0]));
        body.setAngularVelocity(vector(x.w ?? [0, 0, 0]));
      }
    }
    this.scene.addActor(body);
    this.numbers.set(PhysX.getPointer(body), item.id);
    return { ...item, body };
  }

  listener() {
    const listener = new PhysX.PxSimulationEventCallbackImpl();
    listener.onConstraintBreak = listener.onWake = listener.onSleep = listener.onTrigger = () => {};
    listener.onContact = (header, pairs, count) => {
      header = PhysX.wrapPointer(header, PhysX.PxContactPairHeader);
      const [a, b] = [0, 1].map((index) => this.numbers.get(PhysX.getPointer(header.get_actors(index))));
      for (let index = 0; index < count; index++) {
        this.keep(a, b, PhysX.NativeArrayHelpers.prototype.getContactPairAt(PhysX.wrapPointer(pairs, PhysX.PxContactPair), index));
      }
    };
    return listener;
  }

  /** All points. PhysX's normal points from the second to the first; its separation is negative where they overlap. */
  keep(a, b, pair) {
    const count = pair.extractContacts(this.buffer.begin(), POINTS);
    for (let index = 0; index < count; index++) {
      const point = this.buffer.get(index);
      this.found.push({ a, b, point: list(point.position), normal: list(point.normal), depth: -point.separation });
    }
  }

  step(dt) {
    this.found = [];
    for (const { x, body, motion } of this.objects) {
      if (motion !== 'kinematic') continue;
      const pose = body.getGlobalPose();
      const result = new PhysX.PxTransform(PhysX.PxIDENTITYEnum.PxIdentity);
      if (x.drive) {
        body.setGlobalPose(transform(driven(list(pose.p), x.drive, dt), quaternion(pose.q)));
      } else {
        Px.IntegrateTransform(pose, vector(x.v ?? [0, 0, 0]), vector(x.w ?? [0, 0, 0]), dt, result);
        body.setKinematicTarget(result);
      }
    }
    this.scene.simulate(dt);
    this.scene.fetchResults(true);
  }

  bodies() {
    return this.objects
      .filter(({ motion }) => motion !== 'fixed')
      .map(({ id, body }) => {
        const pose = body.getGlobalPose();
        const state = { id, p: list(pose.p), q: quaternion(pose.q), v: list(body.getLinearVelocity()), w: list(body.getAngularVelocity()) };
        return body.isSleeping() ? { ...state, asleep: true } : state;
      });
  }

  contacts() {
    return this.found;
  }

  close() {
    for (const { body } of this.objects) body.release();
    this.scene.release();
  }
}

await run((level) => new World(level));
