// Maps of the frame that is shown, and their colours.
"use strict";

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
