import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { PASSWORD, createAccount, logIn, sendText } from "../src/api.ts";
import { expect, test } from "../src/fixtures.ts";

test("the text size changes at once and survives a reload", async ({ friends: _, cast, openSignedIn }) => {
  const bo = await openSignedIn(cast.bo);
  const row = bo.row(cast.lin.nickName).locator("bdi").first();
  const size = () => row.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
  const before = await size();
  await bo.openSettings("general");
  await bo.page.getByText("A", { exact: true }).last().click();
  await bo.page.keyboard.press("Escape");
  await expect.poll(size).toBeCloseTo(before * 1.3, 1);
  await bo.page.reload();
  await expect(row).toBeVisible();
  await expect.poll(size).toBeCloseTo(before * 1.3, 1);
});

test("P163 friend approval is set in the other settings only, and the privacy tab links there", async ({
  friends: _,
  cast,
  openSignedIn,
}) => {
  const bo = await openSignedIn(cast.bo);
  await bo.openSettings("privacy");
  await expect(bo.dialog()).toContainText(bo.t("settings.approveWhere"));
  await expect(bo.dialog().getByRole("switch", { name: bo.t("settings.approve") })).toHaveCount(0);
  await expect(bo.dialog().getByRole("checkbox")).toHaveCount(0);
  await bo.button("menu.otherSettings").click();
  await expect(bo.page.getByRole("dialog", { name: bo.t("menu.otherSettings") })).toBeVisible();
  await expect(bo.dialog()).toHaveCount(1);
  await expect(bo.dialog().getByRole("checkbox")).toHaveAccessibleName(bo.t("settings.approve"));
});

test("ST1 a person chooses who finds them, which shows at once, survives a reload, and returns if the server refuses", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  const bo = await openSignedIn(cast.bo);
  await bo.openSettings("privacy");
  const choice = bo.dialog().getByRole("combobox", { name: bo.t("settings.findable") });
  await expect(choice).toHaveValue("1");
  await choice.selectOption(bo.t("settings.findable.3"));
  await expect(bo.text("settings.findableHint.3")).toBeVisible();
  const found = () => friends.lin.call(ENDPOINTS.findUsersByName, { query: { name: cast.bo.userName } });
  await expect.poll(async () => (await found()).map(({ id }) => id)).not.toContain(friends.bo.id);
  await bo.page.reload();
  await bo.openSettings("privacy");
  await expect(choice).toHaveValue("3");
  await bo.context.route("**/user/findableBy**", (route) =>
    route.fulfill({ json: { code: 500, message: "no", data: null } }),
  );
  await choice.selectOption(bo.t("settings.findable.1"));
  await bo.expectToast(bo.t("settings.saveFailed"), "alert");
  await expect(choice).toHaveValue("3");
});

test("ST2 ST3 the storage tab counts what this device keeps, saves the limit, and clears it; drafts stay and chats load again", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  for (let n = 1; n <= 3; n++) await sendText(friends.lin, friends.bo, `kept ${n}`);
  const bo = await openSignedIn(cast.bo);
  await bo.openChat(cast.lin.nickName);
  await bo.expectMessage("kept 3");
  await bo.composer().fill("a draft");
  await bo.openSettings("storage");
  const dialog = bo.page.getByRole("dialog", { name: bo.t("settings.title") });
  const counted = dialog.getByRole("status").first();
  await expect(counted).toHaveText(/^[1-9]\d* messages in .+, about [\d.]+ (B|KB)$/);
  const limit = dialog.getByRole("combobox", { name: bo.t("settings.diskLimit") });
  await expect(limit).toHaveValue("209715200");
  await limit.selectOption("100.00 MB");
  await bo.button("settings.clearKeptShort").click();
  await bo.page
    .getByRole("alertdialog")
    .getByRole("button", { name: bo.t("settings.clearConfirm"), exact: true })
    .click();
  await bo.expectToast(bo.t("settings.keptCleared"));
  await expect(counted).toHaveText(/^[01] messages? in /);
  const history = bo.page.waitForRequest("**/message/private/history**");
  await bo.page.reload();
  await history;
  await bo.openChat(cast.lin.nickName);
  await bo.expectMessage("kept 1");
  await expect(bo.composer()).toHaveValue("a draft");
  await bo.openSettings("storage");
  await expect(limit).toHaveValue("104857600");
});

