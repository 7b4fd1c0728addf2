// Finds the coded frames of the video in an MP4 or WebM file, which is read piece by piece: ISO/IEC 14496-12 and -15,
// RFC 9559.
import { FoveaError } from './module.mjs';

const damaged = name => new FoveaError('input', `${name}: the file is damaged or cut off`);
const hex = (value, digits = 2) => value.toString(16).padStart(digits, '0');
const two = value => String(value).padStart(2, '0');
const divisor = (a, b) => (b ? divisor(b, a % b) : a);

/** Reads a Blob, and keeps the part that was read last. */
class Pieces {
  #bytes = new Uint8Array(0);
  #at = 0;

  constructor(blob, name) {
    Object.assign(this, { blob, name, size: blob.size });
  }

  async read(at, size) {
    if (at + size > this.size) throw damaged(this.name);
    if (at < this.#at || at + size > this.#at + this.#bytes.length) {
      this.#bytes = new Uint8Array(await this.blob.slice(at, at + Math.max(size, 1 << 20)).arrayBuffer());
      this.#at = at;
    }
    return this.#bytes.subarray(at - this.#at, at - this.#at + size);
  }

  async view(at, size) {
    const bytes = await this.read(at, size);
    return new DataView(bytes.buffer, bytes.byteOffset, size);
  }
}

/**
 * Returns the nearest usual frame rate if it is within the error, else the rate itself, as [numerator, denominator].
 */
function rateOf(value, error) {
  for (const scale of [1, 1001]) {
    const whole = Math.round(scale === 1 ? value : (value * 1.001));
    if (whole && Math.abs(whole * (scale === 1 ? 1 : 1000 / 1001) - value) <= error)
      return scale === 1 ? [whole, 1] : [whole * 1000, 1001];
  }
  return [Math.round(value * 1000), 1000];
}

/** Reads bits, the highest bit of each byte first. */
class Bits {
  #bytes;
  #at = 0;

  constructor(bytes) {
    this.#bytes = bytes;
  }

