// Several encodes of one reference: selects the one to show, and fills their table and their curves.
"use strict";

const isSeveral = () => clip.encodes.length > 1;

/**
 * Returns `number` if that encode exists and is not refused, else the number of the first that is not refused.
 * @param {number} number
 */
const goodEncode = number => clip.encodes[number - 1] && !clip.encodes[number - 1].refused ? number
  : 1 + clip.encodes.findIndex((/** @type {Encode} */ e) => !e.refused);

/** Makes an encode the one that is shown. @param {number} number */
function takeEncode(number) {
  state.encode = number;
  ({reference: clip.reference, distorted: clip.distorted} = clip.encodes[number - 1]);
  map = null;
  pooledOf = "";
  setShown([null, null], -1);
  fillPair();
  showTrack();
  fillEncodes();
}

/** Shows an encode after its picture has arrived, so that the page changes at once, also during playback. */
const chooseEncode = newestOf(async number => {
  if (number === state.encode || number !== goodEncode(number)) return;
  const {playing, direction} = player;
  pause();
  const frame = state.frame;
  await Promise.allSettled([0, 1].map(side => loadPicture(side, frame, number)));
  takeEncode(number);
  setFrame(state.frame);
  fillView();
  fillNow();
  const pair = [0, 1].map(side => pictures.get(`${number},${side},${state.frame}`) ?? null);
  if (pair[1] && (pair[0] || !clip.reference)) setShown(pair, state.frame);
  draw();
  showFrame(state.frame);
  if (playing) play(direction);
});

/** Goes to an encode in the order of the table. @param {number} by */
function goToEncode(by) {
  const order = byRate().filter(i => !clip.encodes[i].refused), at = order.indexOf(state.encode - 1);
  chooseEncode(1 + order[(at + by + order.length) % order.length]);
}

/** Fills the names at the top of the page, and its title. */
function fillPair() {
  const {reference, distorted} = clip, name = reference ? `${distorted.name} against ${reference.name}`
    : distorted.name;
  document.title = `${name} · fovea`;
  const about =
    `  ${distorted.width}×${distorted.height}${rateOf() && !isStill() ? ` · ${rateText(rateOf())} fps` : ""}`;
  element("chosen").textContent = isSeveral() ? "" : distorted.name;
  element("pair").replaceChildren(...(reference ? [" against ", make("b", reference.name)] : []),
    styled("span", "faint", about));
  element("pair").title =
    `${name}\n${distorted.codec}, ${distorted.describe}\nfovea ${clip.version}, numerics version ${
      clip.numerics_version}`;
  select("encode").value = String(state.encode);
}

function listenToEncodes() {
  element("encodes").hidden = select("encode").hidden = !isSeveral();
  select("encode").replaceChildren(...clip.encodes.map((/** @type {Encode} */ e, /** @type {number} */ i) => {
    const option = /** @type {HTMLOptionElement} */ (make("option", `${i + 1}  ${e.name}`));
    [option.value, option.disabled] = [String(i + 1), e.refused !== null];
    return option;
  }));
  select("encode").addEventListener("change", () => chooseEncode(Number(select("encode").value)));
}

/**
 * Returns the score whose means are in the table: the score that is drawn, if it has a value per frame.
 * @returns {Output | undefined}
 */
function ladderScore() {
  const track = outputs.length ? trackShown() : tracks.find(t => t.outputs.length);
  return track && (track.outputs.find(o => !o.sequence && o.name === state.score) ??
    firstScore(track.outputs, track.answer?.headline));
}

/** Returns the encodes by ascending bit rate, then those of unknown rate, then refused ones. @returns {number[]} */
function byRate() {
  const rank = (/** @type {number} */ i) => isRefused(i) ? Infinity : realOf(tracks[i].answer?.bit_rate) || 1e300;
  return tracks.map((_, i) => i).sort((a, b) => rank(a) - rank(b) || a - b);
}

/** Returns the reason why an encode has no scores; null: it has or may get some. @param {number} i */
const refusalOf = i => clip.encodes[i].refused ?? (tracks[i].scored && !tracks[i].count ? tracks[i].answer.message ||
  "It has no frames." : null);
const isRefused = (/** @type {number} */ i) => refusalOf(i) !== null;

/** Formats a bit rate with three digits. @param {number} bits a second */
function bitsText(bits) {
  if (!(bits > 0)) return "";
  const [value, unit] = bits >= 1e6 ? [bits / 1e6, "Mb/s"] : [bits / 1e3, "kb/s"];
  return `${value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)} ${unit}`;
}

/**
 * Shortens a name in the middle, since names of encodes differ at their ends.
 * @param {string} name @param {number} most
 */
