// Records a page in headless Chromium: posts to `hitstop listen --http`, from origins that are allowed and not, and a download.
//
//     npm install --prefix /tmp/browser @sparticuz/chromium puppeteer-core cannon-es
//     cd /tmp/browser; HITSTOP=.../hitstop node .../browser.mjs

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const require = createRequire(path.join(process.cwd(), 'x.js'));
const load = (name) => import(pathToFileURL(require.resolve(name)).href).then((it) => it.default ?? it);
const hitstop = process.env.HITSTOP ?? 'hitstop';
const js = fileURLToPath(new URL('../../docs/record/js/', import.meta.url));
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hitstop'));
const cannon = path.join(path.dirname(require.resolve('cannon-es')), 'cannon-es.js');

/** A level of 60 frames in the page: a ball of 60 m/s and a wall of 4 cm. */
const LEVEL = `
  import { WorldRecorder } from './hitstop.js';
  import { cannon } from './cannon.js';
  import * as C from './cannon-es.js';
  globalThis.play = async (output, isLeft) => {
    const world = new C.World();
    const add = (mass, shape, x, v) => {
      const body = new C.Body({ mass, shape, position: new C.Vec3(x, 0, 0), velocity: new C.Vec3(v, 0, 0) });
      world.addBody(body);
    };
    add(0, new C.Box(new C.Vec3(0.02, 1, 1)), 0, 0);
    add(1, new C.Sphere(0.15), -4.3, 60);
    const recorder = new WorldRecorder(output, cannon(world), { name: 'page' });
    for (let frame = 0; frame < 60; frame++) {
      await new Promise((resolve) => (globalThis.requestAnimationFrame ?? setTimeout)(resolve));
      world.step(1 / 60);
      recorder.frame();
    }
    if (!isLeft) await recorder.close();
  };
  globalThis.onmessage = ({ data }) => play(data).then(() => postMessage('done'));
`;
const PAGE = `<!doctype html><script type="module">${LEVEL}</script>`;

const server = http.createServer(({ url }, response) => {
  const file = url === '/cannon-es.js' ? cannon : path.join(js, path.basename(url));
  const [type, body] =
    url === '/'
      ? ['text/html', PAGE]
      : url === '/worker.js'
        ? ['text/javascript', LEVEL]
        : ['text/javascript', fs.existsSync(file) && fs.statSync(file).isFile() ? fs.readFileSync(file) : ''];
  response.setHeader('Content-Type', type).end(body);
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address();

const chromium = await load('@sparticuz/chromium');
const puppeteer = await load('puppeteer-core');
// As browsers are: with the checks of origins that this build turns off.
const args = [
  ...chromium.args.filter((it) => !/web-security|insecure|site-isolation|IsolateOrigins/.test(it)),
  '--host-resolver-rules=MAP game.example 127.0.0.1',
];
const browser = await puppeteer.launch({ args, executablePath: await chromium.executablePath(), headless: 'shell' });
console.log(await browser.version());

/** `hitstop listen` with the recording of a page that `act` plays: its exit status, and its output. */
async function listen(more, act) {
  const program = spawn(hitstop, ['listen', '--once', '--port', '0', '--http', '0', ...more]);
  let text = '';
  const at = await new Promise((resolve) => {
    for (const output of [program.stdout, program.stderr]) {
      output.setEncoding('utf8').on('data', (part) => {
        text += part;
        const address = /http:\/\/\S+/.exec(text);
        if (address) resolve(address[0]);
      });
    }
  });
  const ended = new Promise((resolve) => program.on('close', resolve));
  await act(at);
  const stop = setTimeout(() => program.kill(), 20000);
  const status = await ended;
  clearTimeout(stop);
  return { status, text };
}

async function page(url, act) {
  const opened = await browser.newPage();
  await opened.goto(url);
  await opened.waitForFunction('globalThis.play');
  await act(opened);
  return opened;
}

const here = `http://127.0.0.1:${port}/`;
const isFound = ({ status, text }) => assert.ok(status === 1 && text.includes('C01 too fast for too thin') && text.includes('after 60 frames'), text);

isFound(await listen([], (at) => page(here, (opened) => opened.evaluate((url) => globalThis.play(url), at))));
console.log('a page of this machine: found');
isFound(
  await listen([], (at) =>
    page(here, (opened) =>
      opened.evaluate(
        (url) =>
          new Promise((resolve) => {
            const worker = new Worker('./worker.js', { type: 'module' });
            worker.onmessage = resolve;
            worker.onerror = (event) => resolve(event.message);
            setTimeout(() => worker.postMessage(url), 1000);
          }),
        at,
      ),
    ),
  ),
);
console.log('a worker: found');
isFound(
  await listen([], (at) =>
    page(here, async (opened) => {
      await opened.evaluate((url) => globalThis.play(url, true), at);
      await opened.goto('about:blank');
    }),
  ),
);
console.log('a page that is left: found');
const other = `http://game.example:${port}/`;
isFound(await listen(['--origin', other], (at) => page(other, (opened) => opened.evaluate((url) => globalThis.play(url), at))));
console.log('a page of an origin that is named: found');
const refused = await listen([], async (at) => {
  await page(other, (opened) => opened.evaluate((url) => globalThis.play(url), at));
  await page(here, (opened) => opened.evaluate((url) => globalThis.play(url), at));
});
assert.ok(refused.text.includes(`a page of http://game.example:${port} was refused`), refused.text);
isFound(refused);
console.log('a page of another origin: refused, and the next is found');

const client = await browser.target().createCDPSession();
await client.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: folder });
const saved = path.join(folder, 'run.jsonl.gz');
await page(here, async (opened) => {
  await opened.evaluate(() => globalThis.play('run.jsonl.gz'));
  for (let tries = 0; tries < 50 && !fs.existsSync(saved); tries++) await new Promise((resolve) => setTimeout(resolve, 100));
});
const checked = spawnSync(hitstop, ['check', saved], { encoding: 'utf8' });
assert.ok(checked.status === 1 && checked.stdout.includes('C01 too fast for too thin'), checked.stdout + checked.stderr);
console.log('a download: found');
await browser.close();
server.close();
fs.rmSync(folder, { recursive: true });
