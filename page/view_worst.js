// Worst frames.
"use strict";

/** Places of the worst frames, none next to another. @returns {number[]} */
function worstPlaces() {
  const i = Number(/** @type {HTMLSelectElement} */ (element("by")).value), curve = curves[i];
  if (!curve || !count) return [];
  if (outputs[i].better === "neither") return [];
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
      button.prepend(thumbOf(numbers[p]));
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
