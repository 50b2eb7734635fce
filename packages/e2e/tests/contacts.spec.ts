import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { befriend, createAccount } from "../src/api.ts";
import { expect, test } from "../src/fixtures.ts";
import type { Person } from "../src/person.ts";

const letterBar = (person: Person) => person.page.getByRole("toolbar", { name: person.t("friend.letters") });
const requestsRegion = (person: Person) =>
  person.page.getByRole("region", { name: person.t("request.title") });
const toastButton = (person: Person) => person.page.locator("[data-toasts]").getByRole("button");

test("P144 friends are grouped by letter, by pinyin and remark first, and pointer and keys jump to a letter", async ({
  friends,
  server,
  cast,
  openSignedIn,
}) => {
  const names = [
    "阿布",
    "曾小贤",
    "Émile",
    "42号",
    "美玲",
    "张三",
    ...Array.from({ length: 20 }, (_, i) => `李${i}`),
  ];
  const crowd = await Promise.all(
    names.map((name, index) => createAccount(server.url, cast.other(`c${index}x`).userName, name)),
  );
  for (const account of crowd) await befriend(friends.lin, account);
  const body = { friendId: friends.bo.id, remarkNickName: "王老板" };
  await friends.lin.call(ENDPOINTS.updateFriendRemark, { body });
  const lin = await openSignedIn(cast.lin);
  await lin.link("nav.friends").click();
  await expect(letterBar(lin).getByRole("button")).toHaveText(["A", "E", "L", "M", "W", "Z", "#"]);
  const headings = lin.page.getByRole("listbox", { name: lin.t("friend.list") }).getByRole("presentation");
  await expect(headings.first()).toHaveText("A");
  await expect(lin.row("阿布")).toHaveAccessibleName("阿布");

  await letterBar(lin).getByRole("button", { name: "W", exact: true }).click();
  await expect(lin.row("王老板")).toBeInViewport();
  await lin.page.keyboard.press("Home");
  await expect(lin.row("阿布")).toBeInViewport();
  await lin.page.keyboard.press("End");
  await expect(letterBar(lin).getByRole("button", { name: "#" })).toBeFocused();
  await expect(lin.row("42号")).toBeInViewport();
  await lin.page.keyboard.press("ArrowUp");
  await lin.page.keyboard.press("Enter");
  const list = lin.page.getByRole("listbox", { name: lin.t("friend.list") });
  await expect(list).toBeFocused();
  // A surname has its own pinyin: 曾 is Zeng, not Ceng.
  await lin.page.keyboard.press("Enter");
  await expect(lin.page.getByRole("heading", { level: 1 })).toHaveText(/曾小贤|张三/);
});

