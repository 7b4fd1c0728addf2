// The entry of the npm package, in a browser or in Node: docs/javascript.md.
import { kindOf } from './containers.mjs';
import { pictureOf } from './frames.mjs';
import { FoveaError, Module, parameters, usage } from './module.mjs';
import { readPng } from './png.mjs';
import { toY4m } from './videos.mjs';

export { FoveaError } from './module.mjs';

const node = typeof process !== 'undefined' && !!process.versions?.node;

const MOST_PICTURES = 6; // largest number of chosen frames that a page shows

let compiled = null;

/** Returns the bytes of fovea.wasm, which is in the folder of this file. */
async function bytesOfModule() {
  const url = new URL('./fovea.wasm', import.meta.url);
  if (!node) return (await fetch(url)).arrayBuffer();
  const { readFile } = await import('node:fs/promises');
  return readFile(url);
}

async function compile(wasm) {
  if (wasm instanceof WebAssembly.Module) return wasm;
  if (wasm) return WebAssembly.compile(typeof Response !== 'undefined' &&
    wasm instanceof Response ? await wasm.arrayBuffer() : wasm);
  compiled ??= bytesOfModule().then(bytes => WebAssembly.compile(bytes)).catch(error => {
    compiled = null;
    throw new FoveaError('device', `fovea.wasm cannot be loaded (${error.message}): it lies beside fovea.mjs and ` +
      `needs WebAssembly with SIMD (browsers since 2021, Safari since 16.4)`);
  });
  return compiled;
}

/**
 * Loads the module for sessions. wasm: its bytes, a Response or a WebAssembly.Module; default: fovea.wasm in the
 * folder of this file.
 */
export async function load(wasm) {
  return new Fovea(await Module.make(await compile(wasm)));
}

class Fovea {
  #module;

  constructor(module) {
    this.#module = module;
  }

  get version() {
    return this.#module.version;
  }

  get numerics() {
    return this.#module.numerics;
  }

  get memory() {
    return this.#module.memory;
  }

  /** Returns 1 if a parameter takes a value, 0 if it takes none, -1 if there is no such parameter. */
  takes(name) {
    const at = this.#module.putText(name), takes = this.#module.call('fw_takes', at);
    this.#module.free(at);
    return takes;
  }

  /** Opens a session, which scores frames as the caller pushes them. */
  session(options) {
    return new Session(this.#module, options);
  }
}

class Session {
  #run;
  #count = 0;

  constructor(module, { reference, distorted = reference, ...options }) {
    if (!distorted) throw usage('session: "reference" is the format of the frames: {width, height, ...}');
    this.#run = module.open(options);
    try {
      this.#run.start(reference ?? null, distorted);
    } catch (error) {
      this.#run.close();
      throw error;
    }
  }

  push(reference, distorted) {
    this.#run.push(this.#count, reference, distorted);
    this.#count++;
  }

  /** Pushes a pair of VideoFrames or pictures, and closes the VideoFrames once they are copied. */
  async pushFrames(reference, distorted) {
    const [first, second] =
      await Promise.all([reference, distorted].map(picture => pictureOf(picture).then(found => found.picture)));
    this.push(first, second);
  }

  finish() {
    this.#run.finish();
    return this;
  }

