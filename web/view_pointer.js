// Handles the pointer over the picture.
"use strict";

const PLANES = ["Y′", "Cb", "Cr"];

/** Shows the values of the sample under the pointer. @param {MouseEvent} event */
function readSample(event) {
  const box = canvas.getBoundingClientRect(), ratio = canvas.width / box.width, pane = paneWidth();
  let x = (event.clientX - box.left) * ratio;
  const y = (event.clientY - box.top) * ratio;
  if (state.mode === "both" && x >= pane + 2) x -= pane + 2;
  const {scale, left, top} = place(), of = /** @type {Input} */ (sideOf(1)), chip = element("sample");
  const column = Math.floor((x - left) / scale), row = Math.floor((y - top) / scale);
  chip.hidden = column < 0 || row < 0 || column >= of.width || row >= of.height || shownFrame < 0 ||
    player.playing || isPreview();
  if (chip.hidden) return;
  const codes = shown.map((picture, side) => {
    const from = sideOf(side);
    if (!picture || !from) return null;
    const chroma = Math.floor(row / from.down) * Math.ceil(from.width / from.across) +
      Math.floor(column / from.across);
    return picture.planes.map((plane, i) => plane[i ? chroma : row * from.width + column]);
  }).filter(values => values !== null);
  const parts = [`x ${column}  y ${row}`];
  for (let plane = 0; codes.length && plane < codes[0].length; plane++)
    parts.push(`${PLANES[plane]} ${codes.map(values => values[plane]).join(" → ")}`);
  const map = mapShown();
  if (map && needsMap()) {
    const at = Math.floor(row * map.height / of.height) * map.width + Math.floor(column * map.width / of.width);
    parts.push(`${numberText(PLAIN, map.data[at])} ${map.unit ?? ""}`);
  }
  chip.textContent = parts.join("   ");
}

/** @type {Map<number, {x: number, y: number}>} */
const held = new Map(); // pressed pointers

/** @param {PointerEvent} event */
function drag(event) {
  const from = held.get(event.pointerId), ratio = (canvas.width / canvas.getBoundingClientRect().width) /
    place().scale;
  if (!from) return;
  if (held.size === 2) {
    const [a, b] = [...held.values()], before = Math.hypot(a.x - b.x, a.y - b.y);
    [from.x, from.y] = [event.clientX, event.clientY];
    if (before > 8) setZoom(place().scale * Math.hypot(a.x - b.x, a.y - b.y) / before);
    return;
  }
  if (state.zoom) move((from.x - event.clientX) * ratio, (from.y - event.clientY) * ratio);
  [from.x, from.y] = [event.clientX, event.clientY];
}

/** Fixes the split at its position, or lets it follow the mouse again. @param {PointerEvent} [event] */
function pinSplit(event) {
  state.pinned = Number(!state.pinned);
  writeAddress();
  if (event) followSplit(event);
}

/** Returns the horizontal position of a pointer as a share of the visible picture. @param {PointerEvent} event */
function shareAt(event) {
  const {left, right} = visible(), box = canvas.getBoundingClientRect();
  return ((event.clientX - box.left) * canvas.width / box.width - left) / Math.max(1, right - left);
}

/**
 * Moves the split with the mouse until a click pins it. After that, and for touch, the user drags its handle.
 * @param {PointerEvent} event
 */
function followSplit(event) {
  const follows = event.pointerType === "mouse" && layerOfMode() === "split" && !state.pinned && !state.lens;
  element("handle").classList.toggle("follows", follows);
  if (follows && !(held.size && state.zoom)) setSplit(shareAt(event));
}

// ---- The magnifier

const lens = /** @type {HTMLCanvasElement} */ (element("lens"));
/** @type {{x: number, y: number} | null} */
let pointed = null; // px of the window; null: the middle of the picture

function switchLens() {
  state.lens = state.lens ? 0 : 4;
  fillPlay();
  writeAddress();
  drawLens();
}

