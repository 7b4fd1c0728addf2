// The report page. The element #data holds everything that the page shows beyond its tables.
(() => {
  const $ = (id) => document.getElementById(id);
  const data = JSON.parse($("data").textContent), report = data.report, scores = data.outputs;
  const SVG = new Set(["svg", "path", "line", "rect", "text", "polyline", "circle", "title"]);

  /** An element with attributes and children; text is never markup. */
  function make(tag, attributes = {}, ...children) {
    const node = SVG.has(tag) ? document.createElementNS($("plot").namespaceURI, tag) : document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) if (value !== null && value !== false)
      node.setAttribute(name, value);
    node.append(...children);
    return node;
  }

  function bytesOf(text) {
    const binary = atob(text), bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
    return bytes.buffer;
  }

  // ---- Frames and times

  const perBin = data.timeline.frames_per_bin, numbers = new Float64Array(bytesOf(data.timeline.numbers));
  const bins = perBin === 1 ? numbers.length : numbers.length / 2;
  const firstOf = (bin) => perBin === 1 ? numbers[bin] : numbers[2 * bin];
  const lastOf = (bin) => perBin === 1 ? numbers[bin] : numbers[2 * bin + 1];
  const secondsOf = (frame) => data.rate ? (frame + data.first_frame) / data.rate : NaN;
  const timeOf = (frame) => data.timecode ? timecodeText(data.timecode, frame + Math.round(data.first_frame))
    : data.rate ? clockText(secondsOf(frame)) : `frame ${frame}`;
  const isStill = numbers.length === 1 && perBin === 1; // a single frame has no time
  const momentOf = (frame) => isStill ? "" : data.rate ? `${timeOf(frame)}, frame ${frame}` : `frame ${frame}`;

  /** Returns the last bin that begins at or before a frame. */
  function binOf(frame) {
    let low = 0, high = bins;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (firstOf(middle) <= frame) low = middle; else high = middle;
    }
    return low;
  }

  /** For each output with a value per frame: the least and greatest value of each bin. */
  const curves = new Map();
  for (const { output, values } of data.timeline.curves) {
    if (perBin === 1) {
      const all = new Float64Array(bytesOf(values));
      curves.set(output, { low: all, high: all });
    } else {
      const both = new Float32Array(bytesOf(values)), low = new Float32Array(bins), high = new Float32Array(bins);
      for (let i = 0; i < bins; i++) [low[i], high[i]] = [both[2 * i], both[2 * i + 1]];
      curves.set(output, { low, high });
    }
  }
  const worstOf = (output) => (data.worst.find(w => w.output === output) || { frames: [] }).frames;
  const pooled = (score, pool) => score.sequence ? (pool === "mean" ? realOf(report.sequence[score.name]) : NaN)
    : realOf(report.pooled[score.name][pool]);

  // ---- State

  const leading = data.order, drawn = leading.filter(o => curves.has(o));
  const state = { output: drawn[0] ?? [...curves.keys()][0], bin: 0, from: 0, to: Math.max(bins - 1, 1),
    mode: "split", split: 0.5, map: 0, top: 255, exact: false };
  const scoreNow = () => scores[state.output];

  // ---- Tiles

  /** Returns the points of a curve, reduced to `width` columns with a least and a greatest value each. */
  function points(output, from, to, width, x, y) {
    const { low, high } = curves.get(output), list = [], step = Math.max(1, Math.ceil((to - from + 1) / width));
    for (let i = from; i <= to; i += step) {
      let least = Infinity, most = -Infinity;
      for (let k = i; k <= Math.min(to, i + step - 1); k++) {
        if (low[k] < least) least = low[k];
        if (high[k] > most) most = high[k];
      }
      if (!(most >= least)) continue;
      list.push(`${x(i).toFixed(1)},${y(least).toFixed(1)}`);
      if (most !== least) list.push(`${x(i).toFixed(1)},${y(most).toFixed(1)}`);
    }
    return list.join(" ");
  }

  function rangeOf(output, from, to) {
    const { low, high } = curves.get(output);
    let least = Infinity, most = -Infinity;
    for (let i = from; i <= to; i++) {
      if (low[i] < least && Number.isFinite(low[i])) least = low[i];
      if (high[i] > most && Number.isFinite(high[i])) most = high[i];
    }
    return most >= least ? [least, most] : [0, 1];
  }

  function spark(output, at) {
    const [low, high] = rangeOf(output, 0, bins - 1), last = Math.max(bins - 1, 1);
    const x = (i) => i / last * 320, y = (v) => 30 - (Math.min(Math.max(v, low), high) - low) /
      (high - low || 1) * 28;
    const picture = make("svg", { viewBox: "0 0 320 32", preserveAspectRatio: "none", "aria-hidden": "true" },
      make("polyline", { points: points(output, 0, bins - 1, 320, x, y) }));
    if (at !== undefined)
      picture.append(make("line", { x1: x(binOf(at)), x2: x(binOf(at)), y1: 0, y2: 32, class: "worst" }));
    return picture;
  }

  for (const output of leading.slice(0, 6)) {
    const score = scores[output], mean = pooled(score, "mean"), verdict = verdictOf(score, mean),
      worst = worstOf(output)[0];
    const part = score.better === "lower" ? "p95" : "p5", low = [];
    if (!score.sequence && !isStill) low.push(`worst 5 % ${numberText(score, pooled(score, part))}`);
    if (worst && !isStill) low.push(`worst ${numberText(score, worst.value)} at ${timeOf(worst.frame)}`);
    const grade = report.partial ? [make("span", { class: "faint" }, "partial")] : verdict.level
      ? [gradeMeter(verdict.level), verdict.word]
      : [make("span", { class: "faint" }, score.grades.length ? "" : "no convention")];
    const tile = make("button", { class: "tile", type: "button", title: score.text, "data-output": output },
      make("span", { class: "name" }, make("span", {}, score.title), make("code", {}, score.name)),
      make("span", { class: "row" }, make("span", { class: "value" }, numberText(score, mean)),
        make("span", { class: "unit" }, score.unit || score.scale || ""),
        make("span", { class: "grade" }, ...grade)),
      ...(curves.has(output) && !isStill ? [spark(output, worst && worst.frame)] : []),
      ...(isStill ? [] : [make("span", { class: "low" }, low.join(" · ") || "of the whole clip")]));
    if (curves.has(output)) tile.addEventListener("click", () => { choose(output); if (worst) go(binOf(worst.frame));
    $("time").scrollIntoView({ block: "start" }); });
    else tile.disabled = true;
    $("tiles").append(tile);
  }

  // ---- The curve

  function choose(output) {
    state.output = output;
    show();
  }

  function chips() {
    for (const output of drawn) {
      const chip = make("button", { type: "button", title: scores[output].text, "data-output": output },
        scores[output].title);
      chip.addEventListener("click", () => choose(output));
      $("chips").append(chip);
    }
    const others = [...curves.keys()].filter(o => !drawn.includes(o));
    if (others.length) {
      const more = make("select", { "aria-label": "Other scores", id: "more" },
        make("option", { value: "" }, `${others.length} more…`),
        ...others.map(o => make("option", { value: o }, `${scores[o].title} (${scores[o].name})`)));
      more.addEventListener("change", () => { if (more.value) choose(+more.value); });
      $("chips").append(more);
    }
    const zoom = make("span", { class: "zoom" });
    for (const [text, name, factor] of [["+", "Zoom in", 0.5], ["−", "Zoom out", 2],
      ["All", "Show the whole clip", 1e9]]) {
      const button = make("button", { type: "button", "aria-label": name }, text);
      button.addEventListener("click", () => zoomBy(factor));
      zoom.append(button);
    }
    if (bins > 60) $("chips").append(zoom);
  }

  function zoomBy(factor, at = state.bin) {
    const span = Math.min(bins - 1, Math.max(10, (state.to - state.from) * factor));
    const part = state.to > state.from ? (at - state.from) / (state.to - state.from) : 0.5;
    state.from = Math.round(Math.max(0, Math.min(bins - 1 - span, at - part * span)));
    state.to = Math.min(Math.max(bins - 1, 1), Math.round(state.from + span));
    show();
  }

  let frameAt = () => 0;

  /** Draws the score: zones of grades, grid, gates, scenes, parts, curve, playhead and worst moments. */
  function plot(width, height) {
    const svg = $("plot"), score = scoreNow(), narrow = width < 600,
      gates = report.gates.filter(g => g.score === score.name);
    const left = narrow ? 44 : 56, right = width - (narrow ? 80 : 96), top = 12, bottom = height - 28;
    let [low, high] = rangeOf(state.output, state.from, state.to);
    for (const gate of gates) [low, high] = [Math.min(low, realOf(gate.limit)), Math.max(high, realOf(gate.limit))];
    const pad = (high - low) * 0.08 || Math.abs(high) * 0.05 || 1;
    [low, high] = [low - pad, high + pad];
    const x = (bin) => left + (bin - state.from) / (state.to - state.from || 1) * (right - left);
    const y = (v) => top + (high - Math.min(Math.max(v, low), high)) / (high - low) * (bottom - top);
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.replaceChildren();
    const taken = [];
    const label = (at, name, kind) => {
      if (taken.some(t => Math.abs(t - at) < 13)) return;
      taken.push(at);
      svg.append(make("text", { x: right + 8, y: at + 4, class: kind }, name));
    };
    for (const gate of gates) {
      const at = y(realOf(gate.limit));
      svg.append(make("line", { x1: left, x2: right, y1: at, y2: at, class: "gate" }));
      label(at, `gate ${String(+(realOf(gate.limit) * score.factor).toPrecision(6)).replace("-", "−")}`, "gatename");
    }
    score.grades.forEach((grade, i) => {
      const from = grade.from === null ? low : Math.max(low, grade.from), next = score.grades[i + 1],
        to = next ? Math.min(high, next.from) : high;
      if (to <= from) return;
      if (i % 2) svg.append(make("rect", { x: left, y: y(to), width: right - left, height: y(from) - y(to),
        fill: "var(--zone)" }));
      if (y(from) - y(to) > 14) label((y(from) + y(to)) / 2, grade.word, "zone");
    });
    const factor = score.factor, step = niceStep((high - low) * factor / (height > 220 ? 6 : 4));
    for (let t = Math.ceil(low * factor / step) * step; t <= high * factor; t += step) {
      const at = y(t / factor), digits = Math.max(0, Math.min(6, -Math.floor(Math.log10(step) + 1e-9)));
      if (at > top + 3 && at < bottom - 3)
        svg.append(make("line", { x1: left, x2: right, y1: at, y2: at, class: "grid" }),
          make("text", { x: left - 8, y: at + 4, class: "tick", "text-anchor": "end" },
            (Math.abs(t) < step / 2 ? 0 : t).toFixed(digits).replace("-", "−")));
    }
    const first = firstOf(state.from), last = lastOf(Math.min(state.to, bins - 1)), rate = data.rate || 1;
    const seconds = (last - first) / rate, room = Math.max(2, (right - left) / 72),
      least = Math.max(seconds / room, data.rate ? 0.1 : 1);
    const tick = data.rate && least > 5 ? [10, 15, 30, 60, 120, 300, 600, 1800, 3600].find(s => s >= least) ||
      7200 : niceStep(least);
    const start = data.rate ? secondsOf(first) : first;
    for (let s = Math.ceil(start / tick - 1e-6) * tick; s <= start + seconds + 1e-6 && bins > 1; s += tick) {
      const at = x(binOf(Math.round(first + (s - start) * rate)));
      svg.append(make("line", { x1: at, x2: at, y1: bottom, y2: bottom + 4, class: "axis" }),
        make("text", { x: at, y: bottom + 16, class: "tick", "text-anchor": "middle" },
          data.rate ? clockText(s, tick < 1 ? 1 : 0) : String(s)));
    }
    svg.append(make("line", { x1: left, x2: right, y1: bottom, y2: bottom, class: "axis" }));
    for (const scene of report.scenes || [])
      if (scene.frame > first && scene.frame <= last) {
        const at = x(binOf(scene.frame));
        svg.append(make("line", { x1: at, x2: at, y1: top - 8, y2: bottom, class: "scene" },
          make("title", {}, `Scene from ${momentOf(scene.frame)}`)));
      }
    for (const event of report.check?.events || [])
      if (event.side !== "reference" && event.last >= first && event.first <= last) {
        const from = Math.max(left, x(binOf(event.first))), to = Math.min(right, x(binOf(event.last) + 1));
        svg.append(make("rect", { x: from, y: top, width: Math.max(2, to - from), height: bottom - top,
          class: "event" }, make("title", {}, `${event.check}, frames ${event.first} to ${event.last}`)));
      }
    svg.append(make("polyline",
      { class: "curve", points: points(state.output, state.from, state.to, right - left, x, y) }));
    if (report.intervals) {
      const steps = [];
      for (const part of report.intervals) {
        const mean = realOf(part.pooled[score.name].mean), from = x(Math.max(state.from, binOf(part.frame))),
          end = x(Math.min(state.to, binOf(part.frame) + part.frame_count / perBin));
        if (end > from) steps.push(`M${from.toFixed(1)} ${y(mean).toFixed(1)}H${end.toFixed(1)}`);
      }
      svg.append(make("path", { class: "step", d: steps.join("") }));
    }
    const here = Math.min(state.bin, bins - 1), value = curves.get(state.output).low[here];
    svg.append(make("line", { x1: x(here), x2: x(here), y1: top - 4, y2: bottom, class: "head" }));
    if (Number.isFinite(value)) svg.append(make("circle", { cx: x(here), cy: y(value), r: 3.5, class: "dot" }));
    worstOf(state.output).forEach(({ frame }, rank) => {
      const at = x(binOf(frame));
      if (at >= left - 1 && at <= right + 1)
        svg.append(make("path", { d: `M${at - 4} ${bottom - 1}h8l-4 -7z`, class: binOf(frame) === here ? "mark on"
          : "mark" }, make("title", {}, `Worst ${rank + 1}: ${momentOf(frame)}`)));
    });
    frameAt = (px) => Math.round(Math.max(0,
      Math.min(bins - 1, state.from + (px - left) / (right - left) * (state.to - state.from))));
  }

  function say() {
    const score = scoreNow(), frame = firstOf(state.bin), { low, high } = curves.get(state.output),
      l = low[state.bin], h = high[state.bin];
    const value = l === h || perBin === 1 ? scoreText(score, l) : `${numberText(score, l)} to ${scoreText(score, h)}`;
    const verdict = verdictOf(score, score.better === "lower" ? h : l).word,
      when = perBin === 1 ? momentOf(frame) : `frames ${frame} to ${lastOf(state.bin)}`;
    $("readout").replaceChildren(make("span", {}, make("b", {}, when), `: ${score.title} `, make("b", {}, value),
      verdict ? `, ${verdict}` : ""),
      make("span", { class: "faint hidephone" }, "▲ worst moments · arrow keys: one frame · w: next worst"));
    const svg = $("plot");
    svg.setAttribute("aria-valuemax", bins - 1);
    svg.setAttribute("aria-valuenow", state.bin);
    svg.setAttribute("aria-valuetext", `${when}, ${score.title} ${value}${verdict ? `, ${verdict}` : ""}`);
  }

  function show() {
    const svg = $("plot");
    for (const chip of document.querySelectorAll("[data-output]"))
      chip.setAttribute("aria-pressed", String(+chip.dataset.output === state.output));
    if ($("more")) $("more").value = drawn.includes(state.output) ? "" : state.output;
    plot(svg.clientWidth || 1120, svg.clientHeight || 264);
    say();
    draw();
  }

  /** Goes to a bin and brings it into view. */
  function go(bin) {
    state.bin = Math.max(0, Math.min(bins - 1, bin));
    const span = state.to - state.from;
    if (state.bin < state.from || state.bin > state.to) {
      state.from = Math.max(0, Math.min(bins - 1 - span, Math.round(state.bin - span / 2)));
      state.to = state.from + span;
    }
    show();
  }

  function nextWorst() {
    const frames = worstOf(state.output).map(w => w.frame), at = frames.findIndex(f => binOf(f) === state.bin);
    if (frames.length) go(binOf(frames[(at + 1) % frames.length]));
  }

  // ---- Pictures of the worst moments

  const shown = [...new Set(data.pictures.map(p => p.frame))], images = new Map();
  const pictureOf = (frame, name, exact) => data.pictures.find(p => p.frame === frame && p.name === name &&
    (exact ? p.scale === 1 && p.part : !p.part));
  for (const picture of data.pictures) {
    const same = data.pictures.filter(p => p.frame === picture.frame && p.name === picture.name);
    picture.part = same.length > 1 && picture === same[same.length - 1];
    const image = new Image();
    image.src = `data:image/${picture.type};base64,${picture.png}`;
    images.set(picture, image);
  }
  const maps = [...new Set(data.pictures.map(p => p.name))].filter(name => !["reference", "distorted",
    "difference"].includes(name));
  const hasReference = data.pictures.some(p => p.name === "reference");
  const mapTitle = (name) => data.map_titles[name] || name;
  const MODES = [["split", "Split"], ["distorted", hasReference ? "Encode" : "Video"], ["reference", "Reference"],
    ["difference", "Difference"], ["map", "Map"], ["overlay", "Map on picture"]]
    .filter(([mode]) => (hasReference || !["split", "reference", "difference"].includes(mode)) &&
      (maps.length || !["map", "overlay"].includes(mode)));
  if (!hasReference) state.mode = "distorted";
  const work = document.createElement("canvas"), dots = work.getContext("2d", { willReadFrequently: true });

  function samplesOf(picture) {
    const image = images.get(picture);
    [work.width, work.height] = [image.naturalWidth, image.naturalHeight];
    dots.drawImage(image, 0, 0);
    return dots.getImageData(0, 0, work.width, work.height);
  }

  /** The greatest value of each map in all pictures. */
  const ceilings = new Map();
  const ceilingOf = (name) => {
    if (!ceilings.has(name))
      ceilings.set(name, Math.max(...data.pictures.filter(p => p.name === name).map(p => p.high)));
    return ceilings.get(name);
  };
  const topOf = (name) => ceilingOf(name) * state.top / 255;

  /**
   * Returns a map in colours, alone or over the gray picture, where values below a fiftieth of the scale, or below 1
   * JND, are left out.
   */
  function coloured(frame, name, exact, over) {
    const map = pictureOf(frame, name, exact), under = over && pictureOf(frame, "distorted", exact);
    if (!map) return null;
    const values = samplesOf(map), out = under ? samplesOf(under) : values, top = topOf(name);
    const table = map.colours.map(c => [1, 3, 5].map(i => parseInt(c.slice(i, i + 2), 16))),
      floor = map.unit === "JND" ? 1 : top / 50;
    for (let i = 0; i < values.data.length; i += 4) {
      const value = map.low + values.data[i] / 255 * (map.high - map.low),
        part = Math.max(0, Math.min(1, (value - map.low) / (top - map.low || 1)));
      const colour = table[Math.round(part * (table.length - 1))],
        alpha = under ? Math.max(0, Math.min(0.9, (value - floor) / (0.6 * top || 1))) : 1;
      const gray = under ? (out.data[i] * 0.2126 + out.data[i + 1] * 0.7152 + out.data[i + 2] * 0.0722) * 0.8 : 0;
      for (let k = 0; k < 3; k++) out.data[i + k] = gray * (1 - alpha) + colour[k] * alpha;
      out.data[i + 3] = 255;
    }
    dots.putImageData(out, 0, 0);
    return work;
  }

  /** Returns the difference: the report's picture of it at reduced scale, else computed from the two pictures. */
  function difference(frame, exact) {
    const made = !exact && pictureOf(frame, "difference", false);
    if (made) return images.get(made);
    const a = samplesOf(pictureOf(frame, "reference", exact)).data.slice(),
      out = samplesOf(pictureOf(frame, "distorted", exact));
    for (let i = 0; i < a.length; i++) if (i % 4 < 3) out.data[i] = 128 + (out.data[i] - a[i]) * 4;
    dots.putImageData(out, 0, 0);
    return work;
  }

  function draw() {
    if (!data.pictures.length) return;
    const frame = perBin === 1 ? firstOf(state.bin) : shown.find(f => binOf(f) === state.bin) ?? firstOf(state.bin),
      there = shown.includes(frame);
    const exact = state.exact && !!pictureOf(frame, "distorted", true), look = $("look"), canvas = $("picture"),
      map = maps[state.map];
    const split = there && state.mode === "split", usesMap = ["map", "overlay"].includes(state.mode);
    $("none").hidden = there;
    $("picture").hidden = !there;
    $("none").textContent = there ? ""
      : `This file holds pictures of ${shown.length} moments only. fovea view shows every frame.`;
    $("split").hidden = $("line").hidden = !split;
    $("left").hidden = !there || !(split || state.mode === "reference");
    $("right").hidden = !there || state.mode === "reference";
    $("left").textContent = `Reference  ${data.names[0] || ""}`;
    const what = { difference: "  minus the reference, ×4", map: `  ${mapTitle(map)}`,
      overlay: `  ${mapTitle(map)}` }[state.mode] || "";
    $("right").textContent = `${hasReference ? "Encode" : "Video"}  ${data.names[1] || ""}${what}`;
    $("detail-label").hidden = !there || !pictureOf(frame, "distorted", true);
    $("key").hidden = !there || !usesMap;
    look.classList.toggle("exact", exact);
    for (const button of $("modes").children) {
      const on = button.dataset.mode === state.mode;
      button.setAttribute("aria-checked", String(on));
      button.tabIndex = on ? 0 : -1;
    }
    for (const button of $("moments").querySelectorAll("button"))
      button.setAttribute("aria-pressed", String(+button.dataset.frame === frame));
    if (there) {
      const own = images.get(pictureOf(frame, "distorted", exact)), g = canvas.getContext("2d");
      const [w, h] = [own.naturalWidth, own.naturalHeight], scale = exact ? 2 : Math.max(1, Math.min(2, 1280 / w));
      [canvas.width, canvas.height] = [Math.round(w * scale), Math.round(h * scale)];
      look.style.aspectRatio = `${w} / ${h}`;
      g.imageSmoothingEnabled = !exact;
      g.imageSmoothingQuality = "high";
      const all = (image) => g.drawImage(image, 0, 0, canvas.width, canvas.height);
      if (state.mode === "reference") all(images.get(pictureOf(frame, "reference", exact)));
      else if (state.mode === "difference") all(difference(frame, exact));
      else if (usesMap) all(coloured(frame, map, exact, state.mode === "overlay") || own);
      else all(own);
      if (split) g.drawImage(images.get(pictureOf(frame, "reference", exact)), 0, 0, w * state.split, h, 0, 0,
        canvas.width * state.split, canvas.height);
      canvas.setAttribute("aria-label", `${MODES.find(([m]) => m === state.mode)[1]} at ${momentOf(frame)}`);
    }
    $("line").style.left = `${state.split * 100}%`;
    if (usesMap && there) {
      const { unit, colours, low } = pictureOf(frame, map, false) || { unit: "", colours: ["#000000"], low: 0 },
        bar = $("bar").getContext("2d"), digits = topOf(map) < 10 ? 2 : 0;
      $("low").textContent = String(+low.toFixed(2));
      $("topnow").textContent = `${topOf(map).toFixed(digits)}${unit ? ` ${unit}` : ""}`;
      for (let i = 0; i < 160; i++) { bar.fillStyle = colours[Math.round(i / 159 * (colours.length - 1))];
      bar.fillRect(i, 0, 1, 1); }
    }
    const values = drawn.slice(0, 3).map(o => perBin ===
      1 ? `${scores[o].title} ${scoreText(scores[o], curves.get(o).low[state.bin])}` : "").filter(Boolean);
    $("about").replaceChildren(make("b", {}, momentOf(frame)),
      values.length ? `${isStill ? "" : ": "}${values.join(", ")}` : "");
  }

  /** Sets the initial top of the scale: the 99th percentile of the worst moment's map. */
  function chooseTop() {
    const map = shown.length && maps.length && pictureOf(shown[0], maps[state.map], false);
    if (!map) return;
    const values = samplesOf(map).data, counts = new Array(256).fill(0);
    for (let i = 0; i < values.length; i += 4) counts[values[i]]++;
    let above = values.length / 400, at = 255;
    while (at > 1 && (above -= counts[at]) > 0) at--;
    const value = map.low + at / 255 * (map.high - map.low);
    state.top = Math.max(1, Math.min(255,
      Math.round(niceStep(value || 1, [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10]) / ceilingOf(maps[state.map]) * 255)));
    $("top").value = state.top;
  }

  /** Returns the bad segment of which a frame is the worst frame. */
  const segmentOf = (frame) => report.verdict.segments.find(s => s.shots.some(shot => shot.worst_frame === frame));

  function moments() {
    const first = drawn[0];
    for (const [mode, name] of MODES) {
      const button = make("button", { role: "radio", type: "button", "data-mode": mode }, name);
      button.addEventListener("click", () => { state.mode = mode; draw(); });
      $("modes").append(button);
    }
    $("modes").addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (!step) return;
      const at = MODES.findIndex(([mode]) => mode === state.mode), next = (at + step + MODES.length) % MODES.length;
      state.mode = MODES[next][0];
      draw();
      $("modes").children[next].focus();
      event.preventDefault();
      event.stopPropagation();
    });
    for (const frame of shown) {
      const picture = pictureOf(frame, "distorted", false);
      const value = first !== undefined &&
        perBin === 1 ? `${scores[first].title} ${scoreText(scores[first], curves.get(first).low[binOf(frame)])}` : "";
      const segment = segmentOf(frame), when = segment &&
        `${segment.word}, ${report.times === false ? `frames ${segment.first} to ${segment.last}`
          : `${clockText(segment.start)} to ${clockText(segment.end)}`}${segment.cause ? `, ${segment.cause}` : ""}`;
      const worst = drawn.filter(o => worstOf(o)[0] && worstOf(o)[0].frame === frame).map(o => scores[o].title);
      const button = make("button", { type: "button", "data-frame": frame },
        make("img", { src: images.get(picture).src, alt: "" }), make("b", {}, timeOf(frame)),
        make("span", {}, value), make("span", { class: "faint" },
          when ? when : worst.length ? `worst by ${worst.join(", ")}` : `frame ${frame}`));
      button.addEventListener("click", () => go(binOf(frame)));
      $("moments").append(make("li", {}, button));
    }
    if (isStill) $("h-worst").firstChild.data = "Picture ";
    $("moments").hidden = isStill;
    const tone = { pq: "PQ", hlg: "HLG" }[report.inputs.distorted?.transfer];
    if (tone) $("look").parentElement.append(make("p", { class: "faint small" },
      `${tone}, tone-mapped for this screen: BT.2390, 1000 cd/m² to white at 203.`));
    $("apart").textContent = isStill ? "" : shown.some(segmentOf)
      ? "of the bad segments first, then by each score in turn" : drawn.length > 1 ? "by each score in turn"
      : first !== undefined ? `by ${scores[first].title}` : "";
    for (const [i, name] of maps.entries()) $("which").append(make("option", { value: i }, mapTitle(name)));
    $("which").addEventListener("change", () => { state.map = +$("which").value; chooseTop(); draw(); });
    if (maps.length < 2) for (const node of [$("which"), $("key").querySelector("label")]) node.hidden = true;
  }

  /** Makes the pictures for print: one row per moment. */
  function printed() {
    for (const frame of shown) {
      const row = make("div", { class: "print" }), first = drawn[0];
      if (!isStill) row.append(make("p", {}, make("b", {}, momentOf(frame)), first !== undefined && perBin ===
        1 ? `: ${scores[first].title} ${scoreText(scores[first], curves.get(first).low[binOf(frame)])}` : ""));
      for (const [name, title] of [["reference", "Reference"], ["distorted", hasReference ? "Encode" : "Video"]]) {
        const picture = pictureOf(frame, name, false);
        if (picture) row.append(make("figure", {}, make("img", { src: images.get(picture).src, alt: title }), title));
      }
      const map = maps[state.map], made = map && coloured(frame, map, false, true);
      if (made) {
        const copy = make("canvas", { width: made.width, height: made.height, role: "img",
          "aria-label": mapTitle(map) });
        copy.getContext("2d").drawImage(made, 0, 0);
        row.append(make("figure", {}, copy,
          `${mapTitle(map)}, up to ${topOf(map).toFixed(topOf(map) < 10 ? 2 : 0)} ${pictureOf(frame, map,
            false).unit || ""}`));
      }
      $("printed").append(row);
    }
  }

  // ---- Copies

  /** Returns every point of every curve as CSV, with unrounded numbers if a point is one frame. */
  function csv() {
    const list = [...curves.keys()], text = (v) => Number.isNaN(v) ? "nan" : String(v);
    const head = ["frame", ...(data.rate ? ["time"] : []), ...list.flatMap(o => perBin === 1 ? [scores[o].name]
      : [`${scores[o].name} least`, `${scores[o].name} greatest`])];
    const rows = Array.from({ length: bins },
      (_, i) => [String(firstOf(i)), ...(data.rate ? [secondsOf(firstOf(i)).toFixed(6)] : []),
      ...list.flatMap(o => perBin === 1 ? [text(curves.get(o).low[i])] : [text(curves.get(o).low[i]),
        text(curves.get(o).high[i])])]);
    return [head, ...rows].map(row => row.map(cell => /[",]/.test(cell) ? `"${cell.replace(/"/g, '""')}"` : cell)
      .join(",")).join("\n") + "\n";
  }

  function segmentsCsv() {
    return ["score,word,start,end,first,last,mean,worst,worst_frame,cause",
      ...report.verdict.segments.map(s => [s.score, s.word, s.start, s.end, s.first, s.last, s.mean, s.worst,
        s.worst_frame, s.cause || ""].join(","))].join("\n") + "\n";
  }

  function copies() {
    const area = $("copied");
    for (const [id, text] of [["copyscores", csv], ["copysegments", segmentsCsv],
      ["copyverdict", () => report.verdict.sentence], ["copycommand", () => $("made").textContent]])
      $(id)?.addEventListener("click", () => {
        const by_hand = () => { area.hidden = false; area.value = text(); area.focus(); area.select(); };
        if (navigator.clipboard && isSecureContext)
          navigator.clipboard.writeText(text()).then(() => { $(id).textContent = "Copied"; }, by_hand);
        else by_hand();
      });
    $("copysegments").hidden = !report.verdict.segments.length;
    $("copies").hidden = false;
  }

  // ---- Start

  function listen() {
    const svg = $("plot"), seek = (event) =>
      go(frameAt((event.clientX - svg.getBoundingClientRect().left) * (svg.viewBox.baseVal.width / svg.clientWidth)));
    let held = false;
    svg.addEventListener("pointerdown", (event) => { if (event.button) return; held = true; seek(event); });
    addEventListener("pointermove", (event) => { if (held) seek(event); });
    for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => { held = false; });
    svg.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      zoomBy(event.deltaY > 0 ? 1.25 : 0.8, frameAt(event.clientX - svg.getBoundingClientRect().left));
    }, { passive: false });
    $("split").addEventListener("input", () => { state.split = $("split").value / 100; draw(); });
    $("top").addEventListener("input", () => { state.top = +$("top").value; draw(); });
    $("detail").addEventListener("change", () => { state.exact = $("detail").checked; draw(); });
    document.addEventListener("keydown", (event) => {
      if (event.target.matches("input, select, summary") || event.ctrlKey || event.metaKey || event.altKey) return;
      const far = event.shiftKey ? 10 : 1, page = Math.max(1, Math.round((state.to - state.from) / 10));
      const keys = { ArrowRight: () => go(state.bin + far), ArrowLeft: () => go(state.bin - far), w: nextWorst,
        "+": () => zoomBy(0.5), "-": () => zoomBy(2), "0": () => zoomBy(1e9) };
      if (event.target === svg) Object.assign(keys, { PageDown: () => go(state.bin + page),
        PageUp: () => go(state.bin - page), Home: () => go(0), End: () => go(bins - 1) });
      if (!keys[event.key]) return;
      keys[event.key]();
      event.preventDefault();
    });
    for (const button of document.querySelectorAll("#checks [data-frame]"))
      button.addEventListener("click", () => { go(binOf(+button.dataset.frame)); $("time").scrollIntoView(); });
    addEventListener("resize", show);
    addEventListener("beforeprint", () => {
      for (const fold of document.querySelectorAll("details")) fold.open = true;
      plot(1120, 264);
    });
    addEventListener("afterprint", show);
  }

  async function start() {
    copies();
    if (!curves.size || !bins) { for (const id of ["time", "worst"]) $(id).hidden = true; return; }
    if (bins < 2) $("time").hidden = true;
    const worst = worstOf(state.output).map(w => binOf(w.frame)), pictured = shown.map(binOf);
    state.bin = worst.find(bin => pictured.includes(bin)) ?? pictured[0] ?? worst[0] ?? 0;
    chips();
    if (data.pictures.length) moments(); else $("worst").hidden = true;
    plot($("plot").clientWidth || 1120, $("plot").clientHeight || 264);
    await Promise.all([...images.values()].map(image => image.decode().catch(() => {})));
    if (data.pictures.length) { chooseTop(); printed(); }
    listen();
    show();
    document.body.dataset.ready = "yes";
  }
  start();
})();
