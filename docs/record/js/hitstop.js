// Writes a level as a Hitstop log, in JSON Lines. For browsers and Node 20.16 or newer, without dependencies.
//
//     import { WorldRecorder } from './hitstop.js';
//     import { rapier } from './rapier.js';                         // or matter, planck, p2, cannon, ammo, havok, arcade, box2d
//
//     const recorder = new WorldRecorder('run.jsonl', rapier(RAPIER, world));   // once all bodies are there
//     for (;;) {
//       world.step();
//       recorder.frame();
//     }
//     await recorder.close();
//
// Of an engine without an adapter, or by hand:
//
//     const log = new Recorder('run.jsonl', { dt: 1 / 60 });
//     const ball = log.add('ball', { sphere: { radius: 0.1 } });
//     log.value('grounded', false, ball);       // also log.message('jump', { id: ball }), log.mark([from, to], { name: 'aim' }): of the next line
//     log.frame(time, [{ id: ball, p: [0, 1, 0], q: [0, 0, 0, 1], v: [0, -1, 0] }]);    // after each step
//     await log.close();
//
// The output: 'run.jsonl' or 'run.jsonl.gz', a file in Node and a download in a browser; 'tcp:127.0.0.1:9740' (Node) or
// 'http://127.0.0.1:9741' for a Hitstop that listens; an object with `write(text)`; null with `keep: 10`, the last ten seconds, for
// `save(path)`. Format: docs/log-format.md.

import { cross, FLAT_HOME, HOME, placed, plus, rounded } from './geometry.js';
import { create, report } from './output.js';
export { hull } from './geometry.js';

/**
 * Updates of the program in a row in which it may place a body before that counts as driving it by its position: a pool puts a bullet that hits
 * away, and may fire it again in the next one.
 */
const TELEPORTS = 2;

const line = (value) => JSON.stringify(rounded(value)) + '\n';

/** Writes the lines of a log. */
export class Recorder {
  /** `header`: name, dt, flat, up, unit, gravity, engine, build, margin, ..; `keep`: seconds to keep instead of an output. */
  constructor(output, { keep, ...header } = {}) {
    if ((output == null) === (keep == null)) throw new Error('give an output, or the seconds to keep');
    this.header = { hitstop: 1, ...header };
    this.out = output == null ? null : create(output);
    this.keep = keep;
    this.count = 0;
    this.frames = 0;
    /** Objects and fields of the next line. */
    this.waiting = [];
    this.next = {};
    this.teleported = new Set();
    /** The header, and the objects that were added before the first frame that is kept. */
    this.objects = '';
    this.lines = [];
  }

  /** The number of a new object; one that is added after the first frame appears in the next. */
  add(name, shape, fields) {
    this.waiting.push({ id: this.count, name, shape, ...fields });
    return this.count++;
  }

  append(field, value) {
    (this.next[field] ??= []).push(value);
  }

  /** Two objects that are never tested against each other. */
  ignore(a, b) {
    this.append('ignore', [a, b]);
  }

  /** A fixed object that is gone from the next line on, unless it is in each line. */
  remove(id) {
    this.append('remove', id);
  }

  /** One point of a pair; the normal leads from b to a, the depth is negative while they are apart. `impulse`: along the normal, in this step. */
  contact(a, b, point, normal, depth, impulse) {
    this.append('contacts', { a, b, point, normal, depth, impulse });
  }

  /** A correction that the engine made. */
  push(id, push) {
    this.append('pushes', { id, push });
  }

  /** A ray, or a sweep if it has a radius or a shape; `tag` is its name. `hit`: id, fraction of the way, normal; null for a miss. */
  query(query, hit) {
    const kind = query.radius > 0 || query.shape ? 'sweep' : 'ray';
    this.append('queries', { kind, ...query, hit });
  }

  /** Looks along its own -Z, its +Y up. `fields`: push, teleported. */
  camera(p, q, fields) {
    this.next.camera = { p, q, ...fields };
  }

  /** A line of the program's own log. `id`: the object that it is about; `level`: debug, info, warning, error. */
  message(text, { id, level = 'info' } = {}) {
    const isPlain = id === undefined && level === 'info';
    this.append('log', isPlain ? text : { text, id, level: level === 'info' ? undefined : level });
  }

  /** A value of the program: a number, true or false, or a text for the name of a state. */
  value(name, value, id) {
    this.append('values', { name, id, [typeof value === 'string' ? 'text' : 'value']: value });
  }

