import { expect, test } from "vitest";
import type { PullWindow } from "../../ports/store.ts";
import { newMessage, NOON, type StoreContext } from "./store-fixtures.ts";

/** Where an offline pull of private messages starts, and what it lists. */
export function pullContract(bench: StoreContext): void {
  const window = (patch: Partial<PullWindow>): PullWindow => ({
    minId: 0,
    overlapMs: 30_000,
    notBefore: 0,
    firstMax: 1_000,
    ...patch,
  });

  /**
   * One message for each time (in seconds after noon), odd ones in the chat of 1 and 2, even ones in that of
   * 3 and 4.
   */
  async function send(...seconds: number[]): Promise<void> {
    await bench.people(4);
    for (const [index, second] of seconds.entries()) {
      const [from, to] = index % 2 === 0 ? [2, 1] : [4, 3];
      await bench.store.appendPrivate(newMessage(from, to, { sendTime: NOON + second * 1_000 }));
    }
  }

  test("with nothing stored a pull is empty and complete", async () => {
    await bench.people(1);
    const empty = { fromId: 1, upTo: 0, isTruncated: false };
    expect(await bench.store.startPrivatePull(1, window({}))).toEqual(empty);
    expect(await bench.store.startPrivatePull(1, window({ minId: 7 }))).toEqual(empty);
  });

  test("upTo is the newest id over everybody's messages; when nothing follows, fromId is the next one", async () => {
    await send(0, 100, 200, 300);
    expect(await bench.store.startPrivatePull(3, window({ minId: 4, overlapMs: 0 }))).toMatchObject({
      upTo: 4,
    });
    expect(await bench.store.startPrivatePull(1, window({ minId: 4, overlapMs: 0 }))).toEqual({
      fromId: 5,
      upTo: 4,
      isTruncated: false,
    });
  });

  test("a first pull starts at the first row of this person", async () => {
    await send(0, 100, 200, 300);
    expect(await bench.store.startPrivatePull(3, window({}))).toEqual({
      fromId: 2,
      upTo: 4,
      isTruncated: false,
    });
  });

  test("a first pull gives at most the newest firstMax rows and says that it left some out", async () => {
    await send(0, 1, 2, 3, 4, 5);
    expect(await bench.store.startPrivatePull(1, window({ firstMax: 2 }))).toEqual({
      fromId: 3,
      upTo: 6,
      isTruncated: true,
    });
    expect(await bench.store.startPrivatePull(1, window({ firstMax: 3 }))).toEqual({
      fromId: 1,
      upTo: 6,
      isTruncated: false,
    });
  });

  test("rows older than the window are left out, and that is told", async () => {
    await send(0, 1, 100, 101, 200, 201);
    const notBefore = NOON + 100_000;
    expect(await bench.store.startPrivatePull(1, window({ notBefore }))).toEqual({
      fromId: 3,
      upTo: 6,
      isTruncated: true,
    });
    expect(await bench.store.startPrivatePull(1, window({ notBefore: NOON + 999_000 }))).toEqual({
      fromId: 7,
      upTo: 6,
      isTruncated: true,
    });
    // Between the cursor and the window there was nothing of this person.
    expect(await bench.store.startPrivatePull(1, window({ notBefore, minId: 2 }))).toMatchObject({
      fromId: 3,
      isTruncated: false,
    });
    expect(await bench.store.startPrivatePull(3, window({ notBefore, minId: 1 }))).toMatchObject({
      fromId: 4,
      isTruncated: true,
    });
  });

  test("a later pull starts with the rows stored in the overlap before the cursor's row", async () => {
    await send(0, 1, 20, 21, 45, 46, 50);
    const from = async (minId: number, overlapMs: number) =>
      (await bench.store.startPrivatePull(1, window({ minId, overlapMs }))).fromId;
    expect(await from(5, 25_000)).toBe(3);
    expect(await from(5, 24_999)).toBe(5);
    expect(await from(5, 45_000)).toBe(1);
    expect(await from(5, 0)).toBe(5);
    expect(await from(7, 5_000)).toBe(5);
    // The cursor may be another person's row, or an id that was never given.
    expect(await from(6, 1_000)).toBe(5);
    expect(await from(6, 0)).toBe(7);
    expect(await from(99, 0)).toBe(7);
  });

  test("the overlap does not reach before the window", async () => {
    await send(0, 1, 10, 11, 20);
    expect(
      await bench.store.startPrivatePull(
        1,
        window({ minId: 5, overlapMs: 60_000, notBefore: NOON + 10_000 }),
      ),
    ).toEqual({ fromId: 3, upTo: 5, isTruncated: false });
  });

  test("rows for another person neither start a pull nor make it incomplete", async () => {
    await bench.people(2);
    await bench.store.appendPrivate(newMessage(1, 2, { onlyFor: 2 }));
    await bench.store.appendPrivate(newMessage(1, 2, { sendTime: NOON + 100 }));
    expect(await bench.store.startPrivatePull(1, window({}))).toEqual({
      fromId: 2,
      upTo: 2,
      isTruncated: false,
    });
    expect(await bench.store.startPrivatePull(1, window({ notBefore: NOON + 50 }))).toMatchObject({
      isTruncated: false,
    });
    expect(await bench.store.startPrivatePull(2, window({ notBefore: NOON + 50 }))).toMatchObject({
      isTruncated: true,
    });
  });

  test("many messages of one moment are searched as well as few", async () => {
    await bench.people(2);
    const times = [...Array(40).fill(0), ...Array(40).fill(10), ...Array(40).fill(20)] as number[];
    await Promise.all(
      times.map((second) => bench.store.appendPrivate(newMessage(1, 2, { sendTime: NOON + second * 1_000 }))),
    );
    const from = async (minId: number, overlapMs: number) =>
      (await bench.store.startPrivatePull(1, window({ minId, overlapMs }))).fromId;
    expect(await from(120, 0)).toBe(81);
    expect(await from(120, 10_000)).toBe(41);
    expect(await from(120, 9_999)).toBe(81);
    expect(await from(60, 0)).toBe(41);
    expect(await from(60, 10_000)).toBe(1);
  });

  test("listPrivate gives this person's rows of all chats, sent and received, ascending, in keyset pages", async () => {
    await bench.people(3);
    for (const [from, to] of [
      [1, 2],
      [2, 3],
      [3, 1],
      [1, 1],
      [3, 2],
      [1, 3],
    ] as const) {
      await bench.store.appendPrivate(newMessage(from, to));
    }
    const list = async (fromId: number, upTo: number, limit: number) =>
      (await bench.store.listPrivate(1, fromId, upTo, limit)).map((row) => row.id);
    expect(await list(1, 6, 100)).toEqual([1, 3, 4, 6]);
    expect(await list(1, 6, 2)).toEqual([1, 3]);
    expect(await list(4, 6, 2)).toEqual([4, 6]);
    expect(await list(2, 4, 100)).toEqual([3, 4]);
    expect(await list(7, 6, 100)).toEqual([]);
  });
}
