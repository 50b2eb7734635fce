import { expect, test } from "vitest";
import { FRIEND_CHAT, NOON } from "../testing/builders.ts";
import { createLoggedInClient, pushedRow } from "../testing/single-client.ts";
import { flushMicrotasks } from "../testing/flush-microtasks.ts";

const DAY = 86_400_000;
const day = (n: number) => NOON + n * DAY;
const STARTS = [0, 1, 2, 3, 4].map(day);

test("R161 the days with messages come from the server", async () => {
  const single = await createLoggedInClient();
  const found = single.client.chats.daysWithMessages(FRIEND_CHAT, STARTS);
  await flushMicrotasks();
  expect(single.waiting()).toEqual([`/message/private/days?friendId=2&starts=${STARTS.join("%2C")}`]);
  await single.respond("days", [day(1)]);
  expect(await found).toEqual({ ok: true, value: [day(1)] });
});

test("R161 without a network the days come from the local database, however many messages it has", async () => {
  const single = await createLoggedInClient();
  await single.push(
    pushedRow(1, { sendTime: day(0) - 1 }),
    pushedRow(2, { sendTime: day(0) }),
    ...Array.from({ length: 450 }, (_, index) => pushedRow(3 + index, { sendTime: day(2) + index })),
    pushedRow(500, { sendTime: day(4) }),
    pushedRow(501, { sendTime: day(1), sendId: 3 }),
  );
  single.ports.environment.set({ hasNetwork: false });
  const found = await single.client.chats.daysWithMessages(FRIEND_CHAT, STARTS);
  expect(found).toEqual({ ok: true, value: [day(0), day(2)] });
  expect(await single.client.chats.daysWithMessages("SYSTEM:0", STARTS)).toEqual({ ok: true, value: [] });
});
