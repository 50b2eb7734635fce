import { createTone } from "@parley/server/testing/tone";
import { MessageType } from "@parley/protocol/codes";
import { audioContent } from "@parley/protocol/message";
import { choose, pasteByMenu, png, stored, waiting } from "../src/attachments.ts";
import { expect, type Fixtures, test } from "../src/fixtures.ts";
import { loopSounds, sendVoice } from "../src/media.ts";
import {
  expectRecording,
  holdMicrophone,
  setMicrophonePermission,
  watchMicrophone,
} from "../src/microphone.ts";
import type { Person } from "../src/person.ts";
import { Fingers } from "../src/touch.ts";
import { watchLabel } from "../src/watch-label.ts";

test("E13 E17 E19 a voice message is recorded, heard and sent, and is no silence; the microphone is off after it", async ({
  friends,
  chatting: { lin, bo },
}) => {
  const microphone = await watchMicrophone(lin);
  await lin.button("voice.record").click();
  await expectRecording(lin, 2);
  expect(await microphone()).toEqual(["live"]);
  await lin.button("voice.stop").click();
  await loopSounds(lin.page);
  await lin.button("voice.play").click();
  await expect(lin.button("voice.pause")).toBeVisible();
  await expect.poll(microphone).toEqual(["ended"]);
  await lin.button("voice.send").click();
  await expect(lin.composer()).toBeFocused();
  await expect.poll(async () => (await stored(friends.lin)).length).toBe(1);
  const [message] = await stored(friends.lin);
  expect(message?.type).toBe(MessageType.AUDIO);
  const { duration, url, wave } = audioContent.parse(JSON.parse(message?.content ?? ""));
  expect(duration).toBeGreaterThanOrEqual(2);
  expect(wave).toMatch(/^[0-9a-f]{24,64}$/);
  expect(wave).toMatch(/[4-9a-f]/);
  const loudness = await bo.page.evaluate(async (address) => {
    const bytes = await (await fetch(address)).arrayBuffer();
    const audio = await new OfflineAudioContext(1, 1, 48_000).decodeAudioData(bytes);
    const samples = audio.getChannelData(0);
    return { seconds: audio.duration, rms: Math.hypot(...samples.filter((_, index) => index % 100 === 0)) };
  }, url);
  expect(loudness.seconds).toBeGreaterThan(1.5);
  expect(loudness.rms).toBeGreaterThan(0.1);
  const play = bo.messages().getByRole("button", { name: bo.t("media.play"), exact: true });
  const expectPlayed = await watchLabel(bo, bo.t("media.pause"));
  await play.click();
  await expectPlayed();
  // It is played to its end.
  await expect(play).toBeVisible();
});

test("E19 B15 a recording and its preview stop what plays, and what plays stops the preview", async ({
  friends,
  lin,
  cast,
}) => {
  await sendVoice(friends.bo, friends.lin, createTone(30), 30);
  await lin.openChat(cast.bo.nickName);
  await loopSounds(lin.page);
  const play = lin.messages().getByRole("button", { name: lin.t("media.play"), exact: true });
  const pause = lin.messages().getByRole("button", { name: lin.t("media.pause"), exact: true });
  await play.click();
  await expect(pause).toBeVisible();
  await lin.button("voice.record").click();
  await expectRecording(lin, 1);
  await expect(play).toBeVisible();
  await play.click();
  await lin.button("voice.stop").click();
  await expect(pause).toBeVisible();
  const preview = lin.page.getByRole("group", { name: lin.t("voice.preview") });
  const pausePreview = preview.getByRole("button", { name: lin.t("voice.pause") });
  await lin.button("voice.play").click();
  await expect(pausePreview).toBeVisible();
  await expect(play).toBeVisible();
  await play.click();
  // It has no end of its own here.
  await expect(pausePreview).toHaveCount(0);
  await expect(pause).toBeVisible();
});

/** Sends the next recording in the moment in which it begins: on a slow machine a click would come too late to be too early. */
async function sendAtOnce(person: Person): Promise<void> {
  await person.page.evaluate((name) => {
    const observer = new MutationObserver(() => {
      const send = document.querySelector<HTMLElement>(`button[aria-label="${name}"]`);
      if (send === null || !/^\d:\d\d$/.test(document.querySelector("[role=timer]")?.textContent ?? ""))
        return;
      observer.disconnect();
      send.click();
    });
    observer.observe(document.body, { childList: true, subtree: true, characterData: true });
  }, person.t("voice.send"));
}

