import type { NativeImage } from "electron";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { FakeImage } from "../testing/fake-screen.ts";
import { applicationOfEachTest } from "../testing/test-application.ts";
import { withDot } from "./unread-signs.ts";

const application = applicationOfEachTest();

const window = () => application.electron.window;
const tray = () => application.electron.trays[0]!;
const setUnread = (count: number) => application.ask("setUnread", count);

/** How a tray icon looks: with a dot, plain, or nothing. The plain one of the fake is transparent. */
function look(): string {
  const image = tray().image as NativeImage;
  return image.toBitmap().some((byte) => byte !== 0) ? "marked" : "unmarked";
}

describe("the number of unread messages", () => {
  test("is at the tray and the icon on Linux", async () => {
    await application.start({ platform: "linux" });
    await setUnread(12);
    expect([tray().toolTip, application.electron.app.badge, tray().title]).toEqual([
      "Parley: 12 unread",
      12,
      "",
    ]);
    await setUnread(0);
    expect([tray().toolTip, application.electron.app.badge]).toEqual(["Parley", 0]);
  });

  test("is in the menu bar and at the dock on macOS", async () => {
    await application.start({ platform: "darwin" });
    await setUnread(12);
    expect([tray().title, application.electron.app.badge]).toEqual(["12", 12]);
    await setUnread(0);
    expect([tray().title, application.electron.app.badge]).toEqual(["", 0]);
  });

  test("is a dot over the taskbar button on Windows", async () => {
    await application.start({ platform: "win32" });
    await setUnread(12);
    expect(window().overlay?.description).toBe("Parley: 12 unread");
    expect(window().overlay?.image).not.toBeNull();
    await setUnread(0);
    expect(window().overlay?.image).toBeNull();
  });

  test("is over the new taskbar button of a window that comes back on Windows", async () => {
    await application.start({ platform: "win32" });
    window().hide();
    await setUnread(12);
    window().overlay = null;
    window().show();
    expect(window().overlay?.description).toBe("Parley: 12 unread");
    expect(window().overlay?.image).not.toBeNull();
  });

  test("marks the icon of the tray", async () => {
    await application.start();
    expect(look()).toBe("unmarked");
    await setUnread(1);
    expect(look()).toBe("marked");
    await setUnread(0);
    expect(look()).toBe("unmarked");
  });

  test.each([
    // A picture with a margin of a quarter, of which macOS uses the middle 24 of 40.
    ["darwin", 36, 30],
    ["win32", 32, 16],
  ] as const)("on %s has %i pixels, of which the shape takes %i", async (platform, side, shape) => {
    const pixels = new Uint8Array(40 * 40 * 4);
    for (let y = 10; y < 30; y++) pixels.fill(0xff, (y * 40 + 10) * 4, (y * 40 + 30) * 4);
    const picture = new FakeImage("icon", { width: 40, height: 40 }, pixels);
    vi.spyOn(application.electron.images, "fromPath").mockReturnValue(picture);
    await application.start({ platform });
    const image = tray().image as NativeImage;
    expect(image.getSize()).toEqual({ width: side, height: side });
    const opaque = image.toBitmap().filter((byte) => byte === 0xff).length / 4;
    expect(Math.sqrt(opaque)).toBe(shape);
  });

  test("leaves the shape on macOS to the system", async () => {
    await application.start({ platform: "darwin" });
    await setUnread(1);
    expect((tray().image as NativeImage).isTemplateImage()).toBe(true);
  });
});

describe("the icon of the tray", () => {
  /** What it looks like in the next seconds. */
  const looks = () =>
    Array.from({ length: 4 }, () => {
      vi.advanceTimersByTime(600);
      return look();
    });
  const STEADY = ["marked", "marked", "marked", "marked"];
  const BLINKING = ["unmarked", "marked", "unmarked", "marked"];

  beforeEach(() => vi.useFakeTimers());

  test("blinks while something is unread and the window has no focus", async () => {
    await application.start();
    await setUnread(1);
    expect(looks()).toEqual(STEADY);
    window().blur();
    expect(looks()).toEqual(BLINKING);
    // A message between two blinks does not disturb them.
    vi.advanceTimersByTime(300);
    await setUnread(2);
    vi.advanceTimersByTime(300);
    expect(look()).toBe("unmarked");
    vi.advanceTimersByTime(600);
    expect(looks()).toEqual(BLINKING);
    window().focus();
    expect(looks()).toEqual(STEADY);
  });

  test("stops when everything is read elsewhere", async () => {
    await application.start();
    window().blur();
    await setUnread(1);
    expect(looks()).toEqual(BLINKING);
    await setUnread(0);
    expect(looks()).toEqual(["unmarked", "unmarked", "unmarked", "unmarked"]);
  });

  test("does not blink when the person does not want it, and does when they want it again", async () => {
    await application.start();
    window().blur();
    await setUnread(1);
    await application.ask("changeSettings", { drawsAttention: false });
    expect(looks()).toEqual(STEADY);
    await application.ask("changeSettings", { drawsAttention: true });
    expect(looks()).toEqual(BLINKING);
  });

  test("is gone after the end, and no timer is left", async () => {
    await application.start();
    window().blur();
    await setUnread(1);
    application.electron.app.emit("will-quit");
    expect([tray().isDestroyed, vi.getTimerCount()]).toEqual([true, 0]);
  });
});

describe("the window", () => {
  test("flashes until it gets the focus", async () => {
    await application.start();
    window().blur();
    await application.ask("drawAttention", null);
    expect(window().isFlashing).toBe(true);
    window().focus();
    expect(window().isFlashing).toBe(false);
  });

  test("with the focus does not flash", async () => {
    await application.start();
    await application.ask("drawAttention", null);
    expect(window().isFlashing).toBe(false);
  });

  test("does not flash when the person does not want it", async () => {
    await application.start();
    window().blur();
    await application.ask("changeSettings", { drawsAttention: false });
    await application.ask("drawAttention", null);
    expect(window().isFlashing).toBe(false);
  });
});

test("a dot lies in the lower right corner and leaves the rest of the picture", () => {
  const side = 8;
  const pixels = new Uint8Array(side * side * 4).fill(7);
  const marked = withDot(pixels, side, 2);
  const isDot = (x: number, y: number) => marked[(y * side + x) * 4 + 3] === 0xff;
  expect([isDot(6, 6), isDot(5, 6), isDot(0, 0), isDot(7, 0), isDot(0, 7), isDot(3, 3)]).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
  expect(pixels.every((byte) => byte === 7)).toBe(true);
});
