import { afterEach, expect, test, vi } from "vitest";
import { browserSockets } from "./browser-sockets.ts";

const events: string[] = [];
const handlers = { opened: () => undefined, received: () => undefined, closed: () => undefined };

class SilentSocket extends EventTarget {
  static readonly OPEN = 1;
  readonly readyState = 0;
  constructor(url: string) {
    super();
    events.push(url);
  }
  close(): void {
    events.push("closed");
  }
}

/** A clock whose frames run when the test calls `runFrame`. */
function createManualFrames() {
  let queue: (() => void)[] = [];
  const runFrame = () => {
    const due = queue;
    queue = [];
    for (const run of due) run();
    return due.length > 0;
  };
  return { soon: (run: () => void) => void queue.push(run), runFrame };
}

afterEach(() => {
  events.length = 0;
  vi.unstubAllGlobals();
});

test("the first socket of a page waits for the first paint, and later ones open at once", () => {
  vi.stubGlobal("WebSocket", SilentSocket);
  const clock = createManualFrames();
  const sockets = browserSockets(clock);
  sockets.open("wss://first", handlers);
  clock.runFrame();
  expect(events).toEqual([]);
  while (clock.runFrame());
  expect(events).toEqual(["wss://first"]);
  sockets.open("wss://second", handlers);
  expect(events).toEqual(["wss://first", "wss://second"]);
});

test("the first socket is never opened if it is closed while it waits", () => {
  vi.stubGlobal("WebSocket", SilentSocket);
  const clock = createManualFrames();
  const socket = browserSockets(clock).open("wss://first", handlers);
  socket.send("{}");
  socket.close(3000);
  while (clock.runFrame());
  expect(events).toEqual([]);
});

test("the first socket can be closed after it was opened", () => {
  vi.stubGlobal("WebSocket", SilentSocket);
  const clock = createManualFrames();
  const socket = browserSockets(clock).open("wss://first", handlers);
  while (clock.runFrame());
  socket.close(3000);
  expect(events).toEqual(["wss://first", "closed"]);
});
