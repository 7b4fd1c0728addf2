// Tests the package's calls: results, refusals and their form: package.mjs PACKAGE REFERENCE.y4m DISTORTED.y4m
// REPORT.json [VIDEO]... REPORT.json is the pair's report by the native command, and each VIDEO is an MP4 or WebM
// file to damage.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { deflateSync } from 'node:zlib';

const [folder, reference, distorted, native, ...videos] = process.argv.slice(2);
const { FoveaError, load, score } = await import(pathToFileURL(`${folder}/fovea.mjs`));
const expected = JSON.parse(readFileSync(native, 'utf8')), metrics = expected.metrics.map(({ name }) => name);
let count = 0, failed = 0;

async function test(name, use) {
  count++;
  try {
    await use();
    console.log(`ok ${count} - ${name}`);
  } catch (error) {
    failed++;
    console.log(`not ok ${count} - ${name}`);
    console.log(`# ${String(error.stack ?? error).replaceAll('\n', '\n# ')}`);
  }
}

const fails = async (code, words, use) => {
  const error = await Promise.resolve().then(use).then(() => null, thrown => thrown);
  assert.ok(error instanceof FoveaError, `${error} is no FoveaError`);
  assert.equal(error.code, code, error.message);
  assert.match(error.message, words);
  return error;
};

/** Returns the frames of a Y4M file of 8 bits and 4:2:0. */
function frames(path) {
  const bytes = readFileSync(path), end = bytes.indexOf(10),
    [, width, height] = /W(\d+) H(\d+)/.exec(bytes.toString('latin1', 0, end)).map(Number);
  const size = width * height + 2 * ((width + 1) >> 1) * ((height + 1) >> 1), found = [];
  for (let at = end + 1; at < bytes.length; at += size) {
    at = bytes.indexOf(10, at) + 1;
    found.push(new Uint8Array(bytes.subarray(at, at + size)));
  }
  return { format: { width, height, siting: 'center', rate: [25, 1] }, found };
}

const ref = frames(reference), dis = frames(distorted);

function equal(scores) {
  let compared = 0;
  for (const { frame, metrics: values } of expected.frames)
    for (const [name, value] of Object.entries(values)) {
      assert.ok(Object.is(scores[name].values[frame], value === null ? NaN : Number(value)),
        `${name} of frame ${frame}: ${scores[name].values[frame]}, not ${value}`);
      compared++;
    }
  for (const [name, pools] of Object.entries(expected.pooled))
    for (const [pool, value] of Object.entries(pools)) if (pool in scores[name].pooled)
      assert.ok(Object.is(scores[name].pooled[pool], value === null ? NaN : Number(value)), `${name} ${pool}`);
  assert.ok(compared > 0);
}

const without = text => text.replace(/"device": \{[^}]*\}/, '"device": {}');

await test('frames of typed arrays have the scores of the command', async () => {
  const fovea = await load();
  const session = fovea.session({ metrics, reference: ref.format });
  ref.found.forEach((frame, i) => session.push(frame, dis.found[i]));
  session.finish();
  equal(session.scores());
  assert.equal(session.frames, ref.found.length);
  assert.ok(session.memory > 0 && session.report('html').startsWith('<!'));
  session.close();
});

await test('planes with strides are the same frames', async () => {
  const { width, height } = ref.format, stride = 2 * width, fovea = await load();
  const padded = frame => {
    const half = [(width + 1) >> 1, (height + 1) >> 1], bytes = new Uint8Array(stride * (height + 2 * half[1])),
      planes = [];
    let from = 0, to = 0;
    for (const [across, down] of [[width, height], half, half]) {
      planes.push({ offset: to, stride });
      for (let y = 0; y < down; y++, from += across, to += stride) bytes.set(frame.subarray(from, from + across), to);
    }
    return { bytes, planes };
  };
  const session = fovea.session({ metrics, reference: ref.format });
  ref.found.forEach((frame, i) => session.push(padded(frame), padded(dis.found[i])));
  session.finish();
  equal(session.scores());
});

await test('score() takes streams of frames', async () => {
  async function* slowly(found) {
    for (const frame of found) yield await Promise.resolve(frame);
  }
  let last = 0;
  const result = await score(slowly(ref.found), dis.found,
    { metrics, format: ref.format, onprogress: done => (last = done) });
  equal(result.scores);
  assert.equal(last, ref.found.length);
  assert.deepEqual([...(await score(ref.found, dis.found, { metrics: 'psnr', format: ref.format })).frames],
    ref.found.map((_, i) => i));
});

