import { EventEmitter } from "node:events";
import type { IpcRenderer } from "electron";
import { beforeEach, describe, expect, test } from "vitest";
import type { DesktopBridge } from "../bridge/desktop-bridge.ts";
import { createPageEnd } from "./page-end.ts";

type Listener = Parameters<IpcRenderer["on"]>[1];

const channels = new EventEmitter();
let invoked: unknown[][];
let answer: unknown;
let page: DesktopBridge;

/** Electron's own object is the return value of its methods, which nobody uses. */
const ipc: Pick<IpcRenderer, "invoke" | "on" | "removeListener"> = {
  invoke: async (...args: unknown[]) => {
    invoked.push(args);
    return answer;
  },
  on: (channel: string, listener: Listener) => {
    channels.on(channel, listener);
    return undefined as never;
  },
  removeListener: (channel: string, listener: Listener) => {
    channels.off(channel, listener);
    return undefined as never;
  },
};

beforeEach(() => {
  channels.removeAllListeners();
  invoked = [];
  answer = null;
  page = createPageEnd(ipc, "linux");
});

describe("a request of the page", () => {
  test("goes to the channel of its name and brings the answer", async () => {
    answer = true;
    const input = { tag: "t", title: "", body: "", icon: null, isLasting: false, actions: [] };
    expect(await page.request("showNotification", input)).toBe(true);
    expect(invoked).toEqual([["parley:showNotification", input]]);
  });

  test.each(["shell", "constructor", "__proto__", "toString", "windowChanged", ""])(
    "cannot be called %s",
    async (name) => {
      await expect(page.request(name as "start", null)).rejects.toThrow("there is no such request");
      expect(invoked).toEqual([]);
    },
  );

  test("with a wrong input does not leave the page", async () => {
    await expect(page.request("setUnread", -1)).rejects.toThrow();
    expect(invoked).toEqual([]);
  });

  test("with a wrong answer fails", async () => {
    answer = { secret: 1 };
    await expect(page.request("sealSecret", "x")).rejects.toThrow();
  });
});

describe("an event for the page", () => {
  test("brings its content and nothing of Electron, until the page ends it", () => {
    const heard: unknown[][] = [];
    const end = page.on("linkOpened", (...args) => heard.push(args));
    const link = { kind: "chat", chat: "group", id: 3 };
    channels.emit("parley:linkOpened", { sender: "electron" }, { ...link, more: 1 });
    end();
    channels.emit("parley:linkOpened", { sender: "electron" }, link);
    expect(heard).toEqual([[link]]);
  });

  test("of another name cannot be heard", () => {
    expect(() => page.on("start" as "linkOpened", () => undefined)).toThrow("there is no such event");
  });
});

test.each([
  ["darwin", "darwin"],
  ["win32", "win32"],
  ["linux", "linux"],
  ["freebsd", "linux"],
])("on %s the page sees the platform %s", (system, platform) => {
  expect(createPageEnd(ipc, system).platform).toBe(platform);
});
