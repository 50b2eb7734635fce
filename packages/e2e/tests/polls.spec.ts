import type { Locator } from "@playwright/test";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { expectAccessible } from "../src/expect-accessible.ts";
import { expect, test } from "../src/fixtures.ts";
import { createGroup } from "../src/groups.ts";
import { Network } from "../src/network.ts";
import type { Person } from "../src/person.ts";

const QUESTION = "Where do we eat?";
const LUNCH = { options: ["Noodles", "Rice"], max: 1, secret: false, hidden: false };

const pollOf = (person: Person) => person.page.locator("[data-poll]");
const option = (person: Person, text: string, role: "radio" | "checkbox" = "radio") =>
  pollOf(person).getByRole(role).filter({ hasText: text });
/** What is shown behind the text of an option. */
const result = (person: Person, text: string, count: number, percent: number): Locator =>
  pollOf(person)
    .getByRole("radio")
    .filter({ hasText: `${text}${person.t("poll.result", { count, percent })}` });

test("PL1 PL2 PL3 PL5 PL8 PL9 PL10 two people make a poll, vote, change their votes, see who voted, and end it", async ({
  chatting: { lin, bo },
  cast,
}) => {
  await lin.sendFromPlusMenu("poll.title");
  const dialog = lin.page.getByRole("dialog", { name: lin.t("poll.title") });
  await dialog.getByRole("button", { name: lin.t("chat.send") }).click();
  await expect(dialog.getByText(lin.t("poll.needsQuestion"))).toBeVisible();
  await expect(dialog.getByText(lin.t("poll.needsOptions"))).toBeVisible();
  await expectAccessible(lin, "the dialog of a poll");
  const field = (number: number) => dialog.getByLabel(lin.t("poll.option", { number }), { exact: true });
  await dialog.getByLabel(lin.t("poll.question")).fill(QUESTION);
  await dialog.getByRole("button", { name: lin.t("poll.addOption") }).click();
  await field(1).fill("Noodles");
  await field(2).fill("nothing");
  await field(3).fill("Rice");
  await dialog.getByRole("button", { name: lin.t("poll.removeOption", { number: 2 }) }).click();
  await expect(field(2)).toHaveValue("Rice");
  await dialog.getByLabel(lin.t("poll.ends")).selectOption("day");
  await dialog.getByRole("button", { name: lin.t("chat.send") }).click();
  await expect(dialog).toHaveCount(0);

  // The day too, because it ends tomorrow.
  await expect(pollOf(bo)).toContainText(/Ends \w+, \w+ \d+(, \d+)? \d\d:\d\d/);
  for (const person of [lin, bo]) {
    await expect(pollOf(person)).toContainText(QUESTION);
    await expect(pollOf(person)).toContainText(person.t("poll.noVotes"));
    await expect(option(person, "Noodles")).toBeVisible();
  }
  await expect(bo.row(cast.lin.nickName)).toContainText(`📊 ${QUESTION}`);
  await expect(bo.row(cast.lin.nickName)).not.toContainText("Noodles");

  await option(bo, "Noodles").click();
  await expect(option(bo, "Noodles")).toBeChecked();
  await expect(result(lin, "Noodles", 1, 100)).toBeVisible();
  // By keys: the arrows move, Enter votes.
  await option(lin, "Noodles").focus();
  await lin.page.keyboard.press("ArrowDown");
  await expect(option(lin, "Rice")).toBeFocused();
  await expect(option(lin, "Rice")).not.toBeChecked();
  await lin.page.keyboard.press("Enter");
  await expect(option(lin, "Rice")).toBeChecked();
  await expect(result(bo, "Rice", 1, 50)).toBeVisible();
  await option(bo, "Rice").click();
  await expect(result(lin, "Rice", 2, 100)).toBeVisible();
  await expect(result(lin, "Noodles", 0, 0)).toBeVisible();
  await option(lin, "Rice").click();
  await expect(result(bo, "Rice", 1, 100)).toBeVisible();
  await expect(pollOf(bo)).toContainText(bo.t("poll.voters", { count: 1 }));

  await pollOf(lin)
    .getByRole("button", { name: lin.t("poll.people") })
    .click();
  const people = lin.page.getByRole("dialog", { name: lin.t("poll.people") });
  await expect(people.getByRole("region", { name: "Rice" })).toContainText(cast.bo.nickName);
  await expect(people.getByRole("region", { name: "Noodles" })).toHaveCount(0);
  await expectAccessible(lin, "the dialog of those who voted");
  await lin.page.keyboard.press("Escape");

  await bo.openMessageMenu(QUESTION);
  await expect(bo.menuItem("poll.close")).toHaveCount(0);
  await bo.page.keyboard.press("Escape");
  await lin.openMessageMenu(QUESTION);
  await expect(lin.menuItem("act.edit")).toHaveCount(0);
  await lin.menuItem("poll.close").click();
  await lin.page
    .getByRole("alertdialog", { name: lin.t("poll.closeTitle") })
    .getByRole("button", { name: lin.t("poll.close") })
    .click();
  for (const person of [lin, bo]) {
    await expect(pollOf(person)).toContainText(person.t("poll.ended"));
    await expect(pollOf(person).getByRole("radio")).toHaveCount(0);
  }
  await expect(pollOf(bo).getByRole("img", { name: /Rice.*My vote/ })).toBeVisible();
  await expectAccessible(bo, "a poll that has ended");
});

