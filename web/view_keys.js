// The actions of keys and buttons.
"use strict";

/** @type {Record<string, {keys: string[], text: string, act: (key: string) => void}>} */
const ACTIONS = {
  play: {keys: [" "], text: "Play, pause", act: () => { if (player.playing) pause(); else play(); }},
  back: {keys: ["ArrowLeft"], text: "One frame back", act: () => goTo(state.frame - 1)},
  on: {keys: ["ArrowRight"], text: "One frame on", act: () => goTo(state.frame + 1)},
  secondback: {keys: ["Shift+ArrowLeft"], text: "One second back",
    act: () => goTo(state.frame - Math.round(rateOf() || 25))},
  secondon: {keys: ["Shift+ArrowRight"], text: "One second on",
    act: () => goTo(state.frame + Math.round(rateOf() || 25))},
  first: {keys: ["Home"], text: "First frame", act: () => goTo(0)},
  last: {keys: ["End"], text: "Last frame", act: () => { if (lastFrame() >= 0) goTo(lastFrame()); }},
  backward: {keys: ["j"], text: "Play backward, again: faster", act: () => shuttle(-1)},
  stop: {keys: ["k"], text: "Stop", act: pause},
  forward: {keys: ["l"], text: "Play forward, again: faster", act: () => shuttle(1)},
  slower: {keys: ["<"], text: "Slower", act: () => changeSpeed(-1)},
  faster: {keys: [">"], text: "Faster", act: () => changeSpeed(1)},
  loop: {keys: ["R"], text: "Repeat the range, or all", act: () => {
    state.loop = Number(!state.loop);
    fillPlay();
    writeAddress();
  }},
  ab: {keys: ["x"], text: "A/B: reference and encode in turn, one pass each", act: switchTurns},
  worst: {keys: ["w"], text: "Next segment or worst moment", act: () => goToWorst(1)},
  lessbad: {keys: ["W"], text: "Segment or worst moment before", act: () => goToWorst(-1)},
  segment: {keys: ["q"], text: "Loop the worst segment in A/B", act: () => loopSegment(0)},
  sceneback: {keys: [","], text: "Scene before (--scenes)", act: () => goToScene(-1)},
  sceneon: {keys: ["."], text: "Next scene", act: () => goToScene(1)},
  from: {keys: ["("], text: "The range begins here", act: beginRange},
  to: {keys: [")"], text: "The range ends here", act: endRange},
  scene: {keys: ["c"], text: "The range is this scene", act: chooseScene},
  norange: {keys: ["C"], text: "No range", act: () => setRange(-1, -1)},
  distorted: {keys: ["d"], text: "Encode", act: () => setMode("distorted")},
  encode: {keys: ["1", "2", "3", "4", "5", "6", "7", "8", "9"], text: "Encode of this number",
    act: key => chooseEncode(Number(key))},
  nextencode: {keys: ["n"], text: "Next encode", act: () => goToEncode(1)},
  encodebefore: {keys: ["N"], text: "Encode before", act: () => goToEncode(-1)},
  reference: {keys: ["r"], text: "Reference", act: () => setMode("reference")},
  other: {keys: ["a"], text: "The other video, while held", act: () => hold(true)},
  both: {keys: ["b"], text: "Side by side", act: () => setMode("both")},
  split: {keys: ["s"], text: "Split", act: () => setMode("split")},
  splitleft: {keys: ["["], text: "Split to the left", act: () => setSplit(state.split - 0.02)},
  splitright: {keys: ["]"], text: "Split to the right", act: () => setSplit(state.split + 0.02)},
  flicker: {keys: ["t"], text: "Flicker", act: () => setMode("flicker")},
  difference: {keys: ["v"], text: "Difference", act: () => setMode("difference")},
  map: {keys: ["m"], text: "Map", act: () => setMode("map")},
  overlay: {keys: ["o"], text: "Map on picture", act: () => setMode("overlay")},
  fit: {keys: ["f"], text: "The whole picture", act: () => setZoom(0)},
  one: {keys: ["g"], text: "One sample a pixel", act: () => setZoom(1)},
  larger: {keys: ["+", "="], text: "Larger", act: () => setZoom(place().scale * 1.5)},
  smaller: {keys: ["-"], text: "Smaller", act: () => setZoom(place().scale / 1.5)},
  lens: {keys: ["z"], text: "Magnifier", act: switchLens},
  left: {keys: ["H"], text: "Move to the left", act: () => move(-60 / place().scale, 0)},
  right: {keys: ["L"], text: "Move to the right", act: () => move(60 / place().scale, 0)},
  up: {keys: ["K"], text: "Move up", act: () => move(0, -60 / place().scale)},
  down: {keys: ["J"], text: "Move down", act: () => move(0, 60 / place().scale)},
  timein: {keys: ["i"], text: "Less time in the curve", act: () => timeline.zoom(0.5)},
  timeout: {keys: ["u"], text: "More time in the curve", act: () => timeline.zoom(2)},
  alltime: {keys: ["0"], text: "All of the time", act: () => timeline.look(0, timeline.length)},
  panel: {keys: ["p"], text: "Side panel", act: togglePanel},
  region: {keys: ["F6"], text: "Next part of the page", act: () => goToRegion(1)},
  regionback: {keys: ["Shift+F6"], text: "Part of the page before", act: () => goToRegion(-1)},
  leave: {keys: ["Escape"], text: "Leave the field, the magnifier, the range", act: leave},
  export: {keys: ["e"], text: "Save the picture as PNG", act: () => { exportPicture(); }},
  command: {keys: ["y"], text: "Copy a command that shows this", act: () => { copyCommand(); }},
  sheet: {keys: ["?"], text: "All keys", act: () => dialog("keys").showModal()},
};