  take(count) {
    let value = 0;
    for (; count--; this.#at++) value = value * 2 + (this.#bytes[this.#at >> 3] >> (7 - (this.#at & 7)) & 1);
    return value;
  }

  /** Reads an exponential Golomb code. */
  golomb() {
    let zeros = 0;
    while (zeros < 32 && !this.take(1)) zeros++;
    return 2 ** zeros - 1 + this.take(zeros);
  }

  signed() {
    const code = this.golomb();
    return code & 1 ? (code + 1) / 2 : -code / 2;
  }
}

const SITINGS = ['left', 'center', 'topleft', 'top', 'bottomleft', 'bottom'];

/** Returns the colour in a sequence parameter set of H.264 (ITU-T H.264, 7.3.2.1.1 and E.1.1). */
function colourOfSps(nal) {
  const bits = new Bits(nal.filter((byte, i) => !(byte === 3 && i > 2 && !nal[i - 1] && !nal[i - 2]))), colour = {};
  const list = size => {
    for (let i = 0, last = 8, next = 8; i < size; i++) {
      if (next) next = (last + bits.signed() + 256) % 256;
      last = next || last;
    }
  };
  bits.take(8);
  const profile = bits.take(8);
  bits.take(16);
  bits.golomb();
  if ([100, 110, 122, 244, 44].includes(profile)) {
    const chroma = bits.golomb();
    if (chroma === 3) bits.take(1);
    bits.golomb();
    bits.golomb();
    bits.take(1);
    if (bits.take(1)) for (let i = 0; i < (chroma === 3 ? 12 : 8); i++) if (bits.take(1)) list(i < 6 ? 16 : 64);
  }
  bits.golomb();
  const order = bits.golomb();
  if (order === 0) bits.golomb();
  if (order === 1) {
    bits.take(1);
    bits.signed();
    bits.signed();
    for (let i = bits.golomb(); i > 0; i--) bits.signed();
  }
  bits.golomb();
  bits.take(1);
  bits.golomb();
  bits.golomb();
  if (!bits.take(1)) bits.take(1); // frame_mbs_only_flag; if 0, mb_adaptive_frame_field_flag follows
  bits.take(1);
  if (bits.take(1)) for (let i = 0; i < 4; i++) bits.golomb();
  if (!bits.take(1)) return colour;
  if (bits.take(1) && bits.take(8) === 255) bits.take(32); // sample aspect ratio; 255: width and height follow
  if (bits.take(1)) bits.take(1);
  if (bits.take(1)) {
    bits.take(3);
    colour.full = bits.take(1);
    if (bits.take(1)) for (const tag of ['primaries', 'transfer', 'matrix']) colour[tag] = bits.take(8);
  }
  colour.siting = SITINGS[bits.take(1) ? bits.golomb() : 0];
  return colour;
}

/** Returns the colour in a sequence header of AV1 (AV1 specification, 5.5). */
function colourOfAv1(bytes) {
  const bits = new Bits(bytes), flag = () => bits.take(1), profile = bits.take(3);
  flag();
  const reduced = flag();
  if (reduced) bits.take(5);
  else {
    if (flag()) {
      bits.take(64);
      if (flag()) bits.golomb();
      if (flag()) return {}; // decoder model info, which this function cannot skip
    }
    const delays = flag();
    for (let points = bits.take(5); points >= 0; points--) {
      bits.take(12);
      if (bits.take(5) > 7) flag();
      if (delays && flag()) bits.take(4);
    }
  }
  const across = bits.take(4) + 1, down = bits.take(4) + 1;
  bits.take(across + down);
  if (!reduced && flag()) bits.take(7);
  bits.take(3);
  if (!reduced) {
    bits.take(4);
    const order = flag();
    if (order) bits.take(2);
    if ((flag() ? 2 : flag()) && !flag()) flag(); // screen content tools, and integer motion vectors
    if (order) bits.take(3);
  }
  bits.take(3);
  const deep = flag(), colour = {};
  if (profile === 2 && deep) flag();
  const mono = profile === 1 ? 0 : flag();
  if (flag()) for (const tag of ['primaries', 'transfer', 'matrix']) colour[tag] = bits.take(8);
  if (colour.primaries === 1 && colour.transfer === 13 && !colour.matrix) return { ...colour, full: 1 };
  colour.full = flag();
  if (!mono && profile !== 1) colour.siting = [undefined, 'left', 'topleft'][bits.take(2)];
  return colour;
}

/** Returns the content of the sequence header among the OBUs of AV1; null: none. */
function av1Header(bytes) {
  for (let at = 0; at < bytes.length;) {
    const head = bytes[at++];
    let size = 0;
    if (head & 4) at++;
    if (!(head & 2)) return null;
    for (let shift = 0, byte = 128; byte & 128; shift += 7) {
      byte = bytes[at++];
      size |= (byte & 127) << shift;
    }
    if ((head >> 3 & 15) === 1) return bytes.subarray(at, at + size);
    at += size;
  }
  return null;
}

/** Each function returns {codec, description, chroma, depth, colour} of a codec's configuration box. */
const CONFIGURATIONS = {
  avcC(bytes) {
    const [, profile, compatible, level] = bytes, length = bytes[6] << 8 | bytes[7];
    let at = 8 + length;
    for (let i = bytes[at++]; i > 0; i--) at += 2 + (bytes[at] << 8 | bytes[at + 1]);
    const high = [100, 110, 122, 244].includes(profile) && at + 2 < bytes.length;
    return { codec: `avc1.${hex(profile)}${hex(compatible)}${hex(level)}`, description: bytes,
      chroma: high ? bytes[at] & 3 : 1,
      depth: high ? 8 + (bytes[at + 1] & 7) : 8,
      colour: bytes[5] & 31 ? colourOfSps(bytes.subarray(8, 8 + length)) : {} };
  },
  vpcC(bytes) {
    const [, , , , profile, level, packed, primaries, transfer, matrix] = bytes, sampling = packed >> 1 & 7;
    return { codec: `vp09.${two(profile)}.${two(level)}.${two(packed >> 4)}`, chroma: sampling < 2 ? 1 : sampling,
      depth: packed >> 4,
      stated: { primaries, transfer, matrix, full: packed & 1 } };
  },
  av1C(bytes) {
    const [, first, second] = bytes, depth = second & 64 ? (second & 32 ? 12 : 10) : 8;
    return { codec: `av01.${first >> 5}.${two(first & 31)}${second & 128 ? 'H' : 'M'}.${two(depth)}`, depth,
      chroma: second & 16 ? 0 : second & 8 ? (second & 4 ? 1 : 2) : 3 };
  },
};

/** Each function returns what the first coded frame of a codec states. */
const FIRST = {
  /** RFC 6386, 9.2. */
  vp8: bytes => ({ colour: { matrix: 5, full: bytes[10] >> 6 === 1 } }),
  /** The uncompressed header of VP9, 6.2. */
  vp09(bytes) {
    const bits = new Bits(bytes);
    bits.take(2);
    const profile = bits.take(1) + 2 * bits.take(1);
    // show_existing_frame, frame_type, show_frame, error_resilient_mode; the sync code
    bits.take((profile === 3) + 4 + 24);
    const depth = profile < 2 ? 8 : bits.take(1) ? 12 : 10, space = bits.take(3), rgb = space === 7;
    const full = rgb || bits.take(1), across = profile & 1 ? (rgb ? 0 : bits.take(1)) : 1;
    return { codec: `vp09.${two(profile)}.51.${two(depth)}`, depth, chroma: profile & 1 ? (across ? 2 : 3) : 1,
      colour: { matrix: [2, 5, 1, 6, 7, 9, 2, 0][space], full } };
  },
  av01(bytes) {
    const header = av1Header(bytes);
    return header ? { colour: colourOfAv1(header) } : {};
  },
};

/** Returns the track completed from its first frame. Colour in the stream overrides the container's. */
async function complete(pieces, { at, size }, track) {
  const found = { ...track, ...FIRST[track.codec.slice(0, 4)]?.(await pieces.read(at, size)) },
    colour = { ...found.stated };
  for (const [tag, value] of Object.entries(found.colour ?? {})) if (value != null && (tag === 'full' || value !== 2))
    colour[tag] = value;
  return { ...found, colour };
}

/** Yields the boxes of MP4 in a view as [type, view of the content]. */
function* boxes(view, name, from = 0) {
  for (let at = from; at + 8 <= view.byteLength;) {
    const type = String.fromCharCode(...[4, 5, 6, 7].map(i => view.getUint8(at + i)));
    let size = view.getUint32(at), head = 8;
    if (size === 1) [size, head] = [Number(view.getBigUint64(at + 8)), 16];
    if (!size) size = view.byteLength - at;
    if (size < head || at + size > view.byteLength) throw damaged(name);
    yield [type, new DataView(view.buffer, view.byteOffset + at + head, size - head)];
    at += size;
  }
}

const inside = (view, name, path) => path.reduce((found, type) => {
  for (const [one, content] of found ? boxes(found, name) : []) if (one === type) return content;
  return null;
}, view);

/** Returns the entries of a table, each an array of `width` 32-bit numbers. */
function table(view, width, from = 4) {
  if (!view) return [];
  const count = Math.min(view.getUint32(from), (view.byteLength - from - 4) / (4 * width));
  return Array.from({ length: count },
    (_, i) => Array.from({ length: width }, (_, k) => view.getInt32(from + 4 + 4 * (width * i + k))));
}

async function mp4(pieces) {
  const { name } = pieces;
  let moov = null;
  for (let at = 0; at + 8 <= pieces.size && !moov;) {
    const head = await pieces.view(at, Math.min(16, pieces.size - at));
    const type = head.getUint32(4);
    let size = head.getUint32(0), start = 8;
    if (size === 1) [size, start] = [Number(head.getBigUint64(8)), 16];
    if (!size) size = pieces.size - at;
    if (size < start) throw damaged(name);
    if (type === 0x6d6f6f76) moov = await pieces.view(at + start, size - start); // moov
    at += size;
  }
  if (!moov) throw damaged(name);
  if (inside(moov, name, ['mvex'])) throw new FoveaError('input',
    `${name} is a fragmented MP4; join its fragments first: ffmpeg -i ${name} -c copy video.mp4`);
  for (const [type, trak] of boxes(moov, name)) {
    const mdia = type === 'trak' && inside(trak, name, ['mdia']);
    if (!mdia || inside(mdia, name, ['hdlr']).getUint32(8) !== 0x76696465) continue; // vide
    const tkhd = inside(trak, name, ['tkhd']), mdhd = inside(mdia, name, ['mdhd']),
      stbl = inside(mdia, name, ['minf', 'stbl']);
    const matrix = tkhd.getUint8(0) ? 52 : 40, scale = mdhd.getUint32(mdhd.getUint8(0) ? 20 : 12);
    if (tkhd.getInt32(matrix) !== 65536 || tkhd.getInt32(matrix + 16) !== 65536)
      throw new FoveaError('input',
        `${name} is to be shown turned or mirrored; turn its frames first: ffmpeg -i ${name} video.y4m`);
    const of = path => inside(stbl, name, path);
    const [[entry, sample]] = boxes(of(['stsd']), name, 8);
    const found = { codec: entry === 'vp08' ? 'vp8' : null, chroma: 1, depth: 8, codedWidth: sample.getUint16(24),
      codedHeight: sample.getUint16(26) };
    for (const [inner, view] of boxes(sample, name, 78)) {
      const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength).slice();
      if (inner in CONFIGURATIONS && entry !== 'vp08') Object.assign(found, CONFIGURATIONS[inner](bytes));
      if (inner === 'colr' && view.getUint32(0) === 0x6e636c78) // nclx
        found.stated = { primaries: view.getUint16(4), transfer: view.getUint16(6), matrix: view.getUint16(8),
          full: bytes[10] >> 7 };
    }
    if (!found.codec) throw new FoveaError('input',
      `${name} has the codec "${entry}", for which this page has no decoder; convert it first: ` +
      `ffmpeg -i ${name} video.y4m`);
    const sizes = of(['stsz']), fixed = sizes.getUint32(4), count = sizes.getUint32(8);
    const wide = of(['co64']), places = wide ? table(wide, 2)
      .map(([high, low]) => (high >>> 0) * 2 ** 32 + (low >>> 0)) : table(of(['stco']), 1).map(([at]) => at >>> 0);
    const keys = of(['stss']) && new Set(table(of(['stss']), 1).map(([key]) => key - 1));
    if (!count || count > pieces.size) throw damaged(name);
    const runs = (box, left) => table(box, 2).flatMap(([times, value]) => {
      const some = Math.min(times >>> 0, left);
      left -= some;
      return Array(some).fill(value);
    });
    const durations = runs(of(['stts']), count), shifts = runs(of(['ctts']), count), chunks = table(of(['stsc']), 3),
      samples = [];
    for (let chunk = 0, run = 0, time = 0; chunk < places.length && samples.length < count; chunk++) {
      if (run + 1 < chunks.length && chunks[run + 1][0] === chunk + 1) run++;
      for (let i = 0, at = places[chunk]; i < chunks[run][1] && samples.length < count; i++) {
        const k = samples.length, size = fixed || sizes.getUint32(12 + 4 * k);
        samples.push({ at, size, time: time + (shifts[k] ?? 0), key: !keys || keys.has(k) });
        at += size;
        time += durations[k] ?? 0;
      }
    }
    const edits = inside(trak, name, ['edts', 'elst']), movie = inside(moov, name, ['mvhd']);
    const long = edits?.getUint8(0), step = long ? 20 : 12, list = [];
    for (let i = 0; edits && i < edits.getUint32(4); i++) {
      const at = 8 + step * i, start = long ? Number(edits.getBigInt64(at + 8)) : edits.getInt32(at + 4);
      if (start >= 0) list.push([start, long ? Number(edits.getBigUint64(at)) : edits.getUint32(at)]);
    }
    if (list.length > 1)
      throw new FoveaError('input',
        `${name} has an edit list of ${list.length} parts; convert it first: ffmpeg -i ${name} video.y4m`);
    const [first, length] = list[0] ?? [0, 0];
    const last = length ? first + Math.ceil(length * scale / movie.getUint32(movie.getUint8(0) ? 20 : 12)) : Infinity;
    const total = durations.reduce((sum, one) => sum + one, 0), part = divisor(scale * count, total);
    return { ...await complete(pieces, samples[0], found), rate: [scale * count / part, total / part],
      frames: samples.filter(({ time }) => time >= first && time < last).length,
      async* chunks() {
        for (const { at, size, time, key } of samples)
          yield { data: await pieces.read(at, size), timestamp: Math.round(time * 1e6 / scale),
            type: key ? 'key' : 'delta', shown: time >= first && time < last };
      } };
  }
  throw new FoveaError('input', `${name} has no video track`);
}

