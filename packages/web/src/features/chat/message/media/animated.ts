/** The part of a WebP that says whether it is animated: RIFF header, chunk name, chunk size, flags. */
const WEBP_HEAD_BYTES = 21;
const ANIMATION_FLAG = 0x02;

/** Whether the first bytes of a file are those of an animated WebP. */
export function isAnimatedWebp(head: Uint8Array): boolean {
  const word = (at: number) => String.fromCharCode(...head.subarray(at, at + 4));
  if (head.length < WEBP_HEAD_BYTES || word(0) !== "RIFF" || word(8) !== "WEBP" || word(12) !== "VP8X")
    return false;
  return ((head[20] ?? 0) & ANIMATION_FLAG) !== 0;
}

const KNOWN_MAX = 200;
const known = new Map<string, Promise<boolean>>();

/**
 * Whether the picture at this address moves. A GIF counts as moving; of a WebP the first bytes are asked for. What cannot be read counts as
 * a still.
 */
export function isAnimated(url: string): Promise<boolean> {
  const path = url.replace(/[?#].*$/, "").toLowerCase();
  if (path.endsWith(".gif")) return Promise.resolve(true);
  if (!path.endsWith(".webp")) return Promise.resolve(false);
  let answer = known.get(url);
  if (answer === undefined) {
    answer = readHead(url).then(isAnimatedWebp, () => {
      known.delete(url);
      return false;
    });
    if (known.size >= KNOWN_MAX) known.clear();
    known.set(url, answer);
  }
  return answer;
}

async function readHead(url: string): Promise<Uint8Array> {
  const answer = await fetch(url, { headers: { range: `bytes=0-${WEBP_HEAD_BYTES - 1}` } });
  if (answer.status !== 206) {
    await answer.body?.cancel();
    throw new Error(`no part of the picture: ${answer.status}`);
  }
  return new Uint8Array(await answer.arrayBuffer());
}
