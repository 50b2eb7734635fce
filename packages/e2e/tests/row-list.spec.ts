import { countWork, takeWork } from "../src/commits.ts";
import { expect, test } from "../src/fixtures.ts";

const FRIENDS = 500;
const ROWS_MAX = 60;

test("500 friends: few rows are mounted, the one with the keys always, each says its place, and small moves draw nothing", async ({
  friends: _,
  cast,
  sit,
}) => {
  const bo = await sit(cast.bo);
  await countWork(bo.page);
  await bo.page.route("**/api/friend/list", async (route) => {
    const { code, message, data } = (await (await route.fetch()).json()) as Answer;
    const [lin] = data;
    const more = Array.from({ length: FRIENDS - data.length }, (__, index) => {
      const name = `Row ${String(index).padStart(3, "0")}`;
      return { ...lin, id: 1_000_000 + index, nickName: name, showNickName: name, userName: `row${index}` };
    });
    await route.fulfill({ json: { code, message, data: [...data, ...more] } });
  });
  await bo.open();
  await bo.logIn();
  await bo.link("nav.friends").click();
  const list = bo.page.getByRole("listbox", { name: bo.t("friend.list") });
  const rows = list.getByRole("option");
  const active = list.locator(`[aria-posinset="${FRIENDS}"]`);
  await expect(rows.first()).toBeVisible();
  expect(await rows.count()).toBeLessThanOrEqual(ROWS_MAX);

  await list.focus();
  await list.press("End");
  await expect(active).toBeInViewport({ ratio: 1 });
  await expect(active).toHaveAttribute("aria-setsize", `${FRIENDS}`);
  expect(await list.getAttribute("aria-activedescendant")).toBe(await active.getAttribute("id"));
  expect(await rows.count()).toBeLessThanOrEqual(ROWS_MAX);

  // Far away from the active row, which is still there for screen readers; nothing is blank on the way.
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

  // Within what is mounted anyway.
  const scrolled = () => list.evaluate((element) => element.scrollTop);
  const before = await scrolled();
  await takeWork(bo.page);
  await bo.page.mouse.wheel(0, 20);
  await expect.poll(scrolled).not.toBe(before);
  expect((await takeWork(bo.page)).commits).toBe(0);
});

interface Answer {
  readonly code: number;
  readonly message: string;
  readonly data: readonly object[];
}
