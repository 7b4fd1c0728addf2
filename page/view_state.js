// What the page shows, of which the part behind # in the address is a copy.
"use strict";

const state = {frame: 0, mode: "distorted", zoom: 0, x: 0, y: 0, split: 0.5, metric: "", map: "", rank: -1, from: -1, to: -1};
/** @type {Record<string, string>} */
let changed = {}; // options of the metric that differ from their defaults

function readAddress() {
  const parts = new URLSearchParams(location.hash.slice(1));
  for (const key of /** @type {const} */ (["frame", "zoom", "x", "y", "split", "from", "to"])) {
    const value = Number(parts.get(key) ?? NaN);
    if (Number.isFinite(value)) state[key] = value;
  }
  for (const key of /** @type {const} */ (["mode", "metric", "map"])) state[key] = parts.get(key) ?? state[key];
  changed = {};
  for (const [key, value] of parts) if (key.startsWith("o.")) changed[key.slice(2)] = value;
}

let addressTimer = 0;

function writeAddress() {
  clearTimeout(addressTimer);
  addressTimer = window.setTimeout(() => {
    const parts = new URLSearchParams();
    for (const key of /** @type {const} */ (["frame", "mode", "zoom", "x", "y", "split", "metric", "map"]))
      parts.set(key, String(typeof state[key] === "number" ? Math.round(Number(state[key]) * 1000) / 1000 : state[key]));
    if (state.from >= 0) for (const key of /** @type {const} */ (["from", "to"])) parts.set(key, String(state[key]));
    for (const [key, value] of Object.entries(changed)) parts.set(`o.${key}`, value);
    history.replaceState(null, "", `#${parts}`);
  }, 150);
}
