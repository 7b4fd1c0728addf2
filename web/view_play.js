// Playing: the page requests pairs ahead of the clock, from the browser's decoder or from the server, shows each when
// both frames have arrived, and drops those that arrive too late.
"use strict";

const AHEAD_BYTES = 128 << 20, AHEAD_MOST = 24, AHEAD_DECODED = 12, WARM = 4, WARM_MS = 500, DECODED_LATE = 2;

/**
 * Steps count from the frame at which playback began, and determine the frames. `run` changes at each start and stop.
 * @type {{playing: boolean, run: number, direction: number, from: number, since: number, next: number, step: number,
 * end: number, ready: Map<number, {pair: (Picture | null)[], map: MapData | null} | null>, wake: () => void, times:
 * number[], count: number, dropped: number, told: number, took: number}}
 */
const player = {playing: false, run: 0, direction: 1, from: 0, since: 0, next: 1, step: 0, end: Infinity,
  ready: new Map(),
  wake: () => {}, times: [], count: 0, dropped: 0, told: 0, took: 0};

const playRate = () => (rateOf() || 25) * (state.speed || 1);

/** Returns the first and the last frame of the playback. */
function borders() {
  const last = lastFrame(), inside = state.from >= 0 && player.from >= state.from && player.from <= state.to;
  return inside ? [state.from, last >= 0 ? Math.min(state.to, last) : state.to] : [0, last];
}

/** @param {number} step @returns {number} -1: there is none */
function frameOfStep(step) {
  const [a, b] = borders(), frame = player.from + player.direction * step;
  if (frame >= a && (b < 0 || frame <= b) && step < player.end) return frame;
  if (!state.loop || b < 0) return -1;
  const length = b - a + 1;
  return a + (((frame - a) % length) + length) % length;
}

/**
 * Requests a frame from the server; `head` ends when it answers.
 * @param {number} side
 * @param {number} frame
 */
function frameFromServer(side, frame) {
  const head = ask(frameRequest(side, frame));
  return {head, body: head.then(async answer =>
    pictureFrom(/** @type {Input} */ (sideOf(side)), await answer.arrayBuffer()))};
}

/**
 * Requests a frame to play, from the browser's decoder if that decodes this side.
 * @param {number} side
 * @param {number} frame
 * @param {() => boolean} needed
 * @returns {{head: Promise<unknown>, body: Promise<Picture | null>}}
 */
function frameToPlay(side, frame, needed) {
  const feed = feeds[side];
  if (!sideOf(side)) return {head: Promise.resolve(), body: Promise.resolve(null)};
  if (!feed) return frameFromServer(side, frame);
  return {head: Promise.resolve(), body: feed.get(frame, needed).catch(error => {
    leaveFeed(feed, error);
    return needed() ? frameFromServer(side, frame).body : null;
  })};
}

/**
 * Requests the next pair as soon as a pair's headers arrive, so that the server decodes it while samples are
 * transferred.
 * @param {number} run
 */
async function loadAhead(run) {
  await openFeeds(run);
  const of = /** @type {Input} */ (sideOf(1)),
    bytes = of.width * of.height * (of.planes > 1 ? 1 + 2 / (of.across * of.down) : 1) * (of.depth > 8 ? 2 : 1);
  while (player.run === run) {
    const most = feeds.some(Boolean) ? AHEAD_DECODED : AHEAD_MOST,
      room = Math.max(3, Math.min(most, Math.floor(AHEAD_BYTES / bytes / (clip.reference ? 2 : 1))));
    const step = player.next, frame = frameOfStep(step);
    if (player.ready.size >= room || frame < 0) {
      await new Promise(resolve => { player.wake = () => resolve(null); });
      continue;
    }
    player.next = step + 1;
    player.ready.set(step, null);
    const begun = performance.now(), fail = (/** @type {unknown} */ error) => {
      if (player.run !== run) return;
      player.ready.delete(step);
      // play the frames that have arrived before stopping with the reason
      if (step > player.step + 1 || lastFrame() < 0) player.end = Math.min(player.end, step);
      else {
        pause();
        setTrouble(reasonOf(error));
      }
    };
    try {
      const needed = () => player.run === run && player.ready.has(step),
        sides = [0, 1].map(side => frameToPlay(side, frame, needed)), bodies = Promise.all(sides.map(s => s.body));
      bodies.catch(() => {}); // waited for below
      await Promise.all(sides.map(s => s.head));
      const coming = bodies.then(async pair => {
        const made = needsMap() && state.metric ? await askMap(frame) : null;
        if (needed()) player.ready.set(step, {pair, map: made});
        player.took = 0.8 * player.took + 0.2 * (performance.now() - begun);
      });
      if (needsMap()) await coming; // the server makes one map at a time
      else coming.catch(fail);
    } catch (error) {
      fail(error);
      if (player.run !== run) return;
    }
  }
}

