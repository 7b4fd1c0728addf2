// Several encodes of one reference: which of them is shown, their table, and their curves below the one that is drawn.
"use strict";

const isSeveral = () => clip.encodes.length > 1;

/** The number of the encode of an address, or of the first that is not refused. @param {number} number */
const goodEncode = number => clip.encodes[number - 1] && !clip.encodes[number - 1].refused ? number
  : 1 + clip.encodes.findIndex((/** @type {Encode} */ e) => !e.refused);

/** Everything that follows shows this encode. @param {number} number */
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

/** Its picture is asked for before it is shown, so that one follows the other at once, also while they play. */
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

/** @param {number} by */
function goToEncode(by) {
  const all = clip.encodes.length;
  for (let i = 1; i < all; i++) {
    const number = 1 + (state.encode - 1 + by * i + all * i) % all;
    if (!clip.encodes[number - 1].refused) {
      chooseEncode(number);
      return;
    }
  }
}

/** The names in the head of the page, and its title. */
function fillPair() {
  const {reference, distorted} = clip, name = reference ? `${distorted.name} against ${reference.name}` : distorted.name;
  document.title = `${name} · fovea`;
  const about = `  ${distorted.width}×${distorted.height}${rateOf() ? ` · ${rateText(rateOf())} fps` : ""}`;
  element("chosen").textContent = isSeveral() ? "" : distorted.name;
  element("pair").replaceChildren(...(reference ? [" against ", make("b", reference.name)] : []), styled("span", "faint", about));
  element("pair").title = `${name}\n${distorted.codec}, ${distorted.describe}\nfovea ${clip.version}, numerics version ${clip.numerics_version}`;
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

/** Up to three scores, with the one that is drawn. @returns {string[]} */
function ladderScores() {
  const all = outputs.filter(o => !o.sequence), first = all.filter(o => o.shown === "first"), names = (first.length ? first : all).slice(0, 3).map(o => o.name);
  return names.includes(state.score) || !all.some(o => o.name === state.score) ? names : [...names.slice(0, 2), state.score];
}

/** The names without the words that all begin and end with. @returns {string[]} */
function shortNames() {
  const names = clip.encodes.map((/** @type {Encode} */ e) => e.name), [first] = names;
  const all = (/** @type {(name: string) => boolean} */ rule) => names.every((/** @type {string} */ name) => rule(name));
  let from = 0, end = 0;
  while (from < first.length && all(name => name[from] === first[from])) from++;
  while (end < first.length && all(name => name.length > end && name[name.length - 1 - end] === first[first.length - 1 - end])) end++;
  while (from && /[\p{L}\p{N}]/u.test(first[from - 1])) from--;
  while (end && /[\p{L}\p{N}]/u.test(first[first.length - end])) end--;
  return all(name => name.length > from + end) ? names.map((/** @type {string} */ name) => name.slice(from, name.length - end)) : names;
}

/** The pooled scores of all encodes. */
function fillEncodes() {
  if (!isSeveral()) return;
  const names = ladderScores(), short = shortNames(), focused = element("ladder").contains(document.activeElement) ? document.activeElement?.textContent : null;
  element("pools").textContent = tracks.every((t, i) => (t.scored && t.means.length) || clip.encodes[i].refused) ? "means" : "means so far";
  element("ladder").replaceChildren(make("thead", make("tr", make("th", "Encode"), ...names.map(name => {
    const output = /** @type {Output} */ (outputs.find(o => o.name === name)), head = make("th", output.brief.split(",")[0]);
    head.title = output.title;
    return head;
  }))), make("tbody", ...clip.encodes.map((/** @type {Encode} */ encode, /** @type {number} */ i) => {
    const button = /** @type {HTMLButtonElement} */ (make("button", make("kbd", String(i + 1)), short[i])), name = make("td", button), {outputs: own, means: pooled, answer} = tracks[i];
    button.setAttribute("aria-pressed", String(i + 1 === state.encode));
    button.title = encode.name;
    button.disabled = encode.refused !== null;
    const failed = (answer?.gates ?? []).filter((/** @type {Gate} */ g) => g.outcome && g.outcome !== "passed").length;
    if (encode.refused) {
      name.append(styled("span", "why", encode.refused));
      name.title = encode.refused;
      name.setAttribute("colspan", String(names.length + 1));
      return make("tr", name);
    }
    if (failed) name.append(styled("span", "why", `${failed} gate${failed > 1 ? "s" : ""} failed`));
    if (answer?.ended && answer.message) name.append(styled("span", "why", answer.message));
    const row = make("tr", name, ...names.map(score => {
      const at = own.findIndex(o => o.name === score);
      return make("td", at < 0 || pooled[at] === undefined ? "" : numberText(own[at], pooled[at]));
    }));
    row.dataset.encode = String(i + 1);
    row.className = i + 1 === state.encode ? "on" : "";
    row.addEventListener("click", () => chooseEncode(i + 1));
    if (focused === button.textContent) setTimeout(() => button.focus());
    return row;
  })));
}

/** The curves of the other encodes, by the frames of the one that is shown. */
function fillOthers() {
  const others = tracks.map((track, i) => ({track, label: String(i + 1), curve: track.curves.find(c => c.name === state.score)}))
    .filter(({track, curve}) => track !== trackShown() && curve && track.count);
  timeline.others = others.map(({track, label, curve}) =>
    ({curve: /** @type {Curve} */ (curve), label, at: place => placeIn(track, frameOfPlace(place))}));
  timeline.label = isSeveral() ? String(state.encode) : "";
  timeline.draw();
  movePlayhead();
}

/** Behind its last one: nowhere. @param {Track} track @param {number} frame */
const placeIn = (track, frame) => frame > track.numbers[track.count - 1] ? track.count : placeOf(frame, track);
