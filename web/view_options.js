// Fields and sliders for the conditions of maps.
"use strict";

/**
 * The options that users change most: a title, and a function that puts a value in words.
 * @type {Partial<Record<string, [string, (value: number) => string]>>}
 */
const USUAL = {
  distance_h: ["Seen from", v => `${v} picture heights`],
  lw: ["Display’s white", v => `${v} cd/m²`],
  lb: ["Display’s black", v => `${v} cd/m²`],
  ambient_lux: ["Light in the room", v => v ? `${v} lx` : "dark, 0 lx"],
  intensity_target: ["Display’s white", v => `${v} cd/m²`],
};

const metricOf = () =>
  /** @type {Metric | undefined} */ (clip.metrics.find((/** @type {Metric} */ m) => m.name === state.metric));

function listenToMetrics() {
  select("metric").addEventListener("change", () => {
    [state.metric, state.map, state.top, changed] = [select("metric").value, "", 0, {}];
    fillMaps();
  });
  select("map").addEventListener("change", () => {
    [state.map, state.top] = [select("map").value, 0];
    optionsChanged();
  });
  element("defaults").addEventListener("click", () => {
    changed = {};
    fillMaps();
  });
}

function fillMetrics() {
  const usual = clip.metrics.find((/** @type {Metric} */ m) => m.name === (clip.reference ? "vdm" : "cambi")) ||
    clip.metrics[0];
  element("conditions").hidden = !usual;
  if (!usual) return;
  if (!metricOf()) [state.metric, changed] = [usual.name, {}];
  select("metric").replaceChildren(...clip.metrics.map((/** @type {Metric} */ m) => {
    const option = make("option", m.label);
    option.setAttribute("value", m.name);
    option.title = m.title;
    return option;
  }));
  select("metric").value = state.metric;
  fillMaps();
}

function optionsChanged() {
  inputTime = needsMap() ? performance.now() : 0;
  element("defaults").hidden = !Object.keys(changed).length;
  writeAddress();
  wantMap();
}

const capital = (/** @type {string} */ text) => text.charAt(0).toUpperCase() + text.slice(1);

function fillMaps() {
  const metric = /** @type {Metric} */ (metricOf()), research = document.createElement("optgroup");
  research.label = "For research";
  if (!metric.maps.some(m => m.name === state.map)) state.map = metric.maps[0].name;
  const options = metric.maps.map(m => {
    const option = make("option", capital(m.help));
    option.setAttribute("value", m.name);
    option.title = m.name;
    if (m.on_request) research.append(option);
    return option;
  });
  select("map").replaceChildren(...options.filter(o => o.parentElement !== research),
    ...(research.children.length ? [research] : []));
  select("map").value = state.map;
  select("map").hidden = metric.maps.length === 1;
  const [usual, rest] = [metric.options.filter(o => USUAL[o.name]), metric.options.filter(o => !USUAL[o.name])];
  element("usual").replaceChildren(...usual.map(fieldOf));
  element("options").replaceChildren(...rest.map(fieldOf));
  element("rest").hidden = !rest.length;
  element("restname").textContent = `${usual.length ? "All" : "The"} ${metric.options.length} conditions`;
  optionsChanged();
}

let fieldNumber = 0;

/** Makes the field for an option. @param {Option} option @returns {HTMLElement} */
function fieldOf(option) {
  const set = (/** @type {string} */ value, /** @type {string} */ usual) => {
    if (value === usual) delete changed[option.name];
    else changed[option.name] = value;
    optionsChanged();
  };
  const label = make("label", USUAL[option.name]?.[0] ?? capital(option.help.split(";")[0])),
    field = styled("div", "field", label);
  const id = `option${++fieldNumber}`;
  field.title = `${option.help}${option.unit ? `, ${option.unit}` : ""} (${option.name})`;
  label.setAttribute("for", id);
  const now = changed[option.name];
  if (option.type === "text") {
    const choice = /** @type {HTMLSelectElement} */ (make("select", ...option.choices.map(c => make("option", c))));
    choice.value = now ?? option.text ?? "";
    choice.id = id;
    choice.addEventListener("change", () => set(choice.value, option.text ?? ""));
    field.append(choice);
  } else if (option.type === "bool") {
    const box = document.createElement("input");
    [box.type, box.id] = ["checkbox", id];
    box.checked = now === undefined ? option.value !== 0 : now === "true";
    box.addEventListener("change", () => set(String(box.checked), String(option.value !== 0)));
    field.append(box);
  } else field.append(...numberField(option, now, set, id));
  return field;
}

/**
 * Makes a slider for a number, logarithmic if its range is wide, and shows its value in words or in a field.
 * @param {Option} option @param {string | undefined} now @param {(value: string, usual: string) => void} set
 * @param {string} id
 */
function numberField(option, now, set, id) {
  const {minimum, maximum, value} = option, whole = option.type === "int", words = USUAL[option.name]?.[1];
  const wide = minimum >= 0 && maximum / (minimum || 1) > 50, range = document.createElement("input"),
    box = document.createElement("input");
  const least = minimum || 1, output = document.createElement("output");
  const toPart = (/** @type {number} */ v) => !wide ? (v - minimum) / (maximum - minimum) : v < least ? 0
    : Math.log(v / least) / Math.log(maximum / least);
  const fromPart = (/** @type {number} */ p) => {
    const v = !wide ? minimum + p * (maximum - minimum) : p === 0 ? minimum : least * (maximum / least) ** p;
    return whole ? Math.round(v) : Number(v.toPrecision(3));
  };
  [range.type, range.min, range.max, range.step, range.id] = ["range", "0", "1", "0.005", id];
  [box.type, box.min, box.max, box.step] = ["number", String(minimum), String(maximum), whole ? "1" : "any"];
  box.setAttribute("aria-label", `${option.name} as a number`);
  range.dataset.option = option.name;
  box.value = now ?? String(value);
  const tell = () => {
    const text = minimum === -1 && Number(box.value) === -1 ? "automatic" : words ? words(Number(box.value))
      : `${box.value}${option.unit ? ` ${option.unit}` : ""}`;
    output.textContent = text;
    range.setAttribute("aria-valuetext", text);
    box.title = text;
  };
  range.value = String(toPart(Number(box.value)));
  range.addEventListener("input", () => {
    box.value = String(Math.max(minimum, Math.min(maximum, fromPart(Number(range.value)))));
    tell();
    set(box.value, String(value));
  });
  box.addEventListener("change", () => {
    if (!box.validity.valid || box.value === "") return;
    range.value = String(toPart(Number(box.value)));
    tell();
    set(box.value, String(value));
  });
  tell();
  return words ? [output, range] : [box, range];
}
