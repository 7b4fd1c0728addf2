// Shows the scores of the shown encode as they arrive: their table, and the curve of one score.
"use strict";

/**
 * The scores of an encode so far. scored: all scores have arrived; complete: they cover the whole video.
 * @typedef {{outputs: Output[], curves: Curve[], numbers: Float64Array, count: number, scored: boolean, complete:
 * boolean, answer: any, sums: number[], means: number[], tails: number[], times: Float64Array}} Track tails, times:
 * pooled worst 5 % of each output, and times of the frames; empty until `scored`
 */
/** @type {Track[]} */
let tracks = []; // one track per encode

// Members of the track of the shown encode:
/** @type {Output[]} */
let outputs = [];
/** @type {Curve[]} */
let curves = [];
let numbers = new Float64Array(1), count = 0;
let scored = false, complete = false;
/** @type {any} */
let lastAnswer = null;
/** @type {number[]} */
let means = [];
/** @type {Gate[]} */
let gates = [];

/** @returns {Track} */
const newTrack = () => ({outputs: [], curves: [], numbers: new Float64Array(1024), count: 0, scored: false,
  complete: false, answer: null, sums: [], means: [], tails: [], times: new Float64Array(0)});
const trackShown = () => tracks[state.encode - 1];

/**
 * @param {number} frame
 * @returns {number} the place, among frames with scores, of this frame or of the last one before it
 */
function placeOf(frame, of = {numbers, count}) {
  let low = 0, high = of.count;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (of.numbers[middle] <= frame) low = middle;
    else high = middle;
  }
  return low;
}

/** Returns the place of exactly this frame; -1: it has no scores. @param {number} frame */
function scoredPlace(frame) {
  const place = placeOf(frame);
  return place < count && numbers[place] === frame ? place : -1;
}

/** Returns the number of the frame at a place, also of a frame without scores so far. @param {number} place */
function frameOfPlace(place) {
  const step = count > 1 ? numbers[1] - numbers[0] : 1;
  return place < count ? numbers[place] : (count ? numbers[count - 1] : -step) + (place - count + 1) * step;
}

/** Returns the place of a frame on the time axis, also of a frame without scores. @param {number} frame */
function placeInTime(frame) {
  if (!count || frame <= numbers[count - 1]) return Math.min(timeline.length - 1, placeOf(frame));
  const step = count > 1 ? numbers[1] - numbers[0] : 1;
  return Math.min(timeline.length, count + Math.round((frame - numbers[count - 1]) / step)) - 1;
}

/**
 * Converts a place to a time: that in the file once it is known, else by the frame rate. Frames that are missing in
 * the file have no place.
 * @param {number} place may lie within a frame @returns {number} seconds since the first frame
 */
function secondsAt(place) {
  const times = trackShown()?.times, each = (count > 1 ? numbers[1] - numbers[0] : 1) / rateOf();
  if (!times?.length) return place * each;
  const at = Math.max(0, Math.min(times.length - 1, Math.floor(place))), next = at + 1 < times.length ? times[at + 1]
    : times[at] + each;
  return times[at] - startTime + (place - at) * (next - times[at]);
}

/** Converts a time, as secondsAt() returns it, to a place. @param {number} seconds @returns {number} */
function placeAt(seconds) {
  let low = 0, high = timeline.length;
  for (let i = 0; i < 64 && high - low > 1e-3; i++) {
    const middle = (low + high) / 2;
    if (secondsAt(middle) <= seconds) low = middle;
    else high = middle;
  }
  return low;
}

const drawnIndex = () => Math.max(0, outputs.findIndex(o => o.name === state.score));
const drawnOutput = () => /** @type {Output | undefined} */ (outputs[drawnIndex()]);

const timeline = new Plot(/** @type {HTMLCanvasElement} */ (element("timeline")), {
  choose: place => goTo(frameOfPlace(place)),
  range: (a, b) => setRange(frameOfPlace(a), frameOfPlace(b)),
  look: () => {
    drawPlayhead();
    fillStrip();
  },
  time: (seconds, decimals) => clockText(startTime + seconds, decimals),
  seconds: secondsAt,
  placeAt,
  rate: () => clip ? rateOf() / (count > 1 ? numbers[1] - numbers[0] : 1) : 0,
  hover: hoverOver,
  segment: i => loopSegment(i),
});

// ---- The table

/** @type {Map<number, {row: HTMLElement, now: HTMLElement, clip: HTMLElement, grade: HTMLElement, last: string}>} */
const rows = new Map();
let allRows = false;

