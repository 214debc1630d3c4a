'use strict';
(async () => {
const $ = id => document.getElementById(id);
const fail = text => { $('state').textContent = text; };
const TAU = 2 * Math.PI, FOV = Math.tan(Math.PI / 9), RINGS = 16, AROUND = 40;

// Vectors are arrays of three, rotations of four (x, y, z, w), all in metres with Y up.
const add = (a, b, k = 1) => [a[0] + b[0] * k, a[1] + b[1] * k, a[2] + b[2] * k];
const sub = (a, b) => add(a, b, -1);
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const len = a => Math.hypot(a[0], a[1], a[2]);
const scale = (a, k) => [a[0] * k, a[1] * k, a[2] * k];
const unit = a => scale(a, 1 / (len(a) || 1));
const turn = (q, v) => { const t = add(cross(q, v), v, q[3]); return add(v, cross(q, t), 2); };
const about = (v, axis, angle) => { const s = Math.sin(angle / 2); return turn([axis[0] * s, axis[1] * s, axis[2] * s, Math.cos(angle / 2)], v); };
const then = (a, b) => [...add(scale(b, a[3]), a, b[3]).map((x, i) => x + cross(a, b)[i]), a[3] * b[3] - dot(a, b)];
function slerp(a, b, f) {
  let d = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3], sign = d < 0 ? -1 : 1;
  d *= sign;
  let [u, v] = [1 - f, f];
  if (d < 0.9999) { const w = Math.acos(d), s = Math.sin(w); u = Math.sin(u * w) / s; v = Math.sin(v * w) / s; }
  const q = a.map((x, i) => x * u + b[i] * v * sign), l = Math.hypot(...q);
  return q.map(x => x / l);
}

// The data: a JSON text, then meshes, tracks and segments.
let bytes;
try {
  const text = atob($('data').textContent.trim());
  const packed = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) packed[i] = text.charCodeAt(i);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  bytes = new Uint8Array(await new Response(stream).arrayBuffer());
} catch (error) {
  return fail('This browser cannot unpack the recording (' + error + '). The findings are below.');
}
let at = 4 + new DataView(bytes.buffer).getUint32(0, true);
const level = JSON.parse(new TextDecoder().decode(bytes.subarray(4, at)));
const varint = () => { let value = 0, place = 1, byte; do { byte = bytes[at++]; value += (byte & 127) * place; place *= 128; } while (byte > 127); return value; };
const signed = () => { const value = varint(); return value % 2 ? -(value + 1) / 2 : value / 2; };
const S = level.states, O = level.objects.length, center = level.center;

const meshes = level.meshes.map(([vertices, triangles, step]) => {
  const points = new Float32Array(3 * vertices);
  for (let axis = 0; axis < 3; axis++) {
    for (let i = 0, value = 0; i < vertices; i++) { value += signed(); points[3 * i + axis] = value * step; }
  }
  const corners = new Uint32Array(3 * triangles);
  for (let i = 0, value = 0; i < corners.length; i++) { value += signed(); corners[i] = value; }
  return { points, corners };
});
// Each track: when it is there, then position and rotation, each component as its change of change.
const tracks = level.objects.map(() => {
  const there = new Uint8Array(S), p = new Float64Array(3 * S), q = new Float32Array(4 * S);
  for (let state = 0, on = 0; state < S; on ^= 1) { const run = varint(); there.fill(on, state, state + run); state += run; }
  const still = varint();
  for (let part = 0; part < 7; part++) {
    let before = 0, last = 0, seen = 0, value = 0;
    for (let state = 0; state < S; state++) {
      if (!there[state]) continue;
      if (!still || !seen) value = signed() + (seen > 1 ? 2 * last - before : seen ? last : 0);
      before = last; last = value; seen++;
      if (part < 3) p[3 * state + part] = value * level.quantum; else q[4 * state + part - 3] = value / 32767;
    }
  }
  return { there, p, q };
});
// What moves otherwise than straight between two states: parts of frames, by object and frame.
const parts = new Map();
{
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < level.parts; i++) {
    const key = varint() * S + varint(), numbers = [];
    for (let k = 0; k < 16; k++, at += 8) numbers.push(view.getFloat64(at, true));
    if (!parts.has(key)) parts.set(key, []);
    parts.get(key).push(numbers);
  }
}
const posed = (object, state) => {
  const { p, q } = tracks[object];
  return { p: [p[3 * state], p[3 * state + 1], p[3 * state + 2]], q: [q[4 * state], q[4 * state + 1], q[4 * state + 2], q[4 * state + 3]] };
};
const between = (a, b, f) => ({ p: add(scale(a.p, 1 - f), b.p, f), q: slerp(a.q, b.q, f) });
function pose(object, time) {
  const state = Math.min(Math.floor(time), S - 1), f = time - state, { there } = tracks[object];
  if (!there[state]) return null;
  if (f <= 0) return posed(object, state);
  const own = parts.get(object * S + state);
  if (own) {
    const part = own.find(part => f <= part[1]) || own[own.length - 1];
    const share = part[1] > part[0] ? (f - part[0]) / (part[1] - part[0]) : 1;
    return between({ p: part.slice(2, 5), q: part.slice(5, 9) }, { p: part.slice(9, 12), q: part.slice(12, 16) }, Math.min(Math.max(share, 0), 1));
  }
  return there[state + 1] ? between(posed(object, state), posed(object, state + 1), f) : posed(object, state);
}

