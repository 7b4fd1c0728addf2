// Decodes PNG (Portable Network Graphics, third edition) into samples. Colour is read from cICP or sRGB, as the
// command does.
import { FoveaError } from './module.mjs';

const RGB = 2, PALETTE = 3, COMPONENTS = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

async function inflate(parts) {
  const stream = new Blob(parts).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Undoes the filters of rows in place; `step`: bytes of a pixel, at least 1. */
function unfilter(bytes, row, height, step) {
  for (let y = 0, at = 0; y < height; y++, at += row + 1) {
    const filter = bytes[at], up = at - row - 1;
    for (let i = 1; filter && i <= row; i++) {
      const a = i > step ? bytes[at + i - step] : 0, b = y ? bytes[up + i] : 0,
        c = y && i > step ? bytes[up + i - step] : 0;
      const [da, db, dc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
      const guess = [0, a, b, (a + b) >> 1, da <= db && da <= dc ? a : db <= dc ? b : c][filter];
      bytes[at + i] += guess;
    }
  }
}

/** Returns {picture, format} for the bytes of a file. stated: whether the caller states the colour. */
export async function readPng(file, name, stated) {
  const fail = words => new FoveaError('input', `${name} ${words}`), damaged = fail('is damaged or cut off');
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength), data = [];
  let head = null, palette = null, transparent = null, colour = null, srgb = false, other = false;
  for (let at = 8, type = ''; type !== 'IEND';) {
    if (at + 12 > file.length) throw damaged;
    const size = view.getUint32(at), body = file.subarray(at + 8, at + 8 + size);
    type = String.fromCharCode(...file.subarray(at + 4, at + 8));
    if (at + 12 + size > file.length || (!head && type !== 'IHDR')) throw damaged;
    if (type === 'IHDR') head = [view.getUint32(at + 8), view.getUint32(at + 12), ...body.subarray(8, 13)];
    else if (type === 'IDAT') data.push(body);
    else if (type === 'PLTE') palette = body;
    else if (type === 'tRNS') transparent = body;
    else if (type === 'cICP') colour ??= { primaries: body[0], transfer: body[1], limited: !body[3] };
    else if (type === 'sRGB') srgb = true;
    else if (type === 'gAMA' || type === 'cHRM' || type === 'iCCP') other = true;
    at += 12 + size;
  }
  const [width, height, depth, kind, , , interlaced] = head, components = COMPONENTS[kind];
  if (!components || ![1, 2, 4, 8, 16].includes(depth) || (kind === PALETTE && !palette)) throw damaged;
  if (depth < 8 && kind !== PALETTE) throw fail(`has gray samples of ${depth} bits: convert it to 8`);
  if (interlaced) throw fail('is interlaced: store it without');
  if (colour?.limited) throw fail('is RGB of limited range: convert it to full range');
  if (!colour && !srgb && other && !stated)
    throw fail('states its colour by a profile or by gAMA and cHRM, which only the command reads: give ' +
      '`reference.primaries`, `reference.transfer`, `distorted.primaries` and `distorted.transfer`');
  const row = Math.ceil(width * components * depth / 8), bytes = await inflate(data).catch(() => new Uint8Array(0));
  if (bytes.length < (row + 1) * height) throw damaged;
  unfilter(bytes, row, height, Math.max(1, components * depth >> 3));
  const deep = depth === 16, peak = deep ? 65535 : 255, count = width * height, planes = kind & RGB ? 3 : 1;
  const samples = new (deep ? Uint16Array : Uint8Array)(count * planes);
  for (let y = 0, to = 0; y < height; y++)
    for (let x = 0, from = y * (row + 1) + 1; x < width; x++, to++) {
      const value = i => {
        const k = x * components + i;
        return deep ? bytes[from + 2 * k] << 8 | bytes[from + 2 * k + 1] : depth === 8 ? bytes[from + k]
          : bytes[from + (k * depth >> 3)] >> (8 - depth - (k * depth & 7)) & (1 << depth) - 1;
      };
      const index = kind === PALETTE ? value(0) : 0;
      if (kind === PALETTE && 3 * index + 3 > palette.length) throw damaged;
      const seen = kind === PALETTE ? transparent?.[index] ?? 255 : kind & 4 ? value(components - 1) : peak;
      if (seen !== peak || (transparent && kind !== PALETTE)) throw fail('has transparent pixels: flatten it first');
      for (let plane = 0; plane < planes; plane++)
        samples[plane * count + to] = kind === PALETTE ? palette[3 * index + plane] : value(plane);
    }
  const known = code => (code === 2 ? 0 : code); // unknown colour becomes that of sRGB, as in the command
  return { picture: samples, format: { width, height, chroma: planes === 3 ? 'rgb' : '400', depth: deep ? 16 : 8,
    range: 'full',
    primaries: known(colour?.primaries) || 1, transfer: known(colour?.transfer) || 13 } };
}
