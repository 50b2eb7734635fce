import type { SocketHandlers, Sockets } from "../ports.ts";

/** One socket between a client and whoever plays the server: two queues that are flushed by hand. */
export interface FakeWire {
  readonly url: string;
  /** Texts the client has sent and the server has not read. */
  readonly up: string[];
  /** Texts the server has sent and the client has not read. */
  readonly down: string[];
  state: "connecting" | "open" | "closed";
  /** Code the client closed with; null while it has not. */
  closedByClient: number | null;
  /** The server takes the connection. */
  accept(): void;
  /** Hands the client the next text; false: there is none. */
  deliver(): boolean;
  /** Hands the client everything that waits. */
  deliverAll(): void;
  /** The client sees the end. What was still on its way is lost. */
  close(code: number): void;
}

export interface FakeSockets extends Sockets {
  readonly wires: FakeWire[];
  /** The newest one; throws when there is none. */
  last(): FakeWire;
  /** Called with each new wire and each close by the client. */
  onOpen: (wire: FakeWire) => void;
  onClose: (wire: FakeWire) => void;
}

export function createFakeSockets(): FakeSockets {
  const wires: FakeWire[] = [];
  const sockets: FakeSockets = {
    wires,
    onOpen: () => undefined,
    onClose: () => undefined,
    last() {
      const wire = wires.at(-1);
      if (wire === undefined) throw new Error("no socket was opened");
      return wire;
    },
    open(url, handlers) {
      const wire = createWire(url, handlers);
      wires.push(wire);
      sockets.onOpen(wire);
      return {
        send(text) {
          if (wire.state === "open") wire.up.push(text);
        },
        close(code) {
          if (wire.state === "closed") return;
          wire.state = "closed";
          wire.closedByClient = code;
          sockets.onClose(wire);
        },
      };
    },
  };
  return sockets;
}

function createWire(url: string, handlers: SocketHandlers): FakeWire {
  const wire: FakeWire = {
    url,
    up: [],
    down: [],
    state: "connecting",
    closedByClient: null,
    accept() {
      if (wire.state !== "connecting") return;
      wire.state = "open";
      handlers.opened();
    },
    deliver() {
      const text = wire.state === "open" ? wire.down.shift() : undefined;
      if (text === undefined) return false;
      handlers.received(text);
      return true;
    },
    deliverAll() {
      const texts = wire.down.splice(0);
      for (const text of texts) if (wire.state === "open") handlers.received(text);
    },
    close(code) {
      if (wire.state === "closed") return;
      wire.state = "closed";
      handlers.closed(code);
    },
  };
  return wire;
}
