// Worst moments: frames that are worse than their neighbours by the drawn score.
"use strict";

/** @type {number[]} */
let moments = []; // places of worst frames of segments, first frames of other events, other worst frames
const MOMENTS = 8;

/** Returns places of the worst frames, some distance from each other. @returns {number[]} */
function worstPlaces() {
  const output = drawnOutput(), curve = curves[drawnIndex()];
  if (!curve || !output || !count || output.better === "neither") return [];
  const sign = output.better === "higher" ? 1 : -1,
    apart = Math.max(1, Math.min(Math.floor(rateOf()) || 25, Math.floor(count / 16)));
  /** @type {number[]} */
  const found = [];
  for (let n = 0; n < MOMENTS; n++) {
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
    const found = segmentsShown(),
      isFree = (/** @type {number} */ frame) => !found.some(s => frame >= s.first && frame <= s.last);
    const named = [...found.flatMap(s => s.shots.map(({worst_frame: frame}) =>
      ({place: placeOf(frame), word: s.word, says: `the worst of a segment that is ${s.word}`}))),
    ...(lastAnswer?.events ?? []).filter((/** @type {{first: number}} */ e) => isFree(e.first))
      .map((/** @type {{first: number, kind: string, text: string}} */ e) =>
        ({place: placeOf(e.first), word: e.kind, says: e.text}))];
    const free = worstPlaces().filter(place => isFree(numbers[place]) && !named.some(n => n.place === place));
    moments = [...named.map(n => n.place), ...free].slice(0, MOMENTS);
    timeline.marks = moments;
    timeline.draw();
    const ranks = element("ranks"), focused = ranks.contains(document.activeElement)
      ? /** @type {HTMLElement} */ (document.activeElement).dataset.key : undefined;
    ranks.replaceChildren(...moments.map((place, i) => {
      const value = output ? numberText(output, curve.values[place]) : "", frame = numbers[place],
        time = timeOf(frame);
      const button = make("button", make("span", time || String(frame)),
        styled("span", "faint", named[i]?.word ?? ""), styled("span", "value", value));
      button.dataset.frame = button.dataset.key = String(frame);
      button.title =
        `Frame ${frame}${time && `, ${time}`}: ${output?.title} ${value}${named[i] ? `, ${named[i].says}` : ""}`;
      button.setAttribute("aria-label", button.title);
      button.addEventListener("click", () => goTo(visited = frame));
      button.prepend(thumbOf(frame));
      return button;
    }));
    if (focused) /** @type {HTMLElement | null} */ (ranks.querySelector(`[data-key="${focused}"]`))?.focus();
    fillRank();
  }, scored ? 50 : 300);
}

function fillRank() {
  const at = moments.findIndex(place => numbers[place] === state.frame);
  element("rank").textContent = at >= 0 ? `Worst ${at + 1} of ${moments.length}` : moments.length
    ? `${moments.length} worst` : "";
  const ranks = element("ranks");
  for (const button of /** @type {Iterable<HTMLElement>} */ (ranks.children)) {
    const here = button.dataset.frame === String(state.frame);
    if (here && button.getAttribute("aria-current") === "false") bringIntoView(ranks, button);
    button.setAttribute("aria-current", String(here));
  }
  rove(ranks, button => button.dataset.frame === String(state.frame));
}

/** Scrolls the list to an item, without scrolling the page. @param {HTMLElement} list @param {HTMLElement} item */
function bringIntoView(list, item) {
  const box = list.getBoundingClientRect(), of = item.getBoundingClientRect();
  list.scrollTop += Math.min(0, of.top - box.top) + Math.max(0, of.bottom - box.bottom);
  list.scrollLeft += Math.min(0, of.left - box.left) + Math.max(0, of.right - box.right);
}

let visited = -1; // frame of the latest moment to which the user went

/**
 * Goes to another moment, counted from the latest one if it is still shown, else from the worst.
 * @param {number} by
 */
function goToWorst(by) {
  const frames = moments.map(place => numbers[place]), from = visited === state.frame ? frames.indexOf(visited) : -1;
  if (!frames.length) return;
  let at = from < 0 ? (by > 0 ? 0 : frames.length - 1) : (from + by + frames.length) % frames.length;
  if (frames[at] === state.frame) at = (at + by + frames.length) % frames.length;
  goTo(visited = frames[at]);
}
