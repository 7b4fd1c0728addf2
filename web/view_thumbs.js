// Thumbnails: small pictures of frames, which the page requests while the user waits for nothing else.
"use strict";

/** @typedef {{number: number, picture: OffscreenCanvas}} Thumb */

const STRIP_HEIGHT = 60, STRIP_GAP = 2;
/** @type {Map<number, Thumb | null>} */
const thumbs = new Map(); // thumbnails by frame and encode; null: the server has none
const EACH = 1e13; // more frames than any video has
const thumbKey = (/** @type {number} */ frame) => frame + EACH * (state.encode - 1);
/** @type {Map<number, (() => void)[]>} */
const wanted = new Map(); // functions to call when a thumbnail arrives, by frame and encode
let fetching = false;

/**
 * Makes a thumbnail from the server's answer, in which HDR is already converted for the screen.
 * @param {ArrayBuffer} buffer @returns {Thumb}
 */
function thumbFrom(buffer) {
  const view = new DataView(buffer), width = view.getUint16(8, true), height = view.getUint16(10, true);
  const image = new ImageData(width, height), from = new Uint8Array(buffer, 12),
    to = new Uint32Array(image.data.buffer);
  for (let i = 0, at = 0; i < width * height; i++, at += 3) to[i] = pixel(from[at], from[at + 1], from[at + 2]);
  return {number: Number(view.getBigInt64(0, true)), picture: canvasOf(image)};
}

async function fetchThumbs() {
  if (fetching) return;
  fetching = true;
  for (let next; (next = wanted.entries().next().value);) {
    if (working || player.playing || gone) {
      await new Promise(resolve => setTimeout(resolve, 100));
      continue;
    }
    const [key] = next;
    let buffer = null; // null: failed; the page shows the reason when the user goes to that frame
    try {
      buffer = await (await ask(`thumb?encode=${1 + Math.floor(key / EACH)}&frame=${key % EACH}`)).arrayBuffer();
    } catch {
      if (gone) continue;
    }
    thumbs.set(key, buffer && thumbFrom(buffer));
    for (const old of thumbs.keys()) if (thumbs.size > 500) thumbs.delete(old);
    const done = wanted.get(key) ?? []; // read here, because the list may have grown meanwhile
    wanted.delete(key);
    for (const each of done) each();
  }
  fetching = false;
}

/** @param {number} frame @param {() => void} done @returns {Thumb | null} */
function findThumb(frame, done) {
  const key = thumbKey(frame), known = thumbs.get(key);
  if (known === undefined) {
    wanted.set(key, [...wanted.get(key) ?? [], done]);
    fetchThumbs();
  }
  return known ?? null;
}

/**
 * Returns a canvas that gets the thumbnail of a frame once scoring has ended.
 * @param {number} frame @returns {HTMLCanvasElement}
 */
function thumbOf(frame) {
  const made = document.createElement("canvas"), of = /** @type {Input} */ (sideOf(1));
  [made.width, made.height, made.className] = [Math.max(1, Math.round(54 * of.width / of.height)), 54, "thumb"];
  made.setAttribute("aria-hidden", "true");
  const key = thumbKey(frame), fill = () => {
    const thumb = thumbs.get(key);
    if (thumb) made.getContext("2d")?.drawImage(thumb.picture, 0, 0, made.width, made.height);
    made.dataset.number = thumb ? String(thumb.number) : "";
  };
  if (scored) findThumb(frame, fill);
  fill();
  return made;
}

// ---- The strip below the curve

const strip = /** @type {HTMLCanvasElement} */ (element("strip"));
let stripTimer = 0;

/**
 * Returns the positions and frames of the strip's pictures, which change only when the curve moves by a picture's
 * width.
 */
