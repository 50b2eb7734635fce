import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { befriend, createAccount, sendText } from "../src/api.ts";
import { expect, test } from "../src/fixtures.ts";
import { createGroup, sendToGroup } from "../src/groups.ts";
import type { Person } from "../src/person.ts";

const bar = (person: Person) => person.page.getByRole("region", { name: person.t("pin.title") });
/** The line of the bar, which a click goes on from. */
const line = (person: Person) => bar(person).getByRole("button").first();

test("PN1 PN2 PN3 PN5 PN6 two people pin messages, step through them, hide the bar and unpin", async ({
  friends,
  chatting: { lin, bo },
  cast,
}) => {
  await sendText(friends.lin, friends.bo, "the address of the office");
  for (let n = 1; n <= 60; n++) await sendText(friends.lin, friends.bo, `line ${n}`);
  await sendText(friends.bo, friends.lin, "the menu of Friday");
  await lin.expectMessage("the menu of Friday");
  await expect(bar(lin)).toHaveCount(0);

  await lin.runMessageAction("the menu of Friday", "act.pin");
  await expect(line(lin)).toHaveText(`${cast.bo.nickName} the menu of Friday`);
  await expect(line(bo)).toHaveText(new RegExp("the menu of Friday$"));
  await expect(
    bo
      .messages()
      .filter({ hasText: "the menu of Friday" })
      .getByRole("img", { name: bo.t("pin.mark") }),
  ).toBeVisible();

  // Another one, which no device has in memory.
  const { id: old } = (
    await friends.lin.call(ENDPOINTS.privateHistory, {
      query: { friendId: friends.bo.id, minId: 0, size: 5 },
    })
  ).find(({ content }) => content === "the address of the office") ?? { id: 0 };
  await lin.page.reload();
  await expect(line(lin)).toHaveText(new RegExp("the menu of Friday$"));
  await friends.bo.call(ENDPOINTS.setPin, { body: { id: old, on: true } });
  for (const person of [lin, bo]) {
    await expect(line(person)).toHaveText(new RegExp("the address of the office$"));
    await expect(
      bar(person).getByRole("img", { name: person.t("pin.place", { number: 1, count: 2 }) }),
    ).toBeVisible();
  }
  await line(lin).click();
  await expect(lin.messages().filter({ hasText: "the address of the office" })).toBeInViewport();
  await expect(line(lin)).toHaveText(new RegExp("the menu of Friday$"));
  await line(lin).click();
  await expect(lin.messages().filter({ hasText: "the menu of Friday" })).toBeInViewport();
  await expect(line(lin)).toHaveText(new RegExp("the address of the office$"));

  // Hidden until something else is pinned, also after a reload.
  await bar(lin)
    .getByRole("button", { name: lin.t("pin.hide") })
    .click();
  await expect(bar(lin)).toHaveCount(0);
  await lin.page.reload();
  await lin.expectMessage("the menu of Friday");
  await expect(
    lin
      .messages()
      .filter({ hasText: "the menu of Friday" })
      .getByRole("img", { name: lin.t("pin.mark") }),
  ).toBeVisible();
  await expect(bar(lin)).toHaveCount(0);
  await bo.runMessageAction("line 60", "act.pin");
  await expect(line(lin)).toHaveText(new RegExp("line 60$"));

  await bo.runMessageAction("line 60", "act.unpin");
  await expect(line(bo)).toHaveText(new RegExp("the address of the office$"));
  await bo.runMessageAction("the menu of Friday", "act.recall");
  await expect(bar(bo).getByRole("img", { name: bo.t("pin.place", { number: 1, count: 2 }) })).toHaveCount(0);
  await friends.bo.call(ENDPOINTS.setPin, { body: { id: old, on: false } });
  for (const person of [lin, bo]) await expect(bar(person)).toHaveCount(0);
});

test("PN1 PN4 PN7 the panel of a group lists its pinned messages, for whoever came later those they see", async ({
  friends,
  cast,
  server,
  openSignedIn,
}) => {
  const group = await createGroup(friends.lin, `置顶组 ${cast.lin.userName}`, [friends.bo]);
  const before = await sendToGroup(friends.lin, group.id, "before Mei came");
  const mei = await createAccount(server.url, cast.mei.userName, cast.mei.nickName);
  await befriend(friends.lin, mei);
  await friends.lin.call(ENDPOINTS.inviteToGroup, { body: { groupId: group.id, friendIds: [mei.id] } });
  const [one, two] = [
    await sendToGroup(friends.lin, group.id, "one"),
    await sendToGroup(friends.lin, group.id, "two"),
  ];
  for (const id of [before, one, two]) await friends.lin.call(ENDPOINTS.setPin, { body: { id, on: true } });

  const page = await openSignedIn(cast.mei);
  await page.openChat(group.name);
  await expect(line(page)).toHaveText(new RegExp("two$"));
  await bar(page)
    .getByRole("button", { name: page.t("pin.list") })
    .click();
  const panel = page.page.getByRole("complementary", { name: page.t("pin.title") });
  await expect(panel.getByRole("listitem")).toHaveCount(2);
  await expect(panel).toContainText(page.t("pin.unseen", { count: 1 }));
  // Only admins edit this group, so only they pin.
  await expect(panel.getByRole("button", { name: page.t("act.unpin") })).toHaveCount(0);
  await page.openMessageMenu("two");
  await expect(page.menuItem("act.quote")).toBeVisible();
  await expect(page.menuItem("act.unpin")).toHaveCount(0);
  await page.page.keyboard.press("Escape");

  // The owner unpins in the panel; it is gone for everybody.
  const owner = await openSignedIn(cast.lin);
  await owner.openChat(group.name);
  await bar(owner)
    .getByRole("button", { name: owner.t("pin.list") })
    .click();
  const list = owner.page.getByRole("complementary", { name: owner.t("pin.title") });
  await expect(list.getByRole("listitem")).toHaveCount(3);
  await list
    .getByRole("listitem")
    .filter({ hasText: "two" })
    .getByRole("button", { name: owner.t("act.unpin") })
    .click();
  await expect(list.getByRole("listitem")).toHaveCount(2);
  await expect(panel.getByRole("listitem")).toHaveCount(1);
  await list.getByRole("listitem").first().getByRole("button").first().click();
  await expect(owner.messages().filter({ hasText: "one" })).toBeInViewport();
});
