import { createTone } from "@parley/server/testing/tone";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import type { GroupVO } from "@parley/protocol/entities";
import { choose, png, text } from "./attachments.ts";
import { type Account, createAccount, sendText, sendTexts } from "./api.ts";
import { expect, type Friends } from "./fixtures.ts";
import { createGroup, sendToGroup } from "./groups.ts";
import { sendFile, sendPicture, sendVoice } from "./media.ts";
import type { Person, PersonOptions } from "./person.ts";
import { createStripes } from "./png.ts";
import type { ProductText } from "./product-texts.ts";

/** What there is to see: a friend with a conversation of many kinds of messages, a group, a request, and names without a place to break. */
export interface ScreenData {
  readonly friendName: string;
  readonly group: GroupVO;
  readonly picture: { readonly width: number; readonly height: number };
}

/** The tabs of the settings, by the keys of their names. */
const SETTINGS_TABS = [
  "general",
  "notifications",
  "calls",
  "privacy",
  "security",
  "storage",
  "connection",
  "about",
] as const;

/** The commands of the popup menu that open a dialog, by the keys of their names. */
const MENU_DIALOGS = [
  "profile.title",
  "menu.otherSettings",
  "menu.broadcast",
  "menu.clearHistory",
  "menu.about",
  "menu.logout",
  "menu.closeApp",
] as const;

/** Fills the accounts of a test with data for `visitScreens`. Bo is the person who looks at the screens. */
export async function createScreenData(
  url: string,
  { lin, bo }: Friends,
  longNamed: PersonOptions,
): Promise<ScreenData> {
  const stranger = await createAccount(url, longNamed.userName, "Wolfeschlegelsteinha");
  const remark = "W".repeat(20);
  await stranger.call(ENDPOINTS.applyFriend, { body: { friendId: bo.id, source: 1, remark } });
  const group = await createGroup(bo, `Reading ${bo.userName}`, [lin]);
  await sendToGroup(lin, group.id, "Who reads the report?", { receipt: true });
  await sendConversation(lin, bo);
  return { friendName: lin.nickName, group, picture: { width: 600, height: 400 } };
}

async function sendConversation(lin: Account, bo: Account): Promise<void> {
  await sendTexts(lin, bo, ["我家在上海东边", `https://example.org/${"a".repeat(200)}`, "W".repeat(300)]);
  const first = await sendText(bo, lin, "mine, from my phone");
  const body = { recvId: bo.id, content: "I see", type: 0, quoteMessageId: first };
  await lin.call(ENDPOINTS.sendPrivateMessage, { body });
  const stripes = createStripes(400, 300, [
    [200, 40, 40],
    [240, 240, 240],
  ]);
  await sendPicture(lin, bo, stripes);
  await sendFile(lin, bo, `${"report-".repeat(12)}.pdf`, Buffer.alloc(3_000_000));
  await sendVoice(lin, bo, createTone(3), 3);
}

/** Walks a person who is not signed in yet through all screens before the login. Yields a name when each one is shown. */
export async function* visitScreensBeforeLogin(person: Person): AsyncGenerator<string> {
  await expect(person.button("login.submit")).toBeVisible();
  yield "login";
  await person.button("server.custom").click();
  await person.byLabel("server.address").fill("not an address");
  await person.button("login.submit").click();
  await expect(person.text("login.passwordRequired")).toBeVisible();
  await person.byLabel("server.address").focus();
  await person.byLabel("server.address").blur();
  await expect(person.text("server.notAnAddress")).toBeVisible();
  yield "login with errors";
  await person.button("server.custom").click();
  await person.page.getByRole("link", { name: person.t("login.register"), exact: true }).click();
  await person.button("register.submit").click();
  await expect(person.text("register.usernameRequired")).toBeVisible();
  yield "register with errors";
  await person.link("register.back").click();
  await expect(person.button("login.submit")).toBeVisible();
}

