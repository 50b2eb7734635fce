import type { ClientFrame } from "@parley/protocol/frame";
import type { Ports, Socket, SocketHandlers } from "../ports.ts";
import { createScope } from "../session-scope.ts";

/** The socket in use, if there is one. What a socket reports after it was given up is ignored. */
export interface CurrentSocket {
  open(url: string): void;
  send(frame: ClientFrame): void;
  /** Gives the socket up. */
  close(code: number): void;
}

/** Creates it without a socket. */
export function createCurrentSocket(sockets: Ports["sockets"], handlers: SocketHandlers): CurrentSocket {
  let socket: Socket | null = null;
  let socketScope = createScope();
  return {
    open(url) {
      socketScope = createScope();
      const { isOver } = socketScope;
      socket = sockets.open(url, {
        opened: () => isOver() || handlers.opened(),
        received: (text) => isOver() || handlers.received(text),
        closed(code) {
          if (isOver()) return;
          socket = null;
          handlers.closed(code);
        },
      });
    },
    send: (frame) => socket?.send(JSON.stringify(frame)),
    close(code) {
      socketScope.end();
      socket?.close(code);
      socket = null;
    },
  };
}
