import type { AdminReport } from "@parley/protocol/admin-entities";
import { banPerson } from "@parley/protocol/endpoints/admin-people";
import { recallPrivateMessage } from "@parley/protocol/endpoints/messages";
import { reportAbuse } from "@parley/protocol/endpoints/reports";
import { listAudit, loadSettings } from "@parley/protocol/endpoints/admin-server";
import { type Account, PASSWORD, createAccount, logIn, sendText } from "../src/api.ts";
import { sendPicture } from "../src/media.ts";
import { openAdminPage, openAdminRow } from "../src/admin-screens.ts";
import { expectAccessible } from "../src/expect-accessible.ts";
import { expect, test as base } from "../src/fixtures.ts";
import type { Person, PersonOptions } from "../src/person.ts";

const REASON = "在大厅里卖雨伞";

interface AdminFixtures {
  /** Gives this person the role, opens a browser and goes to the administration by the menu. */
  openAdmin(options: PersonOptions): Promise<Person>;
}

const test = base.extend<AdminFixtures>({
  openAdmin: async ({ friends: _, server, openSignedIn }, use) => {
    await use(async (options) => {
      await server.admin("grant-admin", options.userName);
      const person = await openSignedIn(options);
      await openAdministration(person);
      return person;
    });
  },
});

async function openAdministration(person: Person): Promise<void> {
  await person.button("nav.menu").click();
  await person.menuItem("menu.administration").click();
  await expect(person.page).toHaveURL(/\/admin\/overview$/);
}

/** Finds a person in the list and opens the dialog about him or her. */
async function openPerson(admin: Person, { userName, nickName }: PersonOptions): Promise<void> {
  await openAdminPage(admin, "people");
  await admin.page.getByRole("searchbox").fill(userName);
  await openAdminRow(admin, nickName);
  await expect(admin.page.getByRole("dialog", { name: nickName, exact: true })).toBeVisible();
}

test("an administrator bans a person who is online, whose page says why; the audit log has it; unbanned, the person can sign in", async ({
  friends,
  bo,
  cast,
  openAdmin,
}) => {
  const lin = await openAdmin(cast.lin);
  await openPerson(lin, cast.bo);
  await lin.button("admin.person.ban").click();
  await expect(
    lin
      .dialog()
      .last()
      .getByRole("button", { name: lin.t("admin.ban"), exact: true }),
  ).toBeDisabled();
  await lin.field("admin.reason").fill(REASON);
  await lin.answerDialog("admin.ban");
  await bo.confirmEnd("end.bannedTitle", REASON);
  await expect(lin.page.getByRole("dialog").getByText(REASON)).toBeVisible();

  await lin.button("admin.person.unban").click();
  await lin.answerDialog("admin.person.unban");
  await expect(lin.button("admin.person.ban")).toBeVisible();
  await bo.page.reload();
  await bo.logIn();

  await lin.page.keyboard.press("Escape");
  await openAdminPage(lin, "audit");
  const name = new RegExp(`^${lin.t("admin.action.banPerson")} .*${cast.bo.userName}`);
  await expect(lin.page.getByRole("row", { name })).toContainText("127.0.0.1");
  const { rows } = await friends.lin.call(listAudit, { query: {} });
  expect(rows.map(({ action }) => action)).toEqual(expect.arrayContaining(["banPerson", "unbanPerson"]));
});

test("a password that an administrator resets is shown once, ends the sessions, and lets the person in", async ({
  bo,
  cast,
  openAdmin,
}) => {
  const lin = await openAdmin(cast.lin);
  await openPerson(lin, cast.bo);
  await lin.button("admin.person.resetPassword").click();
  await lin.answerDialog("admin.person.resetPassword");
  const password = (await lin.dialog().last().locator("code").textContent()) ?? "";
  // It is told once, so neither Esc nor a click beside it loses it.
  await lin.page.keyboard.press("Escape");
  await lin.page.mouse.click(5, 400);
  await lin.answerDialog("admin.password.done");
  await expect(lin.page.getByText(password)).toHaveCount(0);
  await expect(lin.button("admin.person.resetPassword")).toBeFocused();
  await bo.confirmEnd("end.passwordChangedTitle", bo.t("end.passwordChanged"));
  await bo.logIn(password);
});