/** Walks a person who is signed in, at the list of chats, through all screens and dialogs. Yields a name when each one is shown. */
export async function* visitScreens(person: Person, data: ScreenData): AsyncGenerator<string> {
  await expect(person.row(data.friendName)).toBeVisible();
  yield "chats";
  yield* visitChatListOverlays(person, data);
  yield* visitConversation(person, data);
  yield* visitComposer(person);
  yield* visitFailedMessage(person);
  await leaveChat(person);
  yield* visitGroupConversation(person, data);
  await leaveChat(person);
  await person.openChat(person.t("chat.system"));
  await expect(person.button("request.approve")).toBeVisible();
  yield "system chat";
  await leaveChat(person);
  yield* visitFriends(person, data);
  yield* visitGroups(person, data);
  await person.link("nav.chats").click();
  await person.openChat(data.friendName);
  await expect(person.blockedReason("chat.blockedDeleted")).toBeVisible();
  yield "conversation after the friendship ended";
  await leaveChat(person);
  yield* visitShellDialogs(person);
}

/** The width of the window in letters of the browser's font size, by which the layout is chosen. */
const widthInEm = ({ options: { viewport, fontPx = 16 } }: Person): number =>
  (viewport?.width ?? 1440) / fontPx;

/** Whether the window shows one pane at a time. */
const isOnPhone = (person: Person): boolean => widthInEm(person) < 48;

const escape = (person: Person) => person.page.keyboard.press("Escape");

/** Goes back to the list of chats, which wide windows show anyway. */
async function leaveChat(person: Person): Promise<void> {
  if (!isOnPhone(person)) return;
  await person.page.goBack();
  await expect(person.page.getByRole("listbox", { name: person.t("chat.list") })).toBeVisible();
}

async function* visitArchive(person: Person, friendName: string): AsyncGenerator<string> {
  const row = person.page.locator('[data-fold="archived"]');
  await person.row(friendName).click({ button: "right" });
  await person.menuItem("chatMenu.archive").click();
  await expect(person.button("app.undo")).toBeVisible();
  await expect(row).toBeVisible();
  yield "row of the archive, and what takes archiving back";
  await row.click();
  await expect(person.row(friendName)).toBeVisible();
  yield "archive";
  await person.row(friendName).click({ button: "right" });
  await person.menuItem("chatMenu.unarchive").click();
  await expect(row).toHaveCount(0);
  await expect(person.row(friendName)).toBeVisible();
}

async function* visitChatListOverlays(person: Person, { friendName }: ScreenData): AsyncGenerator<string> {
  const { page } = person;
  await page.getByRole("radio", { name: person.t("chatFilter.mentions"), exact: true }).click();
  await expect(person.text("chatFilter.emptyMentions")).toBeVisible();
  yield "no chat that a filter shows";
  await person.button("chatFilter.showAll").click();
  await expect(person.row(friendName)).toBeVisible();
  await person.row(friendName).click({ button: "right" });
  await expect(page.getByRole("menu")).toBeVisible();
  yield "menu of a chat";
  await person.menuItem("chatMenu.delete").click();
  await expect(person.dialog()).toBeVisible();
  yield "question before deleting a chat";
  await escape(person);
  yield* visitArchive(person, friendName);
  await page.getByRole("button", { name: new RegExp(`^${person.t("nav.search")}`) }).click();
  await expect(person.dialog().getByRole("option").first()).toBeVisible();
  yield "switcher";
  await person.dialog().getByRole("combobox").fill("上海");
  await expect(person.dialog().getByRole("option")).toHaveCount(1);
  yield "search results";
  await person.dialog().getByRole("combobox").fill("海上");
  await expect(person.text("search.empty")).toBeVisible();
  yield "search without results";
  await escape(person);
  await expect(person.dialog()).toHaveCount(0);
  await page.keyboard.press("Control+/");
  await expect(person.dialog()).toBeVisible();
  yield "table of shortcuts";
  await escape(person);
}

