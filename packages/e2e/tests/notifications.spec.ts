import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { sendText } from "../src/api.ts";
import { expect, test } from "../src/fixtures.ts";
import { createGroup, sendToGroup } from "../src/groups.ts";
import type { Person } from "../src/person.ts";

interface ShownNotification {
  title: string;
  body: string;
  tag: string;
  isOpen: boolean;
}

/** A screen without a reader, and a record in place of the system's notifications. */
async function record(person: Person, permission: NotificationPermission): Promise<void> {
  await person.context.addInitScript((first) => {
    const told: (ShownNotification & { click(): void })[] = [];
    let permission = first;
    class Recorded extends EventTarget {
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
        // A newer one of the same tag takes the place of the older one.
        for (const other of told) if (other.tag === tag) other.isOpen = false;
        const click = () => void this.dispatchEvent(new Event("click"));
        this.entry = { title, body, tag, isOpen: true, click };
        told.push(this.entry);
      }
      close() {
        this.entry.isOpen = false;
      }
    }
    Object.assign(window, { Notification: Recorded, told, isAway: false });
    document.hasFocus = () => !(window as unknown as { isAway: boolean }).isAway;
  }, permission);
}

/** Looks elsewhere, or back at the page. */
async function setAway(person: Person, isAway: boolean): Promise<void> {
  await person.page.evaluate((away) => {
    (window as unknown as { isAway: boolean }).isAway = away;
    window.dispatchEvent(new Event(away ? "blur" : "focus"));
  }, isAway);
}

const shownNotifications = (person: Person): Promise<ShownNotification[]> =>
  person.page.evaluate(() =>
    (window as unknown as { told: ShownNotification[] }).told.map(({ title, body, tag, isOpen }) => ({
      title,
      body,
      tag,
      isOpen,
    })),
  );

/** What stands on the screen of the device. */
const open = async (person: Person): Promise<string[]> =>
  (await shownNotifications(person)).filter(({ isOpen }) => isOpen).map(({ body }) => body);

test("row 17: an unfocused page shows a notification, a click opens the message, and reading closes it", async ({
  friends,
  cast,
  openBrowser,
}) => {
  const bo = await openBrowser(cast.bo);
  await record(bo, "granted");
  await bo.open();
  await bo.logIn();
  await expect(bo.row(cast.lin.nickName)).toBeVisible();

  await sendText(friends.lin, friends.bo, "looked at");
  await expect(bo.row(cast.lin.nickName)).toContainText("looked at");
  await setAway(bo, true);
  await sendText(friends.lin, friends.bo, "first");
  const line = (text: string) => bo.t("chat.announce", { name: cast.lin.nickName, text });
  await expect.poll(() => open(bo)).toEqual([line("first")]);
  await sendText(friends.lin, friends.bo, "second");
  await expect.poll(() => open(bo)).toEqual([line("second")]);

  await bo.link("nav.friends").click();
  await setAway(bo, false);
  await bo.page.evaluate(() => (window as unknown as { told: { click(): void }[] }).told.at(-1)?.click());
  await expect(bo.page).toHaveURL(/\/home\/chat\/PRIVATE/);
  await expect(bo.messages().filter({ hasText: "second" })).toBeVisible();
  expect(await open(bo)).toEqual([]);

  await setAway(bo, true);
  await sendText(friends.lin, friends.bo, "third");
  await expect.poll(() => open(bo)).toEqual([line("third")]);
  await friends.bo.call(ENDPOINTS.readPrivateMessages, { query: { friendId: friends.lin.id } });
  await expect.poll(() => open(bo)).toEqual([]);
  expect((await shownNotifications(bo)).map(({ body }) => body)).toEqual(
    ["first", "second", "third"].map(line),
  );
});

test("one tab of a browser notifies, and none while one of them is focused", async ({
  friends,
  cast,
  openBrowser,
}) => {
  const first = await openBrowser(cast.bo);
  await record(first, "granted");
  await first.open();
  await first.logIn();
  const second = await first.openTab();
  await second.logIn();
  await expect(second.row(cast.lin.nickName)).toBeVisible();
  await setAway(first, true);
  await setAway(second, false);
  await sendText(friends.lin, friends.bo, "somebody looks");
  await expect(first.row(cast.lin.nickName)).toContainText("somebody looks");
  await setAway(second, true);
  await sendText(friends.lin, friends.bo, "nobody looks");
  const line = first.t("chat.announce", { name: cast.lin.nickName, text: "nobody looks" });
  await expect.poll(async () => [...(await open(first)), ...(await open(second))]).toEqual([line]);
  expect([...(await shownNotifications(first)), ...(await shownNotifications(second))]).toHaveLength(1);

  // The one that told goes; the other one takes its place.
  await first.page.close();
  await sendText(friends.lin, friends.bo, "one is left");
  await expect
    .poll(() => open(second))
    .toEqual([second.t("chat.announce", { name: cast.lin.nickName, text: "one is left" })]);
});