function fillRows() {
  const listed = outputs.map((o, i) => i), first = listed.filter(i => outputs[i].shown === "first");
  const some = first.length ? first : listed.slice(0, 8);
  rows.clear();
  element("scores").replaceChildren(...(allRows ? listed : some).map(i => {
    const output = outputs[i], button = make(output.sequence ? "span" : "button", output.brief);
    button.dataset.key = output.name;
    const now = styled("td", "now"), whole = styled("td", "clip"), grade = make("td");
    const title = make("td", button, output.unit ? styled("span", "faint", `, ${output.unit}`) : "");
    const row = make("tr", title, now, whole, grade);
    if (!output.sequence) row.dataset.score = output.name;
    row.title = [`${output.title}: ${output.text}`, output.scale, output.name, output.source &&
      `Grades: ${output.source}${output.rule_of_thumb ? " (a rule of thumb)" : ""}`].filter(Boolean).join("\n");
    if (!output.sequence) row.addEventListener("click", () => drawScore(output.name));
    rows.set(i, {row, now, clip: whole, grade, last: ""});
    return row;
  }));
  element("more").hidden = listed.length <= some.length;
  element("more").textContent = allRows ? "The usual scores" : `All ${listed.length} scores`;
  element("more").setAttribute("aria-expanded", String(allRows));
  select("by").replaceChildren(...listed.filter(i => !outputs[i].sequence).map(i => {
    const option = make("option", outputs[i].title);
    option.setAttribute("value", outputs[i].name);
    option.title = outputs[i].name;
    return option;
  }));
}

/** @param {string} name */
function drawScore(name) {
  timeline.curve = null;
  timeline.draw();
  if (!outputs.length) return;
  state.score = outputs.some(o => o.name === name && !o.sequence) ? name : outputs.find(o => !o.sequence)?.name ?? "";
  const output = drawnOutput(), curve = curves[drawnIndex()];
  if (!output) return;
  select("by").value = state.score;
  for (const [i, {row}] of rows) {
    row.classList.toggle("on", outputs[i] === output);
    row.querySelector("button")?.setAttribute("aria-pressed", String(outputs[i] === output));
  }
  rove(element("scores"), button => button.dataset.key === state.score);
  timeline.curve = curve;
  fillOthers();
  writeAddress();
  timeline.draw();
  movePlayhead();
  fillSegments();
  fillRanks();
}

/** Fills in everything on the page that depends on the frame. */
function fillNow() {
  const frame = state.frame, place = scoredPlace(frame), output = drawnOutput(), last = lastFrame();
  element("clock").textContent = timeOf(frame);
  if (document.activeElement !== input("frame") || !player.playing) input("frame").value = String(frame);
  element("lastframe").textContent = last >= 0 ? `/ ${last}` : "";
  const first = outputs.findIndex(o => o.grades.length > 0 && !o.sequence), verdict = first >= 0 &&
    place >= 0 ? verdictOf(outputs[first], curves[first].values[place]) : null;
  element("verdict").textContent = verdict?.level ? `this frame: ${verdict.word}, by ${outputs[first].title}` : "";
  for (const [i, cells] of rows) {
    const value = outputs[i].sequence ? means[i] ?? NaN : place >= 0 ? curves[i].values[place] : NaN,
      grade = verdictOf(outputs[i], value);
    const text = outputs[i].sequence ? "" : place >= 0 ? numberText(outputs[i], value) : "not scored",
      mean = means[i] === undefined ? "" : numberText(outputs[i], means[i]);
    if (cells.last === `${text},${mean}`) continue;
    cells.last = `${text},${mean}`;
    cells.now.textContent = text;
    cells.now.classList.toggle("faint", place < 0);
    cells.clip.textContent = mean;
    cells.grade.replaceChildren(...(grade.level ? [gradeMeter(grade.level),
      styled("span", "unseen", grade.word)] : []));
    cells.grade.title = grade.word;
  }
  movePlayhead();
  fillRank();
  const value = output && place >= 0 ? `, ${output.title} ${numberText(output, curves[drawnIndex()].values[place])}`
    : ", not scored";
  element("timeline").setAttribute("aria-valuenow", String(placeInTime(frame)));
  element("timeline").setAttribute("aria-valuetext",
    `frame ${frame}${timeOf(frame) && `, ${timeOf(frame)}`}${value}`);
}

/** Brings the frame into view and moves the playhead there. */
function movePlayhead() {
  if (!clip) return;
  timeline.follow(placeInTime(state.frame));
  drawPlayhead();
}

