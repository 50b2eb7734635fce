import { expect } from "./fixtures.ts";
import type { Person } from "./person.ts";

/** A page that keeps the tracks of its microphone. */
type Watched = Window & {
  microphoneTracks: MediaStreamTrack[];
  giveMicrophone: () => void;
};

/** Makes the page keep the microphone's tracks. Returns a function that says whether they are on (`live`) or off (`ended`). */
export async function watchMicrophone(person: Person): Promise<() => Promise<readonly string[]>> {
  await person.page.evaluate(() => {
    const tracks: MediaStreamTrack[] = [];
    Object.assign(window, { microphoneTracks: tracks });
    const devices = navigator.mediaDevices;
    const getUserMedia = devices.getUserMedia.bind(devices);
    devices.getUserMedia = async (wanted) => {
      const stream = await getUserMedia(wanted);
      tracks.push(...stream.getTracks());
      return stream;
    };
  });
  return () =>
    person.page.evaluate(() =>
      (window as unknown as Watched).microphoneTracks.map(({ readyState }) => readyState),
    );
}

/** Lets each request for the microphone wait, as behind the browser's question, until the returned function is called. */
export async function holdMicrophone(person: Person): Promise<() => Promise<void>> {
  await person.page.evaluate(() => {
    const devices = navigator.mediaDevices;
    const getUserMedia = devices.getUserMedia.bind(devices);
    devices.getUserMedia = async (wanted) => {
      await new Promise<void>((resolve) => Object.assign(window, { giveMicrophone: resolve }));
      Reflect.deleteProperty(window, "giveMicrophone");
      return getUserMedia(wanted);
    };
  });
  return async () => {
    await person.page.waitForFunction(() => "giveMicrophone" in window);
    await person.page.evaluate(() => (window as unknown as Watched).giveMicrophone());
  };
}

/** Sets what the browser does when the page asks for the microphone: give it, or ask the person first. */
export async function setMicrophonePermission(person: Person, setting: "granted" | "prompt"): Promise<void> {
  const page = await person.context.newCDPSession(person.page);
  const { targetInfo } = await page.send("Target.getTargetInfo");
  const browser = await person.context.browser()?.newBrowserCDPSession();
  await browser?.send("Browser.setPermission", {
    permission: { name: "microphone" },
    setting,
    origin: person.url,
    ...(targetInfo.browserContextId !== undefined && { browserContextId: targetInfo.browserContextId }),
  });
  // The setting would end with the other session.
  await page.detach();
}

/** Waits until a recording runs for so many seconds. */
export async function expectRecording(person: Person, seconds: number): Promise<void> {
  const timer = person.page.getByRole("timer");
  await expect(timer).toHaveText(/^\d:\d\d$/);
  await expect
    .poll(async () => Number((await timer.textContent())?.slice(-2) ?? 0))
    .toBeGreaterThanOrEqual(seconds);
}
