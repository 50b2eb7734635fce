import { countMedia, hears, loudness, pictureMotion } from "../src/call-media.ts";
import { callWindow, hangUp, patient, picture, prompt, connectCall } from "../src/calls.ts";
import { expect, test } from "../src/fixtures.ts";
import { holdMicrophone, setMicrophonePermission } from "../src/microphone.ts";
import type { Person } from "../src/person.ts";

/** Makes the browser refuse a device as if another program used it, until it is told otherwise. */
async function occupy(person: Person, kind: "audio" | "video", isBusy: boolean): Promise<void> {
  await person.page.evaluate(
    ([device, busy]) => {
      const shared = globalThis as unknown as { openDevice?: MediaDevices["getUserMedia"] };
      const devices = navigator.mediaDevices;
      const open = (shared.openDevice ??= devices.getUserMedia.bind(devices));
      devices.getUserMedia = (constraints) =>
        busy && constraints?.[device] !== undefined
          ? Promise.reject(new DOMException("Could not start", "NotReadableError"))
          : open(constraints);
    },
    [kind, isBusy] as const,
  );
}

/** Takes all devices of a kind away, as if they were unplugged. The page must count its media. */
async function unplug(person: Person, kind: "audio" | "video"): Promise<void> {
  await person.page.evaluate((wanted) => {
    const { tracks } = (globalThis as unknown as { openMedia: { tracks: Set<MediaStreamTrack> } }).openMedia;
    for (const track of tracks) {
      if (track.kind !== wanted || track.readyState === "ended") continue;
      track.stop();
      track.dispatchEvent(new Event("ended"));
    }
  }, kind);
}

test("a camera that another program uses is told with a button to try again, and an unplugged device is replaced by another one", async ({
  friends: _,
  cast,
  openBrowser,
}) => {
  const [lin, bo] = [await openBrowser(cast.lin), await openBrowser(cast.bo)];
  const open = await countMedia(lin.page);
  for (const person of [lin, bo]) await person.openAndLogIn();
  await lin.openChat(cast.bo.nickName);
  await connectCall(lin, bo);

  await occupy(lin, "video", true);
  await lin.page.keyboard.press("v");
  await expect(callWindow(lin)).toContainText(lin.t("call.problem.inUse"));
  await expect(callWindow(bo).locator("video")).toHaveCount(0);
  await occupy(lin, "video", false);
  await callWindow(lin)
    .getByRole("button", { name: lin.t("app.retry"), exact: true })
    .click();
  await patient.poll(() => pictureMotion(picture(bo))).toBeGreaterThan(0.01);
  expect(await open()).toEqual({ tracks: 2, connections: 1 });

  for (const kind of ["audio", "video"] as const) await unplug(lin, kind);
  await expect.poll(open).toEqual({ tracks: 2, connections: 1 });
  await patient.poll(() => pictureMotion(picture(bo))).toBeGreaterThan(0.01);
  await patient.poll(() => hears(bo.page, 1)).toBe(true);
  await hangUp(lin);
  await expect.poll(open).toEqual({ tracks: 0, connections: 0 });
});

test("a muted person who speaks sees a hint, and is heard while Space is held", async ({
  chatting: { lin, bo },
}) => {
  await connectCall(lin, bo);
  await lin.page.keyboard.press("m");
  await expect(callWindow(lin)).toContainText(lin.t("call.mutedSpeaking"), { timeout: 60_000 });
  await patient.poll(async () => Math.max(...(await loudness(bo.page, 1_500)))).toBeLessThan(60);
  await lin.page.keyboard.down(" ");
  await expect(bo.text("call.peerMuted", { name: lin.options.nickName })).toHaveCount(0);
  await patient.poll(() => hears(bo.page, 1)).toBe(true);
  await lin.page.keyboard.up(" ");
  await expect(bo.text("call.peerMuted", { name: lin.options.nickName })).toBeVisible();
  await hangUp(bo);
  await expect(callWindow(lin)).toHaveCount(0);
});