// Elements of Matroska whose children are read (MASTERS), and elements whose values are read.
const MASTERS = new Set([0x18538067, 0x1f43b675, 0xa0, 0x1654ae6b, 0xae, 0xe0, 0x55b0, 0x1549a966]);
const NUMBERS = { 0x2ad7b1: 'scale', 0xd7: 'track', 0x83: 'kind', 0x23e383: 'duration', 0xb0: 'width', 0xba: 'height',
  0x55b1: 'matrix', 0x55b9: 'range',
  0x55ba: 'transfer', 0x55bb: 'primaries', 0x55b7: 'across', 0x55b8: 'down', 0xe7: 'cluster' };
const CODEC = 0x86, PRIVATE = 0x63a2, TRACK = 0xae, SIMPLE = 0xa3, GROUPED = 0xa1, REFERS = 0xfb;

/** Yields the elements from `from` on as {id, at, size}. The children of a master element follow it. */
async function* elements(pieces, from) {
  const number = async (at, keep) => {
    const [first] = await pieces.read(at, 1), length = Math.clz32(first) - 23;
    if (length > 8) throw damaged(pieces.name);
    const bytes = await pieces.read(at, length);
    let value = keep ? first : first & (1 << (8 - length)) - 1, ones = value === (1 << (8 - length)) - 1;
    for (let i = 1; i < length; i++) {
      value = value * 256 + bytes[i];
      ones &&= bytes[i] === 255;
    }
    return { value: ones && !keep ? Infinity : value, length };
  };
  for (let at = from; at < pieces.size;) {
    const id = await number(at, true), size = await number(at + id.length, false);
    at += id.length + size.length;
    yield { id: id.value, at, size: size.value };
    if (!MASTERS.has(id.value)) at += size.value;
  }
}

