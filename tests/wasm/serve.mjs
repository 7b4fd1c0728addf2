// Scores files, one request after another: serve.mjs PACKAGE. A line of standard input is {reference, distorted,
// options} in JSON, and its answer {frames, scores} or {code, message}. Numbers are strings, since JSON has neither
// NaN nor infinity.
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const { FoveaError, score } = await import(pathToFileURL(`${process.argv[2]}/fovea.mjs`));

async function answer({ reference, distorted, options }) {
  try {
    const { frames, scores } = await score(reference, distorted, { ...options, reports: [] });
    const texts = Object.entries(scores)
      .map(([name, { values, value }]) => [name, values ? Array.from(values, String) : String(value)]);
    return { frames: Array.from(frames), scores: Object.fromEntries(texts) };
  } catch (error) {
    if (!(error instanceof FoveaError)) throw error;
    return { code: error.code, message: error.message };
  }
}

for await (const line of createInterface({ input: process.stdin }))
  process.stdout.write(`${JSON.stringify(await answer(JSON.parse(line)))}\n`);