test("the browser asks only after the person has said yes, and settings hide what was written", async ({
  friends,
  cast,
  openBrowser,
}) => {
  const bo = await openBrowser(cast.bo);
  await record(bo, "default");
  await bo.open();
  await bo.logIn();
  await expect(bo.row(cast.lin.nickName)).toBeVisible();
  await expect(bo.text("notification.offer")).toHaveCount(0);
  await setAway(bo, true);
  await sendText(friends.lin, friends.bo, "first");
  await expect(bo.text("notification.offer")).toBeVisible();
  expect(await bo.page.evaluate(() => Notification.permission)).toBe("default");
  await bo.button("notification.on").click();
  await expect(bo.text("notification.offer")).toHaveCount(0);
  await sendText(friends.lin, friends.bo, "second");
  await expect.poll(() => open(bo)).toHaveLength(1);

  await bo.button("nav.menu").click();
  await bo.page.getByRole("menuitem", { name: bo.t("menu.settings"), exact: true }).click();
  await bo.page.getByRole("tab", { name: bo.t("settings.notifications") }).click();
  const content = bo.page.getByRole("switch", { name: bo.t("settings.content") });
  await expect(content).toBeChecked();
  await content.click();
  await sendText(friends.lin, friends.bo, "secret");
  await expect.poll(() => open(bo)).toEqual([bo.t("notification.hidden")]);
  await bo.page.getByRole("switch", { name: bo.t("settings.notify") }).click();
  await bo.page.keyboard.press("Escape");
  await sendText(friends.lin, friends.bo, "quiet");
  await expect(bo.row(cast.lin.nickName)).toContainText("quiet");
  expect(await shownNotifications(bo)).toHaveLength(2);
});

test('"later" postpones the offer, also after a reload', async ({ friends, cast, openBrowser }) => {
  const bo = await openBrowser(cast.bo);
  await record(bo, "default");
  await bo.open();
  await bo.logIn();
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

test("row 17: messages that arrived while offline cause no notification", async ({
  friends,
  cast,
  openBrowser,
}) => {
  const bo = await openBrowser(cast.bo);
  await record(bo, "granted");
  await sendText(friends.lin, friends.bo, "while away");
  await bo.page.addInitScript(() => Object.assign(window, { isAway: true }));
  await bo.open();
  await bo.logIn();
  await expect(bo.row(cast.lin.nickName)).toContainText("while away");
  await sendText(friends.lin, friends.bo, "live");
  await expect
    .poll(() => open(bo))
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
  await record(reader, "granted");
  await reader.open();
  await reader.logIn();
  await expect(reader.row("Tilework")).toBeVisible();
  await setAway(reader, true);
  await sendToGroup(lin, group.id, "to all");
  const line = reader.t("chat.announce", { name: lin.nickName, text: "to all" });
  await expect.poll(() => open(reader)).toEqual([line]);
  expect((await shownNotifications(reader))[0]?.title).toBe("Tilework");

  await bo.call(ENDPOINTS.setGroupMsgRemind, { body: { groupId: group.id, msgRemind: 2 } });
  await expect(reader.row("Tilework")).toHaveAccessibleName(new RegExp(reader.t("chat.muted")));
  await sendToGroup(lin, group.id, `@${bo.nickName} quietly`, { atUserIds: [bo.id] });
  await expect(reader.row("Tilework")).toHaveAccessibleName(new RegExp(reader.t("chat.atMeLabel")));
  await sendText(lin, bo, "aside");
  const aside = reader.t("chat.announce", { name: lin.nickName, text: "aside" });
  await expect.poll(() => open(reader)).toEqual([line, aside]);
});

test("settings say how to undo a refusal", async ({ friends: _, cast, openBrowser }) => {
  const bo = await openBrowser(cast.bo);
  await record(bo, "denied");
  await bo.open();
  await bo.logIn();
  await bo.button("nav.menu").click();
  await bo.page.getByRole("menuitem", { name: bo.t("menu.settings"), exact: true }).click();
  await bo.page.getByRole("tab", { name: bo.t("settings.notifications") }).click();
  await expect(bo.dialog()).toContainText(bo.t("settings.notifyDenied"));
  await expect(bo.dialog()).toContainText(bo.t("settings.undoChrome"));
  await expect(bo.page.getByRole("switch", { name: bo.t("settings.notify") })).toBeDisabled();
});