/** Draws the playhead at the frame, without moving the view. */
function drawPlayhead() {
  if (!clip) return;
  const x = timeline.xOf(placeInTime(state.frame) + 0.5), head = element("playhead");
  const value = timeline.curve && scoredPlace(state.frame) >= 0 ? timeline.curve.values[placeOf(state.frame)] : NaN;
  head.hidden = x < PLOT_LEFT - 1 || x > PLOT_LEFT + timeline.width() + 1;
  head.style.transform = `translateX(${x.toFixed(1)}px)`;
  if (timeline.curve && !Number.isNaN(value))
    head.style.setProperty("--dot", `${(timeline.yOf(value, timeline.curve) - 8).toFixed(1)}px`);
  else head.style.setProperty("--dot", "-99px");
}

// ---- Receiving scores

/** @param {Track} track @param {any} answer */
function addOutputs(track, answer) {
  track.outputs = answer.outputs;
  track.curves = track.outputs.map(o => ({name: o.name, values: new Float64Array(track.numbers.length), count: 0,
    decimals: o.decimals, factor: o.factor,
    least: realOf(o.least), most: realOf(o.most),
    grades: o.grades.map(g => ({from: g.from ?? -Infinity, word: g.word})),
    gates: answer.gates.filter((/** @type {Gate} */ g) => g.score === o.name)
    .map((/** @type {Gate} */ g) => realOf(g.limit))}));
  track.sums = track.outputs.map(() => 0);
}

/** @param {Track} track @param {any} answer */
function takeScores(track, answer) {
  track.answer = answer;
  if (!track.outputs.length && answer.outputs.length) addOutputs(track, answer);
  const end = answer.from + answer.count;
  if (end > track.numbers.length) {
    const grow = (/** @type {Float64Array} */ old) => {
      const made = new Float64Array(2 * end);
      made.set(old);
      return made;
    };
    track.numbers = grow(track.numbers);
    for (const curve of track.curves) curve.values = grow(curve.values);
  }
  track.numbers.set(realsOf(answer.numbers), answer.from);
  answer.values.forEach((/** @type {string} */ text, /** @type {number} */ i) => {
    const values = realsOf(text);
    track.curves[i].values.set(values, answer.from);
    for (const value of values) track.sums[i] += value;
  });
  track.count = Math.max(track.count, end);
  for (const curve of track.curves) curve.count = track.count;
  if (!track.scored) track.means = track.sums.map(sum => track.count ? sum / track.count : NaN);
  if (track === trackShown()) showTrack();
  else fillOthers();
  fillEncodes();
}

/**
 * Returns the score that is drawn unless another is chosen: the one of the verdict, if it has a value per frame.
 * @param {Output[]} all
 * @param {number} headline
 * @returns {Output | undefined}
 */
function firstScore(all, headline) {
  const known = all.filter(o => !o.sequence);
  return known.find(o => o === all[headline]) ?? known.find(o => o.shown === "first" && o.grades.length) ?? known[0];
}

/** Shows all that is known about the shown encode. */
function showTrack() {
  const track = trackShown(), other = outputs !== track.outputs, {answer} = track;
  ({outputs, curves, numbers, count, scored, complete, means, answer: lastAnswer} = track);
  gates = answer?.gates ?? [];
  total = answer?.total ?? -1;
  startTime = Number.isFinite(answer?.start) ? answer.start : 0;
  element("app").classList.toggle("still", isStill()); // may become known here only
  fillPair();
  // the address may name a frame after the end, since the length was unknown
  if (answer?.ended && !player.playing && lastFrame() >= 0 && state.frame > lastFrame()) goTo(lastFrame());
  timeline.setCount(count, Math.max(...tracks.map(t => Math.max(t.count, t.answer?.total ?? 0)),
    ...(answer?.ended ? [] : [lastFrame() + 1])));
  if (other) {
    fillRows();
    drawScore(state.score || firstScore(outputs, answer?.headline)?.name || "");
  }
  timeline.scenes = (answer?.scenes ?? []).slice(1).map((/** @type {number[]} */ s) => s[0]);
  for (const button of document.querySelectorAll("[data-act=scene]"))
    /** @type {HTMLElement} */ (button).hidden = !timeline.scenes.length;
  fillSegments();
  fillRanks();
  fillRange();
  fillStatus();
  fillNow();
}

/** Loads the pooled scores of the clip, as they are in the report. @param {Track} track */
async function takeMeans(track) {
  const answer = await (await ask(`pool?encode=${tracks.indexOf(track) + 1}&from=0&count=${track.count}`)).json(),
    at = answer.pools.indexOf("mean");
  track.means = track.outputs.map((o, i) => o.sequence ? realOf(track.answer.outputs[i].whole)
    : realOf(answer.scores[o.name][at]));
  track.tails = track.outputs.map(o => o.sequence ? NaN
    : realOf(answer.scores[o.name][answer.pools.indexOf(o.better === "lower" ? "p95" : "p5")]));
  track.times = realsOf((await (await ask(`times?encode=${tracks.indexOf(track) + 1}`)).json()).times);
  fillEncodes();
  if (track !== trackShown()) return;
  means = track.means;
  timeline.draw();
  fillRanks();
  fillNow();
}

