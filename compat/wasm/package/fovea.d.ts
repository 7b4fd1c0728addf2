/** fovea in a browser or in Node: docs/javascript.md. */

export type Chroma = '400' | '420' | '422' | '444' | 'rgb';
export type ReportKind = 'json' | 'csv' | 'ndjson' | 'html';
export type Pool =
  | 'mean' | 'min' | 'max' | 'harmonic_mean' | 'stddev'
  | 'p1' | 'p5' | 'p10' | 'p25' | 'median' | 'p75' | 'p90' | 'p95' | 'p99';

export interface Format {
  width: number;
  height: number;
  /** '420' */
  chroma?: Chroma;
  /** bits per sample, 8 to 16; 8. Above 8 a sample is a word of 16 bits. */
  depth?: number;
  range?: 'limited' | 'full';
  /** frames per second as a fraction */
  rate?: readonly [number, number];
  /** Names or code points of ITU-T H.273. */
  transfer?: number | string;
  primaries?: number | string;
  matrix?: number | string;
  siting?: 'left' | 'center' | 'topleft' | 'top' | 'bottomleft' | 'bottom';
  /** of the mastering display, in cd/m2 */
  peak?: number;
}

export interface PlaneLayout {
  offset: number;
  stride: number;
}

/** Planes one behind the other without padding, or where `planes` says, as VideoFrame.copyTo() does. */
export type Picture = Uint8Array | Uint16Array | {
  bytes: Uint8Array | Uint16Array;
  planes?: readonly PlaneLayout[];
  /** of interleaved components, such as 'nv12' */
  layout?: string;
};

export type Metrics = string | readonly string[];

/** A VideoFrame of WebCodecs, which libraries of TypeScript before 5 lack. */
export interface DecodedFrame {
  readonly format: string | null;
  copyTo(to: ArrayBufferView): Promise<readonly PlaneLayout[]>;
  close(): void;
}

/** Parameters of a run by the names of messages, such as `shortest` or `'reference.range'`: docs/parameters.md. */
export interface Parameters {
  [name: string]: unknown;
}

export type ErrorCode = 'usage' | 'input' | 'device' | 'partial' | 'output' | 'memory' | 'trap';

export class FoveaError extends Error {
  constructor(code: ErrorCode, message: string);
  readonly code: ErrorCode;
  /** The parameters that help, each with its value or ''. */
  readonly remedy: readonly (readonly [string, string])[];
}

/** Of an output with a value for each frame `values` and `pooled`; else `value`. */
export interface Score {
  /** whether tables show it first: one of each metric */
  shown: boolean;
  values?: Float64Array;
  pooled?: Record<Pool, number>;
  value?: number;
}

export interface SessionOptions extends Parameters {
  /** The usual metrics, unless it is given. */
  metrics?: Metrics;
  /** null: the metrics need no reference */
  reference?: Format | null;
  distorted?: Format;
  isa?: 'auto' | 'scalar' | 'simd128';
  onlog?: (level: number, text: string) => void;
}

export interface Session {
  push(reference: Picture | null, distorted: Picture): void;
  /** VideoFrames, which are closed, or pictures. */
  pushFrames(reference: Picture | DecodedFrame | null, distorted: Picture | DecodedFrame): Promise<void>;
  finish(): this;
  /** Adds pictures and maps of the only frame to the page; after finish(). */
  addPictures(reference: Picture | null, distorted: Picture): void;
  readonly frames: number;
  /** bytes that the session needs */
  readonly memory: number;
  scores(): Record<string, Score>;
  readonly verdict: string | null;
  report(kind?: ReportKind): string;
  close(): void;
}

export interface Fovea {
  readonly version: string;
  readonly numerics: number;
  /** bytes of the module */
  readonly memory: number;
  takes(name: string): number;
  session(options: SessionOptions): Session;
}

export interface ScoreOptions extends Parameters {
  metrics?: Metrics;
  isa?: 'auto' | 'scalar' | 'simd128';
  /** of files: threads, each with a module of its own; 1 */
  workers?: number;
  /** the reports to make; ['json'] */
  reports?: readonly ReportKind[];
  /** of files: up to 6 numbers of frames that the page shows with their maps before the worst ones */
  pictures?: readonly number[];
  signal?: AbortSignal;
  /** total is -1 where it is not known; decoding: whose frames the browser decodes, before frames are scored */
  onprogress?: (frames: number, total: number, decoding?: 'reference' | 'distorted') => void;
  onlog?: (level: number, text: string) => void;
  /** of frames that come as typed arrays */
  format?: Format;
  distortedFormat?: Format;
  wasm?: BufferSource | WebAssembly.Module | Response;
}

export interface Result {
  /** the number of each scored frame */
  readonly frames: Float64Array;
  readonly scores: Record<string, Score>;
  readonly verdict: string | null;
  report(kind?: ReportKind): string;
}

/**
 * A path in Node, or the bytes or a Blob of a file: Y4M, raw video, frames of ProRes, PNG; in browsers MP4 and WebM.
 */
export type VideoFile = string | Uint8Array | Blob;
export type Frames = Iterable<Picture | DecodedFrame> | AsyncIterable<Picture | DecodedFrame>;

export function load(wasm?: BufferSource | WebAssembly.Module | Response): Promise<Fovea>;
export function score(reference: VideoFile | null, distorted: VideoFile, options?: ScoreOptions): Promise<Result>;
export function score(reference: Frames | null, distorted: Frames, options?: ScoreOptions): Promise<Result>;