const reports = ['json', 'csv', 'ndjson', 'html'], made = [];
for (const workers of [1, 2, 4])
  await test(`${workers} workers: the bytes of the command`, async () => {
    const result = await score(reference, distorted, { metrics, workers, reports });
    assert.equal(without(result.report()), without(readFileSync(native, 'utf8')));
    equal(result.scores);
    made.push(reports.map(kind => result.report(kind)).join('\0'));
    assert.equal(made.at(-1), made[0], 'reports of one worker and of several differ');
  });

const shown = result =>
  JSON.parse(/<script type="application\/json" id="data">(.*?)<\/script>/s.exec(result.report('html'))[1]).pictures;

await test('the page of two files has pictures and maps of the worst frames', async () => {
  const pictures =
    shown(await score(reference, distorted, { metrics: ['butteraugli', 'ssimulacra2'], reports: ['html'] }));
  const names = new Set(pictures.map(({ name }) => name)), frames = new Set(pictures.map(({ frame }) => frame));
  for (const name of ['reference', 'distorted', 'difference', 'butteraugli', 'ssimulacra2'])
    assert.ok(names.has(name), `no picture ${name}: ${[...names]}`);
  assert.ok(frames.size > 1 &&
    pictures.every(({ type, png }) => type === 'jpeg' && Buffer.from(png, 'base64')[0] === 0xff));
});

await test('the page has pictures and maps of chosen frames', async () => {
  const { width, height } = ref.format, head = `YUV4MPEG2 W${width} H${height} F25:1 C420jpeg\n`;
  const clip = first => new Blob([head, ...Array.from({ length: 30 }, (_, i) => ['FRAME\n', i ? ref.found[1] : first])
    .flat()]);
  const framesOf = async pictures => new Set(shown(await score(clip(ref.found[0]), clip(dis.found[0]),
    { metrics: 'psnr', reports: ['html'], pictures })).map(({ name, frame }) => `${name} ${frame}`));
  const usual = await framesOf(undefined), chosen = await framesOf([29, 17, 99]);
  for (const frame of [17, 29]) for (const name of ['distorted', 'vdm']) {
    assert.ok(!usual.has(`${name} ${frame}`), `${name} of frame ${frame} is shown unasked`);
    assert.ok(chosen.has(`${name} ${frame}`), `no ${name} of frame ${frame}: ${[...chosen]}`);
  }
  assert.ok(chosen.has('distorted 0') && !chosen.has('distorted 99'), [...chosen].join());
  for (const pictures of [[1.5], [-1], [1, 2, 3, 4, 5, 6, 7], 3, ['a']])
    await fails('usage', /pictures/, () => framesOf(pictures));
});

await test('bytes and Blobs are files', async () => {
  const given = [reference, distorted].map(path => readFileSync(path));
  for (const sides of [given.map(bytes => new Uint8Array(bytes)), given.map(bytes => new Blob([bytes]))])
    equal((await score(...sides, { metrics, workers: 2 })).scores);
});

await test('parameters have the names of messages', async () => {
  const result = await score(reference, distorted, { metrics: 'psnr', frames: 2, 'reference.range': 'full',
    'distorted.range': 'full' });
  assert.equal(result.frames.length, 2);
  assert.match(result.report(), /"range": "full"/);
});

await test('a stop request ends it', async () => {
  const asked = new AbortController();
  const going = score(reference, distorted,
    { metrics, workers: 2, signal: asked.signal, onprogress: () => asked.abort() });
  await assert.rejects(going, { name: 'AbortError' });
  await assert.rejects(score(reference, distorted, { signal: AbortSignal.abort() }), { name: 'AbortError' });
});

