import type { Clock, SocketHandlers, Socket, Sockets } from "@parley/core/ports";

const NEVER_OPENED = 1006;

/** What `send` and `close` are for a socket that could not even be made. */
const DEAD: Socket = { send: () => undefined, close: () => undefined };

/** Frames in which a list and a conversation from disk are measured and painted. */
const PAINT_FRAMES = 5;

/** Sockets of the browser. A page's first one waits until what is on disk can be seen, so that no answer comes before it. */
export function browserSockets(clock: Pick<Clock, "soon">): Sockets {
  let isFirst = true;
  return {
    open(url, handlers) {
      if (!isFirst) return openNow(url, handlers);
      isFirst = false;
      let socket: Socket | null = null;
      let isGivenUp = false;
      afterFrames(clock, PAINT_FRAMES, () => {
        if (!isGivenUp) socket = openNow(url, handlers);
      });
      return {
        send: (text) => socket?.send(text),
        close(code) {
          isGivenUp = true;
          socket?.close(code);
        },
      };
    },
  };
}

function afterFrames(clock: Pick<Clock, "soon">, frames: number, run: () => void): void {
  clock.soon(() => (frames > 1 ? afterFrames(clock, frames - 1, run) : run()));
}

function openNow(url: string, handlers: SocketHandlers): Socket {
  try {
    return link(new WebSocket(url), handlers);
  } catch {
    // Not an address, or plain from a secure page.
    setTimeout(() => handlers.closed(NEVER_OPENED));
    return DEAD;
  }
}

function link(socket: WebSocket, handlers: SocketHandlers): Socket {
  const listening = new AbortController();
  const { signal } = listening;
  socket.addEventListener("open", () => handlers.opened(), { signal });
  socket.addEventListener(
    "message",
    (event: MessageEvent<unknown>) => {
      if (typeof event.data === "string") handlers.received(event.data);
    },
    { signal },
  );
  socket.addEventListener(
    "close",
    (event) => {
      listening.abort();
      handlers.closed(event.code);
    },
    { signal },
  );
  return {
    send(text) {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    close(code) {
      listening.abort();
      socket.close(code);
    },
  };
}
