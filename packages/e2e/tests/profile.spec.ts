import { readFile } from "node:fs/promises";
import { strFromU8, unzipSync } from "fflate";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { PASSWORD, befriend, createAccount, sendText } from "../src/api.ts";
import { useCrop } from "../src/avatars.ts";
import { expectAccessible } from "../src/expect-accessible.ts";
import { expect, test } from "../src/fixtures.ts";
import { createGroup } from "../src/groups.ts";
import type { Person } from "../src/person.ts";
import { createPng } from "../src/png.ts";
import { storedData } from "../src/stored-data.ts";

/** One of the three lists of the birthday. */
const list = (person: Person, part: string) =>
  person.page.getByRole("combobox", { name: person.t(`profile.${part}`), exact: true });
const problem = (person: Person, text: string) => person.dialog().getByText(text, { exact: true });

test("F9 F10 F12 F112 the profile names errors at their fields, asks before changes are lost, and stays open when saving fails", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  const bo = await openSignedIn(cast.bo);
  const dialog = await bo.openProfile();
  await expect(bo.button("profile.save")).toBeDisabled();
  await bo.field("register.nickname").fill(" ");
  await bo.field("profile.mobile").fill("12800000000");
  await bo.field("profile.email").fill("nobody");
  await expect(problem(bo, bo.t("profile.mobileInvalid"))).toHaveText("Please enter a valid phone number");
  await list(bo, "year").selectOption("2024");
  await bo.button("profile.save").click();
  await expect(problem(bo, bo.t("profile.emailInvalid"))).toHaveText("Please enter a valid email address");
  await expect(problem(bo, bo.t("profile.birthdayIncomplete"))).toBeVisible();
  await expect(problem(bo, bo.t("register.nicknameRequired"))).toBeVisible();
  await expect(bo.field("register.nickname")).toBeFocused();
  await expectAccessible(bo, "profile with errors");

  await list(bo, "month").selectOption("2");
  await expect(list(bo, "day").getByRole("option")).toHaveCount(1 + 29);
  await list(bo, "day").selectOption("29");
  await list(bo, "year").selectOption("2023");
  await expect(list(bo, "day")).toHaveValue("");
  await expect(list(bo, "day").getByRole("option")).toHaveCount(1 + 28);

  await bo.page.keyboard.press("Control+k");
  await expect(bo.page.getByRole("combobox", { name: bo.t("search.placeholder") })).toHaveCount(0);
  await bo.page.keyboard.press("Escape");
  await expectAccessible(bo, "question before changes are lost");
  await bo.answerDialog("discard.goOn");
  await expect(bo.field("profile.email")).toHaveValue("nobody");
  await bo.page.keyboard.press("Escape");
  await bo.answerDialog("discard.discard");
  await expect(dialog).toHaveCount(0);

  await bo.openProfile();
  await expect(bo.field("register.nickname")).toHaveValue(cast.bo.nickName);
  await bo.field("register.nickname").fill("Kept");
  await bo.context.route("**/user/update", (route) =>
    route.fulfill({ json: { code: 500, message: "the store is full", data: null } }),
  );
  await bo.button("profile.save").click();
  await expect(dialog.getByText("the store is full", { exact: true })).toBeVisible();
  // It is announced once, by the toast.
  await bo.expectToast("the store is full", "alert");
  await expect(dialog.getByRole("alert")).toHaveCount(0);
  await bo.context.unroute("**/user/update");
  await bo.context.setOffline(true);
  await bo.button("profile.save").click();
  await expect(dialog.getByRole("alert")).toHaveText(bo.t("failure.offline"));
  await bo.context.setOffline(false);
  expect((await friends.bo.call(ENDPOINTS.self, {})).nickName).toBe(cast.bo.nickName);
  await bo.button("profile.save").click();
  await expect(dialog).toHaveCount(0);
  await expect.poll(async () => (await friends.bo.call(ENDPOINTS.self, {})).nickName).toBe("Kept");
});

test("P164 P165 a changed profile is seen at once by a friend, in a group, and in one's other tab", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  const group = await createGroup(friends.lin, `Team ${cast.lin.userName}`, [friends.bo]);
  const [bo, lin] = [await openSignedIn(cast.bo), await openSignedIn(cast.lin)];
  const tab = await bo.openSignedInTab();
  await sendText(friends.bo, friends.lin, "hello");
  await lin.openChat(cast.bo.nickName);
  await lin.openPeerCard();
  const card = lin.page.getByRole("dialog");
  await expect(card).toContainText(cast.bo.userName);

  const nickName = `New ${cast.bo.userName}`;
  const dialog = await bo.openProfile();
  await bo.page
    .locator('input[type="file"]')
    .last()
    .setInputFiles({ name: "me.png", mimeType: "image/png", buffer: createPng(64) });
  const { originUrl } = await useCrop(bo);
  await bo.field("register.nickname").fill(nickName);
  await bo.page.getByText(bo.t("profile.female"), { exact: true }).click();
  await bo.field("profile.mobile").fill("13800000204");
  await bo.field("profile.email").fill("bo@example.org");
  await list(bo, "year").selectOption("2000");
  await list(bo, "month").selectOption("2");
  await list(bo, "day").selectOption("29");
  await bo.field("profile.signature").fill("State the problem first");
  await bo.button("profile.save").click();
  await expect(dialog).toHaveCount(0);

  expect(await friends.bo.call(ENDPOINTS.self, {})).toMatchObject({
    nickName,
    sex: 1,
    mobile: "13800000204",
    email: "bo@example.org",
    birthday: "2000-02-29",
    signature: "State the problem first",
    headImage: originUrl,
  });
  for (const own of [bo, tab])
    await expect(own.button("nav.profile", { name: nickName }).locator("img")).toBeVisible();
  await expect(card).toContainText(nickName);
  await expect(card).toContainText("State the problem first");
  await expect(card.locator("img")).toBeVisible();
  await lin.page.keyboard.press("Escape");
  await expect(lin.row(nickName)).toBeVisible();
  await lin.openGroup(group.name);
  await expect(lin.page.getByRole("main")).toContainText(nickName);

  await bo.openProfile(nickName);
  await expect(list(bo, "day")).toHaveValue("29");
  await bo.page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
});