await test('refusals are exceptions with a code and a remedy', async () => {
  const fovea = await load(), { format } = ref, open = () => fovea.session({ metrics: 'psnr', reference: format });
  await fails('usage', /did you mean|unknown|no metric/i,
    () => fovea.session({ metrics: 'vmav', reference: format }));
  await fails('usage', /width/, () => fovea.session({ metrics: 'psnr', reference: { height: 2 } }));
  for (const wrong of [{ chroma: 'toString' }, { width: 2 ** 32 + 16 }, { rate: 25 }, { rate: [25, 0.5] },
    { matrix: 257 }, { depth: '8' }])
    await fails('usage', /format\./, () => fovea.session({ metrics: 'psnr', reference: { ...format, ...wrong } }));
  await fails('usage', /none of json/, () => open().report('__proto__'));
  await fails('usage', /chroma/, () => fovea.session({ metrics: 'psnr', reference: { ...format, chroma: '411' } }));
  await fails('usage', /H\.273/,
    () => fovea.session({ metrics: 'psnr', reference: { ...format, matrix: 'bt7090' } }));
  await fails('usage', /1, 32768|size|width/i,
    () => fovea.session({ metrics: 'psnr', reference: { ...format, width: 0 } }));
  await fails('device', /simd128|avx2/, () => fovea.session({ metrics: 'psnr', reference: format, isa: 'avx2' }));
  await fails('usage', /bytes/, () => open().push(ref.found[0].subarray(1), dis.found[0]));
  await fails('usage', /typed array/, () => open().push([1, 2, 3], dis.found[0]));
  await fails('usage', /transferred/, () => {
    const gone = new Uint8Array(ref.found[0]);
    structuredClone(gone.buffer, { transfer: [gone.buffer] });
    open().push(gone, dis.found[0]);
  });
  await fails('usage', /plane/, () => open().push({ bytes: ref.found[0],
    planes: [{ offset: -4, stride: 1 }, { offset: 0, stride: 1 }, { offset: 0, stride: 1 }] }, dis.found[0]));
  for (const planes of [null, 7, 'xyz', {}, [null, null, null], Array(3).fill({ offset: 0n, stride: 1n }),
    Array(3).fill({ offset: 0.5, stride: '9' })])
    await fails('usage', /whole numbers/, () => open().push({ bytes: ref.found[0], planes }, dis.found[0]));
  await fails('usage', /closed/, () => {
    const session = open();
    session.close();
    session.push(ref.found[0], dis.found[0]);
  });
  await fails('input', /2000|sample/, () => {
    const deep = { ...format, depth: 10 }, high = new Uint16Array(ref.found[0].length).fill(2000);
    fovea.session({ metrics: 'psnr', reference: deep }).push(high, high);
  });
  await fails('input', /ends after/, () => score(ref.found, dis.found.slice(1), { metrics: 'psnr', format }));
  const other = await fails('input', /rate/,
    () => score(reference, Buffer.concat([Buffer.from(readFileSync(distorted, 'latin1').replace('F25:1', 'F30:1'),
      'latin1')]), { metrics: 'psnr' }));
  assert.ok(other.remedy.some(([name]) => name === 'ignore_rate'), other.message);
  await fails('usage', /workers/, () => score(reference, distorted, { workers: 0 }));
  await fails('usage', /shortestt/, () => score(reference, distorted, { shortestt: true }));
  const session = open(); // the module still works after all refusals
  session.push(ref.found[0], dis.found[0]);
  assert.ok(session.finish().scores().psnr_y.pooled.mean > 0);
});

/** What the module holds for its caller, counted by its calls. After `left` more calls, fw_alloc() finds no
 * memory. */
const held = { blocks: new Set(), frames: new Set(), runs: new Set(), left: Infinity };

/** Loads a module whose calls are counted in `held`. */
async function counted() {
  const instantiate = WebAssembly.instantiate, unsigned = use => (...values) => use(...values) >>> 0;
  WebAssembly.instantiate = async (...given) => {
    const { exports } = await instantiate(...given), made = (name, set) => unsigned((...values) => {
      const at = exports[name](...values);
      if (at) set.add(at >>> 0);
      return at;
    });
    const gone = (name, set, ...places) => (...values) => (places.forEach(i => set.delete(values[i] >>> 0)),
      exports[name](...values));
    const alloc = made('fw_alloc', held.blocks);
    return { exports: { ...exports, fw_alloc: bytes => (--held.left ? alloc(bytes) : 0),
      fw_report: made('fw_report', held.blocks), fw_free: gone('fw_free', held.blocks, 0),
      fw_open: made('fw_open', held.runs), fw_close: gone('fw_close', held.runs, 0),
      fw_frame: made('fw_frame', held.frames),
      fw_push: gone('fw_push', held.frames, 2, 3), fw_drop: gone('fw_drop', held.frames, 0) } };
  };
  try {
    return await load();
  } finally {
    WebAssembly.instantiate = instantiate;
  }
}

const nothingHeld = of => assert.deepEqual([held.blocks.size, held.frames.size, held.runs.size], [0, 0, 0],
  `blocks, frames and runs left by ${of}`);