test("E14 E16 E17 E18 a recording that is too short, cancelled, refused or left with its chat is not sent, and the microphone is off", async ({
  friends,
  chatting: { lin },
  cast,
}) => {
  const microphone = await watchMicrophone(lin);
  await sendAtOnce(lin);
  await Promise.all([lin.expectToast(lin.t("voice.tooShort")), lin.button("voice.record").click()]);
  await lin.composer().fill("draft");
  await lin.button("voice.record").click();
  await expectRecording(lin, 1);
  // A paste does not go to the draft that nobody sees.
  await pasteByMenu(lin.page, "unseen");
  await lin.page.keyboard.press("Escape");
  await expect(lin.composer()).toBeFocused();
  await expect(lin.composer()).toHaveValue("draft");
  await lin.composer().blur();
  await pasteByMenu(lin.page, " seen");
  await expect(lin.composer()).toHaveValue("draft seen");
  await lin.composer().fill("");
  await lin.button("voice.record").click();
  await expectRecording(lin, 1);
  await lin.link("nav.friends").click();
  await expect(lin.page.getByText(lin.t("voice.discarded"))).toBeVisible();
  await expect.poll(microphone).toEqual(["ended", "ended", "ended"]);
  await lin.link("nav.chats").click();
  await lin.openChat(cast.bo.nickName);
  await lin.page.evaluate(() => {
    navigator.mediaDevices.getUserMedia = () =>
      Promise.reject(new DOMException("Permission denied", "NotAllowedError"));
  });
  await lin.button("voice.record").click();
  await expect(lin.page.getByText(lin.t("voice.refused"))).toBeVisible();
  await expect(lin.composer()).toBeVisible();
  expect(await stored(friends.lin)).toEqual([]);
});

test("E18 a recording that is sent in the moment its chat is left arrives in that chat", async ({
  friends,
  chatting: { lin },
}) => {
  const microphone = await watchMicrophone(lin);
  await lin.button("voice.record").click();
  await expectRecording(lin, 1);
  const [send, friendList] = [lin.button("voice.send"), lin.link("nav.friends")];
  const [sendHandle, listHandle] = [await send.elementHandle(), await friendList.elementHandle()];
  await lin.page.evaluate(
    ([first, second]) => {
      (first as HTMLElement).click();
      (second as HTMLElement).click();
    },
    [sendHandle, listHandle],
  );
  await expect(lin.page.getByText(lin.t("voice.discarded"))).toHaveCount(0);
  await expect
    .poll(async () => (await stored(friends.lin)).map(({ type }) => type))
    .toEqual([MessageType.AUDIO]);
  await expect.poll(microphone).toEqual(["ended"]);
});

/** Lin at a phone, with the chat with Bo open. */
async function openPhone(openSignedIn: Fixtures["openSignedIn"], cast: Fixtures["cast"]): Promise<Person> {
  const lin = await openSignedIn({ ...cast.lin, viewport: { width: 390, height: 844 }, isTouch: true });
  await lin.row(cast.bo.nickName).tap();
  return lin;
}

/** A finger over the microphone of a phone. */
async function overMicrophone(person: Person) {
  const box = await person.button("voice.record").boundingBox();
  if (box === null) throw new Error("there is no microphone");
  expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(44);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2, fingers: await Fingers.of(person) };
}

test("E15 on a phone a held finger records and sends, slides away to cancel and up to lock; the strip scrolls sideways", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  const lin = await openPhone(openSignedIn, cast);
  const microphone = await watchMicrophone(lin);
  const button = lin.button("voice.record");
  await expect(lin.button("chat.send")).toBeHidden();
  const { x, y, fingers } = await overMicrophone(lin);
  // Away: cancelled.
  await fingers.press([x, y]);
  await expectRecording(lin, 1);
  await fingers.slide([x - 60, y]);
  await fingers.slide([x - 120, y]);
  await expect(lin.page.getByRole("timer")).toHaveCount(0);
  await fingers.lift();
  // Held: sent.
  await fingers.press([x, y]);
  await expectRecording(lin, 1);
  await fingers.lift();
  await expect(lin.page.getByRole("timer")).toHaveCount(0);
  await expect
    .poll(async () => (await stored(friends.lin)).map(({ type }) => type))
    .toEqual([MessageType.AUDIO]);
  // Up: it goes on without the finger.
  await fingers.press([x, y]);
  await expectRecording(lin, 0);
  // Another finger that is lifted changes nothing.
  await button.dispatchEvent("pointerup", { pointerId: 99, pointerType: "touch" });
  await lin.page.waitForTimeout(300);
  await expectRecording(lin, 0);
  await fingers.slide([x, y - 80]);
  await fingers.lift();
  await expectRecording(lin, 1);
  await lin.button("voice.cancel").tap();
  await expect(lin.page.getByRole("timer")).toHaveCount(0);
  await expect.poll(microphone).toEqual(["ended", "ended", "ended"]);

  await choose(
    lin,
    "attach.pickPicture",
    Array.from({ length: 8 }, (_, index) => png(`${index}.png`)),
  );
  await expect(waiting(lin)).toHaveCount(8);
  await expect(lin.button("chat.send")).toBeEnabled();
  await expect(button).toBeHidden();
  const sizes = await lin.page.evaluate(() => {
    const list = document.querySelector("[data-strip] ul");
    return { page: document.documentElement.scrollWidth, strip: list?.scrollWidth ?? 0 };
  });
  expect(sizes.page).toBe(390);
  expect(sizes.strip).toBeGreaterThan(390);
});

