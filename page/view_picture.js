// The picture: what lies in it, and how large.
"use strict";

/** @type {Map<string, OffscreenCanvas>} */
const derived = new Map(); // difference, map and overlay of the frame that is shown

/** @param {(a: Uint8ClampedArray, b: Uint8ClampedArray, to: Uint8ClampedArray) => void} combine */
function combined(combine) {
  const [reference, distorted] = shown.map(coloursOf).map(rgb => rgb &&
    /** @type {OffscreenCanvasRenderingContext2D} */ (rgb.getContext("2d")).getImageData(0, 0, rgb.width, rgb.height));
  if (!reference || !distorted) return null;
  const image = new ImageData(distorted.width, distorted.height);
  combine(reference.data, distorted.data, image.data);
  return canvasOf(image);
}

function differenceOf() {
  return combined((a, b, to) => {
    for (let i = 0; i < to.length; i++) to[i] = (i & 3) === 3 ? 255 : 8 * Math.abs(a[i] - b[i]);
  });
}

/** @param {string} what @returns {OffscreenCanvas | null} */
function layer(what) {
  if (what === "reference" || what === "distorted") return coloursOf(shown[what === "distorted" ? 1 : 0]);
  const known = derived.get(what);
  if (known) return known;
  const made = what === "difference" ? differenceOf() : mapPicture(what === "overlay");
  if (made) derived.set(what, made);
  return made;
}

let flickered = false; // the reference is shown
let waiting = false;

function draw() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    drawNow();
  });
}

/** Where the picture lies in a part of the canvas of this width: its scale and its left upper corner. */
function place(/** @type {number} */ width) {
  const of = /** @type {Input} */ (sideOf(1));
  const fit = Math.min(width / of.width, canvas.height / of.height), scale = state.zoom || fit;
  const left = state.zoom ? -Math.round(state.x * scale) : Math.floor((width - of.width * scale) / 2);
  const top = state.zoom ? -Math.round(state.y * scale) : Math.floor((canvas.height - of.height * scale) / 2);
  return {scale, left, top};
}

/** @param {CanvasRenderingContext2D} context @param {string} what @param {number} from @param {number} to */
function paint(context, what, from, to, origin = 0, width = canvas.width) {
  const picture = layer(what);
  if (!picture) return;
  const {scale, left, top} = place(width);
  context.save();
  context.beginPath();
  context.rect(from, 0, to - from, canvas.height);
  context.clip();
  context.imageSmoothingEnabled = scale < 1;
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, origin + left, top, picture.width * scale, picture.height * scale);
  context.restore();
}

function drawNow() {
  const context = canvas.getContext("2d"), scale = window.devicePixelRatio || 1;
  const width = Math.round(canvas.clientWidth * scale), height = Math.round(canvas.clientHeight * scale);
  if (!context || !width || !clip) return;
  if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
  context.fillStyle = "#000";
  context.fillRect(0, 0, width, height);
  const middle = Math.round(width * state.split), half = width >> 1;
  if (state.mode === "both") {
    paint(context, "reference", 0, half, 0, half);
    paint(context, "distorted", half, width, half, half);
  } else if (state.mode === "split") {
    paint(context, "reference", 0, middle);
    paint(context, "distorted", middle, width);
    context.fillStyle = "#ffd54a";
    context.fillRect(middle - 1, 0, 2, height);
  } else if (state.mode === "flicker") paint(context, flickered ? "reference" : "distorted", 0, width);
  else paint(context, state.mode, 0, width);
  canvas.dataset.frame = String(shownFrame);
  canvas.dataset.mode = state.mode;
  element("zoomed").textContent = `${(100 * place(state.mode === "both" ? half : width).scale).toFixed(0)} %`;
  drawLegend();
}
