// Shows a range of frames and its pooled scores, which the library computes as it does for the clip.
"use strict";

let pooledOf = ""; // the range whose scores are in the table

const loadRange = newestOf(async key => {
  const [from, to] = key.split(",").map(Number);
  const answer = await (await ask(`pool?encode=${state.encode}&from=${from}&count=${to - from + 1}`)).json();
  const cell = (/** @type {string} */ pool, /** @type {Output} */ output, /** @type {any[]} */ values) => {
    const at = answer.pools.indexOf(pool), made = make("td", numberText(output, values[at]));
    made.dataset.value = String(values[at]);
    made.dataset.pool = pool;
    return made;
  };
  const head = make("thead", make("tr", ...["Score", "mean", "worst 5 %", "worst"].map(text => {
    const made = make("th", text);
    made.setAttribute("scope", "col");
    return made;
  })));
  const listed = outputs.filter((o, i) => rows.has(i) && answer.scores[o.name]);
  element("pooled").replaceChildren(head, make("tbody", ...listed.map(o => {
    const up = o.better !== "lower", tail = answer.pools.includes("p95") ? "p95" : "max", title = make("td", o.title);
    title.dataset.score = o.name;
    return make("tr", title,
      ...["mean", up ? "p5" : tail, up ? "min" : "max"].map(pool => cell(pool, o, answer.scores[o.name])));
  })));
  element("pooled").dataset.range = key;
});

/** Requests the pooled scores of the range, if it has scores. */
function fillRange() {
  const chosen = state.from >= 0 && count > 0;
  const from = chosen ? placeFrom(state.from) : 0, to = chosen ? placeOf(state.to) : 0;
  const has = chosen && from <= to && numbers[from] >= state.from && numbers[to] <= state.to;
  timeline.range = state.from < 0 ? null : [placeInTime(state.from), placeInTime(state.to)];
  element("range").hidden = state.from < 0;
  element("pooled").hidden = !has;
  element("ranged").textContent = state.from < 0 ? ""
    : `Frames ${state.from} to ${state.to}${has ? "" : ": not scored yet"}`;
  const key = has ? `${from},${to}` : "";
  if (key !== pooledOf && has) loadRange(key);
  pooledOf = key;
  fillLoops();
}

/** Returns the first place at or after a frame. @param {number} frame */
function placeFrom(frame) {
  const place = placeOf(frame);
  return numbers[place] < frame && place + 1 < count ? place + 1 : place;
}

/** @param {number} from @param {number} to last frame; -1: no range */
function setRange(from, to) {
  [state.from, state.to] = from < 0 ? [-1, -1] : [Math.min(from, to), Math.max(from, to)];
  writeAddress();
  fillRange();
}

const beginRange = () => setRange(state.frame, state.to >= state.frame ? state.to : Math.max(state.frame,
  lastFrame()));
const endRange = () => setRange(state.from >= 0 && state.from <= state.frame ? state.from : 0, state.frame);

// ---- Scenes

/** Returns the places at which scenes begin, and the place after the last frame. */
const bordersOf = () => [0, ...timeline.scenes, count];

/** @param {number} by */
function goToScene(by) {
  const begins = bordersOf().slice(0, -1), here = placeOf(state.frame);
  const found = by > 0 ? begins.find(p => p > here) : begins.filter(p => p < here).pop();
  if (found !== undefined && count) goTo(numbers[found]);
}

function chooseScene() {
  const scenes = bordersOf(), here = placeOf(state.frame), next = scenes.findIndex(p => p > here);
  if (next > 0) setRange(numbers[scenes[next - 1]], numbers[scenes[next] - 1]);
}