async function* visitConversation(person: Person, data: ScreenData): AsyncGenerator<string> {
  const { page } = person;
  await person.openChat(data.friendName);
  // The highlight animation of a search result mixes the colours of both themes while the theme changes.
  await page.addStyleTag({ content: "[data-flash] * { animation: none !important }" });
  await person.composer().fill("read all");
  await person.button("chat.send").click();
  await expect(person.messageState("chat.unread")).toBeVisible();
  yield "conversation";
  await person.openMessageMenu("read all");
  yield "menu of a message";
  await person.menuItem("act.forward").click();
  await expect(person.dialog().getByRole("checkbox").first()).toBeVisible();
  yield "forwarding";
  await escape(person);
  await person.openMessageMenu("read all");
  await page.getByRole("menuitemcheckbox").first().click();
  await person
    .messages()
    .filter({ hasText: "read all" })
    .locator("[data-reactions]")
    .getByRole("button", { name: person.t("reaction.add") })
    .click();
  await expect(page.getByRole("toolbar")).toBeVisible();
  yield "quick reactions";
  await escape(person);
  await person.openMessageMenu("read all");
  await page.getByRole("menuitem", { name: person.t("reaction.more") }).click();
  const picker = page.getByRole("dialog", { name: person.t("reaction.more") });
  await expect(picker.getByRole("gridcell").first()).toBeVisible();
  yield "all reactions";
  await escape(person);
  await person.runMessageAction("read all", "reaction.title");
  await expect(person.dialog().getByRole("tabpanel").locator("time")).toBeVisible();
  yield "who has reacted";
  await escape(person);
  await person.runMessageAction("read all", "act.pin");
  await expect(page.getByRole("region", { name: person.t("pin.title") })).toBeVisible();
  yield "pinned message";
  await person.runMessageAction("read all", "saved.add");
  await person.runMessageAction("read all", "act.choose");
  await expect(page.getByRole("toolbar")).toBeVisible();
  yield "selected messages";
  await person.button("choose.end").click();
  await person.button("chat.find").click();
  await page.getByRole("searchbox", { name: person.t("find.title") }).fill("上海");
  await expect(page.getByRole("main").getByRole("search").getByRole("status")).toHaveText("1/1");
  yield "search in a chat";
  await page.getByRole("searchbox", { name: person.t("find.title") }).press("Escape");
  // In a window that shows few messages, those at the end are not mounted, and the button that leads there comes a moment after the jump.
  const down = person.button("chat.down");
  await expect(async () => {
    if (await down.isVisible()) await down.click({ timeout: 1_000 });
    await expect(person.messages().filter({ hasText: "read all" })).toBeVisible({ timeout: 1_000 });
  }).toPass();
  const size = { width: String(data.picture.width), height: String(data.picture.height) };
  await page
    .getByRole("log")
    .getByRole("button", { name: person.t("media.pictureLabel", size) })
    .click();
  await expect(page.getByRole("dialog", { name: person.t("viewer.title") })).toBeVisible();
  yield "viewer";
  await escape(person);
  await expect(person.dialog()).toHaveCount(0);
  await person.openPeerCard();
  await expect(person.dialog()).toBeVisible();
  yield "user card";
  await escape(person);
  await person.openPeerCard();
  await person
    .dialog()
    .getByRole("button", { name: person.t("block.more"), exact: true })
    .click();
  await person.menuItem("report.action").click();
  await expect(person.button("report.send")).toBeVisible();
  yield "report of a person";
  await escape(person);
  await expect(person.dialog()).toHaveCount(0);
  await person.button("chat.info").click();
  await expect(page.getByRole("complementary")).toBeVisible();
  yield "panel of a private chat";
  await page.getByRole("button", { name: person.t("pin.title"), exact: true }).click();
  await expect(page.getByRole("button", { name: person.t("act.unpin") })).toBeVisible();
  yield "pinned messages";
  await page.getByRole("button", { name: person.t("media.back"), exact: true }).click();
  await closePanel(person, "chat.info");
}

/** A message that the server has refused. */
async function* visitFailedMessage(person: Person): AsyncGenerator<string> {
  await person.context.route("**/message/private/send", (route) =>
    route.fulfill({ json: { code: 500, message: "not today", data: null } }),
  );
  await person.composer().fill("refused");
  await person.button("chat.send").click();
  await expect(person.text("chat.notSent")).toBeVisible();
  yield "failed message";
  await person.context.unroute("**/message/private/send");
}

