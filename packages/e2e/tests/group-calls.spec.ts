import type { Locator } from "@playwright/test";
import { befriend, createAccount } from "../src/api.ts";
import { hears, pictureMotion } from "../src/call-media.ts";
import { answer, expectSentences, hangUp, prompt } from "../src/calls.ts";
import { expect, test } from "../src/fixtures.ts";
import { createGroup } from "../src/groups.ts";
import type { Person } from "../src/person.ts";

/** For what needs a connection between two browsers. */
const patient = expect.configure({ timeout: 30_000 });

const callDialog = (person: Person, groupName: string): Locator =>
  person.page.getByRole("dialog", { name: person.t("call.title.group", { name: groupName }), exact: true });

test("UI19 three people talk in the call of a group: one starts it, one is called, one joins, and the last one left is told", async ({
  team: { group, lin, bo, mei },
  cast,
}) => {
  test.slow();
  await lin.button("groupCall.start").click();
  const members = lin.page.getByRole("dialog", { name: lin.t("groups.pick.call") });
  await members.getByRole("option", { name: cast.bo.nickName }).click();
  await members.getByRole("button", { name: lin.t("groups.confirm.call", { count: 1 }) }).click();
  await patient(prompt(bo)).toContainText(group.name);
  await prompt(bo)
    .getByRole("button", { name: bo.t("call.accept"), exact: true })
    .click();
  for (const person of [lin, bo]) {
    await patient(callDialog(person, group.name).getByText(/^\d\d:\d\d$/)).toBeVisible();
    await patient.poll(() => hears(person.page, 1)).toBe(true);
  }

  // Mei was not called, and sees it in her list of chats.
  await expect(mei.row(group.name)).toHaveAccessibleName(new RegExp(mei.t("groupCall.running")));
  await mei.button("groupCall.join").first().click();
  for (const person of [lin, bo, mei]) await patient.poll(() => hears(person.page, 2)).toBe(true);
  await expect(callDialog(lin, group.name).getByText(cast.mei.nickName)).toBeVisible();
  // Everybody starts without a camera; whoever turns it on is seen by all.
  await mei.page.keyboard.press("v");
  for (const person of [lin, bo]) {
    const picture = callDialog(person, group.name).locator("video");
    await patient(picture).toHaveCount(1);
    await patient.poll(() => pictureMotion(picture)).toBeGreaterThan(0.01);
  }
  // Nothing of a shared screen is cut off.
  await mei.button("call.screenOn").click();
  for (const person of [lin, bo]) {
    const picture = callDialog(person, group.name).locator("video");
    await patient(picture).toHaveCSS("object-fit", "contain");
    await patient
      .poll(() => picture.evaluate((video: HTMLVideoElement) => video.videoWidth))
      .toBeGreaterThan(700);
  }

  // The person who started it may leave: the others go on.
  await expectSentences(() => hangUp(lin), [bo, bo.t("groupCall.left.quit")]);
  await expect(callDialog(lin, group.name)).toHaveCount(0);
  await expect(callDialog(bo, group.name)).toBeVisible();
  await hangUp(mei);
  await patient(callDialog(bo, group.name)).toHaveCount(0);
  await expect(bo.page.getByRole("log").getByText(bo.t("tip.group.callEnded"))).toBeVisible();
  await expect(bo.page.getByRole("status").filter({ hasText: bo.t("groupCall.running") })).toHaveCount(0);
  await expect(mei.row(group.name)).not.toHaveAccessibleName(new RegExp(mei.t("groupCall.running")));
});

test("UI19 four people hear and see each other, and the others go on when one of them closes the page", async ({
  server,
  cast,
  openSignedIn,
}) => {
  test.slow();
  const options = [cast.lin, cast.bo, cast.mei, cast.other("dan")];
  const [owner, ...members] = await Promise.all(
    options.map(({ userName, nickName }) => createAccount(server.url, userName, nickName)),
  );
  if (owner === undefined) throw new Error("there is nobody");
  for (const member of members) await befriend(owner, member);
  const group = await createGroup(owner, `Four ${cast.lin.nickName}`, members);
  const people = await Promise.all(options.map((each) => openSignedIn(each)));
  await Promise.all(people.map((person) => person.openChat(group.name)));
  const [lin, ...others] = people;
  if (lin === undefined) throw new Error("there is nobody");
  const pictures = (person: Person) => callDialog(person, group.name).locator("video");

  await lin.button("groupCall.start").click();
  const picker = lin.page.getByRole("dialog", { name: lin.t("groups.pick.call") });
  for (const { nickName } of options.slice(1)) await picker.getByRole("option", { name: nickName }).click();
  await picker.getByRole("button", { name: lin.t("groups.confirm.call", { count: 3 }) }).click();
  // It rings for half a minute only, and who has answered keeps the machine busy.
  for (const person of others) await patient(prompt(person)).toBeVisible();
  for (const person of others) await answer(person);
  for (const person of people) {
    await patient(callDialog(person, group.name).getByText(/^\d\d:\d\d$/)).toBeVisible();
    await person.page.keyboard.press("v");
  }
  const meets = async (person: Person, count: number) => {
    await patient.poll(() => hears(person.page, count)).toBe(true);
    await patient(pictures(person)).toHaveCount(count + 1);
    for (const picture of await pictures(person).all())
      await patient.poll(() => pictureMotion(picture)).toBeGreaterThan(0.01);
  };
  await Promise.all(people.map((person) => meets(person, 3)));

  await lin.page.close();
  await Promise.all(others.map((person) => meets(person, 2)));
});