await test('refused frames are freed', async () => {
  const fovea = await counted(), format = { ...ref.format, depth: 10 },
    session = fovea.session({ metrics: 'psnr', reference: format });
  const fits = new Uint16Array(ref.found[0].length), high = fits.slice().fill(2000);
  const before = [held.blocks.size, held.frames.size];
  let memory;
  for (let i = 0; i < 1000; i++) {
    for (const [a, b] of [[fits, high], [high, fits], [fits, fits.subarray(1)], [fits, null],
      [fits, { bytes: fits, planes: [], layout: 'nv12' }]])
      assert.throws(() => session.push(a, b), FoveaError);
    memory ??= fovea.memory;
  }
  assert.deepEqual([held.blocks.size, held.frames.size], before, 'blocks and frames');
  assert.equal(fovea.memory, memory, 'bytes of the module');
  session.close();
  assert.throws(() => session.push(fits, fits), /closed/);
  nothingHeld('a closed session');
});

await test('calls that find no memory leave nothing behind', async () => {
  const fovea = await counted();
  let nth = 0, failed = true;
  while (failed) {
    let session;
    failed = false;
    held.left = ++nth;
    try {
      fovea.takes('width');
      session = fovea.session({ metrics: 'psnr', shortest: true, reference: { ...ref.format, matrix: 'bt709' } });
      session.push({ bytes: ref.found[0], layout: 'nv12', planes: [{ offset: 0, stride: ref.format.width },
        { offset: ref.format.width * ref.format.height, stride: ref.format.width }] }, dis.found[0]);
      session.finish().report('csv');
    } catch (error) {
      assert.equal(error.code, 'memory', `allocation ${nth}: ${error.stack}`);
      failed = true;
    }
    held.left = Infinity;
    session?.close();
    nothingHeld(`allocation ${nth}`);
  }
  assert.ok(nth > 15, `${nth} allocations`);
});

await test('the frame of the longer stream is closed', async () => {
  const closed = [], stream = (side, count) => Array.from({ length: count },
    (_, i) => ({ bytes: ref.found[0], close: () => closed.push(side + i) }));
  await fails('input', /the distorted video ends after 1 frames/,
    () => score(stream('r', 2), stream('d', 1), { metrics: 'psnr', format: ref.format }));
  assert.deepEqual(closed, ['r1']);
});

await test('no parameter and no frame makes the module trap', async () => {
  const fovea = await load(), awkward = ['', '-1', '0', '1e9', 'auto', '\u0000', '{}', 'a'.repeat(5000), '1:2:3',
    '../x', '99999999999'];
  for (const name of ['width', 'crop', 'scale', 'roi', 'model', 'isa', 'intervals', 'metric', 'reference.range',
    'kernel'])
    for (const value of awkward)
      try {
        fovea.session({ [name]: value, metrics: 'psnr', reference: ref.format }).close();
      } catch (error) {
        assert.notEqual(error.code, 'trap', `${name}=${value}`);
        assert.ok(error instanceof FoveaError, error.stack);
      }
  const head = readFileSync(reference);
  for (let i = 0; i < 40; i++) {
    const bytes = new Uint8Array(head.subarray(0, 40000));
    bytes[(i * 7) % 64] ^= 1 << i % 8;
    try {
      await score(bytes, bytes.slice(), { metrics: 'psnr', reports: [] });
    } catch (error) {
      assert.ok(error instanceof FoveaError && error.code !== 'trap', error.stack);
    }
  }
});

/** Pseudo-random integers from 0 to below `most`, the same in each run. */
let seed = 1;
const pick = most => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return Math.floor(seed / 2 ** 32 * most);
};
const one = list => list[pick(list.length)];
const refuses = (error, of) => assert.ok(error instanceof FoveaError && error.code !== 'trap',
  `${of}: ${error.stack}`);

