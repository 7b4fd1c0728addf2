// A worker thread with its own module, which scores files for score() in fovea.mjs.
import { Module } from './module.mjs';

/**
 * Returns an input that is read piece by piece: a file in Node, or a Blob, which only workers can read synchronously.
 */
async function input(given) {
  if (given instanceof Uint8Array)
    return { size: given.length, modified: 0, read: (bytes, position) => {
      const part = given.subarray(position, position + bytes.length);
      bytes.set(part);
      return part.length;
    } };
  if (given instanceof Blob) {
    const reader = typeof FileReaderSync === 'undefined' ? null : new FileReaderSync();
    if (!reader) return input(new Uint8Array(await given.arrayBuffer()));
    return { size: given.size, modified: given.lastModified ?? 0, read: (bytes, position) => {
      const part = new Uint8Array(reader.readAsArrayBuffer(given.slice(position, position + bytes.length)));
      bytes.set(part);
      return part.length;
    } };
  }
  const fs = await import('node:fs');
  const fd = fs.openSync(given, 'r'), { size, mtimeMs } = fs.fstatSync(fd);
  return { size, modified: mtimeMs, read: (bytes, position) => fs.readSync(fd, bytes, 0, bytes.length, position) };
}

/** Returns a function that runs the step in a message. `post` sends the result, progress and log lines. */
function server(post) {
  let module, run;
  const steps = {
    async open({ wasm, inputs, options }) {
      module = await Module.make(wasm);
      for (const [name, given] of inputs) module.files.add(name, await input(given));
      const onlog = (level, text) => post({ log: [level, text] }),
        onprogress = (frames, total) => post({ progress: [frames, total] });
      run = module.open({ ...options, onlog, onprogress });
      run.files(...options.names);
      return { version: module.version, numerics: module.numerics };
    },
    plan: ({ count }) => run.plan(count),
    shard: ({ number }) => run.shard(number),
    merge: ({ shards }) => run.merge(shards),
    score: () => run.score(),
    result: ({ reports, pictures }) => (reports.includes('html') && run.addPictures(pictures),
      { ...run.result(), reports: Object.fromEntries(reports.map(kind => [kind, run.report(kind)])) }),
  };
  return async ({ step, ...given }) => {
    try {
      post({ done: await steps[step](given) });
    } catch (error) {
      post({ failed: { code: error.code, message: error.message } });
    }
  };
}

if (typeof self !== 'undefined' && typeof self.postMessage === 'function') {
  const serve = server(message => self.postMessage(message));
  self.onmessage = ({ data }) => serve(data);
} else {
  const { parentPort } = await import('node:worker_threads');
  parentPort.on('message', server(message => parentPort.postMessage(message)));
}