  /** Adds pictures and maps of the only frame to the HTML report. */
  addPictures(reference, distorted) {
    if (this.#count !== 1)
      throw usage(`addPictures: pictures are made of one frame, and the session has ${this.#count}`);
    this.#run.addPictures([], [reference, distorted]);
  }

  get frames() {
    return this.#count;
  }

  get memory() {
    return this.#run.memory;
  }

  scores() {
    return this.#run.result().scores;
  }

  get verdict() {
    return this.#run.result().verdict;
  }

  report(kind) {
    return this.#run.report(kind);
  }

  close() {
    this.#run.close();
  }
}

const isFile = given => typeof given === 'string' || given instanceof Uint8Array ||
  (typeof Blob !== 'undefined' && given instanceof Blob);

/** Scores two files, or two streams of frames. */
export async function score(reference, distorted, options = {}) {
  options.signal?.throwIfAborted();
  if (distorted == null) throw usage('score: there is no distorted video');
  const sides = [reference, distorted].filter(side => side != null);
  if (sides.every(isFile)) return scoreAnyFiles(reference ?? null, distorted, options);
  if (sides.some(isFile)) throw usage('score: both videos are files, or both are streams of frames');
  return scoreFrames(reference, distorted, options);
}

/** Scores two streams of frames. still: each stream is a list of one frame, which the HTML report shows. */
async function scoreFrames(reference, distorted, options, still = false) {
  const { format, distortedFormat = format, signal, onprogress, reports = ['json'], workers, wasm, pictures,
    ...rest } = options;
  const streams = [reference, distorted].map(stream =>
    (stream == null ? null : (stream[Symbol.asyncIterator] ?? stream[Symbol.iterator])?.call(stream)));
  if (!streams[1] || streams[0] === undefined) throw usage('score: a video is neither a file nor a stream of frames');
  const fovea = await load(wasm);
  let session = null, count = 0;
  try {
    for (;;) {
      signal?.throwIfAborted();
      const next = await Promise.all(streams.map(stream => stream?.next()));
      const [first, second] = next.map(one => one && !one.done);
      if (!first && !second) break;
      if (streams[0] && first !== second) {
        next[first ? 0 : 1].value?.close?.(); // releases it if it is a VideoFrame
        throw new FoveaError('input',
          `the ${first ? 'distorted' : 'reference'} video ends after ${count} frames, and the other does not: cut ` +
            `the longer one`);
      }
      const [a, b] = await Promise.all(next.map(one => (one ? pictureOf(one.value) : { picture: null })));
      session ??= fovea.session({ ...rest, reference: streams[0] ? { ...a.format, ...format } : null,
        distorted: { ...b.format, ...distortedFormat } });
      session.push(a.picture, b.picture);
      count++;
      onprogress?.(count, -1);
    }
    if (!session) throw new FoveaError('input', 'the videos have no frames');
    session.finish();
    if (still && reports.includes('html')) session.addPictures(reference?.[0] ?? null, distorted[0]);
    return new Result({ scores: session.scores(), frames: Float64Array.from({ length: count }, (_, i) => i),
      verdict: session.verdict,
      reports: Object.fromEntries(reports.map(kind => [kind, session.report(kind)])) });
  } finally {
    session?.close();
    for (const stream of streams) await stream?.return?.();
  }
}

class Result {
  #reports;

  constructor({ reports, ...rest }) {
    Object.assign(this, rest);
    this.#reports = reports;
  }

  report(kind = 'json') {
    if (Object.hasOwn(this.#reports, kind)) return this.#reports[kind];
    throw usage(`report: "${kind}" was not made: add it to the option "reports"`);
  }
}

/** A worker thread with its own module. ask() sends it a step and waits for the result. */
class Thread {
  static async start(hear) {
    const thread = new Thread(), url = new URL('./worker.mjs', import.meta.url);
    const take = message => {
      if (message.log || message.progress) return hear(message);
      const { resolve, reject } = thread.waiting;
      return message.failed ? reject(new FoveaError(message.failed.code ?? 'device', message.failed.message))
        : resolve(message.done);
    };
    const fail = error => thread.waiting?.reject(new FoveaError('device',
      `a worker failed: ${error.message ?? 'it could not be started'}`));
    if (node) {
      const { Worker } = await import('node:worker_threads');
      thread.worker = new Worker(url);
      thread.worker.on('message', take).on('error', fail);
    } else {
      thread.worker = new Worker(url, { type: 'module' });
      thread.worker.onmessage = ({ data }) => take(data);
      thread.worker.onerror = fail;
    }
    return thread;
  }

  ask(step, given = {}) {
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      this.worker.postMessage({ step, ...given });
    });
  }

