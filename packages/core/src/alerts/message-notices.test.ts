import { expect, test } from "vitest";
import { MessageType } from "@parley/protocol/codes";
import { FRIEND_CHAT, NOON, ownRow } from "../testing/builders.ts";
import { flushMicrotasks } from "../testing/flush-microtasks.ts";
import { createLoggedInClient, pushedRow } from "../testing/single-client.ts";

test("A11 a live message of an unmuted chat notifies once, and a nudge notifies as well", async () => {
  const single = await createLoggedInClient();
  await single.push(
    pushedRow(5),
    { cmd: 3, data: ownRow({ id: 6, sendTime: NOON + 6 }) },
    pushedRow(7, { type: MessageType.TIP_TEXT }),
  );
  await single.push(pushedRow(5));
  await single.push(pushedRow(8, { type: MessageType.SHAKE, content: "" }));
  expect(single.notices).toMatchObject([
    { kind: "message", key: FRIEND_CHAT, message: { id: 5 } },
    { kind: "message", key: FRIEND_CHAT, message: { id: 8 } },
    { kind: "nudge", key: FRIEND_CHAT },
  ]);
});

test("A11 muted chats and pulled messages do not notify", async () => {
  const single = await createLoggedInClient();
  const muted = single.client.chats.setAlerts(FRIEND_CHAT, 0);
  await single.respond("/friend/msgRemind", null);
  await muted;
  await single.push(pushedRow(5, { type: MessageType.SHAKE, content: "" }));
  single.ports.sockets.last().close(1006);
  await flushMicrotasks();
  single.client.session.reconnectNow();
  await flushMicrotasks();
  await single.goOnline();
  await single.push(pushedRow(6, { sendId: 3 }));
  await single.endPulls();
  expect(single.notices.filter(({ kind }) => kind !== "connectionLost")).toEqual([]);
});
