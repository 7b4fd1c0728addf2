// Converts VideoFrames of WebCodecs to pictures, with exactly the samples that the decoder made.
import { FoveaError } from './module.mjs';

/**
 * For each format of a VideoFrame: chroma format, depth, and the name of its layout if components are interleaved.
 */
export const LAYOUTS = { NV12: ['420', 8, 'nv12'], I420: ['420', 8], I422: ['422', 8], I444: ['444', 8],
  I420P10: ['420', 10], I422P10: ['422', 10],
  I444P10: ['444', 10], I420P12: ['420', 12], I422P12: ['422', 12], I444P12: ['444', 12] };
const CODES = {
  primaries: { bt709: 1, bt470bg: 5, smpte170m: 6, bt2020: 9, smpte432: 12 },
  transfer: { bt709: 1, smpte170m: 6, linear: 8, 'iec61966-2-1': 13, pq: 16, hlg: 18 },
  matrix: { rgb: 0, bt709: 1, bt470bg: 5, smpte170m: 6, 'bt2020-ncl': 9 },
};

/** Returns {picture, format} for a VideoFrame, which it closes, and {picture} for a picture. */
export async function pictureOf(given) {
  if (typeof VideoFrame === 'undefined' || !(given instanceof VideoFrame)) return { picture: given };
  try {
    const layout = LAYOUTS[given.format];
    if (!layout)
      throw new FoveaError('input', `a VideoFrame has the format ${given.format}, whose samples are not those of ` +
        `the video: decode with hardwareAcceleration "prefer-software"`);
    const bytes = new Uint8Array(given.allocationSize()), planes = await given.copyTo(bytes),
      { width, height } = given.visibleRect;
    const { primaries, transfer, matrix, fullRange } = given.colorSpace;
    const format = { width, height, chroma: layout[0], depth: layout[1],
      range: fullRange == null ? undefined : fullRange ? 'full' : 'limited',
      primaries: CODES.primaries[primaries], transfer: CODES.transfer[transfer], matrix: CODES.matrix[matrix] };
    return { picture: { bytes, planes, layout: layout[2] }, format };
  } finally {
    given.close();
  }
}

/** Returns the planes of a picture as consecutive bytes without padding. */
export function planar({ bytes, planes, layout }, { width, height, chroma, depth }) {
  const size = depth > 8 ? 2 : 1, across = chroma === '444' ? width : (width + 1) >> 1,
    down = chroma === '420' ? (height + 1) >> 1 : height;
  const packed = new Uint8Array(size * (width * height + 2 * across * down));
  let at = 0;
  const rows = ({ offset, stride }, row, count) => {
    for (let y = 0; y < count; y++, at += row)
      packed.set(bytes.subarray(offset + y * stride, offset + y * stride + row), at);
  };
  rows(planes[0], width * size, height);
  if (!layout) planes.slice(1, 3).forEach(plane => rows(plane, across * size, down));
  for (let second = 0; layout && second < 2; second++)
    for (let y = 0; y < down; y++) for (let x = 0; x < across; x++)
      packed[at++] = bytes[planes[1].offset + y * planes[1].stride + 2 * x + second];
  return packed;
}
