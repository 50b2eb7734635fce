import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { sendText } from "../src/api.ts";
import { call, hangUp, prompt } from "../src/calls.ts";
import { expect, test } from "../src/fixtures.ts";
import { createGroup, sendToGroup } from "../src/groups.ts";
import type { Person } from "../src/person.ts";

interface ShownNotification {
  title: string;
  body: string;
  tag: string;
  isOpen: boolean;
}

/** Records notifications instead of showing them, and lets `setAway` decide whether the page has the focus. */
async function recordNotifications(person: Person, permission: NotificationPermission): Promise<void> {
  await person.context.addInitScript((initialPermission) => {
    const shown: (ShownNotification & { click(): void })[] = [];
    let permission = initialPermission;
    class RecordedNotification extends EventTarget {
      static get permission() {
        return permission;
      }
      static requestPermission() {
        permission = "granted";
        return Promise.resolve(permission);
      }
      readonly entry: ShownNotification & { click(): void };
      constructor(title: string, { body = "", tag = "" }: NotificationOptions = {}) {
        super();
        // A newer notification replaces an older one with the same tag.
        for (const other of shown) if (other.tag === tag) other.isOpen = false;
        const click = () => void this.dispatchEvent(new Event("click"));
        this.entry = { title, body, tag, isOpen: true, click };
        shown.push(this.entry);
      }
      close() {
        this.entry.isOpen = false;
      }
    }
    Object.assign(window, { Notification: RecordedNotification, shownNotifications: shown, isAway: false });
    document.hasFocus = () => !(window as unknown as { isAway: boolean }).isAway;
  }, permission);
}

/** Takes the focus from the page or gives it back. */
async function setAway(person: Person, isAway: boolean): Promise<void> {
  await person.page.evaluate((away) => {
    (window as unknown as { isAway: boolean }).isAway = away;
    window.dispatchEvent(new Event(away ? "blur" : "focus"));
  }, isAway);
}

const shownNotifications = (person: Person): Promise<ShownNotification[]> =>
  person.page.evaluate(() =>
    (window as unknown as { shownNotifications: ShownNotification[] }).shownNotifications.map(
      ({ title, body, tag, isOpen }) => ({ title, body, tag, isOpen }),
    ),
  );

/** Clicks on the newest notification. */
const clickNewest = (person: Person): Promise<void> =>
  person.page.evaluate(() =>
    (window as unknown as { shownNotifications: { click(): void }[] }).shownNotifications.at(-1)?.click(),
  );

/** The bodies of the notifications that are still open. */
const openBodies = async (person: Person): Promise<string[]> =>
  (await shownNotifications(person)).filter(({ isOpen }) => isOpen).map(({ body }) => body);

test("UI17 an unfocused page shows a notification, a click opens the message, and reading closes it", async ({
  friends,
  cast,
  openBrowser,
}) => {
  const bo = await openBrowser(cast.bo);
  await recordNotifications(bo, "granted");
  await bo.openAndLogIn();
  await expect(bo.row(cast.lin.nickName)).toBeVisible();

  await sendText(friends.lin, friends.bo, "looked at");
  await expect(bo.row(cast.lin.nickName)).toContainText("looked at");
  await setAway(bo, true);
  await sendText(friends.lin, friends.bo, "first");
  const bodyOf = (text: string) => bo.t("chat.announce", { name: cast.lin.nickName, text });
  await expect.poll(() => openBodies(bo)).toEqual([bodyOf("first")]);
  await sendText(friends.lin, friends.bo, "second");
  await expect.poll(() => openBodies(bo)).toEqual([bodyOf("second")]);

  await bo.link("nav.friends").click();
  await setAway(bo, false);
  await clickNewest(bo);
  await expect(bo.page).toHaveURL(/\/home\/chat\/PRIVATE/);
  await expect(bo.messages().filter({ hasText: "second" })).toBeVisible();
  await expect.poll(() => openBodies(bo)).toEqual([]);

  await setAway(bo, true);
  await sendText(friends.lin, friends.bo, "third");
  await expect.poll(() => openBodies(bo)).toEqual([bodyOf("third")]);
  await friends.bo.call(ENDPOINTS.readPrivateMessages, { query: { friendId: friends.lin.id } });
  await expect.poll(() => openBodies(bo)).toEqual([]);
  expect((await shownNotifications(bo)).map(({ body }) => body)).toEqual(
    ["first", "second", "third"].map(bodyOf),
  );
});

