import { beforeEach, describe, expect, test } from "vitest";
import { FakeElectron } from "../testing/fake-electron.ts";
import { FakeEvent } from "../testing/fake-events.ts";
import { TestLog } from "../testing/test-log.ts";
import { createOpenOutside, guardPages, guardSession } from "./guards.ts";

let electron: FakeElectron;
let log: TestLog;
beforeEach(() => {
  electron = new FakeElectron();
  log = new TestLog();
  guardPages(electron.app, createOpenOutside(electron.shell, log), log);
  electron.createWindow({});
});

/** Whether a page may do this. */
function tries(event: string, details: object): boolean {
  const attempt = Object.assign(new FakeEvent(), details);
  electron.window.webContents.emit(event, attempt);
  return !attempt.defaultPrevented;
}

describe("a page", () => {
  test.each([
    ["app://parley/home", true],
    ["https://evil.example/", false],
    ["app://evil/", false],
    ["file:///etc/passwd", false],
    ["data:text/html,x", false],
    ["javascript:alert(1)", false],
    ["app:parley", false],
  ])("may go to %s: %s", (url, isAllowed) => {
    expect(tries("will-navigate", { url, isMainFrame: true })).toBe(isAllowed);
    expect(tries("will-frame-navigate", { url, isMainFrame: false })).toBe(isAllowed);
    expect(tries("will-redirect", { url, isMainFrame: true })).toBe(isAllowed);
  });

  test("may not contain a webview", () => {
    expect(tries("will-attach-webview", {})).toBe(false);
  });

  test.each(["https://example.org/a?b#c", "http://example.org/", "mailto:ann@example.org"])(
    "opens %s outside and no window",
    (url) => {
      expect(electron.window.webContents.openWindow(url)).toEqual({ action: "deny" });
      expect(electron.openedOutside).toEqual([url]);
    },
  );

  test("saves a file of its server and stays where it is", () => {
    const url = "https://im.example.org/files/1/a.pdf?name=a.pdf&download=1";
    expect(tries("will-navigate", { url, isMainFrame: true })).toBe(false);
    expect(electron.window.webContents.downloads).toEqual([url]);
    expect(electron.openedOutside).toEqual([]);
  });

  test("opens a link of another kind outside, also without a target", () => {
    expect(tries("will-navigate", { url: "mailto:ann@example.org", isMainFrame: true })).toBe(false);
    expect(electron.openedOutside).toEqual(["mailto:ann@example.org"]);
    expect(electron.window.webContents.downloads).toEqual([]);
  });

  test.each([
    "file:///etc/passwd",
    "javascript:alert(1)",
    "smb://evil.example/x",
    "ms-settings:display",
    "vbscript:x",
    "not an address",
    "app://parley/home",
    `https://example.org/${"x".repeat(2_000)}`,
  ])("opens %s nowhere, and the log does not quote it", (url) => {
    expect(electron.window.webContents.openWindow(url)).toEqual({ action: "deny" });
    expect(electron.openedOutside).toEqual([]);
    expect(log.said).toEqual(["a link is not opened"]);
    expect(JSON.stringify(log.entries)).not.toContain(url);
  });

  test("opens the texts of the licences in a sandboxed window", () => {
    expect(electron.window.webContents.openWindow("app://parley/third-party-notices.txt")).toMatchObject({
      action: "allow",
      overrideBrowserWindowOptions: {
        webPreferences: { sandbox: true, contextIsolation: true, nodeIntegration: false },
      },
    });
  });

  test("that the system refuses to open is a line of the log", async () => {
    const shell = { openExternal: () => Promise.reject(new Error("no program")) };
    createOpenOutside(shell, log)("https://example.org");
    await expect.poll(() => log.said).toEqual(["the system did not open a link"]);
  });
});

describe("a permission", () => {
  const guard = (platform: "darwin" | "linux") =>
    guardSession(electron.session, { platform, systemPreferences: electron.systemPreferences, log });

  test.each([
    "media",
    "notifications",
    "display-capture",
    "fullscreen",
    "clipboard-sanitized-write",
    "local-network-access",
    "loopback-network",
    "screen-wake-lock",
  ] as const)("%s belongs to the client in its main frame only", async (permission) => {
    guard("linux");
    for (const [frame, isAllowed] of [
      [{}, true],
      [{ origin: "https://evil.example" }, false],
      [{ isMainFrame: false }, false],
    ] as const) {
      expect(electron.session.isPermitted(permission, frame)).toBe(isAllowed);
      expect(await electron.session.askPermission(permission, frame)).toBe(isAllowed);
    }
  });

  test.each([
    "geolocation",
    "clipboard-read",
    "openExternal",
    "hid",
    "usb",
    "serial",
    "midi",
    "unknown",
  ] as const)("%s is refused", async (permission) => {
    guard("linux");
    expect(electron.session.isPermitted(permission)).toBe(false);
    expect(await electron.session.askPermission(permission)).toBe(false);
  });

  test("for devices is what macOS says", async () => {
    guard("darwin");
    expect(await electron.session.askPermission("media", {}, ["audio", "video"])).toBe(true);
    expect(electron.askedDevices).toEqual(["microphone", "camera"]);
    electron.grantsDevices = false;
    expect(await electron.session.askPermission("media", {}, ["audio"])).toBe(false);
  });
});

describe("a download", () => {
  const download = (url: string): boolean => {
    const event = new FakeEvent();
    electron.session.emit("will-download", event, { getURL: () => url });
    return !event.defaultPrevented;
  };

  test.each([
    ["https://im.example.org/files/a/b.pdf", true],
    ["blob:app://parley/1", true],
    ["file:///etc/passwd", false],
    ["data:text/html,x", false],
  ])("of %s is allowed: %s", (url, isAllowed) => {
    guardSession(electron.session, { platform: "linux", systemPreferences: electron.systemPreferences, log });
    expect(download(url)).toBe(isAllowed);
  });
});