await test('calls in any order with any values are refused or done, and never trap', async () => {
  const fovea = await load(), numbers = [-1, 0, 1, 2, 7, 8, 9, 16, 17, 33, 64, 32769, 2 ** 31, 1e300, NaN, Infinity,
    0.5, '8', null, undefined, {}, [], true, 5n];
  const format = () => ({ ...(pick(4) ? { width: one([16, 17, 64]), height: one([16, 33]) } : {}),
    ...Object.fromEntries(['width', 'height', 'depth', 'peak', 'chroma', 'range', 'siting',
    'matrix', 'transfer', 'primaries'].filter(() => !pick(6))
    .map(name => [name, one(numbers.concat('444', 'rgb', '400', 'bt709', 'full', 'left'))])),
    ...(pick(5) ? {} : { rate: one([[25, 1], [0, 0], [-1, 5], 'x', null, [1e12, 3]]) }) });
  const picture = () => one([() => new Uint8Array(one([0, 1, 400, 1632, 6144, 100000])),
    () => new Uint16Array(6144).fill(pick(65536)), () => one(numbers), () => ({ bytes: new Uint8Array(6144),
    planes: Array.from({ length: pick(4) }, () => ({ offset: one(numbers), stride: one(numbers) })),
    layout: one(['nv12', 'p010', 'v210', '', 'x', undefined, 7]) })])();
  for (let i = 0; i < 600; i++) {
    let session = null;
    try {
      session = fovea.session({ metrics: one(['psnr', 'psnr_hvs', 'vmaf', 'cambi', 'ssimulacra2',
        'psnr=enable_mse=true', '', ',', 'xpsnr=', null, 7, ['psnr', 'psnr']]),
        reference: pick(9) ? format() : one(numbers), ...(pick(3) ? {} : { distorted: format() }) });
    } catch (error) {
      refuses(error, `session ${i}`);
      continue;
    }
    for (let k = pick(6); k >= 0; k--)
      try {
        one([() => session.push(picture(), picture()), () => session.push(picture(), picture()),
          () => session.finish(), () => session.scores(),
          () => session.report(one(['json', 'csv', 'ndjson', 'html', 'xml', '__proto__', 7])), () => session.memory,
          () => session.verdict, () => session.addPictures(picture(), picture()), () => session.close()])();
      } catch (error) {
        refuses(error, `session ${i}`);
      }
    session.close();
  }
});

await test('memory above 2 GiB is used, and the limit is told', async () => {
  const { Module } = await import(pathToFileURL(`${folder}/module.mjs`));
  const module = await Module.make(await WebAssembly.compile(readFileSync(`${folder}/fovea.wasm`)));
  const taken = [0, 1, 2].map(() => module.address('fw_alloc', 2 ** 30 - 2 ** 20));
  assert.ok(taken.every(at => at) && module.address('fw_alloc', 2 ** 20) > 2 ** 31,
    `this machine has no memory for the test: ${taken}`);
  const pushed = module.open({ metrics: metrics.join(',') });
  pushed.start(ref.format, ref.format);
  ref.found.forEach((frame, i) => pushed.push(i, frame, dis.found[i]));
  pushed.finish();
  equal(pushed.result().scores);
  const read = module.open({ metrics: metrics.join(',') });
  for (const path of [reference, distorted]) module.files.put(path, readFileSync(path));
  read.files(reference, distorted);
  read.score();
  equal(read.result().scores);
  assert.ok(read.report('json').length > 1000);
  await fails('memory', /4096 MiB.*fewer metrics/,
    async () => (await load()).session({ metrics: 'ssimulacra2', reference: { width: 32768, height: 32768 } }));
  await fails('memory', /4096 MiB.*fewer metrics/, () => module.put(new Uint8Array(2 ** 31)));
});