const NAMES = new Map([[" ", "space"], ["ArrowLeft", "←"], ["ArrowRight", "→"], ["ArrowUp", "↑"], ["ArrowDown", "↓"],
  ["-", "−"]]);
const keyName = (/** @type {string} */ key) => key.split(/(?<=.)\+(?=.)/).map(part => NAMES.get(part) ?? part)
  .join(" ");

/** @param {boolean} held */
function hold(held) {
  if (other === held) return;
  other = held;
  redraw();
}

function togglePanel() {
  state.panel = Number(!state.panel);
  fillPanel();
  writeAddress();
  if (window.innerWidth <= 760) element("panel").scrollIntoView();
}

function fillPanel() {
  element("app").classList.toggle("wide", !state.panel);
  for (const button of document.querySelectorAll("[data-act=panel]"))
    button.setAttribute("aria-expanded", String(state.panel > 0));
}

const REGIONS = [".top", ".said", "#stage", "#panel", "#transport", "#time"],
  STOPS = "button, select, input, textarea, summary, [tabindex]";

/** Moves the focus to the first control of the next region that has one. @param {number} by */
function goToRegion(by) {
  const all = REGIONS.map(name => /** @type {HTMLElement} */ (document.querySelector(name))),
    here = all.findIndex(region => region.contains(document.activeElement));
  for (let i = 1; i <= all.length; i++) {
    const region = all[(Math.max(here, by < 0 ? 0 : -1) + by * i + all.length * 2) % all.length];
    const stop = /** @type {HTMLElement[]} */ ([...region.querySelectorAll(STOPS)])
      .find(e => e.tabIndex >= 0 && e.checkVisibility({visibilityProperty: true}) && !e.closest("[inert]"));
    if (!stop) continue;
    byPointer = false;
    stop.focus({focusVisible: true});
    return;
  }
}

/** Leaves one thing per call: a field, the magnifier, or the range. */
function leave() {
  const focused = /** @type {HTMLElement} */ (document.activeElement);
  if (focused.matches("input, select, textarea")) canvas.focus();
  else if (state.lens) switchLens();
  else if (state.from >= 0) setRange(-1, -1);
}

let byPointer = false; // a pointer set the focus, so keys are for the page instead of the focused control

