import { expect, test } from "vitest";
import { FRIEND_CHAT, NOON, privateRow, systemRow } from "../testing/builders.ts";
import { clockOf, createFakePorts } from "../testing/fake-ports.ts";
import { settle } from "../testing/settle.ts";
import { readSystem } from "../model/incoming.ts";
import { SYSTEM_CHAT, talkMessage } from "../model/rows.ts";
import type { ChatKey } from "../model/state.ts";
import { createDesk } from "./desk.ts";
import { createDisk } from "./persist.ts";
import { createStateStore } from "./store.ts";
import { termsOf } from "./terms.ts";
import { createTidy } from "./tidy.ts";
import { createTidyWork, type TidyLimits } from "./tidy-work.ts";

const LATER_MS = 200_000;
const OTHER: ChatKey = "PRIVATE:3";
const THIRD: ChatKey = "PRIVATE:4";

async function setUp(limits: TidyLimits) {
  const ports = createFakePorts();
  const store = createStateStore();
  const disk = createDisk(ports, () => undefined);
  await disk.open("tidy");
  const desk = createDesk(store, disk);
  const tidy = createTidy({ ports, store, disk, work: createTidyWork({ store, disk, desk, limits }) });
  const fill = (key: ChatKey, from: number, to: number) =>
    desk.apply(
      Array.from({ length: to - from + 1 }, (_, i) => ({
        kind: "row" as const,
        key,
        message: talkMessage(privateRow({ id: from + i }), 1),
      })),
    );
  const open = (key: ChatKey, now: number) => desk.apply([{ kind: "open", key, now }]);
  const idsOf = async (key: ChatKey) => (await disk.messagesBefore(key, Infinity, 999)).map(({ id }) => id);
  async function pass() {
    tidy.start();
    clockOf(ports).advance(LATER_MS);
    for (let i = 0; i < 20; i++) await settle();
    tidy.stop();
  }
  return { ports, store, disk, desk, tidy, fill, open, idsOf, pass };
}

test("R8 the disk keeps the newest messages of a long chat, and knows that the rest is on the server", async () => {
  const { store, desk, disk, fill, idsOf, pass } = await setUp({ perChat: 5, bytes: Infinity });
  fill(FRIEND_CHAT, 1, 12);
  fill(OTHER, 20, 22);
  const rows = Array.from({ length: 9 }, (_, i) => readSystem(systemRow({ seqNo: i + 1 })));
  desk.apply(rows.flatMap((row) => (row.kind === "chat" ? [row.input] : [])));
  await pass();
  expect(await idsOf(FRIEND_CHAT)).toEqual([8, 9, 10, 11, 12]);
  expect(await idsOf(OTHER)).toEqual([20, 21, 22]);
  // Nobody else has what stands in the system chat.
  expect(await idsOf(SYSTEM_CHAT)).toHaveLength(9);
  expect(store.get().chats.byKey[FRIEND_CHAT]?.book.knownFrom).toBe(8);
  const stored = (await disk.chats()).find((chat) => chat.key === FRIEND_CHAT);
  expect(stored).toMatchObject({ knownFrom: 8, newest: { id: 12 } });
});

test("R8 when all chats are too big, those not opened for longest go first, never the open one, an unsent message or a draft", async () => {
  const { desk, disk, fill, open, idsOf, pass } = await setUp({ perChat: 100, bytes: 7_500 });
  fill(FRIEND_CHAT, 1, 10);
  fill(OTHER, 20, 29);
  fill(THIRD, 30, 39);
  open(OTHER, NOON + 3);
  open(THIRD, NOON + 2);
  open(FRIEND_CHAT, NOON + 1);
  desk.apply([{ kind: "draft", key: THIRD, text: "unsent" }]);
  const entry = { tmpId: "t", chatKey: THIRD, type: 0, content: "hi", createdAt: 1, failed: false };
  disk.keep({ outbox: [{ ...entry, failure: null, quoteMessageId: null } as never] });
  await pass();
  expect(await idsOf(THIRD)).toEqual([]);
  expect(await idsOf(OTHER)).toHaveLength(10);
  expect(await idsOf(FRIEND_CHAT)).toHaveLength(10);
  expect(await disk.outbox()).toHaveLength(1);
  const stored = (await disk.chats()).find((chat) => chat.key === THIRD);
  expect(stored).toMatchObject({ draft: "unsent", newest: { id: 39 }, knownFrom: 40 });
});

test("R9 messages that lie there from before the index are found after a while", async () => {
  const { disk, fill, pass } = await setUp({ perChat: 1_000, bytes: Infinity });
  fill(FRIEND_CHAT, 1, 450);
  await disk.flush();
  disk.termsOf = termsOf;
  const term = { text: "text", isPrefix: false };
  expect(await disk.placesOf(term, null)).toEqual([]);
  await pass();
  expect(await disk.placesOf(term, null)).toHaveLength(450);
  expect(await disk.value("indexed")).toBe(1);
});