// The picture.
const canvas = $('view'), gl = canvas.getContext('webgl2', { antialias: true, alpha: false });
if (!gl) return fail('This browser draws no WebGL 2. The findings are below.');
document.body.classList.add('js');
function program(vertex, fragment) {
  const made = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, '#version 300 es\nprecision highp float;\n' + text);
    gl.compileShader(shader);
    gl.attachShader(made, shader);
  }
  ['point', 'normal', 'place', 'rotation', 'size', 'color'].forEach((name, i) => gl.bindAttribLocation(made, i, name));
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(made));
  return made;
}
const solid = program(
  'in vec3 point, normal, place, size; in vec4 rotation, color; uniform mat4 clip; out vec3 n; out vec4 c;' +
  'vec3 turn(vec4 q, vec3 v) { return v + 2. * cross(q.xyz, cross(q.xyz, v) + q.w * v); }' +
  'void main() { n = turn(rotation, normal / size); c = color; gl_Position = clip * vec4(turn(rotation, point * size) + place, 1.); }',
  'in vec3 n; in vec4 c; uniform vec3 toward; uniform float plain; out vec4 o;' +
  'void main() { vec3 m = normalize(n); if (dot(m, toward) < 0.) m = -m;' +
  'float l = .66 + .16 * m.y + .22 * max(dot(m, normalize(vec3(.5, .8, .6))), 0.) + .1 * dot(m, toward);' +
  'o = vec4(mix(c.rgb * l, c.rgb, plain), c.a); }');
const flat = program('in vec3 point; in vec4 color; uniform mat4 clip; out vec4 c; void main() { c = color; gl_Position = clip * vec4(point, 1.); }',
  'in vec4 c; out vec4 o; void main() { o = c; }');