test("a click on a notification leads from the administration to the message", async ({
  friends,
  cast,
  server,
  openBrowser,
}) => {
  await server.admin("grant-admin", cast.bo.userName);
  const bo = await openBrowser(cast.bo);
  await recordNotifications(bo, "granted");
  await bo.openAndLogIn();
  await bo.button("nav.menu").click();
  await bo.menuItem("menu.administration").click();
  await expect(bo.page.getByRole("heading", { level: 1 })).toBeVisible();
  await setAway(bo, true);
  await sendText(friends.lin, friends.bo, "look at this");
  await expect.poll(() => openBodies(bo)).toHaveLength(1);
  await setAway(bo, false);
  await clickNewest(bo);
  await expect(bo.page).toHaveURL(/\/home\/chat\/PRIVATE/);
  await bo.expectMessage("look at this");
});

test("one of two tabs notifies, and none while one of them is focused", async ({
  friends,
  cast,
  openBrowser,
}) => {
  const first = await openBrowser(cast.bo);
  await recordNotifications(first, "granted");
  // A tab gives the others 300 ms to say that somebody looks there; here more, because a slow machine may need it.
  await first.context.addInitScript(() => {
    const { setTimeout: after } = window;
    window.setTimeout = ((run: TimerHandler, ms = 0, ...parts: unknown[]) =>
      after(run, ms === 300 ? 3_000 : ms, ...parts)) as typeof window.setTimeout;
  });
  await first.openAndLogIn();
  const second = await first.openSignedInTab();
  await expect(second.row(cast.lin.nickName)).toBeVisible();
  await setAway(first, true);
  await setAway(second, false);
  await sendText(friends.lin, friends.bo, "somebody looks");
  // The second tab looks away only after both have the message.
  for (const tab of [first, second]) await expect(tab.row(cast.lin.nickName)).toContainText("somebody looks");
  await setAway(second, true);
  await sendText(friends.lin, friends.bo, "nobody looks");
  const body = first.t("chat.announce", { name: cast.lin.nickName, text: "nobody looks" });
  await expect
    .poll(async () => [...(await openBodies(first)), ...(await openBodies(second))])
    .toEqual([body]);
  expect([...(await shownNotifications(first)), ...(await shownNotifications(second))]).toHaveLength(1);

  // After the first tab is closed the other one notifies.
  await first.page.close();
  await sendText(friends.lin, friends.bo, "one is left");
  await expect
    .poll(() => openBodies(second))
    .toEqual([second.t("chat.announce", { name: cast.lin.nickName, text: "one is left" })]);
});

test("the browser asks for permission only after the user accepts the offer, and a setting hides the text of messages", async ({
  friends,
  cast,
  openBrowser,
}) => {
  const bo = await openBrowser(cast.bo);
  await recordNotifications(bo, "default");
  await bo.openAndLogIn();
  await expect(bo.row(cast.lin.nickName)).toBeVisible();
  await expect(bo.text("notification.offer")).toHaveCount(0);
  await setAway(bo, true);
  await sendText(friends.lin, friends.bo, "first");
  await expect(bo.text("notification.offer")).toBeVisible();
  expect(await bo.page.evaluate(() => Notification.permission)).toBe("default");
  await bo.button("notification.on").click();
  await expect(bo.text("notification.offer")).toHaveCount(0);
  await sendText(friends.lin, friends.bo, "second");
  await expect.poll(() => openBodies(bo)).toHaveLength(1);

  await bo.openSettings("notifications");
  const content = bo.page.getByRole("switch", { name: bo.t("settings.content") });
  await expect(content).toBeChecked();
  await content.click();
  await sendText(friends.lin, friends.bo, "secret");
  await expect.poll(() => openBodies(bo)).toEqual([bo.t("notification.hidden")]);
  await bo.page.getByRole("switch", { name: bo.t("settings.notify") }).click();
  await bo.page.keyboard.press("Escape");
  await sendText(friends.lin, friends.bo, "quiet");
  await expect(bo.row(cast.lin.nickName)).toContainText("quiet");
  expect(await shownNotifications(bo)).toHaveLength(2);
});

