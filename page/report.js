// The report page: everything it shows lies in the element #data.
"use strict";

(() => {
  const element = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
  const data = JSON.parse(element("data").textContent || "{}");
  const report = data.report;

  /** An element with children; text is never markup. @param {string} tag @param {...(Node | string)} children */
  function make(tag, ...children) {
    const made = document.createElement(tag);
    made.append(...children);
    return made;
  }

  /** @param {string} tag @param {string} className @param {...(Node | string)} children */
  function styled(tag, className, ...children) {
    const made = make(tag, ...children);
    made.className = className;
    return made;
  }

  /** Values that are not finite are strings. @param {number | string} value @returns {number} */
  const real = value => typeof value === "number" ? value : value === "inf" ? Infinity : value === "-inf" ? -Infinity : NaN;

  /** @param {string} text @returns {ArrayBuffer} */
  function bytesOf(text) {
    const binary = atob(text), bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
    return bytes.buffer;
  }

  /** File name without its folders. @param {string | null} path */
  const baseName = path => path ? path.split("/").pop() || path : "pushed frames";

  // ---- Time

  const line = data.timeline, perBin = line.frames_per_bin;
  const numbers = new Float64Array(bytesOf(line.numbers)); // of each bin: its frame, or its first and its last one
  const bins = perBin === 1 ? numbers.length : numbers.length / 2;
  const firstOf = (/** @type {number} */ bin) => perBin === 1 ? numbers[bin] : numbers[2 * bin];
  const lastOf = (/** @type {number} */ bin) => perBin === 1 ? numbers[bin] : numbers[2 * bin + 1];

  /** @param {number} frame @returns {string} */
  function timeOf(frame) {
    const rate = report.inputs.distorted.rate, scoring = report.scoring;
    if (!rate) return "";
    const [num, den] = rate.split("/").map(Number);
    return formatTime((frame + scoring.skip_distorted + Math.ceil(scoring.start * num / den - 1e-6)) * den / num);
  }

  /** The last bin that begins at a frame or before it. @param {number} frame @returns {number} */
  function binOf(frame) {
    let low = 0, high = bins;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (firstOf(middle) <= frame) low = middle;
      else high = middle;
    }
    return low;
  }

  /** @type {Map<number, Curve>} */
  const curves = new Map();
  for (const {output, values} of line.curves) {
    const {name, unit} = data.outputs[output];
    const gates = report.gates.filter((/** @type {any} */ g) => g.score === name).map((/** @type {any} */ g) => g.limit);
    if (perBin === 1) {
      const all = new Float64Array(bytesOf(values));
      curves.set(output, {name, unit, low: all, high: all, gates});
    } else {
      const both = new Float32Array(bytesOf(values)), low = new Float32Array(bins), high = new Float32Array(bins);
      for (let i = 0; i < bins; i++) [low[i], high[i]] = [both[2 * i], both[2 * i + 1]];
      curves.set(output, {name, unit, low, high, gates});
    }
  }

  /** What the curves in view say of a bin. @param {number} bin @returns {string} */
  function describe(bin) {
    if (!bins) return "no frames";
    const first = firstOf(bin), last = lastOf(bin), time = timeOf(first);
    const frames = first === last ? `Frame ${first}` : `Frames ${first} to ${last}`;
    const values = timeline.curves.map(({name, low, high}) =>
      `${name} ${formatNumber(low[bin])}${low[bin] === high[bin] ? "" : ` to ${formatNumber(high[bin])}`}`);
    return `${frames}${time && ` (${time})`}: ${values.join(", ")}`;
  }

  const timeline = new Timeline(/** @type {HTMLCanvasElement} */ (element("timeline")), bin => {
    element("readout").textContent = describe(bin);
    const has = frames.find(frame => frame >= firstOf(bin) && frame <= lastOf(bin));
    if (has !== undefined && has !== shownFrame) showFrame(has);
  }, describe);

  /** One button for each score; those that are pressed are drawn. */
  function fillCurves() {
    const group = element("curves"), pressed = new Set();
    const seen = new Set();
    for (const output of curves.keys())
      if (!seen.has(data.outputs[output].metric) && seen.size < 4) {
        seen.add(data.outputs[output].metric);
        pressed.add(output);
      }
    const apply = () => timeline.setCurves([...curves.keys()].filter(o => pressed.has(o)).map(o => /** @type {Curve} */ (curves.get(o))));
    for (const output of curves.keys()) {
      const button = make("button", data.outputs[output].name);
      button.setAttribute("aria-pressed", String(pressed.has(output)));
      button.title = data.outputs[output].help;
      button.addEventListener("click", () => {
        if (!pressed.delete(output)) pressed.add(output);
        button.setAttribute("aria-pressed", String(pressed.has(output)));
        apply();
      });
      group.append(button);
    }
    timeline.setCount(bins, bins);
    apply();
    element("precision").textContent = perBin === 1 ? "Values are exact." :
      `Each point stands for ${perBin} frames, with their least and greatest value as binary32; ` +
      "scores of the clip and of the worst frames are exact.";
  }

  // ---- Pictures

  /** @type {any[]} */
  const pictures = data.pictures;
  /** @type {number[]} */
  const frames = [...new Set(pictures.map(p => p.frame))].sort((a, b) => a - b);
  let shownFrame = -1, mode = "distorted", flicker = 0;

  /** @param {any} picture */
  function image(picture) {
    const made = document.createElement("img");
    made.src = `data:image/png;base64,${picture.png}`;
    made.alt = `${picture.name} of frame ${picture.frame}`;
    return made;
  }

  const MODES = [["distorted", "Distorted"], ["reference", "Reference"], ["flicker", "Flicker"],
    ["difference", "Difference × 8"]];

  function modesOf(/** @type {number} */ frame) {
    const names = new Set(pictures.filter(p => p.frame === frame).map(p => p.name));
    const modes = MODES.filter(([name]) => name === "distorted" || (names.has("reference") && names.has("distorted")));
    for (const name of names) if (name !== "reference" && name !== "distorted") modes.push([name, `Map: ${name}`]);
    return modes;
  }

  /** The pictures of a part of a frame, one over the other. @param {any[]} parts */
  function stack(parts) {
    const find = (/** @type {string} */ name) => parts.find(p => p.name === name);
    const box = styled("div", "stack"), first = find(mode === "flicker" || mode === "difference" ? "distorted" : mode) || parts[0];
    box.append(image(first));
    if (mode === "difference" || mode === "flicker") {
      const over = image(find("reference"));
      over.className = "over";
      if (mode === "difference") box.classList.add("difference");
      else over.dataset.flicker = "1";
      box.append(over);
    }
    const whole = first.scale > 1;
    const caption = whole ? `The frame, at 1/${first.scale} of its size` :
      `Columns ${first.x} to ${first.x + first.width - 1}, rows ${first.y} to ${first.y + first.height - 1}, sample by sample`;
    return make("figure", box, make("figcaption", caption));
  }

  function drawFrame() {
    const own = pictures.filter(p => p.frame === shownFrame);
    const parts = [...new Set(own.map(p => `${p.scale},${p.x},${p.y}`))]
      .map(key => own.filter(p => `${p.scale},${p.x},${p.y}` === key));
    element("pictures").replaceChildren(...parts.map(stack));
    for (const button of element("modes").children)
      button.setAttribute("aria-pressed", String(/** @type {HTMLElement} */ (button).dataset.mode === mode));
    const map = own.find(p => p.name === mode && p.colours.length);
    element("legend").hidden = !map;
    if (map) fillLegend(map);
    clearInterval(flicker);
    if (mode === "flicker")
      flicker = window.setInterval(() => document.querySelectorAll("[data-flicker]").forEach(over =>
        over.classList.toggle("gone")), 500);
  }

  /** @param {any} map */
  function fillLegend(map) {
    const bar = document.createElement("canvas");
    bar.width = map.colours.length;
    bar.height = 1;
    const context = bar.getContext("2d");
    map.colours.forEach((/** @type {string} */ colour, /** @type {number} */ i) => {
      if (!context) return;
      context.fillStyle = colour;
      context.fillRect(i, 0, 1, 1);
    });
    element("legend").replaceChildren(formatNumber(real(map.low)), bar, `${formatNumber(real(map.high))} ${map.unit}`);
  }

  /** @param {number} frame */
  function showFrame(frame) {
    shownFrame = frame;
    const modes = modesOf(frame);
    if (!modes.some(([name]) => name === mode)) mode = "distorted";
    element("viewer").hidden = false;
    element("modes").replaceChildren(...modes.map(([name, title]) => {
      const button = make("button", title);
      button.dataset.mode = name;
      button.addEventListener("click", () => {
        mode = name;
        drawFrame();
      });
      return button;
    }));
    element("shown").textContent = `Frame ${frame}${timeOf(frame) && `, at ${timeOf(frame)}`}`;
    drawFrame();
  }

  function fillWorst() {
    const select = /** @type {HTMLSelectElement} */ (element("by"));
    for (const {output} of data.worst) {
      const option = document.createElement("option");
      option.value = String(output);
      option.textContent = data.outputs[output].name;
      select.append(option);
    }
    const fill = () => {
      const found = data.worst.find((/** @type {any} */ w) => String(w.output) === select.value);
      const worst = found ? found.frames : [];
      element("worst").replaceChildren(...worst.map((/** @type {any} */ w) => {
        const has = frames.includes(w.frame), button = make("button", `${w.frame}: ${formatNumber(real(w.value))}${has ? " ▣" : ""}`);
        button.title = `${timeOf(w.frame)} ${real(w.value)}${has ? ", with pictures" : ""}`;
        button.addEventListener("click", () => {
          timeline.choose(binOf(w.frame));
          if (has) showFrame(w.frame);
        });
        return button;
      }));
      timeline.marks = worst.map((/** @type {any} */ w) => binOf(w.frame));
      timeline.draw();
      return worst;
    };
    select.addEventListener("change", fill);
    const worst = fill();
    const none = element("no-pictures");
    none.hidden = frames.length > 0;
    none.textContent = "This report has no pictures: they are made by fovea score from files that can be read again.";
    const start = worst.find((/** @type {any} */ w) => frames.includes(w.frame));
    if (bins) timeline.choose(binOf(start ? start.frame : worst.length ? worst[0].frame : firstOf(0)));
    if (start) showFrame(start.frame);
  }

  // ---- Tables

  /** @param {string} id @param {(Node | string)[]} head @param {(Node | string)[][]} rows @param {number} from numbers */
  function table(id, head, rows, from = Infinity) {
    const cell = (/** @type {string} */ tag, /** @type {Node | string} */ content, /** @type {number} */ column) =>
      column >= from ? styled(tag, "number", content) : make(tag, content);
    element(id).replaceChildren(
      make("thead", make("tr", ...head.map((h, i) => cell("th", h, i)))),
      make("tbody", ...rows.map(row => make("tr", ...row.map((c, i) => cell("td", c, i))))));
  }

  /** @type {[string, string, string][]} */
  const POOLS = [["mean", "mean", "the average of all frames"],
    ["min", "least", "the least frame"], ["p1", "p1", "one frame in a hundred is lower"],
    ["p5", "p5", "one frame in twenty is lower"], ["median", "median", "half of the frames are lower"],
    ["max", "greatest", "the greatest frame"],
    ["harmonic_mean", "harmonic mean", "n / sum(1 / (1 + x)) − 1: an average that low frames pull down more; none where a frame is negative"],
    ["stddev", "deviation", "how far frames lie from the mean: standard deviation of the population"]];

  function fillTables() {
    const rows = data.outputs.map((/** @type {any} */ o) => {
      const better = `${o.better} is better`;
      const head = [make("strong", o.name), o.unit || "", better];
      const pooled = report.pooled[o.name];
      return [...head, ...(o.sequence ? [`${formatNumber(real(report.sequence[o.name]))} (whole clip)`] :
        POOLS.map(([pool]) => pool in pooled ? formatNumber(real(pooled[pool])) : "none"))];
    });
    table("pooled", ["score", "unit", "", ...POOLS.map(([, title]) => title)], rows, 3);
    element("meaning").replaceChildren(
      ...data.outputs.map((/** @type {any} */ o) => make("p", make("strong", o.name), ` (${data.metrics[o.metric].title}): ${o.help}`)),
      make("p", ...POOLS.flatMap(([, title, text]) => [make("strong", title), `: ${text}. `])));
    element("decisions").replaceChildren(...(report.decisions.length ? report.decisions : ["Nothing."])
      .map((/** @type {string} */ d) => make("li", d)));
    table("provenance", ["", ""], [
      ["fovea", report.fovea_version], ["numerics version", String(report.numerics_version)],
      ["frames", String(report.frame_count)],
      ["device", `${report.device.kind}: ${report.device.title}, ${report.device.isa}`],
      ...Object.entries(report.scoring).map(([k, v]) => [k.replaceAll("_", " "), String(v)]),
      ...(report.pace ? [["limited by", report.pace.limited_by]] : [])]);
    const inputs = ["reference", "distorted"].filter(side => report.inputs[side]);
    const members = inputs.length ? Object.keys(report.inputs[inputs[0]]) : [];
    table("inputs", ["", ...inputs], members.map(m => [m.replaceAll("_", " "), ...inputs.map(side =>
      report.inputs[side][m] === null ? "not known" : String(report.inputs[side][m]))]));
    table("options", ["metric", "computed by", "options"], report.metrics.map((/** @type {any} */ m, /** @type {number} */ i) => [
      make("span", make("strong", m.name), ` ${data.metrics[i].citation}`), m.device,
      Object.entries(m.options).map(([k, v]) => `${k}=${v === null ? "" : v}`).join(", ")]));
  }

  function fillHead() {
    const {reference, distorted} = report.inputs;
    const title = reference ? `${baseName(distorted.path)} against ${baseName(reference.path)}` : baseName(distorted.path);
    document.title = `${title} · fovea`;
    element("title").textContent = title;
    element("about").textContent = `${report.frame_count} frames, ${distorted.width}×${distorted.height} ` +
      `${distorted.chroma} ${distorted.depth} bits${distorted.rate ? `, ${distorted.rate} frames a second` : ""}`;
    element("partial").hidden = !report.partial;
    element("partial").textContent = report.partial ? `These scores are partial: ${report.partial_reason}` : "";
    element("gates").replaceChildren(...report.gates.flatMap((/** @type {any} */ g) => [
      styled("span", g.outcome === "passed" ? "good" : "bad", `Gate ${g.outcome}: `),
      `${g.score}${g.pool ? ` (${g.pool})` : ""} is ${formatNumber(real(g.value))} and fails ${g.fails} ${g.limit}. `]));
  }

  fillHead();
  fillCurves();
  fillTables();
  fillWorst();
})();