test("S105 S106 after signing out no profile, friend or group is readable on the device, and on request nothing at all", async ({
  friends,
  cast,
  server,
  openLogin,
}) => {
  const { userName, nickName } = cast.other("quiet");
  await befriend(friends.bo, await createAccount(server.url, userName, nickName));
  const profile = {
    mobile: "13800000204",
    email: "bo@example.org",
    birthday: "2000-02-29",
    signature: "mine alone",
  };
  await friends.bo.call(ENDPOINTS.updateUser, { body: { id: friends.bo.id, ...profile } });
  const group = await createGroup(friends.bo, "A team of two", [friends.lin]);
  await friends.bo.call(ENDPOINTS.modifyGroup, {
    body: { id: group.id, remarkNickName: "Nick in the group" },
  });
  await sendText(friends.lin, friends.bo, "stays on the device");
  const bo = await openLogin(cast.bo);
  await bo.logIn();
  await expect(bo.row(cast.lin.nickName)).toBeVisible();
  // The names that chats show stay with them (spec §3).
  const people = [...Object.values(profile), userName, cast.lin.userName, "Nick in the group"];
  for (const text of people) await expect.poll(() => storedData(bo.page)).toContain(text);

  await bo.logOut();
  const left = () => storedData(bo.page);
  for (const text of people) await expect.poll(left).not.toContain(text);
  expect(await left()).toContain("stays on the device");

  await bo.logIn();
  await expect(bo.row(cast.lin.nickName)).toBeVisible();
  const tab = await bo.openSignedInTab();
  await bo.button("nav.menu").click();
  await bo.menuItem("menu.logout").click();
  await bo.page.getByRole("checkbox", { name: bo.t("logout.removeData") }).check();
  await expectAccessible(bo, "sign out and remove data");
  await bo.answerDialog("logout.andRemove");
  for (const person of [bo, tab]) await expect(person.page).toHaveURL(/\/login$/);
  await bo.expectToast(bo.t("logout.dataRemoved"), "status");
  for (const text of [...people, "stays on the device", cast.bo.userName, cast.bo.nickName])
    await expect.poll(left).not.toContain(text);
  await expect(bo.byLabel("login.username")).toHaveValue("");
});

test("S18 closing the account tells what is lost, asks for the password, and signs out everywhere", async ({
  friends: _,
  cast,
  pair: { lin, bo },
}) => {
  const tab = await bo.openSignedInTab();
  await bo.openSettings("security");
  await bo.button("closeAccount.open").click();
  const dialog = bo.page.getByRole("dialog", { name: bo.t("closeAccount.title") });
  await bo.button("closeAccount.confirm").click();
  await expect(dialog.getByText(bo.t("login.passwordRequired"))).toBeVisible();
  await bo.byLabel("login.password").fill("wrong password");
  await bo.button("closeAccount.confirm").click();
  await expect(dialog.getByText(bo.t("error.password.wrong"))).toBeVisible();
  await expectAccessible(bo, "closing the account");
  await bo.byLabel("login.password").fill(PASSWORD);
  await bo.button("closeAccount.confirm").click();
  for (const own of [bo, tab]) {
    const end = own.page.getByRole("alertdialog", { name: own.t("end.unregisteredTitle") });
    await expect(end).toContainText("Your account has been canceled");
    await end.getByRole("button").click();
    await expect(own.page).toHaveURL(/\/login$/);
  }
  await expect.poll(() => storedData(bo.page)).not.toContain(cast.bo.userName);
  await bo.byLabel("login.username").fill(cast.bo.userName);
  await bo.byLabel("login.password").fill(PASSWORD);
  await bo.button("login.submit").click();
  await expect(
    bo.page
      .getByRole("alert")
      .filter({ hasText: bo.t("error.account.unregistered") })
      .first(),
  ).toBeVisible();
  await lin.link("nav.friends").click();
  await expect(lin.row(cast.bo.nickName)).toHaveCount(0);
});

test("a person downloads an archive of their own data from the settings, and another one later", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  await sendText(friends.lin, friends.bo, "kept for the archive");
  const bo = await openSignedIn(cast.bo);
  await bo.openSettings("security");
  const download = async () => {
    const [saved] = await Promise.all([
      bo.page.waitForEvent("download"),
      bo.button("exportData.download").click(),
    ]);
    expect(saved.suggestedFilename()).toBe("parley-export.zip");
    const files = unzipSync(await readFile(await saved.path()));
    return (name: string) => strFromU8(files[name] ?? new Uint8Array());
  };
  const textOf = await download();
  expect(JSON.parse(textOf("profile.json"))).toMatchObject({ userName: cast.bo.userName });
  expect(textOf("private-messages.json")).toContain("kept for the archive");
  await sendText(friends.lin, friends.bo, "written after the first archive");
  expect((await download())("private-messages.json")).toContain("written after the first archive");
  await bo.page.route("**/api/user/export", (route) => route.abort());
  await bo.button("exportData.download").click();
  await bo.expectToast(bo.t("failure.offline"), "alert");
});