const middleCut = (name, most) => name.length <= most ? name
  : `${name.slice(0, Math.ceil(most / 2) - 1)}…${name.slice(name.length - Math.floor(most / 2))}`;

/** Returns the names without their common first and last words. @returns {string[]} */
function shortNames() {
  const names = clip.encodes.map((/** @type {Encode} */ e) => e.name), [first] = names;
  const all = (/** @type {(name: string) => boolean} */ rule) =>
    names.every((/** @type {string} */ name) => rule(name));
  let from = 0, end = 0;
  while (from < first.length && all(name => name[from] === first[from])) from++;
  while (end < first.length &&
    all(name => name.length > end && name[name.length - 1 - end] === first[first.length - 1 - end])) end++;
  while (from && /[\p{L}\p{N}]/u.test(first[from - 1])) from--;
  while (end && /[\p{L}\p{N}]/u.test(first[first.length - end])) end--;
  return all(name => name.length > from + end)
    ? names.map((/** @type {string} */ name) => name.slice(from, name.length - end)) : names;
}

/** Fills the table of all encodes with bit rates and scores. */
function fillEncodes() {
  if (!isSeveral()) return;
  const score = ladderScore(), short = shortNames(), table = element("ladder");
  const focused = table.contains(document.activeElement)
    ? /** @type {HTMLElement} */ (document.activeElement).dataset.key : undefined;
  element("pools").textContent = tracks.every((t, i) => isRefused(i) || (t.scored && t.means.length)) ? "means"
    : "means so far";
  const heads = ["Encode", "Bit rate", score?.brief.split(",")[0] ?? "", "worst 5 %"].map(text => {
    const head = make("th", text);
    head.setAttribute("scope", "col");
    return head;
  });
  heads[2].title = score?.title ?? "";
  table.replaceChildren(make("thead", make("tr", ...heads)),
    make("tbody", ...byRate().map(i => rowOf(i, score, short[i]))));
  rove(table, button => Number(button.dataset.key) === state.encode);
  if (focused) /** @type {HTMLElement | null} */ (table.querySelector(`[data-key="${focused}"]`))?.focus();
}

/** @param {number} i @param {Output | undefined} score @param {string} short */
function rowOf(i, score, short) {
  const encode = clip.encodes[i], {outputs: own, means: pooled, tails, answer, count: frames} = tracks[i],
    refusal = refusalOf(i);
  const button = /** @type {HTMLButtonElement} */ (make("button", make("kbd", String(i + 1)), middleCut(short, 12))),
    name = make("td", button);
  button.setAttribute("aria-pressed", String(i + 1 === state.encode));
  button.title = [encode.name, answer?.verdict?.sentence].filter(Boolean).join("\n");
  button.dataset.key = String(i + 1);
  button.disabled = encode.refused !== null;
  if (refusal !== null) {
    name.append(styled("span", "why", refusal));
    name.title = refusal;
    name.setAttribute("colspan", "4");
    return make("tr", name);
  }
  const failed = (answer?.gates ?? []).filter((/** @type {Gate} */ g) => g.outcome && g.outcome !== "passed").length,
    at = own.findIndex(o => o.name === score?.name);
  if (failed) name.append(styled("span", "why", `${failed} gate${failed > 1 ? "s" : ""} failed`));
  if (answer?.ended && answer.message)
    name.append(styled("span", "why",
      `${frames}${answer.total >= 0 ? ` of ${answer.total}` : ""} frames: ${answer.message}`));
  const value = (/** @type {number | undefined} */ v) => make("td",
    at < 0 || v === undefined ? "" : numberText(own[at], v));
  const row = make("tr", name, make("td", bitsText(realOf(answer?.bit_rate))), value(pooled[at]), value(tails[at]));
  row.dataset.encode = String(i + 1);
  row.className = i + 1 === state.encode ? "on" : "";
  row.title = answer?.verdict?.sentence ?? "";
  row.addEventListener("click", () => chooseEncode(i + 1));
  return row;
}

/** Draws the curves of the other encodes at the frames of the shown encode. */
function fillOthers() {
  const others =
    tracks.map((track, i) => ({track, label: String(i + 1), curve: track.curves.find(c => c.name === state.score)}))
    .filter(({track, curve}) => track !== trackShown() && curve && track.count);
  timeline.others = others.map(({track, label, curve}) =>
    ({curve: /** @type {Curve} */ (curve), label, at: place => placeIn(track, frameOfPlace(place))}));
  timeline.label = isSeveral() ? String(state.encode) : "";
  timeline.draw();
  drawPlayhead();
}

/**
 * Returns the place of a frame in another track; the track's count, which is no place, for a frame after its last.
 * @param {Track} track @param {number} frame
 */
const placeIn = (track, frame) => frame > track.numbers[track.count - 1] ? track.count : placeOf(frame, track);
