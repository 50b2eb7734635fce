import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { DesktopBridge } from "@parley/desktop/bridge/desktop-bridge";
import { showDesktopNotification } from "./desktop-notification.ts";

/** The main process: the tags that it was asked to show and to close, in their order. */
function createBridge() {
  const asked: string[] = [];
  const bridge: DesktopBridge = {
    platform: "linux",
    request: async (name, input) => {
      asked.push(
        `${name} ${typeof input === "string" ? input : (input as { tag: string; body: string }).body}`,
      );
      return null as never;
    },
    on: () => () => undefined,
  };
  const show = (tag: string, body: string, icon: string | null) =>
    showDesktopNotification(bridge, tag, { title: "Parley", body, icon }, () => undefined);
  return { asked, show };
}

/** Answers the requests for pictures as the test wants; until then they wait. */
function holdPictures() {
  const answers = new Map<string, (response: Response) => void>();
  vi.stubGlobal("fetch", (url: string) => new Promise((resolve) => answers.set(url, resolve)));
  return async (url: string, response: Response) => {
    answers.get(url)?.(response);
    await vi.advanceTimersByTimeAsync(0);
  };
}

const missing = () => new Response(null, { status: 404 });

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("reportError", (error: unknown) => expect.unreachable(String(error)));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("DT13 a call is shown at once while the picture of an earlier message does not arrive, and the message follows without it", async () => {
  holdPictures();
  const { asked, show } = createBridge();
  show("message", "hello", "/slow.png");
  show("call", "it rings", null);
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).toEqual(["showNotification it rings"]);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(asked).toEqual(["showNotification it rings", "showNotification hello"]);
});

test("DT13 a picture that the browser does not finish reading holds up no notification", async () => {
  vi.stubGlobal("fetch", async () => new Response("a picture"));
  vi.stubGlobal(
    "Image",
    class {
      decode = () => new Promise(() => undefined);
    },
  );
  const { asked, show } = createBridge();
  show("message", "hello", "/endless.png");
  await vi.advanceTimersByTimeAsync(2_999);
  expect(asked).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toEqual(["showNotification hello"]);
});

test("DT12 of two with the same tag the newer one is shown, although the picture of the older one arrives later", async () => {
  const answer = holdPictures();
  const { asked, show } = createBridge();
  show("chat", "first", "/first.png");
  show("chat", "second", "/second.png");
  await answer("/second.png", missing());
  await answer("/first.png", missing());
  expect(asked).toEqual(["showNotification second"]);
});

test("DT12 one that is closed before its picture is there is not shown", async () => {
  const answer = holdPictures();
  const { asked, show } = createBridge();
  show("chat", "read meanwhile", "/first.png").close();
  await answer("/first.png", missing());
  expect(asked).toEqual(["closeNotification chat"]);
});
