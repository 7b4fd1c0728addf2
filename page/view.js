// The viewer: asks its server for scores, frames and maps, and draws them. It starts here.
"use strict";

async function start() {
  readAddress();
  askAhead();
  clip = await (await ask("clip")).json();
  const {reference, distorted} = clip, name = reference ? `${distorted.name} against ${reference.name}` : distorted.name;
  document.title = `${name} · fovea`;
  element("title").textContent = name;
  element("about").textContent = `${distorted.codec}, ${distorted.describe} · fovea ${clip.version}, numerics version ${clip.numerics_version}`;
  element("modes").replaceChildren(...modes().map(([mode, title, key]) => {
    const button = make("button", title);
    button.dataset.mode = mode;
    button.title = `${title} (${key})`;
    button.addEventListener("click", () => {
      if (mode === "flicker") keys[" "]();
      else setMode(mode);
    });
    return button;
  }));
  fillMetrics();
  listenToPointer();
  listenToKeys();
  listenToRange();
  listenToStrip();
  element("before").addEventListener("click", () => goTo(state.frame - 1));
  element("after").addEventListener("click", () => goTo(state.frame + 1));
  element("worst").addEventListener("click", () => goToWorst(1));
  element("frame").addEventListener("change", () => goTo(Math.floor(Number(input("frame").value)) || 0));
  element("by").addEventListener("change", () => {
    state.rank = -1;
    fillRanks();
  });
  element("fit").addEventListener("click", () => setZoom(0));
  element("one").addEventListener("click", () => setZoom(1));
  element("in").addEventListener("click", () => setZoom(currentScale() * 2));
  element("out").addEventListener("click", () => setZoom(currentScale() / 2));
  element("help").addEventListener("click", keys["?"]);
  setMode(modes().some(([m]) => m === state.mode) ? state.mode : "distorted");
  goTo(state.frame);
  followScores();
}

start().catch(error => { element("trouble").textContent = String(error.message || error); });
