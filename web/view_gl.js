// Draws moving pictures with WebGL: the GPU gets samples unconverted, and converts them to colours at screen size.
"use strict";

const VERTEX = `#version 300 es
void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0); }`;

const FRAGMENT = `#version 300 es
precision highp float;
precision highp int;
precision highp usampler2D;
uniform usampler2D luma0, cb0, cr0, luma1, cb1, cr1;
uniform ivec2 size, sub;
uniform vec2 canvas, corner;
uniform vec4 rule0, rule1; // red, blue, black, 1 / luma
uniform vec2 chroma0, chroma1; // middle, 1 / chroma
uniform float scale, gain, split, peak, knee, most, top;
uniform int mode, gray, transfer, wide; // mode 0, 1: a side; 2: side by side; 3: split; 4: difference
out vec4 result;

float pq(float light) { float p = pow(light, ${M1}); return pow((${C1} + ${C2} * p) / (1.0 + ${C3} * p), ${M2}); }
float light(float code) {
  float p = pow(code, ${1 / M2});
  return pow(max(p - ${C1}, 0.0) / (${C2} - ${C3} * p), ${1 / M1});
}
float scene(float e) { return e <= 0.5 ? e * e / 3.0 : (exp((e - ${HLG_C}) / ${HLG_A}) + ${HLG_B}) / 12.0; }

vec3 screen(vec3 code) {
  vec3 l = transfer == 16 ? vec3(light(code.r), light(code.g), light(code.b))
    : vec3(scene(code.r), scene(code.g), scene(code.b));
  if (transfer == 18) l *= 0.1 * pow(dot(l, vec3(0.2627, 0.678, 0.0593)), 0.2);
  float m = max(l.r, max(l.g, l.b)), e = min(1.0, pq(m) / top), to = min(m, 0.0203);
  if (e > knee && most < 1.0) {
    float t = (e - knee) / (1.0 - knee), t2 = t * t, t3 = t2 * t;
    to = light(top * ((2.0 * t3 - 3.0 * t2 + 1.0) * knee + (t3 - 2.0 * t2 + t) * (1.0 - knee) +
      (3.0 * t2 - 2.0 * t3) * most));
  }
  l *= m > 0.0 ? to / m / 0.0203 : 0.0;
  if (wide == 1) l = mat3(1.6605, -0.1246, -0.0182, -0.5876, 1.1329, -0.1006, -0.0728, -0.0083, 1.1187) * l;
  l = clamp(l, 0.0, 1.0);
  return mix(1.055 * pow(l, vec3(1.0 / 2.4)) - 0.055, 12.92 * l, lessThanEqual(l, vec3(0.0031308)));
}

vec3 rgb(usampler2D luma, usampler2D cb, usampler2D cr, vec4 rule, vec2 chroma, vec2 at) {
  float d = scale < 2.0 ? 0.25 / scale : 0.0, sum = 0.0;
  for (int i = 0; i < 4; i++) {
    vec2 p = at + vec2((i & 1) == 0 ? -d : d, i < 2 ? -d : d);
    sum += float(texelFetch(luma, clamp(ivec2(p), ivec2(0), size - 1), 0).r);
  }
  float l = (sum * 0.25 - rule.z) * rule.w, r = l, b = l;
  if (gray == 0) {
    ivec2 c = ivec2(at) / sub;
    r += 2.0 * (1.0 - rule.x) * (float(texelFetch(cr, c, 0).r) - chroma.x) * chroma.y;
    b += 2.0 * (1.0 - rule.y) * (float(texelFetch(cb, c, 0).r) - chroma.x) * chroma.y;
  }
  vec3 code = clamp(vec3(r, (l - rule.x * r - rule.y * b) / (1.0 - rule.x - rule.y), b), 0.0, 1.0);
  return transfer == 0 ? code : screen(code);
}

void main() {
  vec2 p = vec2(gl_FragCoord.x, canvas.y - gl_FragCoord.y);
  float pane = floor((canvas.x - 2.0) / 2.0);
  bool right = mode == 2 && p.x > pane;
  if (right) p.x -= pane + 2.0;
  vec2 at = (p - corner) / scale;
  result = vec4(0.0);
  if (any(lessThan(at, vec2(0.0))) || any(greaterThanEqual(at, vec2(size))) ||
    (mode == 2 && (p.x < 0.0 || p.x > pane))) return;
  bool first = mode == 0 || mode == 4 || (mode == 2 && !right) || (mode == 3 && p.x < split),
    second = mode == 4 || !first;
  vec3 a = vec3(0.0), b = vec3(0.0);
  if (first) a = rgb(luma0, cb0, cr0, rule0, chroma0, at);
  if (second) b = rgb(luma1, cb1, cr1, rule1, chroma1, at);
  result = vec4(mode == 4 ? 128.0 / 255.0 + gain * (b - a) : first ? a : b, 1.0);
}`;

const moving = /** @type {HTMLCanvasElement} */ (element("moving"));
/** @typedef {{gl: WebGL2RenderingContext, program: WebGLProgram, textures: WebGLTexture[], places: Map<string,
 * WebGLUniformLocation | null>, sizes: string[], shown: (Picture | null)[]}} Mover */
/** null: the browser has no WebGL 2, or emulates it; undefined: not tried yet. @type {Mover | null | undefined} */
let mover;

moving.addEventListener("webglcontextlost", event => event.preventDefault()); // allows restoring it
moving.addEventListener("webglcontextrestored", () => { mover = undefined; });

/**
 * Returns whether the processor emulates the GPU, which is slower than drawing without WebGL.
 * @param {WebGL2RenderingContext} gl
 */
