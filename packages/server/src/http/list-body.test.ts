import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { listBody } from "./list-body.ts";

async function* piecesOf(...pieces: (readonly unknown[])[]) {
  yield* pieces;
}

test.each<[string, (readonly unknown[])[]]>([
  ["no pieces", []],
  ["one empty piece", [[]]],
  ["one piece", [[1, { a: "]" }]]],
  ["several pieces, empty ones among them", [[], [1], [], [[2], "3,"], [4], []]],
])("%s are one list", async (_, pieces) => {
  const body = await listBody(piecesOf(...pieces), ['{"data":', "}"]);
  const isShort = pieces.filter(({ length }) => length > 0).length <= 1;
  expect(typeof body === "string").toBe(isShort);
  expect(JSON.parse(typeof body === "string" ? body : await text(body))).toEqual({ data: pieces.flat() });
});

test("pieces are made as they are read: at most three are ahead of the reader", async () => {
  let made = 0;
  async function* endless() {
    for (;;) yield [made++];
  }
  const body = (await listBody(endless(), ["", ""])) as Readable;
  const reader = body[Symbol.asyncIterator]();
  for (let read = 1; read <= 50; read++) {
    await reader.next();
    await new Promise((done) => setImmediate(done));
    expect(made - read).toBeLessThanOrEqual(3);
  }
  body.destroy();
});

test("a failure of the first two pieces is thrown before there is a body, a later one ends the body", async () => {
  async function* failing(...before: (readonly unknown[])[]) {
    yield* before;
    throw new Error("broken");
  }
  await expect(listBody(failing(), ["", ""])).rejects.toThrow("broken");
  await expect(listBody(failing([1]), ["", ""])).rejects.toThrow("broken");
  const body = (await listBody(failing([1], [2]), ["", ""])) as Readable;
  await expect(text(body)).rejects.toThrow("broken");
});