  stop() {
    this.waiting?.reject(new DOMException('stopped', 'AbortError'));
    this.worker.terminate();
  }
}

function nameOf(given, side) {
  return typeof given === 'string' ? given : given.name ?? (side ? 'distorted.y4m' : 'reference.y4m');
}

/** Returns a path of Node, bytes or a Blob as a Blob. */
async function blobOf(given) {
  if (given instanceof Blob) return given;
  if (typeof given !== 'string') return new Blob([given]);
  const { openAsBlob, promises } = await import('node:fs');
  return openAsBlob ? openAsBlob(given) : new Blob([await promises.readFile(given)]);
}

/**
 * Scores two files. Converts formats that the module cannot read: PNG to frames, MP4 and WebM to Y4M by the browser.
 */
async function scoreAnyFiles(reference, distorted, options) {
  const sides = [reference, distorted], kinds = await Promise.all(sides.map(headOf));
  const names = sides.map((given, side) => given && nameOf(given, side)), words = ['reference', 'distorted'],
    given = { ...options };
  if (kinds.includes('png')) {
    const states = word => ['primaries', 'transfer'].every(tag => options[`${word}.${tag}`] != null);
    if (sides.some((one, side) => one && kinds[side] !== 'png'))
      throw usage('a PNG is scored against a PNG: give two');
    const pictures = await Promise.all(sides.map(async (one, side) => one &&
      readPng(new Uint8Array(await (await blobOf(one)).arrayBuffer()), names[side], states(words[side]))));
    const formats = pictures.map((one, side) => one &&
      { ...one.format, ...Object.fromEntries(['primaries', 'transfer'].flatMap(tag => {
      const stated = options[`${words[side]}.${tag}`];
      delete given[`${words[side]}.${tag}`];
      return stated == null ? [] : [[tag, stated]];
    })) });
    return scoreFrames(pictures[0] && [pictures[0].picture], [pictures[1].picture],
      { ...given, format: formats[0] ?? formats[1], distortedFormat: formats[1] }, true);
  }
  for (const [side, kind] of kinds.entries()) {
    if (!kind) continue;
    const { file, options: colour } = await toY4m(await blobOf(sides[side]), names[side], kind, words[side],
      (frames, total) => {
      options.signal?.throwIfAborted();
      options.onprogress?.(frames, total, words[side]);
    });
    sides[side] = new File([file], names[side]);
    Object.assign(given, colour, options);
  }
  return scoreFiles(...sides, given);
}

async function headOf(given) {
  if (given == null) return null;
  if (typeof given !== 'string')
    return kindOf(given instanceof Blob ? new Uint8Array(await given.slice(0, 12).arrayBuffer()) : given);
  const { openSync, readSync, closeSync } = await import('node:fs');
  const head = new Uint8Array(12);
  try {
    const fd = openSync(given, 'r');
    readSync(fd, head, 0, 12, 0);
    closeSync(fd);
  } catch {
    return null; // the module reports that the file cannot be read
  }
  return kindOf(head);
}

async function scoreFiles(reference, distorted, { workers = 1, signal, onprogress, onlog, reports = ['json'], wasm,
  pictures = [], ...options }) {
  if (!Number.isInteger(workers) || workers < 1 || workers > 64)
    throw usage(`workers: ${workers} is no whole number from 1 to 64`);
  if (!Array.isArray(pictures) || pictures.length > MOST_PICTURES || !pictures.every(n => n === (n | 0) && n >= 0))
    throw usage(`pictures: ${pictures} is no list of up to ${MOST_PICTURES} numbers of frames`);
  const module = await compile(wasm), sides = [reference, distorted];
  const names = sides.map((given, side) => given && nameOf(given, side));
  if (names[0] === names[1] && sides.every(given => given && typeof given !== 'string'))
    names[1] = `distorted/${names[1]}`;
  const inputs = sides.flatMap((given, side) => (given ? [[names[side], given]] : []));
  const asked = { names, metrics: options.metrics,
    ...Object.fromEntries(Object.entries(options).filter(([name]) => parameters({ [name]: 1 }).length)) };
  const threads = [], frames = [];
  const abort = () => threads.forEach(thread => thread.stop());
  let total = -1, ended = false;
  try {
    signal?.addEventListener('abort', abort, { once: true });
    const start = async number => {
      const thread = await Thread.start(({ log, progress }) => {
        if (log && !number) onlog?.(...log);
        if (!progress) return;
        frames[number] = progress[0];
        total = Math.max(total, progress[1]);
        onprogress?.(frames.reduce((sum, one) => sum + (one ?? 0), 0), total);
      });
      threads[number] = thread;
      if (ended) thread.worker.terminate(); // another thread failed while this one started
      signal?.throwIfAborted();
      return thread.ask('open', { wasm: module, inputs, options: asked });
    };
    const versions = await start(0);
    if (workers === 1) {
      await threads[0].ask('score');
    } else {
      const count = await threads[0].ask('plan', { count: workers });
      const shard = async number => {
        if (number) {
          await start(number);
          await threads[number].ask('plan', { count: workers });
        }
        return threads[number].ask('shard', { number });
      };
      const shards = await Promise.all(Array.from({ length: count }, (_, number) => shard(number)));
      await threads[0].ask('merge', { shards: shards.flat() });
    }
    return new Result({ ...versions, ...(await threads[0].ask('result', { reports, pictures })) });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    ended = true;
    signal?.removeEventListener('abort', abort);
    threads.forEach(thread => thread.worker.terminate());
  }
}
