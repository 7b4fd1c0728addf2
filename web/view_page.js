// Shared by all parts of the viewer: elements, and requests to the server.
"use strict";

/** @typedef {{name: string, codec: string, describe: string, frames: number, width: number, height: number,
 *  planes: number, across: number, down: number, depth: number, rate_num: number, rate_den: number, transfer: number,
 * primaries: number, timecode?: {frame: number, base: number, drop: boolean}, rgb: {red: number, blue: number, low:
 * number, luma: number, middle: number, chroma: number}}} Input */
/**
 * @typedef {{name: string, refused: string | null, reference: Input | null, distorted: Input}} Encode refused: the
 * reason why the encode cannot be shown
 */
/** @typedef {{name: string, type: string, minimum: number, maximum: number, value: number, text: string | null,
 *   unit: string | null, help: string, choices: string[]}} Option */
/** @typedef {{name: string, title: string, label: string, options: Option[],
 *   maps: {name: string, unit: string, help: string, on_request: boolean}[]}} Metric */
/**
 * @typedef {Score & {least: number | string, most: number | string, whole: number | string}} Output whole: value of
 * the clip, for outputs without values of frames
 */
/** @typedef {{score: string, pool: string, fails: string, limit: number, outcome: string | null, value: number |
 * string}} Gate */
/**
 * @typedef {{of: Input, planes: (Uint8Array | Uint16Array)[], rgb: OffscreenCanvas | null, preview: boolean}} Picture
 * rgb: null until the picture is drawn; preview: the browser decoded it
 */
/** @typedef {{frame: number, encode: number, key: string, name: string, unit: string, width: number, height: number,
 * low: number, high: number, values: Record<string, number | string>, data: Float32Array}} MapData */

const element = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const input = (/** @type {string} */ id) => /** @type {HTMLInputElement} */ (element(id));
const select = (/** @type {string} */ id) => /** @type {HTMLSelectElement} */ (element(id));
const dialog = (/** @type {string} */ id) => /** @type {HTMLDialogElement} */ (element(id));
const canvas = /** @type {HTMLCanvasElement} */ (element("picture"));

/** Makes an element. Text is never markup. @param {string} tag @param {...(Node | string)} children */
function make(tag, ...children) {
  const made = document.createElement(tag);
  made.append(...children);
  return made;
}

/** @param {string} tag @param {string} className @param {...(Node | string)} children */
function styled(tag, className, ...children) {
  const made = make(tag, ...children);
  made.className = className;
  return made;
}

const PLAIN = {factor: 1, decimals: 2}; // format of numbers that are not scores

// ---- The server

let gone = false; // the server does not answer

const LOST =
  "fovea view has ended, or the connection to it is broken. The page goes on when the same server answers again; " +
  "otherwise start it again and open the address that it prints.";

/** @param {boolean} lost */
function setGone(lost) {
  if (gone === lost) return;
  gone = lost;
  element("app").classList.toggle("gone", lost);
  element("transport").inert = lost;
  if (lost) pause();
  sayTrouble();
  if (!lost) showFrame(state.frame);
}

/**
 * Messages about failures, by the part of the page that reports and later removes them.
 * @type {Map<string, string>}
 */
const troubles = new Map();

/** @param {string} text "" removes the message */
function setTrouble(text, part = "picture") {
  if (text) troubles.set(part, text);
  else troubles.delete(part);
  sayTrouble();
}

function sayTrouble() {
  const shown = gone ? LOST : [...new Set(troubles.values())].join("\n");
  element("trouble").hidden = !shown;
  if (element("trouble").textContent !== shown) element("trouble").textContent = shown;
}

const reasonOf = (/** @type {unknown} */ error) => error instanceof Error ? error.message : String(error);

// Errors that no code catches are bugs of the page. The page shows them like other failures.
window.addEventListener("error", event => {
  // harmless: the browser delivers these notifications one frame later
  if (!event.message.startsWith("ResizeObserver loop")) setTrouble(`The page has a fault: ${event.message}`, "page");
});
window.addEventListener("unhandledrejection",
  event => setTrouble(`The page has a fault: ${reasonOf(event.reason)}`, "page"));

/** @param {string} what @param {RequestCache} cache @returns {Promise<Response>} */
async function ask(what, cache = "no-store") {
  let response;
  for (let tries = 1; !response; tries++) {
    try {
      response = await fetch(what, {cache});
    } catch (error) { // one failure may be a broken connection; after two the server is gone
      if (tries === 2) {
        setGone(true);
        throw new Error(LOST);
      }
      await new Promise(go => setTimeout(go, 200));
    }
  }
  if (response.status === 403) { // another server uses the port now
    setGone(true);
    throw new Error(LOST);
  }
  setGone(false);
  if (response.ok) return response;
  const text = await response.text();
  let why = `the server answers ${response.status}`;
  try {
    why = JSON.parse(text).error || why;
  } catch { /* the answer is not JSON with an error */ }
  throw new Error(why);
}

/** @param {string} text @returns {Float64Array} */
function realsOf(text) {
  const binary = atob(text), bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return new Float64Array(bytes.buffer);
}

let working = 0; // requests that the user waits for

/**
 * Returns a function that runs `work` for its latest key, one run at a time. Older keys that still wait are dropped.
 * @param {(key: any) => Promise<void>} work
 */
function newestOf(work) {
  /** @type {any} */
  let next = null;
  let running = false;
  return async (/** @type {any} */ key) => {
    next = key;
    if (running) return;
    running = true;
    working++;
    while (next !== null) {
      const key = next;
      next = null;
      try {
        await work(key);
        if (next === null) setTrouble("");
      } catch (error) {
        if (next === null) setTrouble(reasonOf(error));
      }
    }
    running = false;
    working--;
  };
}
