// Plots one score over time on a canvas: its curve in front of other encodes' curves, grades, gates, scenes, a range
// and worst moments.
"use strict";

/**
 * @typedef {{name: string, values: Float64Array, count: number, grades: {from: number, word: string}[], gates:
 * number[], least: number, most: number, decimals: number, factor: number}} Curve count: number of values so far
 */
/**
 * @typedef {{curve: Curve, label: string, at: (place: number) => number}} OtherCurve at: converts a place of the
 * drawn curve to the place of the same time in this curve
 */

const DASHES = [[], [5, 3], [1, 3], [6, 2, 1, 2]];
const PLOT_LEFT = 44, PLOT_RIGHT = 92, PLOT_BOTTOM = 24, GROUP = 16, LANE = 20; // LANE: px; height of segments

class Plot {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {{choose: (place: number) => void, range: (a: number, b: number) => void, look: () => void, time: (place:
   * number, decimals: number) => string, rate: () => number, seconds: (place: number) => number, placeAt: (seconds:
   * number) => number, hover: (place: number, x: number) => void, segment: (i: number) => void}} on callbacks for
   * what the user does, and conversions between places and times
   */
  constructor(canvas, on) {
    this.canvas = canvas;
    this.on = on;
    this.count = 0; // number of frames that have values
    this.length = 1; // number of frames at the end of the run
    this.first = 0; // first place in view; not always a whole number
    this.shown = 1;
    this.chosen = 0;
    /** @type {Curve | null} */
    this.curve = null;
    /** @type {OtherCurve[]} */
    this.others = []; // curves of other encodes, behind this one
    this.label = ""; // label of the drawn curve
    /** @type {number[]} */
    this.marks = [];
    /** @type {{from: number, to: number, text: string}[]} */
    this.segments = []; // bad segments, with their first and last places
    this.looped = -1; // index of the segment that is the range; -1: none
    /** @type {number[]} */
    this.scenes = []; // places at which scenes begin
    /** @type {number[] | null} */
    this.range = null;
    /** @type {WeakMap<Curve, {count: number, levels: {low: Float64Array, high: Float64Array}[], least: number, most:
     * number}>} */
    this.known = new WeakMap();
    this.waiting = false;
    this.axis = [0, 1]; // lowest and highest value of the axis
    /** @type {{x: number, first: number, how: string, from: number} | null} */
    this.held = null;
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "slider");
    canvas.setAttribute("aria-valuemin", "0");
    canvas.addEventListener("wheel", event => this.onWheel(event), {passive: false});
    canvas.addEventListener("pointerdown", event => this.onDown(event));
    canvas.addEventListener("pointermove", event => this.onMove(event));
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => { this.held = null; });
    canvas.addEventListener("pointerleave", () => on.hover(-1, 0));
    new ResizeObserver(() => this.look(this.first, this.shown)).observe(canvas);
  }

  /**
   * Sets the numbers of frames. Keeps the view, unless all frames were in view.
   * @param {number} count @param {number} length
   */
  setCount(count, length) {
    const all = this.shown >= this.length;
    this.count = count;
    this.length = Math.max(1, length);
    this.look(this.first, all ? this.length : this.shown);
    this.canvas.setAttribute("aria-valuemax", String(Math.max(0, this.length - 1)));
  }

  /** @param {number} first @param {number} shown */
  look(first, shown) {
    this.shown = Math.min(this.length, Math.max(Math.min(8, this.length), shown));
    this.first = Math.max(0, Math.min(this.length - this.shown, first));
    this.draw();
    this.on.look();
  }

  /** Brings a place into view; one past the end counts as the last. @param {number} place */
  follow(place) {
    const had = this.chosen;
    this.chosen = Math.max(0, Math.min(this.length - 1, place));
    if (this.chosen < this.first) this.look(this.chosen, this.shown);
    else if (this.chosen + 1 > this.first + this.shown) this.look(this.chosen + 1 - this.shown, this.shown);
    else if (this.marks.includes(had) !== this.marks.includes(this.chosen)) this.draw();
  }

  /** @param {number} factor @param {number} at the place that does not move */
  zoom(factor, at = this.chosen + 0.5) {
    const shown = Math.min(this.length, Math.max(Math.min(8, this.length), this.shown * factor));
    this.look(at - (at - this.first) * shown / this.shown, shown);
  }

  width() {
    return Math.max(1, this.canvas.clientWidth - PLOT_LEFT - this.right());
  }

  right() {
    return (this.canvas.clientWidth > 500 ? PLOT_RIGHT : 64) + this.gutter();
  }

  top() {
    return this.segments.length ? LANE + 8 : 10;
  }

  /** @param {{from: number, to: number, text: string}[]} segments */
  setSegments(segments) {
    this.segments = segments;
    this.look(this.first, this.shown);
  }

  /** Returns the segment whose block is under the pointer; -1: none. @param {MouseEvent} event */
  segmentAt(event) {
    const box = this.canvas.getBoundingClientRect(), x = event.clientX - box.left;
    if (event.clientY - box.top > LANE + 2) return -1;
    return this.segments.findIndex(s => x >= this.xOf(s.from) - 2 &&
      x <= Math.max(this.xOf(s.to + 1), this.xOf(s.from) + 8) + 2);
  }

  /** Returns the width for labels of curves. */
  gutter() {
    return this.others.length ? 16 : 0;
  }

  /** @param {number} place may lie within a frame @returns {number} */
  xOf(place) {
    return PLOT_LEFT + (place - this.first) / this.shown * this.width();
  }

  /** @param {number} x of the client @returns {number} */
  placeAt(x) {
    return this.first + (x - this.canvas.getBoundingClientRect().left - PLOT_LEFT) / this.width() * this.shown;
  }

  /** @param {number} x of the client */
  frameAt(x) {
    return Math.max(0, Math.min(this.length - 1, Math.floor(this.placeAt(x))));
  }

  /** @param {WheelEvent} event */
  onWheel(event) {
    if (window.innerWidth <= 760 && !event.ctrlKey) return; // the wheel scrolls the page
    event.preventDefault();
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
      this.look(this.first + Math.sign(event.deltaX || event.deltaY) * this.shown / 10, this.shown);
    else this.zoom(event.deltaY > 0 ? 1.25 : 0.8, this.placeAt(event.clientX));
  }

  /** Begins to drag: the view on the axis, the frame elsewhere, a range with Shift. @param {PointerEvent} event */
  onDown(event) {
    const segment = this.segmentAt(event);
    if (segment >= 0) {
      this.on.segment(segment);
      return;
    }
    const axis = event.clientY > this.canvas.getBoundingClientRect().bottom - PLOT_BOTTOM && this.shown < this.length;
    this.canvas.setPointerCapture(event.pointerId);
    this.held = {x: event.clientX, first: this.first, how: event.shiftKey ? "range" : axis ? "time" : "frame",
      from: this.frameAt(event.clientX)};
    if (this.held.how === "frame") this.on.choose(this.held.from);
  }

  /** @param {PointerEvent} event */
  onMove(event) {
    const held = this.held, at = this.frameAt(event.clientX);
    this.on.hover(held || event.pointerType === "touch" ? -1 : at, this.xOf(at + 0.5));
    if (!held) return;
    if (held.how === "range") this.on.range(Math.min(held.from, at), Math.max(held.from, at));
    else if (held.how === "frame") this.on.choose(at);
    else this.look(held.first - (event.clientX - held.x) / this.width() * this.shown, this.shown);
  }

  // ---- Values

  /** Returns the extremes of each 16, 256, ... neighbouring values, and of all finite values. @param {Curve} curve */
  summary(curve) {
    const known = this.known.get(curve), {count} = curve;
    if (known?.count === count) return known;
    /** @type {{low: Float64Array, high: Float64Array}[]} */
    const levels = [];
    let least = Infinity, most = -Infinity, low = curve.values, high = curve.values, size = count;
    for (let i = 0; i < count; i++) {
      if (!Number.isFinite(curve.values[i])) continue;
      if (curve.values[i] < least) least = curve.values[i];
      if (curve.values[i] > most) most = curve.values[i];
    }
    while (size > GROUP) {
      const groups = Math.ceil(size / GROUP), lows = new Float64Array(groups).fill(NaN),
        highs = new Float64Array(groups).fill(NaN);
      for (let i = 0; i < size; i++) {
        const g = Math.floor(i / GROUP);
        if (!(lows[g] <= low[i]) && !Number.isNaN(low[i])) lows[g] = low[i];
        if (!(highs[g] >= high[i]) && !Number.isNaN(high[i])) highs[g] = high[i];
      }
      levels.push({low: lows, high: highs});
      [low, high, size] = [lows, highs, groups];
    }
    const made = {count, levels, least, most};
    this.known.set(curve, made);
    return made;
  }

  /**
   * Returns the least and greatest value at places from a to b.
   * @param {Curve} curve @param {number} a @param {number} b
   */
  extremes(curve, a, b) {
    const {levels} = this.summary(curve);
    let lows = curve.values, highs = curve.values, end = curve.count, low = NaN, high = NaN;
    for (let level = 0; b - a > 4 * GROUP && level < levels.length; level++) {
      [a, b] = [Math.floor(a / GROUP), Math.ceil(b / GROUP)];
      ({low: lows, high: highs} = levels[level]);
      end = lows.length;
    }
    for (let i = Math.max(0, a); i < Math.min(b, end); i++) {
      if (!(low <= lows[i]) && !Number.isNaN(lows[i])) low = lows[i];
      if (!(high >= highs[i]) && !Number.isNaN(highs[i])) high = highs[i];
    }
    return [low, high];
  }

  /** Returns the lowest and highest value of the axis. @param {Curve} curve @returns {number[]} */
  span(curve) {
    let {least, most} = this.summary(curve);
    for (const other of this.others) {
      const more = this.summary(other.curve);
      [least, most] = [Math.min(least, more.least), Math.max(most, more.most)];
    }
    if (least > most) [least, most] = [0, 1];
    for (const gate of curve.gates) [least, most] = [Math.min(least, gate), Math.max(most, gate)];
    const margin = most > least ? (most - least) * 0.08 : Math.max(1e-6, Math.abs(most) * 0.05);
    return [Math.max(least - margin, Number.isFinite(curve.least) ? curve.least - margin / 4 : -Infinity),
      Math.min(most + margin, Number.isFinite(curve.most) ? Math.max(curve.most, most) + margin / 4 : Infinity)];
  }

  /** @param {number} value @param {Curve} curve */
  yOf(value, curve) {
    this.axis = this.span(curve);
    return this.yOfAxis(value);
  }

  /** Returns the y of a value on the axis that was drawn last. @param {number} value */
  yOfAxis(value) {
    const [low, high] = this.axis, room = this.canvas.clientHeight - this.top() - PLOT_BOTTOM;
    return this.top() + Math.max(0, Math.min(1, (high - value) / (high - low || 1))) * room;
  }

  // ---- Drawing

  draw() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.drawNow();
    });
  }

  drawNow() {
    const scale = window.devicePixelRatio || 1, width = this.canvas.clientWidth, height = this.canvas.clientHeight,
      context = this.canvas.getContext("2d");
    if (!width || !height || !context) return;
    const style = getComputedStyle(this.canvas),
      colour = (/** @type {string} */ name) => style.getPropertyValue(name);
    [this.canvas.width, this.canvas.height] = [Math.round(width * scale), Math.round(height * scale)];
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.font = `11px ${colour("--font")}`;
    const right = width - this.right(), bottom = height - PLOT_BOTTOM;
    this.drawTime(context, colour, right, bottom);
    this.drawSegments(context, colour, right, bottom);
    if (!this.curve) return;
    this.axis = this.span(this.curve);
    this.drawScale(context, this.curve, colour, right, bottom);
    context.save();
    context.beginPath();
    context.rect(PLOT_LEFT, 0, right - PLOT_LEFT, height);
    context.clip();
    context.lineJoin = "round";
    this.others.forEach((other, i) => {
      context.setLineDash(DASHES[i % DASHES.length]);
      this.trace(context, other, colour("--edge"), 1, scale);
    });
    context.setLineDash([]);
    this.trace(context, {curve: this.curve, label: this.label, at: place => place}, colour("--accent"), 2, scale);
    context.restore();
    if (this.others.length) this.drawLabels(context, colour, right);
    if (this.count < this.length && this.xOf(this.count) < right) {
      context.fillStyle = colour("--grid");
      context.fillRect(Math.max(PLOT_LEFT, this.xOf(this.count)), this.top(),
        right - Math.max(PLOT_LEFT, this.xOf(this.count)), bottom - this.top());
    }
    for (const place of this.marks)
      this.drawMark(context, colour, this.xOf(place + 0.5), bottom, right, place === this.chosen);
  }

  /** @param {CanvasRenderingContext2D} context @param {(name: string) => string} colour @param {number} right
   * @param {number} bottom */
  drawTime(context, colour, right, bottom) {
    if (this.range) {
      const [a, b] = [this.xOf(this.range[0]), this.xOf(this.range[1] + 1)].map(x => Math.max(PLOT_LEFT,
        Math.min(right, x)));
      context.fillStyle = colour("--wash");
      context.fillRect(a, this.top(), b - a, bottom - this.top());
    }
    context.fillStyle = colour("--edge");
    for (const place of this.scenes) if (this.xOf(place) >= PLOT_LEFT && this.xOf(place) <= right)
      context.fillRect(Math.round(this.xOf(place)), this.top(), 1, bottom - this.top());
    context.fillRect(PLOT_LEFT, bottom, right - PLOT_LEFT, 1);
    const rate = this.on.rate(), least = Math.max(56 / this.width() * this.shown, 1) / (rate || 1);
    const step = !rate ? niceStep(least) : [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600,
      1200, 3600, 7200].find(s => s >= least) || 14400;
    context.textAlign = "center";
    const secondsOf = (/** @type {number} */ place) => rate ? this.on.seconds(place) : place,
      placeAt = (/** @type {number} */ at) => rate ? this.on.placeAt(at) : at;
    let free = -Infinity; // end of the previous label: all times in a gap of the file are at one place
    for (let i = Math.ceil(secondsOf(this.first) / step); i * step <= secondsOf(this.first + this.shown); i++) {
      const x = this.xOf(placeAt(i * step) + 0.5), text = rate ? this.on.time(i * step,
        step < 0.1 ? 2 : step < 1 ? 1 : 0) : String(i * step), half = context.measureText(text).width / 2;
      if (x < PLOT_LEFT || x > right || x - half < free) continue;
      free = x + half + 4;
      context.fillStyle = colour("--edge");
      context.fillRect(Math.round(x), bottom, 1, 4);
      context.fillStyle = colour("--faint");
      context.fillText(text, x, bottom + 16);
    }
  }

  /**
   * @param {CanvasRenderingContext2D} context @param {(name: string) => string} colour @param {number} right
   * @param {number} bottom
   */
  drawSegments(context, colour, right, bottom) {
    this.segments.forEach(({from, to, text}, i) => {
      const a = Math.max(PLOT_LEFT, this.xOf(from)),
        b = Math.min(right, Math.max(this.xOf(to + 1), this.xOf(from) + 8));
      if (b <= a) return;
      context.fillStyle = colour("--veil");
      context.fillRect(a, LANE, b - a, bottom - LANE);
      context.fillStyle = colour(i === this.looped ? "--accent" : "--text");
      context.beginPath();
      context.roundRect(a, 4, b - a, LANE - 4, 3);
      context.fill();
      context.fillStyle = colour(i === this.looped ? "--on-accent" : "--panel");
      context.textAlign = "left";
      const words = [`↻ ${text}`, "↻"].find(t => context.measureText(t).width + 12 <= b - a);
      if (words) context.fillText(words, a + 6, 16);
    });
  }

  /**
   * Returns the coarsest even steps of an axis of which three or more fit.
   * @param {number} low @param {number} high @param {number} most @returns {number}
   */
  stepOf(low, high, most) {
    for (let parts = most; parts < 4 * most; parts++) {
      const step = niceStep((high - low) / parts);
      if (Math.floor(high / step) - Math.ceil(low / step) >= 2) return step;
    }
    return niceStep((high - low) / most);
  }

  /** @param {CanvasRenderingContext2D} context @param {Curve} curve @param {(name: string) => string} colour
   * @param {number} right @param {number} bottom */
  drawScale(context, curve, colour, right, bottom) {
    const [low, high] = this.span(curve), words = /** @type {{y: number, text: string, gate: boolean}[]} */ ([]);
    curve.grades.forEach((grade, i) => {
      const a = this.yOf(Math.max(low, grade.from), curve),
        b = this.yOf(Math.min(high, curve.grades[i + 1]?.from ?? high), curve);
      if (a - b < 1) return;
      context.fillStyle = colour("--zone");
      if (i % 2) context.fillRect(PLOT_LEFT, b, right - PLOT_LEFT, a - b);
      if (a - b > 10) words.push({y: Math.min(b + 10, a), text: grade.word, gate: false});
    });
    context.textAlign = "right";
    const step = this.stepOf(low * curve.factor, high * curve.factor, bottom > 150 ? 6 : 3),
      digits = Math.max(0, Math.min(6, -Math.floor(Math.log10(step) + 1e-9)));
    for (let i = Math.ceil(low * curve.factor / step); i * step <= high * curve.factor; i++) {
      const y = this.yOf(i * step / curve.factor, curve);
      if (y < this.top() + 4 || y > bottom - 2) continue;
      context.fillStyle = colour("--grid");
      context.fillRect(PLOT_LEFT, Math.round(y), right - PLOT_LEFT, 1);
      context.fillStyle = colour("--faint");
      context.fillText((i * step).toFixed(digits).replace("-", "−"), PLOT_LEFT - 6, y + 4);
    }
    context.strokeStyle = colour("--alert");
    context.lineWidth = 1;
    context.setLineDash([6, 3]);
    for (const gate of curve.gates) {
      const y = Math.round(this.yOf(gate, curve)) + 0.5;
      context.beginPath();
      context.moveTo(PLOT_LEFT, y);
      context.lineTo(right, y);
      context.stroke();
      words.push({y: y + 4, text: `gate ${String(Number((gate * curve.factor).toPrecision(6))).replace("-", "−")}`,
        gate: true});
    }
    context.setLineDash([]);
    context.textAlign = "left";
    words.sort((a, b) => a.y - b.y).forEach((word, i) => {
      if (i && word.y < words[i - 1].y + 12) word.y = words[i - 1].y + 12;
      context.fillStyle = colour(word.gate ? "--alert" : "--faint");
      context.fillText(word.text, right + 8 + this.gutter(), word.y);
    });
  }

  /** @param {CanvasRenderingContext2D} context @param {(name: string) => string} colour @param {number} x
   * @param {number} bottom @param {number} right @param {boolean} here */
  drawMark(context, colour, x, bottom, right, here) {
    if (x < PLOT_LEFT || x > right) return;
    context.fillStyle = colour(here ? "--text" : "--edge");
    context.beginPath();
    context.moveTo(x - 4, bottom);
    context.lineTo(x + 4, bottom);
    context.lineTo(x, bottom - 7);
    context.fill();
  }

  /** @param {CanvasRenderingContext2D} context @param {OtherCurve} of @param {string} colour @param {number} width
   * @param {number} scale */
  trace(context, of, colour, width, scale) {
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.beginPath();
    if (this.shown < this.width()) this.traceFrames(context, of);
    else this.traceColumns(context, of, scale);
    context.stroke();
  }

  /** Draws a line through few frames. @param {CanvasRenderingContext2D} context @param {OtherCurve} of */
  traceFrames(context, {curve, at}) {
    let down = false;
    for (let i = Math.max(0, Math.floor(this.first) - 1);
    i < Math.min(this.length, this.first + this.shown + 2); i++) {
      const own = at(i), value = own < curve.count ? curve.values[own] : NaN, x = this.xOf(i + 0.5);
      if (Number.isNaN(value)) down = false;
      else if (down) context.lineTo(x, this.yOfAxis(value));
      else context.moveTo(x, this.yOfAxis(value));
      down = !Number.isNaN(value);
    }
  }

  /**
   * Draws each column of pixels from the least to the greatest value of its frames.
   * @param {CanvasRenderingContext2D} context @param {OtherCurve} of @param {number} scale
   */
  traceColumns(context, {curve, at}, scale) {
    const columns = Math.round(this.width() * scale), step = this.shown / columns;
    context.setLineDash([]);
    context.lineWidth *= 0.625;
    for (let c = 0; c < columns; c++) {
      const a = Math.floor(this.first + c * step), b = Math.max(a + 1, Math.ceil(this.first + (c + 1) * step)),
        [least, most] = this.extremes(curve, at(a), at(b - 1) + 1);
      if (Number.isNaN(least)) continue;
      const x = PLOT_LEFT + (c + 0.5) / scale, y = this.yOfAxis(least);
      context.moveTo(x, y + 0.5);
      context.lineTo(x, Math.min(this.yOfAxis(most), y - 0.5));
    }
  }

  /**
   * Draws the number of each curve next to its last value in view.
   * @param {CanvasRenderingContext2D} context @param {(name: string) => string} colour @param {number} right
   */
  drawLabels(context, colour, right) {
    const last = Math.max(0, Math.min(this.length, Math.ceil(this.first + this.shown)) - 1),
      own = {curve: /** @type {Curve} */ (this.curve), label: this.label, at: (/** @type {number} */ p) => p};
    const labels = [own, ...this.others].map(({curve, label, at}) =>
      ({label, value: curve.values[Math.min(at(last), curve.count - 1)], here: curve === this.curve}))
      .filter(({value}) => value !== undefined && !Number.isNaN(value))
      .map(l => ({...l, y: this.yOfAxis(l.value) + 4})).sort((a, b) => a.y - b.y);
    labels.forEach((label, i) => { if (i && label.y < labels[i - 1].y + 11) label.y = labels[i - 1].y + 11; });
    context.textAlign = "left";
    for (const {label, y, here} of labels) {
      context.font = `${here ? "bold " : ""}11px ${colour("--font")}`;
      context.fillStyle = colour(here ? "--accent" : "--faint");
      context.fillText(label, right + 5, y);
    }
    context.font = `11px ${colour("--font")}`;
  }
}