test("ST5 ST7 the self-check says what works and what does not; the sound can be tried", async ({
  friends: _,
  cast,
  openSignedIn,
}) => {
  const bo = await openSignedIn(cast.bo);
  await bo.openSettings("connection");
  const line = (id: string) =>
    bo
      .dialog()
      .getByRole("listitem")
      .filter({ has: bo.page.getByText(bo.t(`check.${id}`), { exact: true }) });
  for (const id of ["server", "socket"])
    await expect(line(id).locator("[data-level]")).toHaveAttribute("data-level", "ok");
  await expect(line("clock")).toContainText(bo.t("check.clock.ok"));
  await expect(line("secure")).toContainText(bo.t("check.secure.local"));
  await expect(bo.text("check.done")).toBeAttached();
  await bo.context.route("**/globalSetting/load", (route) => route.fulfill({ body: "<html>" }));
  await bo.button("check.again").click();
  await expect(line("server")).toContainText(bo.t("check.server.notParleyAdvice"));
  await expect(line("clock")).toContainText(bo.t("check.clock.unknown"));

  await bo.page.getByRole("tab", { name: bo.t("settings.notifications"), exact: true }).click();
  await bo.button("settings.testSoundPlay").click();
  await expect(bo.text("settings.testSound.played")).toBeVisible();
});

test("the about tab links to the packages in use and their licences, which the product serves", async ({
  friends: _,
  cast,
  openSignedIn,
  server,
}) => {
  const bo = await openSignedIn(cast.bo);
  await bo.openSettings("about");
  for (const [name, expected] of [
    ["settings.packages", "| react "],
    ["settings.packageLicences", "Permission is hereby granted"],
  ] as const) {
    const path = await bo.page.getByRole("link", { name: bo.t(name), exact: true }).getAttribute("href");
    const answer = await fetch(new URL(path ?? "", server.url));
    expect(answer.headers.get("content-type")).toContain("text/plain");
    expect(await answer.text()).toContain(expected);
  }
});

test("of two devices that are signed out in quick succession none comes back when the older list arrives last", async ({
  friends: _,
  cast,
  server,
  openSignedIn,
}) => {
  await logIn(server.url, cast.bo.userName);
  const bo = await openSignedIn(cast.bo);
  await bo.openSettings("security");
  const devices = bo.page.getByRole("region", { name: bo.t("settings.devices") });
  await expect(devices.getByRole("listitem")).toHaveCount(3);
  const signOut = devices.getByRole("button", { name: /^Sign out: / });
  const held = Promise.withResolvers<void>();
  const delivered = Promise.withResolvers<void>();
  let lists = 0;
  await bo.context.route("**/api/user/sessions", async (route) => {
    if (route.request().method() !== "GET" || ++lists > 1) return route.continue();
    const response = await route.fetch();
    await held.promise;
    await route.fulfill({ response });
    delivered.resolve();
  });
  await signOut.first().click();
  await expect.poll(() => lists).toBe(1);
  await signOut.last().click();
  await expect(devices.getByRole("listitem")).toHaveCount(1);
  held.resolve();
  await delivered.promise;
  // The page reads the answer before a later one.
  await bo.page.evaluate(() => fetch("/favicon.svg").then((answer) => answer.text()));
  await expect(devices.getByRole("listitem")).toHaveCount(1);
});

test("a question that is taller than the window scrolls", async ({ friends: _, cast, openSignedIn }) => {
  const bo = await openSignedIn(cast.bo);
  await bo.openSettings("general");
  await bo.page.getByText("A", { exact: true }).last().click();
  await bo.page.getByRole("tab", { name: bo.t("settings.security"), exact: true }).click();
  await bo.button("settings.signOutOthers").click();
  const question = bo.page.getByRole("alertdialog");
  await expect(question.getByRole("button").last()).toBeVisible();
  await bo.page.setViewportSize({ width: 800, height: 200 });
  const seenTo = (part: "first" | "last") =>
    expect(question.locator("h2, button")[part]()).toBeInViewport({ ratio: 1 });
  await question.getByRole("heading").hover();
  await bo.page.mouse.wheel(0, 1_000);
  await seenTo("last");
  await bo.page.mouse.wheel(0, -1_000);
  await seenTo("first");
});

