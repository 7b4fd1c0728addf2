"""Puts each mistake of mistakes.py into a part of a clip, and checks that the command warns of it by name, and by
frames of that part alone. A remedy, pasted into the command line, must raise PSNR of these frames by 6 dB and leave
no warning.

    parts.py FOVEA SOURCE_ROOT       a quarter of the table
    parts.py FOVEA SOURCE_ROOT all   the whole table, with the counts at the end

A cell that this ffmpeg cannot make is skipped, and said to be."""

import os
import shlex
import subprocess
import sys
import tempfile

import mistakes
from mistakes import ALL, FOVEA, MISTAKES, TAGS, ffmpeg, score

# Name of each part, number of frames of the clip, and the first and last frame of the part.
PLACES = [("beginning", 96, 0, 31), ("middle", 96, 32, 63), ("end", 96, 64, 95), ("late", 960, 620, 740)]
SHAPES = {"late": ("420", 8, (128, 128))}
SHAPE = ("420", 8, (192, 128))
# Mistakes that frames alone do not show: a video that runs backwards is one as a whole.
WHOLE = {"reversed"}


def frames_of(path, frames):
    """Returns the header of a Y4M file of so many frames, and the frames."""
    with open(path, "rb") as file:
        header, body = file.readline(), file.read()
    size = len(body) // frames
    return header, [body[at:at + size] for at in range(0, len(body), size)]


def splice(mistake, frames, first, last):
    """Writes part.y4m, in which a part of the reference has a mistake."""
    header, own = frames_of("r.y4m", frames)
    changed = frames_of(mistake[0] + ".y4m", frames)[1]
    with open("part.y4m", "wb") as file:
        file.write(header + b"".join(own[:first] + changed[first:last + 1] + own[last + 1:]))


def wrong(mistake, place):
    """Returns what is wrong with the answer to a mistake in a part; None if nothing is."""
    name, _, kinds, words, remedy = mistake
    _, frames, first, last = place
    splice(mistake, frames, first, last)
    before, events = score("part.y4m", *TAGS.get(name, ()))
    if before is None:
        return f"refused: {events}"
    if len(events) != 1 or events[0][0]["kind"] not in kinds.split() or words.split(";")[0] not in events[0][1]:
        return f"not '{words}' but {[text for _, text in events]}"
    event, text = events[0]
    if event["first"] is None or not first <= event["first"] <= first + 23 or not last - 23 <= event["last"] <= last:
        return f"not frames {first} to {last} but {event['first']} to {event['last']}: {text}"
    if f"in frames {event['first']} to {event['last']}, " not in text:
        return f"the frames are not in '{text}'"
    if bool(event["remedy"]) != (remedy == "fovea"):
        return f"the remedy is {event['remedy']}"
    if remedy != "fovea":
        return None
    given = shlex.split(text.rsplit(": ", 1)[1])
    before, _ = score("part.y4m", *given[:6])
    after, left = score("part.y4m", *given)
    if before is None or after is None or left or after < before + 6:
        return f"'{text}': {before} dB before, {after} dB after, and {left}"
    return None


def report(number, text, answer, made):
    print(f"{'not ' if answer else ''}ok {number} - {text}{'' if made else ' # SKIP ffmpeg does not make it'}")
    if answer:
        print(f"# {answer}", flush=True)


def main():
    count = failed = skipped = 0
    told = [mistake for mistake in MISTAKES if mistake[0] not in WHOLE]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for i, frames in enumerate(sorted({place[1] for place in PLACES})):
            places = [place for place in PLACES if place[1] == frames]
            shape = SHAPES.get(places[0][0], SHAPE)
            cells = [(mistake, place) for k, mistake in enumerate(told) for j, place in enumerate(places)
                     if ALL or k % len(PLACES) == (j if len(places) > 1 else len(PLACES) - 1)]
            together = mistakes.make(shape, [m for m in told if any(m is cell[0] for cell in cells)], frames)
            for mistake, place in cells:
                count += 1
                made = together or mistakes.make(shape, [mistake], frames)
                answer = wrong(mistake, place) if made else None
                skipped += not made
                failed += bool(answer)
                report(count, f"{mistake[0]}, {place[0]}", answer, made)
    print(f"1..{count}\n# {count - skipped} cells, {failed} wrong, {skipped} not made")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
