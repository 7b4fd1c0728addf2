// The package's calls: what they give, what they refuse and how: package.mjs PACKAGE REFERENCE.y4m DISTORTED.y4m REPORT.json,
// the pair's report by the native command.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [folder, reference, distorted, native] = process.argv.slice(2);
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

/** The frames of a Y4M file of 8 bits and 4:2:0. */
function frames(path) {
  const bytes = readFileSync(path), end = bytes.indexOf(10), [, width, height] = /W(\d+) H(\d+)/.exec(bytes.toString('latin1', 0, end)).map(Number);
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
      assert.ok(Object.is(scores[name].values[frame], value === null ? NaN : Number(value)), `${name} of frame ${frame}: ${scores[name].values[frame]}, not ${value}`);
      compared++;
    }
  for (const [name, pools] of Object.entries(expected.pooled))
    for (const [pool, value] of Object.entries(pools)) if (pool in scores[name].pooled) assert.ok(Object.is(scores[name].pooled[pool], value === null ? NaN : Number(value)), `${name} ${pool}`);
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
    const half = [(width + 1) >> 1, (height + 1) >> 1], bytes = new Uint8Array(stride * (height + 2 * half[1])), planes = [];
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
  const result = await score(slowly(ref.found), dis.found, { metrics, format: ref.format, onprogress: done => (last = done) });
  equal(result.scores);
  assert.equal(last, ref.found.length);
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

await test('bytes and Blobs are files', async () => {
  const given = [reference, distorted].map(path => readFileSync(path));
  for (const sides of [given.map(bytes => new Uint8Array(bytes)), given.map(bytes => new Blob([bytes]))])
    equal((await score(...sides, { metrics, workers: 2 })).scores);
});

await test('parameters have the names of messages', async () => {
  const result = await score(reference, distorted, { metrics: 'psnr', frames: 2, 'reference.range': 'full', 'distorted.range': 'full' });
  assert.equal(result.frames.length, 2);
  assert.match(result.report(), /"range": "full"/);
});

await test('a stop request ends it', async () => {
  const asked = new AbortController();
  const going = score(reference, distorted, { metrics, workers: 2, signal: asked.signal, onprogress: () => asked.abort() });
  await assert.rejects(going, { name: 'AbortError' });
  await assert.rejects(score(reference, distorted, { signal: AbortSignal.abort() }), { name: 'AbortError' });
});

await test('refusals are exceptions with a code and a remedy', async () => {
  const fovea = await load(), { format } = ref, open = () => fovea.session({ metrics: 'psnr', reference: format });
  await fails('usage', /did you mean|unknown|no metric/i, () => fovea.session({ metrics: 'vmav', reference: format }));
  await fails('usage', /width/, () => fovea.session({ metrics: 'psnr', reference: { height: 2 } }));
  await fails('usage', /chroma/, () => fovea.session({ metrics: 'psnr', reference: { ...format, chroma: '411' } }));
  await fails('usage', /H\.273/, () => fovea.session({ metrics: 'psnr', reference: { ...format, matrix: 'bt7090' } }));
  await fails('usage', /1, 32768|size|width/i, () => fovea.session({ metrics: 'psnr', reference: { ...format, width: 0 } }));
  await fails('device', /simd128|avx2/, () => fovea.session({ metrics: 'psnr', reference: format, isa: 'avx2' }));
  await fails('usage', /bytes/, () => open().push(ref.found[0].subarray(1), dis.found[0]));
  await fails('usage', /typed array/, () => open().push([1, 2, 3], dis.found[0]));
  await fails('usage', /transferred/, () => {
    const gone = new Uint8Array(ref.found[0]);
    structuredClone(gone.buffer, { transfer: [gone.buffer] });
    open().push(gone, dis.found[0]);
  });
  await fails('usage', /plane/, () => open().push({ bytes: ref.found[0], planes: [{ offset: -4, stride: 1 }, { offset: 0, stride: 1 }, { offset: 0, stride: 1 }] }, dis.found[0]));
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
  const other = await fails('input', /rate/, () => score(reference, Buffer.concat([Buffer.from(readFileSync(distorted, 'latin1').replace('F25:1', 'F30:1'), 'latin1')]), { metrics: 'psnr' }));
  assert.ok(other.remedy.some(([name]) => name === 'ignore_rate'), other.message);
  await fails('usage', /workers/, () => score(reference, distorted, { workers: 0 }));
  await fails('usage', /shortestt/, () => score(reference, distorted, { shortestt: true }));
  const session = open(); // after all of these the module works
  session.push(ref.found[0], dis.found[0]);
  assert.ok(session.finish().scores().psnr_y.pooled.mean > 0);
});

await test('no parameter and no frame makes the module trap', async () => {
  const fovea = await load(), awkward = ['', '-1', '0', '1e9', 'auto', '\u0000', '{}', 'a'.repeat(5000), '1:2:3', '../x', '99999999999'];
  for (const name of ['width', 'crop', 'scale', 'roi', 'model', 'isa', 'intervals', 'metric', 'reference.range', 'kernel'])
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

console.log(`1..${count}`);
process.exitCode = failed ? 1 : 0;