await test('PNG: samples of 8 and 16 bits, palettes, and refusals', async () => {
  const { readPng } = await import(pathToFileURL(`${folder}/png.mjs`));
  const chunk = (type, body) => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(body.length);
    head.write(type, 4, 'latin1');
    return Buffer.concat([head, Buffer.from(body), Buffer.alloc(4)]);
  };
  const png = (kind, depth, rows, chunks = [], interlaced = 0, width = 2) => {
    const size = Buffer.alloc(13);
    size.writeUInt32BE(width);
    size.writeUInt32BE(rows.length, 4);
    size.set([depth, kind, 0, 0, interlaced], 8);
    return new Uint8Array(Buffer.concat([Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), chunk('IHDR', size),
      ...chunks, chunk('IDAT', deflateSync(Buffer.from(rows.flat()))), chunk('IEND', [])]));
  };
  const rgb = png(2, 8, [[0, 1, 2, 3, 4, 5, 6], [1, 10, 20, 30, 1, 2, 3], [2, 1, 1, 1, 255, 1, 1],
    [3, 10, 0, 0, 0, 0, 0], [4, 1, 2, 3, 4, 5, 6]]);
  const { picture, format } = await readPng(rgb, 'a.png', false);
  assert.deepEqual([...picture], [1, 4, 10, 11, 11, 10, 15, 12, 16, 16, 2, 5, 20, 22, 21, 23, 10, 16, 12, 21, 3, 6,
    30, 33, 31, 34, 15, 24, 18, 30]);
  assert.deepEqual([format.chroma, format.depth, format.range, format.transfer, format.primaries],
    ['rgb', 8, 'full', 13, 1]);
  const deep = await readPng(png(2, 16, [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]], [chunk('cICP', [9, 16, 0, 1])]),
    'a.png', false);
  assert.deepEqual([[...deep.picture], deep.format.transfer, deep.format.primaries],
    [[258, 1800, 772, 2314, 1286, 2828], 16, 9]);
  const few = await readPng(png(3, 2, [[0, 0b01100000]], [chunk('PLTE', [1, 2, 3, 4, 5, 6, 7, 8, 9])]),
    'a.png', false);
  assert.deepEqual([...few.picture], [4, 7, 5, 8, 6, 9]);
  for (const [words, file] of [[/transparent/, png(6, 8, [[0, 1, 2, 3, 255, 1, 2, 3, 254]])],
    [/interlaced/, png(2, 8, [[0, 1, 2, 3, 4, 5, 6]], [], 1)],
    [/gray samples/, png(0, 4, [[0, 18]])], [/damaged/, png(2, 8, [[0, 1, 2, 3]])], [/damaged/, png(5, 8, [[0, 1]])],
    [/limited/, png(2, 8, [[0, 1, 2, 3, 4, 5, 6]], [chunk('cICP', [1, 1, 0, 0])])],
    [/profile/, png(2, 8, [[0, 1, 2, 3, 4, 5, 6]], [chunk('gAMA', [0, 0, 1, 1])])],
    [/damaged/, png(3, 2, [[0, 255]], [chunk('PLTE', [1, 2, 3])])]])
    await fails('input', words, () => readPng(file, 'a.png', false));
  const large = png(2, 8, Array.from({ length: 176 },
    (_, y) => [0, ...Array.from({ length: 528 }, (_, x) => (x * y) % 251)]), [chunk('sRGB', [0])], 0, 176);
  assert.ok((await score(large, large, { metrics: 'ssimulacra2' })).scores.ssimulacra2.values[0] > 99);
  const other = png(2, 8, Array.from({ length: 176 },
    (_, y) => [0, ...Array.from({ length: 528 }, (_, x) => (x * y) % 241)]), [chunk('sRGB', [0])], 0, 176);
  const pictures = shown(await score(large, other, { metrics: 'ssimulacra2,butteraugli', reports: ['html'] }));
  for (const name of ['reference', 'distorted', 'difference', 'ssimulacra2', 'butteraugli'])
    assert.ok(pictures.some(one => one.name === name), `the page of two PNGs has no ${name}`);
  await fails('usage', /PNG/, () => score(large, reference));
  for (let i = 0; i < 400; i++) {
    const bytes = new Uint8Array(one([rgb, large])).slice(0, pick(3) ? undefined : pick(900));
    for (let k = pick(5); k >= 0; k--) bytes[pick(Math.min(bytes.length, 300))] = pick(256);
    await readPng(bytes, 'a.png', false).catch(error => refuses(error, `PNG ${i}`));
  }
});

await test('damaged MP4 and WebM are refused, and whole ones need a browser', async () => {
  const { demux, kindOf } = await import(pathToFileURL(`${folder}/containers.mjs`));
  for (const path of videos) {
    const whole = readFileSync(path), kind = kindOf(whole);
    const track = await demux(new Blob([whole]), path, kind);
    let frames = 0;
    for await (const { data } of track.chunks()) frames += data.length > 0;
    assert.equal(frames, 3, path);
    await fails('input', /WebCodecs/, () => score(path, path));
    for (let i = 0; i < 300; i++) {
      const bytes = new Uint8Array(whole).slice(0, pick(4) ? undefined : pick(whole.length)),
        head = kind === 'mp4' ? bytes.length - 1500 : 0;
      for (let k = pick(6); k >= 0 && bytes.length; k--)
        bytes[Math.max(0, pick(2) ? head : 0) + pick(1500)] = pick(256);
      try {
        for await (const { data } of (await demux(new Blob([bytes]), path, kind)).chunks())
          assert.ok(data.length <= whole.length);
      } catch (error) {
        refuses(error, `${path} ${i}`);
      }
    }
  }
});

console.log(`1..${count}`);
process.exitCode = failed ? 1 : 0;
