// The viewer: asks its server for scores, frames and maps, and draws them.
"use strict";

(() => {
  /** @typedef {{name: string, codec: string, describe: string, frames: number, width: number, height: number,
   *   planes: number, across: number, down: number, depth: number, rate_num: number, rate_den: number,
   *   rgb: {red: number, blue: number, low: number, luma: number, middle: number, chroma: number}}} Input */
  /** @typedef {{name: string, type: string, minimum: number, maximum: number, value: number, text: string | null,
   *   unit: string | null, help: string, choices: string[]}} Option */
  /** @typedef {{name: string, title: string, options: Option[],
   *   maps: {name: string, unit: string, help: string, on_request: boolean}[]}} Metric */
  /** @typedef {{name: string, unit: string, help: string, better: string, sequence: boolean}} Output */
  /** @typedef {{planes: (Uint8Array | Uint16Array)[], rgb: OffscreenCanvas}} Picture */
  /** @typedef {{frame: number, key: string, name: string, unit: string, width: number, height: number, low: number,
   *   high: number, values: Record<string, number | string>, data: Float32Array}} MapData */

  const element = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
  const input = (/** @type {string} */ id) => /** @type {HTMLInputElement} */ (element(id));
  const canvas = /** @type {HTMLCanvasElement} */ (element("picture"));

  /** Text is never markup. @param {string} tag @param {...(Node | string)} children */
  function make(tag, ...children) {
    const made = document.createElement(tag);
    made.append(...children);
    return made;
  }

  /** @param {string} what @returns {Promise<Response>} */
  async function ask(what) {
    const response = await fetch(what, {cache: what.startsWith("frame?") ? "default" : "no-store"});
    if (response.ok) return response;
    const text = await response.text();
    let why = `the server answers ${response.status}`;
    try {
      why = JSON.parse(text).error || why;
    } catch { /* what it said is no sentence */ }
    throw new Error(why);
  }

  /** @param {string} text @returns {Float64Array} */
  function realsOf(text) {
    const binary = atob(text), bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
    return new Float64Array(bytes.buffer);
  }

  // ---- State, of which the part behind # in the address is a copy

  const state = {frame: 0, mode: "distorted", zoom: 0, x: 0, y: 0, split: 0.5, metric: "", map: "", rank: -1};
  /** @type {Record<string, string>} */
  let changed = {}; // options of the metric that differ from their defaults

  function readAddress() {
    const parts = new URLSearchParams(location.hash.slice(1));
    for (const key of /** @type {const} */ (["frame", "zoom", "x", "y", "split"])) {
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
      for (const [key, value] of Object.entries(changed)) parts.set(`o.${key}`, value);
      history.replaceState(null, "", `#${parts}`);
    }, 150);
  }

  // ---- Work that only its newest request matters of

  /** Runs `work` for the newest key, one at a time. @param {(key: any) => Promise<void>} work */
  function newestOf(work) {
    /** @type {any} */
    let next = null;
    let running = false;
    return async (/** @type {any} */ key) => {
      next = key;
      if (running) return;
      running = true;
      while (next !== null) {
        const key = next;
        next = null;
        try {
          await work(key);
          if (next === null) element("trouble").textContent = "";
        } catch (error) {
          element("trouble").textContent = error instanceof Error ? error.message : String(error);
        }
      }
      running = false;
    };
  }

  // ---- Frames

  /** @type {any} */
  let clip = null;
  const sideOf = (/** @type {number} */ side) => /** @type {Input | null} */ (side ? clip.distorted : clip.reference);
  /** @type {Map<string, Picture>} */
  const pictures = new Map(); // of the frames seen last
  /** @type {(Picture | null)[]} */
  let shown = [null, null];
  let shownFrame = -1;

  /** Samples as the browser's colours, by the same steps as fovea map's pictures. @param {Input} of
   * @param {(Uint8Array | Uint16Array)[]} planes @returns {OffscreenCanvas} */
  function rgbOf(of, planes) {
    const {width, height, across, down, rgb} = of, image = new ImageData(width, height), to = image.data;
    const levels = 1 << of.depth, light = new Float64Array(levels), reds = new Float64Array(levels), blues = new Float64Array(levels);
    for (let i = 0; i < levels; i++) {
      light[i] = (i - rgb.low) / rgb.luma;
      reds[i] = 2 * (1 - rgb.red) * ((i - rgb.middle) / rgb.chroma);
      blues[i] = 2 * (1 - rgb.blue) * ((i - rgb.middle) / rgb.chroma);
    }
    const gray = of.planes === 1, rest = 1 - rgb.red - rgb.blue, row = Math.ceil(width / across);
    for (let y = 0, at = 0, out = 0; y < height; y++) {
      const chromaRow = Math.floor(y / down) * row;
      for (let x = 0; x < width; x++, at++, out += 4) {
        const l = light[planes[0][at]], c = chromaRow + (across === 2 ? x >> 1 : x);
        const red = gray ? l : l + reds[planes[2][c]], blue = gray ? l : l + blues[planes[1][c]];
        const green = (l - rgb.red * red - rgb.blue * blue) / rest;
        to[out] = Math.floor(255 * (red > 0 ? red < 1 ? red : 1 : 0) + 0.5);
        to[out + 1] = Math.floor(255 * (green > 0 ? green < 1 ? green : 1 : 0) + 0.5);
        to[out + 2] = Math.floor(255 * (blue > 0 ? blue < 1 ? blue : 1 : 0) + 0.5);
        to[out + 3] = 255;
      }
    }
    return canvasOf(image);
  }

  /** @param {ImageData} image @returns {OffscreenCanvas} */
  function canvasOf(image) {
    const made = new OffscreenCanvas(image.width, image.height);
    /** @type {OffscreenCanvasRenderingContext2D} */ (made.getContext("2d")).putImageData(image, 0, 0);
    return made;
  }

  /** @param {number} side @param {number} frame @returns {Promise<Picture | null>} */
  async function loadPicture(side, frame) {
    const of = sideOf(side), key = `${side},${frame}`;
    if (!of) return null;
    const known = pictures.get(key);
    if (known) return known;
    const buffer = await (await ask(`frame?side=${side}&frame=${frame}`)).arrayBuffer();
    const samples = of.depth === 8 ? new Uint8Array(buffer) : new Uint16Array(buffer), planes = [];
    const chroma = Math.ceil(of.width / of.across) * Math.ceil(of.height / of.down);
    for (let plane = 0, at = 0; plane < of.planes; plane++) {
      const size = plane ? chroma : of.width * of.height;
      planes.push(samples.subarray(at, at + size));
      at += size;
    }
    const picture = {planes, rgb: rgbOf(of, planes)};
    pictures.set(key, picture);
    for (const old of pictures.keys()) if (pictures.size > 12) pictures.delete(old);
    return picture;
  }

  const showFrame = newestOf(async frame => {
    const both = await Promise.all([loadPicture(0, frame), loadPicture(1, frame)]);
    shown = both;
    shownFrame = frame;
    derived.clear();
    draw();
    wantMap();
  });

  /** @param {number} frame */
  function goTo(frame) {
    const last = lastFrame();
    state.frame = Math.max(0, last >= 0 ? Math.min(last, frame) : frame);
    input("frame").value = String(state.frame);
    timeline.choose(placeOf(state.frame), false);
    element("readout").textContent = describe(timeline.chosen);
    writeAddress();
    showFrame(state.frame);
  }

  /** @returns {number} */
  function lastFrame() {
    const known = [clip.reference, clip.distorted].filter(i => i && i.frames >= 0).map(i => i.frames - 1);
    return known.length ? Math.min(...known) : -1;
  }

  // ---- Maps

  /** @type {MapData | null} */
  let map = null;
  let inputTime = 0; // when somebody moved a slider
  const needsMap = () => state.mode === "map" || state.mode === "overlay";
  const metricText = () => {
    const options = Object.entries(changed).map(([k, v]) => `${k}=${v}`).join(":");
    return options ? `${state.metric}=${options}` : state.metric;
  };

  function wantMap() {
    if (!needsMap() || !state.metric || shownFrame < 0) return;
    const key = `${shownFrame},${metricText()},${state.map}`;
    if (map && map.key === key) draw();
    else loadMap({key, frame: shownFrame, metric: metricText(), name: state.map, since: inputTime || performance.now()});
  }

  const loadMap = newestOf(async ({key, frame, metric, name, since}) => {
    const query = new URLSearchParams({frame: String(frame), metric, map: name});
    const buffer = await (await ask(`map?${query}`)).arrayBuffer();
    const length = new DataView(buffer).getUint32(0, true);
    const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
    map = {...head, key, frame, low: Number(head.low), high: Number(head.high), data: new Float32Array(buffer, 4 + length)};
    derived.delete("map");
    derived.delete("overlay");
    drawNow();
    const took = performance.now() - since;
    inputTime = 0;
    element("took").textContent = `${name} of frame ${frame}: ${took.toFixed(0)} ms from the request to the picture`;
    canvas.dataset.map = key;
    fillValues(head.values);
  });

  /** @param {Record<string, number | string>} values */
  function fillValues(values) {
    element("values").replaceChildren(make("tbody", ...Object.entries(values).map(([name, value]) => {
      const cell = make("td", formatNumber(Number(value)));
      cell.className = "number";
      return make("tr", make("td", name), cell);
    })));
  }

  // ---- What is drawn

  /** @type {Map<string, OffscreenCanvas>} */
  const derived = new Map(); // difference, map and overlay of the frame that is shown

  /** @param {(a: Uint8ClampedArray, b: Uint8ClampedArray, to: Uint8ClampedArray) => void} combine */
  function combined(combine) {
    const [reference, distorted] = shown.map(p => p && /** @type {OffscreenCanvasRenderingContext2D} */ (p.rgb.getContext("2d"))
      .getImageData(0, 0, p.rgb.width, p.rgb.height));
    if (!reference || !distorted) return null;
    const image = new ImageData(distorted.width, distorted.height);
    combine(reference.data, distorted.data, image.data);
    return canvasOf(image);
  }

  function differenceOf() {
    return combined((a, b, to) => {
      for (let i = 0; i < to.length; i++) to[i] = (i & 3) === 3 ? 255 : 8 * Math.abs(a[i] - b[i]);
    });
  }

  /** By the same steps as fovea map's overlay. @param {boolean} over the picture in gray */
  function mapPicture(over) {
    const distorted = shown[1], of = sideOf(1);
    if (!map || map.frame !== shownFrame || !distorted || !of) return null;
    const image = new ImageData(of.width, of.height), to = image.data, luma = distorted.planes[0], shift = of.depth - 8;
    const colours = Uint8Array.from(clip.colours), {data, width, height} = map;
    const columns = Int32Array.from({length: of.width}, (_, x) => Math.floor(x * width / of.width));
    const low = map.low < 0 ? 0 : map.low, sign = map.low < 0, scale = map.high > low ? 1 / (map.high - low) : 0;
    for (let y = 0, out = 0, at = 0; y < of.height; y++) {
      const row = Math.floor(y * height / of.height) * width;
      for (let x = 0; x < of.width; x++, at++, out += 4) {
        let value = data[row + columns[x]];
        value = ((sign ? Math.abs(value) : value) - low) * scale;
        const share = value > 0 ? value < 1 ? Math.fround(value) : 1 : 0;
        const colour = 3 * ((share * 255 + 0.5) | 0), part = over ? 0.75 * (share < 0.125 ? 8 * share : 1) : 1;
        const gray = over ? luma[at] >> shift : 0;
        to[out] = (gray + part * (colours[colour] - gray) + 0.5) | 0;
        to[out + 1] = (gray + part * (colours[colour + 1] - gray) + 0.5) | 0;
        to[out + 2] = (gray + part * (colours[colour + 2] - gray) + 0.5) | 0;
        to[out + 3] = 255;
      }
    }
    return canvasOf(image);
  }

  /** @param {string} what @returns {OffscreenCanvas | null} */
  function layer(what) {
    if (what === "reference" || what === "distorted") return shown[what === "distorted" ? 1 : 0]?.rgb ?? null;
    const known = derived.get(what);
    if (known) return known;
    const made = what === "difference" ? differenceOf() : mapPicture(what === "overlay");
    if (made) derived.set(what, made);
    return made;
  }

  let flickered = false; // the reference is shown
  let waiting = false;

  function draw() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      drawNow();
    });
  }

  /** Where the picture lies in a part of the canvas of this width: its scale and its left upper corner. */
  function place(/** @type {number} */ width) {
    const of = /** @type {Input} */ (sideOf(1));
    const fit = Math.min(width / of.width, canvas.height / of.height), scale = state.zoom || fit;
    const left = state.zoom ? -Math.round(state.x * scale) : Math.floor((width - of.width * scale) / 2);
    const top = state.zoom ? -Math.round(state.y * scale) : Math.floor((canvas.height - of.height * scale) / 2);
    return {scale, left, top};
  }

  /** @param {CanvasRenderingContext2D} context @param {string} what @param {number} from @param {number} to */
  function paint(context, what, from, to, origin = 0, width = canvas.width) {
    const picture = layer(what);
    if (!picture) return;
    const {scale, left, top} = place(width);
    context.save();
    context.beginPath();
    context.rect(from, 0, to - from, canvas.height);
    context.clip();
    context.imageSmoothingEnabled = scale < 1;
    context.imageSmoothingQuality = "high";
    context.drawImage(picture, origin + left, top, picture.width * scale, picture.height * scale);
    context.restore();
  }

  function drawNow() {
    const context = canvas.getContext("2d"), scale = window.devicePixelRatio || 1;
    const width = Math.round(canvas.clientWidth * scale), height = Math.round(canvas.clientHeight * scale);
    if (!context || !width || !clip) return;
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    context.fillStyle = "#000";
    context.fillRect(0, 0, width, height);
    const middle = Math.round(width * state.split), half = width >> 1;
    if (state.mode === "both") {
      paint(context, "reference", 0, half, 0, half);
      paint(context, "distorted", half, width, half, half);
    } else if (state.mode === "split") {
      paint(context, "reference", 0, middle);
      paint(context, "distorted", middle, width);
      context.fillStyle = "#ffd54a";
      context.fillRect(middle - 1, 0, 2, height);
    } else if (state.mode === "flicker") paint(context, flickered ? "reference" : "distorted", 0, width);
    else paint(context, state.mode, 0, width);
    canvas.dataset.frame = String(shownFrame);
    canvas.dataset.mode = state.mode;
    element("zoomed").textContent = `${(100 * place(state.mode === "both" ? half : width).scale).toFixed(0)} %`;
    drawLegend();
  }

  function drawLegend() {
    element("legend").hidden = !(needsMap() && map);
    if (!needsMap() || !map || element("legend").dataset.key === `${map.low},${map.high},${map.unit}`) return;
    const bar = document.createElement("canvas"), context = bar.getContext("2d");
    [bar.width, bar.height] = [256, 1];
    for (let i = 0; context && i < 256; i++) {
      context.fillStyle = `rgb(${clip.colours.slice(3 * i, 3 * i + 3).join()})`;
      context.fillRect(i, 0, 1, 1);
    }
    element("legend").dataset.key = `${map.low},${map.high},${map.unit}`;
    element("legend").replaceChildren(formatNumber(Math.max(0, map.low)), bar, `${formatNumber(map.high)} ${map.unit ?? ""}`);
  }

  // ---- Modes, zoom and the pointer

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

  /** The sample under the pointer. @param {MouseEvent} event */
  function readSample(event) {
    const box = canvas.getBoundingClientRect(), ratio = canvas.width / box.width, half = canvas.width >> 1;
    let x = (event.clientX - box.left) * ratio;
    const y = (event.clientY - box.top) * ratio, both = state.mode === "both";
    if (both && x >= half) x -= half;
    const {scale, left, top} = place(both ? half : canvas.width), of = /** @type {Input} */ (sideOf(1));
    const column = Math.floor((x - left) / scale), row = Math.floor((y - top) / scale);
    if (column < 0 || row < 0 || column >= of.width || row >= of.height) {
      element("sample").textContent = "";
      return;
    }
    const codes = shown.map((picture, side) => {
      const from = sideOf(side);
      if (!picture || !from) return "";
      const chroma = Math.floor(row / from.down) * Math.ceil(from.width / from.across) + Math.floor(column / from.across);
      const values = picture.planes.map((plane, i) => plane[i ? chroma : row * from.width + column]);
      return `${side ? "distorted" : "reference"} ${values.join(" ")}`;
    }).filter(Boolean);
    if (map && map.frame === shownFrame && needsMap()) {
      const at = Math.floor(row * map.height / of.height) * map.width + Math.floor(column * map.width / of.width);
      codes.push(`${map.name} ${formatNumber(map.data[at])} ${map.unit ?? ""}`);
    }
    element("sample").textContent = `Column ${column}, row ${row}: ${codes.join("; ")}`;
  }

  /** @type {{x: number, y: number, split: boolean} | null} */
  let held = null;

  function listenToPointer() {
    canvas.addEventListener("pointerdown", event => {
      canvas.setPointerCapture(event.pointerId);
      const box = canvas.getBoundingClientRect(), at = (event.clientX - box.left) / box.width;
      held = {x: event.clientX, y: event.clientY, split: state.mode === "split" && Math.abs(at - state.split) < 0.03};
    });
    canvas.addEventListener("pointermove", event => {
      readSample(event);
      if (!held) return;
      const box = canvas.getBoundingClientRect(), ratio = canvas.width / box.width / currentScale();
      if (held.split) {
        state.split = Math.max(0, Math.min(1, (event.clientX - box.left) / box.width));
        writeAddress();
        draw();
      } else move((held.x - event.clientX) * ratio, (held.y - event.clientY) * ratio);
      [held.x, held.y] = [event.clientX, event.clientY];
    });
    canvas.addEventListener("pointerup", () => { held = null; });
    canvas.addEventListener("wheel", event => {
      event.preventDefault();
      const box = canvas.getBoundingClientRect(), ratio = canvas.width / box.width;
      setZoom(currentScale() * (event.deltaY > 0 ? 0.8 : 1.25), (event.clientX - box.left) * ratio, (event.clientY - box.top) * ratio);
    }, {passive: false});
    new ResizeObserver(draw).observe(canvas);
  }

  // ---- Keys

  /** @type {Record<string, () => void>} */
  const keys = {
    ArrowLeft: () => goTo(state.frame - 1), ArrowRight: () => goTo(state.frame + 1),
    w: () => goToWorst(1), W: () => goToWorst(-1),
    d: () => setMode("distorted"), r: () => setMode("reference"), b: () => setMode("both"), s: () => setMode("split"),
    v: () => setMode("difference"), m: () => setMode("map"), o: () => setMode("overlay"),
    " ": () => {
      flickered = state.mode === "flicker" && !flickered;
      setMode("flicker");
    },
    "[": () => moveSplit(-0.02), "]": () => moveSplit(0.02),
    f: () => setZoom(0), "1": () => setZoom(1), z: () => setZoom(currentScale() * 2), x: () => setZoom(currentScale() / 2),
    h: () => move(-40 / currentScale(), 0), l: () => move(40 / currentScale(), 0),
    k: () => move(0, -40 / currentScale()), j: () => move(0, 40 / currentScale()),
    "?": () => /** @type {HTMLDialogElement} */ (element("keys")).showModal(),
  };

  /** @param {number} by */
  function moveSplit(by) {
    state.split = Math.max(0, Math.min(1, state.split + by));
    setMode("split");
  }

  function listenToKeys() {
    document.addEventListener("keydown", event => {
      const target = /** @type {HTMLElement} */ (event.target);
      if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
      if (["INPUT", "SELECT", "DIALOG"].includes(target.tagName) || target.closest("dialog")) return;
      if (event.key === " " && target.tagName === "BUTTON") return;
      if (event.key === "ArrowLeft" && event.shiftKey) goTo(state.frame - 10);
      else if (event.key === "ArrowRight" && event.shiftKey) goTo(state.frame + 10);
      else if (keys[event.key]) keys[event.key]();
      else if (["PageUp", "PageDown", "Home", "End", "+", "-", "0"].includes(event.key)) timeline.onKey(event);
      else return;
      event.preventDefault();
    });
  }

  // ---- Scores

  /** @type {Output[]} */
  let outputs = [];
  /** @type {Curve[]} */
  let curves = [];
  const pressed = new Set();
  let numbers = new Float64Array(1024), count = 0;

  /** @param {number} frame @returns {number} its place among those with scores */
  function placeOf(frame) {
    let low = 0, high = count;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (numbers[middle] <= frame) low = middle;
      else high = middle;
    }
    return low;
  }

  /** @param {number} place @returns {string} */
  function describe(place) {
    const frame = state.frame, of = /** @type {Input} */ (sideOf(1));
    const time = of.rate_den ? ` (${formatTime(frame * of.rate_den / of.rate_num)})` : "";
    const known = place < count && numbers[place] === frame;
    const values = known ? timeline.curves.map(c => `${c.name} ${formatNumber(c.low[place])}`).join(", ") : "no scores yet";
    return `Frame ${frame}${time}: ${values}`;
  }

  const timeline = new Timeline(/** @type {HTMLCanvasElement} */ (element("timeline")), place => goTo(count ? numbers[place] : 0), describe);

  /** @param {Output[]} found */
  function addOutputs(found) {
    outputs = found;
    curves = outputs.map(o => {
      const values = new Float64Array(1024);
      return {name: o.name, unit: o.unit, low: values, high: values, gates: []};
    });
    const drawn = outputs.map((_, i) => i).filter(i => !outputs[i].sequence);
    if (drawn.length) pressed.add(drawn[0]);
    const apply = () => timeline.setCurves(drawn.filter(i => pressed.has(i)).map(i => curves[i]));
    element("curves").replaceChildren(...drawn.map(i => {
      const button = make("button", outputs[i].name);
      button.title = outputs[i].help;
      button.setAttribute("aria-pressed", String(pressed.has(i)));
      button.addEventListener("click", () => {
        if (!pressed.delete(i)) pressed.add(i);
        button.setAttribute("aria-pressed", String(pressed.has(i)));
        apply();
      });
      return button;
    }));
    element("by").replaceChildren(...drawn.map(i => {
      const option = make("option", outputs[i].name);
      option.setAttribute("value", String(i));
      return option;
    }));
    apply();
  }

  /** @param {any} answer */
  function takeScores(answer) {
    if (!outputs.length && answer.outputs.length) addOutputs(answer.outputs);
    const end = answer.from + answer.count;
    if (end > numbers.length) {
      const grow = (/** @type {Float64Array} */ old) => {
        const made = new Float64Array(2 * end);
        made.set(old);
        return made;
      };
      numbers = grow(numbers);
      for (const curve of curves) curve.low = curve.high = grow(/** @type {Float64Array} */ (curve.low));
    }
    numbers.set(realsOf(answer.numbers), answer.from);
    answer.values.forEach((/** @type {string} */ v, /** @type {number} */ i) =>
      /** @type {Float64Array} */ (curves[i].low).set(realsOf(v), answer.from));
    count = Math.max(count, end);
    timeline.setCount(count, Math.max(count, answer.total));
    if (timeline.chosen !== placeOf(state.frame)) timeline.choose(placeOf(state.frame), false);
    fillRanks();
  }

  /** Asks for what is new, until there is nothing more. */
  async function followScores() {
    for (;;) {
      try {
        const answer = await (await ask(`scores?from=${count}`)).json();
        takeScores(answer);
        const whole = answer.ended && count >= answer.frames;
        const total = answer.total >= 0 ? ` of ${answer.total}` : "";
        element("progress").textContent = !whole ? `Scoring: ${answer.frames}${total} frames`
          : answer.message ? `Scoring ended after ${answer.frames} frames: ${answer.message}` : `${answer.frames} frames are scored.`;
        element("progress").className = whole && answer.message ? "readout bad" : "readout";
        element("readout").textContent = describe(placeOf(state.frame));
        element("decided").hidden = !answer.decisions.length;
        element("decisions").replaceChildren(...answer.decisions.map((/** @type {string} */ d) => make("li", d)));
        if (whole) return;
        if (count >= answer.frames) await new Promise(resolve => setTimeout(resolve, 250));
      } catch (error) {
        element("progress").textContent = `The server does not answer: ${error instanceof Error ? error.message : error}`;
        await new Promise(resolve => setTimeout(resolve, 2000));
      }
    }
  }

  // ---- Worst frames

  /** Places of the worst frames that are no neighbours. @returns {number[]} */
  function worstPlaces() {
    const i = Number(/** @type {HTMLSelectElement} */ (element("by")).value), curve = curves[i];
    if (!curve || !count) return [];
    const sign = outputs[i].better === "higher" ? 1 : -1, of = /** @type {Input} */ (sideOf(1));
    const second = of.rate_den ? Math.floor(of.rate_num / of.rate_den) : 25, apart = Math.max(1, Math.min(second, Math.floor(count / 24)));
    /** @type {number[]} */
    const found = [];
    for (let n = 0; n < 12; n++) {
      let worst = -1;
      for (let p = 0; p < count; p++) {
        const value = curve.low[p];
        if (Number.isNaN(value) || (worst >= 0 && sign * value >= sign * curve.low[worst])) continue;
        if (!found.some(f => Math.abs(f - p) < apart)) worst = p;
      }
      if (worst < 0) break;
      found.push(worst);
    }
    return found;
  }

  let ranksTimer = 0;

  function fillRanks() {
    if (ranksTimer) return;
    ranksTimer = window.setTimeout(() => {
      ranksTimer = 0;
      const curve = curves[Number(/** @type {HTMLSelectElement} */ (element("by")).value)], worst = worstPlaces();
      timeline.marks = worst;
      timeline.draw();
      element("ranks").replaceChildren(...worst.slice(0, 8).map(p => {
        const button = make("button", `${numbers[p]}: ${formatNumber(curve.low[p])}`);
        button.addEventListener("click", () => goTo(numbers[p]));
        return button;
      }));
    }, 300);
  }

  /** @param {number} by */
  function goToWorst(by) {
    const worst = worstPlaces();
    if (!worst.length) return;
    state.rank = (state.rank + by + worst.length) % worst.length;
    goTo(numbers[worst[state.rank]]);
  }

  // ---- Maps and their options

  const metricOf = () => /** @type {Metric | undefined} */ (clip.metrics.find((/** @type {Metric} */ m) => m.name === state.metric));

  function fillMetrics() {
    const select = /** @type {HTMLSelectElement} */ (element("metric"));
    const usual = clip.metrics.find((/** @type {Metric} */ m) => m.name === (clip.reference ? "vdm" : "cambi")) || clip.metrics[0];
    element("conditions").hidden = !usual;
    if (!usual) return;
    if (!metricOf()) [state.metric, changed] = [usual.name, {}];
    select.replaceChildren(...clip.metrics.map((/** @type {Metric} */ m) => {
      const option = make("option", m.name);
      option.title = m.title;
      return option;
    }));
    select.value = state.metric;
    select.addEventListener("change", () => {
      [state.metric, state.map, changed] = [select.value, "", {}];
      fillMaps();
    });
    element("map").addEventListener("change", () => {
      state.map = /** @type {HTMLSelectElement} */ (element("map")).value;
      optionsChanged();
    });
    element("defaults").addEventListener("click", () => {
      changed = {};
      fillMaps();
    });
    fillMaps();
  }

  function optionsChanged() {
    inputTime = needsMap() ? performance.now() : 0;
    writeAddress();
    wantMap();
  }

  function fillMaps() {
    const metric = /** @type {Metric} */ (metricOf()), select = /** @type {HTMLSelectElement} */ (element("map"));
    if (!metric.maps.some(m => m.name === state.map)) state.map = metric.maps[0].name;
    select.replaceChildren(...metric.maps.map(m => {
      const option = make("option", m.name);
      option.title = m.help;
      return option;
    }));
    select.value = state.map;
    element("options").replaceChildren(...metric.options.map(fieldOf));
    optionsChanged();
  }

  /** A field for an option. @param {Option} option @returns {HTMLElement} */
  function fieldOf(option) {
    const set = (/** @type {string} */ value, /** @type {string} */ usual) => {
      if (value === usual) delete changed[option.name];
      else changed[option.name] = value;
      optionsChanged();
    };
    const title = make("span", `${option.name}${option.unit ? `, ${option.unit}` : ""}`);
    title.title = option.help;
    const now = changed[option.name];
    if (option.type === "text") {
      const select = /** @type {HTMLSelectElement} */ (make("select", ...option.choices.map(c => make("option", c))));
      select.value = now ?? option.text ?? "";
      select.addEventListener("change", () => set(select.value, option.text ?? ""));
      return make("label", title, select);
    }
    if (option.type === "bool") {
      const box = document.createElement("input");
      box.type = "checkbox";
      box.checked = now === undefined ? option.value !== 0 : now === "true";
      box.addEventListener("change", () => set(String(box.checked), String(option.value !== 0)));
      return make("label", title, box);
    }
    return make("label", title, ...slider(option, now, set));
  }

  /** Even steps of a number, or of its logarithm where its range is wide. @param {Option} option
   * @param {string | undefined} now @param {(value: string, usual: string) => void} set */
  function slider(option, now, set) {
    const {minimum, maximum, value} = option, whole = option.type === "int";
    const wide = minimum > 0 && maximum / minimum > 50, range = document.createElement("input"), box = document.createElement("input");
    const toPart = (/** @type {number} */ v) => wide ? Math.log(v / minimum) / Math.log(maximum / minimum) : (v - minimum) / (maximum - minimum);
    const fromPart = (/** @type {number} */ p) => {
      const v = wide ? minimum * (maximum / minimum) ** p : minimum + p * (maximum - minimum);
      return whole ? Math.round(v) : Number(v.toPrecision(4));
    };
    [range.type, range.min, range.max, range.step] = ["range", "0", "1", "0.001"];
    [box.type, box.min, box.max, box.step] = ["number", String(minimum), String(maximum), whole ? "1" : "any"];
    range.setAttribute("aria-label", option.name);
    box.setAttribute("aria-label", `${option.name} as a number`);
    range.dataset.option = option.name;
    box.value = now ?? String(value);
    range.value = String(toPart(Number(box.value)));
    range.addEventListener("input", () => {
      box.value = String(Math.max(minimum, Math.min(maximum, fromPart(Number(range.value)))));
      set(box.value, String(value));
    });
    box.addEventListener("change", () => {
      if (!box.validity.valid || box.value === "") return;
      range.value = String(toPart(Number(box.value)));
      set(box.value, String(value));
    });
    return [range, box];
  }

  // ---- Start

  async function start() {
    clip = await (await ask("clip")).json();
    const {reference, distorted} = clip, name = reference ? `${distorted.name} against ${reference.name}` : distorted.name;
    document.title = `${name} · fovea`;
    element("title").textContent = name;
    element("about").textContent = `${distorted.codec}, ${distorted.describe} · fovea ${clip.version}, numerics version ${clip.numerics_version}`;
    readAddress();
    element("modes").replaceChildren(...modes().map(([mode, title, key]) => {
      const button = make("button", title);
      button.dataset.mode = mode;
      button.title = `${title} (${key})`;
      button.addEventListener("click", () => {
        if (mode === "flicker") keys[" "]();
        else setMode(mode);
      });
      return button;
    }));
    fillMetrics();
    listenToPointer();
    listenToKeys();
    element("before").addEventListener("click", () => goTo(state.frame - 1));
    element("after").addEventListener("click", () => goTo(state.frame + 1));
    element("worst").addEventListener("click", () => goToWorst(1));
    element("frame").addEventListener("change", () => goTo(Math.floor(Number(input("frame").value)) || 0));
    element("by").addEventListener("change", () => {
      state.rank = -1;
      fillRanks();
    });
    element("fit").addEventListener("click", () => setZoom(0));
    element("one").addEventListener("click", () => setZoom(1));
    element("in").addEventListener("click", () => setZoom(currentScale() * 2));
    element("out").addEventListener("click", () => setZoom(currentScale() / 2));
    element("help").addEventListener("click", keys["?"]);
    setMode(modes().some(([m]) => m === state.mode) ? state.mode : "distorted");
    goTo(state.frame);
    followScores();
  }

  start().catch(error => { element("trouble").textContent = String(error.message || error); });
})();
