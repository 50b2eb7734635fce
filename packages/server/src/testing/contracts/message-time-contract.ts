import { expect, test } from "vitest";
import { newMessage, NOON, type StoreContext } from "./store-fixtures.ts";

const HOUR_MS = 3_600_000;

/** The rules for times of messages after a clock was ahead. */
export function messageTimeContract(context: StoreContext): void {
  const send = async (at: number) =>
    (await context.store.appendPrivate(newMessage(2, 1, { sendTime: at }))).row;

  test("a message after one from the future keeps the order of times, and the time of its receipt", async () => {
    await context.people(2);
    const early = await send(NOON);
    const ahead = await send(NOON + HOUR_MS);
    const late = await send(NOON + 5_000);
    expect([early, ahead, late].map(({ sendTime, receivedAt }) => [sendTime, receivedAt])).toEqual([
      [NOON, null],
      [NOON + HOUR_MS, null],
      [NOON + HOUR_MS, NOON + 5_000],
    ]);
    expect(await context.store.findMessage("PRIVATE", late.id)).toEqual(late);
    expect(
      (await context.store.findMessages("PRIVATE", [early.id, late.id + 1, late.id])).sort(
        (a, b) => a.id - b.id,
      ),
    ).toEqual([early, late]);
    expect(await context.store.messagesAheadMs(NOON + 6_000)).toBe(HOUR_MS - 6_000);
    expect(await context.store.messagesAheadMs(NOON + 2 * HOUR_MS)).toBe(0);
  });

  test("the age of a message counts from its receipt, and that of one from the future from the next message with a right time", async () => {
    await context.people(2);
    const ahead = await send(NOON + HOUR_MS);
    const ageOf = (row: typeof ahead, now: number) => context.store.write((tx) => tx.messageAge(row, now));
    expect(await ageOf(ahead, NOON + 4_000)).toBe(4_000 - HOUR_MS);
    const late = await send(NOON + 5_000);
    await send(NOON + 7_000);
    expect(await ageOf(late, NOON + 8_000)).toBe(3_000);
    expect(await ageOf(ahead, NOON + 8_000)).toBe(3_000);
    // The clock has reached its time.
    expect(await ageOf(ahead, NOON + HOUR_MS + 1)).toBe(1);
  });

  test("nudges are found by the time of their receipt", async () => {
    await context.people(2);
    const age = (sendId: number, targetId: number, now: number) =>
      context.store.write((tx) => tx.nudgeAge("PRIVATE", sendId, targetId, 10_000, now));
    await send(NOON + HOUR_MS);
    await context.store.appendPrivate(newMessage(2, 1, { sendTime: NOON, type: 92, content: "" }));
    await send(NOON + 1_000);
    expect(await age(2, 1, NOON + 3_000)).toBe(3_000);
    expect(await age(1, 2, NOON + 3_000)).toBeUndefined();
  });

  test("times from the future are corrected to the receipt, in order and with a new time for each edit", async () => {
    await context.people(2);
    const { store } = context;
    await send(NOON);
    const ahead = await send(NOON + HOUR_MS);
    const late = await send(NOON + 5_000);
    await store.write(async (tx) => {
      const event = newMessage(2, 1, { sendTime: NOON + 6_000, type: 7, content: "new" });
      const { row } = await tx.appendPrivate({ ...event, notBefore: NOON + HOUR_MS + 1 });
      await tx.editMessage({ id: late.id, eventId: row.id, content: "new", editedAt: row.sendTime });
    });
    await send(NOON + 9_000);
    expect(await store.write((tx) => tx.correctMessageTimes(NOON + 10_000))).toBe(4);
    const rows = [];
    for (let id = 1; id <= 5; id++) rows.push(await store.findMessage("PRIVATE", id));
    expect(rows.map((row) => (row?.sendTime ?? 0) - NOON)).toEqual([0, 5_000, 5_000, 6_000, 9_000]);
    expect(rows.map((row) => row?.receivedAt)).toEqual([null, null, null, null, null]);
    expect((await store.findMessage("PRIVATE", late.id))?.editedAt).toBe(NOON + 6_000);
    expect(await store.messagesAheadMs(NOON + 10_000)).toBe(0);
    // A second run finds nothing.
    expect(await store.write((tx) => tx.correctMessageTimes(NOON + 10_000))).toBe(0);
    const again = await context.subject.reopen();
    const { row } = await again.appendPrivate(newMessage(2, 1, { sendTime: NOON + 11_000 }));
    expect([row.id, row.sendTime, row.receivedAt]).toEqual([ahead.id + 4, NOON + 11_000, null]);
  });

  test("a pull after a clock was ahead repeats what was received in the overlap, not everything since", async () => {
    await context.people(2);
    await send(NOON + HOUR_MS);
    for (let second = 0; second < 100; second += 10) await send(NOON + second * 1_000);
    const window = { minId: 11, overlapMs: 30_000, notBefore: 0, firstMax: 1_000 };
    expect((await context.store.startPrivatePull(1, window)).fromId).toBe(8);
  });
}
