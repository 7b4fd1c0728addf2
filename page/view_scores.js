// Scores as they come, and their curves.
"use strict";

/** @type {Output[]} */
let outputs = [];
/** @type {Curve[]} */
let curves = [];
const pressed = new Set();
let numbers = new Float64Array(1024), count = 0;
let scored = false; // all of them are there

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

/** @type {Gate[]} */
let gates = [];

/** @param {Output[]} found */
function addOutputs(found) {
  outputs = found;
  curves = outputs.map(o => {
    const values = new Float64Array(1024);
    return {name: o.name, unit: o.unit, low: values, high: values, gates: gates.filter(g => g.score === o.name).map(g => g.limit)};
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
  gates = answer.gates;
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
  timeline.scenes = answer.scenes.slice(1).map((/** @type {number[]} */ s) => s[0]);
  fillGates();
  fillRanks();
  fillRange();
  fillStrip();
}

function fillGates() {
  element("gates").replaceChildren(...gates.flatMap(g => {
    const mark = make("span", g.outcome ? `Gate ${g.outcome}: ` : "Gate: ");
    mark.className = !g.outcome ? "faint" : g.outcome === "passed" ? "good" : "bad";
    const value = g.outcome ? ` is ${formatNumber(Number(g.value))} and` : "";
    return [mark, `${g.score} (${g.pool})${value} fails ${g.fails} ${g.limit}. `];
  }));
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
      if (whole) scored = true;
      if (whole) fillRanks();
      if (whole) return;
      if (count >= answer.frames) await new Promise(resolve => setTimeout(resolve, 250));
    } catch (error) {
      element("progress").textContent = `The server does not answer: ${error instanceof Error ? error.message : error}`;
      await new Promise(resolve => setTimeout(resolve, 2000));
    }
  }
}