  /** A point, a line of two, or a polyline of up to 256, with a sphere of `radius` at each; `color` is red, green, blue from 0 to 255. */
  mark(points, { name, id, radius, color } = {}) {
    this.append('marks', { points, name: name || undefined, id, radius: radius || undefined, color });
  }

  /**
   * The move of a character: `from`, the displacement `wish` that the game asked for, and `to`. Others: grounded, up, max_slope (degrees), max_step, snap,
   * skin, and sweeps of kind, from, to, wish, and hit: id, normal toward the character, point.
   */
  move(id, { from, wish, to, ...fields }) {
    this.append('moves', { id, from, wish, to, ...fields });
  }

  /** A body that is placed instead of moved in the next line. */
  teleport(id) {
    this.teleported.add(id);
  }

  /** Writes the state after `t` seconds. `fields`: contacts (an empty list says that there are none), joints, substeps, gap, .. */
  frame(t, bodies, fields) {
    if (this.isClosed) return;
    const { ignore, remove, ...next } = this.next;
    let objects = '';
    let more = { spawn: this.waiting.length ? this.waiting : undefined, ignore, remove };
    if (this.frames === 0) {
      objects = line({ ...this.header, ignore, objects: this.waiting });
      more = { remove };
    }
    if (more.spawn || more.ignore || more.remove) objects += line(more);
    const lists = ['contacts', 'pushes', 'queries', 'log', 'values', 'marks', 'moves'];
    for (const field of lists) if (next[field] && fields?.[field]) next[field].unshift(...fields[field]);
    if (this.teleported.size) bodies = bodies.map((body) => (this.teleported.has(body.id) ? { ...body, teleported: true } : body));
    const text = line({ frame: this.frames++, t, bodies, ...fields, ...next });
    this.waiting = [];
    this.next = {};
    this.teleported.clear();
    if (this.out) return this.out.write(objects, text);
    this.lines.push([t, objects, text]);
    while (this.lines[0][0] < t - this.keep - 1e-9) this.objects += this.lines.shift()[1];
  }

  get dropped() {
    return this.out?.dropped ?? 0;
  }

  /** Writes the frames that are kept, and goes on keeping them. `absent`: objects that no line has, each on a line of its own. */
  async save(path, absent = []) {
    const out = create(path);
    out.write(this.objects, '');
    for (const [, objects, text] of this.lines) out.write(objects, text);
    for (const object of absent) out.write(line({ spawn: [object] }), '');
    await out.close();
  }

  /** Ends the recording; later frames are left out. `absent` as for `save`. */
  async close(absent = []) {
    this.isClosed = true;
    for (const object of absent) this.out?.write(line({ spawn: [object] }), '');
    await this.out?.close();
  }
}

/** Records all bodies of a world through the adapter of its engine. */
export class WorldRecorder {
  /**
   * Writes the state before the first step at once. `fields(body, part)`: what an object gets besides or instead of what the engine gives
   * (name, shape, sensor, one_way, ..), null to leave it out. `fixedCanMove: false` writes fixed bodies once, for large levels in which
   * none moves or is removed. `keep` and the header's fields are those of `Recorder`.
   */
  constructor(output, engine, { fields = () => ({}), fixedCanMove = true, ...header } = {}) {
    if (typeof engine?.bodies !== 'function') {
      throw new TypeError('give the adapter of the engine, not the engine: new WorldRecorder(output, matter(engine)), with the import of matter.js');
    }
    this.engine = engine;
    this.log = new Recorder(output, { dt: 1 / 60, ...engine.header, ...header });
    Object.assign(this, { fields, fixedCanMove, time: 0 });
    this.known = new WeakMap();
    this.bodies = 0;
    this.names = new Set();
    this.warned = new Set();
    /** What is added to the next line, once all bodies have their numbers. */
    this.notes = [];
    this.frame(0);
  }

  warn(text) {
    if (!this.warned.has(text)) report(text);
    this.warned.add(text);
  }

  /** The seconds and the steps since the last call. Of an engine without a clock it is one step. */
  passed() {
    const { engine, log, clock } = this;
    if (!engine.clock) return [engine.dt?.() ?? log.header.dt, 1];
    const { time, step, update } = engine.clock();
    Object.assign(this, { clock: time, update });
    // Steps may be of several lengths. A line has no more than a thousand.
    return [time - clock, Math.min(1000, Math.ceil((time - clock) / step - 1e-3))];
  }

