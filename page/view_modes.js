// Modes and zoom of the picture.
"use strict";

const MODES = [["distorted", "Distorted", "d"], ["reference", "Reference", "r"], ["both", "Side by side", "b"],
  ["split", "Split", "s"], ["flicker", "Flicker", "space"], ["difference", "Difference × 8", "v"], ["map", "Map", "m"],
  ["overlay", "Map over picture", "o"]];

/** @param {string} mode */
function setMode(mode) {
  if (!modes().some(([name]) => name === mode)) return;
  state.mode = mode;
  for (const button of element("modes").children)
    button.setAttribute("aria-pressed", String(/** @type {HTMLElement} */ (button).dataset.mode === mode));
  writeAddress();
  draw();
  wantMap();
}

const modes = () => MODES.filter(([name]) => ["distorted", "map", "overlay"].includes(name) ? name === "distorted" || clip.metrics.length : clip.reference);

/** @param {number} zoom 0: fit @param {number} x of the canvas, which stays where it is @param {number} y */
function setZoom(zoom, x = canvas.width / 2, y = canvas.height / 2) {
  const {scale, left, top} = place(state.mode === "both" ? canvas.width >> 1 : canvas.width);
  const to = zoom ? Math.max(1 / 16, Math.min(64, zoom)) : 0;
  if (to) {
    state.x = (x - left) / scale - x / to;
    state.y = (y - top) / scale - y / to;
  } else [state.x, state.y] = [0, 0];
  state.zoom = to;
  writeAddress();
  draw();
}

const currentScale = () => place(state.mode === "both" ? canvas.width >> 1 : canvas.width).scale;

/** @param {number} x @param {number} y in samples */
function move(x, y) {
  if (!state.zoom) setZoom(currentScale());
  state.x += x;
  state.y += y;
  writeAddress();
  draw();
}
