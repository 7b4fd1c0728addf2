// Frames as the server has them, and as the browser's colours.
"use strict";

/** @type {any} */
let clip = null;
const sideOf = (/** @type {number} */ side) => /** @type {Input | null} */ (side ? clip.distorted : clip.reference);
/** @type {Map<string, Picture>} */
const pictures = new Map(); // of the frames seen last
/** @type {(Picture | null)[]} */
let shown = [null, null];
let shownFrame = -1;

/** As one word, which is stored faster than four bytes. @type {(red: number, green: number, blue: number) => number} */
const pixel = new Uint8Array(new Uint32Array([1]).buffer)[0] ? (red, green, blue) => red | green << 8 | blue << 16 | 0xff << 24
  : (red, green, blue) => red << 24 | green << 16 | blue << 8 | 0xff;

/** Samples as the browser's colours, by the same steps as fovea map's pictures. @param {Input} of
 * @param {(Uint8Array | Uint16Array)[]} planes @returns {OffscreenCanvas} */
function rgbOf(of, planes) {
  const {width, height, across, down, rgb} = of, image = new ImageData(width, height), to = new Uint32Array(image.data.buffer);
  const levels = 1 << of.depth, light = new Float64Array(levels), reds = new Float64Array(levels), blues = new Float64Array(levels);
  for (let i = 0; i < levels; i++) {
    light[i] = (i - rgb.low) / rgb.luma;
    reds[i] = 2 * (1 - rgb.red) * ((i - rgb.middle) / rgb.chroma);
    blues[i] = 2 * (1 - rgb.blue) * ((i - rgb.middle) / rgb.chroma);
  }
  const gray = of.planes === 1, rest = 1 - rgb.red - rgb.blue, row = Math.ceil(width / across);
  const [luma, cb, cr] = planes;
  for (let y = 0, at = 0; y < height; y++) {
    const chromaRow = Math.floor(y / down) * row;
    for (let x = 0; x < width; x++, at++) {
      const l = light[luma[at]], c = chromaRow + (across === 2 ? x >> 1 : x);
      const red = gray ? l : l + reds[cr[c]], blue = gray ? l : l + blues[cb[c]];
      const green = (l - rgb.red * red - rgb.blue * blue) / rest;
      to[at] = pixel((255 * (red > 0 ? red < 1 ? red : 1 : 0) + 0.5) | 0, (255 * (green > 0 ? green < 1 ? green : 1 : 0) + 0.5) | 0,
        (255 * (blue > 0 ? blue < 1 ? blue : 1 : 0) + 0.5) | 0);
    }
  }
  return canvasOf(image);
}

/** @param {ImageData} image @returns {OffscreenCanvas} */
function canvasOf(image) {
  const made = new OffscreenCanvas(image.width, image.height);
  /** @type {OffscreenCanvasRenderingContext2D} */ (made.getContext("2d")).putImageData(image, 0, 0);
  return made;
}

/** @param {Picture | null} picture @returns {OffscreenCanvas | null} */
function coloursOf(picture) {
  if (picture && !picture.rgb) picture.rgb = rgbOf(picture.of, picture.planes);
  return picture && picture.rgb;
}

/** The samples that were asked for before it was known what they are. @type {{what: string, buffer: Promise<ArrayBuffer>} | null} */
let ahead = null;

/** @param {number} side @param {number} frame @returns {Promise<ArrayBuffer>} */
async function askFrame(side, frame) {
  const what = `frame?side=${side}&frame=${frame}`, early = ahead?.what === what ? ahead.buffer : null;
  if (early) ahead = null;
  return early || (await ask(what)).arrayBuffer();
}

function askAhead() {
  const buffer = askFrame(1, state.frame);
  buffer.catch(() => {}); // who takes it says why it is not there
  ahead = {what: `frame?side=1&frame=${state.frame}`, buffer};
}

/** @param {number} side @param {number} frame @returns {Promise<Picture | null>} */
async function loadPicture(side, frame) {
  const of = sideOf(side), key = `${side},${frame}`;
  if (!of) return null;
  const known = pictures.get(key);
  if (known) return known;
  const buffer = await askFrame(side, frame);
  const samples = of.depth === 8 ? new Uint8Array(buffer) : new Uint16Array(buffer), planes = [];
  const chroma = Math.ceil(of.width / of.across) * Math.ceil(of.height / of.down);
  for (let plane = 0, at = 0; plane < of.planes; plane++) {
    const size = plane ? chroma : of.width * of.height;
    planes.push(samples.subarray(at, at + size));
    at += size;
  }
  /** @type {Picture} */
  const picture = {of, planes, rgb: null};
  pictures.set(key, picture);
  for (const old of pictures.keys()) if (pictures.size > 12) pictures.delete(old);
  return picture;
}

const showFrame = newestOf(async frame => {
  const coming = [loadPicture(0, frame), loadPicture(1, frame)];
  coming[0].catch(() => {}); // it is waited for below
  const alone = ["distorted", "map", "overlay"].includes(state.mode) ? 1 : state.mode === "reference" ? 0 : -1;
  const first = alone < 0 ? null : await coming[alone];
  shown = alone < 0 ? await Promise.all(coming) : alone ? [null, first] : [first, null];
  shownFrame = frame;
  derived.clear();
  if (alone >= 0) draw();
  if (shown[1]) wantMap();
  if (alone >= 0) shown = await Promise.all(coming);
  draw();
  wantMap();
});

/** @param {number} frame */
function goTo(frame) {
  const last = lastFrame();
  state.frame = Math.max(0, last >= 0 ? Math.min(last, frame) : frame);
  input("frame").value = String(state.frame);
  timeline.choose(placeOf(state.frame), false);
  element("readout").textContent = describe(timeline.chosen);
  writeAddress();
  showFrame(state.frame);
}

/** @returns {number} */
function lastFrame() {
  const known = [clip.reference, clip.distorted].filter(i => i && i.frames >= 0).map(i => i.frames - 1);
  return known.length ? Math.min(...known) : -1;
}
