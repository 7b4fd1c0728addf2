// The pointer over the picture.
"use strict";

/** The sample under the pointer. @param {MouseEvent} event */
function readSample(event) {
  const box = canvas.getBoundingClientRect(), ratio = canvas.width / box.width, half = canvas.width >> 1;
  let x = (event.clientX - box.left) * ratio;
  const y = (event.clientY - box.top) * ratio, both = state.mode === "both";
  if (both && x >= half) x -= half;
  const {scale, left, top} = place(both ? half : canvas.width), of = /** @type {Input} */ (sideOf(1));
  const column = Math.floor((x - left) / scale), row = Math.floor((y - top) / scale);
  if (column < 0 || row < 0 || column >= of.width || row >= of.height) {
    element("sample").textContent = "";
    return;
  }
  const codes = shown.map((picture, side) => {
    const from = sideOf(side);
    if (!picture || !from) return "";
    const chroma = Math.floor(row / from.down) * Math.ceil(from.width / from.across) + Math.floor(column / from.across);
    const values = picture.planes.map((plane, i) => plane[i ? chroma : row * from.width + column]);
    return `${side ? "distorted" : "reference"} ${values.join(" ")}`;
  }).filter(Boolean);
  if (map && map.frame === shownFrame && needsMap()) {
    const at = Math.floor(row * map.height / of.height) * map.width + Math.floor(column * map.width / of.width);
    codes.push(`${map.name} ${formatNumber(map.data[at])} ${map.unit ?? ""}`);
  }
  element("sample").textContent = `Column ${column}, row ${row}: ${codes.join("; ")}`;
}

/** @type {{x: number, y: number, split: boolean} | null} */
let held = null;

function listenToPointer() {
  canvas.addEventListener("pointerdown", event => {
    canvas.setPointerCapture(event.pointerId);
    const box = canvas.getBoundingClientRect(), at = (event.clientX - box.left) / box.width;
    held = {x: event.clientX, y: event.clientY, split: state.mode === "split" && Math.abs(at - state.split) < 0.03};
  });
  canvas.addEventListener("pointermove", event => {
    readSample(event);
    if (!held) return;
    const box = canvas.getBoundingClientRect(), ratio = canvas.width / box.width / currentScale();
    if (held.split) {
      state.split = Math.max(0, Math.min(1, (event.clientX - box.left) / box.width));
      writeAddress();
      draw();
    } else move((held.x - event.clientX) * ratio, (held.y - event.clientY) * ratio);
    [held.x, held.y] = [event.clientX, event.clientY];
  });
  canvas.addEventListener("pointerup", () => { held = null; });
  canvas.addEventListener("wheel", event => {
    event.preventDefault();
    const box = canvas.getBoundingClientRect(), ratio = canvas.width / box.width;
    setZoom(currentScale() * (event.deltaY > 0 ? 0.8 : 1.25), (event.clientX - box.left) * ratio, (event.clientY - box.top) * ratio);
  }, {passive: false});
  new ResizeObserver(draw).observe(canvas);
}