/**
 * Returns whether a key is for the focused control instead of the page.
 * @param {KeyboardEvent} event @param {HTMLElement} target
 */
function isForControl(event, target) {
  const arrow = /^(Arrow|Home$|End$|Page)/.test(event.key), press = event.key === " " || event.key === "Enter";
  if (target.closest("dialog")) return true;
  if (event.key === "Escape" || event.key === "F6") return false;
  if (target.matches("textarea, input:not([type=range]):not([type=checkbox])")) return true;
  if (target.matches("select")) return !byPointer || arrow;
  if (target.matches("[type=range]")) return arrow;
  return press && !!target.closest("button, summary, [type=checkbox]") && (event.key === "Enter" || !byPointer);
}

/**
 * Gives a group of buttons one tab stop; arrow keys move within the group.
 * @param {HTMLElement} group @param {(button: HTMLElement) => boolean} isChosen
 */
function rove(group, isChosen) {
  const buttons = /** @type {HTMLElement[]} */ ([...group.querySelectorAll("button:not(:disabled)")]),
    chosen = buttons.find(isChosen) ?? buttons[0];
  for (const button of buttons) button.tabIndex = button === chosen ? 0 : -1;
}

/** @param {string} id of a group of buttons with one tab stop */
function listenToGroup(id) {
  element(id).addEventListener("keydown", event => {
    const by = {ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1}[event.key];
    const buttons = /** @type {HTMLElement[]} */ ([...element(id).querySelectorAll("button:not(:disabled)")]),
      at = buttons.findIndex(b => b === document.activeElement);
    if (!by || at < 0 || event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const next = buttons[(at + by + buttons.length) % buttons.length], {key} = next.dataset;
    byPointer = false;
    next.focus({focusVisible: true});
    next.click();
    // The click may have replaced the group's buttons.
    /** @type {HTMLElement | null} */ (element(id).querySelector(`[data-key="${key}"]`))?.focus();
  });
}

function fillButtons() {
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-act]"))) {
    const {keys, text, act} = ACTIONS[button.dataset.act ?? ""];
    button.title = `${text} (${keyName(keys[0])})`;
    if (!button.textContent?.trim()) button.setAttribute("aria-label", text);
    button.addEventListener("click", () => act(""));
  }
  const known = Object.entries(ACTIONS).filter(([name]) => isSeveral() ||
    !["encode", "nextencode", "encodebefore"].includes(name)).filter(([name]) => clip.reference || !["reference",
      "other", "both", "split", "splitleft", "splitright", "flicker", "difference", "ab", "segment"].includes(name));
  element("keylist").replaceChildren(...known.map(([, {keys, text}]) => make("div",
    make("span", ...(keys.length > 2 ? [make("kbd", keys[0]), "to ", make("kbd", keys[keys.length - 1])]
      : keys.map(key => make("kbd", keyName(key))))), make("span", text))));
}

function listenToKeys() {
  const acts = new Map(Object.values(ACTIONS)
    .flatMap(({keys, act}) => keys.map(key => /** @type {[string, () => void]} */ ([key, () => act(key)]))));
  document.addEventListener("pointerdown", () => { byPointer = true; }, true);
  document.addEventListener("keydown", event => {
    const target = /** @type {HTMLElement} */ (event.target), named = event.key.startsWith("Arrow") ||
      event.key === "F6";
    if (event.key === "Tab") byPointer = false;
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || isForControl(event, target))
      return;
    const act = acts.get(`${event.shiftKey && named ? "Shift+" : ""}${event.key}`);
    if (!act) return;
    event.preventDefault();
    act();
  });
  document.addEventListener("keyup", event => {
    if (event.key === "a") hold(false);
    // the focused button would be pressed, too
    if (event.key === " " && !isForControl(event, /** @type {HTMLElement} */ (event.target))) event.preventDefault();
  });
  for (const id of ["modes", "ladder", "scores", "ranks", "segments"]) listenToGroup(id);
  window.addEventListener("blur", () => hold(false));
}
