// Loads maps of the shown frame, and draws them in colours.
"use strict";

/** @type {MapData | null} */
let map = null;
let inputTime = 0; // time at which the user moved a slider; 0: none is pending
let mapTook = 0; // ms from the request of the latest map to its picture
const needsMap = () => state.mode === "map" || state.mode === "overlay";
const metricText = () => {
  const options = Object.entries(changed).map(([k, v]) => `${k}=${v}`).join(":");
  return options ? `${state.metric}=${options}` : state.metric;
};
const mapKey = (/** @type {number} */ frame) => `${frame},${metricText()},${state.map},${state.encode}`;

/** Returns the map of the shown frame and encode; null: it is not loaded. */
const mapShown = () => map && map.frame === shownFrame && map.encode === state.encode ? map : null;

function wantMap() {
  if (!needsMap() || !state.metric || shownFrame < 0 || player.playing) return;
  if (map && map.key === mapKey(shownFrame)) draw();
  else loadMap({frame: shownFrame, since: inputTime || performance.now()});
}

/** @param {number} frame @returns {Promise<MapData>} */
async function askMap(frame) {
  const key = mapKey(frame), {encode} = state,
    query = new URLSearchParams({encode: String(encode), frame: String(frame), metric: metricText(), map: state.map});
  const buffer = await (await ask(`map?${query}`)).arrayBuffer(), length = new DataView(buffer).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  return {...head, key, frame, encode, low: Number(head.low), high: Number(head.high),
    data: new Float32Array(buffer, 4 + length)};
}

/** @param {MapData} made */
function setMap(made) {
  map = made;
  derived.delete("map");
  derived.delete("overlay");
  if (!(state.top > 0)) chooseTop();
}

const loadMap = newestOf(async ({frame, since}) => {
  const slow = window.setTimeout(() => {
    element("waiting").textContent = `map of frame ${frame} …`;
    element("waiting").hidden = gone || shownFrame !== frame || !needsMap();
  }, 300);
  try {
    setMap(await askMap(frame));
  } catch (error) {
    map = null;
    derived.clear();
    throw error;
  } finally {
    clearTimeout(slow);
    element("waiting").hidden = true;
    if (inputTime <= since) inputTime = 0;
  }
  drawNow();
  mapTook = performance.now() - since;
  canvas.dataset.map = /** @type {MapData} */ (map).key;
  fillValues();
});

/** Fills in the scores of the frame with the map's options. */
function fillValues() {
  element("values").replaceChildren(make("tbody", ...Object.entries(map?.values ?? {})
    .slice(0, Object.keys(changed).length ? 64 : 0).map(([name, value]) => {
    const output = outputs.find(o => o.name === name);
    const cell = make("td", numberText(output ?? PLAIN, value));
    const title = make("td", output?.title ?? name);
    title.title = name;
    return make("tr", title, cell);
  })));
}

// ---- The top of the scale

/** Sets the top of the scale to the 99th percentile of the current map's values. */
function chooseTop() {
  if (!map) return;
  const step = Math.max(1, Math.floor(map.data.length / 65536)), sizes = [];
  for (let i = 0; i < map.data.length; i += step) if (Number.isFinite(map.data[i])) sizes.push(Math.abs(map.data[i]));
  sizes.sort((a, b) => a - b);
  const top = sizes[Math.floor(0.99 * (sizes.length - 1))];
  state.top = top > 0 ? Number(niceStep(top, [1, 1.5, 2, 3, 4, 5, 6, 8, 10]).toPrecision(3)) : 1;
  if (map.low >= 0 && Number.isFinite(map.high) && map.unit !== "JND") state.top = Math.min(state.top, map.high);
  writeAddress();
  fillTop();
}

const TOP_LEAST = 1e-3, TOP_MOST = 1e4;

function fillTop() {
  input("top").value = String(Math.log((state.top || 1) / TOP_LEAST) / Math.log(TOP_MOST / TOP_LEAST));
  const text = state.top > 0 ? `${formatTop(state.top)}${map?.unit ? ` ${map.unit}` : ""}` : "automatic";
  element("topnow").textContent = text;
  input("top").setAttribute("aria-valuetext", text);
}

const formatTop = (/** @type {number} */ value) => String(Number(value.toPrecision(3)));

function listenToTop() {
  input("top").addEventListener("input", () => {
    state.top = Number((TOP_LEAST * (TOP_MOST / TOP_LEAST) ** Number(input("top").value)).toPrecision(2));
    fillTop();
    derived.delete("map");
    derived.delete("overlay");
    if (!needsMap()) setMode("overlay");
    writeAddress();
    draw();
  });
}

// ---- Colours

/** @typedef {{image: ImageData, on: OffscreenCanvas}} Sheet */
/** @type {Map<boolean, Sheet>} */
// canvases that maps reuse, because allocating memory takes longer than colouring
const sheets = new Map();

