import { afterEach, expect, test, vi } from "vitest";
import { browserSockets } from "./browser-sockets.ts";

const made: string[] = [];
const handlers = { opened: () => undefined, received: () => undefined, closed: () => undefined };

class SilentSocket extends EventTarget {
  static readonly OPEN = 1;
  readonly readyState = 0;
  constructor(url: string) {
    super();
    made.push(url);
  }
  close(): void {
    made.push("closed");
  }
}

/** A clock whose frames come when the test says so. */
function frames() {
  let waiting: (() => void)[] = [];
  const next = () => {
    const due = waiting;
    waiting = [];
    for (const run of due) run();
    return due.length > 0;
  };
  return { soon: (run: () => void) => void waiting.push(run), next };
}

afterEach(() => {
  made.length = 0;
  vi.unstubAllGlobals();
});

test("the first socket of a page waits for the first paint, later ones open at once", () => {
  vi.stubGlobal("WebSocket", SilentSocket);
  const clock = frames();
  const sockets = browserSockets(clock);
  sockets.open("wss://first", handlers);
  clock.next();
  expect(made).toEqual([]);
  while (clock.next());
  expect(made).toEqual(["wss://first"]);
  sockets.open("wss://second", handlers);
  expect(made).toEqual(["wss://first", "wss://second"]);
});

test("a first socket that is closed while it waits is never opened", () => {
  vi.stubGlobal("WebSocket", SilentSocket);
  const clock = frames();
  const socket = browserSockets(clock).open("wss://first", handlers);
  socket.send("{}");
  socket.close(3000);
  while (clock.next());
  expect(made).toEqual([]);
});

test("a first socket is closed like any other once it was opened", () => {
  vi.stubGlobal("WebSocket", SilentSocket);
  const clock = frames();
  const socket = browserSockets(clock).open("wss://first", handlers);
  while (clock.next());
  socket.close(3000);
  expect(made).toEqual(["wss://first", "closed"]);
});
