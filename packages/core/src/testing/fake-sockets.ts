import type { SocketHandlers, Sockets } from "../ports.ts";

/** A socket between a client and a test or fake server: two queues of frames that a test delivers by hand. */
export interface FakeSocket {
  readonly url: string;
  /** Texts that the client has sent and the server has not read. */
  readonly up: string[];
  /** Texts that the server has sent and the client has not read. */
  readonly down: string[];
  state: "connecting" | "open" | "closed";
  /** The code that the client closed the socket with; null until then. */
  closedByClient: number | null;
  /** The server accepts the connection. */
  accept(): void;
  /** Delivers the next text to the client; false: there is none. */
  deliver(): boolean;
  /** Delivers all waiting texts to the client. */
  deliverAll(): void;
  /** The client sees the close. Texts in transit are lost. */
  close(code: number): void;
}

/** The sockets that a client has opened. */
export interface FakeSockets extends Sockets {
  readonly all: FakeSocket[];
  /** The newest socket; throws when there is none. */
  last(): FakeSocket;
  /** Called with each new socket and each close by the client. */
  onOpen: (socket: FakeSocket) => void;
  onClose: (socket: FakeSocket) => void;
}

/** Creates sockets that connect to nothing by themselves. */
export function createFakeSockets(): FakeSockets {
  const all: FakeSocket[] = [];
  const sockets: FakeSockets = {
    all,
    onOpen: () => undefined,
    onClose: () => undefined,
    last() {
      const socket = all.at(-1);
      if (socket === undefined) throw new Error("no socket was opened");
      return socket;
    },
    open(url, handlers) {
      const socket = createFakeSocket(url, handlers);
      all.push(socket);
      sockets.onOpen(socket);
      return {
        send(text) {
          if (socket.state === "open") socket.up.push(text);
        },
        close(code) {
          if (socket.state === "closed") return;
          socket.state = "closed";
          socket.closedByClient = code;
          sockets.onClose(socket);
        },
      };
    },
  };
  return sockets;
}

function createFakeSocket(url: string, handlers: SocketHandlers): FakeSocket {
  const socket: FakeSocket = {
    url,
    up: [],
    down: [],
    state: "connecting",
    closedByClient: null,
    accept() {
      if (socket.state !== "connecting") return;
      socket.state = "open";
      handlers.opened();
    },
    deliver() {
      const text = socket.state === "open" ? socket.down.shift() : undefined;
      if (text === undefined) return false;
      handlers.received(text);
      return true;
    },
    deliverAll() {
      const texts = socket.down.splice(0);
      for (const text of texts) if (socket.state === "open") handlers.received(text);
    },
    close(code) {
      if (socket.state === "closed") return;
      socket.state = "closed";
      handlers.closed(code);
    },
  };
  return socket;
}
