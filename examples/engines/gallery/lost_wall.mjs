// A ball with continuous detection grazes one edge of a mesh and passes a wall of the same mesh.
// https://github.com/NVIDIA-Omniverse/PhysX/issues/505
//
// PhysX keeps the earliest triangle of a mesh, the grazed edge, and drops it afterwards, as the ball hardly moves toward it.
// The wall, which comes later, is lost with it. `--fixed`: floor and wall are meshes of their own.

import { load, main, count } from './common.mjs';

const DT = 1 / 60;
const RADIUS = 0.25;
const START = [-0.78131, 0.3092001, 0];
const VELOCITY = [240, -18, 0];
// A floor at y = 0 that ends at x = 0, and a wall at x = 1 that faces it.
const FLOOR = { vertices: [[-4, 0, -2], [-4, 0, 2], [0, 0, 2], [0, 0, -2]], triangles: [[0, 1, 2], [0, 2, 3]] };
const WALL = { vertices: [[1, -2, -2], [1, -2, 2], [1, 2, 2], [1, 2, -2]], triangles: [[0, 1, 2], [0, 2, 3]] };
const BOTH = {
  vertices: [...FLOOR.vertices, ...WALL.vertices],
  triangles: [...FLOOR.triangles, ...WALL.triangles.map((t) => t.map((i) => i + 4))],
};

const Px = await load('physx-js-webidl');
const version = Px.PHYSICS_VERSION;
const foundation = Px.CreateFoundation(version, new Px.PxDefaultAllocator(), new Px.PxDefaultErrorCallback());
const scale = new Px.PxTolerancesScale();
const physics = Px.CreatePhysics(version, foundation, scale);
const material = physics.createMaterial(0.5, 0.5, 0);
const pose = (p) => new Px.PxTransform(new Px.PxVec3(...p), new Px.PxQuat(0, 0, 0, 1));

/** A mesh in PhysX, from vertices and triangles. */
function cook({ vertices, triangles }) {
  const points = new Px.PxArray_PxVec3(vertices.length);
  vertices.forEach((v, i) => points.set(i, new Px.PxVec3(...v)));
  const indices = new Px.PxArray_PxU32(triangles.length * 3);
  triangles.flat().forEach((index, i) => indices.set(i, index));
  const desc = new Px.PxTriangleMeshDesc();
  Object.assign(desc.points, { count: vertices.length, stride: 12, data: points.begin() });
  Object.assign(desc.triangles, { count: triangles.length, stride: 12, data: indices.begin() });
  return Px.CreateTriangleMesh(new Px.PxCookingParams(scale), desc);
}

function level(start, fixed) {
  const desc = new Px.PxSceneDesc(scale);
  desc.gravity = new Px.PxVec3(0, 0, 0);
  desc.cpuDispatcher = Px.DefaultCpuDispatcherCreate(0);
  desc.flags.raise(Px.PxSceneFlagEnum.eENABLE_CCD);
  const filter = new Px.PassThroughFilterShaderImpl();
  const flags = Px.PxPairFlagEnum;
  filter.filterShader = () => {
    filter.outputPairFlags = flags.eCONTACT_DEFAULT | flags.eDETECT_CCD_CONTACT;
    return Px.PxFilterFlagEnum.eDEFAULT;
  };
  Px.setupPassThroughFilterShader(desc, filter);
  const scene = physics.createScene(desc);
  const add = (actor, geometry) => {
    const shape = physics.createShape(geometry, material, true, new Px.PxShapeFlags(Px.PxShapeFlagEnum.eSIMULATION_SHAPE));
    shape.setSimulationFilterData(new Px.PxFilterData(1, 1, 0, 0));
    actor.attachShape(shape);
    scene.addActor(actor);
  };
  for (const mesh of fixed ? [FLOOR, WALL] : [BOTH]) {
    add(physics.createRigidStatic(pose([0, 0, 0])), new Px.PxTriangleMeshGeometry(cook(mesh)));
  }
  const ball = physics.createRigidDynamic(pose(start));
  ball.setRigidBodyFlag(Px.PxRigidBodyFlagEnum.eENABLE_CCD, true);
  ball.setMass(0.1);
  add(ball, new Px.PxSphereGeometry(RADIUS));
  ball.setLinearVelocity(new Px.PxVec3(...VELOCITY));
  return { scene, ball };
}

function step(scene) {
  scene.simulate(DT);
  scene.fetchResults(true);
}

function line(frame, ball) {
  const { p, q } = ball.getGlobalPose();
  const v = ball.getLinearVelocity();
  return { frame, bodies: [{ id: 9, p: [p.x, p.y, p.z], q: [q.x, q.y, q.z, q.w], v: [v.x, v.y, v.z] }] };
}

await main({
  record(fixed) {
    const { scene, ball } = level(START, fixed);
    const meshes = fixed ? { floor: FLOOR, wall: WALL } : { level: BOTH };
    const objects = Object.entries(meshes).map(([name, mesh], id) => ({ id, name, shape: { mesh }, motion: 'fixed' }));
    objects.push({ id: 9, name: 'ball', shape: { sphere: { radius: RADIUS } }, ccd: true, mass: 0.1 });
    const lines = [{ hitstop: 1, name: 'Lost wall', dt: DT, engine: 'physx', scalar: 'f32', objects }, line(0, ball)];
    for (let frame = 1; frame <= 4; frame++) {
      step(scene);
      lines.push(line(frame, ball));
    }
    return lines;
  },
  /** 64 starting heights, from 0.306 m up in steps of 0.1 mm. */
  phases(fixed) {
    const through = count((phase) => {
      const { scene, ball } = level([START[0], 0.306 + 0.0064 * phase, START[2]], fixed);
      step(scene);
      const { x } = ball.getGlobalPose().p;
      scene.release();
      return x > 1;
    });
    return `from ${through} of 64 heights the ball passes the wall`;
  },
});