const WARNING = "M8 2l6.5 11.5h-13zM8 6.5v3.5M8 12v.1", TICK = "M3 8.5l3.5 3.5L13 4.5";

function fillStatus() {
  if (!lastAnswer) {
    element("progress").textContent = "not scored yet";
    return;
  }
  const answer = lastAnswer, total = answer.total >= 0 ? ` of ${answer.total}` : "",
    failed = gates.filter(g => g.outcome && g.outcome !== "passed").length;
  const parts = [];
  if (!scored) parts.push(`scored ${answer.frames}${total}`);
  else if (answer.message && answer.frames) parts.push(`${answer.frames}${total} frames, then: ${answer.message}`);
  else if (answer.message && !isSeveral()) parts.push(`not scored: ${answer.message}`);
  if (scored && gates.some(g => g.outcome))
    parts.push(failed ? `${failed} gate${failed > 1 ? "s" : ""} failed` : "Gates passed");
  if (scored && answer.decisions.length)
    parts.push(`${answer.decisions.length} note${answer.decisions.length > 1 ? "s" : ""}`);
  const refused = clip.encodes.map((/** @type {Encode} */ e, /** @type {number} */ i) =>
    ({name: e.name, why: refusalOf(i)})).filter((/** @type {{why: string | null}} */ e) => e.why !== null);
  if (refused.length) parts.push(`${refused.length} encode${refused.length > 1 ? "s" : ""} refused`);
  const bar = /** @type {HTMLProgressElement} */ (element("bar"));
  bar.hidden = scored || answer.total < 0;
  [bar.value, bar.max] = [answer.frames, Math.max(1, answer.total)];
  element("progress").textContent = parts.join(", ") || `${answer.frames} frames scored`;
  element("status").hidden = false;
  const bad = refused.length > 0 || (scored && (failed > 0 || answer.message));
  element("status").className = bad ? "status bad" : "status";
  element("status").title = element("progress").textContent ?? "";
  element("status").setAttribute("aria-label", element("progress").textContent ?? "");
  element("statusmark").setAttribute("d", bad ? WARNING : scored ? TICK : "");
  element("whole").textContent = scored && complete ? "clip" : "so far";
  const item = (/** @type {string} */ mark, /** @type {(Node | string)[]} */ ...text) => make("li", mark,
    make("span", ...text));
  element("gates").replaceChildren(...(answer.message && scored && (answer.frames || !isSeveral())
    ? [item("✕", styled("b", "bad", "Partial: "), answer.message)] : []),
    ...refused.map((/** @type {{name: string, why: string}} */ e) => item("✕",
      styled("b", "bad", `${e.name} is refused: `), e.why)), ...gates.map(g => {
    const output = outputs.find(o => o.name === g.score), pass = g.outcome === "passed",
      title = output?.title ?? g.score;
    const value = g.outcome && output ? ` is ${numberText(output, g.value)}` : "";
    return item(!g.outcome ? "…" : pass ? "✓" : "✕",
      styled("b", g.outcome && !pass ? "bad" : "", !g.outcome ? "Gate: " : `Gate ${g.outcome}: `),
      `${title}, ${g.pool}${value}; fails ${g.fails} ${g.limit}`);
  }));
  element("decisions").replaceChildren(...answer.decisions.map((/** @type {string} */ d) => item("·", d)));
}

const ALIVE_MS = 1500;

/** Requests the new scores of an encode. @param {Track} track @returns {Promise<number>} ms to wait */
async function followTrack(track) {
  const answer = await (await ask(`scores?encode=${tracks.indexOf(track) + 1}&from=${track.count}`)).json();
  if (track.scored) return ALIVE_MS;
  const whole = answer.ended && track.count + answer.count >= answer.frames;
  track.scored = whole;
  track.complete = whole && !answer.message;
  takeScores(track, answer);
  if (whole && track.count) await takeMeans(track);
  return whole ? ALIVE_MS : track.count < answer.frames ? 0 : player.playing ? 1000 : 250;
}

/** Requests new scores until all have arrived, and then checks that the server still answers. */
async function followScores() {
  for (;;) {
    let wait = ALIVE_MS;
    const open = tracks.filter((track, i) => !track.scored && !clip.encodes[i].refused);
    try {
      for (const track of open.length ? open : [trackShown()]) wait = Math.min(wait, await followTrack(track));
      setTrouble("", "scores");
    } catch (error) {
      setTrouble(reasonOf(error), "scores");
    }
    await new Promise(resolve => setTimeout(resolve, wait));
  }
}
