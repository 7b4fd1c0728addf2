// Runs in the package's page, whose fields have two Y4M files of 8 bits and 4:2:0. It passes their frames as
// VideoFrames to score() and to a session, and returns the scores, and the error codes of frames that would be
// converted.
const done = arguments[arguments.length - 1];

async function framesOf(name) {
  const file = document.querySelector(`[name=${name}]`).files[0], bytes = new Uint8Array(await file.arrayBuffer());
  const text = new TextDecoder('latin1').decode(bytes), [, width, height] = /W(\d+) H(\d+)/.exec(text).map(Number);
  const luma = width * height, chroma = (width >> 1) * (height >> 1), found = [];
  for (let at = text.indexOf('\n') + 1; at < bytes.length; at += luma + 2 * chroma) {
    at = text.indexOf('\n', at) + 1;
    found.push(bytes.slice(at, at + luma + 2 * chroma));
  }
  return { width, height, found };
}

function videoFrame({ width, height, found }, i, format) {
  const luma = width * height, chroma = luma >> 2;
  let data = found[i];
  if (format === 'NV12') {
    data = new Uint8Array(data);
    for (let k = 0; k < chroma; k++)
      [data[luma + 2 * k], data[luma + 2 * k + 1]] = [found[i][luma + k], found[i][luma + chroma + k]];
  }
  if (format === 'RGBA') data = new Uint8Array(4 * luma);
  return new VideoFrame(data, { format, codedWidth: width, codedHeight: height, timestamp: 40000 * i });
}

(async () => {
  const { load, score } = await import(new URL('../fovea.mjs', document.baseURI)), metrics = 'vmaf,psnr_hvs';
  const sides = [await framesOf('reference'), await framesOf('distorted')], outcome = {};
  const format = { width: sides[0].width, height: sides[0].height, siting: 'center', rate: [25, 1] };
  const values = scores => sides[0].found.map((_, i) => Object.fromEntries(Object.entries(scores)
    .map(([name, { values: all }]) => [name, all[i]])));
  const tries = async (name, use) => {
    try {
      outcome[name] = await use();
    } catch (error) {
      outcome[name] = error.code ?? String(error);
    }
  };
  for (const kind of ['I420', 'NV12', 'RGBA']) {
    const made = sides.map(side => side.found.map((_, i) => videoFrame(side, i, kind)));
    await tries(`VideoFrames of ${kind} in score()`, async () => {
      const { scores } = await score(...made, { metrics, format });
      if (made.flat().some(frame => frame.format !== null)) throw new Error('a frame is not closed');
      return values(scores);
    });
    made.flat().forEach(frame => frame.close());
    await tries(`VideoFrames of ${kind} in a session`, async () => {
      const session = (await load()).session({ metrics, reference: format });
      for (const i of sides[0].found.keys())
        await session.pushFrames(...sides.map(side => videoFrame(side, i, kind)));
      return values(session.finish().scores());
    });
  }
  done(outcome);
})().catch(error => done({ 'VideoFrames': String(error) }));