function slots() {
  const of = /** @type {Input} */ (sideOf(1)), wide = Math.round(STRIP_HEIGHT * of.width / of.height) + STRIP_GAP;
  const step = Math.max(1, Math.round(timeline.shown / Math.max(1, Math.floor(timeline.width() / wide)))), made = [];
  for (let place = Math.ceil(timeline.first / step) * step;
  place < Math.min(timeline.first + timeline.shown, timeline.length); place += step) {
    const x = timeline.xOf(place);
    if (x + wide > PLOT_LEFT + timeline.width() + wide / 2) break;
    made.push({x, wide: wide - STRIP_GAP, frame: frameOfPlace(place)});
  }
  return made;
}

function drawStrip() {
  const scale = window.devicePixelRatio || 1, context = strip.getContext("2d");
  if (!context || !strip.clientWidth || !clip) return;
  [strip.width, strip.height] = [Math.round(strip.clientWidth * scale), Math.round(STRIP_HEIGHT * scale)];
  context.setTransform(scale, 0, 0, scale, 0, 0);
  for (const {x, wide, frame} of slots()) {
    const thumb = thumbs.get(thumbKey(frame));
    if (thumb) context.drawImage(thumb.picture, x, 0, wide, STRIP_HEIGHT);
  }
  strip.dataset.pictures = String(slots().filter(s => thumbs.get(thumbKey(s.frame))).length);
}

/** Draws the strip, and requests missing pictures when the curve has not moved for 400 ms. */
function fillStrip() {
  drawStrip();
  clearTimeout(stripTimer);
  stripTimer = window.setTimeout(() => {
    if (!strip.clientWidth || !scored) return;
    for (const {frame} of slots()) findThumb(frame, drawStrip);
  }, 400);
}

let hoverTimer = 0, hovered = -1; // the frame under the pointer

/** Returns the loaded thumbnail that is nearest in time. @param {number} frame @returns {Thumb | null} */
function nearestThumb(frame) {
  let best = null;
  for (const [key, thumb] of thumbs)
    if (thumb && Math.floor(key / EACH) === state.encode - 1 &&
      (!best || Math.abs(thumb.number - frame) < Math.abs(best.number - frame))) best = thumb;
  return best;
}

/** Draws the nearest thumbnail, with its time if it is of another frame. */
function drawHover() {
  const thumb = nearestThumb(hovered), to = /** @type {HTMLCanvasElement} */ (element("hovered")),
    of = /** @type {Input} */ (sideOf(1));
  to.hidden = !thumb;
  element("hovertime").textContent = thumb &&
    thumb.number !== hovered ? `picture: ${timeOf(thumb.number) || `frame ${thumb.number}`}` : "";
  if (!thumb) return;
  [to.width, to.height] = of.width > of.height ? [128, Math.max(1, Math.round(128 * of.height / of.width))]
    : [Math.max(1, Math.round(96 * of.width / of.height)), 96];
  to.getContext("2d")?.drawImage(thumb.picture, 0, 0, to.width, to.height);
  to.dataset.number = String(thumb.number);
}

/** Shows thumbnail, time and value for a place under the pointer. @param {number} place -1: none @param {number} x */
function hoverOver(place, x) {
  const box = element("hover"), output = drawnOutput();
  box.hidden = place < 0 || !clip || !output;
  clearTimeout(hoverTimer);
  if (box.hidden || !output) return;
  const frame = frameOfPlace(place), value = place < count
    ? `  ${output.title} ${numberText(output, curves[drawnIndex()].values[place])}` : "  not scored";
  hovered = frame;
  element("hovertext").textContent = `${timeOf(frame)}  frame ${frame}${value}`;
  drawHover();
  hoverTimer = window.setTimeout(() => findThumb(frame, drawHover), 120);
  const half = box.offsetWidth / 2 + 4;
  box.style.left = `${Math.max(half, Math.min(timeline.canvas.clientWidth - half, x))}px`;
}

function listenToStrip() {
  strip.addEventListener("click", event => {
    const x = event.clientX - strip.getBoundingClientRect().left,
      slot = slots().find(s => x >= s.x && x < s.x + s.wide);
    if (slot) goTo(slot.frame);
  });
  new ResizeObserver(fillStrip).observe(strip);
}
