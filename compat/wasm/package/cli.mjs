#!/usr/bin/env node
// The command `fovea score` in Node, without an installation: docs/javascript.md.
import { existsSync, realpathSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { FoveaError, load, score } from './fovea.mjs';

const STATUS = { usage: 2, input: 3, device: 4, partial: 5, output: 6, memory: 7 };
const SHORT = { '-m': 'metric', '-o': 'output', '-r': 'reference', '-d': 'distorted', '-w': 'width', '-h': 'height',
  '-p': 'pixel_format',
  '-b': 'bitdepth', '-q': 'quiet' };
const KINDS = { json: 'json', csv: 'csv', ndjson: 'ndjson', html: 'html', htm: 'html' };
const HELP = `fovea score REFERENCE DISTORTED [OPTION]...: scores Y4M, raw video or ProRes frames, exactly as the ` +
  `command fovea

  -m, --metric LIST     metrics, with options: vmaf,psnr=enable_mse=true (vmaf, psnr and psnr_hvs;
                        of PQ and HLG cvvdp and pu_psnr in place of vmaf; of RGB pictures also
                        those that take RGB)
  -o, --output FILE     a report: .json, .csv, .ndjson or .html; may be repeated
  --json                the JSON report on standard output
  --workers N           threads, each with a module of its own (1)
  -q, --quiet           no progress
  --NAME[=VALUE]        the parameters of fovea's page parameters.md, such as --shortest and --range-ref full
`;

/** Writes parameters in a message as options of the command: \`reference.range=full\` becomes --range-ref full. */
const spell = message => message.replace(/`([a-z_.]+)(?:=([^`]*))?`/g, (_, name, value) => {
  const [, side, word] = /^(?:(reference|distorted)\.)?(.*)$/.exec(name);
  return `--${word.replaceAll('_', '-')}${side ? `-${side.slice(0, 3)}` : ''}${value ? ` ${value}` : ''}`;
});

const usage = message => new FoveaError('usage', message);

async function read(words) {
  const given = { files: [], outputs: [], metrics: [], options: {}, workers: 1 }, fovea = await load();
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    if (!word.startsWith('-')) {
      given.files.push(word);
      continue;
    }
    const [, long, own] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    let name = (SHORT[word] ?? long ?? '').replaceAll('-', '_');
    const value = () => {
      const found = own ?? words[++i];
      if (found == null) throw usage(`${word} needs a value`);
      return found;
    };
    if (name === 'metric') given.metrics.push(value());
    else if (name === 'output') given.outputs.push(value());
    else if (name === 'workers') given.workers = Number(value());
    else if (name === 'reference' || name === 'distorted') given[name] = value();
    else if (name === 'json' || name === 'quiet') given[name] = true;
    else {
      name = name.replace(/^(.*)_(ref|dis)$/, (_, of, side) => `${side === 'ref' ? 'reference' : 'distorted'}.${of}`);
      const takes = fovea.takes(name);
      if (takes < 0) throw usage(`unknown option ${word}: npx fovea --help lists all`);
      given.options[name] = takes ? value() : 'true';
    }
  }
  return given;
}

/** Writes an output, complete or not at all, and never over an input. */
function write(path, text, inputs) {
  if (existsSync(path) && inputs.some(input => realpathSync(input) === realpathSync(path)))
    throw usage(`${path} would overwrite the input ${path}; name another file`);
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, text);
    renameSync(temporary, path);
  } catch (error) {
    if (existsSync(temporary)) unlinkSync(temporary);
    throw new FoveaError('output', `${path} could not be written: ${error.message}`);
  }
}

function show({ verdict, frames, scores }) {
  const lines = [verdict, `${frames.length} frames`];
  for (const [name, { shown, pooled, value }] of Object.entries(scores))
    if (shown)
      lines.push(
        `${name.padEnd(32)} ${pooled ? `mean ${pooled.mean.toFixed(4)}  min ${pooled.min.toFixed(4)}`
          : value.toFixed(4)}`);
  return `${lines.join('\n')}\n`;
}

async function main(words) {
  if (!words.length || words.includes('--help')) return HELP;
  if (words[0] === '--version') return `fovea ${(await load()).version}\n`;
  if (words[0] !== 'score')
    throw usage(`"${words[0]}" is no command of this package: npx fovea score REFERENCE DISTORTED`);
  const given = await read(words.slice(1)), files = [...given.files];
  const distorted = given.distorted ?? files.pop(), reference = given.reference ?? files.pop() ?? null;
  if (!distorted || files.length) throw usage('name two files: npx fovea score REFERENCE DISTORTED');
  const inputs = [reference, distorted].filter(Boolean);
  for (const path of inputs) if (!existsSync(path))
    throw new FoveaError('input', `${path}: cannot be opened: there is no such file`);
  const kinds = given.outputs.map(path => {
    const kind = KINDS[path.slice(path.lastIndexOf('.') + 1).toLowerCase()];
    if (!kind) throw usage(`-o ${path}: name a file that ends in .json, .csv, .ndjson or .html`);
    return kind;
  });
  const quiet = given.quiet || !process.stderr.isTTY;
  const result = await score(reference, distorted,
    { ...given.options, ...(given.metrics.length ? { metrics: given.metrics } : {}), workers: given.workers,
    reports: [...kinds, ...(given.json ? ['json'] : [])],
    onlog: (_, text) => process.stderr.write(`fovea: ${spell(text)}\n`),
    onprogress: (done, total) => quiet ||
    process.stderr.write(`\r${done}${total > 0 ? ` of ${total}` : ''} frames `) });
  if (!quiet) process.stderr.write('\n');
  given.outputs.forEach((path, i) => write(path, result.report(kinds[i]), inputs));
  return given.json ? result.report('json') : show(result);
}

try {
  process.stdout.write(await main(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof FoveaError)) throw error;
  process.stderr.write(`fovea: ${spell(error.message)}\n`);
  process.exitCode = STATUS[error.code] ?? 4;
}
