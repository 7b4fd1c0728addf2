// Lets the browser decode videos in MP4 and WebM, and turns them into Y4M. It first decodes a clip of known samples,
// and refuses frames that the browser would convert.
import { demux } from './containers.mjs';
import { LAYOUTS, pictureOf, planar } from './frames.mjs';
import { KNOWN } from './known.mjs';
import { FoveaError } from './module.mjs';

const CHROMA = ['mono', '420', '422', '444'];
const PIECE = 32 << 20; // bytes to collect before they become a Blob, which the browser may keep on disk

const instead = name => `ffmpeg -i ${name} video.y4m makes a file that every browser scores`;

/** Yields VideoFrames in display order, which the caller closes. */
async function* decode(track, name) {
  const ready = [];
  let failure = null, wake = () => {};
  const decoder = new VideoDecoder({ output: frame => (ready.push(frame), wake()),
    error: error => (failure = error, wake()) });
  decoder.ondequeue = () => wake();
  const hidden = new Set(), { codec, description, codedWidth, codedHeight } = track;
  const config = { codec, description, codedWidth, codedHeight, hardwareAcceleration: 'prefer-software' };
  const waits = async function* (until) {
    while (!failure && (ready.length || !until())) {
      const frame = ready.shift();
      if (!frame) await new Promise(resolve => (wake = resolve));
      else if (hidden.has(frame.timestamp)) frame.close();
      else yield frame;
    }
    if (failure) throw new FoveaError('input',
      `${name}: the browser cannot decode the video (${failure.message}): ${instead(name)}`);
  };
  try {
    if (!(await VideoDecoder.isConfigSupported(config)).supported)
      throw new FoveaError('input', `${name}: this browser has no decoder for ${codec}: ${instead(name)}`);
    decoder.configure(config);
    for await (const { data, timestamp, type, shown } of track.chunks()) {
      if (!shown) hidden.add(timestamp);
      decoder.decode(new EncodedVideoChunk({ data, timestamp, type }));
      yield* waits(() => decoder.decodeQueueSize < 8);
    }
    let flushed = false;
    decoder.flush().then(() => (flushed = true), error => (failure ??= error)).finally(() => wake());
    yield* waits(() => flushed);
  } finally {
    ready.forEach(frame => frame.close());
    if (decoder.state !== 'closed') decoder.close();
  }
}

/** Yields the planes of each frame as {bytes, format, aspect}. */
async function* planes(track, name) {
  let first = null;
  for await (const frame of decode(track, name)) {
    const { displayWidth, displayHeight, visibleRect, format: layout } = frame,
      [chroma, depth] = LAYOUTS[layout] ?? [];
    if (CHROMA[track.chroma] !== chroma || track.depth !== depth) {
      frame.close();
      throw new FoveaError('input',
        `${name}: the browser hands over frames of the ` +
          `format ${layout}, not the ${CHROMA[track.chroma]} samples of ${track.depth} bits that the video ` +
            `has: ${instead(name)}`);
    }
    const { picture, format } = await pictureOf(frame);
    first ??= format;
    if (first.width !== format.width || first.height !== format.height)
      throw new FoveaError('input', `${name}: a frame has ${format.width}x${format.height} samples, and earlier ` +
        `ones ${first.width}x${first.height}: cut the video there`);
    yield { bytes: planar(picture, format), format,
      aspect: [displayWidth * visibleRect.height, displayHeight * visibleRect.width] };
  }
}

const bytesOf = text => Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
const checked = new Map();

/**
 * Returns a promise of whether the browser decodes a known clip of this codec and depth exactly. Each kind is tested
 * once.
 */
function check(track, name) {
  const kind = `${track.codec.slice(0, 4)} ${track.depth}`, known = KNOWN[kind];
  if (!known) throw new FoveaError('input',
    `${name}: whether browsers hand over exact samples of ${track.codec} is not known: ${instead(name)}`);
  if (!checked.has(kind)) checked.set(kind, decodesExactly(known, track.depth));
  return checked.get(kind);
}

async function decodesExactly({ codec, description, sum, frames }, depth) {
  const clip = { codec, description: description && bytesOf(description), codedWidth: 48, codedHeight: 32,
    chroma: 1, depth,
    async* chunks() {
      for (const [i, [timestamp, data]] of frames.entries())
        yield { timestamp, data: bytesOf(data), type: i ? 'delta' : 'key', shown: true };
    } };
  const parts = [];
  for await (const { bytes } of planes(clip, 'the known clip')) parts.push(bytes);
  const digest = await crypto.subtle.digest('SHA-256', await new Blob(parts).arrayBuffer());
  return Array.from(new Uint8Array(digest), byte => byte.toString(16).padStart(2, '0')).join('') === sum;
}

/**
 * Returns the colour that the stream or its container states, as parameters of a side. The browser's own values may
 * be guesses.
 */
function parametersOf({ colour: { full, siting, ...codes } }, side) {
  const stated = { range: full == null ? undefined : full ? 'full' : 'limited', siting };
  for (const [tag, code] of Object.entries(codes)) stated[tag] = code === 2 ? undefined : code;
  return Object.fromEntries(Object.entries(stated).filter(([, value]) => value != null)
    .map(([tag, value]) => [`${side}.${tag}`, value]));
}

/**
 * Decodes a video to {file: a Blob of Y4M, options: the colour as parameters}. side: "reference" or "distorted".
 * onframe is called for each frame.
 */
export async function toY4m(blob, name, kind, side, onframe) {
  if (typeof VideoDecoder === 'undefined')
    throw new FoveaError('input', `${name} needs the decoders of a browser (WebCodecs, on pages that come by ` +
      `https or from this machine): ${instead(name)}`);
  const track = await demux(blob, name, kind);
  if (!(await check(track, name)))
    throw new FoveaError('input',
      `${name}: this browser's decoder for ${track.codec} does not hand over the exact samples: ${instead(name)}`);
  const parts = [];
  let waiting = [], bytes = 0, count = 0;
  const keep = () => {
    parts.push(new Blob(waiting));
    [waiting, bytes] = [[], 0];
  };
  for await (const { bytes: samples, format, aspect } of planes(track, name)) {
    if (!count)
      waiting.push(
        `YUV4MPEG2 W${format.width} H${format.height} F${track.rate.join(':')} A${aspect.join(':')} C${
          format.chroma}${format.depth > 8 ? `p${format.depth}` : ''}\n`);
    waiting.push('FRAME\n', samples);
    bytes += samples.length;
    count++;
    if (bytes > PIECE) keep();
    onframe?.(count, track.frames);
  }
  if (count !== track.frames) throw new FoveaError('input',
    `${name}: the browser decodes ${count} of ${track.frames} frames: ${instead(name)}`);
  keep();
  return { file: new Blob(parts), options: parametersOf(track, side) };
}
