// Draws the picture: its layers, their position, and its labels.
"use strict";

/** @type {Map<string, OffscreenCanvas>} */
const derived = new Map(); // difference, map and overlay of the shown frame

/** Returns encode minus reference, amplified around gray. @returns {OffscreenCanvas | null} */
function differenceOf() {
  const [reference, distorted] = shown.map(coloursOf).map(rgb => rgb &&
    /** @type {OffscreenCanvasRenderingContext2D} */ (rgb.getContext("2d"))
      .getImageData(0, 0, rgb.width, rgb.height));
  if (!reference || !distorted) return null;
  const image = new ImageData(distorted.width, distorted.height),
    [a, b, to] = [reference.data, distorted.data, image.data];
  for (let i = 0; i < to.length; i++) to[i] = (i & 3) === 3 ? 255 : 128 + state.gain * (b[i] - a[i]);
  return canvasOf(image);
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

let flickered = false; // flicker mode shows the reference at this moment
let other = false; // the user holds the key for the other video

/** Returns the layer or mode that the picture shows at this moment. */
function layerOfMode() {
  const side = state.mode === "flicker" ? (flickered ? "reference" : "distorted") : takesTurns()
    ? (sideOfTurn() ? "distorted" : "reference") : state.mode;
  if (!other || !clip.reference) return side;
  return side === "distorted" ? "reference" : side === "reference" ? "distorted" : side;
}

let flickTimer = 0;

function followFlicker() {
  clearInterval(flickTimer);
  flickered = false;
  if (state.mode === "flicker" && state.flicks > 0)
    flickTimer = window.setInterval(() => {
      flickered = !flickered;
      redraw();
    }, 500 / state.flicks);
}

// ---- Position

const paneWidth = (width = canvas.width) => state.mode === "both" ? (width - 2) >> 1 : width;

/** Returns the scale of the picture and its top left corner in a pane of this size. */
function place(width = paneWidth(), height = canvas.height) {
  const of = /** @type {Input} */ (sideOf(1)), scale = state.zoom || Math.min(width / of.width, height / of.height);
  const lies = (/** @type {number} */ room, /** @type {number} */ size, /** @type {number} */ from) =>
    room >= size ? Math.floor((room - size) / 2) : Math.round(Math.max(room - size, Math.min(0, -from * scale)));
  return {scale, left: lies(width, of.width * scale, state.x), top: lies(height, of.height * scale, state.y)};
}

/** Returns the part of the canvas that the picture covers. */
function visible(width = canvas.width, height = canvas.height) {
  const of = /** @type {Input} */ (sideOf(1)), pane = paneWidth(width), {scale, left, top} = place(pane, height);
  const second = state.mode === "both" ? pane + 2 : 0;
  return {left: Math.max(0, left), top: Math.max(0, top), bottom: Math.min(height, top + of.height * scale),
    second: second + Math.max(0, left),
    right: second + Math.min(pane, left + of.width * scale)};
}

function splitAt(width = canvas.width, height = canvas.height) {
  const {left, right} = visible(width, height);
  return Math.round(left + (right - left) * state.split);
}

// ---- Drawing

let waiting = false;

function draw() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    drawNow();
  });
}

/** Draws the picture, playing or still. */
function redraw() {
  if (!player.playing || !drawMoving()) draw();
}

/** @typedef {CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D} Context */

/** @param {Context} context @param {string} what @param {number} from @param {number} to @param {number} origin
 * @param {number} width @param {number} height */
function paint(context, what, from, to, origin, width, height) {
  const picture = layer(what);
  if (!picture) return;
  const {scale, left, top} = place(width, height);
  context.save();
  context.beginPath();
  context.rect(from, 0, to - from, height);
  context.clip();
  context.imageSmoothingEnabled = scale < 2;
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, origin + left, top, picture.width * scale, picture.height * scale);
  context.restore();
}

/** @param {Context} context @param {number} width @param {number} height */
function compose(context, width, height) {
  const pane = paneWidth(width), mode = layerOfMode();
  if (mode === "both") {
    paint(context, "reference", 0, pane, 0, pane, height);
    paint(context, "distorted", pane + 2, width, pane + 2, pane, height);
  } else if (mode === "split") {
    const middle = splitAt(width, height);
    paint(context, "reference", 0, middle, 0, width, height);
    paint(context, "distorted", middle, width, 0, width, height);
  } else paint(context, mode, 0, width, 0, width, height);
}

function fitCanvas(of = canvas) {
  const scale = window.devicePixelRatio || 1;
  const width = Math.round(element("stage").clientWidth * scale),
    height = Math.round(element("stage").clientHeight * scale);
  if (width && height && (of.width !== width || of.height !== height)) [of.width, of.height] = [width, height];
  return width > 0 && height > 0;
}

