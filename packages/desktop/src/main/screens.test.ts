import { beforeEach, describe, expect, test, vi } from "vitest";
import { FakeImage, fakeDisplay, fakeSource } from "../testing/fake-screen.ts";
import { applicationOfEachTest } from "../testing/test-application.ts";

const application = applicationOfEachTest();

const electron = () => application.electron;
const window = () => application.electron.window;

describe("a picture of the screen", () => {
  /** Takes a picture; the window fades in no time. */
  const capture = async () => {
    vi.useFakeTimers();
    const answer = application.ask("captureScreen", null);
    await vi.advanceTimersByTimeAsync(1_000);
    return answer;
  };
  const picture = (text: string) => ({ kind: "picture", png: new Uint8Array(Buffer.from(text)) });

  test("is of the display of the window, in full size, without the window", async () => {
    electron().screen.displays.push(fakeDisplay(2, { x: 1_920, y: 0, width: 1_280, height: 720 }, 1.5));
    await application.start();
    window().bounds.x = 2_000;
    electron().sources = [fakeSource("screen:1:0", "1"), fakeSource("screen:2:0", "2")];
    let wasVisible = true;
    const { getSources } = electron().desktopCapturer;
    vi.spyOn(electron().desktopCapturer, "getSources").mockImplementation((options) => {
      wasVisible = window().isVisible();
      return getSources(options);
    });
    expect(await capture()).toEqual(picture("screen:2:0"));
    expect(wasVisible).toBe(false);
    expect(electron().sourceRequests).toEqual([
      { types: ["screen"], thumbnailSize: { width: 1_920, height: 1_080 } },
    ]);
    expect([window().isVisible(), window().isFocused()]).toEqual([true, true]);
  });

  test("that fails shows the window again", async () => {
    await application.start();
    electron().sources = new Error("no portal");
    expect(await capture()).toEqual({ kind: "failed" });
    expect(window().isVisible()).toBe(true);
    expect(application.log.said).toContain("the screen was not captured");
  });

  test.each([
    ["is empty", [fakeSource("screen:1:0", "1", new FakeImage("", { width: 0, height: 0 }))]],
    ["is of another display", [fakeSource("screen:9:0", "9")]],
    ["does not exist", []],
  ])("that %s has failed", async (_, sources) => {
    await application.start({ platform: "win32" });
    electron().sources = sources;
    expect(await capture()).toEqual({ kind: "failed" });
  });

  test("is the one that the person has chosen in a dialog of the system on Linux", async () => {
    await application.start();
    electron().sources = [fakeSource("screen:9:0", "9")];
    expect(await capture()).toEqual(picture("screen:9:0"));
  });

  test("is found by its place where the system names no displays", async () => {
    electron().screen.displays.push(fakeDisplay(2, { x: 1_920, y: 0, width: 1_280, height: 720 }, 1));
    await application.start();
    window().bounds.x = 2_000;
    electron().sources = [fakeSource("screen:7:0", ""), fakeSource("screen:8:0", "")];
    expect(await capture()).toEqual(picture("screen:8:0"));
  });

  test.each(["blur", "hide"] as const)("is not taken while nobody uses the window (%s)", async (leave) => {
    await application.start();
    window()[leave]();
    expect(await capture()).toEqual({ kind: "failed" });
    expect(electron().sourceRequests).toEqual([]);
  });

  test.each([
    // Until macOS has asked, which it does when the picture is wanted.
    ["darwin", "denied", picture("screen:1:0")],
    ["win32", "denied", picture("screen:1:0")],
  ] as const)("on %s whose access is %s", async (platform, access, expected) => {
    electron().screenAccess = access;
    await application.start({ platform });
    expect(await capture()).toEqual(expected);
  });

  test("that macOS denies at that moment is denied", async () => {
    await application.start({ platform: "darwin" });
    electron().sources = new Error("denied");
    vi.spyOn(electron().desktopCapturer, "getSources").mockImplementation(async () => {
      electron().screenAccess = "denied";
      throw new Error("denied");
    });
    expect(await capture()).toEqual({ kind: "denied" });
  });
});

