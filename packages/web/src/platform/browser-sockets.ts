import type { Clock, SocketHandlers, Socket, Sockets } from "@parley/core/ports";

const CLOSE_ABNORMAL = 1006;

/** Stands for a socket that could not be created. */
const DEAD_SOCKET: Socket = { send: () => undefined, close: () => undefined };

/** Number of frames in which the stored list and conversation are measured and painted. */
const PAINT_FRAMES = 5;

/** The browser's sockets. The first socket of a page waits until the stored state is painted, so that it is shown before any answer. */
export function browserSockets(clock: Pick<Clock, "soon">): Sockets {
  let isFirst = true;
  return {
    open(url, handlers) {
      if (!isFirst) return openNow(url, handlers);
      isFirst = false;
      let socket: Socket | null = null;
      let isCancelled = false;
      afterFrames(clock, PAINT_FRAMES, () => {
        if (!isCancelled) socket = openNow(url, handlers);
      });
      return {
        send: (text) => socket?.send(text),
        close(code) {
          isCancelled = true;
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
    return attachHandlers(new WebSocket(url), handlers);
  } catch {
    // The address is invalid, or it is an insecure one on a secure page.
    setTimeout(() => handlers.closed(CLOSE_ABNORMAL));
    return DEAD_SOCKET;
  }
}

function attachHandlers(socket: WebSocket, handlers: SocketHandlers): Socket {
  const listeners = new AbortController();
  const { signal } = listeners;
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
      listeners.abort();
      handlers.closed(event.code);
    },
    { signal },
  );
  return {
    send(text) {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    close(code) {
      listeners.abort();
      socket.close(code);
    },
  };
}
