import { readFile } from "node:fs/promises";
import { createTone } from "@parley/server/testing/tone";
import type { Locator, Page } from "@playwright/test";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { sendText, sendTexts } from "../src/api.ts";
import { expectAccessible } from "../src/expect-accessible.ts";
import { watchFlashes } from "../src/flashes.ts";
import { expect, test } from "../src/fixtures.ts";
import { loopSounds, recordVideo, sendFile, sendPicture, sendVideo, sendVoice } from "../src/media.ts";
import { TimelineView } from "../src/timeline-view.ts";

const SIZES = [
  { name: "desktop", viewport: { width: 1_440, height: 900 }, isTouch: false },
  { name: "phone", viewport: { width: 390, height: 844 }, isTouch: true },
] as const;

interface SoundWindow {
  /** Every audio element that the page has made. */
  readonly parleySounds: HTMLAudioElement[];
}

/** Remembers what the page makes to play sounds, so that a test can listen. */
async function recordSounds(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const parleySounds: HTMLAudioElement[] = [];
    const Original = window.Audio;
    Object.assign(window, {
      parleySounds,
      Audio: function Audio(source?: string) {
        const audio = new Original(source);
        parleySounds.push(audio);
        return audio;
      },
    });
  });
}

/** The loudness of what plays, from 0 to 1, and the position in seconds. */
function listen(page: Page): Promise<{ loudness: number; position: number }> {
  return page.evaluate(async () => {
    const audio = (window as unknown as SoundWindow).parleySounds.find((one) => !one.paused);
    if (audio === undefined) return { loudness: 0, position: 0 };
    // What the person hears stays as it is: this reads the same file again.
    const context = new AudioContext();
    const decoded = await context.decodeAudioData(await (await fetch(audio.src)).arrayBuffer());
    const samples = decoded.getChannelData(0);
    const from = Math.floor(audio.currentTime * decoded.sampleRate);
    const part = samples.subarray(from, from + 2_000);
    await context.close();
    const loudness = Math.sqrt(part.reduce((sum, one) => sum + one * one, 0) / Math.max(1, part.length));
    return { loudness, position: audio.currentTime };
  });
}

/** Where rows are, rounded to whole pixels. */
const boxesOf = (rows: Locator) =>
  rows.evaluateAll((elements) =>
    elements.map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return [x, y, width, height].map(Math.round);
    }),
  );

for (const { name, viewport, isTouch } of SIZES) {
  test(`B5 B7 a picture arrives on a ${name}: nothing moves while it loads, and it can be loaded again`, async ({
    friends,
    cast,
    openLogin,
  }) => {
    const bo = await openLogin({ ...cast.bo, viewport, isTouch });
    await sendText(friends.lin, friends.bo, "look");
    await bo.page.addInitScript(() => {
      const shifts: number[] = [];
      Object.assign(window, { parleyShifts: shifts });
      const note = (entries: PerformanceEntryList) => {
        for (const entry of entries) shifts.push((entry as unknown as { value: number }).value);
      };
      const observer = new PerformanceObserver((list) => note(list.getEntries()));
      observer.observe({ type: "layout-shift", buffered: true });
      // What the observer has not been told yet is a shift as well.
      Object.assign(window, { noteShifts: () => note(observer.takeRecords()) });
    });
    await bo.page.reload();
    await bo.logIn();
    await bo.openChat(cast.lin.nickName);
    await bo.expectMessage("look");

    let answer = (): void => undefined;
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    let isBroken = true;
    await bo.page.route("**/files/**", async (route) => {
      await isAnswered;
      await (isBroken ? route.abort() : route.continue());
    });
    await sendPicture(friends.lin, friends.bo, 400);
    const picture = bo.page.getByRole("log").locator("[data-picture]");
    await expect(picture).toHaveAttribute("data-picture", "loading");
    await expect(bo.messages().last()).toHaveAccessibleName(/Picture, 400 × 400/);
    const shifts = () =>
      bo.page.evaluate(() => {
        const { parleyShifts, noteShifts } = window as unknown as {
          parleyShifts: number[];
          noteShifts: () => void;
        };
        noteShifts();
        return parleyShifts.splice(0);
      });
    // The message is read, and its row, its badge and the list have come to rest.
    await expect(bo.page).toHaveTitle(cast.bo.nickName);
    await new TimelineView(bo).waitUntilStable();
    await shifts();
    const boxes = await boxesOf(bo.messages());
    const side = isTouch ? 234 : 320;
    expect((await boxesOf(picture))[0]?.slice(2)).toEqual([side, side]);

    answer();
    await expect(picture).toHaveAttribute("data-picture", "failed");
    isBroken = false;
    await picture.getByRole("button", { name: bo.t("app.retry"), exact: true }).click();
    await expect(picture).toHaveAttribute("data-picture", "shown");
    await expect(picture.locator("[data-thumb]")).toHaveJSProperty("complete", true);
    expect(await boxesOf(bo.messages())).toEqual(boxes);
    expect(await shifts()).toEqual([]);
    await expectAccessible(bo, "media");
  });
}

