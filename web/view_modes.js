// The modes of the picture, and its zoom.
"use strict";

const MODES = [["distorted", "Encode", "d"], ["reference", "Reference", "r"], ["both", "Side by side", "b"],
  ["split", "Split", "s"],
  ["flicker", "Flicker", "t"], ["difference", "Difference", "v"], ["map", "Map", "m"],
  ["overlay", "Map on picture", "o"]];

const modes = () => MODES.filter(([name]) => name === "distorted" ||
  (["map", "overlay"].includes(name) ? clip.metrics.length : clip.reference));

/** @param {string} mode */
function setMode(mode) {
  if (!modes().some(([name]) => name === mode)) return;
  const mapped = needsMap();
  state.mode = mode;
  for (const button of element("modes").querySelectorAll("button"))
    button.setAttribute("aria-checked", String(button.dataset.mode === mode));
  rove(element("modes"), button => button.dataset.mode === mode);
  /** @type {HTMLSelectElement} */ (element("modes").querySelector("select")).value = mode;
  element("gainfield").hidden = mode !== "difference";
  element("flickerfield").hidden = mode !== "flicker";
  element("view").hidden = !["difference", "flicker"].includes(mode) && element("peakfield").hidden;
  followFlicker();
  writeAddress();
  if (player.playing && (mapped || needsMap())) play(); // other frames or maps must be loaded ahead
  redraw();
  wantMap();
}

function fillModes() {
  const choice = document.createElement("select");
  choice.setAttribute("aria-label", "Picture");
  choice.append(...modes().map(([mode, title]) => {
    const option = make("option", title);
    option.setAttribute("value", mode);
    return option;
  }));
  choice.addEventListener("change", () => setMode(choice.value));
  element("modes").replaceChildren(...modes().map(([mode, title, key]) => {
    const button = make("button", title);
    button.dataset.mode = button.dataset.key = mode;
    button.setAttribute("role", "radio");
    button.title = `${title} (${key})`;
    button.addEventListener("click", () => setMode(mode));
    return button;
  }), choice);
}

/**
 * @param {number} zoom 0: fit @param {number} x of the canvas, at which the picture does not move @param {number} y
 */
function setZoom(zoom, x = paneWidth() / 2, y = canvas.height / 2) {
  const {scale, left, top} = place(), to = zoom ? Math.max(1 / 16, Math.min(64, zoom)) : 0;
  state.x = to ? (x - left) / scale - x / to : 0;
  state.y = to ? (y - top) / scale - y / to : 0;
  state.zoom = to;
  keepInside();
}

/** @param {number} x @param {number} y in samples */
function move(x, y) {
  if (!state.zoom) setZoom(place().scale);
  state.x += x;
  state.y += y;
  keepInside();
}

function keepInside() {
  const {scale, left, top} = place();
  if (state.zoom) [state.x, state.y] = [Math.max(0, -left / scale), Math.max(0, -top / scale)];
  writeAddress();
  redraw();
}

/** @param {number} share */
function setSplit(share) {
  state.split = Math.max(0, Math.min(1, share));
  if (state.mode !== "split") setMode("split");
  writeAddress();
  redraw();
}

const GAINS = [1, 2, 4, 8, 16];

function listenToView() {
  input("gain").addEventListener("input", () => {
    state.gain = GAINS[Number(input("gain").value)];
    derived.delete("difference");
    writeAddress();
    fillView();
    redraw();
  });
  input("flicks").addEventListener("input", () => {
    state.flicks = Number(input("flicks").value);
    followFlicker();
    writeAddress();
    fillView();
    redraw();
  });
  input("peak").addEventListener("input", () => {
    state.peak = Number((WHITE * (10000 / WHITE) ** Number(input("peak").value)).toPrecision(2));
    for (const picture of pictures.values()) picture.rgb = null;
    derived.clear();
    writeAddress();
    fillView();
    redraw();
  });
}

function fillView() {
  input("gain").value = String(Math.max(0, GAINS.indexOf(state.gain)));
  element("gainnow").textContent = `× ${state.gain}`;
  input("flicks").value = String(state.flicks);
  element("flicksnow").textContent = state.flicks ? `${state.flicks} a second` : "stopped; hold a for the other";
  input("peak").value = String(Math.log(state.peak / WHITE) / Math.log(10000 / WHITE));
  element("peaknow").textContent = `${state.peak} cd/m²`;
  for (const id of ["gain", "flicks", "peak"])
    input(id).setAttribute("aria-valuetext", element(`${id}now`).textContent ?? "");
  element("peakfield").hidden = !isHdr(/** @type {Input} */ (sideOf(1)));
}
