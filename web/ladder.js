// The page of several encodes: it recommends one to ship, with a chart, a table and pictures. The element #data holds
// every decision, for each limit of a gate; this file draws them.
(() => {
  const $ = (id) => document.getElementById(id);
  const data = JSON.parse($("data").textContent), encodes = data.encodes, groups = data.groups;
  const SVG = new Set(["svg", "path", "line", "rect", "text", "polyline", "circle", "title", "g"]);

  /** An element with attributes and children; text is never markup. */
  function make(tag, attributes = {}, ...children) {
    const node = SVG.has(tag) ? document.createElementNS($("chart").namespaceURI, tag) : document.createElement(tag);
    for (const [name, value] of Object.entries(attributes))
      if (value !== null && value !== false && value !== undefined) node.setAttribute(name, value);
    node.append(...children.filter(child => child !== null && child !== false && child !== undefined));
    return node;
  }

  const views = data.views.map(view => ({ ...view, values: view.values.map(realOf) }));
  const rows = [...encodes.keys()].sort((a, b) => encodes[a].rank - encodes[b].rank);
  const counted = rows.filter(i => encodes[i].state === "scored"),
    INK = ["var(--edge)", "var(--text)", "var(--accent)", "var(--faint)"], DASH = ["6 4", "2 3", null, "8 3 2 3"];
  const rateText = (bits) => bits >= 999500 ? `${three(bits / 1e6)} Mb/s` : `${three(bits / 1e3)} kb/s`;
  const three = (v) => v.toFixed(v < 9.995 ? 2 : v < 99.95 ? 1 : 0);
  /** Shortens a name in the middle, since names of encodes differ at their ends. */
  const short = (name, most) => name.length <= most ? name
    : `${name.slice(0, Math.ceil(most / 2) - 1)}…${name.slice(-Math.floor(most / 2))}`;
  /** Keeps each option in a text on one line. */
  const optioned = (text) => text.split(/(--[a-z][\w-]*)/)
    .map(part => part.startsWith("--") ? make("span", { class: "option" }, part) : part);
  const sentenceEnd = (text) => /[.!?]$/.test(text) ? text : `${text}.`;
  const plural = (n, one, many) => `${n} ${n === 1 ? one : many}`;

  // ---- The gate, which the page's address stores

  const asked = new URLSearchParams(location.hash.slice(1)), own = data.gate;
  const gate = { view: own ? own.view : 0, on: !!own, limit: own ? realOf(own.limit) : NaN };
  {
    const view = views.findIndex(v => `${v.score.name}:${v.pool}` === asked.get("gate")),
      limit = parseFloat(asked.get("limit"));
    if (asked.get("gate") === "none") gate.on = false;
    else if (view >= 0 && Number.isFinite(limit)) Object.assign(gate, { view, on: true, limit });
  }
  const state = { shown: null, auto: true, anchor: 0, mode: "split", split: 50, other: "reference" };
  const viewNow = () => views[gate.view];
  const changed = () => gate.on !== !!own ||
    (gate.on && (gate.view !== own.view || gate.limit !== realOf(own.limit)));
  const reaches = (view, i) => view.lower ? view.values[i] <= gate.limit : view.values[i] >= gate.limit;
  const passes = (i) => !gate.on || (encodes[i].others && reaches(viewNow(), i));
  const named = (view) => `${view.score.title}${view.pool ? `, ${view.pool}` : ""}`;
  const limitText = (value, view = viewNow()) =>
    `${String(+(value * view.score.factor).toPrecision(8)).replace("-", "−")}${view.score.unit
      ? ` ${view.score.unit}` : ""}`;

  /** Returns the library's decision for the limit: its decision for the nearest value that still passes. */
  function decision() {
    const view = viewNow();
    if (!gate.on) return view.free;
    const steps = view.steps.filter(step => step.from === null ||
      (view.lower ? realOf(step.from) <= gate.limit : realOf(step.from) >= gate.limit));
    return steps[0] || view.steps[view.steps.length - 1];
  }

  // ---- The pick

  function headline(now) {
    const view = viewNow(), pick = now.pick, word = $("word");
    word.classList.toggle("alert", gate.on && pick === null);
    const from = changed() ? "" : data.pick;
    if (pick !== null) {
      word.replaceChildren(gate.on ? "Ship " : "Best value: ", make("span", {}, encodes[pick].name));
      $("then").textContent = `${rateText(encodes[pick].rate)}. ${sentenceEnd(encodes[pick].sentence)}`;
    } else {
      word.textContent = from ? data.pick.sentence.split(/[.:] /)[0].replace(/\.$/, "") : gate.on ? "No encode passes"
        : "No pick";
      $("then").textContent = from ? data.pick.sentence.slice(word.textContent.length).replace(/^[.:] */, "") : "";
    }
    const text = [];
    if (from) text.push(data.pick.reason);
    else if (gate.on && pick !== null)
      text.push(
        `${named(view)} is ${scoreText(view.score, view.values[pick])} and must be at ${view.lower ? "most"
          : "least"} ${limitText(gate.limit)}. ${plural(counted.filter(passes).length, "encode passes",
            "encodes pass")} of ${counted.length}.`);
    else if (gate.on && now.best !== null)
      text.push(
        `The best, ${encodes[now.best].name}, has ${scoreText(view.score, view.values[now.best])}; ${
          named(view)} must be at ${view.lower ? "most" : "least"} ${limitText(gate.limit)}.`);
    else text.push(now.reason);
    if (!gate.on && data.example) text.push(`Give a gate for a firm answer: ${data.example}.`);
    if (changed() && gate.on)
      text.push(`Changed on this page; for the command: ` +
        `--fail-${view.lower ? "above" : "below"} ${view.option.replace("=", `=${+gate.limit.toPrecision(8)}`)}`);
    $("says").textContent = text.filter(Boolean).join(" ");
  }

  function others(now) {
    const list = [], pick = now.pick, view = viewNow(), put = (name, text, alert) => list.push(make("li", {},
      make("span", { class: alert ? "alert" : null }, name), make("span", {}, ...optioned(text))));
    if (gate.on && pick !== null) {
      groups.forEach((group, g) => {
        const cheapest = now.cheapest[g];
        if (g === encodes[pick].group) return;
        put(group.name,
          cheapest === null ? "none passes"
          : `${encodes[cheapest].name}, ${rateText(encodes[cheapest].rate)}: ${
            (encodes[cheapest].rate / encodes[pick].rate).toFixed(1)} times the bits`);
      });
      if (now.below !== null)
        put("Just below",
          reaches(view, now.below)
          ? `${encodes[now.below].name}, ${rateText(encodes[now.below].rate)}: fails another gate`
          : `${encodes[now.below].name}, ${rateText(encodes[now.below].rate)}: lacks ${scoreText(view.score,
            Math.abs(gate.limit - view.values[now.below]))}`);
      if (now.more !== null)
        put("A little more",
          `${encodes[now.more].name}: ${Math.round((encodes[now.more].rate / encodes[pick].rate - 1) *
            100)} % more bits, ${scoreText(view.score, Math.abs(view.values[now.more] - view.values[pick]))} better`);
    }
    const dominated = counted.filter(i => view.dominated[i] !== null).length;
    if (dominated)
      put("Dominated", `${dominated} of ${counted.length}: another encode of the group costs no more and is better`);
    const told = new Map();
    for (const i of rows.filter(k => encodes[k].error))
      told.set(encodes[i].error, [...(told.get(encodes[i].error) || []), i]);
    for (const [error, list] of told) put(list.every(i => encodes[i].state === "refused") ? "Not scored" : "Partial",
      list.length === 1 && error.includes(encodes[list[0]].name) ? error
      : `${list.length > 2 ? plural(list.length, "encode", "encodes") : list.map(i => encodes[i].name)
        .join(", ")}: ${error}`, true);
    for (const warning of data.warnings) put("Warning", `${warning.who}${warning.text}`);
    $("others").replaceChildren(...list);
  }

  // ---- The chart

  function shape(i, x, y, r) {
    const { group, lines } = encodes[i], mark = group < 0 ? -1 : groups[group].mark,
      ink = mark < 0 ? "var(--faint)" : INK[mark];
    const most = data.lines, a = { fill: lines >= most ? ink : "var(--panel)", stroke: ink, "stroke-width": 1.8,
      "stroke-linejoin": "round" };
    const node = mark === 2 ? make("circle", { cx: x, cy: y, r, ...a }) : mark ===
      1 ? make("path", { d: `M${x} ${y - r * 1.1}l${r * 1.1} ${r * 2}h${-r * 2.2}z`, ...a })
      : mark ===
      3 ? make("path",
        { d: `M${x} ${y - r * 1.25}l${r * 1.25} ${r * 1.25}l${-r * 1.25} ${r * 1.25}l${-r * 1.25} ${-r * 1.25}z`,
          ...a })
      : mark === 0 ? make("rect", { x: x - r * 0.9, y: y - r * 0.9, width: r * 1.8, height: r * 1.8, ...a })
      : make("path", { d: `M${x - r} ${y}h${2 * r}M${x} ${y - r}v${2 * r}`, ...a });
    return lines < most * 0.6 &&
      mark >= 0 ? make("g", {}, node, make("circle", { cx: x, cy: y, r: 1.4, fill: ink })) : node;
  }

  const drawn = (view) => counted.filter(i => encodes[i].rate !== null && Number.isFinite(view.values[i]));

  /** Returns the scales of the chart: its edges, and functions between rates, values and coordinates. */
  function scales(view, points, width, height, phone) {
    const left = 48, right = width - (phone ? 12 : 96), top = 12, bottom = height - 40;
    const values = points.map(i => view.values[i]), rates = points.map(i => encodes[i].rate);
    let low = Math.min(...values, gate.on ? gate.limit : Infinity),
      high = Math.max(...values, gate.on ? gate.limit : -Infinity);
    const step = niceStep((high - low || 1) / 7), f = view.score.factor;
    [low, high] = [Math.floor(low / step - 0.2) * step, Math.ceil(high / step + 0.1) * step];
    const from = Math.log2(Math.min(...rates) / 1.25), to = Math.log2(Math.max(...rates) * 1.2);
    return { left, right, top, bottom, low, high, step, f, from, to, x: (rate) => left + (Math.log2(rate) - from) /
      (to - from) * (right - left), y: (v) => top + (high - v) / (high - low) * (bottom - top),
      valueAt: (y) => high - (y - top) / (bottom - top) * (high - low) };
  }

  let chartNow = null;

  function chart(now, size) {
    const svg = $("chart"), view = viewNow(), points = drawn(view), width = size ? size[0] : svg.clientWidth || 850,
      height = size ? size[1] : svg.clientHeight || 420, phone = width < 520 && !size;
    $("rate").hidden = points.length < 2;
    if (points.length < 2) return;
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.replaceChildren();
    const s = chartNow = scales(view, points, width, height, phone), boxes = [];
    const hit = (b) => boxes.some(o => b[0] < o[0] + o[2] && o[0] < b[0] + b[2] && b[1] < o[1] + o[3] &&
      o[1] < b[1] + b[3]);
    /** Puts a text, offset from a point, at the first of the places at which it covers nothing. */
    const label = (text, attributes, x, y, places, right, bottom) => {
      const node = make("text", attributes, text);
      svg.append(node);
      const w = node.getComputedTextLength();
      const at = places(w).map(([dx, dy]) => [x + dx, y + dy - 11, w, 14]).find(box => box[0] >= s.left + 2 &&
        box[0] + w <= right && box[1] >= 0 && box[1] + 14 <= bottom && !hit(box));
      if (!at) { node.remove(); return; }
      boxes.push(at);
      node.setAttribute("x", at[0]);
      node.setAttribute("y", at[1] + 11);
    };
    const digits = Math.max(0, Math.min(6, -Math.floor(Math.log10(s.step * s.f) + 1e-9)));
    for (let n = Math.round(s.low / s.step); n * s.step <= s.high + s.step / 9; n++) {
      const at = s.y(n * s.step);
      svg.append(make("line", { x1: s.left, x2: s.right, y1: at, y2: at, class: "grid" }),
        make("text", { x: s.left - 8, y: at + 4, class: "tick", "text-anchor": "end" },
          (n * s.step * s.f).toFixed(digits).replace("-", "−")));
    }
    let last = -Infinity;
    for (let power = Math.floor(s.from * Math.log10(2)); power <= s.to * Math.log10(2); power++)
      for (const n of [1, 2, 5]) {
        const rate = n * 10 ** power, at = s.x(rate);
        if (at < s.left || at > s.right) continue;
        svg.append(make("line", { x1: at, x2: at, y1: s.bottom, y2: s.bottom + 4, class: "axis" }));
        if (at - last < (phone ? 52 : 60)) continue;
        last = at;
        svg.append(make("text", { x: at, y: s.bottom + 17, class: "tick", "text-anchor": "middle" },
          rate >= 1e6 ? `${rate / 1e6} Mb/s` : `${rate / 1e3} kb/s`));
      }
    svg.append(make("line", { x1: s.left, x2: s.right, y1: s.bottom, y2: s.bottom, class: "axis" }));
    if (gate.on) {
      const at = Math.max(s.top, Math.min(s.bottom, s.y(gate.limit))), zone = view.lower ? [s.top, at]
        : [at, s.bottom], text = `gate: ${view.pool || view.score.title} ${limitText(gate.limit)}`;
      svg.append(make("rect",
        { x: s.left, width: s.right - s.left, y: zone[0], height: Math.max(0, zone[1] - zone[0]), class: "low" }),
        make("line", { x1: s.left, x2: s.right, y1: at, y2: at, class: "gate" }),
        make("rect", { x: s.left, width: s.right - s.left, y: at - 8, height: 16, class: "grip", id: "grip" }),
        make("text", { x: s.right, y: at + 15, class: "gatename", "text-anchor": "end" }, text));
      const w = svg.lastChild.getComputedTextLength();
      boxes.push([s.left, at - 3, s.right - s.left, 6], [s.right - w, at + 3, w, 15]);
    }
    for (const i of points) boxes.push([s.x(encodes[i].rate) - 7, s.y(view.values[i]) - 7, 14, 14]);
    const order = points.slice().sort((a, b) => encodes[a].rate - encodes[b].rate);
    groups.forEach((group, g) => {
      const hull = order.filter(i => encodes[i].group === g && view.hull[i]),
        ink = group.mark < 0 ? "var(--faint)" : INK[group.mark];
      if (!hull.length) return;
      svg.append(make("polyline",
        { class: "hull", points: hull.map(i => `${s.x(encodes[i].rate).toFixed(1)},${s.y(view.values[i]).toFixed(1)}`)
          .join(" "), stroke: ink, "stroke-dasharray": group.mark < 0 ? "1 3" : DASH[group.mark] }));
      const end = hull[hull.length - 1];
      label(short(group.name, phone ? 14 : 26), { class: "codec", fill: ink === INK[0] ? "var(--faint)" : ink },
        s.x(encodes[end].rate), s.y(view.values[end]), w => [[12, 4], [12, 18], [-w / 2, -14], [-w - 12, -10],
          [14, 30], [-w - 12, 22], [-w / 2, 26], [12, -12]], width, Infinity);
    });
    for (const i of points) {
      const e = encodes[i], x = s.x(e.rate), y = s.y(view.values[i]), by = view.dominated[i];
      const point = make("g", { class: "point", opacity: by !== null ? 0.6 : null },
        make("title", {},
          `${e.name}: ${rateText(e.rate)}, ${named(view)} ${scoreText(view.score, view.values[i])}. ${
            sentenceEnd(e.sentence)}${by !== null ? ` Dominated by ${encodes[by].name}.` : ""}`),
        i === now.pick ? make("circle", { cx: x, cy: y, r: 10, class: "halo" }) : null, shape(i, x, y, 4.6),
        by !== null ? make("path", { class: "cross", d: `M${x - 7} ${y - 7}l14 14M${x + 7} ${y - 7}l-14 14` }) : null,
        make("circle", { cx: x, cy: y, r: 12, class: "touch" }));
      point.addEventListener("click", () => choose(i));
      svg.append(point);
    }
    const rank = (i) => i === now.pick ? 0 : view.hull[i] ? 1 : view.dominated[i] !== null ? 2 : 3;
    for (const i of points.slice().sort((a, b) => rank(a) - rank(b))) {
      const strong = i === now.pick;
      if (phone && !strong) break;
      label(encodes[i].short, { class: strong ? "name strong" : "name" }, s.x(encodes[i].rate),
        s.y(view.values[i]), w => [[-w - 13, -8], [13, 16], [-w - 13, 8], [-w / 2, -15], [-w / 2, 24], [13, -8]],
        width - 2, s.bottom);
    }
    svg.append(make("text", { x: s.left, y: height - 4, class: "tick" },
      phone ? "bit rate" : "bit rate of the video, logarithmic"),
      make("text", { x: s.right, y: height - 4, class: "tick", "text-anchor": "end" },
        `up: ${named(view)}${view.lower ? ", lower is better" : ""}`));
    const sizes = encodes.some(e => e.lines && e.lines < data.lines);
    $("ratenote").textContent =
      `${named(view)}; lines: convex hull of each group${sizes ? `; hollow: fewer lines ` +
        `than ${data.lines}` : ""}${points.some(i => view.dominated[i] !== null) ? "; crossed out: dominated" : ""}`;
  }

  function bd() {
    const list = groups.map((group, g) => g)
      .filter(g => counted.some(i => encodes[i].group === g && encodes[i].rate !== null));
    if (list.length < 2) {
      $("bdhead").textContent = "One group";
      $("bd").replaceChildren(make("p", { class: "small faint" },
        "All encodes are of one group, so there is no BD-rate. It compares two groups of four encodes or more."));
      return;
    }
    if (!list.includes(state.anchor)) state.anchor = list[0];
    const select = make("select", { "aria-label": "Group that the others are compared with", class: "screen" },
      ...list.map(g => make("option", { value: g, selected: g === state.anchor ? "" : null }, groups[g].name)));
    select.addEventListener("change", () => { state.anchor = +select.value; bd(); });
    $("bdhead").replaceChildren(`Bits for the same ${data.bdscore}, against `, select,
      make("span", { class: "paper" }, groups[state.anchor].name));
    $("bd").replaceChildren(...list.filter(g => g !== state.anchor).map(g => {
      const b = data.bd.find(one => one.anchor === state.anchor && one.group === g),
        box = make("div", { class: "bd" }, make("b", {}, groups[g].name));
      if (!b || b.refused) {
        box.append(make("span", { class: "v faint" }, "–"),
          make("span", { class: "f" }, b ? b.refused : "not compared")); return box;
      }
      const bar = make("i"), quality = realOf(b.quality);
      bar.style.width = `${Math.max(0, Math.min(100, 100 + b.rate))}%`;
      box.append(make("span", { class: "v" }, `${b.rate < 0 ? "−" : "+"}${Math.abs(b.rate).toFixed(1)} %`),
        make("span", { class: "m" }, bar),
        make("span", { class: "f" },
          `${Number.isNaN(quality) ? "" : `${Math.abs(quality).toFixed(Math.abs(quality) < 1 ? 2 : 1)} ${
            data.bdunit} ${(quality >= 0) !== data.bdlower ? "better" : "worse"} at the same ` +
            `rate; `}${Math.round(100 * b.overlap)} % of the qualities ` +
            `overlap${b.few ? ", so read it with care" : ""}`));
      return box;
    }), make("p", { class: "small faint" },
      `BD-rate by pchip over the hull of each group, of the means of ${data.bdscore}.`));
  }

  // ---- The table

  function strip(i) {
    const cells = encodes[i].strip, picture = make("svg", { class: "strip", viewBox: `0 0 ${cells.length || 1} 10`,
      preserveAspectRatio: "none", role: "img", "aria-label": encodes[i].sentence });
    for (let k = 1, from = 0; k <= cells.length; k++)
      if (cells[k] !== cells[from]) {
        const level = +cells[from];
        if (level && level < 5)
          picture.append(make("rect", { x: from, y: 0, width: k - from, height: 10, fill: "var(--text)",
            opacity: [0, 1, 0.72, 0.42, 0.14][level] }));
        from = k;
      }
    return picture;
  }

  function clause(now, i) {
    const e = encodes[i], view = viewNow(), by = view.dominated[i], parts = [];
    if (e.state !== "scored") return [e.state === "refused" ? "not scored" : e.state];
    if (i === now.pick) parts.push(gate.on ? "ship" : "best value");
    else if (by !== null) {
      const fewer = Math.round((1 - encodes[by].rate / e.rate) * 100),
        gain = Math.abs(view.values[by] - view.values[i]);
      parts.push(
        `dominated by ${encodes[by].rank}: ${[fewer ? `${fewer} % fewer bits` : "",
          gain ? `${scoreText(view.score, gain)} better` : ""].filter(Boolean).join(", ")}`);
    } else {
      if (!passes(i))
        parts.push(reaches(view, i) ? "fails another gate" : view.lower ? "above the gate" : "below the gate");
      if (e.rate !== null && !view.hull[i] && Number.isFinite(view.values[i])) parts.push("off the hull");
    }
    const place = e.segments.length ? `${e.segments[0].word} ${e.segments[0].place}` : "";
    if (i === now.pick || !parts.length) parts.push(e.word || "–");
    return [parts.join(", "), place ? `; ${place}` : ""];
  }

  function table(now) {
    const columns = data.columns.map(c => views[c]), head = [["n", ""], ["", "Encode"], ["hidephone", "Codec"],
      ["hidephone", "Size"], ["n", "Bit rate"],
      ...columns.map((c, k) => [k > 1 ? "n hidephone" : "n", k && c.score.name === columns[k - 1].score.name
        ? c.pool.replace("worst", "Worst") : c.score.title]), ["hidephone", "Over time"], ["hidephone", ""]];
    const body = rows.map(i => {
      const e = encodes[i], scored = e.state !== "refused", pick = i === now.pick, text = clause(now, i);
      const button = make("button", { type: "button", title: e.path, "aria-pressed": String(i === state.shown),
        disabled: pictured(i) ? null : "" },
        make("svg", { class: "mark", viewBox: "-7 -7 14 14", "aria-hidden": "true" },
          scored ? shape(i, 0, 0, 4.6) : ""), pick ? make("b", {}, short(e.name, 36)) : short(e.name, 36));
      const row = make("tr", { class: [pick ? "pick" : "", e.state !== "scored" || viewNow().dominated[i] !== null
        ? "out" : "", i === state.shown && !pick ? "seen" : ""].join(" ") },
        make("td", { class: "n" }, scored ? String(e.rank) : "–"), make("td", { class: "path" }, button),
        make("td", { class: "hidephone" }, e.codec), make("td", { class: "hidephone" }, e.size),
        make("td", { class: "n" }, e.rate === null ? "–" : rateText(e.rate)),
        ...columns.map((c, k) => make("td",
          { class: `n${k > 1 ? " hidephone" : ""}${gate.on && c === viewNow() && scored &&
            !reaches(c, i) ? " alert" : ""}` }, scored ? numberText(c.score, c.values[i]) : "")),
        make("td", { class: "hidephone" }, scored ? strip(i) : ""),
        make("td", { class: "hidephone clause" }, pick ? make("b", {}, text[0]) : text[0], text[1] || ""));
      row.addEventListener("click", () => { if (pictured(i)) choose(i); });
      return row;
    });
    const focused = document.activeElement && $("rungs").contains(document.activeElement)
      ? rows.findIndex((i, k) => $("rungs").querySelectorAll("tbody button")[k] === document.activeElement) : -1;
    $("rungs").replaceChildren(make("thead", {}, make("tr", {},
      ...head.map(([kind, text]) => make("th", { class: kind, scope: "col" }, text)))), make("tbody", {}, ...body));
    if (focused >= 0) $("rungs").querySelectorAll("tbody button")[focused].focus();
  }

  function csv() {
    const quote = (text) => /[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text,
      exact = (v) => Number.isNaN(v) ? "nan" : String(v);
    return [["encode", "group", "codec", "size", "bit_rate",
      ...views.map(v => `${v.score.name}${v.pool ? `:${v.poolname}` : ""}`), "verdict"].map(quote).join(","),
      ...rows.map(i => [encodes[i].path, encodes[i].group < 0 ? "" : groups[encodes[i].group].name, encodes[i].codec,
        encodes[i].size, encodes[i].rate === null ? "" : String(encodes[i].rate),
        ...views.map(v => encodes[i].state === "refused" ? "" : exact(v.values[i])), encodes[i].sentence].map(quote)
        .join(","))].join("\n") + "\n";
  }

  // ---- The picture

  const moments = data.moments, pictured = (i) => moments.some(m => m.encodes[i]);
  const momentOf = (i) => moments.find(m => m.of === i && m.encodes[i]) || moments.find(m => m.encodes[i]);

  function choose(i) {
    Object.assign(state, { shown: i, auto: false });
    draw();
    if (document.activeElement === document.body || !$("rungs").contains(document.activeElement))
      $("where").scrollIntoView({ block: "nearest" });
  }

  function picture() {
    const i = state.shown, moment = i === null ? null : momentOf(i), first = views[0];
    $("where").hidden = !moments.length || !moment;
    if ($("where").hidden) return;
    const others = [["reference", data.reference], ...rows.filter(k => k !== i && moment.encodes[k])
      .map(k => [String(k), encodes[k].name])].filter(([key]) => key !== "reference" || moment.reference);
    if (!others.some(([key]) => key === state.other)) state.other = others.length ? others[0][0] : "";
    $("left").replaceChildren(...others.map(([key, name]) => make("option",
      { value: key, selected: key === state.other ? "" : null }, name)));
    const source = (key) => `data:image/jpeg;base64,${key === "reference" ? moment.reference : moment.encodes[+key]}`,
      value = (k) => moment.values[k] === null ? ""
      : `, ${first.score.title} ${numberText(first.score, moment.values[k])}`;
    const other = state.other ? source(state.other) : null, split = state.mode === "split" && other;
    $("b").src = source(String(i));
    $("b").alt = encodes[i].name;
    $("a").hidden = !other || state.mode === "encode";
    if (other) $("a").src = other;
    $("a").alt = state.other === "reference" ? "Reference" : state.other ? encodes[+state.other].name : "";
    $("look").style.aspectRatio = `${moment.width} / ${moment.height}`;
    const at = split ? state.split : state.mode === "other" ? 100 : 0;
    $("a").style.clipPath = `inset(0 ${100 - at}% 0 0)`;
    $("line").style.left = `${at}%`;
    $("line").hidden = $("split").hidden = !split;
    $("split").value = state.split;
    $("tagl").hidden = state.mode === "encode" || !other;
    $("tagr").hidden = state.mode === "other" && !!other;
    $("tagl").textContent = state.other === "reference" ? `Reference  ${data.reference}` : state.other
      ? `${encodes[+state.other].name}${value(+state.other)}` : "";
    $("tagr").textContent = `${encodes[i].name}${value(i)}`;
    $("wherenote").textContent =
      `${encodes[i].name}, ${moment.name}${moment.of === i ? "" : ", the worst of another encode"}`;
    for (const button of $("modes").children) {
      const on = button.dataset.mode === state.mode;
      button.setAttribute("aria-checked", String(on));
      button.tabIndex = on ? 0 : -1;
    }
    const segments = encodes[i].segments;
    $("segments")
      .replaceChildren(...(segments.length ? segments.slice(0, 6)
        .map(s => make("li", {}, make("b", {}, `${s.word[0].toUpperCase()}${s.word.slice(1)} `), s.place, make("br"),
          make("span", { class: "faint" }, s.text)))
      : [make("li", {}, make("b", {}, "No low segment. "), make("span", { class: "faint" },
        "The word of the clip holds everywhere; the picture is of its worst frame."))]));
    const figure = (key, title) => make("figure", {}, make("img", { src: source(key), alt: "" }),
      make("figcaption", {}, title));
    $("printed").replaceChildren(...(moment.reference ? [figure("reference", `Reference, ${moment.name}`)] : []),
      figure(String(i), `${encodes[i].name}${value(i)}`), ...others.filter(([key]) => key !== "reference").slice(0, 1)
      .map(([key, name]) => figure(key, `${name}${value(+key)}`)));
  }

  // ---- All together

  function draw(size) {
    const now = decision();
    if (state.auto) { state.shown = now.pick !== null && pictured(now.pick) ? now.pick : rows.find(pictured) ?? null;
    }
    headline(now);
    others(now);
    chart(now, size);
    table(now);
    picture();
    $("poolof").value = gate.on ? String(gate.view) : "none";
    $("limit").disabled = !gate.on;
    const values = drawn(viewNow()).map(i => viewNow().values[i]);
    if (gate.on && values.length) {
      const step = niceStep((Math.max(...values) - Math.min(...values) || 1) / 80),
        low = Math.floor(Math.min(...values, gate.limit) / step) * step,
        high = Math.ceil(Math.max(...values, gate.limit) / step) * step;
      Object.assign($("limit"), { min: String(low), max: String(high), step: String(step) });
      $("limit").value = String(gate.limit);
    }
    $("limitnow").textContent = gate.on ? limitText(gate.limit) : "";
    $("limitword").textContent = gate.on ? `at ${viewNow().lower ? "most" : "least"}` : "";
  }

  function setGate(next) {
    Object.assign(gate, next);
    const view = viewNow();
    history.replaceState(null, "",
      changed()
      ? `#${new URLSearchParams(gate.on ? { gate: `${view.score.name}:${view.pool}`, limit: String(gate.limit) }
        : { gate: "none" })}` : location.pathname + location.search);
    draw();
  }

  function copy(text, from) {
    const area = $("copied");
    const by_hand = () => { area.hidden = false; area.value = text; area.focus(); area.select(); };
    if (navigator.clipboard && isSecureContext)
      navigator.clipboard.writeText(text).then(() => { from.textContent = "Copied"; }, by_hand);
    else by_hand();
  }

  function start() {
    $("poolof").append(...views.map((v, k) => make("option", { value: k }, named(v))),
      make("option", { value: "none" }, "none: best value"));
    $("poolof").addEventListener("change", () => {
      if ($("poolof").value === "none") { setGate({ on: false }); return; }
      const view = views[+$("poolof").value], at = drawn(view).map(i => view.values[i]).sort((a, b) => a - b);
      setGate({ view: +$("poolof").value, on: true, limit: own && own.view === +$("poolof").value ? realOf(own.limit)
        : +(at[at.length >> 1] ?? 0).toPrecision(3) });
    });
    $("limit").addEventListener("input", () => setGate({ limit: +(+$("limit").value).toPrecision(8) }));
    $("chart").addEventListener("pointerdown", (event) => {
      if (event.target.id !== "grip") return;
      event.preventDefault();
      const box = $("chart").getBoundingClientRect(), step = niceStep((chartNow.high - chartNow.low) / 200);
      const move = (to) =>
        setGate(
          { limit: +(Math.round(Math.max(chartNow.low,
            Math.min(chartNow.high, chartNow.valueAt(to.clientY - box.top))) / step) * step).toPrecision(8) });
      const end = () => { removeEventListener("pointermove", move); removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end); };
      addEventListener("pointermove", move);
      addEventListener("pointerup", end);
      addEventListener("pointercancel", end);
    });
    for (const [mode, name] of [["split", "Split"], ["encode", "Encode"], ["other", "Other side"]]) {
      const button = make("button", { type: "button", role: "radio", "data-mode": mode }, name);
      button.addEventListener("click", () => { state.mode = mode; picture(); });
      $("modes").append(button);
    }
    $("modes").addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key],
        list = [...$("modes").children];
      if (!step) return;
      const next = list[(list.findIndex(b => b.dataset.mode === state.mode) + step + list.length) % list.length];
      state.mode = next.dataset.mode;
      picture();
      next.focus();
      event.preventDefault();
    });
    $("left").addEventListener("change", () => { state.other = $("left").value; picture(); });
    $("split").addEventListener("input", () => { state.split = +$("split").value; picture(); });
    $("look").addEventListener("pointermove", (event) => {
      if (state.mode !== "split" || event.pointerType !== "mouse") return;
      const box = $("look").getBoundingClientRect();
      state.split = Math.max(0, Math.min(100, (event.clientX - box.left) / box.width * 100));
      picture();
    });
    $("copycsv").addEventListener("click", () => copy(csv(), $("copycsv")));
    $("copycommand").addEventListener("click", () => copy($("made").textContent, $("copycommand")));
    for (const id of ["rate", "all", "where", "gatebar"]) $(id).hidden = !views.length;
    if (!views.length) { document.body.dataset.ready = "yes"; return; }
    bd();
    draw();
    addEventListener("resize", () => draw());
    addEventListener("beforeprint", () => draw([480, 300]));
    addEventListener("afterprint", () => draw());
    addEventListener("hashchange", () => location.reload());
    document.body.dataset.ready = "yes";
  }
  start();
})();
