// The state of the page. The part of the address after # holds a copy of it.
"use strict";

// Switches are 0 or 1. pinned: the split does not follow the mouse; lens: factor of the magnifier, 0: none; gl: use
// WebGL even if the browser emulates the GPU.
const START = {frame: 0, encode: 1, mode: "", zoom: 0, x: 0, y: 0, split: 0.5, pinned: 0, score: "", metric: "",
  map: "", top: 0, gain: 4, flicks: 2, peak: 1000,
  from: -1, to: -1, loop: 1, ab: 0, speed: 1, lens: 0, panel: 1, gl: 0};
const state = {...START};
/** @type {Record<string, string>} */
let changed = {}; // options of the map's metric that differ from their defaults
let named = ""; // the encode that the address names, until the page knows the names

function readAddress() {
  const parts = new URLSearchParams(location.hash.slice(1));
  for (const key of /** @type {(keyof typeof START)[]} */ (Object.keys(START))) {
    const text = parts.get(key), value = Number(text ?? NaN);
    if (text === null || (typeof START[key] === "number" && !Number.isFinite(value)))
      /** @type {any} */ (state)[key] = START[key];
    else /** @type {any} */ (state)[key] = typeof START[key] === "number" ? value : text;
  }
  state.frame = Math.max(0, Math.floor(state.frame));
  if (!SPEEDS.includes(state.speed)) state.speed = 1;
  if (!LENSES.includes(state.lens)) state.lens = 0;
  named = parts.get("encode") ?? "";
  changed = {};
  for (const [key, value] of parts) if (key.startsWith("o.")) changed[key.slice(2)] = value;
}

const SPEEDS = [0.25, 0.5, 1, 2, 4, 0]; // 0: every frame
const LENSES = [0, 2, 4, 8, 16];

/**
 * Returns the shown encode for the address: its name, which stays valid if the command lists other encodes, or its
 * number if names are ambiguous.
 */
function encodeOfAddress() {
  const {name} = clip.encodes[state.encode - 1], names = clip.encodes.map((/** @type {Encode} */ e) => e.name);
  return names.filter((/** @type {string} */ n) => n === name).length > 1 ||
    Number(name) > 0 ? String(state.encode) : name;
}

/** Returns the number of the encode in the address; 1 if no encode matches. */
function encodeNamed() {
  const at = clip.encodes.findIndex((/** @type {Encode} */ e) => e.name === named);
  return at >= 0 ? at + 1 : Number(named) || 1;
}

/** Returns the address of the state, without members that have their initial values. */
function addressOf() {
  const parts = new URLSearchParams();
  for (const key of /** @type {(keyof typeof START)[]} */ (Object.keys(START)))
    if (key === "encode" && isSeveral() && state.encode !== 1) parts.set(key, encodeOfAddress());
    else if (key !== "encode" && (state[key] !== START[key] || key === "frame"))
      parts.set(key, String(typeof state[key] === "number" ? Number(Number(state[key]).toPrecision(6)) : state[key]));
  for (const [key, value] of Object.entries(changed)) parts.set(`o.${key}`, value);
  return String(parts);
}

let addressTimer = 0;

/** Updates the address at most four times a second, since browsers refuse more. */
function writeAddress() {
  addressTimer ||= window.setTimeout(() => {
    addressTimer = 0;
    history.replaceState(null, "", `#${addressOf()}`);
  }, 250);
}
