// What the JavaScript programs of the gallery share: the command line, the lines of a log, and a small world in Jolt.

import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import fs from 'node:fs';

/** Loads an engine's package from NODE_PATH or from `node_modules` of the working directory. */
export async function load(name) {
  const require = createRequire(process.cwd() + '/');
  const path = require.resolve(name);
  const { default: start } = await import(pathToFileURL(path).href);
  if (name !== 'physx-js-webidl') return typeof start === 'function' ? start() : start;
  // PhysX is compiled for browsers only: it must not find node's `process` while it starts.
  const { process: node } = globalThis;
  const wasmBinary = fs.readFileSync(path.replace(/mjs$/, 'wasm'));
  Object.assign(globalThis, { process: undefined, window: globalThis });
  const engine = await start({ wasmBinary });
  globalThis.process = node;
  return engine;
}

/** Runs `record OUT.jsonl [--fixed]` or `phases [--fixed]`, with the functions of a program. */
export async function main({ record, phases }) {
  const words = process.argv.slice(2);
  const fixed = words.includes('--fixed');
  const [verb, path] = words.filter((word) => word !== '--fixed');
  if (verb === 'record' && path) {
    const lines = await record(fixed);
    fs.writeFileSync(path, lines.map((line) => JSON.stringify(line) + '\n').join(''));
  } else if (verb === 'phases' && phases) {
    console.log(await phases(fixed));
  } else {
    console.error(`usage: record OUT.jsonl [--fixed]${phases ? ' | phases [--fixed]' : ''}`);
    process.exitCode = 2;
  }
}

/** Counts for how many of 64 starting phases, from 0 to below 1, `passes` is true. */
export function count(passes) {
  return Array.from({ length: 64 }, (_, i) => i / 64).filter(passes).length;
}

export const xyz = (v) => [v.GetX(), v.GetY(), v.GetZ()];
const xyzw = (q) => [...xyz(q), q.GetW()];

/** A world in Jolt: layer 0 is fixed, layer 1 moves. It keeps the contacts of the last step. */
export class JoltWorld {
  constructor(Jolt, { gravity = [0, 0, 0], change = () => {} } = {}) {
    const settings = new Jolt.JoltSettings();
    const pairs = new Jolt.ObjectLayerPairFilterTable(2);
    pairs.EnableCollision(0, 1);
    pairs.EnableCollision(1, 1);
    const layers = new Jolt.BroadPhaseLayerInterfaceTable(2, 2);
    layers.MapObjectToBroadPhaseLayer(0, new Jolt.BroadPhaseLayer(0));
    layers.MapObjectToBroadPhaseLayer(1, new Jolt.BroadPhaseLayer(1));
    settings.mObjectLayerPairFilter = pairs;
    settings.mBroadPhaseLayerInterface = layers;
    settings.mObjectVsBroadPhaseLayerFilter = new Jolt.ObjectVsBroadPhaseLayerFilterTable(layers, 2, pairs, 2);
    this.Jolt = Jolt;
    this.jolt = new Jolt.JoltInterface(settings);
    this.system = this.jolt.GetPhysicsSystem();
    this.system.SetGravity(new Jolt.Vec3(...gravity));
    const physics = this.system.GetPhysicsSettings();
    change(physics);
    this.system.SetPhysicsSettings(physics);
    this.bodies = [];
    this.contacts = [];
    this.listen();
  }

  listen() {
    const { Jolt } = this;
    const listener = new Jolt.ContactListenerJS();
    const add = (one, two, manifold) => {
      const ids = [one, two].map((body) => Jolt.wrapPointer(body, Jolt.Body).GetID().GetIndexAndSequenceNumber());
      const [a, b] = ids.map((id) => this.bodies.findIndex((body) => body.GetID().GetIndexAndSequenceNumber() === id));
      const m = Jolt.wrapPointer(manifold, Jolt.ContactManifold);
      // Jolt's normal points from the first body to the second.
      const normal = xyz(m.mWorldSpaceNormal).map((x) => -x);
      for (let i = 0; i < m.mRelativeContactPointsOn1.size(); i++) {
        const point = xyz(m.GetWorldSpaceContactPointOn1(i));
        this.contacts.push({ a, b, point, normal, depth: m.mPenetrationDepth });
      }
    };
    listener.OnContactAdded = add;
    listener.OnContactPersisted = add;
    listener.OnContactRemoved = () => {};
    listener.OnContactValidate = () => Jolt.ValidateResult_AcceptAllContactsForThisBodyPair;
    this.system.SetContactListener(listener);
  }

  /** Adds a body; its index is its id in the log. `change` sets further fields of its BodyCreationSettings. */
  add(shape, { at = [0, 0, 0], v = [0, 0, 0], w = [0, 0, 0], moves = true, change = () => {} }) {
    const { Jolt } = this;
    const motion = moves ? Jolt.EMotionType_Dynamic : Jolt.EMotionType_Static;
    const settings = new Jolt.BodyCreationSettings(shape, new Jolt.RVec3(...at), new Jolt.Quat(0, 0, 0, 1), motion, moves ? 1 : 0);
    settings.mLinearDamping = settings.mAngularDamping = 0;
    settings.mAllowSleeping = false;
    change(settings);
    const body = this.system.GetBodyInterface().CreateBody(settings);
    this.system.GetBodyInterface().AddBody(body.GetID(), Jolt.EActivation_Activate);
    if (moves) body.SetLinearVelocity(new Jolt.Vec3(...v));
    if (moves) body.SetAngularVelocity(new Jolt.Vec3(...w));
    this.bodies.push(body);
    return body;
  }

  step(dt) {
    this.contacts = [];
    this.jolt.Step(dt, 1);
  }

  /** Gives the world's memory back. */
  free() {
    this.Jolt.destroy(this.jolt);
  }

  /** The line of a frame, with the moving bodies `ids`. */
  line(frame, ids) {
    const bodies = ids.map((id) => {
      const body = this.bodies[id];
      return {
        id,
        p: xyz(body.GetPosition()),
        q: xyzw(body.GetRotation()),
        v: xyz(body.GetLinearVelocity()),
        w: xyz(body.GetAngularVelocity()),
      };
    });
    return { frame, bodies, contacts: this.contacts };
  }
}
