// Fields and sliders for the options of maps.
"use strict";

const metricOf = () => /** @type {Metric | undefined} */ (clip.metrics.find((/** @type {Metric} */ m) => m.name === state.metric));

function fillMetrics() {
  const select = /** @type {HTMLSelectElement} */ (element("metric"));
  const usual = clip.metrics.find((/** @type {Metric} */ m) => m.name === (clip.reference ? "vdm" : "cambi")) || clip.metrics[0];
  element("conditions").hidden = !usual;
  if (!usual) return;
  if (!metricOf()) [state.metric, changed] = [usual.name, {}];
  select.replaceChildren(...clip.metrics.map((/** @type {Metric} */ m) => {
    const option = make("option", m.name);
    option.title = m.title;
    return option;
  }));
  select.value = state.metric;
  select.addEventListener("change", () => {
    [state.metric, state.map, changed] = [select.value, "", {}];
    fillMaps();
  });
  element("map").addEventListener("change", () => {
    state.map = /** @type {HTMLSelectElement} */ (element("map")).value;
    optionsChanged();
  });
  element("defaults").addEventListener("click", () => {
    changed = {};
    fillMaps();
  });
  fillMaps();
}

function optionsChanged() {
  inputTime = needsMap() ? performance.now() : 0;
  writeAddress();
  wantMap();
}

function fillMaps() {
  const metric = /** @type {Metric} */ (metricOf()), select = /** @type {HTMLSelectElement} */ (element("map"));
  if (!metric.maps.some(m => m.name === state.map)) state.map = metric.maps[0].name;
  select.replaceChildren(...metric.maps.map(m => {
    const option = make("option", m.name);
    option.title = m.help;
    return option;
  }));
  select.value = state.map;
  element("options").replaceChildren(...metric.options.map(fieldOf));
  optionsChanged();
}

/** A field for an option. @param {Option} option @returns {HTMLElement} */
function fieldOf(option) {
  const set = (/** @type {string} */ value, /** @type {string} */ usual) => {
    if (value === usual) delete changed[option.name];
    else changed[option.name] = value;
    optionsChanged();
  };
  const title = make("span", `${option.name}${option.unit ? `, ${option.unit}` : ""}`);
  title.title = option.help;
  const now = changed[option.name];
  if (option.type === "text") {
    const select = /** @type {HTMLSelectElement} */ (make("select", ...option.choices.map(c => make("option", c))));
    select.value = now ?? option.text ?? "";
    select.addEventListener("change", () => set(select.value, option.text ?? ""));
    return make("label", title, select);
  }
  if (option.type === "bool") {
    const box = document.createElement("input");
    box.type = "checkbox";
    box.checked = now === undefined ? option.value !== 0 : now === "true";
    box.addEventListener("change", () => set(String(box.checked), String(option.value !== 0)));
    return make("label", title, box);
  }
  return make("label", title, ...slider(option, now, set));
}

/** Even steps of a number, or of its logarithm where its range is wide. @param {Option} option
 * @param {string | undefined} now @param {(value: string, usual: string) => void} set */
function slider(option, now, set) {
  const {minimum, maximum, value} = option, whole = option.type === "int";
  const wide = minimum > 0 && maximum / minimum > 50, range = document.createElement("input"), box = document.createElement("input");
  const toPart = (/** @type {number} */ v) => wide ? Math.log(v / minimum) / Math.log(maximum / minimum) : (v - minimum) / (maximum - minimum);
  const fromPart = (/** @type {number} */ p) => {
    const v = wide ? minimum * (maximum / minimum) ** p : minimum + p * (maximum - minimum);
    return whole ? Math.round(v) : Number(v.toPrecision(4));
  };
  [range.type, range.min, range.max, range.step] = ["range", "0", "1", "0.001"];
  [box.type, box.min, box.max, box.step] = ["number", String(minimum), String(maximum), whole ? "1" : "any"];
  range.setAttribute("aria-label", option.name);
  box.setAttribute("aria-label", `${option.name} as a number`);
  range.dataset.option = option.name;
  box.value = now ?? String(value);
  range.value = String(toPart(Number(box.value)));
  range.addEventListener("input", () => {
    box.value = String(Math.max(minimum, Math.min(maximum, fromPart(Number(range.value)))));
    set(box.value, String(value));
  });
  box.addEventListener("change", () => {
    if (!box.validity.valid || box.value === "") return;
    range.value = String(toPart(Number(box.value)));
    set(box.value, String(value));
  });
  return [range, box];
}