function drawNow() {
  const context = canvas.getContext("2d");
  if (!context || !clip || !fitCanvas()) return;
  context.clearRect(0, 0, canvas.width, canvas.height);
  if (!player.playing || !drawSoft(context)) compose(context, canvas.width, canvas.height);
  canvas.dataset.frame = String(shownFrame);
  canvas.dataset.mode = state.mode;
  element("moving").hidden = true;
  fillLabels();
  drawLens();
}

// ---- Labels

/** @param {number} side @returns {(string | Node)[]} */
function nameOf(side) {
  const of = /** @type {Input} */ (sideOf(side)), kind = side && isSeveral() ? `Encode ${state.encode}  `
    : !clip.reference ? "" : side ? "Encode  " : "Reference  ";
  return [takesTurns() ? (side ? "B  " : "A  ") : "", kind, make("b", of.name), element("stage").clientWidth > 700 &&
    of.codec ? `  ${of.codec}` : ""];
}

const SUFFIXES = {difference: () => `  minus reference, × ${state.gain} around gray`, map: () => `  ${mapTitle()}`,
  overlay: () => `  ${mapTitle()} over it`};

/** Returns the labels of the picture. @returns {{left: (string | Node)[] | null, right: (string | Node)[] | null}} */
function labels() {
  if (["split", "both"].includes(layerOfMode())) return {left: nameOf(0), right: nameOf(1)};
  const side = layerOfMode() === "reference" ? 0 : 1, suffix = /** @type {any} */ (SUFFIXES)[state.mode];
  return {left: [...nameOf(side), suffix ? suffix() : ""], right: null};
}

function toneText() {
  const of = /** @type {Input} */ (sideOf(1));
  return !isHdr(of) || state.mode === "map" ? "" :
    `${of.transfer === PQ ? "PQ" : "HLG"}, tone-mapped for this screen: ` +
      `BT.2390, ${state.peak} cd/m² to white at ${WHITE}`;
}

/** @param {string} id @param {Record<string, number>} where distances in px from the sides of the stage */
function lay(id, where) {
  for (const side of ["left", "right", "top", "bottom"]) {
    const value = side in where ? `${Math.round(where[side])}px` : "";
    if (element(id).style.getPropertyValue(side) !== value) element(id).style.setProperty(side, value);
  }
}

const PILED = 280; // px; pictures narrower than this have their labels stacked

/** Shows whether the samples are exact, and their frame. @param {boolean} seen */
function fillState(seen) {
  const text = player.playing ? previewText() : isPreview() ? `preview, frame ${shownFrame} …`
    : `exact samples, frame ${shownFrame}`, chip = element("state");
  chip.hidden = !seen || !player.playing && shownFrame < 0;
  chip.classList.toggle("preview", player.playing || isPreview());
  if (chip.textContent !== text) chip.textContent = text;
}

function fillLabels() {
  const {left, top, right, bottom, second} = visible(), ratio = window.devicePixelRatio || 1,
    inset = element("stage").clientWidth > 700 ? 8 : 4;
  const width = element("stage").clientWidth, height = element("stage").clientHeight, seen = shownFrame >= 0 ||
    player.playing;
  const text = labels(), tone = toneText();
  element("left").hidden = !text.left || !seen;
  element("right").hidden = !text.right || !seen;
  element("left").replaceChildren(...text.left ?? []);
  element("right").replaceChildren(...text.right ?? []);
  const edge = {top: top / ratio + inset, bottom: height - bottom / ratio + inset, left: left / ratio + inset,
    right: width - right / ratio + inset};
  const both = state.mode === "both", room = (both ? right - second : right - left) / ratio - 2 * inset,
    pile = !both && !!text.right && room < PILED;
  lay("left", {left: edge.left, top: edge.top});
  lay("right", both ? {left: second / ratio + inset, top: edge.top} : pile ? {left: edge.left, top: edge.top + 28}
    : {right: edge.right, top: edge.top});
  for (const id of ["left", "right"]) element(id).style.maxWidth =
    `${Math.max(64, Math.floor(both || pile || !text.right ? room : room / 2 - inset))}px`;
  lay("sample", {left: edge.left, bottom: edge.bottom});
  lay("state", {right: edge.right, bottom: edge.bottom});
  lay("legend", {right: edge.right, bottom: edge.bottom + 28});
  lay("tone", {left: edge.left, top: edge.top + (pile ? 56 : 28)});
  element("tone").hidden = !tone || !seen;
  element("tone").textContent = tone;
  fillState(seen);
  const handle = element("handle");
  handle.hidden = layerOfMode() !== "split" || !seen;
  lay("handle", {left: splitAt() / ratio, top: top / ratio, bottom: height - bottom / ratio});
  handle.setAttribute("aria-valuenow", String(Math.round(100 * state.split)));
  handle.setAttribute("aria-valuetext", `reference left of ${Math.round(100 * state.split)} %`);
  element("zoomed").textContent = `${Math.round(100 * place().scale)} %`;
  canvas.setAttribute("aria-label", `Frame ${state.frame}, ${MODES.find(m => m[0] === state.mode)?.[1] ?? ""}`);
  fillLegend();
}
