import { describe, expect, test, vi } from "vitest";
import { clickItem } from "../testing/fake-system.ts";
import { applicationOfEachTest } from "../testing/test-application.ts";

const HIDE = 0;
const QUIT = 1;
const CANCEL = 2;

const application = applicationOfEachTest();

const window = () => application.electron.window;
const isQuit = () => application.electron.app.isQuit;

describe("closing the window", () => {
  test("asks in the page at first and changes nothing before the answer", async () => {
    await application.start();
    window().close();
    expect(application.heard("closeRequested")).toEqual([null]);
    expect([window().isVisible(), window().isDestroyed(), isQuit()]).toEqual([true, false, false]);
  });

  test("in the taskbar while it is minimised shows it with the question", async () => {
    await application.start();
    window().minimize();
    window().close();
    expect([window().isMinimized(), window().isFocused()]).toEqual([false, true]);
  });

  test("by the button of the page asks as well", async () => {
    await application.start();
    await application.ask("controlWindow", "close");
    expect(application.heard("closeRequested")).toEqual([null]);
  });

  test("hides it after that answer, and asks again the next time", async () => {
    await application.start();
    window().close();
    await application.ask("confirmClose", { action: "hide", isRemembered: false });
    await expect.poll(() => window().isVisible()).toBe(false);
    expect(isQuit()).toBe(false);
    window().close();
    expect(application.heard("closeRequested")).toHaveLength(2);
  });

  test("quits after that answer, and then it does close", async () => {
    await application.start();
    window().close();
    await application.ask("confirmClose", { action: "quit", isRemembered: false });
    expect(isQuit()).toBe(true);
    window().close();
    expect(window().isDestroyed()).toBe(true);
  });

  test("does what was remembered, also after a restart, and the page hears of it", async () => {
    await application.start();
    window().close();
    await application.ask("confirmClose", { action: "hide", isRemembered: true });
    expect(application.heard("settingsChanged")).toMatchObject([{ closeAction: "hide" }]);
    await application.restart();
    window().close();
    await expect.poll(() => window().isVisible()).toBe(false);
    expect(application.heard("closeRequested")).toEqual([]);
  });

  test("quits at once if the person chose that in the settings", async () => {
    await application.start();
    await application.ask("changeSettings", { closeAction: "quit" });
    window().close();
    expect(isQuit()).toBe(true);
  });

  test("minimises it where nothing shows a tray icon, so that it is not lost", async () => {
    application.hasTray = false;
    await application.start();
    await application.ask("confirmClose", { action: "hide", isRemembered: false });
    await expect.poll(() => window().isMinimized()).toBe(true);
    expect(window().isVisible()).toBe(true);
  });

  test("leaves the full screen first", async () => {
    await application.start();
    window().setFullScreen(true);
    await application.ask("confirmClose", { action: "hide", isRemembered: false });
    await expect.poll(() => window().isVisible()).toBe(false);
    expect(window().isFullScreen()).toBe(false);
  });

  test("leaves it open if the person opens it before it has left the full screen", async () => {
    await application.start();
    window().setFullScreen(true);
    const leave = vi.spyOn(window(), "setFullScreen").mockImplementation(() => undefined);
    await application.ask("confirmClose", { action: "hide", isRemembered: false });
    await expect.poll(() => leave.mock.calls).toEqual([[false]]);
    application.electron.app.emit("activate");
    window().emit("leave-full-screen");
    expect(window().isVisible()).toBe(true);
  });
});

describe("closing the window asks by the system's dialog", () => {
  const answer = (response: number, checkboxChecked = false) =>
    application.electron.dialogAnswers.push({ response, checkboxChecked });

  test("when the page has not started", async () => {
    await application.start({}, { isPageStarted: false });
    answer(QUIT, true);
    window().close();
    await expect.poll(isQuit).toBe(true);
    await application.restart({}, { isPageStarted: false });
    window().close();
    expect(isQuit()).toBe(true);
  });

  test("after a crash of the page", async () => {
    await application.start();
    window().webContents.emit("render-process-gone", {}, { reason: "crashed", exitCode: 1 });
    answer(HIDE);
    window().close();
    await expect.poll(() => window().isVisible()).toBe(false);
  });

  test("when the page does not react", async () => {
    await application.start();
    vi.useFakeTimers();
    window().webContents.isHanging = true;
    window().close();
    answer(QUIT);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(isQuit()).toBe(true);
  });

  test("only once at a time, and does nothing when the person cancels", async () => {
    await application.start({}, { isPageStarted: false });
    answer(CANCEL);
    window().close();
    window().close();
    await expect.poll(() => application.electron.dialogAnswers).toEqual([]);
    expect(application.electron.dialogs).toHaveLength(1);
    expect([window().isDestroyed(), isQuit()]).toEqual([false, false]);
  });

  test("but not while the page reacts", async () => {
    await application.start();
    vi.useFakeTimers();
    window().close();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(application.electron.dialogs).toEqual([]);
  });
});

describe("without a question the window closes", () => {
  const ends: [string, () => void][] = [
    ["when the application quits by a key", () => application.electron.app.quit()],
    ["when the tray says so", () => clickItem(application.electron.trays[0]!.menu, "Quit")],
    ["when the system shuts down", () => application.electron.powerMonitor.emit("shutdown")],
    ["when Windows ends the session", () => window().emit("session-end")],
  ];
  test.each(ends)("%s", async (_, end) => {
    await application.start();
    end();
    window().close();
    expect(window().isDestroyed()).toBe(true);
    expect(application.heard("closeRequested")).toEqual([]);
  });

  test("also when the page wants to prevent that it is left", async () => {
    await application.start();
    const event = { isPrevented: false, preventDefault: () => void (event.isPrevented = true) };
    window().webContents.emit("will-prevent-unload", event);
    // Preventing this event leaves the page.
    expect(event.isPrevented).toBe(true);
  });
});

describe("a crash of the page", () => {
  const crash = (reason = "crashed") =>
    window().webContents.emit("render-process-gone", {}, { reason, exitCode: 5 });

  test("reloads it once and says so in the log", async () => {
    await application.start();
    crash();
    expect(window().webContents.reloads).toBe(1);
    expect(application.log.entries).toContainEqual(
      expect.objectContaining({
        what: "the page crashed",
        details: { reason: "crashed", exitCode: 5, isFirst: true },
      }),
    );
  });

  test.each([
    ["reload", 0, { reloads: 2, isQuit: false }],
    ["quit", 1, { reloads: 1, isQuit: true }],
  ])("for the second time lets the person decide: %s", async (_, response, expected) => {
    await application.start();
    application.electron.dialogAnswers.push({ response, checkboxChecked: false });
    crash();
    crash();
    await expect.poll(() => ({ reloads: window().webContents.reloads, isQuit: isQuit() })).toEqual(expected);
  });

  test("is none when the page ends by itself", async () => {
    await application.start();
    crash("clean-exit");
    expect(window().webContents.reloads).toBe(0);
  });
});
