// Frames from the browser's own decoder (WebCodecs) while both videos play: the server hands out packets and decodes
// nothing. A frame is known by its number, which its packet carries as time stamp.
"use strict";

const QUEUED = 6; // packets that wait in a decoder

/**
 * Why the server decodes a side, by `${encode},${side}`, and whether that is the browser's fault.
 * @type {Map<string, {why: string, browser: boolean}>}
 */
const undecoded = new Map();
/** @type {Map<string, Promise<VideoDecoderConfig | null>>} */
const codings = new Map();

/**
 * @param {string} key
 * @param {string} why
 * @param {boolean} browser
 */
function decodeByServer(key, why, browser) {
  undecoded.set(key, {why, browser});
  codings.set(key, Promise.resolve(null));
}

/**
 * How the browser decodes a side; null: the server decodes it, for the reason in `undecoded`.
 * @param {number} side
 * @returns {Promise<VideoDecoderConfig | null>}
 */
function codingOf(side, encode = state.encode) {
  const key = `${encode},${side}`, known = codings.get(key);
  if (known) return known;
  const asked = (async () => {
    const {codec, description, refused} = await (await ask(`coding?encode=${encode}&side=${side}`)).json();
    if (refused) {
      decodeByServer(key, refused, false);
      return null;
    }
    if (typeof VideoDecoder === "undefined") {
      decodeByServer(key, isSecureContext ? "this browser has no WebCodecs"
        : "browsers have WebCodecs at localhost and with https only", true);
      return null;
    }
    /** @type {VideoDecoderConfig} */
    const config = {codec, optimizeForLatency: false};
    if (description) config.description = Uint8Array.from(atob(description), c => c.charCodeAt(0));
    // In memory, so that the page can convert the samples as it converts the exact ones
    for (const hardwareAcceleration of /** @type {HardwareAcceleration[]} */ (["prefer-software", "no-preference"]))
      if ((await VideoDecoder.isConfigSupported({...config, hardwareAcceleration})).supported)
        return {...config, hardwareAcceleration};
    decodeByServer(key, `this browser does not decode ${sideName(side, encode)}'s ${codec}`, true);
    return null;
  })();
  codings.set(key, asked);
  asked.catch(() => codings.delete(key)); // the server did not answer: asked again
  return asked;
}

const sideName = (/** @type {number} */ side, encode = state.encode) =>
  (side ? clip.encodes[encode - 1].distorted : clip.encodes[encode - 1].reference).name;

/**
 * A requested frame.
 * @typedef {{frame: number, needed: () => boolean, resolve: (picture: Picture | null) => void, reject: (error:
 * unknown) => void}} Due
 */

/** The decoder of one side during a run. */
class Feed {
  /**
   * @param {number} side
   * @param {VideoDecoderConfig} config
   */
  constructor(side, config) {
    this.side = side;
    this.encode = state.encode;
    this.of = /** @type {Input} */ (sideOf(side));
    this.config = config;
    /** @type {Due[]} */
    this.queue = []; // in the order of playing
    /**
     * Requested frames that the packets from frame `from` on lead to.
     * @type {Map<number, Due>}
     */
    this.due = new Map();
    this.from = this.passed = this.top = -1;
    /**
     * Decoded frames that are not requested yet.
     * @type {Map<number, VideoFrame>}
     */
    this.early = new Map();
    /**
     * Memory of frames that are no longer shown.
     * @type {Uint8Array[]}
     */
    this.spare = [];
    /** @type {{number: number, key: boolean, bytes: Uint8Array}[]} */
    this.packets = [];
    this.ended = false;
    this.closed = false;
    /** @type {unknown} */
    this.error = null;
    this.wake = () => {};
    this.decoder = new VideoDecoder({output: frame => this.take(frame), error: error => this.fail(error)});
    this.decoder.ondequeue = () => this.wake();
    this.run().catch(error => this.fail(error));
  }

  /**
   * @param {number} frame
   * @param {() => boolean} needed if it returns false, null will do
   * @returns {Promise<Picture | null>}
   */
  get(frame, needed) {
    if (this.error) return Promise.reject(this.error);
    return new Promise((resolve, reject) => {
      this.queue.push({frame, needed, resolve, reject});
      this.wake();
    });
  }

  close() {
    if (this.closed) return;
    this.closed = true;
    if (this.decoder.state !== "closed") this.decoder.close();
    for (const due of [...this.due.values(), ...this.queue]) due.resolve(null);
    this.dropEarly(Infinity);
    this.wake();
  }

  /** @param {number} before */
  dropEarly(before) {
    for (const [number, frame] of this.early) if (number < before) {
      this.early.delete(number);
      frame.close();
    }
  }

  /** @param {unknown} error */
  fail(error) {
    if (this.closed) return;
    this.error = error;
    for (const due of [...this.due.values(), ...this.queue]) due.reject(error);
    this.due.clear();
    this.queue = [];
    this.close();
  }

  async run() {
    while (!this.closed) {
      while (this.from >= 0 && this.queue.length && this.queue[0].frame > this.top) {
        const due = /** @type {Due} */ (this.queue.shift());
        this.top = due.frame;
        this.dropEarly(due.frame);
        const early = this.early.get(due.frame);
        this.early.delete(due.frame);
        this.due.set(due.frame, due);
        if (early) this.take(early);
      }
      if (!this.due.size && this.queue.length) this.begin(this.queue[0].frame);
      else if (!this.due.size || this.decoder.decodeQueueSize >= QUEUED)
        await new Promise(resolve => { this.wake = () => resolve(null); });
      else if (!this.packets.length && !this.ended) await this.ask();
      else if (this.packets.length) this.decode();
      else {
        await this.decoder.flush();
        if (this.due.size && !this.closed) throw new Error(`frame ${[...this.due.keys()][0]} does not come`);
        this.from = -1;
      }
    }
  }