const quads = corners => corners.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]);
function round(radius, a, b) {
  // A ball around a, drawn out to b.
  const along = len(sub(b, a)) > 0 ? unit(sub(b, a)) : [0, 1, 0], out = [];
  const side = unit(cross(along, Math.abs(along[0]) < 0.9 ? [1, 0, 0] : [0, 0, 1])), other = cross(along, side);
  const ring = (i, j) => {
    const high = Math.PI * (i / RINGS - 0.5), angle = TAU * j / AROUND;
    return add(add(scale(along, Math.sin(high)), side, Math.cos(high) * Math.cos(angle)), other, Math.cos(high) * Math.sin(angle));
  };
  for (let i = 0; i < RINGS; i++) for (let j = 0; j < AROUND; j++) {
    const ends = [[i, j], [i, j + 1], [i + 1, j + 1], [i + 1, j]].map(([k, l]) => { const n = ring(k, l); return [add(i < RINGS / 2 ? a : b, n, radius), n]; });
    out.push(...quads([ends]));
  }
  if (len(sub(b, a)) > 0) for (let j = 0; j < AROUND; j++) {
    const [m, n] = [ring(RINGS / 2, j), ring(RINGS / 2, j + 1)];
    out.push(...quads([[[add(a, m, radius), m], [add(a, n, radius), n], [add(b, n, radius), n], [add(b, m, radius), m]]]));
  }
  return out;
}
const cube = quads([0, 1, 2].flatMap(axis => [-1, 1].map(sign => {
  const n = [0, 0, 0]; n[axis] = sign;
  const corner = (u, v) => { const p = [0, 0, 0]; p[axis] = sign; p[(axis + 1) % 3] = u; p[(axis + 2) % 3] = v; return [p, n]; };
  return [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
})));
const groups = new Map();
function group(key, make) {
  if (!groups.has(key)) {
    const vertices = make(), data = vertices.flat ? new Float32Array(vertices.flat(2)) : vertices;
    const array = gl.createVertexArray(), instances = gl.createBuffer();
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
    [0, 1].forEach(i => { gl.enableVertexAttribArray(i); gl.vertexAttribPointer(i, 3, gl.FLOAT, false, 24, 12 * i); });
    gl.bindBuffer(gl.ARRAY_BUFFER, instances);
    [[2, 3, 0], [3, 4, 12], [4, 3, 28], [5, 4, 40]].forEach(([i, n, offset]) => {
      gl.enableVertexAttribArray(i); gl.vertexAttribPointer(i, n, gl.FLOAT, false, 56, offset); gl.vertexAttribDivisor(i, 1);
    });
    groups.set(key, { array, instances, count: data.length / 6, opaque: [], clear: [] });
  }
  return groups.get(key);
}
function meshed(index) {
  const { points, corners } = meshes[index], out = new Float32Array(6 * corners.length);
  for (let i = 0; i < corners.length; i += 3) {
    const ends = [0, 1, 2].map(k => Array.from(points.subarray(3 * corners[i + k], 3 * corners[i + k] + 3)));
    const n = unit(cross(sub(ends[1], ends[0]), sub(ends[2], ends[0])));
    ends.forEach((end, k) => out.set([...end, ...n], 6 * (i + k)));
  }
  return out;
}
// For each object its parts: a group, a place and rotation in it, a size.
const shapes = level.objects.map(object => object.p.map(([kind, numbers, p, q]) => {
  const key = kind + numbers;
  if (kind === 'b') return [group('b', () => cube), numbers, p, q];
  if (kind === 's') return [group('s', () => round(1, [0, 0, 0], [0, 0, 0])), [numbers[0], numbers[0], numbers[0]], p, q];
  if (kind === 'c') return [group(key, () => round(numbers[6], numbers.slice(0, 3), numbers.slice(3, 6))), [1, 1, 1], p, q];
  return [group(key, () => meshed(numbers[0])), [1, 1, 1], p, q];
}));

// What is chosen, and from where it is seen.
let time = 0, playing = false, speed = 1, chosen = -1, picked = -1, dirty = true;
const findings = level.findings, eye = { target: [0, 0, 0], right: [1, 0, 0], up: [0, 1, 0], distance: 10, flat: level.flat };
const toward = () => cross(eye.right, eye.up);
const dark = matchMedia('(prefers-color-scheme: dark)');
const tint = name => {
  const text = getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
  return [1, 3, 5].map(i => parseInt(text.slice(i, i + 2), 16) / 255);
};
let tints;
function repaint() {
  tints = {};
  for (const name of ['ground', 'mover', 'obstacle', 'impact', 'normal', 'allowed', 'weak', 'line']) tints[name] = tint(name);
  dirty = true;
}
dark.addEventListener('change', repaint);

function matrix() {
  const back = toward(), from = add(eye.target, back, eye.distance), w = canvas.width / canvas.height;
  const far = eye.distance * 4 + level.radius * 4, near = eye.flat ? -far : eye.distance * 0.01;
  const rows = [eye.right, eye.up, back].map(axis => [...axis, -dot(axis, from)]);
  const half = FOV * eye.distance;
  const clip = eye.flat
    ? [rows[0].map(x => x / half / w), rows[1].map(x => x / half), rows[2].map((x, i) => -2 * x / (far - near) - (i === 3 ? (far + near) / (far - near) : 0)), [0, 0, 0, 1]]
    : [rows[0].map(x => x / FOV / w), rows[1].map(x => x / FOV), rows[2].map((x, i) => -x * (far + near) / (far - near) - (i === 3 ? 2 * far * near / (far - near) : 0)), rows[2].map(x => -x)];
  return clip;
}
function screen(clip, p) {
  const v = clip.map(row => dot(row, p) + row[3]);
  return v[3] > 0 ? [(v[0] / v[3] + 1) / 2 * canvas.clientWidth, (1 - v[1] / v[3]) / 2 * canvas.clientHeight, v[2] / v[3]] : null;
}
const local = p => sub(p, center);
function put(object, where, color, alpha) {
  for (const [group, size, p, q] of shapes[object]) {
    const place = add(local(where.p), turn(where.q, p)), rotation = then(where.q, q);
    (alpha < 1 ? group.clear : group.opaque).push(...place, ...rotation, ...size.map(x => x || 1e-6), ...color, alpha);
  }
}
const lineArray = gl.createVertexArray(), lineBuffer = gl.createBuffer();
gl.bindVertexArray(lineArray);
gl.bindBuffer(gl.ARRAY_BUFFER, lineBuffer);
[[0, 3, 0], [5, 4, 12]].forEach(([i, n, offset]) => { gl.enableVertexAttribArray(i); gl.vertexAttribPointer(i, n, gl.FLOAT, false, 28, offset); });

function grid() {
  const step = 10 ** Math.floor(Math.log10(eye.distance * 0.6)), lines = [], color = [...tints.line, 1];
  const axes = level.flat ? [[1, 0, 0], [0, 1, 0]] : [[1, 0, 0], [0, 0, 1]];
  const origin = level.flat ? [center[0], center[1], 0] : [center[0], level.ground, center[2]];
  const near = axes.map(axis => Math.round((dot(axis, eye.target) + dot(axis, center)) / step) * step);
  for (let i = -20; i <= 20; i++) axes.forEach((axis, k) => {
    const other = axes[1 - k];
    const start = add(add(scale(axis, near[k] + i * step - dot(axis, center)), other, near[1 - k] - 20 * step - dot(other, center)), sub(origin, center));
    lines.push([start, add(start, other, 40 * step), color]);
  });
  return lines;
}
function draw() {
  const wide = Math.round(canvas.clientWidth * devicePixelRatio), high = Math.round(canvas.clientHeight * devicePixelRatio);
  if (canvas.width !== wide || canvas.height !== high) { canvas.width = wide; canvas.height = high; }
  for (const one of groups.values()) one.opaque = [], one.clear = [];
  const finding = findings[chosen], clip = matrix(), lines = grid(), top = [];
  const here = finding && time >= finding.f && time <= finding.l + 1;
  level.objects.forEach((object, i) => {
    const where = pose(i, time);
    if (!where) return;
    const isMover = finding && i === finding.a, isObstacle = finding && i === finding.b;
    const color = isMover ? tints.mover : isObstacle ? tints.impact.map((x, k) => 0.35 * x + 0.65 * tints.obstacle[k]) : object.c || (object.f ? tints.obstacle : tints.mover.map((x, k) => 0.5 * x + 0.5 * tints.weak[k]));
    put(i, where, color, isObstacle ? 0.55 : object.s ? 0.25 : 1);
  });
  if (finding && finding.a !== null) {
    const ends = [pose(finding.a, finding.f), pose(finding.a, finding.f + 1)];
    ends.forEach(end => end && here && put(finding.a, end, tints.mover, 0.25));
    for (let i = 0; i < 24; i++) {
      const [a, b] = [pose(finding.a, finding.f + i / 24), pose(finding.a, finding.f + (i + 1) / 24 - 1e-9)];
      if (a && b) top.push([local(a.p), local(b.p), [...tints.mover, 1]]);
    }
  }
  if (finding) {
    const point = local(finding.at), size = eye.distance * 0.012;
    for (const axis of [eye.right, eye.up]) top.push([add(point, axis, -size), add(point, axis, size), [...tints.impact, 1]]);
    top.push([point, add(point, finding.n, eye.distance * 0.1), [...tints.normal, 1]]);
  }
  gl.viewport(0, 0, canvas.width, canvas.height);
  gl.clearColor(...tints.ground, 1);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  gl.enable(gl.DEPTH_TEST);
  gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
  const columns = new Float32Array([0, 1, 2, 3].flatMap(column => clip.map(row => row[column])));
  const segments = list => {
    gl.useProgram(flat);
    gl.uniformMatrix4fv(gl.getUniformLocation(flat, 'clip'), false, columns);
    gl.bindVertexArray(lineArray);
    gl.bindBuffer(gl.ARRAY_BUFFER, lineBuffer);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(list.flatMap(([a, b, color]) => [...a, ...color, ...b, ...color])), gl.DYNAMIC_DRAW);
    gl.drawArrays(gl.LINES, 0, 2 * list.length);
  };
  segments(lines);
  gl.useProgram(solid);
  gl.uniformMatrix4fv(gl.getUniformLocation(solid, 'clip'), false, columns);
  gl.uniform3fv(gl.getUniformLocation(solid, 'toward'), toward());
  gl.uniform1f(gl.getUniformLocation(solid, 'plain'), level.flat ? 1 : 0);
  for (const name of ['opaque', 'clear']) {
    if (name === 'clear') { gl.enable(gl.BLEND); gl.depthMask(false); }
    for (const one of groups.values()) {
      if (!one[name].length) continue;
      gl.bindVertexArray(one.array);
      gl.bindBuffer(gl.ARRAY_BUFFER, one.instances);
      gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(one[name]), gl.DYNAMIC_DRAW);
      gl.drawArraysInstanced(gl.TRIANGLES, 0, one.count, one[name].length / 14);
    }
  }
  gl.disable(gl.BLEND); gl.depthMask(true);
  gl.disable(gl.DEPTH_TEST);
  if (top.length) segments(top);
  labels(clip, finding);
}
function labels(clip, finding) {
  const shown = finding ? [finding.a, finding.b] : [picked, null];
  ['name-a', 'name-b'].forEach((id, k) => {
    const object = shown[k], where = object !== null && object >= 0 && pose(object, time);
    const place = where && screen(clip, finding && k === 1 ? add(local(finding.at), finding.n, -eye.distance * 0.03) : local(where.p));
    $(id).hidden = !place;
    if (place) {
      $(id).textContent = level.objects[object].n;
      $(id).style.transform = `translate(${Math.min(Math.max(place[0] + 10, 0), canvas.clientWidth - 80)}px,${Math.min(Math.max(place[1] + (k ? 12 : -26), 0), canvas.clientHeight - 24)}px)`;
    }
  });
}