test("P146 P147 two requests are shown above the friends and all on their page, each once; after accepting one can write at once", async ({
  server,
  cast,
  openSignedIn,
}) => {
  const me = await createAccount(server.url, cast.lin.userName, cast.lin.nickName);
  for (const name of ["Ada", "Ben", "Cleo"]) {
    const account = await createAccount(server.url, cast.other(name).userName, name);
    await account.call(ENDPOINTS.applyFriend, { body: { friendId: me.id, source: 1, remark: "hello" } });
  }
  const lin = await openSignedIn(cast.lin);
  await expect(lin.row(lin.t("chat.system"))).toContainText(
    `${lin.t("preview.friendApply")} ${lin.t("preview.friendApplyBy", { name: "Cleo" })}`,
  );
  await lin.link("nav.friends").click();
  await expect(requestsRegion(lin).getByRole("article")).toHaveCount(2);
  await requestsRegion(lin)
    .getByRole("button", { name: lin.t("request.all", { count: 3 }) })
    .click();
  await expect(lin.page.getByRole("article")).toHaveCount(3);
  await expect(requestsRegion(lin)).toHaveCount(0);
  const main = lin.page.getByRole("main", { name: lin.t("request.title") });

  // The time of the page stands still but where the test lets it pass, so that no toast ends while a slow machine looks for it.
  await lin.page.clock.install();
  await lin.page.clock.pauseAt(new Date(Date.now() + 10_000));
  const accept = async (name: string) =>
    main
      .getByRole("article", { name })
      .getByRole("button", { name: lin.t("request.approve") })
      .click();
  await accept("Ben");
  await expect(lin.page.getByText(lin.t("request.accepted", { name: "Ben" }))).toBeVisible();
  await lin.page.keyboard.press("Shift+F6");
  while (!(await toastButton(lin).evaluate((button) => button === document.activeElement)))
    await lin.page.keyboard.press("F6");
  await lin.page.clock.runFor(20_000);
  await expect(toastButton(lin)).toBeFocused();
  await lin.page.keyboard.press("Escape");
  await expect(toastButton(lin)).toHaveCount(0);

  await accept("Ada");
  await expect(toastButton(lin)).toHaveText(lin.t("request.write"));
  await lin.page.clock.runFor(8_000);
  await expect(toastButton(lin)).toHaveCount(0);

  await accept("Cleo");
  await expect(lin.text("request.none")).toBeVisible();
  await toastButton(lin).click();
  await expect(toastButton(lin)).toHaveCount(0);
  await expect(lin.page.locator("main header").getByRole("heading")).toHaveText("Cleo");
  await expect(lin.composer()).toBeFocused();
});

test("a remark is saved once, gives the focus back, and an answer that comes late leaves a second edit alone", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  const bo = await openSignedIn(cast.bo);
  await bo.open(`/home/friend/${friends.lin.id}`);
  const edit = bo.button("friend.editRemark");
  const remark = bo.field("friend.remark");
  const name = bo.page.getByRole("heading", { level: 1 });
  const held = Promise.withResolvers<void>();
  let requests = 0;
  await bo.context.route("**/api/friend/update/remark", async (route) => {
    requests++;
    await held.promise;
    await route.continue();
  });
  await edit.click();
  await remark.fill("One");
  await remark.press("Enter");
  await remark.press("Enter");
  await expect(remark).toHaveAttribute("readonly");
  await remark.press("Escape");
  await expect(edit).toBeFocused();
  await edit.press("Enter");
  await remark.fill("Two");
  held.resolve();
  await expect(name).toHaveText("One");
  await expect(remark).toHaveValue("Two");
  expect(requests).toBe(1);
  await remark.press("Enter");
  await expect(name).toHaveText("Two");
  await expect(edit).toBeFocused();
  await edit.press("Enter");
  await bo.button("app.cancel").click();
  await expect(edit).toBeFocused();
  await edit.press("Enter");
  await remark.fill("Three");
  await bo.button("friend.saveRemark").click();
  await expect(name).toHaveText("Three");
  await expect(edit).toBeFocused();
});

test("P145 a new user sees a welcome with the username to share and the first things to do", async ({
  cast,
  openLogin,
}) => {
  const lin = await openLogin(cast.lin);
  await lin.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await lin.register();
  const welcome = lin.page.getByRole("region", { name: lin.t("welcome.label") });
  await expect(welcome).toContainText(lin.t("welcome.title", { name: cast.lin.nickName }));
  await expect(welcome).toContainText(cast.lin.userName);
  await welcome.getByRole("button", { name: lin.t("act.copy"), exact: true }).click();
  await lin.expectToast(lin.t("chat.copied"));
  expect(await lin.page.evaluate(() => navigator.clipboard.readText())).toBe(cast.lin.userName);
  await welcome.getByRole("button", { name: new RegExp(lin.t("friend.add")) }).click();
  await expect(lin.dialog().getByRole("searchbox")).toBeFocused();
  await lin.page.keyboard.press("Escape");
  await welcome.getByRole("button", { name: new RegExp(lin.t("chat.self")) }).click();
  await expect(lin.page.locator("main header").getByRole("heading")).toHaveText(lin.t("chat.self"));
});