function isEmulated(gl) {
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(
    String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER)));
}

/** @returns {Mover | null} */
function makeMover() {
  const gl = moving.getContext("webgl2", {failIfMajorPerformanceCaveat: !state.gl, alpha: true, antialias: false,
    depth: false, premultipliedAlpha: false, preserveDrawingBuffer: true});
  const program = gl?.createProgram();
  if (!gl || !program || (!state.gl && isEmulated(gl))) return null;
  for (const [type, text] of /** @type {[number, string][]} */ ([[gl.VERTEX_SHADER, VERTEX],
    [gl.FRAGMENT_SHADER, FRAGMENT]])) {
    const shader = gl.createShader(type);
    if (!shader) return null;
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) return null;
  gl.useProgram(program);
  gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
  const names = ["luma0", "cb0", "cr0", "luma1", "cb1", "cr1"], textures = names.map((name, i) => {
    gl.uniform1i(gl.getUniformLocation(program, name), i);
    return /** @type {WebGLTexture} */ (gl.createTexture());
  });
  return {gl, program, textures, places: new Map(), sizes: [], shown: [null, null]};
}

/** @param {Mover} of @param {number} i @param {Uint8Array | Uint16Array} plane @param {number} width
 * @param {number} height */
function fillTexture(of, i, plane, width, height) {
  const {gl} = of, words = plane.BYTES_PER_ELEMENT === 2, size = `${width},${height},${words}`;
  const type = words ? gl.UNSIGNED_SHORT : gl.UNSIGNED_BYTE;
  gl.activeTexture(gl.TEXTURE0 + i);
  gl.bindTexture(gl.TEXTURE_2D, of.textures[i]);
  if (of.sizes[i] !== size) {
    if (of.sizes[i]) { // the size of a texture's storage is fixed
      gl.deleteTexture(of.textures[i]);
      of.textures[i] = /** @type {WebGLTexture} */ (gl.createTexture());
      gl.bindTexture(gl.TEXTURE_2D, of.textures[i]);
    }
    gl.texStorage2D(gl.TEXTURE_2D, 1, words ? gl.R16UI : gl.R8UI, width, height);
    for (const which of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
      gl.texParameteri(gl.TEXTURE_2D, which, gl.NEAREST);
    of.sizes[i] = size;
  }
  gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, width, height, gl.RED_INTEGER, type, plane);
}

/** @param {Mover} of @param {number} side @param {Picture | null} picture */
function fillTextures(of, side, picture) {
  if (!picture || of.shown[side] === picture) return;
  const {width, height, across, down} = picture.of;
  picture.planes.forEach((plane, i) =>
    fillTexture(of, 3 * side + i, plane, i ? Math.ceil(width / across) : width,
      i ? Math.ceil(height / down) : height));
  of.shown[side] = picture;
}

const GL_MODES = ["reference", "distorted", "both", "split", "difference"];

/** Draws the shown frame during playback. false: WebGL cannot, and the other canvas must draw it. */
function drawMoving() {
  if (mover === undefined) mover = makeMover();
  const mode = GL_MODES.indexOf(layerOfMode()), of = /** @type {Input} */ (sideOf(1)), first = sideOf(0) || of;
  if (!mover || mode < 0 || !fitCanvas(moving) || mover.gl.isContextLost() || Math.max(of.width, of.height) >
    mover.gl.getParameter(mover.gl.MAX_TEXTURE_SIZE))
    return false;
  const {gl, program, places} = mover;
  fitCanvas();
  shown.forEach((picture, side) => fillTextures(/** @type {Mover} */ (mover), side, picture));
  const set = (/** @type {string} */ name, /** @type {number[]} */ values, whole = false) => {
    if (!places.has(name)) places.set(name, gl.getUniformLocation(program, name));
    const at = places.get(name) ?? null;
    if (whole && values.length === 2) gl.uniform2i(at, values[0], values[1]);
    else if (whole) gl.uniform1i(at, values[0]);
    else if (values.length === 4) gl.uniform4f(at, values[0], values[1], values[2], values[3]);
    else if (values.length === 2) gl.uniform2f(at, values[0], values[1]);
    else gl.uniform1f(at, values[0]);
  };
  const {scale, left, top} = place(), peak = pqOfLight(state.peak), most = pqOfLight(WHITE) / peak;
  set("size", [of.width, of.height], true);
  set("sub", [of.across, of.down], true);
  set("canvas", [moving.width, moving.height]);
  set("corner", [left, top]);
  [first, of].forEach((input, side) => {
    set(`rule${side}`, [input.rgb.red, input.rgb.blue, input.rgb.low, 1 / input.rgb.luma]);
    set(`chroma${side}`, [input.rgb.middle, 1 / input.rgb.chroma]);
  });
  for (const [name, value] of Object.entries({scale, gain: state.gain, split: splitAt(), knee: 1.5 * most - 0.5, most,
    top: peak})) set(name, [value]);
  for (const [name, value] of Object.entries({mode, gray: Number(of.planes === 1),
    transfer: isHdr(of) ? of.transfer : 0, wide: Number(of.primaries === BT2020)}))
    set(name, [value], true);
  gl.viewport(0, 0, moving.width, moving.height);
  gl.drawArrays(gl.TRIANGLES, 0, 3);
  moving.dataset.frame = String(shownFrame);
  moving.dataset.mode = state.mode;
  if (moving.hidden) { // hides the still picture below this canvas
    canvas.getContext("2d")?.clearRect(0, 0, canvas.width, canvas.height);
    moving.hidden = false;
  }
  fillLabels();
  return true;
}