// Numbers in the user's axes and unit.
const digits = x => Math.abs(x) < 1e-12 ? '0' : String(Number(x.toPrecision(4)));
const shownPoint = p => '(' + level.axes.map(axis => digits(dot(axis, p) / level.metres)).join(', ') + ') ' + level.unit;
const number = frame => level.numbers.length > 1 ? level.numbers[frame] : level.numbers[0] + frame;
function say() {
  const frame = Math.min(Math.floor(time), S - 2), inside = time - frame;
  $('time').value = time; $('inside').value = inside;
  const seconds = level.times[frame] + (level.times[frame + 1] - level.times[frame]) * inside;
  let text = `frame ${number(frame)} + ${inside.toFixed(3)} · ${seconds.toFixed(4)} s`;
  const object = findings[chosen] ? findings[chosen].a : picked, where = object !== null && object >= 0 && pose(object, time);
  if (where) text += ` · ${level.objects[object].n.slice(0, 40)} at ${shownPoint(where.p)}`;
  $('state').textContent = text;
  $('play').textContent = playing ? 'Pause' : 'Play';
  const finding = findings[chosen], plot = finding && document.getElementById('g' + finding.i + 't');
  if (plot) {
    const svg = plot.parentNode;
    let mark = svg.querySelector('.now');
    if (!mark) { mark = svg.appendChild(document.createElementNS(svg.namespaceURI, 'line')); mark.setAttribute('class', 'now'); mark.setAttribute('y1', level.plot[2]); mark.setAttribute('y2', level.plot[3]); }
    const x = level.plot[0] + (level.plot[1] - level.plot[0]) * Math.min(Math.max(time - finding.f, 0), 1);
    mark.setAttribute('x1', x); mark.setAttribute('x2', x);
  }
}
let address;
function seek(to) {
  time = Math.min(Math.max(to, 0), S - 1);
  dirty = true;
  clearTimeout(address);
  address = setTimeout(() => {
    const frame = Math.min(Math.floor(time), S - 2), parts = ['frame=' + number(frame)];
    if (time > frame) parts.push('fraction=' + (time - frame).toFixed(4));
    if (chosen >= 0) parts.push('finding=' + (findings[chosen].i + 1));
    try { history.replaceState(null, '', '#' + parts.join('&')); } catch { /* Not in a frame of another page. */ }
  }, 200);
}
function overview() {
  eye.flat = level.flat;
  [eye.right, eye.up] = level.flat ? [[1, 0, 0], [0, 1, 0]] : [unit([1, 0, -0.6]), unit([-0.25, 0.85, -0.42])];
  if (!level.flat) { const back = unit([0.51, 0.45, 0.86]); eye.right = unit(cross([0, 1, 0], back)); eye.up = cross(back, eye.right); }
  eye.target = [0, 0, 0];
  eye.distance = level.radius * 1.5 / FOV / Math.min(1, canvas.clientWidth / canvas.clientHeight || 1) / 2;
  dirty = true;
}
function frameFinding() {
  const finding = findings[chosen];
  if (!finding) return overview();
  [eye.right, eye.up, eye.flat] = [finding.r, finding.u, true];
  const ends = finding.a === null ? [] : [pose(finding.a, finding.f), pose(finding.a, finding.f + 1)].filter(Boolean);
  const points = [finding.at, ...ends.map(end => end.p)].map(local);
  const low = points.reduce((a, b) => a.map((x, i) => Math.min(x, b[i]))), high = points.reduce((a, b) => a.map((x, i) => Math.max(x, b[i])));
  eye.target = scale(add(low, high), 0.5);
  const size = finding.a === null ? 0 : level.objects[finding.a].r;
  const half = 0.5 * len(sub(high, low)) / Math.max(1, canvas.clientWidth / canvas.clientHeight) + 2.5 * size;
  eye.distance = (half || level.radius * 0.05) * 1.15 / FOV;
  dirty = true;
}
function choose(index, moves = true) {
  chosen = index;
  document.querySelectorAll('article').forEach(article => { article.hidden = !findings[index] || article.id !== 'f' + findings[index].i; });
  document.querySelectorAll('#list button').forEach(button => button.setAttribute('aria-current', Number(button.dataset.index) === index));
  const row = list.querySelector('[aria-current=true]');
  if (row) list.scrollTop = row.offsetTop - list.clientHeight / 2;
  const finding = findings[index], own = finding && document.getElementById('f' + finding.i);
  $('short').hidden = !finding || !!own;
  if (finding && !own) { $('short-title').textContent = finding.kind + ' ' + finding.cause + ': ' + finding.title; $('short-text').textContent = finding.text; }
  if (finding && moves) { playing = false; seek(finding.f + Math.min(finding.t, 0.9999)); }
  frameFinding();
}
const list = $('list');
findings.forEach((finding, index) => {
  const button = document.createElement('button'), kind = document.createElement('b'), title = document.createElement('span'), when = document.createElement('small');
  kind.textContent = finding.kind + ' ' + finding.cause;
  title.textContent = finding.title;
  when.textContent = finding.when;
  if (finding.known) button.className = 'foreseen';
  button.append(kind, title, when);
  button.dataset.index = index;
  button.addEventListener('click', () => choose(index));
  list.append(button);
});

