import { createAccount, PASSWORD, sendText, sendTexts } from "../src/api.ts";
import { expectBadgesMatchServer, recordBadges } from "../src/unread-badges.ts";
import { freeze, slowDown } from "../src/browser-faults.ts";
import { expect, test } from "../src/fixtures.ts";
import { testInFullRun, seededRandom } from "../src/full-run.ts";
import type { Person } from "../src/person.ts";

/** Faults K30 and K31: several tabs of one browser. */

const NO_MARKS: ReadonlySet<string> = new Set();

/** What a page has done with sounds. */
interface SoundWindow {
  readonly played: { sounds: number; audio: BaseAudioContext | null };
}

/** Counts the sounds that pages play. Call it before the first page opens. */
async function countSounds(person: Person): Promise<void> {
  await person.context.addInitScript(() => {
    const played: SoundWindow["played"] = { sounds: 0, audio: null };
    Object.assign(window, { played });
    const { start } = AudioBufferSourceNode.prototype;
    AudioBufferSourceNode.prototype.start = function count(this: AudioBufferSourceNode) {
      played.sounds += 1;
      played.audio = this.context;
      start.call(this);
    };
  });
}

/** How many sounds each tab has played, after all have finished alerting for what they have received. */
function soundsIn(tabs: readonly Person[]): Promise<number[]> {
  return Promise.all(
    tabs.map((tab) =>
      tab.page.evaluate(async () => {
        // A tab that alerts holds this lock or waits for it.
        await navigator.locks.request("parley.parley.sound", () => undefined);
        return (window as unknown as SoundWindow).played.sounds;
      }),
    ),
  );
}

/** Whether the audio device of the page is open: "running", or "suspended" while nothing plays. */
const audioState = ({ page }: Person) =>
  page.evaluate(() => (window as unknown as SoundWindow).played.audio?.state);

/** Browsers let a page play sounds only after a user action. */
async function activate(tab: Person): Promise<void> {
  await tab.page.keyboard.press("Shift");
}

/** Logs in with a remembered password, so that further tabs log in by themselves. */
async function logInForTabs(person: Person): Promise<void> {
  await person.open();
  await person.byLabel("login.rememberPassword").check();
  await person.logIn();
}

test("K30: of two tabs, one of them slow, one plays the sound and both show the same; a frozen tab catches up; each keeps its socket", async ({
  friends,
  cast,
  openBrowser,
}) => {
  const first = await openBrowser(cast.bo);
  await countSounds(first);
  await recordBadges(first);
  const sockets: Person[] = [];
  first.page.on("websocket", () => sockets.push(first));
  await logInForTabs(first);
  const second = await first.openTab(true);
  second.page.on("websocket", () => sockets.push(second));
  await second.open();
  await expect(second.row(cast.lin.nickName)).toBeVisible();
  for (const tab of [first, second]) await activate(tab);
  const devices = [first, second].map((person) => ({ person, marks: NO_MARKS }));

  await slowDown(second, 20);
  await sendText(friends.lin, friends.bo, "one");
  await expectBadgesMatchServer(friends.bo, devices);
  await slowDown(second, 1);
  const [firstSounds = 0, secondSounds = 0] = await soundsIn([first, second]);
  expect(firstSounds + secondSounds).toBe(1);
  await expect.poll(() => audioState(firstSounds === 1 ? first : second)).toBe("suspended");

  const wake = await freeze(second);
  await sendTexts(friends.lin, friends.bo, ["two", "three"]);
  await expectBadgesMatchServer(friends.bo, devices.slice(0, 1));
  expect(await soundsIn([first])).toEqual([firstSounds + 1]);
  await first.page.bringToFront();
  await first.openChat(cast.lin.nickName);
  await first.send("back");
  await first.expectTexts(["one", "two", "three", "back"]);
  await wake();
  await expectBadgesMatchServer(friends.bo, devices);
  expect(await soundsIn([first, second])).toEqual([firstSounds + 1, secondSounds]);
  await second.openChat(cast.lin.nickName);
  await second.expectTexts(["one", "two", "three", "back"]);

  await first.page.close();
  await second.link("nav.friends").click();
  await second.link("nav.chats").click();
  await sendText(friends.lin, friends.bo, "to the one that is left");
  await expectBadgesMatchServer(friends.bo, devices.slice(1));
  expect(await soundsIn([second])).toEqual([secondSounds + 1]);
  expect(sockets).toEqual([first, second]);
  await expect(second.dialog()).toHaveCount(0);
});

