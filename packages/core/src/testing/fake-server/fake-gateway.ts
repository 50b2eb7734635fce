import { CloseCode, Cmd } from "@parley/protocol/codes";
import type { ClientFrame } from "@parley/protocol/frame";
import type { FakeSocket } from "../fake-sockets.ts";

/** The user and client that a request or socket belongs to. */
export interface Actor {
  readonly userId: number;
  readonly clientId: string;
  readonly sessionId: string;
}

interface Connection extends Actor {
  readonly socket: FakeSocket;
  readonly devId: string;
  readonly hasChanges: boolean;
}

/** The sockets of the fake server: logins, forced logouts, and who receives a push. */
export interface FakeGateway {
  /** Reads one frame that a client has sent; false: there is none. */
  read(socket: FakeSocket): boolean;
  /** The server learns that a connection has ended. */
  forget(socket: FakeSocket): void;
  isOnline(userId: number): boolean;
  toUser(userId: number, frame: object): void;
  /** To a user's sockets except those of the acting client instance. */
  toOthersOf(actor: Actor, userId: number, frame: object): void;
  toOwnOthers(actor: Actor, frame: object): void;
  /** The socket of the acting client instance. */
  socketOf(actor: Actor): FakeSocket | null;
  /** Sends nothing if that socket has ended. */
  toSocket(socket: FakeSocket | null, frame: object): void;
  isConnected(socket: FakeSocket | null): boolean;
  pushChangesSignal(actor: Actor, userId: number): void;
}

/** Creates a gateway without sockets. */
export function createFakeGateway(options: {
  authenticate(token: string): { userId: number; sessionId: string } | null;
}): FakeGateway {
  let connections: Connection[] = [];
  const push = (connection: Connection, frame: object) =>
    void connection.socket.down.push(JSON.stringify(frame));
  const connectionsOf = (userId: number) => connections.filter((connection) => connection.userId === userId);

  function login(socket: FakeSocket, data: Extract<ClientFrame, { cmd: 0 }>["data"]): void {
    const session = options.authenticate(data.accessToken);
    if (session === null) {
      socket.close(CloseCode.BAD_TOKEN);
      return;
    }
    const devId = data.devId ?? "";
    for (const other of connectionsOf(session.userId)) {
      if (other.devId !== devId) push(other, { cmd: Cmd.FORCED_LOGOUT, data: "elsewhere", reason: "kicked" });
    }
    const hasChanges = data.caps?.includes("changes") ?? false;
    const connection = { ...session, socket, devId, hasChanges, clientId: data.clientId ?? "" };
    connections.push(connection);
    push(connection, { cmd: Cmd.LOGIN, data: { epoch: "epoch-1" } });
  }

  const toOthersOf = (actor: Actor, userId: number, frame: object) => {
    for (const connection of connectionsOf(userId))
      if (connection.clientId !== actor.clientId) push(connection, frame);
  };

  return {
    read(socket) {
      const text = socket.up.shift();
      if (text === undefined) return false;
      const frame = JSON.parse(text) as ClientFrame;
      switch (frame.cmd) {
        case Cmd.LOGIN:
          login(socket, frame.data);
          return true;
        case Cmd.HEARTBEAT:
          socket.down.push(JSON.stringify({ cmd: Cmd.HEARTBEAT, data: null }));
          return true;
        default:
          return frame satisfies never;
      }
    },
    forget(socket) {
      connections = connections.filter((connection) => connection.socket !== socket);
    },
    isOnline: (userId) => connectionsOf(userId).length > 0,
    toUser(userId, frame) {
      for (const connection of connectionsOf(userId)) push(connection, frame);
    },
    toOthersOf,
    toOwnOthers: (actor, frame) => toOthersOf(actor, actor.userId, frame),
    socketOf: (actor) =>
      connectionsOf(actor.userId).findLast((connection) => connection.clientId === actor.clientId)?.socket ??
      null,
    toSocket(socket, frame) {
      for (const connection of connections) if (connection.socket === socket) push(connection, frame);
    },
    isConnected: (socket) => connections.some((connection) => connection.socket === socket),
    pushChangesSignal(actor, userId) {
      for (const connection of connectionsOf(userId)) {
        if (connection.hasChanges && connection.clientId !== actor.clientId) {
          push(connection, {
            cmd: Cmd.PRIVATE,
            data: { type: 82, sendId: userId, recvId: userId, content: "" },
          });
        }
      }
    },
  };
}
