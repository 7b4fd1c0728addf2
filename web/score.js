"use strict";
// Formats scores and times, for reports and the viewer.

/** What fv_output_json writes.
 * @typedef {{name: string, title: string, brief: string, text: string, unit: string | null, scale: string | null,
 * factor: number, decimals: number, better: string, sequence: boolean, shown: string, bound: string | null, grades:
 * {from: number | null, level: number, word: string}[], by: string | null, source: string | null, rule_of_thumb:
 * boolean}} Score */

/**
 * Returns the verdict on a value: level 1 to 5, the best, or 0 without a verdict.
 * @param {Score} score @param {number} value @returns {{level: number, word: string}}
 */
function verdictOf(score, value) {
  /** @type {Score["grades"][0] | null} */
  let grade = null;
  if (typeof value === "number" && !Number.isNaN(value))
    for (const one of score.grades)
      if (one.from === null || value >= one.from) grade = one;
  if (!grade || (score.bound === "at most" && grade.level === 5) || (score.bound === "at least" && grade.level === 1))
    return { level: 0, word: "" };
  return { level: grade.level, word: (score.bound ? score.bound + " " : "") + grade.word };
}

/**
 * Returns a number of a report, in which JSON stores values that are not finite as texts.
 * @param {any} value @returns {number}
 */
function realOf(value) {
  return typeof value !== "string" ? value ?? NaN : value === "inf" ? Infinity : value === "-inf" ? -Infinity : NaN;
}

/**
 * Formats a value without its unit: two or four decimals, four digits for small values, a true minus sign.
 * @param {{factor: number, decimals: number}} score @param {any} value
 */
function numberText(score, value) {
  const v = realOf(value) * score.factor;
  if (Number.isNaN(v)) return "–";
  if (!Number.isFinite(v)) return v > 0 ? "∞" : "−∞";
  const small = v !== 0 && Math.abs(v) < 0.1;
  const text = small ? Number(v.toPrecision(4)).toString() : v.toFixed(score.decimals);
  return text.replace("-", "−");
}

/** Formats a value with its unit. @param {Score} score @param {any} value */
function scoreText(score, value) {
  const text = numberText(score, value);
  return score.unit && text !== "–" ? `${text} ${score.unit}` : text;
}

/**
 * Formats a presentation time as m:ss.cc, or h:mm:ss.cc from an hour on.
 * @param {number} seconds @param {number} decimals at most 2
 */
function clockText(seconds, decimals = 2) {
  const parts = 10 ** decimals, all = Math.round(seconds * parts), s = Math.floor(all / parts);
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  const hours = Math.floor(s / 3600), minutes = Math.floor(s / 60) % 60;
  return (hours ? `${hours}:${two(minutes)}` : `${minutes}`) + `:${two(s % 60)}` +
    (decimals ? `.${String(all % parts).padStart(decimals, "0")}` : "");
}

/**
 * Formats an SMPTE time code as fv_timecode_write() does.
 * @param {{frame: number, base: number, drop: boolean}} timecode @param {number} places frames to add
 */
function timecodeText({ frame, base, drop }, places) {
  const skip = drop ? base / 15 : 0, of = (/** @type {number} */ minutes) => minutes * 60 * base - skip *
    (minutes - Math.ceil(minutes / 10));
  const day = of(1440), at = ((frame + places) % day + day) % day, two = (/** @type {number} */ n) => String(n)
    .padStart(2, "0");
  let minute = Math.floor(at / (60 * base));
  while (of(minute + 1) <= at) minute++;
  const rest = at - of(minute) + (minute % 10 ? skip : 0);
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}:${two(Math.floor(rest / base))}${drop ? ";"
    : ":"}${two(rest % base)}`;
}

/**
 * Returns the least product of a step and a power of ten that is at least `least`.
 * @param {number} least @param {number[]} steps
 */
function niceStep(least, steps = [1, 2, 5, 10]) {
  const power = 10 ** Math.floor(Math.log10(least));
  return steps.map(n => n * power).find(step => step >= least * 0.999) || power;
}

/**
 * Makes a meter of five bars, of which `level` are filled. It is hidden from screen readers, which read the word.
 * @param {number} level
 */
function gradeMeter(level) {
  const meter = document.createElement("span");
  meter.className = "meter";
  meter.setAttribute("aria-hidden", "true");
  for (let i = 1; i <= 5; i++) {
    const bar = document.createElement("i");
    if (i <= level) bar.className = "on";
    meter.append(bar);
  }
  return meter;
}
