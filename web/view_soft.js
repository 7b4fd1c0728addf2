// Draws moving pictures without a GPU: converts only the pixels that the screen shows.
"use strict";

/**
 * Tables from codes to parts of colours, in 255ths. light: indexed by the sum of four luma samples.
 * @typedef {{light: Float32Array, red: Float32Array, blue: Float32Array, greenOfRed: Float32Array, greenOfBlue:
 * Float32Array}} Codes
 */
/** @type {WeakMap<Input, Codes>} */
const codes = new WeakMap();

/** @param {Input} of @returns {Codes} */
function codesOf(of) {
  const known = codes.get(of), {rgb} = of, levels = 1 << of.depth, rest = 1 - rgb.red - rgb.blue;
  if (known) return known;
  const each = (/** @type {number} */ count, /** @type {(code: number) => number} */ rule) =>
    Float32Array.from({length: count}, (_, i) => 255 * rule(i));
  const red = each(levels, i => 2 * (1 - rgb.red) * ((i - rgb.middle) / rgb.chroma)),
    blue = each(levels, i => 2 * (1 - rgb.blue) * ((i - rgb.middle) / rgb.chroma));
  const made = {light: each(4 * levels, i => (i / 4 - rgb.low) / rgb.luma), red, blue,
    greenOfRed: red.map(v => -v * rgb.red / rest), greenOfBlue: blue.map(v => -v * rgb.blue / rest)};
  codes.set(of, made);
  return made;
}

/**
 * Fills the columns from `from` to `to` of the screen. The picture begins at column `origin`.
 * @param {Uint32Array} pixels @param {number} stride @param {number} side @param {number} from @param {number} to
 * @param {number} origin @param {number} height
 */
function fillSoft(pixels, stride, side, from, to, origin, height) {
  const picture = shown[side], {scale, left, top} = place(paneWidth(stride), height);
  if (!picture) return;
  const {of, planes: [luma, cb, cr]} = picture, {light, red, blue, greenOfRed, greenOfBlue} = codesOf(of),
    tone = isHdr(of) ? tonerOf(of) : null;
  const begin = Math.max(from, Math.ceil(origin + left)),
    end = Math.min(to, Math.floor(origin + left + of.width * scale)), wide = Math.ceil(of.width / of.across);
  const off = scale < 2 ? 0.25 / scale : 0, gray = of.planes === 1, inside = (/** @type {number} */ at,
    /** @type {number} */ size) => Math.max(0, Math.min(size - 1, Math.floor(at)));
  const xs = Float64Array.from({length: Math.max(0, end - begin)},
    (_, i) => (begin + i + 0.5 - origin - left) / scale);
  const before = Int32Array.from(xs, x => inside(x - off, of.width)), behind = Int32Array.from(xs,
    x => inside(x + off, of.width)), chroma = Int32Array.from(xs, x => inside(x / of.across, wide));
  const share = (/** @type {number} */ v) => v > 0 ? v < 255 ? v / 255 : 1 : 0;
  for (let y = Math.max(0, Math.ceil(top)); y < Math.min(height, Math.floor(top + of.height * scale)); y++) {
    const at = (y + 0.5 - top) / scale, above = inside(at - off, of.height) * of.width, below = inside(at + off,
      of.height) * of.width, row = inside(at / of.down, Math.ceil(of.height / of.down)) * wide;
    for (let i = 0, put = y * stride + begin; i < xs.length; i++, put++) {
      const a = before[i], b = behind[i],
        l = light[luma[above + a] + luma[above + b] + luma[below + a] + luma[below + b]], c = row + chroma[i];
      const r = gray ? l : l + red[cr[c]], g = gray ? l : l + greenOfRed[cr[c]] + greenOfBlue[cb[c]],
        bl = gray ? l : l + blue[cb[c]];
      pixels[put] = tone ? tone(share(r), share(g), share(bl))
        : pixel(r > 0 ? r < 255 ? (r + 0.5) | 0 : 255 : 0, g > 0 ? g < 255 ? (g + 0.5) | 0 : 255 : 0,
          bl > 0 ? bl < 255 ? (bl + 0.5) | 0 : 255 : 0);
    }
  }
}

/** @type {ImageData[]} */
let screens = []; // two buffers of the canvas's size

/**
 * Draws the shown frame during playback. false: exact drawing is as fast, or the only way for this mode.
 * @param {CanvasRenderingContext2D} context
 */
function drawSoft(context) {
  const {width, height} = context.canvas, mode = layerOfMode(), of = /** @type {Input} */ (sideOf(1)),
    {scale} = place();
  if (!GL_MODES.includes(mode) || scale > 1 && of.width * of.height < width * height) return false;
  if (screens[0]?.width !== width || screens[0].height !== height)
    screens = [0, 1].map(() => new ImageData(width, height));
  const [first, second] = screens.map(screen => new Uint32Array(screen.data.buffer)), pane = paneWidth();
  first.fill(0);
  if (mode === "both") {
    fillSoft(first, width, 0, 0, pane, 0, height);
    fillSoft(first, width, 1, pane + 2, width, pane + 2, height);
  } else if (mode === "split") {
    fillSoft(first, width, 0, 0, splitAt(), 0, height);
    fillSoft(first, width, 1, splitAt(), width, 0, height);
  } else fillSoft(first, width, mode === "reference" ? 0 : 1, 0, width, 0, height);
  if (mode === "difference") {
    fillSoft(second, width, 0, 0, width, 0, height);
    const [a, b] = screens.map(screen => screen.data);
    for (let i = 0; i < a.length; i++) if ((i & 3) !== 3) a[i] = 128 + state.gain * (a[i] - b[i]);
  }
  context.putImageData(screens[0], 0, 0);
  return true;
}
