// Wraps the WebAssembly module and the runs in it. A call that traps leaves the module in an unknown state, so the
// wrapper refuses further calls.
import { Files } from './host.mjs';

const CODES = { 2: 'usage', 3: 'input', 4: 'device', 5: 'partial', 6: 'output', 7: 'memory' };
const REPORTS = { json: 0, csv: 1, ndjson: 2, html: 3 };
const CHROMA = { 400: 0, 420: 1, 422: 2, 444: 3, rgb: 4 };
const RANGES = { limited: 1, full: 2 };
const SITINGS = { left: 1, center: 2, topleft: 3, top: 4, bottomleft: 5, bottom: 6 };
const TAGS = ['primaries', 'transfer', 'matrix'];

/**
 * An error of fovea. remedy: the parameters that prevent it, as [name, value]; the value is '' if the message gives
 * none.
 */
export class FoveaError extends Error {
  constructor(code, message) {
    super(message);
    this.name = 'FoveaError';
    this.code = code;
    this.remedy = [...message.matchAll(/`([a-z_.]+)=?([^`]*)`/g)].map(([, name, value]) => [name, value]);
  }
}

export const usage = message => new FoveaError('usage', message);

export class Module {
  #x;
  #progress = null;
  #log = null;
  #trapped = null;

  /** Instantiates a WebAssembly.Module. */
  static async make(wasm) {
    const module = new Module();
    module.files = new Files();
    const imports = module.files.imports(() => module.#x.memory, (done, all) => module.#progress?.(done, all),
      (level, text) => module.#log?.(level, text));
    module.#x = (await WebAssembly.instantiate(wasm, imports)).exports;
    module.#x._initialize();
    return module;
  }

  /** Calls a function of the module. 32-bit results are signed; address() returns them unsigned. */
  call(name, ...values) {
    if (this.#trapped) throw this.#trapped;
    try {
      return this.#x[name](...values);
    } catch (cause) {
      if (!(cause instanceof WebAssembly.RuntimeError || cause instanceof RangeError)) throw cause;
      this.#trapped = new FoveaError('trap',
        `the module failed in ${name} (${cause.message}): load a new one; please report this`);
      this.#trapped.cause = cause;
      throw this.#trapped;
    }
  }

  /** Calls a function that returns a status, and throws the error of a failure. */
  check(name, ...values) {
    if (this.call(name, ...values)) throw this.error();
  }

  /** Calls a function that returns an address, which may be above 2 GiB. */
  address(name, ...values) {
    return this.call(name, ...values) >>> 0;
  }

  /** Returns the error of the last call that failed. */
  error() {
    const code = CODES[this.call('fw_status')] ?? 'input', text = this.text(this.address('fw_error'));
    return new FoveaError(code, code === 'memory' ? `${text}; ${this.limit()}` : text);
  }

  warn(text) {
    this.#log?.(1, text);
  }

  /** Returns the remedy for a caller that runs out of memory. */
  limit() {
    return `a module has 4096 MiB at most, and ${Math.round(this.memory / 2 ** 20)} MiB are taken: score fewer ` +
      `metrics at once, or use the command`;
  }

  text(address) {
    if (!address) return null;
    const at = address >>> 0;
    const bytes = new Uint8Array(this.#x.memory.buffer);
    return new TextDecoder().decode(bytes.slice(at, bytes.indexOf(0, at)));
  }

  /** Copies bytes into the module's memory, where they stay until free(). Returns their address. */
  put(bytes) {
    const from = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength),
      at = this.address('fw_alloc', from.length);
    if (!at)
      throw new FoveaError('memory', `out of memory: ${from.length} bytes could not be allocated; ${this.limit()}`);
    new Uint8Array(this.#x.memory.buffer, at, from.length).set(from);
    return at;
  }

  putText(text) {
    return text == null ? 0 : this.put(new TextEncoder().encode(`${text}\0`));
  }

  free(at) {
    if (at) this.call('fw_free', at);
  }

  get version() {
    return this.text(this.call('fw_version'));
  }

  get numerics() {
    return this.call('fw_numerics');
  }

  /** size of the module's memory in bytes */
  get memory() {
    return this.#x.memory.buffer.byteLength;
  }

  /** Opens a run. options: parameters of the run by their names, `metrics`, `onprogress` and `onlog`. */
  open(options = {}) {
    this.#progress = options.onprogress ?? null;
    this.#log = options.onlog ?? null;
    return new Run(this, options);
  }
}

const OWN = new Set(['metrics', 'workers', 'reports', 'signal', 'onprogress', 'onlog', 'format', 'distortedFormat',
  'pictures', 'names', 'wasm']);

/** Returns the options that are parameters of a run, as [name, value] with values as text. */
export function parameters(options) {
  return Object.entries(options).filter(([name, value]) => !OWN.has(name) && value != null).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map(one => [name, String(one)]));
}

export class Run {
  #m;
  #at;
  #kept = [];

  constructor(module, options) {
    this.#m = module;
    this.#at = module.call('fw_open');
    if (!this.#at) throw new FoveaError('memory', 'out of memory for a run');
    try {
      for (const [name, value] of parameters(options)) this.#check('fw_set', this.#keep(name), this.#keep(value));
      const metrics = options.metrics == null ? null : [].concat(options.metrics).join(',');
      this.#check('fw_metrics', this.#keep(metrics));
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Copies bytes into the module, where they stay until close(). Returns their address. */
  #keepBytes(bytes) {
    const at = this.#m.put(bytes);
    this.#kept.push(at);
    return at;
  }

  #keep(text) {
    return text == null ? 0 : this.#keepBytes(new TextEncoder().encode(`${text}\0`));
  }

  #mustBeOpen() {
    if (!this.#at) throw usage('this session is closed: open another one');
  }

  #check(name, ...values) {
    this.#mustBeOpen();
    this.#m.check(name, this.#at, ...values);
  }

  #ask(name, ...values) {
    this.#mustBeOpen();
    return this.#m.call(name, this.#at, ...values);
  }

  /** Opens two files by their names in the module's `files`; reference null: there is none. */
  files(reference, distorted) {
    this.#check('fw_files', this.#keep(reference), this.#keep(distorted));
  }

  score() {
    this.#check('fw_score');
  }

  /** Divides the run into at most `count` shards. Returns the number of shards. */
  plan(count) {
    this.#check('fw_plan', count);
    return this.#ask('fw_shards');
  }

  /** Computes a shard. Returns the shard's files as [name, bytes]. */
  shard(number) {
    const { files } = this.#m;
    this.#check('fw_shard', number, this.#keep('shards'));
    return files.names('shards').map(name => [name, files.take(name).slice()]);
  }

  merge(shards) {
    const { files } = this.#m, paths = [];
    try {
      for (const [name, bytes] of shards) {
        files.put(name, bytes);
        if (name.endsWith('.shard')) paths.push(this.#keep(name));
      }
      this.#check('fw_merge', this.#keepBytes(new Uint32Array(paths)), paths.length);
    } finally {
      for (const [name] of shards) files.take(name);
    }
  }

  /** Returns a format as numbers in the order that fw_start() and fw_frame() expect. */
  #numbers(format) {
    const { width, height, chroma = '420', depth = 8, range, rate = [0, 0], siting, peak = 0 } = format;
    const word = (table, value, name) => {
      if (value == null) return 0;
      if (!Object.hasOwn(table, value))
        throw usage(`format.${name}: "${value}" is none of ${Object.keys(table).join(', ')}`);
      return table[value];
    };
    const code = (name, tag) => {
      const value = format[name];
      if (value == null || (typeof value === 'number' && value === (value & 255))) return value ?? 0;
      const at = this.#m.putText(value), found = this.#m.call('fw_colour', tag, at);
      this.#m.free(at);
      if (found < 0) throw usage(`format.${name}: "${value}" is no name of ITU-T H.273, such as bt709`);
      return found;
    };
    if (!Array.isArray(rate) || rate.length !== 2 || !rate.every(part => Number.isInteger(part) && part >= 0 &&
      part < 2 ** 31))
      throw usage(`format.rate: ${rate} is no fraction of two whole numbers, such as [30000, 1001]`);
    const [primaries, transfer, matrix] = TAGS.map(code);
    for (const [name, value] of Object.entries({ width, height, depth, peak }))
      if (!Number.isInteger(value) || value !== (value | 0))
        throw usage(`format.${name}: ${value} is no whole number, or too large`);
    return new Int32Array([width, height, word(CHROMA, chroma, 'chroma'), depth, word(RANGES, range, 'range'),
      ...rate, transfer,
      primaries, matrix, word(SITINGS, siting, 'siting'), peak]);
  }

  /** Starts a session for frames that the caller pushes; reference null: there is none. */
  start(reference, distorted) {
    this.formats = [reference && this.#numbers(reference), this.#numbers(distorted)];
    this.#at2 = this.formats.map(numbers => (numbers ? this.#keepBytes(numbers) : 0));
    this.#check('fw_start', ...this.#at2);
    if (this.memory > 2 ** 32)
      throw new FoveaError('memory', `the session needs ${Math.ceil(this.memory / 2 ** 20)} MiB; ${this.#m.limit()}`);
  }

  #at2 = [0, 0];

  /**
   * Makes a frame in the module from consecutive planes without padding, or from {bytes, planes: [{offset, stride}],
   * layout}. Returns its address.
   */
  #frame(side, picture) {
    const [width, height, chroma, depth] = this.formats[side], size = depth > 8 ? 2 : 1;
    const bytes = ArrayBuffer.isView(picture) ? picture : picture?.bytes, name = side ? 'distorted' : 'reference';
    if (!ArrayBuffer.isView(bytes)) throw usage(`the ${name} frame is no typed array, and has none in "bytes"`);
    if (!bytes.byteLength) throw usage(`the ${name} frame is empty: was its buffer transferred to another thread?`);
    const across = chroma === 1 || chroma === 2 ? (width + 1) >> 1 : width,
      down = chroma === 1 ? (height + 1) >> 1 : height;
    const luma = width * height * size, colour = across * down * size;
    const packed = [{ offset: 0, stride: width * size }, { offset: luma, stride: across * size },
      { offset: luma + colour, stride: across * size }].slice(0, chroma ? 3 : 1);
    const { planes = packed, layout } = picture;
    if (!Array.isArray(planes) || !planes.every(plane => Number.isInteger(plane?.offset) &&
      Number.isInteger(plane.stride)))
      throw usage(`the ${name} frame has "planes" that are no list of {offset, stride} in whole numbers`);
    const rows = [height, down, down], least = [width * size, (layout ? 2 : 1) * across * size, across * size];
    if (!layout && planes.length !== packed.length)
      throw usage(`the ${name} frame has ${planes.length} planes, and its format ${packed.length}`);
    planes.forEach(({ offset, stride }, i) => {
      const end = offset + stride * (rows[i] - 1) + least[i];
      if (!(offset >= 0 && stride >= least[i] && end <= bytes.byteLength))
        throw usage(`the ${name} frame has ${bytes.byteLength} bytes, and ` +
          `plane ${i} ends at ${end}: ${width}x${height} needs ${luma + (chroma ? 2 * colour : 0)} bytes`);
    });
    const m = this.#m, held = [];
    const hold = at => (held.push(at), at);
    try {
      const three = use => [0, 1, 2].map(i => (planes[i] ? use(planes[i]) : 0)), samples = hold(m.put(bytes));
      const data = hold(m.put(new Uint32Array(three(plane => samples + plane.offset)))),
        strides = hold(m.put(new Int32Array(three(plane => plane.stride))));
      const frame = m.address('fw_frame', this.#at2[side], hold(m.putText(layout)), data, strides);
      if (!frame) throw m.error();
      return frame;
    } finally {
      held.forEach(at => m.free(at));
    }
  }

  /** Makes both frames of a pair in the module. Returns their addresses; 0: there is no reference. */
  #pair(reference, distorted) {
    this.#mustBeOpen();
    const first = this.formats[0] && reference ? this.#frame(0, reference) : 0;
    try {
      return [first, this.#frame(1, distorted)];
    } catch (error) {
      if (first) this.#m.call('fw_drop', first);
      throw error;
    }
  }

  push(number, reference, distorted) {
    this.#check('fw_push', number, ...this.#pair(reference, distorted));
  }

  finish() {
    this.#check('fw_finish');
  }

  /** memory that the started session needs, in bytes */
  get memory() {
    return this.#ask('fw_memory');
  }

  /** Returns {frames: numbers of the frames, scores: {name: {shown, values, pooled} or {shown, value}}, verdict}. */
  result() {
    const frames = this.#ask('fw_frames'), scores = {}, pools = [];
    for (let i = 0, name; (name = this.#m.text(this.#m.call('fw_pool_name', i))) != null; i++) pools.push(name);
    for (let i = 0; i < this.#ask('fw_outputs'); i++) {
      const name = this.#m.text(this.#ask('fw_output', i));
      const shown = !!this.#ask('fw_shown', i);
      scores[name] = this.#ask('fw_of_frames', i)
        ? { shown, values: Float64Array.from({ length: frames }, (_, k) => this.#ask('fw_value', k, i)),
          pooled: Object.fromEntries(pools.map((pool, k) => [pool, this.#ask('fw_pool', i, k)])) }
        : { shown, value: this.#ask('fw_value', 0, i) };
    }
    return { frames: Float64Array.from({ length: frames }, (_, k) => this.#ask('fw_number', k)), scores,
      verdict: this.#m.text(this.#ask('fw_verdict')) };
  }

  /**
   * Adds pictures and maps to the HTML report: of chosen frames and of the worst frames of two files, or of the only
   * pair that was pushed. A failure is logged, since the report is complete without them.
   */
  addPictures(chosen = [], pair = null) {
    const frames = pair ? this.#pair(...pair) : [0, 0], numbers = this.#m.put(new Int32Array([...chosen, 0]));
    if (this.#ask('fw_pictures', ...frames, numbers, chosen.length))
      this.#m.warn(`the report has no pictures: ${this.#m.error().message}`);
    this.#m.free(numbers);
  }

  report(kind = 'json') {
    if (!Object.hasOwn(REPORTS, kind)) throw usage(`report: "${kind}" is none of ${Object.keys(REPORTS).join(', ')}`);
    const at = this.#ask('fw_report', REPORTS[kind]);
    if (!at) throw this.#m.error();
    const text = this.#m.text(at);
    this.#m.free(at);
    return text;
  }

  close() {
    if (!this.#at) return;
    this.#m.call('fw_close', this.#at);
    this.#at = 0;
    this.#kept.forEach(at => this.#m.free(at));
    this.#kept = [];
  }
}
