// Where a log goes: a file, a download, a viewer that listens.

const AGAIN = 1000;
const BATCH = 1 << 20;
const node = globalThis.process?.getBuiltinModule;
const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)?.unref?.());
export const report = (text) => console.error(`hitstop: ${text}`);

/** A file that is written at least once a second, so that a program that crashes loses no more than that. */
class FileOutput {
  constructor(path) {
    this.fs = node('node:fs');
    this.file = this.fs.openSync(path, 'w');
    this.pack = path.endsWith('.gz') ? node('node:zlib').gzipSync : (text) => text;
    this.text = '';
    this.flushed = Date.now();
    this.flush = this.flush.bind(this);
    process.once('exit', this.flush);
  }

  write(objects, text) {
    this.text += objects + text;
    if (this.text.length > BATCH || Date.now() - this.flushed > AGAIN) this.flush();
  }

  flush() {
    if (this.text) this.fs.appendFileSync(this.file, this.pack(this.text));
    this.text = '';
    this.flushed = Date.now();
  }

  async close() {
    this.flush();
    process.removeListener('exit', this.flush);
    this.fs.closeSync(this.file);
  }
}

/** A file that the browser saves when it is closed. */
class Download {
  constructor(path) {
    this.path = path;
    this.parts = [];
    this.text = '';
  }

  write(objects, text) {
    this.text += objects + text;
    // A blob may leave the page's memory.
    if (this.text.length > BATCH) this.pack();
  }

  pack() {
    this.parts.push(new Blob([this.text]));
    this.text = '';
  }

  async close() {
    this.pack();
    let blob = new Blob(this.parts);
    if (this.path.endsWith('.gz')) blob = await new Response(blob.stream().pipeThrough(new CompressionStream('gzip'))).blob();
    const link = Object.assign(document.createElement('a'), { href: URL.createObjectURL(blob), download: this.path });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60 * AGAIN);
  }
}

/** What a viewer has answered, after which it takes no more. */
class Answer extends Error {
  static of(text) {
    try {
      return new Answer(JSON.parse(text).error);
    } catch {
      return new Error('not a viewer');
    }
  }
}

/** A connection of Node. */
async function tcp(host, port) {
  const socket = node('node:net').connect(port, host);
  let answer = '';
  socket.setEncoding('utf8').on('data', (text) => {
    answer += text;
    if (text.includes('\n') || answer.length > 4096) socket.destroy();
  });
  const gone = new Promise((_, reject) => {
    socket.on('error', () => {}).on('close', () => reject(Answer.of(answer)));
  });
  gone.catch(() => {});
  await Promise.race([new Promise((resolve) => socket.once('connect', resolve)), gone]);
  const send = (text) => Promise.race([new Promise((resolve) => socket.write(text, resolve)), gone]);
  const end = async (text) => {
    await send(text);
    await new Promise((resolve) => socket.on('close', resolve).end());
  };
  return { send, end, cut: () => socket.destroy() };
}

/** One recording over posts: each has the recording's name and its own number in its address. */
async function http(address) {
  const name = Array.from(crypto.getRandomValues(new Uint32Array(2)), (n) => n.toString(36)).join('');
  const stop = new AbortController();
  let number = 0;
  const post = async (body, end = '') => {
    const url = `${address.replace(/\/$/, '')}/${name}/${number++}${end}`;
    // The last post of a page that is left must be small to be sent at all.
    const answer = await fetch(url, { method: 'POST', body, signal: stop.signal, keepalive: body.length < 30000 });
    if (!answer.ok) throw Answer.of(await answer.text());
  };
  const send = async (text, end) => {
    let bytes = new TextEncoder().encode(text);
    for (; bytes.length > BATCH; bytes = bytes.subarray(BATCH)) await post(bytes.subarray(0, BATCH));
    await post(bytes, end);
    // More frames go with the next post.
    if (!end) await sleep(50);
  };
  // What is sent to no viewer would be lost.
  await post('');
  return { send, end: (text) => send(text, '?end'), cut: () => stop.abort() };
}

