// What the page shows, of which the part behind # in the address is a copy.
"use strict";

const START = {frame: 0, encode: 1, mode: "", zoom: 0, x: 0, y: 0, split: 0.5, score: "", metric: "", map: "", top: 0, gain: 4, flicks: 2, peak: 1000,
  from: -1, to: -1, gl: 0}; // gl 1: also where the browser's GPU is emulated
const state = {...START};
/** @type {Record<string, string>} */
let changed = {}; // options of the map's metric that differ from their defaults

function readAddress() {
  const parts = new URLSearchParams(location.hash.slice(1));
  for (const key of /** @type {(keyof typeof START)[]} */ (Object.keys(START))) {
    const text = parts.get(key), value = Number(text ?? NaN);
    if (text === null || (typeof START[key] === "number" && !Number.isFinite(value))) /** @type {any} */ (state)[key] = START[key];
    else /** @type {any} */ (state)[key] = typeof START[key] === "number" ? value : text;
  }
  state.frame = Math.max(0, Math.floor(state.frame));
  changed = {};
  for (const [key, value] of parts) if (key.startsWith("o.")) changed[key.slice(2)] = value;
}

/** Without what is as it was at first. */
function addressOf() {
  const parts = new URLSearchParams();
  for (const key of /** @type {(keyof typeof START)[]} */ (Object.keys(START)))
    if (state[key] !== START[key] || key === "frame")
      parts.set(key, String(typeof state[key] === "number" ? Number(Number(state[key]).toPrecision(6)) : state[key]));
  for (const [key, value] of Object.entries(changed)) parts.set(`o.${key}`, value);
  return String(parts);
}

let addressTimer = 0;

function writeAddress() {
  clearTimeout(addressTimer);
  addressTimer = window.setTimeout(() => history.replaceState(null, "", `#${addressOf()}`), 150);
}
