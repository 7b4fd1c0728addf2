// Shows the verdict's sentence above the picture, and the bad segments with buttons that loop them.
"use strict";

/** @typedef {{score: string, first: number, last: number, start: number, end: number, low_seconds: number, mean:
 * number, word: string, worst: number, worst_frame: number, cause: string | null, shots: {worst_frame: number}[]}}
 * Segment */

const verdictNow = () => lastAnswer?.verdict ?? null;

/** Returns the bad segments of the score that represents the clip, and of the drawn score. @returns {Segment[]} */
const segmentsShown = () => (verdictNow()?.segments ?? [])
  .filter((/** @type {Segment} */ s) => s.score === verdictNow().score || s.score === state.score);

/**
 * Returns the frames to loop; segments below a second get a quarter of a second more on both sides.
 * @param {Segment} segment @returns {number[]}
 */
function loopOf({first, last, start, end}) {
  const more = end - start < 1 ? Math.round(0.25 * (rateOf() || 25)) : 0;
  return [Math.max(0, first - more), Math.min(lastFrame() >= 0 ? lastFrame() : last, last + more)];
}

/** Returns whether the segment is the range. @param {Segment} segment */
function isRange(segment) {
  const [from, to] = loopOf(segment);
  return state.from === from && state.to === to;
}

/** Loops a segment, alternating between reference and encode. A second call stops it. @param {number} i */
function loopSegment(i) {
  const segment = segmentsShown()[i];
  if (!segment) return;
  if (player.playing && isRange(segment)) {
    pause();
    return;
  }
  const [from, to] = loopOf(segment);
  Object.assign(state, {loop: 1, ab: Number(clip.reference !== null)});
  setRange(from, to);
  goTo(from);
  play(1);
}

/** @param {Segment} segment */
const spanOf = ({first, last, start, end}) => rateOf() ? `${clockText(start, 1)} to ${clockText(end, 1)}`
  : `frames ${first} to ${last}`;
/** @param {Segment} segment */
const lengthOf = ({start, end}) => `${(end - start).toFixed(end - start < 1 ? 2 : 1)} s`;

function fillSegments() {
  const found = segmentsShown(), focused = element("segments").contains(document.activeElement)
    ? /** @type {HTMLElement} */ (document.activeElement).dataset.key : undefined;
  element("segmented").hidden = !found.length;
  timeline.setSegments(
    found.map(s => ({from: placeInTime(s.first), to: placeInTime(s.last), text: `${s.word} ${lengthOf(s)}`})));
  element("segments").replaceChildren(...found.map((s, i) => {
    const output = /** @type {Output} */ (outputs.find(o => o.name === s.score)), button = make("button");
    const said =
      `${output.brief.split(",")[0]} ${numberText(output, s.mean)}, worst ${numberText(output, s.worst)}${s.cause
        ? `, ${s.cause}` : ""}`;
    button.dataset.key = String(i);
    button.setAttribute("aria-label", `Loop ${s.word} ${spanOf(s)}`);
    button.addEventListener("click", () => loopSegment(i));
    return make("li", thumbOf(s.worst_frame), styled("b", "", `${capital(s.word)} ${spanOf(s)}`),
      styled("span", "faint", said), button);
  }));
  if (focused !== undefined)
    /** @type {HTMLElement | null} */ (element("segments").querySelector(`[data-key="${focused}"]`))?.focus();
  fillLoops();
  fillSaid();
}

/** Marks the segment that plays. */
function fillLoops() {
  const found = segmentsShown(), on = player.playing ? found.findIndex(isRange) : -1;
  element("segments").querySelectorAll("button").forEach((button, i) => {
    button.setAttribute("aria-pressed", String(i === on));
    button.textContent = i === on ? "Stop" : "↻ Loop";
    button.parentElement?.classList.toggle("on", isRange(found[i]));
  });
  rove(element("segments"), button => button.dataset.key === String(found.findIndex(isRange)));
  element("loopit").hidden = !found.length;
  element("loopit").setAttribute("aria-pressed", String(on === 0));
  element("loopit").textContent = on === 0 ? "Stop" : clip.reference ? "Loop it in A/B" : "Loop it";
  timeline.looped = found.findIndex(isRange);
  timeline.draw();
}

const ALERTS = ["not scored", "partial", "not comparable", "gate failed"];

/** Fills in the sentence; its beginning is an alert if something failed. */
function fillSaid() {
  const verdict = verdictNow(), text = verdict?.sentence ??
    (lastAnswer?.ended ? `Not scored: ${lastAnswer.message}` : "");
  const harm = verdict?.kind === "checked" && lastAnswer?.checked === "fail";
  const alert = verdict ? harm || ALERTS.includes(verdict.kind) : text !== "";
  const end = alert ? text.search(/[:,] /) : -1;
  const meter = verdict && ["but", "word"].includes(verdict.kind) && verdict.level ? [gradeMeter(verdict.level)] : [];
  element("sentence").replaceChildren(...(text ? alert ? [styled("b", "bad", end < 0 ? text : text.slice(0, end)),
    end < 0 ? "" : text.slice(end)] : [make("b", text)]
    : [styled("span", "faint",
      lastAnswer?.frames
      ? `Scoring, ${lastAnswer.frames}${lastAnswer.total >= 0 ? ` of ${lastAnswer.total}` : ""} frames so far`
      : "Scoring")]));
  element("sentence").title = text;
  element("level").replaceChildren(...meter);
}