test("the question before an act stays until the server has answered, so that no new password is lost", async ({
  friends: _,
  cast,
  openAdmin,
}) => {
  const lin = await openAdmin(cast.lin);
  const held = Promise.withResolvers<void>();
  await lin.context.route("**/api/admin/people/password", async (route) => {
    await held.promise;
    await route.continue();
  });
  await openPerson(lin, cast.bo);
  await lin.button("admin.person.resetPassword").click();
  await lin.answerDialog("admin.person.resetPassword");
  await lin.page.keyboard.press("Escape");
  await lin.page.keyboard.press("Escape");
  await expect(lin.page.getByRole("alertdialog")).toBeVisible();
  const cancel = lin.page.getByRole("alertdialog").getByRole("button", { name: lin.t("app.cancel") });
  await expect(cancel).toBeDisabled();
  held.resolve();
  await expect(lin.dialog().last().locator("code")).not.toBeEmpty();
});

test("a person who no longer fits the filter stays open, with the state of now", async ({
  friends,
  cast,
  openAdmin,
}) => {
  const lin = await openAdmin(cast.lin);
  await friends.lin.call(banPerson, { body: { userId: friends.bo.id, reason: REASON } });
  await openAdminPage(lin, "people");
  await lin.page.getByText(lin.t("admin.people.filter.banned"), { exact: true }).first().click();
  await openPerson(lin, cast.bo);
  await lin.button("admin.person.unban").click();
  await lin.answerDialog("admin.person.unban");
  await expect(lin.page.getByText(lin.t("admin.nothingFound"))).toBeAttached();
  await expect(lin.button("admin.person.ban")).toBeVisible();
  await expect(lin.dialog()).not.toContainText(REASON);
});

test("an administrator creates a person who can sign in with the password that was made; the role shows at once when it is given and taken", async ({
  cast,
  openAdmin,
  openLogin,
}) => {
  const lin = await openAdmin(cast.lin);
  const eva = cast.other("eva");
  await openAdminPage(lin, "people");
  await lin.button("admin.people.create").click();
  await lin.field("login.username").fill(cast.bo.userName);
  await lin.field("register.nickname").fill(eva.nickName);
  await lin.button("admin.people.createNow").click();
  await expect(lin.text("error.register.userNameTaken")).toBeVisible();
  await lin.field("login.username").fill(eva.userName);
  await lin.button("admin.people.createNow").click();
  const password = (await lin.dialog().last().locator("code").textContent()) ?? "";
  await lin.answerDialog("admin.password.done");
  await expect(lin.button("admin.people.create")).toBeFocused();
  const newcomer = await openLogin(eva);
  await newcomer.logIn(password);

  const setRole = async (act: "grantAdmin" | "revokeAdmin") => {
    await lin.button(`admin.person.${act}`).click();
    await lin.answerDialog(`admin.person.${act}`);
    await expect(lin.button(`admin.person.${act}`)).toHaveCount(0);
  };
  await openPerson(lin, eva);
  await setRole("grantAdmin");
  await openAdministration(newcomer);
  await expect(newcomer.text("admin.health.title")).toBeVisible();
  await setRole("revokeAdmin");
  await expect(newcomer.text("admin.noAccess")).toBeVisible();
  await newcomer.link("admin.backToChats").click();
  await newcomer.button("nav.menu").click();
  await expect(newcomer.menuItem("menu.settings")).toBeVisible();
  await expect(newcomer.menuItem("menu.administration")).toHaveCount(0);
});

test("a person who has lost the role without hearing of it sees no old answer beside the refusal", async ({
  cast,
  server,
  openAdmin,
}) => {
  await server.admin("grant-admin", cast.bo.userName);
  const lin = await openAdmin(cast.lin);
  await expect(lin.text("admin.health.title")).toBeVisible();
  await lin.context.route("**/api/user/self", (route) => route.abort());
  lin.console.allow(/403|ERR_FAILED/);
  await server.admin("revoke-admin", cast.lin.userName);
  await lin.button("admin.refresh").click();
  await expect(lin.text("error.admin.required")).toBeVisible();
  await expect(lin.text("admin.health.title")).toHaveCount(0);
});

test("a notice for one person arrives at once, and the list says that it was received and read", async ({
  bo,
  cast,
  openAdmin,
}) => {
  const lin = await openAdmin(cast.lin);
  const title = `Maintenance ${cast.bo.userName}`;
  await openAdminPage(lin, "notices");
  await lin.button("admin.notices.compose").click();
  await lin.field("admin.notices.title").fill(title);
  await lin.field("admin.notices.text").fill("The server will be away for an hour.");
  await lin.dialog().getByText(lin.t("admin.notices.chosen"), { exact: true }).click();
  await lin.field("admin.notices.names").fill(cast.bo.userName);
  await lin.button("admin.notices.preview").click();
  await expect(lin.dialog().getByText("The server will be away for an hour.")).toBeVisible();
  await lin.button("admin.notices.publish").click();
  await lin.answerDialog("admin.notices.publish");
  await bo.openChat(bo.t("chat.system"));
  await expect(bo.page.getByRole("main").getByText(title)).toBeVisible();
  const row = lin.page.getByRole("row").filter({ hasText: title });
  await expect(row).toContainText(lin.t("admin.notices.people", { count: 1 }));
});

