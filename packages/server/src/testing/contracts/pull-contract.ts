import { expect, test } from "vitest";
import type { PullWindow } from "../../ports/stored-message.ts";
import { newMessage, NOON, type StoreContext } from "./store-fixtures.ts";

/** The rules for the start of a pull of private messages, and for the rows that it lists. */
export function pullContract(context: StoreContext): void {
  const window = (patch: Partial<PullWindow>): PullWindow => ({
    minId: 0,
    overlapMs: 30_000,
    notBefore: 0,
    firstMax: 1_000,
    ...patch,
  });

  /** Sends one message at each time (seconds after noon), by turns in the chat of 1 and 2 and the chat of 3 and 4. */
  async function send(...seconds: number[]): Promise<void> {
    await context.people(4);
    for (const [index, second] of seconds.entries()) {
      const [from, to] = index % 2 === 0 ? [2, 1] : [4, 3];
      await context.store.appendPrivate(newMessage(from, to, { sendTime: NOON + second * 1_000 }));
    }
  }

  test("a pull of an empty store is empty and complete", async () => {
    await context.people(1);
    const empty = { fromId: 1, upTo: 0, isTruncated: false };
    expect(await context.store.startPrivatePull(1, window({}))).toEqual(empty);
    expect(await context.store.startPrivatePull(1, window({ minId: 7 }))).toEqual(empty);
  });

  test("upTo is the newest id of all messages; fromId is the next id if nothing follows", async () => {
    await send(0, 100, 200, 300);
    expect(await context.store.startPrivatePull(3, window({ minId: 4, overlapMs: 0 }))).toMatchObject({
      upTo: 4,
    });
    expect(await context.store.startPrivatePull(1, window({ minId: 4, overlapMs: 0 }))).toEqual({
      fromId: 5,
      upTo: 4,
      isTruncated: false,
    });
  });

  test("a first pull starts at the first row of this person", async () => {
    await send(0, 100, 200, 300);
    expect(await context.store.startPrivatePull(3, window({}))).toEqual({
      fromId: 2,
      upTo: 4,
      isTruncated: false,
    });
  });

  test("a first pull returns at most the newest firstMax rows and reports that it is truncated", async () => {
    await send(0, 1, 2, 3, 4, 5);
    expect(await context.store.startPrivatePull(1, window({ firstMax: 2 }))).toEqual({
      fromId: 3,
      upTo: 6,
      isTruncated: true,
    });
    expect(await context.store.startPrivatePull(1, window({ firstMax: 3 }))).toEqual({
      fromId: 1,
      upTo: 6,
      isTruncated: false,
    });
  });

  test("a pull leaves out rows older than the window and reports that it is truncated", async () => {
    await send(0, 1, 100, 101, 200, 201);
    const notBefore = NOON + 100_000;
    expect(await context.store.startPrivatePull(1, window({ notBefore }))).toEqual({
      fromId: 3,
      upTo: 6,
      isTruncated: true,
    });
    expect(await context.store.startPrivatePull(1, window({ notBefore: NOON + 999_000 }))).toEqual({
      fromId: 7,
      upTo: 6,
      isTruncated: true,
    });
    // There is no row of this person between the cursor and the window.
    expect(await context.store.startPrivatePull(1, window({ notBefore, minId: 2 }))).toMatchObject({
      fromId: 3,
      isTruncated: false,
    });
    expect(await context.store.startPrivatePull(3, window({ notBefore, minId: 1 }))).toMatchObject({
      fromId: 4,
      isTruncated: true,
    });
  });

  test("a later pull starts with the rows stored in the overlap before the cursor's row", async () => {
    await send(0, 1, 20, 21, 45, 46, 50);
    const from = async (minId: number, overlapMs: number) =>
      (await context.store.startPrivatePull(1, window({ minId, overlapMs }))).fromId;
    expect(await from(5, 25_000)).toBe(3);
    expect(await from(5, 24_999)).toBe(5);
    expect(await from(5, 45_000)).toBe(1);
    expect(await from(5, 0)).toBe(5);
    expect(await from(7, 5_000)).toBe(5);
    // The cursor may be another person's row, or an id that does not exist.
    expect(await from(6, 1_000)).toBe(5);
    expect(await from(6, 0)).toBe(7);
    expect(await from(99, 0)).toBe(7);
  });

  test("the overlap does not reach before the window", async () => {
    await send(0, 1, 10, 11, 20);
    expect(
      await context.store.startPrivatePull(
        1,
        window({ minId: 5, overlapMs: 60_000, notBefore: NOON + 10_000 }),
      ),
    ).toEqual({ fromId: 3, upTo: 5, isTruncated: false });
  });

  test("rows for another person neither start a pull nor make it incomplete", async () => {
    await context.people(2);
    await context.store.appendPrivate(newMessage(1, 2, { onlyFor: 2 }));
    await context.store.appendPrivate(newMessage(1, 2, { sendTime: NOON + 100 }));
    expect(await context.store.startPrivatePull(1, window({}))).toEqual({
      fromId: 2,
      upTo: 2,
      isTruncated: false,
    });
    expect(await context.store.startPrivatePull(1, window({ notBefore: NOON + 50 }))).toMatchObject({
      isTruncated: false,
    });
    expect(await context.store.startPrivatePull(2, window({ notBefore: NOON + 50 }))).toMatchObject({
      isTruncated: true,
    });
  });

  test("the overlap is found among many messages of the same time", async () => {
    await context.people(2);
    const times = [...Array(40).fill(0), ...Array(40).fill(10), ...Array(40).fill(20)] as number[];
    await Promise.all(
      times.map((second) =>
        context.store.appendPrivate(newMessage(1, 2, { sendTime: NOON + second * 1_000 })),
      ),
    );
    const from = async (minId: number, overlapMs: number) =>
      (await context.store.startPrivatePull(1, window({ minId, overlapMs }))).fromId;
    expect(await from(120, 0)).toBe(81);
    expect(await from(120, 10_000)).toBe(41);
    expect(await from(120, 9_999)).toBe(81);
    expect(await from(60, 0)).toBe(41);
    expect(await from(60, 10_000)).toBe(1);
  });

  test("listPrivate returns pages of a person's sent and received rows of all chats in ascending order", async () => {
    await context.people(3);
    for (const [from, to] of [
      [1, 2],
      [2, 3],
      [3, 1],
      [1, 1],
      [3, 2],
      [1, 3],
    ] as const) {
      await context.store.appendPrivate(newMessage(from, to));
    }
    const list = async (fromId: number, upTo: number, limit: number) =>
      (await context.store.listPrivate(1, fromId, upTo, limit)).map((row) => row.id);
    expect(await list(1, 6, 100)).toEqual([1, 3, 4, 6]);
    expect(await list(1, 6, 2)).toEqual([1, 3]);
    expect(await list(4, 6, 2)).toEqual([4, 6]);
    expect(await list(2, 4, 100)).toEqual([3, 4]);
    expect(await list(7, 6, 100)).toEqual([]);
  });
}