test("PL4 a vote without a network shows at once and outlasts a reload; when the poll ends meanwhile, it goes and says why", async ({
  friends,
  cast,
  openBrowser,
}) => {
  const body = { recvId: friends.bo.id, type: 0, content: QUESTION, poll: { ...LUNCH, max: 2 } };
  const { id } = await friends.lin.call(ENDPOINTS.sendPrivateMessage, { body });
  const bo = await openBrowser(cast.bo);
  const network = await Network.install(bo);
  await bo.openAndLogIn();
  await bo.openChat(cast.lin.nickName);
  await expect(option(bo, "Rice", "checkbox")).toBeVisible();
  await network.disconnect();
  await expect(bo.connectionBar()).toBeVisible();
  await option(bo, "Rice", "checkbox").click();
  await option(bo, "Noodles", "checkbox").click();
  await expect(option(bo, "Rice", "checkbox")).toBeChecked();
  await bo.page.reload();
  for (const text of LUNCH.options) await expect(option(bo, text, "checkbox")).toBeChecked();
  await friends.lin.call(ENDPOINTS.closePoll, { body: { id } });
  await network.restore();
  await bo.retryNow();
  await expect(bo.page.getByText(bo.t("error.poll.closed"))).toBeVisible();
  await expect(pollOf(bo)).toContainText(bo.t("poll.noVotes"));
  await expect(pollOf(bo)).toContainText(bo.t("poll.ended"));
});