/**
 * Sends a log to a viewer, which may come and go, without ever waiting for it.
 *
 * While there is no viewer, it looks for one every second; one that connects gets the objects and the latest frames. For one that is
 * too slow the oldest frames are dropped, and it shows a gap; `dropped` counts them. That, and each new answer of a viewer, is printed.
 */
class LiveOutput {
  static LIMIT = 16 << 20;
  static LAST = 2000;

  constructor(open) {
    this.open = open;
    /** The header and the objects that were sent, for the next viewer. */
    this.objects = '';
    this.queue = [];
    this.size = 0;
    this.dropped = 0;
    this.ended = false;
    this.wake = () => {};
    this.done = this.run();
    globalThis.addEventListener?.('pagehide', () => this.leave());
  }

  write(objects, text) {
    this.queue.push([objects, text]);
    this.size += objects.length + text.length;
    const before = this.dropped;
    while (this.size > LiveOutput.LIMIT && this.queue.length > 1) {
      this.take();
      this.dropped += this.viewer ? 1 : 0;
    }
    if (!before && this.dropped) report('the viewer is too slow, so frames are dropped; to keep all of them, record to a file');
    this.wake();
  }

  /** The oldest frame, with the objects before it, which are kept. */
  take() {
    const [objects, text] = this.queue.shift();
    this.size -= objects.length + text.length;
    this.objects += objects;
    return objects + text;
  }

  async run() {
    let last;
    for (;;) {
      try {
        this.viewer = await this.open();
        await this.sendAll();
        return;
      } catch (error) {
        if (error instanceof Answer && error.message !== last) report(`the viewer answers: ${(last = error.message)}`);
      } finally {
        this.viewer = undefined;
      }
      if (this.ended) return;
      await Promise.race([sleep(AGAIN), new Promise((resolve) => (this.stop = resolve))]);
      if (this.ended) return;
    }
  }

  /** What is sent next: objects of frames that were dropped meanwhile come first. */
  batch() {
    let text = this.objects.slice(this.sent);
    while (this.queue.length && text.length < BATCH) text += this.take();
    this.sent = this.objects.length;
    return text;
  }

  async sendAll() {
    this.sent = 0;
    while (!this.isLeft) {
      const text = this.batch();
      if (this.ended && !this.queue.length) return this.viewer.end(text);
      if (text) await this.viewer.send(text);
      if (!this.queue.length && !this.ended) await new Promise((resolve) => (this.wake = resolve));
    }
  }

  /** The page is left: its last post does not wait for the one before it. */
  leave() {
    if (this.ended || !this.viewer) return;
    this.ended = this.isLeft = true;
    this.viewer.end(this.batch()).catch(() => {});
  }

  /** Ends the recording; waits up to two seconds for what is not sent yet. */
  async close() {
    this.ended = true;
    this.wake();
    this.stop?.();
    let timer;
    await Promise.race([this.done, new Promise((resolve) => (timer = setTimeout(resolve, LiveOutput.LAST)))]);
    clearTimeout(timer);
    this.viewer?.cut();
    if (this.dropped) report(`${this.dropped} frames were dropped, as the viewer was too slow; to keep all of them, record to a file`);
  }
}

export function create(output) {
  if (typeof output.write === 'function') return { write: (objects, text) => void output.write(objects + text), close: async () => {} };
  const path = String(output);
  if (path.startsWith('tcp:')) {
    const [, host, port] = /^tcp:(.+):(\d+)$/.exec(path) ?? [];
    if (!host || !node) throw new Error(`${path} is not an address; write tcp:127.0.0.1:9740 in Node, http://127.0.0.1:9741 in a browser`);
    return new LiveOutput(() => tcp(host, port));
  }
  if (/^https?:/.test(path)) return new LiveOutput(() => http(path));
  if (!/\.jsonl(\.gz)?$/.test(path)) {
    throw new Error(`${path} must end in .jsonl or .jsonl.gz; \`hitstop convert\` makes .jsonl.zst and .parquet of them`);
  }
  if (!node && globalThis.process?.versions?.node) throw new Error(`Node 20.16 or newer is needed, this is ${process.versions.node}`);
  if (!node && !globalThis.document)
    throw new Error(`a worker cannot save ${path}; give an output with \`write\`, or http://127.0.0.1:9741`);
  return node ? new FileOutput(path) : new Download(path);
}
