import { Readable } from "node:stream";

/**
 * The JSON text of a list that comes in pieces, between two other texts. A list of one piece is a whole text. For a longer one the next piece is
 * asked for when the one before is taken. Throws if the first or the second piece fails; the failure of a later one ends the stream.
 */
export async function listBody(
  pieces: AsyncIterable<readonly unknown[]>,
  [before, after]: readonly [string, string],
): Promise<string | Readable> {
  const texts = textsOf(pieces);
  const first = await texts.next();
  const second = await texts.next();
  if (second.done === true) return `${before}[${first.value ?? ""}]${after}`;
  return Readable.from(allTexts([`${before}[${first.value ?? ""}`, `,${second.value}`], texts, `]${after}`));
}

async function* allTexts(
  start: readonly string[],
  rest: AsyncIterable<string>,
  end: string,
): AsyncGenerator<string> {
  yield* start;
  for await (const text of rest) yield `,${text}`;
  yield end;
}

/** The rows of each piece as JSON, without the brackets around them. Empty pieces are left out. */
async function* textsOf(pieces: AsyncIterable<readonly unknown[]>): AsyncGenerator<string, undefined> {
  for await (const piece of pieces) if (piece.length > 0) yield JSON.stringify(piece).slice(1, -1);
}