test("PL11 two people add options to a poll that allows it, by the mouse, by keys and without a network", async ({
  friends,
  cast,
  openBrowser,
}) => {
  const lin = await openBrowser(cast.lin);
  const bo = await openBrowser({ ...cast.bo, viewport: { width: 390, height: 844 } });
  const network = await Network.install(bo);
  await lin.openAndLogIn();
  await lin.openChat(cast.bo.nickName);
  await lin.sendFromPlusMenu("poll.title");
  const dialog = lin.page.getByRole("dialog", { name: lin.t("poll.title") });
  await dialog.getByLabel(lin.t("poll.question")).fill(QUESTION);
  for (const [index, text] of LUNCH.options.entries())
    await dialog.getByLabel(lin.t("poll.option", { number: index + 1 }), { exact: true }).fill(text);
  await dialog.getByRole("switch", { name: lin.t("poll.othersAdd") }).click();
  await dialog.getByRole("button", { name: lin.t("chat.send") }).click();
  await expect(dialog).toHaveCount(0);
  await expect(pollOf(lin)).toContainText(lin.t("poll.addable"));

  await bo.openAndLogIn();
  await bo.openChat(cast.lin.nickName);
  const adding = (person: Person) => person.page.getByRole("dialog", { name: person.t("poll.addOption") });
  const newOption = (person: Person) => adding(person).getByLabel(person.t("poll.newOption"));
  const add = (person: Person) =>
    pollOf(person)
      .getByRole("button", { name: person.t("poll.addOption") })
      .click();
  await add(bo);
  await expect(newOption(bo)).toBeFocused();
  await bo.page.keyboard.press("Enter");
  await expect(adding(bo).getByText(bo.t("poll.needsOption"))).toBeVisible();
  await newOption(bo).fill(" Rice ");
  await expect(adding(bo).getByText(bo.t("poll.hasOption"))).toBeVisible();
  await expectAccessible(bo, "the dialog of an option");
  await newOption(bo).fill("Soup");
  await bo.page.keyboard.press("Enter");
  await expect(adding(bo)).toHaveCount(0);
  for (const person of [lin, bo]) await expect(option(person, "Soup")).toBeVisible();
  await option(bo, "Soup").click();
  await expect(result(lin, "Soup", 1, 100)).toBeVisible();

  // By the menu of the message.
  await lin.openMessageMenu(QUESTION);
  await lin.menuItem("poll.addOption").click();
  await expect(newOption(lin)).toBeFocused();
  await newOption(lin).fill("Salad");
  await lin.page.keyboard.press("Enter");
  await expect(option(bo, "Salad")).toBeVisible();

  await network.disconnect();
  await expect(bo.connectionBar()).toBeVisible();
  await add(bo);
  await newOption(bo).fill("Dumplings");
  await bo.page.keyboard.press("Enter");
  const beingAdded = pollOf(bo).getByRole("img", { name: bo.t("poll.beingAdded", { text: "Dumplings" }) });
  await expect(beingAdded).toBeVisible();
  await expect(option(bo, "Dumplings")).toHaveCount(0);
  await bo.page.reload();
  await expect(beingAdded).toBeVisible();
  await network.restore();
  await bo.retryNow();
  await expect(option(bo, "Dumplings")).toBeVisible();
  await expect(beingAdded).toHaveCount(0);
  await expect(option(lin, "Dumplings")).toBeVisible();
  await expectAccessible(bo, "a poll to which options were added");

  // What was added is voted on as the others are; nobody adds anything when the poll has ended.
  await option(lin, "Dumplings").click();
  await expect(result(bo, "Dumplings", 1, 50)).toBeVisible();
  const [{ id } = { id: 0 }] = await friends.lin.call(ENDPOINTS.privateHistory, {
    query: { friendId: friends.bo.id },
  });
  await friends.lin.call(ENDPOINTS.closePoll, { body: { id } });
  for (const person of [lin, bo]) {
    await expect(pollOf(person)).toContainText(person.t("poll.ended"));
    await expect(pollOf(person).getByRole("button", { name: person.t("poll.addOption") })).toHaveCount(0);
  }
});

test("PL6 PL7 in a group an anonymous poll tells no names, and a hidden one no counts until its owner ends it", async ({
  friends,
  cast,
  openBrowser,
}) => {
  const group = await createGroup(friends.lin, `午饭 ${cast.lin.userName}`, [friends.bo]);
  const poll = { ...LUNCH, secret: true, hidden: true };
  const body = { groupId: group.id, type: 0, content: QUESTION, poll };
  const { id } = await friends.bo.call(ENDPOINTS.sendGroupMessage, { body });
  const bo = await openBrowser({ ...cast.bo, viewport: { width: 390, height: 844 } });
  await bo.openAndLogIn();
  await bo.openChat(group.name);
  await option(bo, "Rice").click();
  await expect(option(bo, "Rice")).toBeChecked();
  await friends.lin.call(ENDPOINTS.setVotes, { body: { id, options: [1] } });
  await expect(pollOf(bo)).toContainText(bo.t("poll.voters", { count: 2 }));
  await expect(pollOf(bo)).toContainText(bo.t("poll.resultHidden"));
  await expect(pollOf(bo)).not.toContainText("%");
  await expect(pollOf(bo).getByRole("button", { name: bo.t("poll.people") })).toHaveCount(0);
  await friends.lin.call(ENDPOINTS.closePoll, { body: { id } });
  await expect(pollOf(bo)).toContainText(bo.t("poll.result", { count: 2, percent: 100 }));
  await expect(pollOf(bo)).toContainText(bo.t("poll.secret"));
  await expect(pollOf(bo).getByRole("button", { name: bo.t("poll.people") })).toHaveCount(0);
});