test("B1 consecutive pictures are a grid of messages: each has its menu, can be found, chosen and recalled", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  const ids: number[] = [];
  for (let index = 0; index < 5; index++) ids.push(await sendPicture(friends.bo, friends.lin, 60 + index));
  const bo = await openSignedIn(cast.bo);
  await bo.openChat(cast.lin.nickName);
  const grid = bo.page.locator("[data-pictures]");
  await expect(grid).toHaveAttribute("data-pictures", "5");
  await expect(grid.locator('[data-picture="shown"]')).toHaveCount(5);
  const cells = grid.getByRole("article");
  // Two rows: three and two, and the cells touch.
  const tops = (await boxesOf(cells)).map(([, y]) => y);
  expect(new Set(tops.slice(0, 3)).size).toBe(1);
  expect(new Set(tops).size).toBe(2);

  // The keys go from cell to cell.
  await cells.nth(4).focus();
  await bo.page.keyboard.press("ArrowUp");
  await expect(cells.nth(3)).toBeFocused();

  await cells.nth(1).click({ button: "right" });
  await bo.menuItem("act.quote").click();
  await bo.send("this one");
  const quote = (await bo.expectMessage("this one")).locator("[data-quote]");
  await expect(quote.locator("img")).toHaveJSProperty("naturalWidth", 61);
  const flashes = await watchFlashes(bo);
  await quote.click();
  await expect.poll(flashes).toEqual([String(ids[1])]);

  await cells.nth(0).click({ button: "right" });
  await bo.menuItem("act.choose").click();
  await cells.nth(2).click();
  await expect(grid.getByRole("checkbox", { checked: true })).toHaveCount(2);
  await expect(bo.page.getByRole("toolbar")).toContainText("2");
  await bo.page.keyboard.press("Escape");
  await expect(grid.getByRole("checkbox")).toHaveCount(0);

  await cells.nth(0).click({ button: "right" });
  await bo.menuItem("act.recall").click();
  await expect(grid).toHaveAttribute("data-pictures", "4");
  expect(
    await grid.locator("[data-mid]").evaluateAll((all) => all.map((one) => one.getAttribute("data-mid"))),
  ).toEqual(ids.slice(1).map(String));
});

test("L77 a browser that has shown a picture asks for it again, and does not get it after the recall", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  const id = await sendPicture(friends.bo, friends.lin);
  const lin = await openSignedIn(cast.lin);
  await lin.openChat(cast.bo.nickName);
  // Without the preview, which lies under it until it is loaded.
  const picture = lin.page.locator(`[data-mid="${id}"] img[data-thumb]`);
  await expect(picture).toHaveJSProperty("complete", true);
  const url = (await picture.getAttribute("src")) ?? "";
  /** What a page gets that uses the browser's cache as usual: the status, and the bytes that came over the network. */
  const ask = () =>
    lin.page.evaluate(async (asked) => {
      performance.clearResourceTimings();
      const answer = await fetch(asked);
      await answer.arrayBuffer();
      const timings = () => performance.getEntriesByName(answer.url) as PerformanceResourceTiming[];
      // The browser notes it a moment after the last byte. It may note nothing about a file that was not found.
      while (answer.ok && timings().length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      return { status: answer.status, isFromCache: (timings()[0]?.transferSize ?? Infinity) < 400 };
    }, url);
  expect(await ask()).toEqual({ status: 200, isFromCache: true });
  await friends.bo.call(ENDPOINTS.recallPrivateMessage, { params: { id } });
  await expect(picture).toHaveCount(0);
  lin.console.allow(/status of 404/);
  expect((await ask()).status).toBe(404);
});

