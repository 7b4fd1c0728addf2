// Worst moments: frames that are worse than their neighbours, by the score that is drawn.
"use strict";

/** @type {number[]} */
let moments = []; // places

/** None next to another. @returns {number[]} */
function worstPlaces() {
  const output = drawnOutput(), curve = curves[drawnIndex()];
  if (!curve || !output || !count || output.better === "neither") return [];
  const sign = output.better === "higher" ? 1 : -1, apart = Math.max(1, Math.min(Math.floor(rateOf()) || 25, Math.floor(count / 16)));
  /** @type {number[]} */
  const found = [];
  for (let n = 0; n < 8; n++) {
    let worst = -1;
    for (let p = 0; p < count; p++) {
      const value = curve.values[p];
      if (Number.isNaN(value) || (worst >= 0 && sign * value >= sign * curve.values[worst])) continue;
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
    const output = drawnOutput(), curve = curves[drawnIndex()];
    moments = worstPlaces();
    timeline.marks = moments;
    timeline.draw();
    element("ranks").replaceChildren(...moments.map(place => {
      const value = output ? numberText(output, curve.values[place]) : "", frame = numbers[place], time = timeOf(frame);
      const button = make("button", make("span", time || String(frame)), styled("span", "value", value));
      button.dataset.frame = String(frame);
      button.title = `Frame ${frame}${time && `, ${time}`}: ${output?.title} ${value}`;
      button.setAttribute("aria-label", button.title);
      button.addEventListener("click", () => goTo(visited = frame));
      button.prepend(thumbOf(frame));
      return button;
    }));
    fillRank();
  }, scored ? 50 : 300);
}

function fillRank() {
  const at = moments.findIndex(place => numbers[place] === state.frame);
  element("rank").textContent = at >= 0 ? `Worst ${at + 1} of ${moments.length}` : moments.length ? `${moments.length} worst` : "";
  for (const button of element("ranks").children)
    button.setAttribute("aria-current", String(/** @type {HTMLElement} */ (button).dataset.frame === String(state.frame)));
}

let visited = -1; // the frame of the moment that was gone to last

/** From the one that was gone to last, if it is still shown; else it begins with the worst. @param {number} by */
function goToWorst(by) {
  const frames = moments.map(place => numbers[place]), from = visited === state.frame ? frames.indexOf(visited) : -1;
  if (!frames.length) return;
  let at = from < 0 ? (by > 0 ? 0 : frames.length - 1) : (from + by + frames.length) % frames.length;
  if (frames[at] === state.frame) at = (at + by + frames.length) % frames.length;
  goTo(visited = frames[at]);
}
