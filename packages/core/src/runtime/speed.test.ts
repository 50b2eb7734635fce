import { expect, test } from "vitest";
import { loggedIn } from "../testing/logged-in.ts";
import { pulledFrames, pullEnds } from "../testing/pulled-frames.ts";
import { settle } from "../testing/settle.ts";

const FRAMES = 5_000;
const CHATS = 200;

test("M33 5,000 pulled frames into 200 chats notify at most 10 times", async () => {
  const solo = await loggedIn();
  solo.ports.sockets.last().close(1006);
  solo.client.session.retryConnection();
  await settle();
  await solo.goOnline();
  let notified = 0;
  solo.client.subscribe(() => notified++);
  const line = solo.ports.sockets.last();
  line.down.push(...pulledFrames(FRAMES, CHATS), ...pullEnds());
  line.deliverAll();
  const { chats } = solo.client.getState();
  expect(chats.order).toHaveLength(CHATS);
  expect(Object.values(chats.byKey).every((chat) => chat.window.messages.length > 0)).toBe(true);
  expect(notified).toBeLessThanOrEqual(10);
  solo.client.close();
});
