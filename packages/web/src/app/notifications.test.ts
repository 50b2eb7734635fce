import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { MessageType } from "@parley/protocol/codes";
import { FRIEND_CHAT, ME } from "@parley/core/testing/builders";
import { flushMicrotasks } from "@parley/core/testing/flush-microtasks";
import { createLoggedInClient, pushedRow, type SingleClient } from "@parley/core/testing/single-client";
import { startNotifications, startPushedNotifications } from "./notifications.ts";

/** Longer than any time that notifications wait for. */
const ALL_WAITS_MS = 1_000;

/** The notifications that are open. */
const open = new Set<object>();
class RecordedNotification extends EventTarget {
  static readonly permission = "granted";
  constructor(_title: string, { tag, data }: NotificationOptions = {}) {
    super();
    // A newer notification replaces an older one with the same tag.
    for (const other of open) if ("tag" in other && other.tag === tag) open.delete(other);
    Object.assign(this, { tag, data });
    open.add(this);
  }
  close() {
    open.delete(this);
  }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  open.clear();
  const registration = { getNotifications: async () => [...open] };
  const serviceWorker = Object.assign(new EventTarget(), { getRegistration: async () => registration });
  vi.stubGlobal("Notification", RecordedNotification);
  vi.stubGlobal("isSecureContext", true);
  vi.stubGlobal("window", {});
  vi.stubGlobal("document", { visibilityState: "hidden", hasFocus: () => false });
  vi.stubGlobal("navigator", { serviceWorker });
  for (const name of ["addEventListener", "removeEventListener"]) vi.stubGlobal(name, () => undefined);
});

let stop: () => void = () => undefined;
afterEach(() => stop());

async function wait(): Promise<void> {
  await flushMicrotasks();
  await vi.advanceTimersByTimeAsync(ALL_WAITS_MS);
}

const recallOf = (id: number) => pushedRow(100 + id, { type: MessageType.RECALL, content: String(id) });

async function withUnread(): Promise<SingleClient> {
  const single = await createLoggedInClient();
  stop = startNotifications(single.client, ME);
  await single.push(pushedRow(4), pushedRow(5), pushedRow(6));
  return single;
}

test("UI17 the notification of a message goes when it is recalled, though the chat has another unread one", async () => {
  const single = await withUnread();
  await wait();
  expect(open.size).toBe(1);
  await single.push(recallOf(4));
  expect(open.size).toBe(1);
  await single.push(recallOf(6));
  expect(open.size).toBe(0);
});

test("UI17 the notification of a message goes when the person deletes it", async () => {
  const single = await withUnread();
  await wait();
  void single.client.chats.deleteForMe(FRIEND_CHAT, [6]);
  expect(open.size).toBe(0);
});

test("UI17 messages that are recalled at once are not shown", async () => {
  const single = await withUnread();
  await single.push(recallOf(4), recallOf(5), recallOf(6));
  await wait();
  expect(open.size).toBe(0);
});

test("WP12 the notification of a web push goes when its message is recalled, though the chat has another unread one", async () => {
  const single = await createLoggedInClient();
  await single.push(pushedRow(4), pushedRow(5), pushedRow(6));
  stop = startPushedNotifications(single.client, ME, () => undefined);
  const data = { userId: ME, chat: FRIEND_CHAT, newest: 6, count: 2 };
  open.add(new RecordedNotification("Friend", { data }));
  open.add(
    new RecordedNotification("Of another person", { tag: "other", data: { ...data, userId: ME + 1 } }),
  );
  await single.push(recallOf(4));
  await wait();
  expect(open.size).toBe(2);
  await single.push(recallOf(6));
  await wait();
  expect([...open]).toMatchObject([{ tag: "other" }]);
});