test("a call keeps the screen on, fills the screen, and plays with one click what the browser held back", async ({
  chatting: { lin, bo },
}) => {
  await lin.page.evaluate(() => {
    // A browser without a window gives no lock.
    const locks: { released: boolean }[] = [];
    Object.assign(globalThis, { wakeLocks: locks });
    navigator.wakeLock.request = () => {
      const lock = {
        released: false,
        release: () => {
          lock.released = true;
          return Promise.resolve();
        },
      };
      locks.push(lock);
      return Promise.resolve(lock as unknown as WakeLockSentinel);
    };
  });
  const heldLocks = () =>
    lin.page.evaluate(
      () =>
        (globalThis as unknown as { wakeLocks: { released: boolean }[] }).wakeLocks.filter(
          ({ released }) => !released,
        ).length,
    );
  // A browser that has not been touched refuses to play. The people of these tests have clicked.
  await bo.page.evaluate(() => {
    const play = HTMLMediaElement.prototype.play;
    Object.assign(globalThis, {
      allowPlaying: () => void (HTMLMediaElement.prototype.play = play),
    });
    HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
      return this.tagName === "AUDIO"
        ? Promise.reject(new DOMException("play() failed", "NotAllowedError"))
        : play.call(this);
    };
  });
  await connectCall(lin, bo, "video");
  await expect.poll(heldLocks).toBe(1);
  await expect(callWindow(bo)).toContainText(bo.t("call.playBlocked"));
  await bo.page.evaluate(() => (globalThis as unknown as { allowPlaying(): void }).allowPlaying());
  await bo.button("call.playAgain").click();
  await expect(callWindow(bo)).not.toContainText(bo.t("call.playBlocked"));
  await patient.poll(() => hears(bo.page, 1)).toBe(true);

  await lin.page.mouse.move(400, 300);
  await lin.button("call.fullScreen").click();
  const isFull = () => lin.page.evaluate(() => document.fullscreenElement !== null);
  await expect.poll(isFull).toBe(true);
  await lin.page.mouse.move(500, 300);
  await lin.button("call.leaveFullScreen").click();
  await expect.poll(isFull).toBe(false);
  await hangUp(lin);
  await expect.poll(heldLocks).toBe(0);
});

test("ST8 a page says that the browser asks for a device, and the settings choose devices before and in a call", async ({
  chatting: { lin, bo },
}) => {
  await setMicrophonePermission(lin, "prompt");
  const giveMicrophone = await holdMicrophone(lin);
  await lin.button("call.voice").first().click();
  await expect(callWindow(lin)).toContainText(lin.t("call.asks.microphone"));
  await setMicrophonePermission(lin, "granted");
  await giveMicrophone();
  await patient(prompt(bo)).toBeVisible();
  await expect(callWindow(lin)).not.toContainText(lin.t("call.asks.microphone"));
  await hangUp(lin);
  await expect(callWindow(lin)).toHaveCount(0);

  // From now on nothing is held back.
  await lin.page.reload();
  await lin.openSettings("calls");
  const camera = lin.dialog().getByRole("combobox", { name: lin.t("call.camera"), exact: true });
  await expect(camera).toHaveValue("");
  await camera.selectOption({ index: 1 });
  const chosen = await camera.inputValue();
  await lin.dialog().getByRole("switch").first().click();
  await lin.page.keyboard.press("Escape");
  await connectCall(lin, bo, "video");
  const used = await lin.page.evaluate(() =>
    [...document.querySelectorAll("video")].flatMap(({ srcObject }) =>
      srcObject instanceof MediaStream
        ? srcObject.getVideoTracks().map((track) => track.getSettings().deviceId)
        : [],
    ),
  );
  expect(used).toContain(chosen);
  const saved = await lin.page.evaluate(() => localStorage.getItem("parley.callDevices"));
  expect(saved).toContain('"noiseSuppression":false');
  await hangUp(lin);
});
