// Keys.
"use strict";

/** @type {Record<string, () => void>} */
const keys = {
  ArrowLeft: () => goTo(state.frame - 1), ArrowRight: () => goTo(state.frame + 1),
  w: () => goToWorst(1), W: () => goToWorst(-1),
  d: () => setMode("distorted"), r: () => setMode("reference"), b: () => setMode("both"), s: () => setMode("split"),
  v: () => setMode("difference"), m: () => setMode("map"), o: () => setMode("overlay"),
  " ": () => {
    flickered = state.mode === "flicker" && !flickered;
    setMode("flicker");
  },
  "[": () => moveSplit(-0.02), "]": () => moveSplit(0.02),
  f: () => setZoom(0), "1": () => setZoom(1), z: () => setZoom(currentScale() * 2), x: () => setZoom(currentScale() / 2),
  h: () => move(-40 / currentScale(), 0), l: () => move(40 / currentScale(), 0),
  k: () => move(0, -40 / currentScale()), j: () => move(0, 40 / currentScale()),
  "(": beginRange, ")": endRange, c: chooseScene, C: () => setRange(-1, -1),
  ",": () => goToScene(-1), ".": () => goToScene(1),
  "?": () => /** @type {HTMLDialogElement} */ (element("keys")).showModal(),
};

/** @param {number} by */
function moveSplit(by) {
  state.split = Math.max(0, Math.min(1, state.split + by));
  setMode("split");
}

function listenToKeys() {
  document.addEventListener("keydown", event => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    if (["INPUT", "SELECT", "DIALOG"].includes(target.tagName) || target.closest("dialog")) return;
    if (event.key === " " && target.tagName === "BUTTON") return;
    if (event.key === "ArrowLeft" && event.shiftKey) goTo(state.frame - 10);
    else if (event.key === "ArrowRight" && event.shiftKey) goTo(state.frame + 10);
    else if (keys[event.key]) keys[event.key]();
    else if (["PageUp", "PageDown", "Home", "End", "+", "-", "0"].includes(event.key)) timeline.onKey(event);
    else return;
    event.preventDefault();
  });
}