test("B11 a file is saved under its name with all of its bytes, from the conversation, the menu and the side panel", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  const fileName = '计划 & "plan" v2.tar.gz';
  const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => (index * 7) % 256));
  await sendFile(friends.lin, friends.bo, fileName, bytes);
  const bo = await openSignedIn(cast.bo);
  await bo.openChat(cast.lin.nickName);
  const card = bo.messages().last();
  await expect(card).toHaveAccessibleName(/68\.36 KB/);
  const expectSaved = async (press: () => Promise<void>) => {
    const [download] = await Promise.all([bo.page.waitForEvent("download"), press()]);
    expect(download.suggestedFilename().replaceAll("_", '"')).toBe(fileName);
    expect(bytes.equals(await readFile(await download.path()))).toBe(true);
  };
  const size = "68.36 KB";
  await expectSaved(() =>
    card.getByRole("button", { name: bo.t("media.downloadFile", { name: fileName, size }) }).click(),
  );
  await expectSaved(async () => {
    await card.locator("[data-bubble]").click({ button: "right" });
    await bo.menuItem("media.save").click();
  });
  await bo.button("chat.info").click();
  const panel = bo.page.getByRole("complementary");
  await panel.getByRole("button", { name: bo.t("media.title"), exact: true }).click();
  await panel.getByRole("tab", { name: bo.t("media.tab.files"), exact: true }).click();
  await expectSaved(() => panel.getByRole("listitem").getByRole("button").first().click());
});

test("B15 B16 B17 voice messages are heard one after the other, also in another chat, until they are stopped", async ({
  friends,
  cast,
  openLogin,
}) => {
  await sendVoice(friends.lin, friends.bo, createTone(1), 1);
  // It must not end while a slow machine looks at it.
  await sendVoice(friends.lin, friends.bo, createTone(60), 60);
  const bo = await openLogin(cast.bo);
  await recordSounds(bo.page);
  await bo.page.reload();
  await bo.logIn();
  await bo.openChat(cast.lin.nickName);
  const [first, second] = [bo.messages().nth(0), bo.messages().nth(1)];
  const unheard = bo.page.getByRole("img", { name: bo.t("media.unheard"), exact: true });
  await expect(unheard).toHaveCount(2);
  await expect(first).toHaveAccessibleName(/Voice message, 1 second,/);
  // Only one is heard at first. It is over when a slow machine looks, so the page notes the marks that it has shown.
  const marks = await bo.page.evaluateHandle((name) => {
    const counts: number[] = [];
    new MutationObserver(() => {
      const count = document.querySelectorAll(`[role="img"][aria-label="${name}"]`).length;
      if (count !== counts.at(-1)) counts.push(count);
    }).observe(document, { subtree: true, childList: true });
    return counts;
  }, bo.t("media.unheard"));
  await first.getByRole("button", { name: bo.t("media.play"), exact: true }).click();
  // The second one begins by itself.
  await expect(second.getByRole("button", { name: bo.t("media.pause"), exact: true })).toBeVisible();
  await expect(unheard).toHaveCount(0);
  await expect.poll(async () => (await marks.jsonValue()).join()).toMatch(/^(2,)?1,0$/);
  await expect.poll(async () => (await listen(bo.page)).position).toBeGreaterThan(0.3);
  expect((await listen(bo.page)).loudness).toBeGreaterThan(0.1);

  const slider = second.getByRole("slider");
  await second.getByRole("button", { name: bo.t("media.pause"), exact: true }).click();
  await slider.focus();
  await bo.page.keyboard.press("Home");
  await expect.poll(async () => (await listen(bo.page)).position).toBe(0);
  await second.getByRole("button", { name: bo.t("media.play"), exact: true }).click();
  await second.getByRole("button", { name: bo.t("media.speed", { speed: "1" }), exact: true }).click();
  await expect(
    second.getByRole("button", { name: bo.t("media.speed", { speed: "1.5" }), exact: true }),
  ).toBeVisible();

  await bo.link("nav.friends").click();
  const before = (await listen(bo.page)).position;
  await expect.poll(async () => (await listen(bo.page)).position).toBeGreaterThan(before);
  await bo.link("nav.chats").click();
  await bo.row(bo.t("chat.system")).click();
  const bar = bo.page.getByRole("region", { name: bo.t("media.nowPlaying"), exact: true });
  await expect(bar).toContainText(cast.lin.nickName);
  await bar.getByRole("button", { name: bo.t("media.pause"), exact: true }).click();
  await expectAccessible(bo, "media");
  await bar.getByRole("button", { name: bo.t("media.play"), exact: true }).click();
  await bar.getByRole("button", { name: bo.t("media.stop"), exact: true }).click();
  await expect(bar).toHaveCount(0);
  expect(
    await bo.page.evaluate(() => (window as unknown as SoundWindow).parleySounds.every((one) => one.paused)),
  ).toBe(true);
  await bo.openChat(cast.lin.nickName);
  await bo.page.reload();
  await expect(bo.messages()).toHaveCount(2);
  await expect(unheard).toHaveCount(0);
});