  /**
   * Starts again, at a packet from which the frame can be decoded.
   * @param {number} frame
   */
  begin(frame) {
    this.decoder.reset();
    this.decoder.configure(this.config);
    this.from = frame;
    this.top = frame - 1;
    this.passed = 0;
    this.packets = [];
    this.ended = false;
    this.dropEarly(Infinity);
  }

  async ask() {
    const {from} = this, answer = await ask(
      `packets?encode=${this.encode}&side=${this.side}&frame=${from}&passed=${this.passed}`);
    const buffer = await answer.arrayBuffer(), view = new DataView(buffer);
    for (let at = 0; at < buffer.byteLength;) {
      const size = view.getUint32(at + 8, true);
      this.packets.push({number: Number(view.getBigInt64(at, true)), key: view.getUint8(at + 12) === 1,
        bytes: new Uint8Array(buffer, at + 13, size)});
      at += 13 + size;
    }
    this.passed += this.packets.length;
    this.ended = !this.packets.length;
  }

  decode() {
    const {number, key, bytes} = /** @type {{number: number, key: boolean, bytes: Uint8Array}} */ (
      this.packets.shift());
    this.decoder.decode(new EncodedVideoChunk({type: key ? "key" : "delta", timestamp: number, data: bytes}));
  }

  /**
   * Receives a frame; the decoder delivers them in the order of presentation.
   * @param {VideoFrame} frame
   */
  async take(frame) {
    const number = frame.timestamp, due = this.due.get(number), first = this.due.keys().next();
    if (number > this.top && !this.closed) {
      this.early.set(number, frame);
      return;
    }
    try {
      if (number >= 0 && !first.done && first.value < number)
        throw new Error(`frame ${first.value} is missing before frame ${number}`);
      this.due.delete(number);
      due?.resolve(due.needed() ? await this.pictureOf(frame) : null);
    } catch (error) {
      due?.reject(error);
      this.fail(error);
    }
    frame.close();
    this.wake();
  }

  /**
   * @param {VideoFrame} frame
   * @returns {Promise<Picture>}
   */
  async pictureOf(frame) {
    const {width, height} = this.of, wide = Math.ceil(width / 2), luma = width * height,
      chroma = wide * Math.ceil(height / 2), seen = frame.visibleRect;
    if (seen?.width !== width || seen.height !== height)
      throw new Error(`frame ${frame.timestamp} has ${seen?.width}x${seen?.height} samples`);
    const paired = frame.format === "NV12", bytes = this.spare.pop() ?? new Uint8Array(luma + 2 * chroma);
    if (!paired && frame.format !== "I420") throw new Error(`its samples are ${frame.format}`);
    await frame.copyTo(bytes, {layout: paired ? [{offset: 0, stride: width}, {offset: luma, stride: 2 * wide}]
      : [{offset: 0, stride: width}, {offset: luma, stride: wide}, {offset: luma + chroma, stride: wide}]});
    const planes = [bytes.subarray(0, luma), bytes.subarray(luma, luma + chroma), bytes.subarray(luma + chroma)];
    if (paired) {
      const pairs = bytes.slice(luma);
      for (let i = 0; i < chroma; i++) [planes[1][i], planes[2][i]] = [pairs[2 * i], pairs[2 * i + 1]];
    }
    return {of: this.of, planes, rgb: null, preview: true};
  }
}

/**
 * The feeds of the run that plays; null: the server decodes that side.
 * @type {(Feed | null)[]}
 */
let feeds = [null, null];

function closeFeeds() {
  for (const feed of feeds) feed?.close();
  feeds = [null, null];
}

/**
 * Takes the memory of a picture that is no longer shown.
 * @param {Picture | null} picture
 * @param {number} side
 */
function reusePicture(picture, side) {
  const feed = feeds[side];
  if (picture?.preview && feed?.of === picture.of) feed.spare.push(new Uint8Array(picture.planes[0].buffer));
}

/**
 * Opens the decoders of a run. Backward, or if every frame must be shown, exact samples play instead.
 * @param {number} run
 */
async function openFeeds(run) {
  closeFeeds();
  if (player.direction < 0 || !state.speed || needsMap()) return;
  const configs = await Promise.all([0, 1].map(side => sideOf(side) ? codingOf(side) : null));
  if (player.run === run) feeds = configs.map((config, side) => config && new Feed(side, config));
}

/**
 * Makes the server decode this side, in this run and later ones.
 * @param {Feed} feed
 * @param {unknown} error
 */
function leaveFeed(feed, error) {
  if (!gone) decodeByServer(`${feed.encode},${feed.side}`,
    `the browser cannot decode ${sideName(feed.side, feed.encode)}: ${reasonOf(error)}`, true);
  feed.close();
  feeds = feeds.map(other => other === feed ? null : other);
}

/** Returns who decodes what plays, and the reason if the browser cannot. */
function previewText() {
  const sides = [0, 1].filter(side => sideOf(side)), by = sides.filter(side => feeds[side]);
  const why = sides.map(side => undecoded.get(`${state.encode},${side}`)).filter(u => u?.browser)[0]?.why;
  const who = by.length === sides.length ? "" : by.length ? (by[0] ? "encode " : "reference ") : null;
  return `preview${who === null ? "" : `, ${who}as the browser decodes it`}${why && by.length < sides.length
    ? `; ${by.length ? "the other" : "decoded"} by fovea: ${why}` : ""}`;
}
