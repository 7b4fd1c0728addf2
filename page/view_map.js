// Maps of the frame that is shown, and their colours.
"use strict";

/** @type {MapData | null} */
let map = null;
let inputTime = 0; // when the user moved a slider
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

/** @typedef {{image: ImageData, on: OffscreenCanvas}} Sheet */
/** @type {Map<boolean, Sheet>} */
const sheets = new Map(); // which maps are drawn on one after the other, as fresh memory costs more than their colours

/** @param {boolean} over @param {number} width @param {number} height @returns {Sheet} */
function sheetOf(over, width, height) {
  let sheet = sheets.get(over);
  if (sheet?.image.width !== width || sheet.image.height !== height) {
    sheet = {image: new ImageData(width, height), on: new OffscreenCanvas(width, height)};
    sheets.set(over, sheet);
  }
  return sheet;
}

/** By the same steps as fovea map's overlay. @param {boolean} over the picture in gray */
function mapPicture(over) {
  const distorted = shown[1], of = sideOf(1);
  if (!map || map.frame !== shownFrame || !distorted || !of) return null;
  const {image, on} = sheetOf(over, of.width, of.height), to = new Uint32Array(image.data.buffer), luma = distorted.planes[0];
  const shift = of.depth - 8, colours = Uint8Array.from(clip.colours), {data, width, height} = map;
  const whole = new Uint32Array(Uint8Array.from({length: 1024}, (_, i) => (i & 3) === 3 ? 255 : colours[3 * (i >> 2) + (i & 3)]).buffer);
  const columns = Int32Array.from({length: of.width}, (_, x) => Math.floor(x * width / of.width));
  const low = map.low < 0 ? 0 : map.low, sign = map.low < 0, scale = map.high > low ? 1 / (map.high - low) : 0;
  for (let y = 0, at = 0; y < of.height; y++) {
    const row = Math.floor(y * height / of.height) * width;
    for (let x = 0; x < of.width; x++, at++) {
      const stored = data[row + columns[x]], value = ((sign ? Math.abs(stored) : stored) - low) * scale;
      const share = value > 0 ? value < 1 ? Math.fround(value) : 1 : 0, code = (share * 255 + 0.5) | 0;
      if (!over) {
        to[at] = whole[code];
        continue;
      }
      const part = 0.75 * (share < 0.125 ? 8 * share : 1), gray = luma[at] >> shift, colour = 3 * code;
      const red = (gray + part * (colours[colour] - gray) + 0.5) | 0, green = (gray + part * (colours[colour + 1] - gray) + 0.5) | 0;
      to[at] = pixel(red, green, (gray + part * (colours[colour + 2] - gray) + 0.5) | 0);
    }
  }
  /** @type {OffscreenCanvasRenderingContext2D} */ (on.getContext("2d")).putImageData(image, 0, 0);
  return on;
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
