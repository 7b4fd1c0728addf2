// Everything the user can do by a key or a button.
"use strict";

/** @type {Record<string, {keys: string[], text: string, act: (key: string) => void}>} */
const ACTIONS = {
  play: {keys: [" "], text: "Play, pause", act: () => { if (player.playing) pause(); else play(player.speed < 0 ? 1 : player.direction); }},
  back: {keys: ["ArrowLeft"], text: "One frame back", act: () => goTo(state.frame - 1)},
  on: {keys: ["ArrowRight"], text: "One frame on", act: () => goTo(state.frame + 1)},
  secondback: {keys: ["Shift+ArrowLeft"], text: "One second back", act: () => goTo(state.frame - Math.round(rateOf() || 25))},
  secondon: {keys: ["Shift+ArrowRight"], text: "One second on", act: () => goTo(state.frame + Math.round(rateOf() || 25))},
  first: {keys: ["Home"], text: "First frame", act: () => goTo(0)},
  last: {keys: ["End"], text: "Last frame", act: () => { if (lastFrame() >= 0) goTo(lastFrame()); }},
  backward: {keys: ["j"], text: "Play backward, again: faster", act: () => shuttle(-1)},
  stop: {keys: ["k"], text: "Stop", act: pause},
  forward: {keys: ["l"], text: "Play forward, again: faster", act: () => shuttle(1)},
  slower: {keys: ["<"], text: "Slower", act: () => changeSpeed(-1)},
  faster: {keys: [">"], text: "Faster", act: () => changeSpeed(1)},
  loop: {keys: ["R"], text: "Repeat the range, or all", act: () => {
    player.loop = !player.loop;
    fillPlay();
  }},
  worst: {keys: ["w"], text: "Next worst moment", act: () => goToWorst(1)},
  lessbad: {keys: ["W"], text: "Worst moment before", act: () => goToWorst(-1)},
  sceneback: {keys: [","], text: "Scene before (--scenes)", act: () => goToScene(-1)},
  sceneon: {keys: ["."], text: "Next scene", act: () => goToScene(1)},
  from: {keys: ["("], text: "The range begins here", act: beginRange},
  to: {keys: [")"], text: "The range ends here", act: endRange},
  scene: {keys: ["c"], text: "The range is this scene", act: chooseScene},
  norange: {keys: ["C"], text: "No range", act: () => setRange(-1, -1)},
  distorted: {keys: ["d"], text: "Encode", act: () => setMode("distorted")},
  encode: {keys: ["1", "2", "3", "4", "5", "6", "7", "8", "9"], text: "Encode of this number", act: key => chooseEncode(Number(key))},
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
  left: {keys: ["Alt+ArrowLeft"], text: "Move to the left", act: () => move(-60 / place().scale, 0)},
  right: {keys: ["Alt+ArrowRight"], text: "Move to the right", act: () => move(60 / place().scale, 0)},
  up: {keys: ["Alt+ArrowUp"], text: "Move up", act: () => move(0, -60 / place().scale)},
  down: {keys: ["Alt+ArrowDown"], text: "Move down", act: () => move(0, 60 / place().scale)},
  timein: {keys: ["z"], text: "Less time in the curve", act: () => timeline.zoom(0.5)},
  timeout: {keys: ["x"], text: "More time in the curve", act: () => timeline.zoom(2)},
  alltime: {keys: ["0"], text: "All of the time", act: () => timeline.look(0, timeline.length)},
  panel: {keys: ["p"], text: "Side panel", act: togglePanel},
  export: {keys: ["e"], text: "Save the picture as PNG", act: () => { exportPicture(); }},
  command: {keys: ["y"], text: "Copy a command that shows this", act: () => { copyCommand(); }},
  sheet: {keys: ["?"], text: "All keys", act: () => dialog("keys").showModal()},
};

const NAMES = new Map([[" ", "space"], ["ArrowLeft", "←"], ["ArrowRight", "→"], ["ArrowUp", "↑"], ["ArrowDown", "↓"], ["-", "−"]]);
const keyName = (/** @type {string} */ key) => key.split(/(?<=.)\+(?=.)/).map(part => NAMES.get(part) ?? part).join(" ");

/** @param {boolean} held */
function hold(held) {
  if (other === held) return;
  other = held;
  redraw();
}

function togglePanel() {
  const wide = element("app").classList.toggle("wide");
  for (const button of document.querySelectorAll("[data-act=panel]")) button.setAttribute("aria-expanded", String(!wide));
  if (window.innerWidth <= 760) element("panel").scrollIntoView();
}

function fillButtons() {
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-act]"))) {
    const {keys, text, act} = ACTIONS[button.dataset.act ?? ""];
    button.title = `${text} (${keyName(keys[0])})`;
    if (!button.textContent?.trim()) button.setAttribute("aria-label", text);
    button.addEventListener("click", () => act(""));
  }
  const known = Object.entries(ACTIONS).filter(([name]) => isSeveral() || !["encode", "nextencode", "encodebefore"].includes(name)).filter(([name]) => clip.reference || !["reference", "other", "both", "split", "splitleft", "splitright", "flicker", "difference"].includes(name));
  element("keylist").replaceChildren(...known.map(([, {keys, text}]) => make("div", make("span", ...(keys.length > 2 ? [make("kbd", keys[0]), "to ", make("kbd", keys[keys.length - 1])] : keys.map(key => make("kbd", keyName(key))))), make("span", text))));
}

function listenToKeys() {
  const acts = new Map(Object.values(ACTIONS).flatMap(({keys, act}) => keys.map(key => /** @type {[string, () => void]} */ ([key, () => act(key)]))));
  document.addEventListener("keydown", event => {
    const target = /** @type {HTMLElement} */ (event.target), arrow = event.key.startsWith("Arrow");
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || target.closest("dialog, input, select, textarea")) return;
    if ([" ", "Enter"].includes(event.key) && target.closest("button, summary") && !target.closest("[data-act=play]")) return;
    const act = acts.get(`${event.altKey ? "Alt+" : ""}${event.shiftKey && arrow ? "Shift+" : ""}${event.key}`);
    if (!act) return;
    event.preventDefault();
    act();
  });
  document.addEventListener("keyup", event => { if (event.key === "a") hold(false); });
  window.addEventListener("blur", () => hold(false));
}
