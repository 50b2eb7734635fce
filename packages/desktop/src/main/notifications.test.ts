import { beforeEach, describe, expect, test } from "vitest";
import { applicationOfEachTest } from "../testing/test-application.ts";

const MESSAGE = { tag: "chat", title: "Ann", body: "Hello", icon: null, isLasting: false, actions: [] };
const CALL = {
  ...MESSAGE,
  tag: "call",
  isLasting: true,
  actions: [
    { action: "accept", label: "Answer" },
    { action: "reject", label: "Decline" },
  ],
};

const application = applicationOfEachTest();
beforeEach(() => application.start());

const shown = () => application.electron.shown;
const acted = () => application.heard("notificationActed");
const show = (notification: object) => application.ask("showNotification", notification);

describe("a notification", () => {
  test("shows what the page says, without a sound", async () => {
    expect(await show({ ...MESSAGE, icon: new TextEncoder().encode("a picture") })).toBe(true);
    expect(shown()[0]).toMatchObject({
      isShown: true,
      options: {
        title: "Ann",
        body: "Hello",
        silent: true,
        timeoutType: "default",
        icon: { source: "a picture" },
      },
    });
  });

  test("is no markup on Linux, whose desktops read it", async () => {
    await show({ ...MESSAGE, body: "<b>1 & 2</b>" });
    expect(shown()[0]!.options.body).toBe("&lt;b&gt;1 &amp; 2&lt;/b&gt;");
  });

  test("that Windows has moved away can still be clicked and closed, another that was closed cannot", async () => {
    await show(MESSAGE);
    shown()[0]!.emit("close", { reason: "timedOut" });
    await application.ask("closeNotification", "chat");
    expect(shown()[0]!.isShown).toBe(false);
  });

  test("is closed when a hundred newer ones are open", async () => {
    for (let n = 0; n <= 100; n++) await show({ ...MESSAGE, tag: `chat ${n}` });
    expect(shown().map(({ isShown }) => isShown)).toEqual([
      false,
      ...Array.from({ length: 100 }, () => true),
    ]);
  });

  test("of a call stays and has its buttons", async () => {
    await show(CALL);
    expect(shown()[0]!.options).toMatchObject({
      timeoutType: "never",
      urgency: "critical",
      actions: [
        { type: "button", text: "Answer" },
        { type: "button", text: "Decline" },
      ],
    });
  });

  test("is none where the system shows none", async () => {
    application.electron.canNotify = false;
    expect(await show(MESSAGE)).toBe(false);
    expect(shown()).toEqual([]);
  });

  test("that is clicked shows the window", async () => {
    await show(MESSAGE);
    application.electron.window.hide();
    shown()[0]!.emit("click", {});
    expect(application.electron.window.isVisible()).toBe(true);
    expect(acted()).toEqual([{ tag: "chat", action: "open" }]);
  });

  test.each([
    [0, "accept", true],
    [1, "reject", false],
  ])(
    "whose button %i is pressed says %s and shows the window: %s",
    async (actionIndex, action, isVisible) => {
      await show(CALL);
      application.electron.window.hide();
      shown()[0]!.emit("action", { actionIndex, selectionIndex: -1 });
      expect(acted()).toEqual([{ tag: "call", action }]);
      expect(application.electron.window.isVisible()).toBe(isVisible);
    },
  );

  test("replaces the one with its tag and no other", async () => {
    await show(MESSAGE);
    await show(CALL);
    await show({ ...MESSAGE, body: "And?" });
    expect(shown().map(({ isShown }) => isShown)).toEqual([false, true, true]);
    await application.ask("closeNotification", "chat");
    expect(shown().map(({ isShown }) => isShown)).toEqual([false, true, false]);
    await application.ask("closeNotification", "unknown");
  });

  test("that the person closed does not take its successor with it", async () => {
    await show(MESSAGE);
    await show({ ...MESSAGE, body: "And?" });
    // The system reports the first one late.
    shown()[0]!.emit("close", {});
    await application.ask("closeNotification", "chat");
    expect(shown().map(({ isShown }) => isShown)).toEqual([false, false]);
  });

  test.each([
    ["the page ends", () => application.electron.window.webContents.reload()],
    ["the application ends", () => application.electron.app.emit("will-quit")],
  ])("is closed when %s", async (_, end) => {
    await show(MESSAGE);
    await show(CALL);
    end();
    expect(shown().map(({ isShown }) => isShown)).toEqual([false, false]);
  });

  test("that the system refuses is a line of the log", async () => {
    await show(MESSAGE);
    shown()[0]!.emit("failed", {}, "not allowed");
    expect(application.log.said).toContain("the system does not show a notification");
    expect(JSON.stringify(application.log.entries)).not.toContain("Hello");
  });
});
