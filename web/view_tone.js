// Converts samples to the browser's colours, and maps HDR to the range of the screen.
"use strict";

/**
 * Packs a pixel into one word, which is stored faster than four bytes.
 * @type {(red: number, green: number, blue: number) => number}
 */
const pixel = new Uint8Array(new Uint32Array([1]).buffer)[0] ? (red, green, blue) => red | green << 8 | blue << 16 |
  0xff << 24
  : (red, green, blue) => red << 24 | green << 16 | blue << 8 | 0xff;

const PQ = 16, HLG = 18, BT2020 = 9; // code points of ITU-T H.273
const WHITE = 203; // cd/m² of the screen's white: HDR reference white of ITU-R BT.2408
const HLG_PEAK = 1000;
const isHdr = (/** @type {Input} */ of) => of.transfer === PQ || of.transfer === HLG;

// the constants of common/curves.h, in its order
const [M1, M2, C1, C2, C3] = [0.1593017578125, 78.84375, 0.8359375, 18.8515625, 18.6875];
const [HLG_A, HLG_B, HLG_C] = [0.17883277, 0.28466892, 0.55991072952956202];

/** @param {number} code in [0, 1] @returns {number} cd/m² */
function lightOfPq(code) {
  const power = code ** (1 / M2);
  return 10000 * (Math.max(0, power - C1) / (C2 - C3 * power)) ** (1 / M1);
}

/** @param {number} light cd/m² @returns {number} */
function pqOfLight(light) {
  const power = (light / 10000) ** M1;
  return ((C1 + C2 * power) / (1 + C3 * power)) ** M2;
}

/**
 * Converts a code of HLG to scene light (ITU-R BT.2100).
 * @param {number} code in [0, 1] @returns {number} in [0, 1]
 */
function sceneOfHlg(code) {
  return code <= 0.5 ? code * code / 3 : (Math.exp((code - HLG_C) / HLG_A) + HLG_B) / 12;
}

/**
 * Maps the greatest component of a pixel, in linear light, by the curve of ITU-R BT.2390 (5.4.1).
 * @param {number} light cd/m² @param {number} peak
 */
function toned(light, peak) {
  const top = pqOfLight(peak), most = pqOfLight(WHITE) / top, code = Math.min(1, pqOfLight(light) / top),
    knee = 1.5 * most - 0.5;
  if (code < knee || most >= 1) return Math.min(light, WHITE);
  const t = (code - knee) / (1 - knee), t2 = t * t, t3 = t2 * t;
  return lightOfPq(top * ((2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (3 * t2 - 2 * t3) * most));
}

const TONES = 4096;
/**
 * @typedef {{light: Float32Array, factor: Float32Array, code: Uint8Array}} Tones light: linear light by code of
 * R'G'B'; factor: gain by the square root of the greatest component; code: output byte by the square root of the
 * result
 */
/** @type {{key: string, tones: Tones} | null} */
let tones = null;

/** @param {Input} of @returns {Tones} */
function tonesOf(of) {
  const key = `${of.transfer},${state.peak}`;
  if (tones?.key === key) return tones.tones;
  const each = (/** @type {(share: number) => number} */ rule) => Float32Array.from({length: TONES},
    (_, i) => rule(i / (TONES - 1)));
  const light = each(of.transfer === PQ ? lightOfPq : sceneOfHlg);
  const factor = each(root => root ? toned(10000 * root * root, state.peak) / (10000 * root * root) / WHITE
    : 1 / WHITE);
  const code = Uint8Array.from({length: TONES}, (_, i) => {
    const v = (i / (TONES - 1)) ** 2;
    return Math.round(255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055)); // sRGB
  });
  tones = {key, tones: {light, factor, code}};
  return tones.tones;
}

/**
 * Returns a function that converts R'G'B' of HDR, in [0, 1], to a pixel.
 * @param {Input} of @returns {(red: number, green: number, blue: number) => number}
 */
function tonerOf(of) {
  const {light, factor, code} = tonesOf(of), last = TONES - 1, wide = of.primaries === BT2020,
    hlg = of.transfer === HLG;
  const byte = (/** @type {number} */ v) => code[v > 0 ? v < 1 ? (Math.sqrt(v) * last + 0.5) | 0 : last : 0];
  return (red, green, blue) => {
    let r = light[(red * last + 0.5) | 0], g = light[(green * last + 0.5) | 0], b = light[(blue * last + 0.5) | 0];
    if (hlg) {
      const gain = HLG_PEAK * (0.2627 * r + 0.678 * g + 0.0593 * b) ** 0.2;
      [r, g, b] = [r * gain, g * gain, b * gain];
    }
    const most = r > g ? r > b ? r : b : g > b ? g : b,
      f = factor[most < 10000 ? (Math.sqrt(most / 10000) * last + 0.5) | 0 : last];
    [r, g, b] = [r * f, g * f, b * f];
    if (!wide) return pixel(byte(r), byte(g), byte(b));
    return pixel(byte(1.6605 * r - 0.5876 * g - 0.0728 * b), byte(-0.1246 * r + 1.1329 * g - 0.0083 * b),
      byte(-0.0182 * r - 0.1006 * g + 1.1187 * b));
  };
}

/**
 * Converts a picture to RGB; for SDR with the arithmetic of `fovea map`.
 * @param {Input} of @param {(Uint8Array | Uint16Array)[]} planes @returns {OffscreenCanvas}
 */
function rgbOf(of, planes) {
  const {width, height, across, down, rgb} = of, image = new ImageData(width, height),
    to = new Uint32Array(image.data.buffer);
  const levels = 1 << of.depth, light = new Float64Array(levels), reds = new Float64Array(levels),
    blues = new Float64Array(levels);
  for (let i = 0; i < levels; i++) {
    light[i] = (i - rgb.low) / rgb.luma;
    reds[i] = 2 * (1 - rgb.red) * ((i - rgb.middle) / rgb.chroma);
    blues[i] = 2 * (1 - rgb.blue) * ((i - rgb.middle) / rgb.chroma);
  }
  const gray = of.planes === 1, rest = 1 - rgb.red - rgb.blue, row = Math.ceil(width / across);
  const [luma, cb, cr] = planes, tone = isHdr(of) ? tonerOf(of) : null;
  for (let y = 0, at = 0; y < height; y++) {
    const chromaRow = Math.floor(y / down) * row;
    for (let x = 0; x < width; x++, at++) {
      const l = light[luma[at]], c = chromaRow + (across === 2 ? x >> 1 : x);
      let red = gray ? l : l + reds[cr[c]], blue = gray ? l : l + blues[cb[c]];
      let green = (l - rgb.red * red - rgb.blue * blue) / rest;
      red = red > 0 ? red < 1 ? red : 1 : 0;
      green = green > 0 ? green < 1 ? green : 1 : 0;
      blue = blue > 0 ? blue < 1 ? blue : 1 : 0;
      to[at] = tone ? tone(red, green, blue) : pixel((255 * red + 0.5) | 0, (255 * green + 0.5) | 0,
        (255 * blue + 0.5) | 0);
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
