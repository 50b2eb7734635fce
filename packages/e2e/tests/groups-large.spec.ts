import type { Locator } from "@playwright/test";
import { expectAccessible, WIDTHS } from "../src/expect-accessible.ts";
import { expect, test } from "../src/fixtures.ts";
import type { Person, PersonOptions } from "../src/person.ts";

const COUNT = 500;
const ROWS_MAX = 60;
const NAME = "Everybody";
const LAST = `Member ${COUNT - 1}`;
const BO: PersonOptions = { language: "en-US", userName: "bo", nickName: "Bo" };

// The tests share a server that is filled with conversations.
test.describe.configure({ mode: "default" });

/** Bo owns a group of 500 members. */
test.use({
  conversations: {
    people: [
      { userName: "bo", nickName: "Bo" },
      ...Array.from({ length: COUNT - 1 }, (_, index) => ({
        userName: `member${index + 1}`,
        nickName: `Member ${index + 1}`,
      })),
    ],
    conversations: [],
    groups: [{ name: NAME, members: Array.from({ length: COUNT }, (_, index) => index) }],
  },
});

/** Scrolls down until the last row is in view and checks on the way that few rows are mounted. */
async function expectFewRows(rows: Locator, last: Locator): Promise<void> {
  await expect(rows.first()).toBeVisible();
  await rows.first().hover();
  await expect(async () => {
    expect(await rows.count()).toBeLessThanOrEqual(ROWS_MAX);
    await rows.page().mouse.wheel(0, 3_000);
    await expect(last).toBeInViewport({ timeout: 100 });
  }).toPass({ intervals: [20] });
  expect(await rows.count()).toBeLessThanOrEqual(ROWS_MAX);
}

const members = (container: Locator) => container.locator("[data-member]");
const withName = (rows: Locator, name: string) => rows.filter({ hasText: new RegExp(`${name}(?!\\d)`) });

async function logInAndOpenGroup(person: Person): Promise<void> {
  await person.logIn();
  await person.openGroup(NAME);
}

test("a group of 500 lists all members and mounts few: page, panel, selector", async ({ openLogin }) => {
  const bo = await openLogin(BO);
  await logInAndOpenGroup(bo);
  const main = bo.page.getByRole("main");
  await expect(bo.button("groups.pick.remove")).toBeVisible();
  expect(await members(main).count()).toBeLessThanOrEqual(ROWS_MAX);
  await bo.button("groups.pick.remove").click();
  const options = bo.dialog().getByRole("option");
  await expectFewRows(options, withName(options, LAST));
  await withName(options, LAST).click();
  await expect(bo.dialog().getByRole("listitem")).toHaveText(LAST);
  await bo.page.keyboard.press("Escape");

  await bo.link("groups.viewAll").click();
  await expectFewRows(members(main), withName(members(main), LAST));
  await main.getByRole("searchbox").fill("member 49");
  await expect(withName(members(main), "Member 499")).toBeVisible();
  await expect(members(main)).toHaveCount(11);

  await bo.page.goBack();
  await bo.button("friend.message").click();
  await bo.button("chat.groupInfo").click();
  const panel = bo.page.getByRole("complementary");
  await expectFewRows(members(panel), withName(members(panel), LAST));
});

for (const [width, viewport] of WIDTHS) {
  // Other screens of groups are walked through in screens.spec.ts.
  test(`axe finds no serious violation where the owner of a group acts: ${width}, both themes`, async ({
    openSignedIn,
  }) => {
    test.slow();
    const bo = await openSignedIn({ ...BO, viewport });
    await bo.link("nav.groups").click();
    await bo.button("groups.add").click();
    await expect(bo.page.getByRole("menu")).toBeVisible();
    await expectAccessible(bo, "menu of the groups");
    await bo.menuItem("groups.join").click();
    await bo.page.getByRole("searchbox", { name: bo.t("groups.nameOrNumber") }).fill(NAME);
    await bo.page.keyboard.press("Enter");
    await expect(bo.text("error.group.already")).toBeVisible();
    await expectAccessible(bo, "search for a group");
    await bo.page.keyboard.press("Escape");

    await bo.row(NAME).click();
    await bo.button("groups.editNotice").click();
    await bo.field("groups.notice").fill("Please be kind to each other.");
    await expectAccessible(bo, "notice of a group");
    await bo.answerDialog("groups.save");
    await expect(bo.dialog()).toHaveCount(0);
    await bo.button("groups.pick.remove").click();
    await bo.dialog().getByRole("option").nth(1).click();
    await expectAccessible(bo, "selecting members");
    await bo.page.keyboard.press("Escape");
    await bo.link("groups.viewAll").click();
    await bo.button("groups.memberMenu", { name: "Member 1" }).click();
    await expect(bo.page.getByRole("menu")).toBeVisible();
    await expectAccessible(bo, "menu of a member");
    await bo.menuItem("groups.removeOne").click();
    await expect(bo.dialog().getByRole("checkbox")).toBeVisible();
    await expectAccessible(bo, "removing a member");
  });
}
