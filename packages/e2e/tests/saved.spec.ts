import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { sendText } from "../src/api.ts";
import { expect, test } from "../src/fixtures.ts";
import { createGroup, sendToGroup } from "../src/groups.ts";
import { sendFile } from "../src/media.ts";
import { Network } from "../src/network.ts";
import type { Person } from "../src/person.ts";

const list = (person: Person) => person.page.getByRole("list", { name: person.t("saved.title") });
const item = (person: Person, text: string) => list(person).getByRole("listitem").filter({ hasText: text });
const mark = (person: Person, text: string) =>
  person
    .messages()
    .filter({ hasText: text })
    .getByRole("img", { name: person.t("saved.mark") });
const chip = (person: Person, kind: string) =>
  person.page
    .getByRole("radiogroup", { name: person.t("saved.kinds") })
    .getByRole("radio", { name: person.t(`saved.kind.${kind}`), exact: true });

/** Opens the screen by the main menu. */
async function openSaved(person: Person): Promise<void> {
  await person.button("nav.menu").click();
  await person.menuItem("saved.title").click();
  await expect(person.page.getByRole("heading", { name: person.t("saved.title") })).toBeVisible();
}

async function runFromRow(person: Person, text: string, action: string): Promise<void> {
  await item(person, text)
    .getByRole("button", { name: person.t("saved.actions") })
    .click();
  await person.menuItem(action).click();
}

test("SV1 SV2 SV5 SV7 two browsers of one person agree about what is saved, and what its author recalls is gone from both", async ({
  friends,
  cast,
  openBrowser,
  openSignedIn,
}) => {
  for (const text of ["the address of the office", "a mistake", "the menu of Friday"])
    await sendText(friends.lin, friends.bo, text);
  const one = await openBrowser({ ...cast.bo, device: "one" });
  const two = await openBrowser({ ...cast.bo, device: "one" });
  for (const person of [one, two]) await person.openAndLogIn();
  const lin = await openSignedIn(cast.lin);
  await openSaved(two);
  await expect(two.text("saved.empty")).toBeVisible();

  await one.openChat(cast.lin.nickName);
  await one.runMessageAction("the address of the office", "saved.add");
  await expect(mark(one, "the address of the office")).toBeVisible();
  await expect(item(two, "the address of the office")).toContainText(cast.lin.nickName);
  await one.runMessageAction("a mistake", "saved.add");
  await one.runMessageAction("the menu of Friday", "saved.add");
  await expect(list(two).getByRole("listitem")).toHaveCount(3);
  await expect(list(two).getByRole("listitem").first()).toContainText("the menu of Friday");

  // Note and tags, on one device and then on the other.
  await runFromRow(two, "the address of the office", "saved.edit");
  const dialog = two.page.getByRole("dialog", { name: two.t("saved.edit") });
  await expect(dialog.getByLabel(two.t("saved.note"))).toBeFocused();
  await dialog.getByLabel(two.t("saved.note")).fill("for Monday");
  await dialog.getByLabel(two.t("saved.tags")).fill("1,2,3,4,5,6");
  await expect(dialog.getByText(two.t("saved.tooManyTags", { max: 5 }))).toBeVisible();
  await expect(dialog.getByRole("button", { name: two.t("saved.confirm") })).toBeDisabled();
  await dialog.getByLabel(two.t("saved.tags")).fill("work，trip");
  await two.page.keyboard.press("Enter");
  await expect(dialog).toHaveCount(0);
  await openSaved(one);
  for (const person of [one, two]) {
    await expect(item(person, "the address of the office")).toContainText("for Monday");
    await expect(item(person, "the address of the office")).toContainText("trip");
  }

  // The author recalls one.
  await lin.openChat(cast.bo.nickName);
  await lin.runMessageAction("a mistake", "act.recall");
  for (const person of [one, two]) {
    await expect(item(person, "a mistake")).toHaveCount(0);
    await expect(list(person).getByRole("listitem")).toHaveCount(2);
    await person.page.getByRole("searchbox", { name: person.t("saved.search") }).fill("mistake");
    await expect(person.text("saved.notFound")).toBeVisible();
    await person.button("saved.showAll").click();
  }

  // A click leads to the message, and its menu removes it everywhere.
  await item(one, "the menu of Friday").getByRole("button").first().click();
  await expect(one.messages().filter({ hasText: "the menu of Friday" })).toBeInViewport();
  await one.runMessageAction("the menu of Friday", "saved.remove");
  await expect(mark(one, "the menu of Friday")).toHaveCount(0);
  await expect(list(two).getByRole("listitem")).toHaveCount(1);
});

