import { countRenderWork, readRenderWork } from "../src/render-work.ts";
import { expect, test } from "../src/fixtures.ts";
import { createGroup } from "../src/groups.ts";

const ROWS = 500;
const ROWS_MAX = 60;

test("500 friends: few rows are mounted, the active one always, each with its position, and small scrolls render nothing", async ({
  friends: _,
  cast,
  openBrowser,
}) => {
  const bo = await openBrowser(cast.bo);
  await countRenderWork(bo.page);
  await bo.page.route("**/api/friend/list", async (route) => {
    const { code, message, data } = (await (await route.fetch()).json()) as Answer;
    const [lin] = data;
    const more = Array.from({ length: ROWS - data.length }, (__, index) => {
      const name = `Row ${String(index).padStart(3, "0")}`;
      return { ...lin, id: 1_000_000 + index, nickName: name, showNickName: name, userName: `row${index}` };
    });
    await route.fulfill({ json: { code, message, data: [...data, ...more] } });
  });
  await bo.openAndLogIn();
  await bo.link("nav.friends").click();
  const list = bo.page.getByRole("listbox", { name: bo.t("friend.list") });
  const rows = list.getByRole("option");
  const active = list.locator(`[aria-posinset="${ROWS}"]`);
  await expect(rows.first()).toBeVisible();
  // The letters come a moment later, and their headings move the rows.
  await expect(bo.byLabel("friend.letters")).toBeVisible();
  expect(await rows.count()).toBeLessThanOrEqual(ROWS_MAX);

  await list.focus();
  await list.press("End");
  await expect(active).toBeInViewport({ ratio: 1 });
  await expect(active).toHaveAttribute("aria-setsize", `${ROWS}`);
  expect(await list.getAttribute("aria-activedescendant")).toBe(await active.getAttribute("id"));
  expect(await rows.count()).toBeLessThanOrEqual(ROWS_MAX);

  // Far from the active row, that row stays mounted for screen readers. No part of the list is blank on the way.
  const box = await list.boundingBox();
  await bo.page.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 200);
  for (let turns = 0; turns < 12; turns++) {
    await bo.page.mouse.wheel(0, -1_000);
    await expect
      .poll(() =>
        bo.page.evaluate(() => document.elementFromPoint(200, 400)?.closest("[role=option]") !== null),
      )
      .toBe(true);
  }
  await expect(active).not.toBeInViewport();
  expect(await rows.count()).toBeLessThanOrEqual(ROWS_MAX);

  // Scroll within the mounted rows, after the list has come to rest.
  const scrollTop = () => list.evaluate((element) => element.scrollTop);
  await expect
    .poll(async () => {
      const top = await scrollTop();
      await readRenderWork(bo.page);
      await bo.page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)));
      return (await scrollTop()) === top && (await readRenderWork(bo.page)).commits;
    })
    .toBe(0);
  const before = await scrollTop();
  await readRenderWork(bo.page);
  await bo.page.mouse.wheel(0, 20);
  await expect.poll(scrollTop).not.toBe(before);
  expect((await readRenderWork(bo.page)).commits).toBe(0);
});

test("500 members: group page and panel mount few rows, each with its position, and the focused row stays mounted", async ({
  friends,
  lin,
  cast,
}) => {
  const name = `全员 ${cast.lin.userName}`;
  const group = await createGroup(friends.lin, name, [friends.bo]);
  await lin.page.route("**/api/group/members/*", async (route) => {
    const { code, message, data } = (await (await route.fetch()).json()) as Answer;
    const last = data.at(-1);
    const more = Array.from({ length: ROWS - data.length }, (_, index) => {
      return { ...last, userId: 2_000_000 + index, showNickName: `成员 ${String(index).padStart(3, "0")}` };
    });
    await route.fulfill({ json: { code, message, data: [...data, ...more] } });
  });
  await lin.open(`/home/group/${group.id}/members`);
  const list = lin.page.getByRole("list", { name: lin.t("groups.membersTitle") });
  const rows = list.getByRole("listitem");
  await expect(rows.first()).toHaveAttribute("aria-setsize", `${ROWS}`);
  expect(await rows.count()).toBeLessThanOrEqual(ROWS_MAX);
  const focused = rows.first().getByRole("button").first();
  await focused.focus();
  await list.hover();
  for (let turns = 0; turns < 6; turns++) await lin.page.mouse.wheel(0, 2_000);
  await expect(rows.first()).not.toBeInViewport();
  await expect(focused).toBeFocused();
  expect(await rows.count()).toBeLessThanOrEqual(ROWS_MAX);
  await lin.page.mouse.wheel(0, 100_000);
  await expect(list.locator(`[aria-posinset="${ROWS}"]`)).toBeInViewport();

  // In the panel the list is below other parts, and the panel scrolls as a whole.
  await lin.link("nav.chats").click();
  await lin.openChat(name);
  await lin.button("chat.groupInfo").click();
  const members = lin.page.getByRole("list", { name: lin.t("groups.membersCount", { count: ROWS }) });
  const memberRows = members.getByRole("listitem");
  await expect(memberRows.first()).toHaveAttribute("aria-setsize", `${ROWS}`);
  expect(await memberRows.count()).toBeLessThanOrEqual(ROWS_MAX);
  await memberRows.first().hover();
  await lin.page.mouse.wheel(0, 100_000);
  await expect(members.locator(`[aria-posinset="${ROWS}"]`)).toBeInViewport();
  expect(await memberRows.count()).toBeLessThanOrEqual(ROWS_MAX);
});

interface Answer {
  readonly code: number;
  readonly message: string;
  readonly data: readonly object[];
}
