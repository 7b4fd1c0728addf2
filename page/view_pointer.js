// The pointer over the picture.
"use strict";

const PLANES = ["Y′", "Cb", "Cr"];

/** The sample under the pointer. @param {MouseEvent} event */
function readSample(event) {
  const box = canvas.getBoundingClientRect(), ratio = canvas.width / box.width, pane = paneWidth();
  let x = (event.clientX - box.left) * ratio;
  const y = (event.clientY - box.top) * ratio;
  if (state.mode === "both" && x >= pane + 2) x -= pane + 2;
  const {scale, left, top} = place(), of = /** @type {Input} */ (sideOf(1)), chip = element("sample");
  const column = Math.floor((x - left) / scale), row = Math.floor((y - top) / scale);
  chip.hidden = column < 0 || row < 0 || column >= of.width || row >= of.height || shownFrame < 0 || player.playing;
  if (chip.hidden) return;
  const codes = shown.map((picture, side) => {
    const from = sideOf(side);
    if (!picture || !from) return null;
    const chroma = Math.floor(row / from.down) * Math.ceil(from.width / from.across) + Math.floor(column / from.across);
    return picture.planes.map((plane, i) => plane[i ? chroma : row * from.width + column]);
  }).filter(values => values !== null);
  const parts = [`x ${column}  y ${row}`];
  for (let plane = 0; codes.length && plane < codes[0].length; plane++) parts.push(`${PLANES[plane]} ${codes.map(values => values[plane]).join(" → ")}`);
  const map = mapShown();
  if (map && needsMap()) {
    const at = Math.floor(row * map.height / of.height) * map.width + Math.floor(column * map.width / of.width);
    parts.push(`${numberText(PLAIN, map.data[at])} ${map.unit ?? ""}`);
  }
  chip.textContent = parts.join("   ");
}

/** @type {Map<number, {x: number, y: number}>} */
const held = new Map(); // pointers that are down

/** @param {PointerEvent} event */
function drag(event) {
  const from = held.get(event.pointerId), ratio = (canvas.width / canvas.getBoundingClientRect().width) / place().scale;
  if (!from) return;
  if (held.size === 2) {
    const [a, b] = [...held.values()], before = Math.hypot(a.x - b.x, a.y - b.y);
    [from.x, from.y] = [event.clientX, event.clientY];
    if (before > 8) setZoom(place().scale * Math.hypot(a.x - b.x, a.y - b.y) / before);
    return;
  }
  if (event.pointerType !== "touch" || state.zoom) move((from.x - event.clientX) * ratio, (from.y - event.clientY) * ratio);
  [from.x, from.y] = [event.clientX, event.clientY];
}

function listenToPointer() {
  canvas.addEventListener("pointerdown", event => {
    canvas.setPointerCapture(event.pointerId);
    held.set(event.pointerId, {x: event.clientX, y: event.clientY});
  });
  canvas.addEventListener("pointermove", event => {
    readSample(event);
    drag(event);
  });
  for (const end of ["pointerup", "pointercancel"])
    canvas.addEventListener(/** @type {"pointerup"} */ (end), event => held.delete(event.pointerId));
  canvas.addEventListener("pointerleave", () => { element("sample").hidden = true; });
  canvas.addEventListener("dblclick", () => setZoom(state.zoom ? 0 : 1));
  element("stage").addEventListener("wheel", event => {
    if (window.innerWidth <= 760 && !event.ctrlKey) return; // the page scrolls
    event.preventDefault();
    const box = canvas.getBoundingClientRect(), ratio = canvas.width / box.width, x = (event.clientX - box.left) * ratio, pane = paneWidth();
    setZoom(place().scale * (event.deltaY > 0 ? 0.8 : 1.25), state.mode === "both" && x > pane ? x - pane - 2 : x, (event.clientY - box.top) * ratio);
  }, {passive: false});
  const handle = element("handle");
  handle.addEventListener("pointerdown", event => {
    handle.setPointerCapture(event.pointerId);
    handle.onpointermove = moved => {
      const {left, right} = visible(), box = canvas.getBoundingClientRect();
      setSplit(((moved.clientX - box.left) * canvas.width / box.width - left) / Math.max(1, right - left));
    };
  });
  handle.addEventListener("lostpointercapture", () => { handle.onpointermove = null; });
  handle.addEventListener("keydown", event => {
    const to = {ArrowLeft: state.split - 0.02, ArrowRight: state.split + 0.02, Home: 0, End: 1}[event.key];
    if (to === undefined) return;
    event.preventDefault();
    setSplit(to);
  });
  new ResizeObserver(redraw).observe(element("stage"));
}