test("SV4 SV6 SV7 without a network the list is read, searched and changed; later it sends copies", async ({
  friends,
  cast,
  openBrowser,
}) => {
  const group = await createGroup(friends.lin, `Trip ${cast.lin.userName}`, [friends.bo]);
  const address = await sendText(friends.lin, friends.bo, "下午三点在办公室");
  const link = await sendText(friends.lin, friends.bo, "see https://example.org/plan");
  const inGroup = await sendToGroup(friends.lin, group.id, "tickets for the train");
  await sendFile(friends.lin, friends.bo, "report.pdf", Buffer.alloc(2_000));
  const rows = await friends.bo.call(ENDPOINTS.privateHistory, { query: { friendId: friends.lin.id } });
  const file = rows.find(({ content }) => content.includes("report.pdf"))?.id ?? 0;
  for (const [id, note, tags] of [
    [address, "", ["工作"]],
    [link, "read it", []],
    [inGroup, "", []],
    [file, "", []],
  ] as const)
    await friends.bo.call(ENDPOINTS.setSaved, { body: { id, note, tags: [...tags] } });

  const bo = await openBrowser(cast.bo);
  const network = await Network.install(bo);
  await bo.openAndLogIn();
  // By the keyboard: the switcher has it as a command.
  await bo.page.keyboard.press("ControlOrMeta+k");
  await bo.page.getByRole("combobox").fill(bo.t("saved.title"));
  await bo.page
    .getByRole("option", { name: bo.t("saved.title") })
    .first()
    .click();
  await expect(list(bo).getByRole("listitem")).toHaveCount(4);
  await expect(item(bo, "report.pdf")).toBeVisible();
  await network.disconnect();
  await bo.page.reload();
  await expect(list(bo).getByRole("listitem")).toHaveCount(4);

  const search = bo.page.getByRole("searchbox", { name: bo.t("saved.search") });
  for (const [typed, found] of [
    ["三点", "下午三点在办公室"],
    ["工作", "下午三点在办公室"],
    ["read", "see https://example.org/plan"],
    ["train", "tickets for the train"],
  ] as const) {
    await search.fill(typed);
    await expect(list(bo).getByRole("listitem")).toHaveCount(1);
    await expect(list(bo)).toContainText(found);
  }
  await search.fill("");
  for (const [kind, count] of [
    ["text", 3],
    ["files", 1],
    ["links", 1],
    ["all", 4],
  ] as const) {
    await chip(bo, kind).click();
    await expect(list(bo).getByRole("listitem")).toHaveCount(count);
  }
  await chip(bo, "voice").click();
  await expect(bo.text("saved.notFound")).toBeVisible();
  await bo.button("saved.showAll").click();

  await runFromRow(bo, "tickets for the train", "saved.remove");
  await expect(list(bo).getByRole("listitem")).toHaveCount(3);
  await network.restore();
  await expect
    .poll(async () => (await friends.bo.call(ENDPOINTS.listSaved, { query: {} })).entries.length)
    .toBe(3);

  await runFromRow(bo, "下午三点在办公室", "saved.send");
  const dialog = bo.page.getByRole("dialog");
  await dialog.getByRole("checkbox", { name: group.name }).click();
  await dialog.getByRole("button", { name: bo.t("compose.sendTo", { count: 1 }) }).click();
  await expect
    .poll(async () =>
      (await friends.lin.call(ENDPOINTS.groupHistory, { query: { groupId: group.id } })).map(
        ({ content }) => content,
      ),
    )
    .toContain("下午三点在办公室");
});