test("PL12 PL13 PL14 two people sign up in a list, change their lines, take them back, and its author ends it", async ({
  friends,
  cast,
  openBrowser,
}) => {
  const group = await createGroup(friends.lin, `蛋糕 ${cast.lin.userName}`, [friends.bo]);
  const lin = await openBrowser(cast.lin);
  const bo = await openBrowser({ ...cast.bo, viewport: { width: 390, height: 844 } });
  const network = await Network.install(bo);
  const listOf = (person: Person) => person.page.locator("[data-sign-up]");
  const lines = (person: Person) => listOf(person).getByRole("listitem");
  const words = (person: Person, name: string, text: string) => person.t("signUp.line", { name, text });
  const editLine = async (person: Person, button: string, title: string, text: string) => {
    await listOf(person)
      .getByRole("button", { name: person.t(button) })
      .click();
    const dialog = person.page.getByRole("dialog", { name: person.t(title) });
    const field = dialog.getByLabel(person.t("signUp.myLine"));
    await expect(field).toBeFocused();
    await field.fill(text);
    await person.page.keyboard.press("Enter");
    return dialog;
  };
  await lin.openAndLogIn();
  await lin.openChat(group.name);
  await lin.sendFromPlusMenu("signUp.title");
  const dialog = lin.page.getByRole("dialog", { name: lin.t("signUp.title") });
  await dialog.getByRole("button", { name: lin.t("chat.send") }).click();
  await expect(dialog.getByText(lin.t("signUp.needsQuestion"))).toBeVisible();
  await expectAccessible(lin, "the dialog of a sign-up list");
  await dialog.getByLabel(lin.t("signUp.question")).fill("Who wants cake?");
  await dialog.getByLabel(lin.t("signUp.myLine")).fill("1 portion");
  await dialog.getByRole("button", { name: lin.t("chat.send") }).click();
  await expect(dialog).toHaveCount(0);
  await expect(lin.row(group.name)).toContainText("📝 Who wants cake?");

  await bo.openAndLogIn();
  await bo.openChat(group.name);
  await expect(lines(bo)).toHaveText([words(bo, cast.lin.nickName, "1 portion")]);
  const join = await editLine(bo, "signUp.join", "signUp.join", " ");
  await expect(join.getByText(bo.t("signUp.needsLine"))).toBeVisible();
  await expectAccessible(bo, "the dialog of a line");
  await join.getByLabel(bo.t("signUp.myLine")).fill("2 portions");
  await bo.page.keyboard.press("Enter");
  await expect(join).toHaveCount(0);
  for (const person of [lin, bo]) {
    await expect(lines(person)).toHaveText([
      words(person, cast.lin.nickName, "1 portion"),
      words(person, cast.bo.nickName, "2 portions"),
    ]);
    await expect(listOf(person)).toContainText(person.t("signUp.count", { count: 2 }));
  }

  await lin.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await lin.openMessageMenu("Who wants cake?");
  await lin.menuItem("act.copy").click();
  const copied = [
    "📝 Who wants cake?",
    `1. ${words(lin, cast.lin.nickName, "1 portion")}`,
    `2. ${words(lin, cast.bo.nickName, "2 portions")}`,
  ];
  await expect.poll(() => lin.page.evaluate(() => navigator.clipboard.readText())).toBe(copied.join("\n"));

  // A changed line keeps its place.
  await editLine(lin, "signUp.change", "signUp.change", "3 portions");
  await expect(lines(bo).first()).toHaveText(words(bo, cast.lin.nickName, "3 portions"));

  await network.disconnect();
  await expect(bo.connectionBar()).toBeVisible();
  await editLine(bo, "signUp.change", "signUp.change", "4 portions");
  await expect(lines(bo).last()).toHaveText(words(bo, cast.bo.nickName, "4 portions"));
  await bo.page.reload();
  await expect(lines(bo).last()).toHaveText(words(bo, cast.bo.nickName, "4 portions"));
  await network.restore();
  await bo.retryNow();
  await expect(lines(lin).last()).toHaveText(words(lin, cast.bo.nickName, "4 portions"));
  await expectAccessible(bo, "a sign-up list");

  await lin.openMessageMenu("Who wants cake?");
  await lin.menuItem("signUp.myLine").click();
  await lin.page
    .getByRole("dialog", { name: lin.t("signUp.change") })
    .getByRole("button", { name: lin.t("signUp.takeBack") })
    .click();
  for (const person of [lin, bo])
    await expect(lines(person)).toHaveText([words(person, cast.bo.nickName, "4 portions")]);

  await lin.openMessageMenu("Who wants cake?");
  await lin.menuItem("signUp.close").click();
  await lin.page
    .getByRole("alertdialog", { name: lin.t("signUp.closeTitle") })
    .getByRole("button", { name: lin.t("signUp.close") })
    .click();
  await expect(listOf(bo)).toContainText(bo.t("poll.ended"));
  for (const person of [lin, bo]) await expect(listOf(person).getByRole("button")).toHaveCount(0);
});