test("a notice or the reason of a ban that was begun is dropped only after a question", async ({
  friends: _,
  cast,
  openAdmin,
}) => {
  const lin = await openAdmin(cast.lin);
  await openAdminPage(lin, "notices");
  await lin.button("admin.notices.compose").click();
  await lin.page.keyboard.press("Escape");
  await expect(lin.dialog()).toHaveCount(0);
  await lin.button("admin.notices.compose").click();
  await lin.field("admin.notices.title").fill("Maintenance");
  await lin.page.mouse.click(5, 5);
  await lin.answerDialog("discard.goOn");
  await lin.field("admin.notices.text").fill("The server will be away for an hour.");
  await lin.button("admin.notices.preview").click();
  await expect(lin.field("admin.notices.title")).toHaveCount(0);
  await lin.page.keyboard.press("Escape");
  await lin.answerDialog("discard.goOn");
  await lin.button("admin.notices.back").click();
  await expect(lin.field("admin.notices.title")).toHaveValue("Maintenance");
  await lin.page.keyboard.press("Escape");
  await lin.answerDialog("discard.discard");
  await expect(lin.dialog()).toHaveCount(0);

  await openPerson(lin, cast.bo);
  await lin.button("admin.person.ban").click();
  await lin.field("admin.reason").fill(REASON);
  await lin.page.keyboard.press("Escape");
  await lin.answerDialog("discard.goOn");
  await expect(lin.field("admin.reason")).toHaveValue(REASON);
  await lin.answerDialog("app.cancel");
  await lin.answerDialog("discard.discard");
  await expect(lin.dialog()).toHaveCount(1);
});

test("a person reports a message and a person; the administrator sees only those, bans, and closes the reports", async ({
  friends,
  bo,
  cast,
  server,
  openAdmin,
}) => {
  const text = `buy umbrellas ${cast.lin.userName}`;
  await createAccount(server.url, cast.mei.userName, cast.mei.nickName);
  await sendText(friends.lin, friends.bo, text);
  await bo.openChat(cast.lin.nickName);
  await bo.runMessageAction(text, "report.action");
  await bo.dialog().getByRole("combobox").selectOption("fraud");
  await bo.field("report.text").fill("The third time today");
  await bo.button("report.send").click();
  await bo.expectToast(bo.t("report.done"));
  await expect(bo.dialog()).toHaveCount(0);
  await bo.openPeerCard();
  await bo
    .dialog()
    .getByRole("button", { name: bo.t("block.more"), exact: true })
    .click();
  await bo.menuItem("report.action").click();
  await bo.button("report.send").click();
  await expect(bo.dialog()).toHaveCount(0);

  const admin = await openAdmin(cast.mei);
  await openAdminPage(admin, "reports");
  const reports = admin.page.getByRole("row").filter({ hasText: cast.lin.userName });
  await expect(reports).toHaveCount(2);
  await reports
    .filter({ hasText: admin.t("report.reason.fraud") })
    .getByRole("button")
    .click();
  await expect(admin.dialog()).toContainText(text);
  await expect(admin.dialog()).toContainText("The third time today");
  await admin.button("admin.person.ban").click();
  await admin.field("admin.reason").fill(REASON);
  await admin.answerDialog("admin.ban");
  await admin.field("admin.report.note").fill("banned");
  await admin.answerDialog("admin.report.close");
  await expect(reports).toHaveCount(1);
  await reports.getByRole("button").click();
  await admin.button("admin.report.dismissed").click();
  await admin.answerDialog("admin.report.close");
  await expect(reports).toHaveCount(0);
  await admin.page.getByText(admin.t("admin.reports.closed"), { exact: true }).click();
  await expect(reports).toHaveCount(2);
});