test("B18 a voice message that this browser cannot play says so, and can be saved", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  const wav = createTone(3);
  // The number of a coding that nobody uses.
  wav.writeUInt16LE(0x7777, 20);
  await sendVoice(friends.lin, friends.bo, wav, 3);
  const bo = await openSignedIn(cast.bo);
  await bo.openChat(cast.lin.nickName);
  await bo.button("media.play").click();
  const voice = bo.messages().last();
  await expect(voice.getByRole("alert")).toContainText(bo.t("media.voiceFormat"));
  const [download] = await Promise.all([
    bo.page.waitForEvent("download"),
    voice.getByRole("button", { name: bo.t("media.save"), exact: true }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/\.wav$/);
});

test("B15 a video plays in the viewer, and the voice message that was heard before is silent", async ({
  friends,
  cast,
  openLogin,
}) => {
  await sendVoice(friends.lin, friends.bo, createTone(30), 30);
  const bo = await openLogin(cast.bo);
  await recordSounds(bo.page);
  await bo.page.reload();
  await sendVideo(friends.lin, friends.bo, await recordVideo(bo.page, 1_500), 1.5);
  await bo.logIn();
  await bo.openChat(cast.lin.nickName);
  await bo
    .messages()
    .nth(0)
    .getByRole("button", { name: bo.t("media.play"), exact: true })
    .click();
  await expect.poll(async () => (await listen(bo.page)).position).toBeGreaterThan(0.2);
  await bo.messages().nth(1).locator("[data-picture] > button").click();
  const video = bo.dialog().locator("video");
  // Frames are counted: the video may be over before this page is asked.
  await expect
    .poll(() =>
      video.evaluate((element: HTMLVideoElement) => ({
        size: [element.videoWidth, element.videoHeight],
        hasFrames: element.getVideoPlaybackQuality().totalVideoFrames > 0,
      })),
    )
    .toEqual({ size: [320, 180], hasFrames: true });
  await expect
    .poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime))
    .toBeGreaterThan(0.1);
  expect(
    await bo.page.evaluate(() => (window as unknown as SoundWindow).parleySounds.every((one) => one.paused)),
  ).toBe(true);
});

test("B15 a recording that is heard before it is sent silences a voice message, and the other way round", async ({
  friends,
  cast,
  openLogin,
}) => {
  await sendVoice(friends.lin, friends.bo, createTone(30), 30);
  const bo = await openLogin(cast.bo);
  await recordSounds(bo.page);
  await bo.page.reload();
  await bo.logIn();
  await bo.openChat(cast.lin.nickName);
  // So that nothing ends while a slow machine looks at what plays.
  await loopSounds(bo.page);
  await bo.button("voice.record").click();
  await expect(bo.page.getByRole("timer")).toHaveText(/^\d:(?!00)\d\d$/);
  await bo.button("voice.stop").click();
  const playing = () =>
    bo.page.evaluate(() =>
      (window as unknown as SoundWindow).parleySounds.filter((one) => !one.paused).map(({ src }) => src),
    );
  const voice = bo.messages().first();
  await voice.getByRole("button", { name: bo.t("media.play"), exact: true }).click();
  await expect(voice.getByRole("button", { name: bo.t("media.pause"), exact: true })).toBeVisible();
  await expect.poll(playing).toEqual([expect.stringMatching(/\.wav$/)]);
  const preview = bo.page.getByRole("group", { name: bo.t("voice.preview"), exact: true });
  await preview.getByRole("button", { name: bo.t("voice.play"), exact: true }).click();
  await expect(preview.getByRole("button", { name: bo.t("voice.pause"), exact: true })).toBeVisible();
  await expect(voice.getByRole("button", { name: bo.t("media.play"), exact: true })).toBeVisible();
  await expect.poll(playing).toEqual([expect.stringMatching(/^blob:/)]);
  await voice.getByRole("button", { name: bo.t("media.play"), exact: true }).click();
  await expect(preview.getByRole("button", { name: bo.t("voice.play"), exact: true })).toBeVisible();
  await expect.poll(playing).toEqual([expect.stringMatching(/\.wav$/)]);
});

