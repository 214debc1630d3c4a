/** Vectors as lists. Units and axes are those of the header. */
export type Vec3 = [number, number, number];
/** Two numbers in a flat level. */
export type Vec = Vec3 | [number, number];
/** x y z w. */
export type Quat = [number, number, number, number];
/** An angle in a flat level, in radians. */
export type Turn = Quat | number;
/** About an axis; a number in a flat level. */
export type Spin = Vec3 | number;
export type Shape = { [kind: string]: unknown };
/** A vector of the engine. */
export type EngineVector = ArrayLike<number> | { x: number; y: number; z?: number };

/** Fields as in docs/log-format.md. */
export interface Header {
  name?: string;
  dt?: number;
  flat?: boolean;
  up?: 'x' | 'y' | 'z' | '-y';
  unit?: 'm' | 'cm' | 'mm' | 'km' | 'in' | 'ft' | 'px';
  length?: number;
  gravity?: Vec;
  scalar?: 'f32' | 'f64';
  engine?: string;
  build?: string;
  ccd_threshold?: number;
  margin?: number;
  lens?: { near?: number; fov?: number; aspect?: number };
  joints?: [number, number][];
  x?: unknown;
}

export interface ObjectFields {
  motion?: 'dynamic' | 'fixed' | 'kinematic';
  position?: Vec;
  rotation?: Turn;
  ccd?: boolean;
  scale?: Vec;
  layer?: number;
  mask?: number;
  body?: string | number;
  sensor?: boolean;
  character?: boolean;
  one_way?: Vec;
  mass?: number;
  color?: Vec3;
  tags?: string[];
  x?: unknown;
}

export interface Body {
  id: number;
  p: Vec;
  q?: Turn;
  v?: Vec;
  w?: Spin;
  asleep?: boolean;
  teleported?: boolean;
}

/** One point of a pair; the normal leads from b to a, the depth is negative while they are apart. */
export interface Contact {
  a: number;
  b: number;
  point: Vec;
  normal: Vec;
  depth: number;
  /** That the engine applied along the normal in this step: mass x length / second, not negative. */
  impulse?: number;
}

export interface Push {
  id: number;
  push: Vec;
}

export interface Hit<Vector> {
  id: number;
  fraction: number;
  normal?: Vector;
}

export interface Query<Vector> {
  from: Vector;
  to: Vector;
  /** Of a sweep of a sphere. */
  radius?: number;
  /** Of a sweep of another shape, with the rotation `q`. */
  shape?: Shape;
  q?: Turn;
  /** The object that casts. */
  id?: number;
  mask?: number;
  /** What the program calls the query. */
  tag?: string;
}

export type Level = 'debug' | 'info' | 'warning' | 'error';

/** A drawing: the radius of a sphere at each point, and red, green, blue from 0 to 255. */
export interface MarkFields {
  name?: string;
  radius?: number;
  color?: Vec3;
}

/** What a sweep of a move met; the normal leads toward the character. */
export interface MoveHit<Vector> {
  id: number;
  normal?: Vector;
  point?: Vector;
}

/** A part of a move; `wish` is the displacement that it was asked for, if that is not the one that it made. */
export interface MoveSweep<Vector> {
  kind: 'move' | 'slide' | 'step_up' | 'step_forward' | 'step_down' | 'snap' | 'floor' | 'push_out' | (string & {});
  from: Vector;
  to: Vector;
  wish?: Vector;
  hit?: MoveHit<Vector> | null;
}

/** A character's move: places of its shape's origin, and the displacement that the game asked for. */
export interface MoveFields<Vector> {
  from: Vector;
  wish: Vector;
  to: Vector;
  /** The controller's answer after the move. */
  grounded?: boolean;
  up?: Vector;
  /** In degrees. */
  max_slope?: number;
  max_step?: number;
  /** How far down it is held to the floor. */
  snap?: number;
  /** The distance that it keeps. */
  skin?: number;
  /** In the order in which they were made. */
  sweeps?: MoveSweep<Vector>[];
}

export interface FrameFields {
  contacts?: Contact[];
  pushes?: Push[];
  joints?: [number, number][];
  /** Steps of the engine since the last line. */
  substeps?: number;
  gap?: boolean;
  dt?: number;
  x?: unknown;
}

/** A path that ends in .jsonl or .jsonl.gz, tcp:HOST:PORT, http://HOST:PORT, or anything with `write`. */
export type Output = string | URL | { write(text: string): unknown };

/** The convex hull of points, rounded by `radius`; of more than 1,024 points, those that are farthest out. */
export function hull(points: Vec3[], radius?: number): Shape;