describe("a screen in a call", () => {
  const SCREEN = fakeSource("screen:1:0", "1");
  const OTHER = fakeSource("window:5:0", "");
  const OWN = fakeSource("window:1:1", "");

  /** The page wants to share; resolves when it has been asked. */
  const share = async (options: { hasAudio?: boolean; origin?: string } = {}) => {
    let streams: unknown = "waiting";
    void electron()
      .session.shareScreen(options)
      .then((answer) => (streams = answer));
    // The questions take some turns of the loop and no time.
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    return () => streams;
  };
  const choose = (requestId: number, sourceId: string | null) =>
    application.ask("chooseScreen", { requestId, sourceId });

  beforeEach(() => {
    electron().sources = [SCREEN, OTHER, OWN];
  });

  test("is chosen by the page among all but this window", async () => {
    await application.start();
    const streams = await share();
    expect(application.heard("screenRequested")).toEqual([
      {
        requestId: 1,
        sources: [
          { id: "screen:1:0", name: "name of screen:1:0", isScreen: true, thumbnail: expect.any(Uint8Array) },
          {
            id: "window:5:0",
            name: "name of window:5:0",
            isScreen: false,
            thumbnail: expect.any(Uint8Array),
          },
        ],
      },
    ]);
    expect(streams()).toBe("waiting");
    await choose(1, "window:5:0");
    expect(streams()).toEqual({ video: { id: "window:5:0", name: "name of window:5:0" } });
  });

  test.each([null, "screen:99:0", "window:1:1"])("is none when the page chooses %s", async (sourceId) => {
    await application.start();
    const streams = await share();
    await choose(1, sourceId);
    expect(streams()).toBeNull();
  });

  test.each([
    ["win32", true, "loopback"],
    ["win32", false, undefined],
    ["linux", true, undefined],
    ["darwin", true, undefined],
  ] as const)("on %s with sound wanted %s has the sound %s", async (platform, hasAudio, audio) => {
    await application.start({ platform });
    const streams = await share({ hasAudio });
    await choose(1, "screen:1:0");
    expect(streams()).toEqual({ video: expect.anything(), ...(audio !== undefined && { audio }) });
  });

  test("is refused to other pages, without a question", async () => {
    await application.start();
    const streams = await share({ origin: "https://evil.example" });
    expect(streams()).toBeNull();
    expect(application.heard("screenRequested")).toEqual([]);
  });

  test("is refused before the page listens", async () => {
    await application.start({}, { isPageStarted: false });
    expect((await share())()).toBeNull();
  });

  test("is refused when macOS denies it", async () => {
    electron().screenAccess = "denied";
    electron().sources = new Error("denied");
    await application.start({ platform: "darwin" });
    expect((await share())()).toBeNull();
  });

  test("is refused when there are no sources", async () => {
    await application.start();
    electron().sources = new Error("no portal");
    expect((await share())()).toBeNull();
    expect(application.log.said).toContain("no screen can be shown");
  });

  test("is refused when the page ends before it has answered", async () => {
    await application.start();
    const streams = await share();
    window().webContents.reload();
    await expect.poll(streams).toBeNull();
  });

  test("is refused after five minutes without an answer", async () => {
    await application.start();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const streams = await share();
    await vi.advanceTimersByTimeAsync(300_000);
    expect(streams()).toBeNull();
  });

  test("of a newer request ends the older one, whose answer has no effect", async () => {
    await application.start();
    const first = await share();
    const second = await share();
    await choose(1, "screen:1:0");
    expect([first(), second()]).toEqual([null, "waiting"]);
    await choose(2, "screen:1:0");
    expect(second()).toMatchObject({ video: { id: "screen:1:0" } });
  });
});