// The hand.
$('time').max = S - 1;
$('time').addEventListener('input', event => { playing = false; seek(Number(event.target.value)); });
$('inside').addEventListener('input', event => { playing = false; seek(Math.min(Math.floor(time), S - 2) + Math.min(Number(event.target.value), 0.9999)); });
$('play').addEventListener('click', () => toggle());
$('speed').addEventListener('change', event => { speed = Number(event.target.value); });
$('all').addEventListener('click', () => choose(-1));
$('side').addEventListener('click', () => frameFinding());
function toggle() { if (!playing && time >= S - 1) time = 0; playing = !playing; dirty = true; }
const step = by => { playing = false; seek((by > 0 ? Math.floor(time + 1e-9) : Math.ceil(time - 1e-9)) + by); };
document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches('select')) return;
  const part = event.shiftKey ? 0.01 : 0.05, key = event.key;
  if (key === ' ') { if (event.target.matches('button, a')) return; toggle(); }
  else if (key === 'ArrowRight') step(1);
  else if (key === 'ArrowLeft') step(-1);
  else if (key === '.' || key === '>') { playing = false; seek(time + part); }
  else if (key === ',' || key === '<') { playing = false; seek(time - part); }
  else if (key === 'n' && findings.length) choose((chosen + 1) % findings.length);
  else if (key === 'p' && findings.length) choose((chosen + findings.length - (chosen < 0 ? 0 : 1)) % findings.length);
  else if (key === 'f') frameFinding();
  else if (key === 'Escape' || key === '0') choose(-1);
  else if (/^[1-9]$/.test(key) && findings[Number(key) - 1]) choose(Number(key) - 1);
  else return;
  event.preventDefault();
});
const pointers = new Map();
let moved = 0;
function orbit(x, y) {
  if (level.flat) return;
  eye.flat = false;
  [eye.right, eye.up] = [eye.right, eye.up].map(axis => about(axis, [0, 1, 0], -x * 0.008));
  const up = about(eye.up, eye.right, -y * 0.008);
  if (up[1] > 0.02 || up[1] > eye.up[1]) eye.up = up;
  eye.right = unit(sub(eye.right, scale(eye.up, dot(eye.up, eye.right))));
}
function pan(x, y) {
  const size = 2 * FOV * eye.distance / canvas.clientHeight;
  eye.target = add(add(eye.target, eye.right, -x * size), eye.up, y * size);
}
canvas.addEventListener('pointerdown', event => { canvas.setPointerCapture(event.pointerId); pointers.set(event.pointerId, [event.clientX, event.clientY]); moved = 0; });
canvas.addEventListener('pointermove', event => {
  const last = pointers.get(event.pointerId);
  if (!last) return;
  const now = [event.clientX, event.clientY], [x, y] = [now[0] - last[0], now[1] - last[1]];
  moved += Math.abs(x) + Math.abs(y);
  if (pointers.size === 2) {
    const other = [...pointers].find(([id]) => id !== event.pointerId)[1], apart = p => Math.hypot(p[0] - other[0], p[1] - other[1]) || 1;
    eye.distance *= apart(last) / apart(now);
    pan(x / 2, y / 2);
  } else if (event.shiftKey || event.buttons & 6 || level.flat) pan(x, y); else orbit(x, y);
  pointers.set(event.pointerId, now);
  dirty = true;
});
const release = event => {
  if (pointers.delete(event.pointerId) && moved < 4 && event.type === 'pointerup') pick(event.offsetX, event.offsetY);
};
canvas.addEventListener('pointerup', release);
canvas.addEventListener('pointercancel', release);
canvas.addEventListener('contextmenu', event => event.preventDefault());
canvas.addEventListener('wheel', event => { event.preventDefault(); eye.distance *= Math.exp(Math.min(Math.max(event.deltaY, -300), 300) * 0.0015); dirty = true; }, { passive: false });
canvas.addEventListener('dblclick', () => frameFinding());
function pick(x, y) {
  // The object whose centre is nearest, of those whose ball around it is hit.
  const clip = matrix(), near = [];
  level.objects.forEach((object, i) => {
    const where = pose(i, time), place = where && screen(clip, local(where.p));
    if (!place) return;
    const edge = screen(clip, add(local(where.p), eye.right, object.r)), size = Math.max(edge ? edge[0] - place[0] : 0, 8), away = Math.hypot(place[0] - x, place[1] - y);
    if (away <= size) near.push([size, i]);
  });
  near.sort((a, b) => a[0] - b[0]);
  picked = near.length ? near[0][1] : -1;
  if (findings[chosen]) chosen = -1, choose(-1); else dirty = true;
}
let last = 0;
function tick(now) {
  const seconds = Math.min((now - last) / 1000, 0.1) * speed;
  last = now;
  if (playing) {
    const frame = Math.min(Math.floor(time), S - 2), dt = level.times[frame + 1] - level.times[frame];
    seek(dt > 0 ? time + seconds / dt : frame + 1);
    if (time >= S - 1) playing = false;
  }
  if (dirty) { dirty = false; draw(); say(); }
  requestAnimationFrame(tick);
}
new ResizeObserver(() => { dirty = true; }).observe(canvas);
function followAddress() {
  const parts = new URLSearchParams(location.hash.slice(1)), wanted = name => parts.has(name) ? Number(parts.get(name)) : NaN;
  const index = findings.findIndex(finding => finding.i + 1 === wanted('finding') || '#f' + finding.i === location.hash);
  choose(index >= 0 ? index : parts.has('frame') || !findings.length ? -1 : 0);
  const frame = wanted('frame');
  if (Number.isFinite(frame)) {
    const found = level.numbers.length > 1 ? level.numbers.indexOf(frame) : frame - level.numbers[0];
    if (found >= 0 && found < S) seek(found + Math.min(Math.max(wanted('fraction') || 0, 0), 1));
  }
}
repaint();
addEventListener('hashchange', followAddress);
followAddress();
document.body.dataset.ready = Math.round(performance.now());
tick(performance.now());
})();