test("RE14 whoever wants it is notified of reactions, once a minute for a message", async ({
  friends,
  cast,
  openBrowser,
}) => {
  const id = await sendText(friends.bo, friends.lin, "Friday?");
  const other = await sendText(friends.bo, friends.lin, "Or Saturday?");
  const bo = await openBrowser(cast.bo);
  await recordNotifications(bo, "granted");
  await bo.openAndLogIn();
  const row = bo.row(cast.lin.nickName);
  await expect(row).toContainText("Or Saturday?");
  await setAway(bo, true);
  const react = (messageId: number, key: string) =>
    friends.lin.call(ENDPOINTS.setReaction, { body: { id: messageId, key, on: true } });
  const told = (reaction: string) => bo.t("reaction.told", { name: cast.lin.nickName, reaction });
  // By itself it is in the list alone.
  await react(id, "👍");
  await expect(row).toContainText(told("👍"));
  await bo.openSettings("notifications");
  await bo.page
    .getByRole("combobox", { name: bo.t("settings.reactions") })
    .selectOption({ label: bo.t("settings.reactions.notify") });
  await bo.page.keyboard.press("Escape");
  await react(other, "🎉");
  await expect.poll(() => openBodies(bo)).toEqual([told("🎉")]);
  await react(other, "❤️");
  await expect(row).toContainText(told("❤️"));
  await sendText(friends.lin, friends.bo, "fine");
  await expect
    .poll(async () => (await shownNotifications(bo)).map(({ body }) => body))
    .toEqual([told("🎉"), bo.t("chat.announce", { name: cast.lin.nickName, text: "fine" })]);
});

test('"later" postpones the offer, also after a reload', async ({ friends, cast, openBrowser }) => {
  const bo = await openBrowser(cast.bo);
  await recordNotifications(bo, "default");
  await bo.openAndLogIn();
  await expect(bo.row(cast.lin.nickName)).toBeVisible();
  await setAway(bo, true);
  await sendText(friends.lin, friends.bo, "first");
  await bo.button("notification.later").click();
  await expect(bo.text("notification.offer")).toHaveCount(0);
  await bo.page.reload();
  await expect(bo.row(cast.lin.nickName)).toBeVisible();
  await expect(bo.connectionBar()).toHaveCount(0);
  await setAway(bo, true);
  await sendText(friends.lin, friends.bo, "second");
  await expect(bo.row(cast.lin.nickName)).toContainText("second");
  await expect(bo.text("notification.offer")).toHaveCount(0);
});

test("UI17 messages that arrived while offline cause no notification", async ({
  friends,
  cast,
  openBrowser,
}) => {
  const bo = await openBrowser(cast.bo);
  await recordNotifications(bo, "granted");
  await sendText(friends.lin, friends.bo, "while away");
  await bo.page.addInitScript(() => Object.assign(window, { isAway: true }));
  await bo.openAndLogIn();
  await expect(bo.row(cast.lin.nickName)).toContainText("while away");
  await sendText(friends.lin, friends.bo, "live");
  await expect
    .poll(() => openBodies(bo))
    .toEqual([bo.t("chat.announce", { name: cast.lin.nickName, text: "live" })]);
  expect(await shownNotifications(bo)).toHaveLength(1);
});

