// Converts frames to times.
"use strict";

/** Returns the frame rate; 0: unknown. */
const rateOf = () => {
  const of = /** @type {Input} */ (sideOf(1));
  return of.rate_num > 0 && of.rate_den > 0 ? of.rate_num / of.rate_den : 0;
};
const rateText = (/** @type {number} */ rate) => rate.toFixed(rate % 1 ? 2 : 0);
let startTime = 0; // time of frame 0 in the file, in seconds

/** Returns whether the video is a single picture, which has no time and no rate. */
const isStill = () => lastFrame() === 0;

/**
 * Returns the time of a frame: that in the file once it is known, else by the frame rate.
 * @param {number} frame @returns {number} seconds
 */
function secondsOf(frame) {
  const place = scoredPlace(frame), time = place >= 0 ? trackShown().times[place] : NaN;
  return time >= 0 ? time : startTime + frame / rateOf();
}

/** Formats the time of a frame, as the file's time code if it has one. @param {number} frame */
function timeOf(frame) {
  const rate = rateOf(), {timecode} = /** @type {Input} */ (sideOf(1));
  return !rate || isStill() ? "" : timecode ? timecodeText(timecode, frame + Math.round(startTime * rate))
    : clockText(secondsOf(frame));
}