/** Draws the magnifier: the same samples of the reference (left) and of the encode (right) as squares. */
function drawLens() {
  lens.hidden = !state.lens || player.playing || shownFrame < 0 || isPreview();
  const context = lens.getContext("2d");
  if (lens.hidden || !context) return;
  const box = canvas.getBoundingClientRect(), ratio = canvas.width / box.width, size = Math.round(LENS_SIZE * ratio),
    {scale, left, top} = place();
  const at = pointed ?? {x: box.left + box.width / 2, y: box.top + box.height / 2}, pane = paneWidth();
  let x = (at.x - box.left) * ratio;
  if (state.mode === "both" && x >= pane + 2) x -= pane + 2;
  const column = (x - left) / scale, row = ((at.y - box.top) * ratio - top) / scale, factor = state.lens * ratio;
  if (lens.width !== size) [lens.width, lens.height] = [size, size];
  lens.style.transform =
    `translate(${Math.round(at.x - box.left - LENS_SIZE / 2)}px, ${Math.round(at.y - box.top - LENS_SIZE / 2)}px)`;
  context.imageSmoothingEnabled = false;
  context.fillStyle = "#111";
  context.fillRect(0, 0, size, size);
  [0, 1].forEach(side => {
    const picture = coloursOf(shown[side] ?? shown[1]);
    context.save();
    context.beginPath();
    context.rect(side * size / 2, 0, size / 2, size);
    context.clip();
    if (picture) context.drawImage(picture, size / 2 - (Math.floor(column) + 0.5) * factor,
      size / 2 - (Math.floor(row) + 0.5) * factor, picture.width * factor, picture.height * factor);
    context.restore();
  });
  context.fillStyle = "#fff";
  context.fillRect(size / 2 - ratio / 2, 0, ratio, size);
  element("lensname").textContent =
    `${clip.reference ? "reference  " : ""}${state.lens}×${clip.reference ? "  encode" : ""}`;
  Object.assign(lens.dataset, {column: String(Math.floor(column)), row: String(Math.floor(row))});
  const name = element("lensname");
  name.style.transform =
    `translate(calc(${Math.round(at.x - box.left)}px - 50%), ${Math.round(at.y - box.top + LENS_SIZE / 2 - 44)}px)`;
}

const LENS_SIZE = 208; // px

function listenToPointer() {
  /** @type {{x: number, y: number} | null} */
  let begun = null; // true: a click so far, since the pointer has not moved
  canvas.addEventListener("pointerdown", event => {
    canvas.setPointerCapture(event.pointerId);
    held.set(event.pointerId, {x: event.clientX, y: event.clientY});
    begun = {x: event.clientX, y: event.clientY};
  });
  canvas.addEventListener("pointermove", event => {
    pointed = {x: event.clientX, y: event.clientY};
    readSample(event);
    followSplit(event);
    drag(event);
    drawLens();
    if (begun && Math.hypot(event.clientX - begun.x, event.clientY - begun.y) > 4) begun = null;
  });
  for (const end of ["pointerup", "pointercancel"])
    canvas.addEventListener(/** @type {"pointerup"} */ (end), event => {
      held.delete(event.pointerId);
      if (begun && end === "pointerup" && event.pointerType === "mouse" && layerOfMode() === "split" && !state.lens)
        pinSplit(event);
      begun = null;
    });
  canvas.addEventListener("pointerleave", () => {
    element("sample").hidden = true;
    pointed = null;
    element("handle").classList.remove("follows");
    drawLens();
  });
  canvas.addEventListener("dblclick", () => setZoom(state.zoom ? 0 : 1));
  element("stage").addEventListener("wheel", event => {
    if (window.innerWidth <= 760 && !event.ctrlKey) return; // the wheel scrolls the page
    event.preventDefault();
    if (state.lens) {
      state.lens = Math.max(2, Math.min(16, event.deltaY > 0 ? state.lens / 2 : state.lens * 2));
      writeAddress();
      drawLens();
      return;
    }
    const box = canvas.getBoundingClientRect(), ratio = canvas.width / box.width,
      x = (event.clientX - box.left) * ratio, pane = paneWidth();
    setZoom(place().scale * (event.deltaY > 0 ? 0.8 : 1.25), state.mode === "both" && x > pane ? x - pane - 2 : x,
      (event.clientY - box.top) * ratio);
  }, {passive: false});
  const handle = element("handle");
  handle.addEventListener("pointerdown", event => {
    handle.setPointerCapture(event.pointerId);
    handle.onpointermove = moved => setSplit(shareAt(moved));
  });
  handle.addEventListener("click", event => { if (event.detail) pinSplit(); }); // of a pointer
  handle.addEventListener("lostpointercapture", () => { handle.onpointermove = null; });
  handle.addEventListener("keydown", event => {
    const to = {ArrowLeft: state.split - 0.02, ArrowRight: state.split + 0.02, Home: 0, End: 1}[event.key];
    if (to === undefined) return;
    event.preventDefault();
    setSplit(to);
  });
  new ResizeObserver(redraw).observe(element("stage"));
}
