import { beforeEach, describe, expect, test } from "vitest";
import { DESKTOP_REQUESTS } from "../bridge/desktop-bridge.ts";
import { FakeElectron } from "../testing/fake-electron.ts";
import { type FakeSender } from "../testing/fake-session.ts";
import { TestLog } from "../testing/test-log.ts";
import { PageBridge, type DesktopAnswers } from "./page-bridge.ts";

const start = {
  settings: { closeAction: "ask", drawsAttention: true, opensAtLogin: false, zoomPercent: 100 },
  window: { isMaximized: false, isFullScreen: false, isFocused: true },
  link: null,
} as const;

let electron: FakeElectron;
let bridge: PageBridge;
let log: TestLog;
let unread: number[];

beforeEach(() => {
  electron = new FakeElectron();
  log = new TestLog();
  unread = [];
  bridge = new PageBridge(electron.createWindow({}).webContents);
  const nothing = () => null;
  const answers: DesktopAnswers = {
    start: () => start,
    changeSettings: () => start.settings,
    controlWindow: nothing,
    confirmClose: nothing,
    setLanguage: nothing,
    setUnread: (count) => {
      unread.push(count);
      return null;
    },
    drawAttention: () => {
      throw new Error("the window is broken");
    },
    showNotification: () => true,
    closeNotification: nothing,
    captureScreen: () => ({ kind: "picture", png: Buffer.from("png") }),
    chooseScreen: nothing,
    sealSecret: () => 5 as unknown as string,
    openSecret: nothing,
  };
  bridge.answer(electron.ipcMain, answers, log);
});

describe("a request", () => {
  test("is answered for every name of the table", async () => {
    for (const name of Object.keys(DESKTOP_REQUESTS))
      await expect(electron.ipcMain.invoke(name, Symbol("no input")), name).rejects.toThrow("is refused");
  });

  test("of the client reaches its answer", async () => {
    expect(await electron.ipcMain.invoke("setUnread", 3)).toBeNull();
    expect(unread).toEqual([3]);
    expect(await electron.ipcMain.invoke("captureScreen", null)).toMatchObject({ kind: "picture" });
  });

  const strangers: [string, FakeSender][] = [
    ["another site", { origin: "https://evil.example" }],
    ["another host of our scheme", { origin: "app://evil" }],
    ["an opaque origin", { origin: "null" }],
    ["a frame in the client", { isSubframe: true }],
    ["another window", { id: 2 }],
  ];
  test.each(strangers)("of %s is refused and does nothing", async (_, sender) => {
    await expect(electron.ipcMain.invoke("setUnread", 3, sender)).rejects.toThrow("setUnread is refused");
    expect(unread).toEqual([]);
  });

  test.each([-1, 1.5, "3", null, undefined, { count: 3 }])("with the input %o is refused", async (input) => {
    await expect(electron.ipcMain.invoke("setUnread", input)).rejects.toThrow("setUnread is refused");
    expect(unread).toEqual([]);
  });

  test("that fails tells the page nothing but that, and the log why", async () => {
    await expect(electron.ipcMain.invoke("drawAttention", null)).rejects.toThrow(/^drawAttention failed$/);
    expect(log.entries).toMatchObject([
      { what: "a request failed", error: { message: "the window is broken" } },
    ]);
  });

  test("whose answer does not fit its schema fails", async () => {
    await expect(electron.ipcMain.invoke("sealSecret", "x")).rejects.toThrow("sealSecret failed");
  });
});

describe("an event", () => {
  const heard = () => electron.window.webContents.heardBy("closeRequested");

  test("is told after the page has started", async () => {
    expect(bridge.tell("closeRequested", null)).toBe(false);
    await electron.startPage();
    expect(bridge.tell("closeRequested", null)).toBe(true);
    expect(heard()).toEqual([null]);
  });

  test.each([
    ["was reloaded", () => electron.window.webContents.reload()],
    ["crashed", () => electron.window.webContents.emit("render-process-gone", {}, { reason: "crashed" })],
  ])("is not told when the page %s, until it starts again", async (_, end) => {
    let ends = 0;
    bridge.onEnd(() => ends++);
    await electron.startPage();
    end();
    expect([bridge.tell("closeRequested", null), ends]).toEqual([false, 1]);
    await electron.startPage();
    expect(bridge.tell("closeRequested", null)).toBe(true);
    expect(heard()).toHaveLength(1);
  });

  test.each([
    ["changes its screen", "did-start-navigation", { isMainFrame: true, isSameDocument: true }],
    ["changes its screen", "did-navigate-in-page", {}],
    ["may not follow a link", "did-start-navigation", { isMainFrame: true, isSameDocument: false }],
  ])("goes on when the page %s (%s)", async (_, event, details) => {
    await electron.startPage();
    electron.window.webContents.emit(event, details);
    expect(bridge.tell("closeRequested", null)).toBe(true);
  });

  test("that does not fit its schema is an error here and not in the page", async () => {
    await electron.startPage();
    expect(() => bridge.tell("linkOpened", { kind: "chat", chat: "private", id: -1 })).toThrow();
  });
});
