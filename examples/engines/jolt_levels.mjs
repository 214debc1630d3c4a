// The levels in Jolt: reads levels from standard input, writes logs. See run.py.
//
// Contacts come from the listener, of the state at the start of the step. Boxes have no convex radius here: with Jolt's own, 0.05 m,
// log a rounded box.

import initialize from 'jolt-physics';
import { driven, list, quaternion, run } from './jsonl.mjs';

const Jolt = await initialize();
const vector = ([x, y, z]) => new Jolt.Vec3(x, y, z);
const position = ([x, y, z]) => new Jolt.RVec3(x, y, z);
const rotation = ([x, y, z, w]) => new Jolt.Quat(x, y, z, w);
const ACTIVATE = Jolt.EActivation_Activate;
const ALL = 0xff;

function settingsOf(shape) {
  const [[kind, value]] = Object.entries(shape);
  if (kind === 'sphere') return new Jolt.SphereShapeSettings(value.radius);
  if (kind === 'box') return new Jolt.BoxShapeSettings(vector(value.half_extents), 0);
  if (kind === 'capsule') return new Jolt.CapsuleShapeSettings(value.half_height, value.radius);
  if (kind === 'compound') {
    const compound = new Jolt.StaticCompoundShapeSettings();
    for (const part of value) {
      compound.AddShape(vector(part.position), rotation(part.rotation ?? [0, 0, 0, 1]), settingsOf(part.shape), 0);
    }
    return compound;
  }
  if (kind === 'mesh') {
    const triangles = new Jolt.TriangleList();
    for (const corners of value.triangles) {
      triangles.push_back(new Jolt.Triangle(...corners.map((corner) => vector(value.vertices[corner]))));
    }
    return new Jolt.MeshShapeSettings(triangles);
  }
  throw new Error(`no shape ${kind}`);
}

function shapeOf(description) {
  const result = settingsOf(description).Create();
  if (!result.IsValid()) throw new Error(result.GetError().c_str());
  return result.Get();
}

/** Layers and masks of 8 bits each: a pair collides if both allow it, as in the log. */
function withMasks(settings) {
  settings.mObjectLayerPairFilter = new Jolt.ObjectLayerPairFilterMask();
  const broad = new Jolt.BroadPhaseLayerInterfaceMask(1);
  broad.ConfigureLayer(new Jolt.BroadPhaseLayer(0), ALL, 0);
  settings.mBroadPhaseLayerInterface = broad;
  settings.mObjectVsBroadPhaseLayerFilter = new Jolt.ObjectVsBroadPhaseLayerFilterMask(broad);
}

class World {
  constructor(level) {
    const settings = new Jolt.JoltSettings();
    settings.mMaxWorkerThreads = 0;
    settings.mMaxBodies = 256;
    withMasks(settings);
    this.jolt = new Jolt.JoltInterface(settings);
    Jolt.destroy(settings);
    this.system = this.jolt.GetPhysicsSystem();
    this.interface = this.system.GetBodyInterface();
    this.system.SetGravity(vector(level.gravity));
    const physics = this.system.GetPhysicsSettings();
    physics.mSpeculativeContactDistance = level.margin;
    this.system.SetPhysicsSettings(physics);
    this.numbers = new Map();
    this.found = [];
    this.objects = level.objects.map((item, index) => this.add(item, index, level));
    for (const [a, b, anchor] of level.joints) this.join(this.objects[a].body, this.objects[b].body, anchor);
    this.system.SetContactListener(this.listener());
  }

