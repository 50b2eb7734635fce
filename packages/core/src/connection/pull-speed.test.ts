import { expect, test } from "vitest";
import { createLoggedInClient } from "../testing/single-client.ts";
import { pulledFrames, pullEndFrames } from "../testing/pulled-frames.ts";
import { flushMicrotasks } from "../testing/flush-microtasks.ts";

const FRAMES = 5_000;
const CHATS = 200;

test("M33 5,000 pulled frames into 200 chats notify at most 10 times", async () => {
  const single = await createLoggedInClient();
  single.ports.sockets.last().close(1006);
  single.client.session.reconnectNow();
  await flushMicrotasks();
  await single.goOnline();
  let notificationCount = 0;
  single.client.subscribe(() => notificationCount++);
  const socket = single.ports.sockets.last();
  socket.down.push(...pulledFrames(FRAMES, CHATS), ...pullEndFrames());
  socket.deliverAll();
  const { chats } = single.client.getState();
  expect(chats.order).toHaveLength(CHATS);
  expect(Object.values(chats.byKey).every((chat) => chat.window.messages.length > 0)).toBe(true);
  expect(notificationCount).toBeLessThanOrEqual(10);
  single.client.close();
});