function play(direction = player.direction) {
  if (gone || !clip || lastFrame() === 0) return;
  const last = lastFrame();
  Object.assign(player, {playing: true, run: player.run + 1, direction, from: state.frame, since: 0, next: 1, step: 0,
    end: Infinity, times: [], told: 0});
  if (!state.loop && last >= 0 && direction > 0 && state.frame >= last) player.from = -1; // restart
  player.ready.clear();
  setTrouble("");
  fillPlay();
  loadAhead(player.run).catch(error => {
    pause();
    setTrouble(reasonOf(error));
  });
  const run = player.run, begun = performance.now();
  const tick = (/** @type {number} */ now) => {
    if (player.run !== run) return;
    if (player.since || isWarm(begun)) advance(now);
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}

/** @param {number} begun */
function isWarm(begun) {
  const there = [...player.ready.values()].filter(Boolean).length;
  if (there < WARM && (performance.now() - begun < WARM_MS || !there) && frameOfStep(WARM) >= 0) return false;
  player.since = performance.now();
  return true;
}

/** @param {number} now */
function advance(now) {
  const due = state.speed ? Math.floor((now - player.since) / 1000 * playRate()) + 1 : player.step +
    Number(now - player.since >= 1000 / playRate());
  let step = -1;
  for (const [at, pair] of player.ready) if (pair && at <= due && at > step) step = at;
  if (step > player.step) {
    const {pair, map: made} = /** @type {{pair: (Picture | null)[], map: MapData | null}} */ (player.ready.get(step));
    player.dropped += step - player.step - 1;
    player.count++;
    player.step = step;
    if (!state.speed) player.since = now;
    state.frame = frameOfStep(step);
    const before = shown;
    setShown(pair, state.frame);
    before.forEach(reusePicture);
    if (made) setMap(made);
    if (!drawMoving()) drawNow();
    player.times.push(now);
    movePlayhead();
  } else if (frameOfStep(player.step + 1) < 0) {
    pause();
    return;
  }
  for (const at of [...player.ready.keys()]) if (at <= player.step) player.ready.delete(at);
  if (state.speed && player.next <= due) { // frames that would be late are skipped, to keep time
    // The browser decodes the frames between anyway
    const ahead = feeds.some(Boolean) ? DECODED_LATE : Math.ceil(Math.min(player.took / 1000, 1) * playRate());
    player.next = due + 1 + ahead;
  }
  player.wake();
  if (now - player.told >= 100) tellRate(now);
}

/** @param {number} now */
function tellRate(now) {
  player.told = now;
  while (player.times.length && player.times[0] < now - 1000) player.times.shift();
  const wanted = playRate(), slow = now - player.since > 1000 && player.times.length < 0.96 * wanted;
  element("rate").hidden = !slow || !state.speed;
  if (slow) element("rate").textContent = `${player.times.length} of ${rateText(wanted)} frames a second`;
  moving.dataset.count = String(player.count);
  moving.dataset.dropped = String(player.dropped);
  fillNow();
}

function pause() {
  if (!player.playing) return;
  player.playing = false;
  player.run++;
  player.wake();
  player.ready.clear();
  element("rate").hidden = true;
  closeFeeds();
  shown.forEach((picture, side) => { if (picture && !picture.preview) keepPicture(side, shownFrame, picture); });
  fillPlay();
  writeAddress();
  fillNow();
  if (shownFrame === state.frame) draw();
  if (!gone) showFrame(state.frame);
}

/** Returns whether playback alternates between the reference and the encode, one pass each. */
const takesTurns = () => player.playing && state.ab > 0 && clip.reference &&
  ["split", "distorted", "reference"].includes(state.mode);

/** Returns the video of the current pass. @returns {number} a side */
function sideOfTurn() {
  const [a, b] = borders(), length = b < 0 ? Infinity : b - a + 1,
    passed = Math.floor((player.from - a + player.direction * player.step) / length);
  return Math.abs(passed) % 2;
}

function switchTurns() {
  state.ab = Number(!state.ab);
  fillPlay();
  writeAddress();
  redraw();
}

function fillPlay() {
  const label = player.playing ? "Pause" : "Play",
    button = /** @type {HTMLElement} */ (document.querySelector("[data-act=play]"));
  button.setAttribute("aria-label", label);
  button.title = `${label} (space)`;
  element("playshape").setAttribute("d", player.playing ? "M4 3h3v10H4zM9 3h3v10H9z" : "M4 2.5v11L13.5 8z");
  for (const [name, on] of /** @type {[string, number][]} */ ([["loop", state.loop], ["ab", state.ab],
    ["lens", state.lens]]))
    document.querySelector(`[data-act=${name}]`)?.setAttribute("aria-pressed", String(on > 0));
  select("speed").value = String(state.speed);
  fillLoops();
}

/** @param {number} by by how many speeds to go up */
function changeSpeed(by) {
  setSpeed(SPEEDS[Math.max(0, Math.min(4, SPEEDS.indexOf(state.speed) + by))]);
}

/** @param {number} speed */
function setSpeed(speed) {
  state.speed = speed;
  fillPlay();
  writeAddress();
  if (player.playing) play();
}

/** Plays in a direction; a repeated call plays faster. @param {number} direction */
function shuttle(direction) {
  if (player.playing && player.direction === direction) changeSpeed(1);
  else play(direction);
}