  add(item, index, level) {
    const motion = { fixed: Jolt.EMotionType_Static, kinematic: Jolt.EMotionType_Kinematic, dynamic: Jolt.EMotionType_Dynamic }[item.motion];
    const layer = Jolt.ObjectLayerPairFilterMask.prototype.sGetObjectLayer((item.layer ?? 1) & ALL, (item.mask ?? ALL) & ALL);
    const turn = rotation(item.rotation ?? [0, 0, 0, 1]).Normalized();
    const settings = new Jolt.BodyCreationSettings(shapeOf(item.shape), position(item.position), turn, motion, layer);
    settings.mLinearDamping = 0;
    settings.mAngularDamping = 0;
    settings.mFriction = item.x.friction ?? 0.5;
    settings.mRestitution = item.x.restitution ?? 0;
    settings.mEnhancedInternalEdgeRemoval = level.objects.some((other) => other.x.smooth);
    settings.mMotionQuality = item.ccd ? Jolt.EMotionQuality_LinearCast : Jolt.EMotionQuality_Discrete;
    if (item.motion === 'dynamic') {
      settings.mOverrideMassProperties = Jolt.EOverrideMassProperties_CalculateInertia;
      settings.mMassPropertiesOverride.mMass = item.mass;
    }
    if (item.motion !== 'fixed') {
      settings.mLinearVelocity = vector(item.x.v ?? [0, 0, 0]);
      settings.mAngularVelocity = vector(item.x.w ?? [0, 0, 0]);
    }
    if (level.joints.length) {
      this.filter ??= this.jointFilter(level);
      settings.mCollisionGroup = new Jolt.CollisionGroup(this.filter, 0, index);
    }
    const body = this.interface.CreateBody(settings);
    Jolt.destroy(settings);
    this.interface.AddBody(body.GetID(), ACTIVATE);
    this.numbers.set(body.GetID().GetIndex(), item.id);
    return { ...item, body };
  }

  jointFilter(level) {
    const filter = new Jolt.GroupFilterTable(level.objects.length);
    for (const [a, b] of level.joints) filter.DisableCollision(a, b);
    return filter;
  }

  join(a, b, anchor) {
    const settings = new Jolt.PointConstraintSettings();
    settings.mPoint1 = settings.mPoint2 = position(anchor);
    this.system.AddConstraint(settings.Create(a, b));
  }

  listener() {
    const listener = new Jolt.ContactListenerJS();
    listener.OnContactValidate = () => Jolt.ValidateResult_AcceptAllContactsForThisBodyPair;
    listener.OnContactAdded = listener.OnContactPersisted = (one, two, manifold) => {
      this.keep(Jolt.wrapPointer(one, Jolt.Body), Jolt.wrapPointer(two, Jolt.Body), Jolt.wrapPointer(manifold, Jolt.ContactManifold));
    };
    listener.OnContactRemoved = () => {};
    this.callbacks = listener;
    return listener;
  }

  /** All points. Jolt's normal points from the first to the second; the depth is negative where they are apart. */
  keep(one, two, manifold) {
    const normal = list(manifold.mWorldSpaceNormal);
    const [a, b] = [one, two].map((body) => this.numbers.get(body.GetID().GetIndex()));
    for (let index = 0; index < manifold.mRelativeContactPointsOn1.size(); index++) {
      const first = list(manifold.GetWorldSpaceContactPointOn1(index));
      const second = list(manifold.GetWorldSpaceContactPointOn2(index));
      const depth = normal.reduce((sum, value, axis) => sum + value * (first[axis] - second[axis]), 0);
      this.found.push({ a, b, point: first, normal: normal.map((value) => -value), depth });
    }
  }

  step(dt) {
    this.found = [];
    for (const { x, body } of this.objects) {
      if (x.drive) {
        this.interface.SetPosition(body.GetID(), position(driven(list(body.GetPosition()), x.drive, dt)), ACTIVATE);
      }
    }
    this.jolt.Step(dt, 1);
  }

  bodies() {
    return this.objects
      .filter(({ motion }) => motion !== 'fixed')
      .map(({ id, body }) => ({
        id,
        p: list(body.GetPosition()),
        q: quaternion(body.GetRotation()),
        v: list(body.GetLinearVelocity()),
        w: list(body.GetAngularVelocity()),
        ...(body.IsActive() ? {} : { asleep: true }),
      }));
  }

  contacts() {
    return this.found;
  }

  close() {
    Jolt.destroy(this.jolt);
    Jolt.destroy(this.callbacks);
  }
}

await run((level) => new World(level));