test("all other devices can be logged out, and a new password must follow the rules", async ({
  friends: _,
  cast,
  openSignedIn,
}) => {
  const bo = await openSignedIn(cast.bo);
  await bo.openSettings("security");
  const devices = bo.page.getByRole("region", { name: bo.t("settings.devices") });
  await expect(devices.getByRole("listitem")).toHaveCount(2);
  for (const device of await devices.getByRole("listitem").all())
    await expect(device).toContainText("127.0.0.1");
  await bo.button("settings.signOutOthers").click();
  await bo.page
    .getByRole("alertdialog")
    .getByRole("button", { name: bo.t("settings.signOut"), exact: true })
    .click();
  await expect(devices.getByRole("listitem")).toHaveCount(1);
  await expect(devices).toContainText(bo.t("settings.deviceThis"));

  await bo.byLabel("settings.oldPassword").fill("wrong-horse-1");
  await bo.byLabel("settings.newPassword").fill("short");
  await bo.byLabel("settings.newPassword").blur();
  await expect(bo.byLabel("settings.newPassword")).toHaveAttribute("aria-invalid", "true");
  await bo.byLabel("settings.newPassword").fill("another-horse-8");
  await bo.byLabel("register.confirm").fill("another-horse-8");
  const form = bo.page.getByRole("region", { name: bo.t("settings.password") });
  const submit = form.getByRole("button", { name: bo.t("settings.password"), exact: true });
  await submit.click();
  await expect(form.getByText(bo.t("error.password.oldWrong"))).toBeVisible();
  await bo.byLabel("settings.oldPassword").fill(PASSWORD);
  await submit.click();
  await bo.expectToast(bo.t("settings.passwordChanged"));
  await bo.page.keyboard.press("Escape");
  await bo.logOut();
  await bo.logIn("another-horse-8");
});

test("a blocked user cannot write, and the settings list and undo the block", async ({
  pair: { lin, bo },
  cast,
}) => {
  await lin.openChat(cast.bo.nickName);
  await bo.link("nav.friends").click();
  await bo.row(cast.lin.nickName).click();
  await bo.button("block.more").click();
  await bo.menuItem("block.block").click();
  await bo
    .dialog()
    .getByRole("button", { name: bo.t("block.block"), exact: true })
    .click();
  await expect(bo.text("block.state")).toBeVisible();
  await lin.send("听得到吗");
  await expect(lin.text("chat.notSent")).toBeVisible();
  const refused = new RegExp(lin.t("error.message.blockedYou"));
  await expect(lin.page.getByRole("article", { name: refused })).toBeVisible();

  await bo.openSettings("privacy");
  await bo.button("block.unblockName", { name: cast.lin.nickName }).click();
  await expect(bo.text("settings.blockedNone")).toBeVisible();
  await bo.page.keyboard.press("Escape");
  await expect(bo.text("block.state")).toHaveCount(0);
});

test("a friend request answered in the system chat of one tab is closed in the other tab", async ({
  friends,
  server,
  cast,
  openSignedIn,
}) => {
  const ann = await createAccount(server.url, cast.other("ann").userName, "Ann Other");
  const remark = "May I?";
  await ann.call(ENDPOINTS.applyFriend, { body: { friendId: friends.bo.id, source: 1, remark } });
  const first = await openSignedIn(cast.bo);
  const second = await first.openSignedInTab();
  for (const tab of [first, second]) {
    await tab.openChat(tab.t("chat.system"));
    await expect(tab.button("request.approve")).toBeVisible();
  }
  await second.button("request.approve").click();
  for (const tab of [first, second]) {
    await expect(tab.button("request.approve")).toHaveCount(0);
    await expect(tab.page.getByRole("article").first()).toContainText(tab.t("request.approved"));
  }
});
