import { expect, test } from "vitest";
import { FRIEND_CHAT, NOON } from "../testing/builders.ts";
import { loggedIn, pushed } from "../testing/logged-in.ts";
import { settle } from "../testing/settle.ts";

const DAY = 86_400_000;
const day = (n: number) => NOON + n * DAY;
const STARTS = [0, 1, 2, 3, 4].map(day);

test("R161 the server tells the days", async () => {
  const solo = await loggedIn();
  const found = solo.client.chats.daysWithMessages(FRIEND_CHAT, STARTS);
  await settle();
  expect(solo.waiting()).toEqual([`/message/private/days?friendId=2&starts=${STARTS.join("%2C")}`]);
  await solo.reply("days", [day(1)]);
  expect(await found).toEqual({ ok: true, value: [day(1)] });
});

test("R161 without an answer the disk tells them, however many messages it has", async () => {
  const solo = await loggedIn();
  await solo.push(
    pushed(1, { sendTime: day(0) - 1 }),
    pushed(2, { sendTime: day(0) }),
    ...Array.from({ length: 450 }, (_, index) => pushed(3 + index, { sendTime: day(2) + index })),
    pushed(500, { sendTime: day(4) }),
    pushed(501, { sendTime: day(1), sendId: 3 }),
  );
  solo.ports.environment.set({ hasNetwork: false });
  const found = await solo.client.chats.daysWithMessages(FRIEND_CHAT, STARTS);
  expect(found).toEqual({ ok: true, value: [day(0), day(2)] });
  expect(await solo.client.chats.daysWithMessages("SYSTEM:0", STARTS)).toEqual({ ok: true, value: [] });
});
