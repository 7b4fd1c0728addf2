// Curves over frames: one strip below the other on a canvas, which share the frames that are in view.
"use strict";

/**
 * One score of every bin, a bin being a frame or some neighbouring ones: its least and its greatest value.
 * @typedef {{name: string, unit: string, low: Float64Array | Float32Array, high: Float64Array | Float32Array,
 *            gates: number[]}} Curve
 */

const STRIP_HEIGHT = 112, STRIP_GAP = 8, AXIS_WIDTH = 64, GROUP = 16;

/** A number as people read it. @param {number} value @returns {string} */
function formatNumber(value) {
  if (Number.isNaN(value)) return "not a number";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const size = Math.abs(value);
  return (size !== 0 && (size < 1e-3 || size >= 1e7) ? value.toExponential(4) : value.toFixed(size < 10 ? 4 : 3))
    .replace("-", "−");
}

/** "0:01:02.480" @param {number} seconds @returns {string} */
function formatTime(seconds) {
  const minutes = Math.floor(seconds / 60), rest = (seconds - 60 * minutes).toFixed(3).padStart(6, "0");
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${rest}`;
}

class Timeline {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {(bin: number) => void} onChoose called when the user chooses a bin
   * @param {(bin: number) => string} describe what a bin is, for the reader of the screen
   */
  constructor(canvas, onChoose, describe) {
    this.canvas = canvas;
    this.onChoose = onChoose;
    this.describe = describe;
    this.count = 0; // bins that have values
    this.length = 1; // bins that there will be
    this.first = 0; // in view, with parts of a bin
    this.shown = 1;
    this.chosen = 0;
    /** @type {Curve[]} */
    this.curves = [];
    /** @type {number[]} */
    this.marks = []; // bins that are marked
    /** @type {number[]} */
    this.scenes = []; // bins at which something else begins
    /** @type {number[] | null} */
    this.range = null; // the first and the last bin of those that are chosen
    /** Called when the user chooses bins from a to b, with Shift. @type {((a: number, b: number) => void) | null} */
    this.onRange = null;
    /** Called when others are in view. @type {(() => void) | null} */
    this.onLook = null;
    /** @type {Map<Curve, {count: number, levels: {low: Float64Array, high: Float64Array}[], range: number[]}>} */
    this.summaries = new Map();
    this.waiting = false;
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "slider");
    canvas.addEventListener("keydown", event => this.onKey(event));
    canvas.addEventListener("wheel", event => this.onWheel(event), {passive: false});
    canvas.addEventListener("pointerdown", event => this.onPointerDown(event));
    canvas.addEventListener("pointermove", event => this.onPointerMove(event));
    canvas.addEventListener("pointerup", event => this.onPointerUp(event));
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  /** @param {Curve[]} curves */
  setCurves(curves) {
    this.curves = curves;
    this.canvas.style.height = `${Math.max(1, curves.length) * (STRIP_HEIGHT + STRIP_GAP)}px`;
    this.draw();
  }

  /**
   * How many bins have values, and how many there will be. What was in view stays, unless that was everything.
   * @param {number} count @param {number} length
   */
  setCount(count, length) {
    const all = this.shown >= this.length;
    this.count = count;
    this.length = Math.max(1, length);
    if (all) this.shown = this.length;
    this.look(this.first, this.shown);
    this.canvas.setAttribute("aria-valuemin", "0");
    this.canvas.setAttribute("aria-valuemax", String(Math.max(0, count - 1)));
  }

  /** @param {number} first @param {number} shown */
  look(first, shown) {
    this.shown = Math.min(this.length, Math.max(Math.min(8, this.length), shown));
    this.first = Math.max(0, Math.min(this.length - this.shown, first));
    this.draw();
    if (this.onLook) this.onLook();
  }

  /** @param {number} bin @param {boolean} tell */
  choose(bin, tell = true) {
    this.chosen = Math.max(0, Math.min(this.count - 1, Math.round(bin)));
    if (this.chosen < this.first) this.look(this.chosen, this.shown);
    else if (this.chosen + 1 > this.first + this.shown) this.look(this.chosen + 1 - this.shown, this.shown);
    else this.draw();
    this.canvas.setAttribute("aria-valuenow", String(this.chosen));
    this.canvas.setAttribute("aria-valuetext", this.describe(this.chosen));
    if (tell) this.onChoose(this.chosen);
  }

  // ---- Input

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const step = event.shiftKey ? 10 : 1, page = Math.max(1, Math.round(this.shown / 10));
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => this.choose(this.chosen - step),
      ArrowRight: () => this.choose(this.chosen + step),
      PageUp: () => this.choose(this.chosen - page),
      PageDown: () => this.choose(this.chosen + page),
      Home: () => this.choose(0),
      End: () => this.choose(this.count - 1),
      "+": () => this.zoom(0.5, this.chosen + 0.5),
      "-": () => this.zoom(2, this.chosen + 0.5),
      "0": () => this.look(0, this.length),
    };
    const action = keys[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  /** @param {number} factor @param {number} at the bin that stays where it is */
  zoom(factor, at) {
    const shown = Math.min(this.length, Math.max(Math.min(8, this.length), this.shown * factor));
    this.look(at - (at - this.first) * shown / this.shown, shown);
  }

  /** @param {number} x of the client @returns {number} */
  binAt(x) {
    const box = this.canvas.getBoundingClientRect();
    return this.first + (x - box.left - AXIS_WIDTH) / Math.max(1, box.width - AXIS_WIDTH) * this.shown;
  }

  /** @param {WheelEvent} event */
  onWheel(event) {
    event.preventDefault();
    if (event.shiftKey) this.look(this.first + Math.sign(event.deltaY) * this.shown / 10, this.shown);
    else this.zoom(event.deltaY > 0 ? 1.25 : 0.8, this.binAt(event.clientX));
  }

  /** @param {PointerEvent} event */
  onPointerDown(event) {
    this.canvas.setPointerCapture(event.pointerId);
    const from = event.shiftKey && this.onRange ? this.binAt(event.clientX) : -1;
    this.held = {x: event.clientX, first: this.first, moved: false, from};
  }

  /** @param {PointerEvent} event */
  onPointerMove(event) {
    if (!this.held) return;
    const moved = event.clientX - this.held.x, width = Math.max(1, this.canvas.clientWidth - AXIS_WIDTH);
    if (Math.abs(moved) > 4) this.held.moved = true;
    if (this.held.from >= 0) this.choosesRange(this.held.from, this.binAt(event.clientX));
    else if (this.held.moved) this.look(this.held.first - moved / width * this.shown, this.shown);
  }

  /** @param {number} a @param {number} b between which the pointer went */
  choosesRange(a, b) {
    const [from, to] = [Math.min(a, b), Math.max(a, b)].map(bin => Math.max(0, Math.min(this.count - 1, Math.floor(bin))));
    if (this.onRange && this.count) this.onRange(from, to);
  }

  /** @param {PointerEvent} event */
  onPointerUp(event) {
    if (this.held && !this.held.moved) this.choose(Math.floor(this.binAt(event.clientX)));
    this.held = null;
  }

  // ---- Drawing

  /** Extremes of 16, 256, ... neighbouring bins, and of all finite values. @param {Curve} curve */
  summary(curve) {
    let found = this.summaries.get(curve);
    if (found && found.count === this.count) return found;
    /** @type {{low: Float64Array, high: Float64Array}[]} */
    const levels = [];
    /** @type {{low: ArrayLike<number>, high: ArrayLike<number>}} */
    let from = curve;
    let size = this.count, least = Infinity, greatest = -Infinity;
    for (let i = 0; i < this.count; i++) {
      if (Number.isFinite(curve.low[i])) least = Math.min(least, curve.low[i]);
      if (Number.isFinite(curve.high[i])) greatest = Math.max(greatest, curve.high[i]);
    }
    while (size > GROUP) {
      const groups = Math.ceil(size / GROUP), low = new Float64Array(groups), high = new Float64Array(groups);
      for (let g = 0; g < groups; g++) {
        let a = NaN, b = NaN;
        for (let i = g * GROUP; i < Math.min(size, (g + 1) * GROUP); i++) {
          if (!(a <= from.low[i])) a = Number.isNaN(from.low[i]) ? a : from.low[i];
          if (!(b >= from.high[i])) b = Number.isNaN(from.high[i]) ? b : from.high[i];
        }
        low[g] = a;
        high[g] = b;
      }
      levels.push({low, high});
      from = {low, high};
      size = groups;
    }
    const margin = greatest > least ? (greatest - least) * 0.06 : Math.max(1e-6, Math.abs(greatest) * 0.01);
    const range = least <= greatest ? [least - margin, greatest + margin] : [0, 1];
    found = {count: this.count, levels, range};
    this.summaries.set(curve, found);
    return found;
  }

  /** Least and greatest value of bins from a to b. @param {Curve} curve @param {number} a @param {number} b */
  extremes(curve, a, b) {
    const {levels} = this.summary(curve);
    /** @type {{low: ArrayLike<number>, high: ArrayLike<number>}} */
    let values = curve;
    let end = this.count;
    for (let level = 0; b - a > 4 * GROUP && level < levels.length; level++) {
      a = Math.floor(a / GROUP);
      b = Math.ceil(b / GROUP);
      values = levels[level];
      end = values.low.length;
    }
    let low = NaN, high = NaN;
    for (let i = Math.max(0, a); i < Math.min(b, end); i++) {
      if (!(low <= values.low[i])) low = Number.isNaN(values.low[i]) ? low : values.low[i];
      if (!(high >= values.high[i])) high = Number.isNaN(values.high[i]) ? high : values.high[i];
    }
    return [low, high];
  }

  draw() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.drawNow();
    });
  }

  drawNow() {
    const scale = window.devicePixelRatio || 1, width = this.canvas.clientWidth, height = this.canvas.clientHeight;
    if (!width || !height) return;
    const context = this.canvas.getContext("2d");
    if (!context) return;
    if (this.canvas.width !== Math.round(width * scale) || this.canvas.height !== Math.round(height * scale)) {
      this.canvas.width = Math.round(width * scale);
      this.canvas.height = Math.round(height * scale);
    }
    const style = getComputedStyle(this.canvas), colour = (/** @type {string} */ name) => style.getPropertyValue(name);
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    context.font = "12px system-ui, sans-serif";
    const xOf = (/** @type {number} */ bin) => AXIS_WIDTH + (bin - this.first) / this.shown * (width - AXIS_WIDTH);
    if (this.range) {
      const left = Math.max(AXIS_WIDTH, xOf(this.range[0])), right = Math.max(left, xOf(this.range[1] + 1));
      context.fillStyle = colour("--range");
      context.fillRect(left, 0, right - left, height);
    }
    context.fillStyle = colour("--faint");
    for (const bin of this.scenes) if (xOf(bin) >= AXIS_WIDTH) context.fillRect(Math.round(xOf(bin)), 0, 1, height);
    this.curves.forEach((curve, i) => {
      const top = i * (STRIP_HEIGHT + STRIP_GAP) + STRIP_GAP / 2;
      this.drawStrip(context, curve, top, width, colour, scale);
    });
    const x = AXIS_WIDTH + (this.chosen + 0.5 - this.first) / this.shown * (width - AXIS_WIDTH);
    if (this.count && x >= AXIS_WIDTH) {
      context.fillStyle = colour("--bad");
      context.fillRect(x - 1, 0, 2, height);
    }
  }

  /**
   * @param {CanvasRenderingContext2D} context @param {Curve} curve @param {number} top @param {number} width
   * @param {(name: string) => string} colour @param {number} scale device pixels
   */
  drawStrip(context, curve, top, width, colour, scale) {
    const [bottomValue, topValue] = this.summary(curve).range, span = topValue - bottomValue;
    const yOf = (/** @type {number} */ value) =>
      top + STRIP_HEIGHT * (1 - Math.max(0, Math.min(1, (value - bottomValue) / span)));
    context.textAlign = "right";
    for (const share of [0.1, 0.5, 0.9]) {
      const value = bottomValue + span * share;
      context.fillStyle = colour("--line");
      context.fillRect(AXIS_WIDTH, Math.round(yOf(value)), width - AXIS_WIDTH, 1);
      context.fillStyle = colour("--faint");
      context.fillText(formatNumber(value), AXIS_WIDTH - 6, yOf(value) + 4);
    }
    context.strokeStyle = colour("--bad");
    context.setLineDash([6, 4]);
    for (const gate of curve.gates) {
      context.beginPath();
      context.moveTo(AXIS_WIDTH, yOf(gate));
      context.lineTo(width, yOf(gate));
      context.stroke();
    }
    context.setLineDash([]);
    context.fillStyle = colour("--faint");
    for (const bin of this.marks) {
      const x = AXIS_WIDTH + (bin + 0.5 - this.first) / this.shown * (width - AXIS_WIDTH);
      if (x >= AXIS_WIDTH && x <= width) context.fillRect(x - 1, top + STRIP_HEIGHT - 6, 2, 6);
    }
    context.strokeStyle = colour("--mark");
    context.lineWidth = 1.25;
    context.beginPath();
    if (this.shown * 2 < width - AXIS_WIDTH) this.traceFrames(context, curve, yOf, width);
    else this.traceColumns(context, curve, yOf, width, scale);
    context.stroke();
    context.fillStyle = colour("--text");
    context.textAlign = "left";
    context.fillText(curve.unit ? `${curve.name}, ${curve.unit}` : curve.name, AXIS_WIDTH + 6, top + 13);
  }

  /**
   * A line through few bins. @param {CanvasRenderingContext2D} context @param {Curve} curve
   * @param {(value: number) => number} yOf @param {number} width
   */
  traceFrames(context, curve, yOf, width) {
    const step = (width - AXIS_WIDTH) / this.shown, end = Math.min(this.count, this.first + this.shown + 1);
    let down = false;
    for (let i = Math.max(0, Math.floor(this.first) - 1); i < end; i++) {
      const x = AXIS_WIDTH + (i + 0.5 - this.first) * step;
      if (Number.isNaN(curve.low[i])) {
        down = false;
        continue;
      }
      if (down) context.lineTo(Math.max(AXIS_WIDTH, x), yOf(curve.low[i]));
      else context.moveTo(Math.max(AXIS_WIDTH, x), yOf(curve.low[i]));
      if (curve.high[i] !== curve.low[i]) context.lineTo(Math.max(AXIS_WIDTH, x), yOf(curve.high[i]));
      down = true;
    }
  }

  /**
   * From the least to the greatest value of what lies in each column of pixels.
   * @param {CanvasRenderingContext2D} context @param {Curve} curve @param {(value: number) => number} yOf
   * @param {number} width @param {number} scale
   */
  traceColumns(context, curve, yOf, width, scale) {
    const columns = Math.round((width - AXIS_WIDTH) * scale), step = this.shown / columns;
    for (let c = 0; c < columns; c++) {
      const a = Math.floor(this.first + c * step), b = Math.max(a + 1, Math.ceil(this.first + (c + 1) * step));
      const [low, high] = this.extremes(curve, a, b);
      if (Number.isNaN(low)) continue;
      const x = AXIS_WIDTH + (c + 0.5) / scale, y = yOf(low), to = yOf(high);
      context.moveTo(x, y + 0.5);
      context.lineTo(x, Math.min(to, y - 0.5));
    }
  }
}
