import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { countMedia, hears } from "../src/call-media.ts";
import { answer, callWindow, connectCall, expectSentences, patient, prompt, timer } from "../src/calls.ts";
import { expect, test } from "../src/fixtures.ts";
import type { Person } from "../src/person.ts";

const NOTHING = { tracks: 0, connections: 0 };

/** Whether it tells the server that a page is gone. */
const isReport = (message: { url(): string }) => message.url().includes("/webrtc/gone");

test("PC35 a person who loads the page again while talking has hung up: devices are off, nobody is busy, there is one record, and the next call connects", async ({
  friends,
  cast,
  openBrowser,
}) => {
  const [lin, bo] = await Promise.all([openBrowser(cast.lin), openBrowser(cast.bo)]);
  const open = await Promise.all([lin, bo].map(({ page }) => countMedia(page)));
  await Promise.all([lin, bo].map((person) => person.openAndLogIn()));
  await lin.openChat(cast.bo.nickName);
  await bo.openChat(cast.lin.nickName);
  const info = (account: typeof friends.lin, other: typeof friends.lin) =>
    account.call(ENDPOINTS.findPrivateCall, { query: { uid: other.id } });

  const reloads = [
    { who: lin, other: bo, otherNick: cast.bo.nickName },
    { who: bo, other: lin, otherNick: cast.lin.nickName },
  ];
  for (const [index, { who, other, otherNick }] of reloads.entries()) {
    await connectCall(lin, bo, "video");
    for (const count of open) await patient.poll(count).toEqual({ tracks: 2, connections: 1 });

    await expectSentences(async () => void (await who.page.reload()), [other, other.t("call.end.hungUp")]);
    await who.openChat(otherNick);
    for (const person of [lin, bo]) {
      await expect(callWindow(person)).toHaveCount(0);
      await expect(prompt(person)).toHaveCount(0);
      await expect(person.messages()).toHaveCount(index + 1);
      await expect(person.messages().last()).toContainText(/ \d\d:\d\d/);
    }
    for (const count of open) await patient.poll(count).toEqual(NOTHING);
    expect(await info(friends.lin, friends.bo)).toMatchObject({ isChating: false });
    expect(await info(friends.bo, friends.lin)).toMatchObject({ isChating: false });
  }
  await connectCall(bo, lin);
});

test("PC55 a page that crashes while talking leaves nobody busy: the next page ends its call, and another tab does not as long as the page lives", async ({
  friends,
  cast,
  openBrowser,
}) => {
  const [lin, bo] = await Promise.all([openBrowser(cast.lin), openBrowser(cast.bo)]);
  for (const person of [lin, bo]) await person.openAndLogIn();
  await lin.openChat(cast.bo.nickName);
  await connectCall(lin, bo);

  const other = await lin.openTab();
  const reports: string[] = [];
  other.page.on("request", (request) => void (isReport(request) && reports.push(request.url())));
  // It is loaded because the call of the first tab was found.
  const loaded = other.page.waitForResponse(/calls-chunk/);
  await other.logIn();
  await loaded;
  await other.openChat(cast.bo.nickName);
  await other.page.close();
  expect(reports).toEqual([]);
  await patient(timer(lin)).toBeVisible();

  const crashed = lin.page.waitForEvent("crash");
  const devTools = await lin.context.newCDPSession(lin.page);
  // A page that has crashed does not answer.
  devTools.send("Page.crash").catch(() => undefined);
  await crashed;
  const next = await lin.openTab();
  const reported = next.page.waitForResponse((response) => isReport(response));
  await next.logIn();
  await reported;
  const info = { query: { uid: friends.lin.id } };
  expect(await friends.bo.call(ENDPOINTS.findPrivateCall, info)).toMatchObject({ isChating: false });
  await expect(callWindow(bo)).toHaveCount(0);
  await next.openChat(cast.bo.nickName);
  await connectCall(next, bo);
});

test("GC50 a person who loads the page again in the call of a group has left it: the others see that and go on, and joining it again works at once", async ({
  team: { group, lin, bo, mei },
  cast,
}) => {
  await lin.button("groupCall.start").click();
  for (const { nickName } of [cast.bo, cast.mei])
    await lin.dialog().getByRole("option", { name: nickName }).click();
  await lin.answerDialog("groups.confirm.call", { count: 2 });
  // At the same time, because it rings for half a minute only.
  await Promise.all(
    [bo, mei].map(async (person) => {
      await patient(prompt(person)).toBeVisible();
      await answer(person);
    }),
  );
  for (const person of [lin, bo, mei]) await patient(timer(person)).toBeVisible();

  const left = (person: Person, { nickName }: { nickName: string }) =>
    person.t("groupCall.left.sentence", {
      names: person.t("names.quoted", { name: nickName }),
      what: person.t("groupCall.left.quit"),
    });
  await expectSentences(
    async () => void (await bo.page.reload()),
    [lin, left(lin, cast.bo)],
    [mei, left(mei, cast.bo)],
  );
  await bo.openChat(group.name);
  await expect(callWindow(bo)).toHaveCount(0);
  await expect(prompt(bo)).toHaveCount(0);
  await patient.poll(() => hears(lin.page, 1)).toBe(true);

  await bo.button("groupCall.join").first().click();
  await Promise.all([lin, bo, mei].map((person) => patient.poll(() => hears(person.page, 2)).toBe(true)));
});
