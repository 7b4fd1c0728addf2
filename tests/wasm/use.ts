// Uses every part of the package's types, as a program does.
import { FoveaError, load, score, type Format, type Result, type Score } from 'fovea';

const format: Format = { width: 16, height: 16, chroma: '420', depth: 10, range: 'limited',
  rate: [25, 1], matrix: 'bt709', siting: 'left' };

async function* frames(): AsyncGenerator<Uint16Array> {
  yield new Uint16Array(384);
}

/** A VideoFrame as TypeScript 5 declares it. */
interface Seen {
  readonly format: 'I420' | 'NV12' | null;
  copyTo(to: ArrayBuffer | ArrayBufferView, options?: object): Promise<{ offset: number; stride: number }[]>;
  close(): void;
}
declare const shown: AsyncIterable<Seen>;

export async function use(): Promise<number> {
  const asked = new AbortController();
  const result: Result = await score('a.y4m', new Blob([]), { metrics: ['vmaf', 'psnr'], workers: 4,
    signal: asked.signal, shortest: true, reports: ['json', 'html'], pictures: [0, 12],
    onprogress: (done, total) => console.log(done / total) });
  const streamed: Result = await score(frames(), frames(), { format, isa: 'simd128' });
  console.log((await score(shown, shown, { format })).frames.length);
  const fovea = await load();
  const session = fovea.session({ metrics: 'psnr', reference: format });
  try {
    session.push(new Uint16Array(384), { bytes: new Uint8Array(768),
      planes: [{ offset: 0, stride: 32 }, { offset: 512, stride: 16 }] });
  } catch (error) {
    if (error instanceof FoveaError) for (const [name, value] of error.remedy) console.log(error.code, name, value);
  }
  const scores: Record<string, Score> = session.finish().scores();
  console.log(session.report('csv').length, result.report().length, streamed.verdict?.length,
    session.memory + fovea.memory);
  session.close();
  // @ts-expect-error: a format needs a height
  fovea.session({ reference: { width: 1 } });
  return scores.psnr_y?.pooled?.mean ?? NaN;
}
