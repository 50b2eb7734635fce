import type { SocketHandlers, SocketLink, Sockets } from "@parley/core/runtime/ports";

const NEVER_OPENED = 1006;

/** What `send` and `close` are for a socket that could not even be made. */
const DEAD: SocketLink = { send: () => undefined, close: () => undefined };

export const browserSockets: Sockets = {
  open(url, handlers) {
    try {
      return link(new WebSocket(url), handlers);
    } catch {
      // Not an address, or plain from a secure page.
      setTimeout(() => handlers.closed(NEVER_OPENED));
      return DEAD;
    }
  },
};

function link(socket: WebSocket, handlers: SocketHandlers): SocketLink {
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
