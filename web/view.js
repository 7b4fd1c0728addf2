// Starts the viewer, which requests scores, frames and maps from its server and draws them.
"use strict";

/** Applies the address, at the start and when it changes. */
function applyAddress() {
  input("frame").value = String(state.frame);
  const encode = goodEncode(encodeNamed());
  if (encode !== state.encode || clip.distorted !== clip.encodes[encode - 1].distorted) takeEncode(encode);
  if (!modes().some(([name]) => name === state.mode)) state.mode = clip.reference ? "split" : "distorted";
  for (const picture of pictures.values()) picture.rgb = null;
  fillView();
  fillMetrics();
  fillTop();
  fillPanel();
  fillPlay();
  setMode(state.mode);
  if (outputs.length) drawScore(state.score);
  fillRange();
  goTo(state.frame);
}

async function start() {
  readAddress();
  askAhead();
  clip = await (await ask("clip")).json();
  tracks = clip.encodes.map(newTrack);
  listenToEncodes();
  takeEncode(goodEncode(encodeNamed()));
  fillModes();
  fillButtons();
  listenToMetrics();
  listenToView();
  listenToTop();
  listenToPointer();
  listenToKeys();
  listenToStrip();
  input("frame").addEventListener("change", () => goTo(Math.floor(Number(input("frame").value)) || 0));
  input("frame").addEventListener("keydown", event => { if (event.key === "Enter") canvas.focus(); });
  select("speed").addEventListener("change", () => setSpeed(Number(select("speed").value)));
  select("by").addEventListener("change", () => drawScore(select("by").value));
  element("more").addEventListener("click", () => {
    allRows = !allRows;
    fillRows();
    drawScore(state.score);
    fillNow();
  });
  element("loopit").addEventListener("click", () => loopSegment(0));
  element("status").addEventListener("click", () => dialog("notes").showModal());
  window.addEventListener("hashchange", () => {
    readAddress();
    applyAddress();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => timeline.draw());
  applyAddress();
  followScores();
}

start().catch(error => setTrouble(reasonOf(error)));