test("group notifications carry the group name and follow its alert setting", async ({
  friends: { lin, bo },
  cast,
  openBrowser,
}) => {
  const group = await createGroup(lin, "Tilework", [bo]);
  const reader = await openBrowser(cast.bo);
  await recordNotifications(reader, "granted");
  await reader.openAndLogIn();
  await expect(reader.row("Tilework")).toBeVisible();
  await setAway(reader, true);
  await sendToGroup(lin, group.id, "to all");
  const body = reader.t("chat.announce", { name: lin.nickName, text: "to all" });
  await expect.poll(() => openBodies(reader)).toEqual([body]);
  expect((await shownNotifications(reader))[0]?.title).toBe("Tilework");

  await bo.call(ENDPOINTS.setGroupMsgRemind, { body: { groupId: group.id, msgRemind: 2 } });
  await expect(reader.row("Tilework")).toHaveAccessibleName(new RegExp(reader.t("chat.muted")));
  await sendToGroup(lin, group.id, `@${bo.nickName} quietly`, { atUserIds: [bo.id] });
  await expect(reader.row("Tilework")).toHaveAccessibleName(new RegExp(reader.t("chat.atMeLabel")));
  await sendText(lin, bo, "aside");
  const aside = reader.t("chat.announce", { name: lin.nickName, text: "aside" });
  await expect.poll(() => openBodies(reader)).toEqual([body, aside]);
});

test("settings explain how to allow notifications after a refusal", async ({
  friends: _,
  cast,
  openBrowser,
}) => {
  const bo = await openBrowser(cast.bo);
  await recordNotifications(bo, "denied");
  await bo.openAndLogIn();
  await bo.openSettings("notifications");
  await expect(bo.dialog()).toContainText(bo.t("settings.notifyDenied"));
  await expect(bo.dialog()).toContainText(bo.t("settings.undoChrome"));
  await expect(bo.page.getByRole("switch", { name: bo.t("settings.notify") })).toBeDisabled();
  await bo.button("settings.testNotifyShow").click();
  await expect(bo.page.getByRole("status").filter({ hasText: bo.t("settings.undoChrome") })).toBeVisible();
  expect(await shownNotifications(bo)).toEqual([]);
});

test("ST7 the settings show a sample notification, and say so when the browser refuses it", async ({
  friends: _,
  cast,
  openBrowser,
}) => {
  const bo = await openBrowser(cast.bo);
  await recordNotifications(bo, "granted");
  await bo.openAndLogIn();
  await bo.openSettings("notifications");
  await bo.button("settings.testNotifyShow").click();
  await expect(bo.text("settings.testNotifyDone")).toBeVisible();
  expect(await openBodies(bo)).toEqual([bo.t("settings.testNotifyBody")]);
  await bo.page.evaluate(() => {
    window.Notification = class {
      static readonly permission = "granted";
      constructor() {
        throw new TypeError("Illegal constructor");
      }
    } as unknown as typeof Notification;
  });
  await bo.button("settings.testNotifyShow").click();
  await expect(bo.text("settings.testNotifyFailed")).toBeVisible();
});

test("a call that rings at an unseen page shows a notification that stays until the ring ends, and its name in the title", async ({
  friends: _,
  cast,
  openBrowser,
  lin,
}) => {
  const bo = await openBrowser(cast.bo);
  await recordNotifications(bo, "granted");
  await bo.openAndLogIn();
  await lin.openChat(cast.bo.nickName);
  const rings = bo.t("call.ringsFrom", { name: cast.lin.nickName });
  await call(lin, bo);
  await expect(bo.page).toHaveTitle(rings);
  expect(await shownNotifications(bo)).toEqual([]);
  await setAway(bo, true);
  await expect.poll(() => openBodies(bo)).toEqual([rings]);
  // A person who looks at the page sees the prompt.
  await setAway(bo, false);
  await expect.poll(() => openBodies(bo)).toEqual([]);
  await expect(prompt(bo)).toBeVisible();
  await setAway(bo, true);
  await expect.poll(() => openBodies(bo)).toEqual([rings]);
  await hangUp(lin);
  await expect(prompt(bo)).toHaveCount(0);
  await expect(bo.page).not.toHaveTitle(rings);
  await expect.poll(async () => (await openBodies(bo)).filter((body) => body === rings)).toEqual([]);
});