  /** Whether a body was placed in more updates in a row than a teleport takes: then the program drives it. */
  isDriven(known, kind) {
    const update = this.update ?? this.log.frames;
    const [last, count] = known[kind] ?? [];
    if (update !== last) known[kind] = [update, update - 1 === last ? count + 1 : 1];
    return known[kind][1] > TELEPORTS;
  }

  /** Writes the state after a step. `fields`: substeps, gap, ..; contacts are those of one step, and are left out of more. */
  frame(t, fields = {}) {
    const { engine, log } = this;
    const [dt, steps] = this.passed();
    // The engine made no step since the last line.
    if (t === undefined && !(dt > 0)) return;
    t ??= this.time + dt;
    if (steps > 1) fields = { substeps: steps, ...fields };
    const bodies = [];
    const teleported = new Set(log.teleported);
    /** Objects that no step moves: fixed or asleep. */
    const still = new Set();
    for (const body of engine.bodies()) {
      const state = engine.state(body);
      if (!this.known.has(body)) this.known.set(body, { name: `body ${this.bodies++}`, parts: new Map() });
      const known = this.known.get(body);
      const { motion, p, q, v, w, centre, asleep, start, reset } = state;
      // A body that was away has no pose before.
      const isSeen = known.seen === log.frames - 1;
      // One that began the step elsewhere than it ended the last was placed. With more steps a line only a reset is known.
      const isMoved = isSeen && start !== undefined && start.some((x, i) => Math.abs(x - known.at.p[i]) > 1e-3);
      const isPlaced = isMoved && (reset || steps === 1);
      const isTeleported = isPlaced && !this.isDriven(known, reset ? 'reset' : 'set');
      known.before = isSeen && !isPlaced ? known.at : { p: start ?? p, q };
      Object.assign(known, { at: { p, q }, seen: log.frames });
      const parts = engine.parts(body);
      for (const part of parts) {
        const { id, local } = this.find(body, part, motion, parts.length > 1);
        if (motion === 'fixed' || asleep) still.add(id);
        if (id === undefined || (motion === 'fixed' && !this.fixedCanMove)) continue;
        const at = placed(known.at, local);
        const made = { id, p: at.p, q: at.q };
        if (motion !== 'fixed') {
          made.v = w ? plus(v, cross(w, plus(at.p, centre ?? p, -1))) : v;
          made.w = w;
          if (asleep) made.asleep = true;
          if (isTeleported) made.teleported = true;
          if (isTeleported) teleported.add(id);
        }
        bodies.push(made);
      }
    }
    const pairs = [...(engine.joined?.() ?? [])].flatMap(([a, b]) => this.ids(a).flatMap((i) => this.ids(b).map((k) => [i, k])));
    const given = { ...(pairs.length ? { joints: pairs } : {}), ...fields };
    const record = (body, part) => this.known.get(body)?.parts.get(part);
    if (log.frames > 0 && (fields.substeps ?? 1) === 1) {
      // Of a pair at rest an engine may keep the impulse of an earlier step.
      const asked = (it) => (still.has(it.a) && still.has(it.b) ? { ...it, impulse: undefined } : it);
      if (engine.contacts && !given.contacts) given.contacts = engine.contacts(record).map(asked);
      // A body that was placed was not pushed that far.
      if (engine.pushes && !given.pushes) given.pushes = engine.pushes(record).filter(({ id }) => !teleported.has(id));
    }
    this.time = t;
    this.notes.splice(0).forEach((add) => add());
    log.frame(t, bodies, given);
  }

