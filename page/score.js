"use strict";
/*
 * Scores in words and numbers, for both pages. A score is what fv_output_json writes: name, title, brief, text, unit,
 * scale, factor, decimals, better, sequence, shown, bound, grades, source, rule_of_thumb.
 */

/* {level, word}: level 5 is the best, 0 no verdict. */
function verdictOf(score, value) {
  let grade = null;
  if (typeof value === "number" && !Number.isNaN(value))
    for (const one of score.grades)
      if (one.from === null || value >= one.from) grade = one;
  const empty = !grade || (score.bound === "at most" && grade.level === 5) || (score.bound === "at least" && grade.level === 1);
  return empty ? { level: 0, word: "" } : { level: grade.level, word: (score.bound ? score.bound + " " : "") + grade.word };
}

/* Reports write values that are not finite as texts. */
function realOf(value) {
  return typeof value === "string" ? { inf: Infinity, "-inf": -Infinity }[value] ?? NaN : value ?? NaN;
}

/* The number alone: two or four decimals, four digits of small ones, a true minus sign. */
function numberText(score, value) {
  const v = realOf(value) * score.factor;
  if (Number.isNaN(v)) return "–";
  if (!Number.isFinite(v)) return v > 0 ? "∞" : "−∞";
  const small = v !== 0 && Math.abs(v) < 0.1;
  const text = small ? Number(v.toPrecision(4)).toString() : v.toFixed(score.decimals);
  return text.replace("-", "−");
}

/* With its unit. */
function scoreText(score, value) {
  const text = numberText(score, value);
  return score.unit && text !== "–" ? `${text} ${score.unit}` : text;
}

/* Presentation time as m:ss.cc, with hours where there are some. */
function clockText(seconds) {
  const hundredths = Math.round(seconds * 100), s = Math.floor(hundredths / 100);
  const two = (n) => String(n).padStart(2, "0");
  const hours = Math.floor(s / 3600), minutes = Math.floor(s / 60) % 60;
  return (hours ? `${hours}:${two(minutes)}` : `${minutes}`) + `:${two(s % 60)}.${two(hundredths % 100)}`;
}

/* Five bars, of which `level` are filled; the word stands next to it. */
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