/** @param {boolean} over @param {number} width @param {number} height @returns {Sheet} */
function sheetOf(over, width, height) {
  let sheet = sheets.get(over);
  if (sheet?.image.width !== width || sheet.image.height !== height) {
    sheet = {image: new ImageData(width, height), on: new OffscreenCanvas(width, height)};
    sheets.set(over, sheet);
  }
  return sheet;
}

/** Draws the map with the arithmetic of `fovea map` for its overlay. @param {boolean} over over the gray picture */
function mapPicture(over) {
  const distorted = shown[1], of = sideOf(1), map = mapShown();
  if (!map || !distorted || !of) return null;
  const {image, on} = sheetOf(over, of.width, of.height), to = new Uint32Array(image.data.buffer),
    luma = distorted.planes[0];
  const shift = of.depth - 8, colours = Uint8Array.from(clip.colours), {data, width, height} = map;
  const whole = new Uint32Array(Uint8Array.from({length: 1024},
    (_, i) => (i & 3) === 3 ? 255 : colours[3 * (i >> 2) + (i & 3)]).buffer);
  const columns = Int32Array.from({length: of.width}, (_, x) => Math.floor(x * width / of.width));
  const low = map.low < 0 ? 0 : map.low, sign = map.low < 0, scale = state.top > low ? 1 / (state.top - low) : 0;
  for (let y = 0, at = 0; y < of.height; y++) {
    const row = Math.floor(y * height / of.height) * width;
    for (let x = 0; x < of.width; x++, at++) {
      const stored = data[row + columns[x]], value = ((sign ? Math.abs(stored) : stored) - low) * scale;
      const share = value > 0 ? value < 1 ? Math.fround(value) : 1 : 0, code = (share * 255 + 0.5) | 0;
      if (!over) {
        to[at] = whole[code];
        continue;
      }
      const part = 0.85 * (share < 0.6 ? share / 0.6 : 1), gray = luma[at] >> shift, colour = 3 * code;
      const red = (gray + part * (colours[colour] - gray) + 0.5) | 0,
        green = (gray + part * (colours[colour + 1] - gray) + 0.5) | 0;
      to[at] = pixel(red, green, (gray + part * (colours[colour + 2] - gray) + 0.5) | 0);
    }
  }
  /** @type {OffscreenCanvasRenderingContext2D} */ (on.getContext("2d")).putImageData(image, 0, 0);
  return on;
}

/** @param {string} metric */
const labelOf = metric => clip.metrics.find((/** @type {Metric} */ m) => m.name === metric)?.label ?? metric;

/** Returns the map's title with its unit: "Visible difference, JND". */
function mapTitle() {
  const metric = metricOf(), info = metric?.maps.find(m => m.name === state.map);
  if (!metric || !info) return "";
  const name = info === metric.maps[0] ? metric.label : `${metric.label}: ${info.help}`;
  return info.unit ? `${name}, ${info.unit}` : name;
}

/** Returns the labels of the legend, each with its position in [0, 1]. @returns {[number, string][]} */
function legendTicks() {
  const low = Math.max(0, map?.low ?? 0), share = (1 - low) / (state.top - low);
  /** @type {[number, string][]} */
  const ticks = [[0, formatTop(low)], [1, `${formatTop(state.top)}${map && state.top < map.high ? "+" : ""}`]];
  if (map?.unit === "JND" && share >= 0.02 && share < 0.6) ticks.push([share, "1 just seen"]);
  return ticks;
}

let legendKey = "";

function fillLegend() {
  const on = needsMap() && mapShown()?.key === mapKey(shownFrame);
  element("legend").hidden = !on;
  const key = `${mapTitle()},${state.top},${map?.low},${map?.high}`;
  if (!on || key === legendKey) return;
  legendKey = key;
  element("legendname").textContent = mapTitle();
  const context = /** @type {HTMLCanvasElement} */ (element("colours")).getContext("2d");
  if (context) paintColours(context, 0, 0, 256, 1);
  element("scale").replaceChildren(...legendTicks().map(([share, text]) => {
    const tick = make("span", text);
    if (share === 1) tick.style.right = "0";
    else tick.style.left = share ? `max(${(100 * share).toFixed(1)}%, 24px)` : "0";
    return tick;
  }));
}

/** @param {CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D} context @param {number} x @param {number} y
 * @param {number} width @param {number} height */
function paintColours(context, x, y, width, height) {
  for (let i = 0; i < 256; i++) {
    context.fillStyle = `rgb(${clip.colours.slice(3 * i, 3 * i + 3).join()})`;
    context.fillRect(x + i * width / 256, y, width / 256 + 0.5, height);
  }
}