  /** What is known of a part of a body; one that moves in another way, or has another size, than before is a new object. */
  find(body, part, motion, isOfMany) {
    const known = this.known.get(body);
    const it = known.parts.get(part);
    const size = this.engine.size?.(body, part);
    if (it?.motion === motion && Object.is(it.size, size)) return it;
    if (it?.motion === 'fixed' && it.id !== undefined && !this.fixedCanMove) this.log.remove(it.id);
    const made = { motion, size, body: known };
    known.parts.set(part, made);
    const { p, q, missing, ...described } = this.engine.describe(body, part);
    const given = this.fields(body, part);
    if (given === null) return made;
    const { name, shape, ...fields } = { body: known.name, ...described, ...given };
    if (!shape) {
      if (missing) this.warn(`${missing} is not recorded; give its shape in \`fields\``);
      return made;
    }
    const home = this.log.header.flat ? FLAT_HOME : HOME;
    made.local = p || q ? { p: p ?? home.p, q: q ?? home.q } : home;
    const at = placed(known.at, made.local);
    const called = (name ?? Object.keys(shape)[0]) + (isOfMany ? ` part ${known.parts.size}` : '');
    const unique = name && !this.names.has(called) ? called : `${called} ${this.log.count}`;
    this.names.add(unique);
    made.id = this.log.add(unique, shape, { motion, position: at.p, rotation: at.q, ...fields });
    return made;
  }

  ids(body) {
    return [...(this.known.get(body)?.parts.values() ?? [])].flatMap(({ id }) => id ?? []);
  }

  /** The number of a body, or of one of its parts. */
  id(body, part) {
    return part === undefined ? this.ids(body)[0] : this.known.get(body)?.parts.get(part)?.id;
  }

  /** Makes a body a new object from the next line on, with the shape and the masks that it has then. */
  forget(body) {
    this.known.delete(body);
  }

  /** A body that was placed instead of moved; call it right after that. The next step begins there. */
  teleport(body) {
    const { p, q } = this.engine.state(body);
    if (this.known.has(body)) this.known.get(body).at = { p, q };
    this.ids(body).forEach((id) => this.log.teleport(id));
  }

  /** A query in the engine's units and axes, vectors as lists or objects. `hit`: `id` (see `id`), fraction, normal; null for a miss. */
  query({ from, to, ...query }, hit) {
    const { vector } = this.engine;
    this.log.query({ from: vector(from), to: vector(to), ...query }, hit && { ...hit, normal: hit.normal && vector(hit.normal) });
  }

  /** A line of the program's own log. `body`: what it is about; `level`: debug, info, warning, error. */
  message(text, { body, level } = {}) {
    this.note(body, (id) => this.log.message(text, { id, level }));
  }

  /** A value of the program: a number, true or false, or a text for the name of a state. */
  value(name, value, body) {
    this.note(body, (id) => this.log.value(name, value, id));
  }

  /** A point, a line or a polyline in the engine's units and axes. `fields`: body, name, radius of a sphere at each point, color. */
  mark(points, { body, ...fields } = {}) {
    const places = points.map((point) => this.engine.vector(point));
    this.note(body, (id) => this.log.mark(places, { id, ...fields }));
  }

  /** The move of a character in the engine's units and axes, before `frame`; see `Recorder`. `part`: its part, if it has several; hits have an `id`. */
  move(body, { part, from, wish, to, up, sweeps, ...fields }) {
    const { vector } = this.engine;
    const of = (it, ...names) => Object.fromEntries(names.filter((name) => it[name]).map((name) => [name, vector(it[name])]));
    const met = (hit) => hit && { id: hit.id, ...of(hit, 'normal', 'point') };
    const made = (it) => ({ kind: it.kind, ...of(it, 'from', 'to', 'wish'), hit: met(it.hit) });
    const move = { ...of({ from, wish, to, up }, 'from', 'wish', 'to', 'up'), ...fields, sweeps: sweeps?.map(made) };
    this.note(body, (id) => this.log.move(id, move), part);
  }

  /** A body that is new, or has changed, has its number once its line is written; one that is forgotten had one. */
  note(body, add, part) {
    const id = body && this.id(body, part);
    this.notes.push(() => add((body && this.id(body, part)) ?? id));
  }

  /** Objects of what is not recorded, by names that give the reason: no line has them, and `hitstop check` lists them. */
  absent() {
    const found = new Map();
    for (const { body, name, why, isWarned, shape, p, q } of this.engine.leftOut?.() ?? []) {
      if (body && (this.ids(body).length || this.fields(body, this.engine.parts(body)[0]) === null)) continue;
      const text = `${name} (${why})`;
      if (!found.has(text)) found.set(text, { id: this.log.count + found.size, name: text, shape, motion: 'kinematic', position: p, rotation: q });
      if (!isWarned) this.warn(`${name} is not recorded: ${why}`);
    }
    return [...found.values()];
  }

  save(path) {
    return this.log.save(path, this.absent());
  }

  close() {
    this.engine.close?.();
    return this.log.close(this.absent());
  }
}
