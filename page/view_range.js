// A range of frames and its pooled scores, by the same library as the pooled scores of the clip.
"use strict";

const POOLS = ["mean", "min", "p5", "median", "max", "stddev"];

/** @type {string} */
let pooledOf = ""; // the range that the table has

const loadRange = newestOf(async key => {
  const [from, to] = key.split(",").map(Number);
  const answer = await (await ask(`pool?from=${from}&count=${to - from + 1}`)).json();
  const at = POOLS.map(p => answer.pools.indexOf(p));
  const number = (/** @type {string} */ tag, /** @type {string} */ text, /** @type {string} */ exact) => {
    const cell = make(tag, text);
    cell.className = "number";
    cell.dataset.value = exact;
    return cell;
  };
  const head = make("thead", make("tr", make("th", "score"), ...POOLS.map(p => number("th", p, ""))));
  element("pooled").replaceChildren(head, make("tbody", ...Object.entries(answer.scores).map(([name, values]) =>
    make("tr", make("td", name), ...at.map(i => number("td", formatNumber(Number(values[i])), String(values[i])))))));
  element("pooled").dataset.range = key;
});

/** Asks for the values of the range, where it has scores. */
function fillRange() {
  const chosen = state.from >= 0 && count > 0;
  const from = chosen ? placeFrom(state.from) : 0, to = chosen ? placeOf(state.to) : 0;
  const has = chosen && from <= to && numbers[from] >= state.from && numbers[to] <= state.to;
  timeline.range = has ? [from, to] : null;
  element("range").hidden = state.from < 0;
  element("pooled").hidden = !has;
  element("ranged").textContent = state.from < 0 ? "" :
    has ? `Frames ${numbers[from]} to ${numbers[to]}, ${to - from + 1} with scores:` : "No frame of this range has scores yet.";
  const key = has ? `${from},${to}` : "";
  if (key !== pooledOf && has) loadRange(key);
  pooledOf = key;
  timeline.draw();
}

/** The first place from a frame on. @param {number} frame */
function placeFrom(frame) {
  const place = placeOf(frame);
  return numbers[place] < frame && place + 1 < count ? place + 1 : place;
}

/** @param {number} from @param {number} to frames; -1: no range */
function setRange(from, to) {
  [state.from, state.to] = from < 0 ? [-1, -1] : [Math.min(from, to), Math.max(from, to)];
  writeAddress();
  fillRange();
}

const beginRange = () => setRange(state.frame, state.to >= state.frame ? state.to : Math.max(state.frame, lastFrame()));
const endRange = () => setRange(state.from >= 0 && state.from <= state.frame ? state.from : 0, state.frame);

// ---- Scenes

/** Places at which scenes begin, and behind the last one. */
const bordersOf = () => [0, ...timeline.scenes, count];

/** @param {number} by */
function goToScene(by) {
  const begins = bordersOf().slice(0, -1), here = placeOf(state.frame);
  const found = by > 0 ? begins.find(p => p > here) : begins.filter(p => p < here).pop();
  if (found !== undefined && count) goTo(numbers[found]);
}

function chooseScene() {
  const borders = bordersOf(), here = placeOf(state.frame), next = borders.findIndex(p => p > here);
  if (next > 0) setRange(numbers[borders[next - 1]], numbers[borders[next] - 1]);
}

function listenToRange() {
  element("from").addEventListener("click", beginRange);
  element("to").addEventListener("click", endRange);
  element("scene").addEventListener("click", chooseScene);
  element("whole").addEventListener("click", () => setRange(-1, -1));
  timeline.onRange = (a, b) => { if (count) setRange(numbers[Math.min(a, count - 1)], numbers[Math.min(b, count - 1)]); };
}
