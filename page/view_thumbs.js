// Thumbnails: small pictures of frames, which are asked for while the user waits for nothing else.
"use strict";

/** @typedef {{number: number, picture: OffscreenCanvas}} Thumb */

const THUMB_HEIGHT = 54, THUMB_GAP = 4;
/** @type {Map<string, Thumb | null>} */
const thumbs = new Map(); // by what the server was asked; null: it has none
/** @type {Map<string, () => void>} */
let wanted = new Map(); // what is not there yet, and what to do when it is
let fetching = false;

/** @param {ArrayBuffer} buffer @returns {Thumb} */
function thumbFrom(buffer) {
  const view = new DataView(buffer), width = view.getUint16(8, true), height = view.getUint16(10, true);
  const image = new ImageData(width, height), from = new Uint8Array(buffer, 12);
  for (let i = 0, at = 0; i < width * height; i++)
    image.data.set([from[at++], from[at++], from[at++], 255], 4 * i);
  return {number: Number(view.getBigInt64(0, true)), picture: canvasOf(image)};
}

async function fetchThumbs() {
  if (fetching) return;
  fetching = true;
  for (let next; (next = wanted.entries().next().value);) {
    if (working) {
      await new Promise(resolve => setTimeout(resolve, 50));
      continue;
    }
    const [what, done] = next;
    try {
      thumbs.set(what, thumbFrom(await (await ask(what)).arrayBuffer()));
    } catch {
      thumbs.set(what, null); // the reason shows when the user goes to that frame
    }
    for (const old of thumbs.keys()) if (thumbs.size > 500) thumbs.delete(old);
    wanted.delete(what);
    done();
  }
  fetching = false;
}

/** @param {string} what @param {() => void} done @returns {Thumb | null} */
function findThumb(what, done) {
  const known = thumbs.get(what);
  if (known === undefined) {
    wanted.set(what, done);
    fetchThumbs();
  }
  return known ?? null;
}

/** A picture of just this frame, which fills itself once the worst frames change no more. @param {number} frame @returns {HTMLCanvasElement} */
function thumbOf(frame) {
  const made = document.createElement("canvas"), of = /** @type {Input} */ (sideOf(1)), what = `thumb?frame=${frame}`;
  [made.width, made.height, made.className] = [Math.max(1, Math.round(THUMB_HEIGHT * of.width / of.height)), THUMB_HEIGHT, "thumb"];
  made.setAttribute("aria-hidden", "true");
  const fill = () => {
    const thumb = thumbs.get(what);
    if (thumb) made.getContext("2d")?.drawImage(thumb.picture, 0, 0, made.width, made.height);
    made.dataset.number = thumb ? String(thumb.number) : "";
  };
  if (scored) findThumb(what, fill);
  fill();
  return made;
}

// ---- The strip below the curves

const strip = /** @type {HTMLCanvasElement} */ (element("strip"));
let stripTimer = 0;

/** The number of the frame at a place, if it is known. @param {number} place */
function frameAt(place) {
  const step = count > 1 ? numbers[1] - numbers[0] : 1;
  return place < count ? numbers[place] : (count ? numbers[count - 1] : -step) + (place - count + 1) * step;
}

/** Where pictures lie, and of which frames. They stay the same while the curves move by less than a picture. */
function slots() {
  const of = /** @type {Input} */ (sideOf(1)), wide = Math.round(THUMB_HEIGHT * of.width / of.height) + THUMB_GAP;
  const width = strip.clientWidth - AXIS_WIDTH, number = Math.floor(width / wide);
  const step = Math.max(1, Math.round(timeline.shown / Math.max(1, number)));
  const made = [];
  for (let place = Math.ceil(timeline.first / step) * step; place < Math.min(timeline.first + timeline.shown, timeline.length); place += step) {
    const x = AXIS_WIDTH + (place - timeline.first) / timeline.shown * width;
    if (x + wide > strip.clientWidth) break;
    made.push({x, wide: wide - THUMB_GAP, what: `thumb?frame=${frameAt(place)}&near=1`});
  }
  return made;
}

function drawStrip() {
  const scale = window.devicePixelRatio || 1, context = strip.getContext("2d");
  if (!context || !strip.clientWidth) return;
  [strip.width, strip.height] = [Math.round(strip.clientWidth * scale), Math.round(THUMB_HEIGHT * scale)];
  context.setTransform(scale, 0, 0, scale, 0, 0);
  for (const {x, wide, what} of slots()) {
    const thumb = thumbs.get(what);
    if (thumb) context.drawImage(thumb.picture, x, 0, wide, THUMB_HEIGHT);
  }
  strip.dataset.pictures = String(slots().filter(s => thumbs.get(s.what)).length);
}

/** Asks for what is missing once the curves have come to rest. */
function fillStrip() {
  drawStrip();
  clearTimeout(stripTimer);
  stripTimer = window.setTimeout(() => {
    for (const what of wanted.keys()) if (what.includes("near")) wanted.delete(what);
    for (const {what} of slots()) findThumb(what, drawStrip);
  }, 400);
}

function listenToStrip() {
  strip.addEventListener("click", event => {
    const x = event.clientX - strip.getBoundingClientRect().left, slot = slots().find(s => x >= s.x && x < s.x + s.wide);
    const thumb = slot && thumbs.get(slot.what);
    if (thumb) goTo(thumb.number);
  });
  timeline.onLook = fillStrip;
  new ResizeObserver(fillStrip).observe(strip);
}
