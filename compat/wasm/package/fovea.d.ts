/** fovea in a browser or in Node: docs/javascript.md. */

export type Chroma = '400' | '420' | '422' | '444' | 'rgb';
export type ReportKind = 'json' | 'csv' | 'ndjson' | 'html';
export type Pool =
  | 'mean' | 'min' | 'max' | 'harmonic_mean' | 'stddev'
  | 'p1' | 'p5' | 'p10' | 'p25' | 'median' | 'p75' | 'p90' | 'p95' | 'p99';

export interface Format {
  width: number;
  height: number;
  /** default: '420' */
  chroma?: Chroma;
  /** bits per sample, 8 to 16; default: 8. Samples of more than 8 bits are 16-bit words */
  depth?: number;
  range?: 'limited' | 'full';
  /** frames per second as [numerator, denominator]; default: unknown */
  rate?: readonly [number, number];
  /** name or code point of ITU-T H.273, as for `primaries` and `matrix`; default: unknown */
  transfer?: number | string;
  primaries?: number | string;
  matrix?: number | string;
  siting?: 'left' | 'center' | 'topleft' | 'top' | 'bottomleft' | 'bottom';
  /** peak luminance of the mastering display in cd/m2; 0, the default: unknown */
  peak?: number;
}

export interface PlaneLayout {
  offset: number;
  stride: number;
}

/**
 * The samples of a frame: consecutive planes without padding, or planes at the offsets and strides in `planes`, which
 * VideoFrame.copyTo() returns.
 */
export type Picture = Uint8Array | Uint16Array | {
  bytes: Uint8Array | Uint16Array;
  planes?: readonly PlaneLayout[];
  /** layout with interleaved components, such as 'nv12'; default: one plane per component */
  layout?: string;
};

export type Metrics = string | readonly string[];

/** A VideoFrame of WebCodecs, declared here because TypeScript before 5 lacks it. */
export interface DecodedFrame {
  readonly format: string | null;
  copyTo(to: ArrayBufferView): Promise<readonly PlaneLayout[]>;
  close(): void;
}

/**
 * Parameters of a run by the names that messages use, such as `shortest` or `'reference.range'`: docs/parameters.md.
 */
export interface Parameters {
  [name: string]: unknown;
}

export type ErrorCode = 'usage' | 'input' | 'device' | 'partial' | 'output' | 'memory' | 'trap';

export class FoveaError extends Error {
  constructor(code: ErrorCode, message: string);
  readonly code: ErrorCode;
  /** The parameters that prevent the error, each with its value or ''; empty: none is known. */
  readonly remedy: readonly (readonly [string, string])[];
}

/** The scores of an output: `values` and `pooled` if it has a value for each frame, else `value`. */
export interface Score {
  /** tables show this output first, as they do at least one of each metric */
  shown: boolean;
  values?: Float64Array;
  pooled?: Record<Pool, number>;
  value?: number;
}

export interface SessionOptions extends Parameters {
  /** metrics with their options; default: the default metrics */
  metrics?: Metrics;
  /** format of the reference; null: there is none, and the metrics need none */
  reference?: Format | null;
  distorted?: Format;
  isa?: 'auto' | 'scalar' | 'simd128';
  onlog?: (level: number, text: string) => void;
}

export interface Session {
  push(reference: Picture | null, distorted: Picture): void;
  /** Pushes VideoFrames, which it closes, or pictures. */
  pushFrames(reference: Picture | DecodedFrame | null, distorted: Picture | DecodedFrame): Promise<void>;
  finish(): this;
  /** Adds pictures and maps of the only frame to the HTML report. Call it after finish(). */
  addPictures(reference: Picture | null, distorted: Picture): void;
  readonly frames: number;
  /** memory that the session needs, in bytes */
  readonly memory: number;
  scores(): Record<string, Score>;
  readonly verdict: string | null;
  report(kind?: ReportKind): string;
  close(): void;
}

export interface Fovea {
  readonly version: string;
  readonly numerics: number;
  /** memory of the module, in bytes */
  readonly memory: number;
  /** 1: the parameter takes a value; 0: it takes none; -1: there is no such parameter */
  takes(name: string): number;
  session(options: SessionOptions): Session;
}

export interface ScoreOptions extends Parameters {
  metrics?: Metrics;
  isa?: 'auto' | 'scalar' | 'simd128';
  /** for files: number of threads, each with its own module, 1 to 64; default: 1 */
  workers?: number;
  /** the reports to make; default: ['json'] */
  reports?: readonly ReportKind[];
  /** for files: numbers of up to 6 frames that the HTML report shows, with their maps, before the worst frames */
  pictures?: readonly number[];
  signal?: AbortSignal;
  /**
   * total: -1 if unknown; decoding: the video whose frames the browser is decoding; undefined while frames are scored
   */
  onprogress?: (frames: number, total: number, decoding?: 'reference' | 'distorted') => void;
  onlog?: (level: number, text: string) => void;
  /**
   * for frames in typed arrays: format of the reference, and of the distorted video unless `distortedFormat` is set
   */
  format?: Format;
  distortedFormat?: Format;
  wasm?: BufferSource | WebAssembly.Module | Response;
}

export interface Result {
  /** number of each scored frame */
  readonly frames: Float64Array;
  readonly scores: Record<string, Score>;
  readonly verdict: string | null;
  report(kind?: ReportKind): string;
}

/**
 * A path (Node only), or the bytes or a Blob of a file: Y4M, raw video, ProRes frames, PNG; in browsers also MP4 and
 * WebM.
 */
export type VideoFile = string | Uint8Array | Blob;
export type Frames = Iterable<Picture | DecodedFrame> | AsyncIterable<Picture | DecodedFrame>;

export function load(wasm?: BufferSource | WebAssembly.Module | Response): Promise<Fovea>;
export function score(reference: VideoFile | null, distorted: VideoFile, options?: ScoreOptions): Promise<Result>;
export function score(reference: Frames | null, distorted: Frames, options?: ScoreOptions): Promise<Result>;