test("E15 a finger that went to answer the browser's question finds the recording running, with a sentence; the system ends a hold without losing it", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  const lin = await openPhone(openSignedIn, cast);
  const microphone = await watchMicrophone(lin);
  const giveMicrophone = await holdMicrophone(lin);
  const { x, y, fingers } = await overMicrophone(lin);
  await setMicrophonePermission(lin, "prompt");
  for (const end of ["lift", "interrupt"] as const) {
    await fingers.press([x, y]);
    await expect(lin.page.getByRole("timer")).toHaveText(lin.t("voice.starting"));
    await lin.page.waitForTimeout(400);
    await fingers[end]();
    await giveMicrophone();
    await expect(lin.page.getByText(lin.t("voice.allowed"))).toBeVisible();
    await expectRecording(lin, 1);
    await lin.button("voice.cancel").tap();
    await expect(lin.page.getByRole("timer")).toHaveCount(0);
  }
  await expect.poll(microphone).toEqual(["ended", "ended"]);

  // With the permission there is no question: a finger that lets go before the microphone is there was too quick.
  await setMicrophonePermission(lin, "granted");
  await fingers.press([x, y]);
  await expect(lin.page.getByRole("timer")).toHaveText(lin.t("voice.starting"));
  await lin.page.waitForTimeout(400);
  await fingers.lift();
  await giveMicrophone();
  await lin.expectToast(lin.t("voice.tooShort"));
  await expect(lin.page.getByRole("timer")).toHaveCount(0);
  // A recording that the system interrupts can be heard and sent.
  await fingers.press([x, y]);
  await giveMicrophone();
  await expectRecording(lin, 1);
  await fingers.interrupt();
  await expect(lin.button("voice.play")).toBeVisible();
  await lin.button("voice.send").tap();
  await expect
    .poll(async () => (await stored(friends.lin)).map(({ type }) => type))
    .toEqual([MessageType.AUDIO]);
  await expect.poll(microphone).toEqual(["ended", "ended", "ended", "ended"]);
});

test("E16 a finger that is still down when the microphone is refused asks no second time", async ({
  friends: _,
  cast,
  openSignedIn,
}) => {
  const lin = await openPhone(openSignedIn, cast);
  await lin.page.evaluate(() => {
    navigator.mediaDevices.getUserMedia = () => {
      const { dataset } = document.documentElement;
      dataset["requests"] = `${dataset["requests"] ?? ""}x`;
      return Promise.reject(new DOMException("Permission denied", "NotAllowedError"));
    };
  });
  const { x, y, fingers } = await overMicrophone(lin);
  await fingers.press([x, y]);
  await expect(lin.page.getByText(lin.t("voice.refused"))).toBeVisible();
  await lin.page.waitForTimeout(800);
  await fingers.slide([x - 20, y]);
  await fingers.lift();
  await lin.page.waitForTimeout(300);
  await expect(lin.page.locator("html")).toHaveAttribute("data-requests", "x");
  await expect(lin.page.getByText(lin.t("voice.tooShort"))).toHaveCount(0);
  await expect(lin.composer()).toBeVisible();
});

test("E14 a recording ends by itself after 300 seconds, with a sentence, and can be sent", async ({
  friends,
  lin,
  cast,
}) => {
  await lin.page.clock.install();
  await lin.page.reload();
  await lin.openChat(cast.bo.nickName);
  const microphone = await watchMicrophone(lin);
  await lin.button("voice.record").click();
  await expectRecording(lin, 1);
  // The time of the page goes on by itself as well.
  await lin.page.clock.fastForward("04:30");
  expect(await microphone()).toEqual(["live"]);
  await lin.page.clock.fastForward("00:30");
  await expect(lin.page.getByText(lin.t("voice.longest"))).toBeVisible();
  await expect(lin.page.getByRole("group", { name: lin.t("voice.preview") })).toContainText("5:00");
  await expect.poll(microphone).toEqual(["ended"]);
  await lin.button("voice.send").click();
  await expect.poll(async () => (await stored(friends.lin)).length).toBe(1);
  const [message] = await stored(friends.lin);
  expect(audioContent.parse(JSON.parse(message?.content ?? "")).duration).toBe(300);
});

test("E17 a tab that is closed while it records sends nothing, keeps nothing, and releases the microphone", async ({
  friends,
  lin,
  cast,
}) => {
  await lin.openChat(cast.bo.nickName);
  const tab = await lin.openSignedInTab();
  await tab.openChat(cast.bo.nickName);
  await watchMicrophone(tab);
  await tab.button("voice.record").click();
  await expectRecording(tab, 1);
  await tab.page.evaluate(() => {
    // After the recording's own listener.
    window.addEventListener("pagehide", () => {
      const { microphoneTracks } = window as unknown as { microphoneTracks: readonly MediaStreamTrack[] };
      localStorage.setItem("e2e.tracks", microphoneTracks.map(({ readyState }) => readyState).join());
    });
  });
  await tab.page.close({ runBeforeUnload: true });
  await expect.poll(() => lin.page.evaluate(() => localStorage.getItem("e2e.tracks"))).toBe("ended");
  await expect(lin.messages()).toHaveCount(0);
  await expect(waiting(lin)).toHaveCount(0);
  await lin.send("still here");
  await expect
    .poll(async () => (await stored(friends.lin)).map(({ type }) => type))
    .toEqual([MessageType.TEXT]);
});