testInFullRun(
  "K30: tabs that are frozen, slowed down, closed and opened at random show the server's counts after each round",
  async ({ friends, cast, openBrowser }) => {
    test.setTimeout(600_000);
    const random = seededRandom();
    const first = await openBrowser(cast.bo);
    await recordBadges(first);
    await logInForTabs(first);
    const tabs = [first, await first.openTab()];
    const rounds = 25;
    const randomTab = () => tabs[Math.floor(random() * tabs.length)] ?? first;
    for (let round = 0; round < rounds; round++) {
      const victim = randomTab();
      const fault = Math.floor(random() * 4);
      let repair = async () => {};
      if (fault === 0) repair = await freeze(victim);
      if (fault === 1) {
        await slowDown(victim, 1 + Math.floor(random() * 20));
        repair = () => slowDown(victim, 1);
      }
      if (fault === 2 && tabs.length > 1) {
        tabs.splice(tabs.indexOf(victim), 1);
        await victim.page.close();
      }
      if (fault === 3 && tabs.length < 4) tabs.push(await first.openTab());
      const texts = Array.from({ length: 1 + Math.floor(random() * 4) }, (_, index) => `${round}.${index}`);
      await sendTexts(friends.lin, friends.bo, texts);
      const reader = randomTab();
      if (random() < 0.5 && !(fault === 0 && reader === victim)) {
        await reader.page.bringToFront();
        await reader.openChat(cast.lin.nickName);
        // The chat opens at its first unread message, which may be far above the last one.
        await expect(reader.messages().first()).toBeVisible();
        await reader.link("nav.friends").click();
        await reader.link("nav.chats").click();
      }
      await repair();
      await expectBadgesMatchServer(
        friends.bo,
        tabs.map((person) => ({ person, marks: NO_MARKS })),
      );
    }
    test.info().annotations.push({ type: "done", description: `${rounds} rounds of two to four tabs` });
  },
);

test("K30: a tab closed while it refreshes the shared session leaves the other tab signed in", async ({
  friends,
  cast,
  bo,
}) => {
  await expect(bo.row(cast.lin.nickName)).toBeVisible();
  const copy = await bo.duplicate();
  await expect(copy.row(cast.lin.nickName)).toBeVisible();
  for (const tab of [bo, copy]) {
    await tab.page.evaluate(() => {
      const session = JSON.parse(sessionStorage.getItem("parley.session") ?? "") as {
        tokens: { accessEndsAt: number };
      };
      session.tokens.accessEndsAt = 0;
      sessionStorage.setItem("parley.session", JSON.stringify(session));
    });
  }
  const { promise: refreshed, resolve, reject } = Promise.withResolvers<void>();
  await bo.page.route("**/refreshToken", (route) => route.fetch().then(() => resolve(), reject));
  await bo.page.reload();
  await refreshed;
  await copy.page.reload();
  await expect(copy.row(cast.lin.nickName)).toBeVisible();
  await bo.page.close();
  await sendText(friends.lin, friends.bo, "still in");
  await copy.openChat(cast.lin.nickName);
  await copy.expectTexts(["still in"]);
  await expect(copy.connectionBar()).toHaveCount(0);
});

test("K31: logout in one tab ends all tabs; the next user sees none of the data; cleared site data ends all sessions", async ({
  friends,
  cast,
  server,
  openBrowser,
}) => {
  const { userName, nickName } = cast.other("ann");
  const ann = await createAccount(server.url, userName, nickName);
  const first = await openBrowser(cast.bo);
  await logInForTabs(first);
  const second = await first.openTab();
  await second.openChat(cast.lin.nickName);
  await second.send("said by bo");
  await second.composer().fill("thought by bo");

  await first.logOut();
  await expect(second.page).toHaveURL(/\/login$/);
  await second.page.reload();
  await expect(second.button("login.submit")).toBeVisible();

  await second.byLabel("login.username").fill(ann.userName);
  await second.byLabel("login.password").fill(PASSWORD);
  await second.byLabel("login.rememberPassword").uncheck();
  await second.button("login.submit").click();
  await second.expectHome();
  await expect(second.page).toHaveTitle(ann.nickName);
  await expect(second.page.locator("body")).not.toContainText(/by bo/);
  await expect(first.page).toHaveURL(/\/login$/);

  // Two users in two tabs: no data of one reaches the tab of the other.
  await first.byLabel("login.username").fill(cast.bo.userName);
  await first.byLabel("login.password").fill(PASSWORD);
  await first.button("login.submit").click();
  await first.expectHome();
  await first.openChat(cast.lin.nickName);
  await expect(first.composer()).toHaveValue("thought by bo");
  await sendText(friends.lin, friends.bo, "said to bo");
  await first.expectTexts(["said by bo", "said to bo"]);
  await expect(second.page).toHaveTitle(ann.nickName);
  await expect(second.page.locator("body")).not.toContainText(/by bo|to bo/);
  for (const tab of [first, second]) await expect(tab.dialog()).toHaveCount(0);

  await first.page.evaluate(() => localStorage.clear());
  for (const tab of [first, second]) await expect(tab.page).toHaveURL(/\/login$/);
  for (const tab of [first, second]) {
    await tab.page.reload();
    await expect(tab.button("login.submit")).toBeVisible();
  }
});