test("B20 B23 the side panel lists pictures and videos, files and links, also those that arrive", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  const bo = await openSignedIn(cast.bo);
  await sendPicture(friends.lin, friends.bo);
  await sendVideo(friends.lin, friends.bo, await recordVideo(bo.page, 600), 75);
  await sendText(friends.lin, friends.bo, "see https://example.org/tea");
  await bo.openChat(cast.lin.nickName);
  const video = bo.messages().nth(1);
  await expect(video).toHaveAccessibleName(/Video, 1:15/);
  await expect(video.locator('[data-picture="shown"]')).toBeVisible();
  await bo.button("chat.info").click();
  const panel = bo.page.getByRole("complementary");
  await panel.getByRole("button", { name: bo.t("media.title"), exact: true }).click();
  await expect(panel).toBeFocused();
  const cells = panel.locator("[data-cell]");
  await expect(cells).toHaveCount(2);
  await expect(cells.first()).toHaveAccessibleName(/Video, 1:15/);
  await cells.first().focus();
  await bo.page.keyboard.press("ArrowRight");
  await expect(cells.nth(1)).toBeFocused();
  await expectAccessible(bo, "media");
  await sendPicture(friends.lin, friends.bo, 60);
  await expect(cells).toHaveCount(3);
  await expect(cells.first()).toHaveAccessibleName(/60 × 60/);

  await panel.getByRole("tab", { name: bo.t("media.tab.links"), exact: true }).click();
  const links = panel.getByRole("link");
  await expect(links).toHaveAttribute("href", "https://example.org/tea");
  await sendText(friends.lin, friends.bo, "or www.example.org");
  await expect(links).toHaveCount(2);
  await expect(links.first()).toHaveAttribute("href", "http://www.example.org");
  const flashes = await watchFlashes(bo);
  await panel
    .getByRole("button", { name: bo.t("media.jump"), exact: true })
    .last()
    .click();
  await expect.poll(async () => (await flashes()).length).toBe(1);
  await expect(bo.page.locator(`[data-mid="${(await flashes())[0]}"]`)).toContainText(
    "see https://example.org/tea",
  );
  await panel.getByRole("button", { name: bo.t("media.back"), exact: true }).press("Enter");
  await expect(panel).toBeFocused();
  await expect(panel.getByRole("button", { name: bo.t("media.title"), exact: true })).toBeVisible();
});

for (const { name, viewport, isTouch } of SIZES) {
  test(`B24 VP9 the side panel opens the viewer at a picture far above on a ${name}, which notices a recall and leads to the message`, async ({
    friends,
    cast,
    openSignedIn,
  }) => {
    // All from Bo, so that nothing is unread and the chat opens at its end.
    const { bo: sender, lin } = friends;
    await sendPicture(sender, lin, 100);
    const recalled = await sendPicture(sender, lin, 200);
    await sendTexts(
      sender,
      lin,
      Array.from({ length: 120 }, (_, index) => `No ${index}`),
    );
    const bo = await openSignedIn({ ...cast.bo, viewport, isTouch });
    await bo.openChat(cast.lin.nickName);
    await bo.button("chat.info").click();
    const panel = bo.page.getByRole("complementary");
    await panel.getByRole("button", { name: bo.t("media.title"), exact: true }).click();
    const cells = panel.locator("[data-cell]");
    await expect(cells).toHaveCount(2);
    await cells.nth(1).click();
    const viewer = bo.page.getByRole("dialog", { name: bo.t("viewer.title") });
    await expect(viewer.getByText("1 / 2", { exact: true })).toBeVisible();
    await bo.page.keyboard.press("ArrowRight");
    await expect(viewer.getByText("2 / 2", { exact: true })).toBeVisible();
    // A picture that is recalled while it loads disappears.
    bo.console.allow(/status of 404 .*\/files\//);
    await sender.call(ENDPOINTS.recallPrivateMessage, { params: { id: recalled } });
    await bo.expectToast(bo.t("viewer.gone"));
    const picture = viewer.locator("[data-picture] img").last();
    await expect(picture).toHaveJSProperty("naturalWidth", 100);

    await viewer.getByRole("button", { name: bo.t("app.close"), exact: true }).click();
    await expect(viewer).toHaveCount(0);
    await expect(cells).toHaveCount(1);
    await cells.click();
    const flashes = await watchFlashes(bo);
    await viewer.getByRole("button", { name: bo.t("viewer.jump") }).click();
    await expect(viewer).toHaveCount(0);
    await expect.poll(async () => (await flashes()).length).toBe(1);
    await expect(bo.page.locator(`[data-mid="${(await flashes())[0]}"] [data-picture]`)).toBeInViewport();
    await expect(panel).toHaveCount(isTouch ? 0 : 1);
    await expect(bo.page).toHaveURL(/\/home\/chat\/PRIVATE:\d+$/);
  });
}
