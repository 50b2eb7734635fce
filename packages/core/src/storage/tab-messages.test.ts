import { expect, test } from "vitest";
import { FRIEND_CHAT, ME } from "../testing/builders.ts";
import { createFakeTabs } from "../testing/fake-tabs.ts";
import { broadcastToTabs, listenToOwnTabs, listenToTabs } from "./tab-messages.ts";

function setUp() {
  const device = createFakeTabs();
  const [sender, receiver] = [device.tab(), device.tab()];
  const heard: unknown[] = [];
  listenToOwnTabs(receiver, ME, "remove", (message) => heard.push(message));
  return { sender, receiver, heard };
}

const REMOVE = { kind: "remove", userId: ME, key: FRIEND_CHAT } as const;

test("a message reaches those who listen to its kind, for the person who is signed in", () => {
  const { sender, heard } = setUp();
  broadcastToTabs(sender, REMOVE);
  broadcastToTabs(sender, { ...REMOVE, userId: ME + 1 });
  broadcastToTabs(sender, { kind: "uploadsAsked", userId: ME });
  expect(heard).toEqual([REMOVE]);
});

test.each([
  null,
  "remove",
  { ...REMOVE, kind: "other" },
  { ...REMOVE, key: "PRIVATE:x" },
  { ...REMOVE, userId: undefined },
])("what is malformed is left out: %j", (message) => {
  const { sender, heard } = setUp();
  sender.broadcast(message);
  expect(heard).toEqual([]);
});

test("a logout of everybody reaches every tab, until it listens no more", () => {
  const { sender, receiver } = setUp();
  const heard: unknown[] = [];
  const stop = listenToTabs(receiver, "loggedOut", ({ userId }) => heard.push(userId));
  broadcastToTabs(sender, { kind: "loggedOut", userId: null });
  stop();
  broadcastToTabs(sender, { kind: "loggedOut", userId: ME });
  expect(heard).toEqual([null]);
});