/** Closes the panel, which in a window without room beside the conversation covers it. `opener` is the key of its button. */
async function closePanel(person: Person, opener: string): Promise<void> {
  if (widthInEm(person) < 64) await person.page.goBack();
  else await person.button(opener).click();
  await expect(person.page.getByRole("complementary")).toHaveCount(0);
}

async function* visitComposer(person: Person): AsyncGenerator<string> {
  const { page } = person;
  await person.runMessageAction("read all", "act.quote");
  await person.button("chat.emoticons").click();
  await expect(page.getByRole("grid")).toBeVisible();
  yield "quote and emoticon picker";
  await escape(person);
  await person.composer().press("Escape");
  const names = ["holiday.png", `${"minutes-".repeat(10)}.txt`] as const;
  await choose(person, "attach.pickFile", [png(names[0]), text(names[1])]);
  await expect(page.locator("[data-strip] [data-tile]")).toHaveCount(2);
  yield "chosen files";
  for (const name of names) await person.button("attach.remove", { name }).click();
  await expect(page.locator("[data-strip] [data-tile]")).toHaveCount(0);
  await page
    .locator("form")
    .getByRole("button", { name: person.t("chat.more"), exact: true })
    .click();
  await expect(page.getByRole("menu")).toBeVisible();
  yield "menu of other things to send";
  await person.menuItem("compose.place").click();
  await expect(person.dialog()).toBeVisible();
  yield "sending a location";
  await escape(person);
  await person.sendFromPlusMenu("compose.card");
  await expect(person.dialog()).toBeVisible();
  yield "sending a contact card";
  await escape(person);
  await person.runMessageAction("read all", "act.edit");
  await expect(person.text("chat.editing")).toBeVisible();
  yield "editing";
  await escape(person);
}

async function* visitGroupConversation(person: Person, { group }: ScreenData): AsyncGenerator<string> {
  const { page } = person;
  await person.openChat(group.name);
  await person.expectMessage("Who reads the report?");
  await person.composer().pressSequentially("@");
  await expect(page.getByRole("listbox", { name: person.t("naming.who") })).toBeVisible();
  yield "group conversation with suggestions of names";
  await escape(person);
  await person.composer().fill("");
  await person.button("chat.groupInfo").click();
  await expect(page.getByRole("complementary")).toBeVisible();
  yield "panel of a group";
  await closePanel(person, "chat.groupInfo");
}

async function* visitFriends(person: Person, { friendName }: ScreenData): AsyncGenerator<string> {
  await person.link("nav.friends").click();
  await expect(person.button("request.approve")).toBeVisible();
  yield "friends and requests";
  await person.addFriendButton().click();
  await person.page.getByRole("searchbox", { name: person.t("friend.findLabel") }).fill("Wolfeschlegel");
  await person.page.keyboard.press("Enter");
  await expect(person.page.getByRole("list", { name: person.t("friend.results") })).toBeVisible();
  yield "search for users";
  await person.button("app.close").click();
  await person.row(friendName).click();
  await person.button("friend.editRemark").click();
  yield "friend";
  await person.button("friend.delete").click();
  await expect(person.dialog()).toBeVisible();
  yield "question before deleting a friend";
  await person.answerDialog("friend.deleteConfirm");
  await expect(person.page).toHaveURL(/\/home\/friend$/);
}

async function* visitGroups(person: Person, { group }: ScreenData): AsyncGenerator<string> {
  const { page } = person;
  await person.link("nav.groups").click();
  await person.button("groups.add").click();
  await person.menuItem("groups.create").click();
  await expect(person.dialog()).toBeVisible();
  yield "a new group";
  await escape(person);
  await person.button("groups.add").click();
  await person.menuItem("groups.join").click();
  await expect(person.dialog()).toBeVisible();
  yield "joining a group";
  await escape(person);
  await person.row(group.name).click();
  await expect(page.getByRole("heading", { name: group.name, level: 1 })).toBeVisible();
  yield "group";
  await person.button("groups.invite").first().click();
  await expect(person.dialog()).toBeVisible();
  yield "inviting members";
  await escape(person);
  if (isOnPhone(person)) await page.goBack();
}