async function webm(pieces) {
  const { name } = pieces, tracks = [], blocks = [];
  let state = { scale: 1000000 }, cluster = 0;
  for await (const { id, at, size } of elements(pieces, 0)) {
    if (id === TRACK) tracks.push(state = { scale: state.scale });
    else if (id in NUMBERS) {
      const value = (await pieces.read(at, size)).reduce((sum, one) => sum * 256 + one, 0);
      if (NUMBERS[id] === 'cluster') cluster = value;
      else state[NUMBERS[id]] = value;
    } else if (id === CODEC) state.codec = new TextDecoder().decode(await pieces.read(at, size));
    else if (id === PRIVATE) state.bytes = (await pieces.read(at, size)).slice();
    else if (id === SIMPLE || id === GROUPED) {
      const [track, high, low, flags] = await pieces.read(at, 4);
      if (flags & 6)
        throw new FoveaError('input',
          `${name} has several frames in a block; convert it first: ffmpeg -i ${name} video.y4m`);
      blocks.push({ track: track & 127, at: at + 4, size: size - 4, time: cluster + (high << 24 >> 16 | low),
        key: id === GROUPED || !!(flags & 128) });
    } else if (id === REFERS) blocks.at(-1).key = false;
  }
  const track = tracks.find(({ kind }) => kind === 1), scale = tracks[0]?.scale ?? state.scale;
  const own = blocks.filter(block => block.track === track?.track);
  if (!own.length) throw new FoveaError('input', `${name} has no video track`);
  const found = { V_VP8: () => ({ codec: 'vp8', chroma: 1, depth: 8 }), V_VP9: () => ({ codec: 'vp09' }),
    V_AV1: () => CONFIGURATIONS.av1C(track.bytes),
    'V_MPEG4/ISO/AVC': () => CONFIGURATIONS.avcC(track.bytes) }[track.codec]?.();
  if (!found) throw new FoveaError('input',
    `${name} has the codec "${track.codec}", for which this page has no decoder; convert it first: ` +
    `ffmpeg -i ${name} video.y4m`);
  const times = own.map(({ time }) => time), span = (Math.max(...times) - Math.min(...times)) * scale / 1e9;
  const { primaries, transfer, matrix, range, across, down } = track, rate = (own.length - 1) / span;
  found.stated = { primaries, transfer, matrix, full: [undefined, 0, 1][range],
    siting: { 12: 'left', 22: 'center', 11: 'topleft', 21: 'top' }[`${across}${down}`] };
  return { ...await complete(pieces, own[0], found), codedWidth: track.width, codedHeight: track.height,
    frames: own.length,
    rate: track.duration ? rateOf(1e9 / track.duration, 0.001) : own.length >
    1 ? rateOf(rate, rate * scale / 1e9 / span) : [0, 0],
    async* chunks() {
      for (const { at, size, time, key } of own)
        yield { data: await pieces.read(at, size), timestamp: Math.round(time * scale / 1000),
          type: key ? 'key' : 'delta', shown: true };
    } };
}

/** Returns the kind of a file by its first bytes: 'mp4', 'webm', 'png' or null. */
export function kindOf(head) {
  const is = (at, ...bytes) => bytes.every((byte, i) => head[at + i] === byte);
  return is(4, 0x66, 0x74, 0x79, 0x70) ? 'mp4' : is(0, 0x1a, 0x45, 0xdf, 0xa3) ? 'webm' : is(0, 0x89, 0x50, 0x4e,
    0x47) ? 'png' : null;
}

/**
 * Returns the video: {codec, description, codedWidth, codedHeight, chroma: 0 to 3 for 4:0:0 to 4:4:4, depth, rate,
 * colour, frames, chunks()}. chunks() yields the coded frames in decoding order.
 */
export async function demux(blob, name, kind) {
  try {
    return await (kind === 'mp4' ? mp4 : webm)(new Pieces(blob, name));
  } catch (error) {
    throw error instanceof FoveaError ? error : damaged(name); // a box is missing, or an offset is outside its box
  }
}