test("when the only report of the last page is closed, the page before it is shown", async ({
  friends: _,
  cast,
  openAdmin,
}) => {
  const lin = await openAdmin(cast.lin);
  const reports = Array.from({ length: 51 }, (__, index): AdminReport => {
    const reporter = { id: 1000 + index, userName: `reporter${index}`, nickName: `Reporter ${index}` };
    const rest = { createdTime: 0, person: null, message: null, text: "", closed: null };
    return { id: index + 1, reporter, reason: "spam", ...rest };
  });
  await lin.context.route("**/api/admin/reports?**", (route) => {
    const first = 50 * Number(new URL(route.request().url()).searchParams.get("page"));
    const data = { total: reports.length, rows: reports.slice(first, first + 50) };
    return route.fulfill({ json: { code: 200, message: "ok", data } });
  });
  await lin.context.route("**/api/admin/reports/close", (route) => {
    reports.pop();
    return route.fulfill({ json: { code: 200, message: "ok", data: null } });
  });
  await openAdminPage(lin, "reports");
  await lin.button("admin.nextPage").click();
  await openAdminRow(lin, lin.t("admin.reports.person"));
  await expect(lin.dialog()).toContainText("Reporter 50");
  await lin.button("admin.report.dismissed").click();
  await lin.answerDialog("admin.report.close");
  await expect(lin.page.getByRole("row").filter({ hasText: "Reporter 49" })).toBeVisible();
  await expect(lin.text("admin.range", { from: "1", to: "50", total: "50" })).toBeVisible();
});

test("the picture of a reported message that its sender has recalled is shown in the report", async ({
  friends,
  cast,
  server,
  openAdmin,
}) => {
  const id = await sendPicture(friends.lin, friends.bo);
  await friends.bo.call(reportAbuse, { body: { privateMessageId: id, reason: "spam", text: "" } });
  await friends.lin.call(recallPrivateMessage, { params: { id } });
  await createAccount(server.url, cast.mei.userName, cast.mei.nickName);
  const admin = await openAdmin(cast.mei);
  await openAdminPage(admin, "reports");
  await admin.page.getByRole("row").filter({ hasText: cast.lin.userName }).getByRole("button").click();
  const picture = admin.dialog().getByRole("img");
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
  await expect(admin.text("admin.report.filesKept")).toBeVisible();
  await expectAccessible(admin, "report with a picture", "all");
});

test("a setting takes effect at once without a restart, and returns to the default of the server", async ({
  friends,
  cast,
  openAdmin,
  openLogin,
}) => {
  const lin = await openAdmin(cast.lin);
  await openAdminPage(lin, "settings");
  const code = lin.page.getByRole("switch", {
    name: lin.t("admin.settings.isInviteCodeRequired"),
    exact: true,
  });
  await code.click();
  await expect(code).toBeChecked();
  const guest = await openLogin(cast.other("eva"));
  await guest.page.getByRole("link", { name: guest.t("login.register"), exact: true }).click();
  await expect(guest.field("register.inviteCode")).toBeVisible();
  const name = lin.t("admin.settings.isInviteCodeRequired");
  await lin.button("admin.settings.resetName", { name }).click();
  await expect(code).not.toBeChecked();
  const settings = await friends.lin.call(loadSettings, {});
  expect(settings.isInviteCodeRequired.isSet).toBe(false);
});

test("somebody without the role finds no link, and at the address a sentence and the way back", async ({
  bo,
}) => {
  await bo.button("nav.menu").click();
  await expect(bo.menuItem("menu.settings")).toBeVisible();
  await expect(bo.menuItem("menu.administration")).toHaveCount(0);
  await bo.open("/admin/people");
  await expect(bo.text("admin.noAccess")).toBeVisible();
  await bo.link("admin.backToChats").click();
  await bo.expectHome();
});

test.describe("on a server without an administrator", () => {
  test.use({ ownServer: {} });

  test("the setup link makes the first administrator once, leaves the address bar at once, and leads to the administration", async ({
    cast,
    server,
    openBrowser,
  }) => {
    const printed = await server.admin("setup-link");
    const [link = ""] = /http\S+\/admin\/setup#\S+/.exec(printed) ?? [];
    const path = new URL(link).pathname + new URL(link).hash;
    const [lin, bo] = [await openBrowser(cast.lin), await openBrowser(cast.bo)];
    for (const person of [lin, bo]) {
      await person.open(path);
      await expect(person.field("login.username")).toBeVisible();
      await expect(person.page).toHaveURL(/\/admin\/setup$/);
      await person.field("login.username").fill(person.options.userName);
      await person.field("register.nickname").fill(person.options.nickName);
      await person.byLabel("login.password").fill(PASSWORD);
      await person.byLabel("register.confirm").fill(PASSWORD);
    }
    await lin.button("admin.setup.submit").click();
    await expect(lin.page).toHaveURL(/\/admin\/overview$/);
    await bo.button("admin.setup.submit").click();
    await expect(bo.page.getByRole("alert")).toHaveText(bo.t("error.admin.linkInvalid"));
    const account: Account = await logIn(server.url, cast.lin.userName);
    expect(account.userName).toBe(cast.lin.userName);
  });
});