/** The saved messages, of which there is one; afterwards what was shown before shows again. */
async function* visitSaved(person: Person): AsyncGenerator<string> {
  const { page } = person;
  if (!isOnPhone(person)) await person.button("nav.menu").click();
  await (isOnPhone(person) ? person.link("saved.title") : person.menuItem("saved.title")).click();
  // The menu gives its button the focus, which shows a tooltip a moment later.
  await page.getByRole("searchbox", { name: person.t("saved.search") }).focus();
  await expect(page.getByRole("list", { name: person.t("saved.title") }).getByRole("listitem")).toHaveCount(
    1,
  );
  yield "saved messages";
  await person.button("saved.actions").click();
  await expect(page.getByRole("menu")).toBeVisible();
  yield "menu of a saved message";
  await person.menuItem("saved.edit").click();
  await expect(person.dialog()).toBeVisible();
  await person.byLabel("saved.tags").fill("1,2,3,4,5,6");
  yield "note and tags with an error";
  await person.byLabel("saved.tags").fill("work");
  await person.byLabel("saved.note").fill("W".repeat(150));
  await page
    .getByRole("dialog")
    .getByRole("button", { name: person.t("saved.confirm") })
    .click();
  await expect(person.dialog()).toHaveCount(0);
  yield "saved message with a note";
  await page.getByRole("radio", { name: person.t("saved.kind.voice"), exact: true }).click();
  await expect(person.text("saved.notFound")).toBeVisible();
  yield "no saved message that a filter shows";
  if (isOnPhone(person)) await person.button("saved.back").click();
}

/** The settings and what the popup menu opens; on a phone from the screen "Me". */
async function* visitShellDialogs(person: Person): AsyncGenerator<string> {
  const { page } = person;
  const isPhone = isOnPhone(person);
  if (isPhone) {
    await person.link("nav.me").click();
    await expect(person.button("menu.logout")).toBeVisible();
    yield "own page";
    yield* visitSaved(person);
    await page.getByRole("link", { name: person.t("menu.settings"), exact: true }).click();
  } else {
    await person.button("nav.menu").click();
    await page.getByRole("menuitem", { name: person.t("app.language") }).click();
    await expect(page.getByRole("menuitemradio").first()).toBeVisible();
    yield "menu";
    await escape(person);
    yield* visitSaved(person);
    await person.openSettings("general");
  }
  for (const tab of SETTINGS_TABS) {
    await page.getByRole("tab", { name: person.t(`settings.${tab}`), exact: true }).click();
    await expect(page.getByRole("tabpanel")).toBeVisible();
    yield `settings: ${tab}`;
  }
  await page.getByRole("tab", { name: person.t("settings.security"), exact: true }).click();
  await person.button("closeAccount.open").click();
  await expect(person.page.getByRole("dialog", { name: person.t("closeAccount.title") })).toBeVisible();
  yield "question before closing the account";
  await escape(person);
  await (isPhone ? Promise.resolve() : person.openSettings("general"));
  await (isPhone ? person.button("settings.back").click() : escape(person));
  for (const entry of MENU_DIALOGS) {
    // One's own avatar opens the profile.
    if (entry === "profile.title" && !isPhone) await person.openProfile();
    else {
      if (!isPhone) await person.button("nav.menu").click();
      await (isPhone ? person.button(entry) : person.menuItem(entry)).click();
    }
    await expect(person.dialog()).toBeVisible();
    yield `dialog of ${entry}`;
    await escape(person);
    await expect(person.dialog()).toHaveCount(0);
  }
}

/** Changes the language in a wide window, in the menu. `shown` has the texts that the page shows now. */
export async function switchLanguage(person: Person, name: string, shown: ProductText): Promise<void> {
  const { page } = person;
  await page.getByRole("button", { name: shown("nav.menu"), exact: true }).click();
  await page.getByRole("menuitem", { name: shown("app.language") }).click();
  await page.getByRole("menuitemradio", { name, exact: true }).click();
}
