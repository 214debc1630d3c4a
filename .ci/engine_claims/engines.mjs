// JavaScript engines: `node engines.mjs NAME` reads levels from standard input, writes where the bodies end. See levels.py.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const DT = 1 / 60;
// Packages are in the working directory, not beside this file.
const here = createRequire(pathToFileURL(`${process.cwd()}/`));
const load = async (name) => {
  const module = await import(pathToFileURL(here.resolve(name)));
  return module.default ?? module;
};
const half = (angle) => [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)];
const angleOf = (z, w) => 2 * Math.atan2(z, w);
const DEPTH = 2;

/** Each makes a world of a level; the world steps and gives the states of its bodies. */
const engines = {
  async planck() {
    const { World, Circle, Box, Vec2 } = await load('planck');
    return (level) => {
      const world = new World({ gravity: new Vec2(0, level.gravity), continuousPhysics: level.continuous });
      const bodies = level.bodies.map((b) => {
        const body = world.createBody({
          type: b.motion, position: new Vec2(b.x, b.y), angle: b.angle, linearVelocity: new Vec2(b.speed, 0), angularVelocity: b.spin,
          bullet: b.sweep,
        });
        const area = b.ball ? Math.PI * b.a ** 2 : 4 * b.a * b.b;
        body.createFixture({ shape: b.ball ? new Circle(b.a) : new Box(b.a, b.b), density: b.mass / area });
        return body;
      });
      return {
        step: () => world.step(DT, 8 * level.substeps, 3),
        states: () => bodies.map((body) => [body.getPosition().x, body.getPosition().y, body.getAngle()]),
      };
    };
  },

  async matter() {
    const { Engine, Bodies, Body, Composite } = await load('matter-js');
    const scale = 100;
    return (level) => {
      const engine = Engine.create({
        gravity: { x: 0, y: level.gravity / 9.81 }, positionIterations: 6 * level.substeps, velocityIterations: 4 * level.substeps,
      });
      const bodies = level.bodies.map((b) => {
        const options = { isStatic: b.motion !== 'dynamic', frictionAir: 0 };
        const [x, y] = [b.x * scale, b.y * scale];
        const body = b.ball ? Bodies.circle(x, y, b.a * scale, options) : Bodies.rectangle(x, y, 2 * b.a * scale, 2 * b.b * scale, options);
        if (b.motion === 'dynamic') Body.setMass(body, b.mass);
        Body.setAngle(body, b.angle);
        Body.setVelocity(body, { x: b.speed * scale * DT, y: 0 });
        Body.setAngularVelocity(body, b.spin * DT);
        return body;
      });
      Composite.add(engine.world, bodies);
      return {
        step: () => Engine.update(engine, 1000 * DT),
        states: () => bodies.map((body) => [body.position.x / scale, body.position.y / scale, body.angle]),
      };
    };
  },

  async p2() {
    const p2 = await load('p2-es');
    return (level) => {
      const world = new p2.World({ gravity: [0, level.gravity] });
      world.solver.iterations *= level.substeps;
      const type = { fixed: p2.Body.STATIC, kinematic: p2.Body.KINEMATIC, dynamic: p2.Body.DYNAMIC };
      const bodies = level.bodies.map((b) => {
        const body = new p2.Body({
          mass: b.motion === 'dynamic' ? b.mass : 0, type: type[b.motion], position: [b.x, b.y], angle: b.angle, velocity: [b.speed, 0],
          angularVelocity: b.spin, damping: 0, angularDamping: 0, ccdSpeedThreshold: b.sweep ? 0 : -1, ccdIterations: 10,
        });
        body.addShape(b.ball ? new p2.Circle({ radius: b.a }) : new p2.Box({ width: 2 * b.a, height: 2 * b.b }));
        world.addBody(body);
        return body;
      });
      return {
        step: () => world.step(DT),
        states: () => bodies.map((body) => [body.position[0], body.position[1], body.angle]),
      };
    };
  },

  async cannon() {
    const cannon = await load('cannon-es');
    return (level) => {
      const world = new cannon.World({ gravity: new cannon.Vec3(0, level.gravity, 0) });
      world.solver.iterations = 10 * level.substeps;
      const type = { fixed: cannon.Body.STATIC, kinematic: cannon.Body.KINEMATIC, dynamic: cannon.Body.DYNAMIC };
      const bodies = level.bodies.map((b) => {
        const body = new cannon.Body({
          mass: b.motion === 'dynamic' ? b.mass : 0, type: type[b.motion], position: new cannon.Vec3(b.x, b.y, 0),
          quaternion: new cannon.Quaternion(...half(b.angle)), velocity: new cannon.Vec3(b.speed, 0, 0),
          angularVelocity: new cannon.Vec3(0, 0, b.spin), linearDamping: 0, angularDamping: 0,
          shape: b.ball ? new cannon.Sphere(b.a) : new cannon.Box(new cannon.Vec3(b.a, b.b, DEPTH)),
        });
        world.addBody(body);
        return body;
      });
      return {
        step: () => world.step(DT),
        states: () => bodies.map(({ position, quaternion }) => [position.x, position.y, angleOf(quaternion.z, quaternion.w)]),
      };
    };
  },

  async rapier2d() {
    const rapier = await load('@dimforge/rapier2d-compat');
    await rapier.init();
    return (level) => {
      const world = new rapier.World({ x: 0, y: level.gravity });
      world.timestep = DT;
      world.maxCcdSubsteps = level.continuous ? 1 : 0;
      world.numSolverIterations *= level.substeps;
      const bodies = level.bodies.map((b) => {
        const body = world.createRigidBody(
          rapierBody(rapier, b).setTranslation(b.x, b.y).setRotation(b.angle).setLinvel(b.speed, 0).setAngvel(b.spin).setCcdEnabled(b.sweep),
        );
        const shape = b.ball ? rapier.ColliderDesc.ball(b.a) : rapier.ColliderDesc.cuboid(b.a, b.b);
        world.createCollider(shape.setMass(b.mass), body);
        return body;
      });
      return {
        step: () => world.step(),
        states: () => bodies.map((body) => [body.translation().x, body.translation().y, body.rotation()]),
      };
    };
  },

  async rapier3d() {
    const rapier = await load('@dimforge/rapier3d-compat');
    await rapier.init();
    return (level) => {
      const world = new rapier.World({ x: 0, y: level.gravity, z: 0 });
      world.timestep = DT;
      world.maxCcdSubsteps = level.continuous ? 1 : 0;
      world.numSolverIterations *= level.substeps;
      const bodies = level.bodies.map((b) => {
        const [x, y, z, w] = half(b.angle);
        const body = world.createRigidBody(
          rapierBody(rapier, b).setTranslation(b.x, b.y, 0).setRotation({ x, y, z, w }).setLinvel(b.speed, 0, 0)
            .setAngvel({ x: 0, y: 0, z: b.spin }).setCcdEnabled(b.sweep),
        );
        const shape = b.ball ? rapier.ColliderDesc.ball(b.a) : rapier.ColliderDesc.cuboid(b.a, b.b, DEPTH);
        world.createCollider(shape.setMass(b.mass), body);
        return body;
      });
      return {
        step: () => world.step(),
        states: () => bodies.map((body) => [body.translation().x, body.translation().y, angleOf(body.rotation().z, body.rotation().w)]),
      };
    };
  },

  async jolt() {
    const Jolt = await (await load('jolt-physics'))();
    const type = { fixed: Jolt.EMotionType_Static, kinematic: Jolt.EMotionType_Kinematic, dynamic: Jolt.EMotionType_Dynamic };
    return (level) => {
      const settings = new Jolt.JoltSettings();
      settings.mMaxWorkerThreads = 0;
      settings.mMaxBodies = 16;
      const pairs = new Jolt.ObjectLayerPairFilterTable(1);
      pairs.EnableCollision(0, 0);
      const layers = new Jolt.BroadPhaseLayerInterfaceTable(1, 1);
      layers.MapObjectToBroadPhaseLayer(0, new Jolt.BroadPhaseLayer(0));
      settings.mObjectLayerPairFilter = pairs;
      settings.mBroadPhaseLayerInterface = layers;
      settings.mObjectVsBroadPhaseLayerFilter = new Jolt.ObjectVsBroadPhaseLayerFilterTable(layers, 1, pairs, 1);
      const jolt = new Jolt.JoltInterface(settings);
      Jolt.destroy(settings);
      const system = jolt.GetPhysicsSystem();
      const adder = system.GetBodyInterface();
      system.SetGravity(new Jolt.Vec3(0, level.gravity, 0));
      const bodies = level.bodies.map((b) => {
        const shape = b.ball ? new Jolt.SphereShape(b.a) : new Jolt.BoxShape(new Jolt.Vec3(b.a, b.b, DEPTH), 0);
        const body = new Jolt.BodyCreationSettings(shape, new Jolt.RVec3(b.x, b.y, 0), new Jolt.Quat(...half(b.angle)), type[b.motion], 0);
        Object.assign(body, { mLinearDamping: 0, mAngularDamping: 0 });
        body.mMotionQuality = b.sweep ? Jolt.EMotionQuality_LinearCast : Jolt.EMotionQuality_Discrete;
        if (b.motion === 'dynamic') {
          body.mOverrideMassProperties = Jolt.EOverrideMassProperties_CalculateInertia;
          body.mMassPropertiesOverride.mMass = b.mass;
        }
        if (b.motion !== 'fixed') {
          body.mLinearVelocity = new Jolt.Vec3(b.speed, 0, 0);
          body.mAngularVelocity = new Jolt.Vec3(0, 0, b.spin);
        }
        const made = adder.CreateBody(body);
        Jolt.destroy(body);
        adder.AddBody(made.GetID(), Jolt.EActivation_Activate);
        return made;
      });
      return {
        step: () => jolt.Step(DT, level.substeps),
        states: () => bodies.map((body) => {
          const [p, q] = [body.GetPosition(), body.GetRotation()];
          return [p.GetX(), p.GetY(), angleOf(q.GetZ(), q.GetW())];
        }),
        end: () => Jolt.destroy(jolt),
      };
    };
  },

  // PhysX 4.1, as Cocos Creator ships it.
  async physx4() {
    const start = await load('@cocos/physx/builds/physx.release.wasm.js');
    const PhysX = await start({ wasmBinary: readFileSync(here.resolve('@cocos/physx/builds/physx.release.wasm.wasm')) });
    const foundation = PhysX.PxCreateFoundation(PhysX.PX_PHYSICS_VERSION, new PhysX.PxDefaultAllocator(), new PhysX.PxDefaultErrorCallback());
    const scale = new PhysX.PxTolerancesScale();
    const physics = PhysX.PxCreatePhysics(PhysX.PX_PHYSICS_VERSION, foundation, scale, false, null);
    PhysX.PxInitExtensions(physics, null);
    const none = () => {};
    const events = PhysX.PxSimulationEventCallback.implement({ onContact: none, onTrigger: none });
    const vector = (x, y, z) => ({ x, y, z });
    const place = (b) => {
      const [x, y, z, w] = half(b.angle);
      return { translation: vector(b.x, b.y, 0), rotation: { x, y, z, w } };
    };
    return (level) => {
      const scene = physics.createScene(PhysX.getDefaultSceneDesc(scale, 0, events));
      scene.setGravity(vector(0, level.gravity, 0));
      const material = physics.createMaterial(0.5, 0.5, 0);
      const bodies = level.bodies.map((b) => {
        const body = b.motion === 'fixed' ? physics.createRigidStatic(place(b)) : physics.createRigidDynamic(place(b));
        const geometry = b.ball ? new PhysX.PxSphereGeometry(b.a) : new PhysX.PxBoxGeometry(vector(b.a, b.b, DEPTH));
        const { eSIMULATION_SHAPE } = PhysX.PxShapeFlag;
        const shape = physics.createShape(geometry, material, true, new PhysX.PxShapeFlags(eSIMULATION_SHAPE.value));
        // Groups, and in the last word the flag by which the filter of this package asks for continuous detection of a pair.
        shape.setSimulationFilterData({ word0: 1, word1: 1, word2: 0, word3: 1 << 6 });
        body.attachShape(shape);
        if (b.motion === 'kinematic') body.setRigidBodyFlag(PhysX.PxRigidBodyFlag.eKINEMATIC, true);
        if (b.motion === 'dynamic') {
          body.setMassAndUpdateInertia(b.mass);
          body.setLinearDamping(0);
          body.setAngularDamping(0);
          body.setRigidBodyFlag(PhysX.PxRigidBodyFlag.eENABLE_CCD, b.sweep);
          body.setLinearVelocity(vector(b.speed, 0, 0), true);
          body.setAngularVelocity(vector(0, 0, b.spin), true);
        }
        scene.addActor(body, null);
        return { ...b, body };
      });
      return {
        step: () => {
          for (const b of bodies.filter(({ motion }) => motion === 'kinematic')) {
            b.x += b.speed * DT;
            b.body.setKinematicTarget(place(b));
          }
          scene.simulate(DT, true);
          scene.fetchResults(true);
        },
        states: () => bodies.map(({ body }) => {
          const { translation, rotation } = body.getGlobalPose();
          return [translation.x, translation.y, angleOf(rotation.z, rotation.w)];
        }),
      };
    };
  },

  async physx() {
    const wasmBinary = readFileSync(here.resolve('physx-js-webidl').replace(/mjs$/, 'wasm'));
    const { process } = globalThis;
    // The package is built for browsers, and refuses to start where it finds Node.
    const start = await load('physx-js-webidl');
    Object.assign(globalThis, { window: globalThis, process: undefined });
    const PhysX = await start({ wasmBinary });
    Object.assign(globalThis, { window: undefined, process });
    const Px = PhysX.PxTopLevelFunctions.prototype;
    const scale = new PhysX.PxTolerancesScale();
    const foundation = Px.CreateFoundation(Px.PHYSICS_VERSION, new PhysX.PxDefaultAllocator(), new PhysX.PxDefaultErrorCallback());
    const physics = Px.CreatePhysics(Px.PHYSICS_VERSION, foundation, scale);
    const vector = (x, y, z) => new PhysX.PxVec3(x, y, z);
    const dispatcher = Px.DefaultCpuDispatcherCreate(0);
    return (level) => {
      const description = new PhysX.PxSceneDesc(scale);
      description.gravity = vector(0, level.gravity, 0);
      description.cpuDispatcher = dispatcher;
      description.flags.raise(PhysX.PxSceneFlagEnum.eENABLE_CCD);
      const filter = new PhysX.PassThroughFilterShaderImpl();
      const { eSOLVE_CONTACT, eDETECT_DISCRETE_CONTACT, eDETECT_CCD_CONTACT } = PhysX.PxPairFlagEnum;
      filter.filterShader = () => {
        filter.outputPairFlags = eSOLVE_CONTACT | eDETECT_DISCRETE_CONTACT | eDETECT_CCD_CONTACT;
        return 0;
      };
      Px.setupPassThroughFilterShader(description, filter);
      const scene = physics.createScene(description);
      const material = physics.createMaterial(0.5, 0.5, 0);
      const bodies = level.bodies.map((b) => {
        const place = new PhysX.PxTransform(vector(b.x, b.y, 0), new PhysX.PxQuat(...half(b.angle)));
        const body = b.motion === 'fixed' ? physics.createRigidStatic(place) : physics.createRigidDynamic(place);
        const geometry = b.ball ? new PhysX.PxSphereGeometry(b.a) : new PhysX.PxBoxGeometry(b.a, b.b, DEPTH);
        const shape = physics.createShape(geometry, material, true);
        shape.setSimulationFilterData(new PhysX.PxFilterData(1, 1, 0, 0));
        body.attachShape(shape);
        if (b.motion === 'kinematic') body.setRigidBodyFlag(PhysX.PxRigidBodyFlagEnum.eKINEMATIC, true);
        if (b.motion === 'dynamic') {
          PhysX.PxRigidBodyExt.prototype.setMassAndUpdateInertia(body, b.mass);
          body.setLinearDamping(0);
          body.setAngularDamping(0);
          body.setRigidBodyFlag(PhysX.PxRigidBodyFlagEnum.eENABLE_CCD, b.sweep);
          body.setLinearVelocity(vector(b.speed, 0, 0));
          body.setAngularVelocity(vector(0, 0, b.spin));
          body.setSolverIterationCounts(4 * level.substeps, level.substeps);
        }
        scene.addActor(body);
        return { ...b, body };
      });
      return {
        step: () => {
          for (const b of bodies.filter(({ motion }) => motion === 'kinematic')) {
            b.x += b.speed * DT;
            b.body.setKinematicTarget(new PhysX.PxTransform(vector(b.x, b.y, 0), new PhysX.PxQuat(...half(b.angle))));
          }
          scene.simulate(DT);
          scene.fetchResults(true);
        },
        states: () => bodies.map(({ body }) => {
          const { p, q } = body.getGlobalPose();
          return [p.x, p.y, angleOf(q.z, q.w)];
        }),
        end: () => scene.release(),
      };
    };
  },

  async havok() {
    const wasmBinary = readFileSync(here.resolve('@babylonjs/havok').replace(/[^/]*$/, 'HavokPhysics.wasm'));
    const havok = await (await load('@babylonjs/havok'))({ wasmBinary });
    const { STATIC, KINEMATIC, DYNAMIC } = havok.MotionType;
    const type = { fixed: STATIC, kinematic: KINEMATIC, dynamic: DYNAMIC };
    return (level) => {
      const world = havok.HP_World_Create()[1];
      havok.HP_World_SetGravity(world, [0, level.gravity, 0]);
      havok.HP_World_SetIdealStepTime(world, DT);
      const bodies = level.bodies.map((b) => {
        const shape = b.ball
          ? havok.HP_Shape_CreateSphere([0, 0, 0], b.a)[1]
          : havok.HP_Shape_CreateBox([0, 0, 0], half(0), [2 * b.a, 2 * b.b, 2 * DEPTH])[1];
        const body = havok.HP_Body_Create()[1];
        havok.HP_Body_SetShape(body, shape);
        havok.HP_Body_SetMotionType(body, type[b.motion]);
        const mass = havok.HP_Shape_BuildMassProperties(shape)[1];
        mass[2] = mass[2].map((inertia) => (inertia * b.mass) / mass[1]);
        mass[1] = b.mass;
        havok.HP_Body_SetMassProperties(body, mass);
        havok.HP_Body_SetQTransform(body, [[b.x, b.y, 0], half(b.angle)]);
        havok.HP_Body_SetLinearDamping(body, 0);
        havok.HP_Body_SetAngularDamping(body, 0);
        havok.HP_Body_SetLinearVelocity(body, [b.speed, 0, 0]);
        havok.HP_Body_SetAngularVelocity(body, [0, 0, b.spin]);
        havok.HP_World_AddBody(world, body, false);
        return body;
      });
      return {
        step: () => havok.HP_World_Step(world, DT),
        states: () => bodies.map((body) => {
          const [, [p, q]] = havok.HP_Body_GetQTransform(body);
          return [p[0], p[1], angleOf(q[2], q[3])];
        }),
        end: () => havok.HP_World_Release(world),
      };
    };
  },

  async ammo() {
    const start = here('ammojs3/dist/ammo.js');
    const Ammo = typeof start === 'function' ? await start.call({}) : start;
    const vector = (x, y, z) => new Ammo.btVector3(x, y, z);
    return (level) => {
      const configuration = new Ammo.btDefaultCollisionConfiguration();
      const parts = [new Ammo.btCollisionDispatcher(configuration), new Ammo.btDbvtBroadphase(), new Ammo.btSequentialImpulseConstraintSolver()];
      const world = new Ammo.btDiscreteDynamicsWorld(...parts, configuration);
      world.setGravity(vector(0, level.gravity, 0));
      const bodies = level.bodies.map((b) => {
        const shape = b.ball ? new Ammo.btSphereShape(b.a) : new Ammo.btBoxShape(vector(b.a, b.b, DEPTH));
        const place = new Ammo.btTransform();
        place.setIdentity();
        place.setOrigin(vector(b.x, b.y, 0));
        place.setRotation(new Ammo.btQuaternion(...half(b.angle)));
        const mass = b.motion === 'dynamic' ? b.mass : 0;
        const inertia = vector(0, 0, 0);
        if (mass) shape.calculateLocalInertia(mass, inertia);
        const body = new Ammo.btRigidBody(new Ammo.btRigidBodyConstructionInfo(mass, new Ammo.btDefaultMotionState(place), shape, inertia));
        body.setActivationState(4);
        if (b.motion === 'kinematic') body.setCollisionFlags(body.getCollisionFlags() | 2);
        body.setLinearVelocity(vector(b.speed, 0, 0));
        body.setAngularVelocity(vector(0, 0, b.spin));
        if (b.sweep) {
          body.setCcdMotionThreshold(1e-7);
          body.setCcdSweptSphereRadius(b.ball ? b.a / 2 : Math.min(b.a, b.b) / 2);
        }
        world.addRigidBody(body);
        return { ...b, body };
      });
      return {
        step: () => {
          for (const b of bodies.filter(({ motion }) => motion === 'kinematic')) {
            b.x += b.speed * DT;
            const place = b.body.getWorldTransform();
            place.setOrigin(vector(b.x, b.y, 0));
            b.body.getMotionState().setWorldTransform(place);
          }
          world.stepSimulation(DT, level.substeps, DT / level.substeps);
        },
        states: () => bodies.map(({ body }) => {
          const place = body.getWorldTransform();
          return [place.getOrigin().x(), place.getOrigin().y(), angleOf(place.getRotation().z(), place.getRotation().w())];
        }),
        end: () => [world, ...parts, configuration].forEach((part) => Ammo.destroy(part)),
      };
    };
  },
};

function rapierBody({ RigidBodyDesc }, { motion }) {
  if (motion === 'fixed') return RigidBodyDesc.fixed();
  return motion === 'kinematic' ? RigidBodyDesc.kinematicVelocityBased() : RigidBodyDesc.dynamic();
}

function parsed(line) {
  const [steps, substeps, continuous, gravity, ...rest] = line.split(' ').map(Number);
  const bodies = [];
  for (let i = 0; i < rest.length; i += 11) {
    const [motion, shape, a, b, x, y, angle, speed, spin, sweep, mass] = rest.slice(i, i + 11);
    bodies.push({ motion: ['fixed', 'kinematic', 'dynamic'][motion], ball: shape === 0, a, b, x, y, angle, speed, spin, sweep: sweep > 0, mass });
  }
  return { steps, substeps, continuous: continuous > 0, gravity, bodies };
}

const make = await engines[process.argv[2]]();
let out = '';
for (const line of readFileSync(0, 'utf8').trim().split('\n')) {
  const level = parsed(line);
  const world = make(level);
  for (let i = 0; i < level.steps; i += 1) world.step();
  out += `${world.states().map((state) => state.join(' ')).join(' ')}\n`;
  world.end?.();
}
process.stdout.write(out, () => process.exit(0));