export class Recorder {
  /** Give either an output, or null and the seconds to `keep`. */
  constructor(output: Output | null, options?: Header & { keep?: number });
  add(name: string, shape: Shape, fields?: ObjectFields): number;
  ignore(a: number, b: number): void;
  remove(id: number): void;
  contact(a: number, b: number, point: Vec, normal: Vec, depth: number, impulse?: number): void;
  push(id: number, push: Vec): void;
  query(query: Query<Vec>, hit: Hit<Vec> | null): void;
  camera(p: Vec, q: Turn, fields?: { push?: Vec; teleported?: boolean }): void;
  message(text: string, fields?: { id?: number; level?: Level }): void;
  value(name: string, value: number | boolean | string, id?: number): void;
  /** Of 1 to 256 points. */
  mark(points: Vec[], fields?: MarkFields & { id?: number }): void;
  move(id: number, fields: MoveFields<Vec>): void;
  teleport(id: number): void;
  frame(t: number, bodies: Body[], fields?: FrameFields): void;
  /** Frames that were dropped, as the viewer was too slow. */
  readonly dropped: number;
  save(path: Output): Promise<void>;
  close(): Promise<void>;
}

/** What a part of a body is known as. */
export interface PartRecord {
  id?: number;
  local: Pose;
  body: { before: Pose; at: Pose };
}

export interface Pose {
  p: Vec;
  q: Turn;
}

export interface State extends Pose {
  motion: 'dynamic' | 'fixed' | 'kinematic';
  /** Of the centre of mass; not of fixed bodies. */
  v?: Vec;
  w?: Spin;
  /** The centre of mass in the level, if it is not `p`. */
  centre?: Vec;
  asleep?: boolean;
  /** Where the last step began: a body that ended the one before elsewhere was placed by the program, not moved. */
  start?: Vec;
  /** The program called what puts a body elsewhere, such as `reset`: counted apart from other placements. */
  reset?: boolean;
}

/** What is not recorded: it is named in the log, with the reason. */
export interface LeftOut<Body> extends Pose {
  /** If it has an object, it is not left out. Without a body it is named in any case. */
  body?: Body;
  name: string;
  why: string;
  shape: Shape;
  /** It was named on the console already. */
  isWarned?: boolean;
}

/** What `WorldRecorder` reads of an engine. Everything is in the axes and units of the log; bodies are objects that stay the same. */
export interface Engine<Body extends object = object, Part = unknown> {
  header: Header;
  vector(v: EngineVector): Vec;
  bodies(): Iterable<Body>;
  parts(body: Body): Part[];
  state(body: Body): State;
  /** `p`, `q`: the pose of the part in its body; `missing`: what to call one without a shape; without it no warning. */
  describe(body: Body, part: Part): ObjectFields & Partial<Pose> & { name?: string; shape?: Shape | null; missing?: string };
  /** Of the part's shape: where it is another than before, a new object begins. */
  size?(body: Body, part: Part): unknown;
  contacts?(record: (body: Body, part: Part) => PartRecord | undefined): Contact[];
  pushes?(record: (body: Body, part: Part) => PartRecord | undefined): Push[];
  /** Pairs of bodies that joints keep from colliding. */
  joined?(): Iterable<[Body, Body]>;
  /** The length of the last step in seconds. */
  dt?(): number;
  /**
   * Instead of `dt`: the seconds that the engine has simulated, and the length of its last step; `update`: how many updates the program has
   * made, if one has several steps.
   */
  clock?(): { time: number; step: number; update?: number };
  /** What is not recorded; asked when the recorder is closed, and when it saves. */
  leftOut?(): Iterable<LeftOut<Body>>;
  /** The recording has ended. */
  close?(): void;
}

export interface WorldOptions<Body, Part> extends Header {
  keep?: number;
  /** What an object gets besides or instead of what the engine gives; null leaves it out. */
  fields?(body: Body, part: Part): (ObjectFields & { name?: string; shape?: Shape }) | null | undefined;
  /** false: fixed bodies are written once, as none moves or is removed. */
  fixedCanMove?: boolean;
}

export class WorldRecorder<Body extends object = any, Part = any> {
  constructor(output: Output | null, engine: Engine<Body, Part>, options?: WorldOptions<Body, Part>);
  readonly log: Recorder;
  frame(t?: number, fields?: FrameFields): void;
  id(body: Body, part?: Part): number | undefined;
  forget(body: Body): void;
  teleport(body: Body): void;
  query(query: Query<EngineVector>, hit: Hit<EngineVector> | null): void;
  message(text: string, fields?: { body?: Body; level?: Level }): void;
  value(name: string, value: number | boolean | string, body?: Body): void;
  mark(points: EngineVector[], fields?: MarkFields & { body?: Body }): void;
  /** Before `frame`; `part`: of several. */
  move(body: Body, fields: MoveFields<EngineVector> & { part?: Part }): void;
  save(path: Output): Promise<void>;
  close(): Promise<void>;
}
