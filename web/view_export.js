// Exports what is shown: as a picture with a caption, and as a command.
"use strict";

/** Returns the lines of the caption: names, place and conditions, then scores. */
function caption() {
  const {reference, distorted} = clip, at = timeOf(state.frame),
    mode = MODES.find(m => m[0] === state.mode)?.[1] ?? "";
  const conditions = needsMap()
    ? `${mapTitle()}, top of scale ${formatTop(state.top)}${Object.entries(changed).map(([k, v]) => `, ${k} ${v}`)
      .join("")}`
    : state.mode === "difference" ? `encode minus reference, × ${state.gain} around gray` : "";
  const place = scoredPlace(state.frame);
  const scores = place < 0 ? [] : outputs.map((o, i) => ({o, i})).filter(({o, i}) => !o.sequence && rows.has(i) &&
    o.shown === "first")
    .map(({o, i}) => `${o.title} ${scoreText(o, curves[i].values[place])}`);
  return [[`${distorted.name}${reference ? ` against ${reference.name}` : ""}`,
    `frame ${state.frame}${at && `, ${at}`}`, mode, conditions, toneText()].filter(Boolean).join(" · "),
    [...scores, `fovea ${clip.version}`].join(" · ")];
}

/**
 * Breaks a text into lines of at most `width` pixels.
 * @param {OffscreenCanvasRenderingContext2D} context @param {string} text @param {number} width
 */
function wrapped(context, text, width) {
  /** @type {string[]} */
  const lines = [];
  for (const part of text.split(" · ")) {
    const last = lines[lines.length - 1];
    if (last !== undefined && context.measureText(`${last} · ${part}`).width <= width)
      lines[lines.length - 1] = `${last} · ${part}`;
    else lines.push(part);
  }
  return lines;
}

/**
 * Draws the whole picture at its own size, or with zoom the part that is seen, with a caption.
 * @returns {OffscreenCanvas}
 */
function pictureWithCaption() {
  const of = /** @type {Input} */ (sideOf(1)), whole = !state.zoom, size = whole ? of.height : canvas.height;
  const width = whole ? (state.mode === "both" ? 2 * of.width + 2 : of.width) : canvas.width,
    font = Math.max(12, Math.round(width / 90));
  const sketch = /** @type {OffscreenCanvasRenderingContext2D} */ (new OffscreenCanvas(1, 1).getContext("2d"));
  sketch.font = `${font}px sans-serif`;
  const lines = caption().flatMap(text => wrapped(sketch, text, width - 2 * font)),
    made = new OffscreenCanvas(width, size + Math.round((1.5 * lines.length + 1) * font));
  const context = /** @type {OffscreenCanvasRenderingContext2D} */ (made.getContext("2d"));
  context.fillStyle = "#1d1d1d";
  context.fillRect(0, 0, width, made.height);
  compose(context, width, size);
  if (state.mode === "split") {
    context.fillStyle = "#ffffff";
    context.fillRect(splitAt(width, size) - 1, 0, 2, size);
  }
  context.font = sketch.font;
  context.textBaseline = "middle";
  drawChips(context, width, size, font);
  context.fillStyle = "#ededed";
  context.textAlign = "left";
  lines.forEach((line, i) => context.fillText(line, font, size + (1.25 + 1.5 * i) * font));
  return made;
}

/**
 * Draws labels and legend.
 * @param {OffscreenCanvasRenderingContext2D} context @param {number} width @param {number} height
 * @param {number} font
 */
function drawChips(context, width, height, font) {
  const chip = (/** @type {string} */ text, /** @type {number} */ x, /** @type {string} */ align) => {
    const wide = context.measureText(text).width + font, left = align === "right" ? x - wide : x;
    context.fillStyle = "#000000c4";
    context.fillRect(left, font / 2, wide, 1.8 * font);
    context.fillStyle = "#f2f2f2";
    context.textAlign = "left";
    context.fillText(text, left + font / 2, 1.4 * font);
  };
  const plain = (/** @type {(string | Node)[]} */ parts) => parts.map(p => typeof p === "string" ? p : p.textContent)
    .join("");
  const {left, right} = labels(), both = state.mode === "both";
  if (left) chip(plain(left), font / 2, "left");
  if (right) chip(plain(right), both ? paneWidth(width) + 2 + font / 2 : width - font / 2, both ? "left" : "right");
  if (!needsMap() || !map) return;
  const wide = Math.min(18 * font, width - 2 * font), x = width - wide - 1.5 * font, y = height - 5.2 * font;
  context.fillStyle = "#000000c4";
  context.fillRect(x - font, y, wide + 2 * font, 4.7 * font);
  context.fillStyle = "#f2f2f2";
  context.textAlign = "left";
  context.fillText(mapTitle(), x, y + font, wide);
  paintColours(context, x, y + 1.9 * font, wide, 0.7 * font);
  context.fillStyle = "#f2f2f2";
  for (const [share, text] of legendTicks()) {
    context.textAlign = share === 1 ? "right" : "left";
    context.fillText(text, x + share * wide, y + 3.6 * font);
  }
}

async function exportPicture() {
  pause();
  while (isPreview() && !gone) await new Promise(requestAnimationFrame);
  if (shownFrame < 0 || gone) return;
  const blob = await pictureWithCaption().convertToBlob({type: "image/png"}), link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${clip.distorted.name.replace(/\.[^.]*$/, "")}-${state.frame}-${state.mode}.png`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** Quotes a word for a shell. @param {string} word */
const quoted = word => /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

function commandText() {
  return ["fovea", "view", ...clip.arguments.map(quoted), "--show", quoted(addressOf())].join(" ");
}

async function copyCommand() {
  pause();
  /** @type {HTMLTextAreaElement} */ (element("line")).value = commandText();
  let copied = true;
  try {
    await navigator.clipboard.writeText(commandText());
  } catch {
    copied = false; // browsers allow this for pages of HTTPS and of this machine only
  }
  element("copied").textContent = copied ? "It is in the clipboard. Folders are left out: type it where " +
    "the videos lie." : "Folders are left out: type it where the videos lie.";
  dialog("repeat").showModal();
  /** @type {HTMLTextAreaElement} */ (element("line")).select();
}
