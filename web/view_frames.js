// Loads frames from the server, and shows one.
"use strict";

/** @type {any} */
let clip = null;
const sideOf = (/** @type {number} */ side) => /** @type {Input | null} */ (side ? clip.distorted : clip.reference);
/** @type {Map<string, Picture>} */
const pictures = new Map(); // pictures of the frames that were loaded last, by encode, side and frame
/** @type {(Picture | null)[]} */
let shown = [null, null];
let shownFrame = -1;

/** @param {Picture | null} picture @returns {OffscreenCanvas | null} */
function coloursOf(picture) {
  if (picture && !picture.rgb) picture.rgb = rgbOf(picture.of, picture.planes);
  return picture && picture.rgb;
}

const frameRequest = (/** @type {number} */ side, /** @type {number} */ frame, encode = state.encode) =>
  `frame?encode=${encode}&side=${side}&frame=${frame}`;

/**
 * Samples that the page requested before it knew their format, by request.
 * @type {Map<string, Promise<ArrayBuffer>>}
 */
const early = new Map();

function askAhead() {
  if (named && !(Number(named) > 0)) return; // the address names the encode, and its number is not known yet
  for (const side of document.body.dataset.videos === "1" ? [1] : [0, 1]) {
    const what = frameRequest(side, state.frame);
    const buffer = fetch(what)
      .then(response => response.ok ? response.arrayBuffer() : Promise.reject(new Error(what)));
    buffer.catch(() => early.delete(what)); // loadPicture() requests it again, and reports the error
    early.set(what, buffer);
  }
}

/** @param {Input} of @param {ArrayBuffer} buffer @returns {Picture} */
function pictureFrom(of, buffer) {
  const samples = of.depth === 8 ? new Uint8Array(buffer) : new Uint16Array(buffer), planes = [];
  const chroma = Math.ceil(of.width / of.across) * Math.ceil(of.height / of.down);
  for (let plane = 0, at = 0; plane < of.planes; plane++) {
    const size = plane ? chroma : of.width * of.height;
    planes.push(samples.subarray(at, at + size));
    at += size;
  }
  return {of, planes, rgb: null, preview: false};
}

/** @param {number} side @param {number} frame @param {Picture} picture */
function keepPicture(side, frame, picture, encode = state.encode) {
  pictures.set(`${encode},${side},${frame}`, picture);
  for (const old of pictures.keys()) if (pictures.size > 12) pictures.delete(old);
}

/** @param {number} side @param {number} frame @returns {Promise<Picture | null>} */
async function loadPicture(side, frame, encode = state.encode) {
  const {reference, distorted} = clip.encodes[encode - 1], of = side ? distorted : reference,
    what = frameRequest(side, frame, encode);
  if (!of) return null;
  const known = pictures.get(`${encode},${side},${frame}`);
  if (known) return known;
  let buffer;
  try {
    buffer = await early.get(what);
  } catch { /* asked again below */ }
  early.clear();
  const picture = pictureFrom(of, buffer || await (await ask(what, "default")).arrayBuffer());
  keepPicture(side, frame, picture, encode);
  return picture;
}

/** @param {(Picture | null)[]} pair @param {number} frame */
function setShown(pair, frame) {
  shown = pair;
  shownFrame = frame;
  derived.clear();
}

/** Whether a shown picture is a preview, not exact samples. */
const isPreview = () => shown.some(picture => picture?.preview);

let late = 0; // timer that removes a picture of another frame

/**
 * Removes another frame's picture 150 ms later, so that steps do not flash while the next picture loads quickly.
 * @param {number} frame
 */
function expect(frame) {
  clearTimeout(late);
  if (shownFrame === frame) return; // perhaps as a preview, until the exact samples come
  late = window.setTimeout(() => {
    if (shownFrame === state.frame || player.playing) return;
    setShown([null, null], -1);
    draw();
    element("waiting").textContent = `frame ${state.frame} …`;
    element("waiting").hidden = gone;
  }, 150);
}

const showFrame = newestOf(async frame => {
  const encode = state.encode, isPast = () => frame !== state.frame || encode !== state.encode;
  expect(frame);
  const alone = ["distorted", "map", "overlay"].includes(state.mode) ? 1 : state.mode === "reference" ? 0 : -1;
  try {
    const coming = [loadPicture(0, frame), loadPicture(1, frame)];
    coming[0].catch(() => {}); // Promise.all() below reports it
    coming[1].catch(() => {});
    const first = alone < 0 ? null : await coming[alone];
    if (first && !isPast()) {
      setShown(alone ? [null, first] : [first, null], frame);
      draw();
      wantMap();
    }
    const pair = await Promise.all(coming);
    if (isPast() || player.playing) return;
    setShown(pair, frame);
  } catch (error) {
    clearTimeout(late);
    if (!isPast()) setShown([null, null], -1);
    draw();
    throw error;
  } finally {
    if (shownFrame === state.frame || shownFrame < 0) element("waiting").hidden = true;
  }
  draw();
  wantMap();
});

/** @param {number} frame */
function setFrame(frame) {
  const last = lastFrame();
  state.frame = Math.max(0, last >= 0 ? Math.min(last, frame) : frame);
  writeAddress();
}

/** Stops playing and goes to a frame. @param {number} frame */
function goTo(frame) {
  if (gone) return;
  pause();
  setFrame(Math.floor(frame));
  fillNow();
  showFrame(state.frame);
}

let total = -1; // number of frames at the end of scoring; -1: unknown

/** @returns {number} -1: not known */
function lastFrame() {
  if (complete && count) return numbers[count - 1];
  const known = [clip.reference, clip.distorted].filter(i => i && i.frames >= 0).map(i => i.frames - 1);
  return known.length ? Math.min(...known) : total > 0 ? total - 1 : -1;
}
