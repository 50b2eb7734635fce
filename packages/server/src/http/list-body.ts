import { Readable } from "node:stream";

/** The JSON text of a list that comes in pieces, between two other texts. The next piece is asked for when the one before is taken. */
export async function listBody(
  pieces: AsyncIterable<readonly unknown[]>,
  [before, after]: readonly [string, string],
): Promise<Readable> {
  const texts = textsOf(pieces, before, after);
  // Before anything is sent: its failure can still be answered.
  const first = await texts.next();
  return Readable.from(allTexts(first.value ?? "", texts));
}

async function* allTexts(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
}

async function* textsOf(
  pieces: AsyncIterable<readonly unknown[]>,
  before: string,
  after: string,
): AsyncGenerator<string, undefined> {
  let start = `${before}[`;
  for await (const piece of pieces) {
    if (piece.length === 0) continue;
    yield start + JSON.stringify(piece).slice(1, -1);
    start = ",";
  }
  yield `${start === "," ? "" : start}]${after}`;
}
