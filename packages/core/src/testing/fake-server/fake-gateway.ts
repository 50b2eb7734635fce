import { CloseCode, Cmd } from "@parley/protocol/codes";
import type { ClientFrame } from "@parley/protocol/frame";
import type { FakeWire } from "../fake-sockets.ts";

/** Who acts, as an access token and the headers tell. */
export interface Actor {
  readonly userId: number;
  readonly clientId: string;
  readonly sessionId: string;
}

interface Connection extends Actor {
  readonly wire: FakeWire;
  readonly devId: string;
  readonly hasChanges: boolean;
}

/** The sockets of the fake server: logins, kicks, and which of them hear of an action. */
export interface FakeGateway {
  /** Reads one frame a client has sent; false: there is none. */
  read(wire: FakeWire): boolean;
  /** The server notices that a connection is gone. */
  forget(wire: FakeWire): void;
  isOnline(userId: number): boolean;
  toUser(userId: number, frame: object): void;
  /** To a person's sockets but those of the acting client instance. */
  toOthersOf(actor: Actor, userId: number, frame: object): void;
  toOwnOthers(actor: Actor, frame: object): void;
  /** The socket of the asking client instance. */
  wireOf(actor: Actor): FakeWire | null;
  /** Nothing, once that socket is gone. */
  toWire(wire: FakeWire | null, frame: object): void;
  isThere(wire: FakeWire | null): boolean;
  pushChangesSignal(actor: Actor, userId: number): void;
}

export function createFakeGateway(options: {
  epoch(): string;
  authenticate(token: string): { userId: number; sessionId: string } | null;
}): FakeGateway {
  let connections: Connection[] = [];
  const push = (connection: Connection, frame: object) =>
    void connection.wire.down.push(JSON.stringify(frame));
  const of = (userId: number) => connections.filter((connection) => connection.userId === userId);

  function login(wire: FakeWire, data: Extract<ClientFrame, { cmd: 0 }>["data"]): void {
    const who = options.authenticate(data.accessToken);
    if (who === null) {
      wire.close(CloseCode.BAD_TOKEN);
      return;
    }
    const devId = data.devId ?? "";
    for (const other of of(who.userId)) {
      if (other.devId !== devId) push(other, { cmd: Cmd.FORCED_LOGOUT, data: "elsewhere", reason: "kicked" });
    }
    const hasChanges = data.caps?.includes("changes") ?? false;
    const connection = { ...who, wire, devId, hasChanges, clientId: data.clientId ?? "" };
    connections.push(connection);
    push(connection, { cmd: Cmd.LOGIN, data: { epoch: options.epoch() } });
  }

  const toOthersOf = (actor: Actor, userId: number, frame: object) => {
    for (const connection of of(userId)) if (connection.clientId !== actor.clientId) push(connection, frame);
  };

  return {
    read(wire) {
      const text = wire.up.shift();
      if (text === undefined) return false;
      const frame = JSON.parse(text) as ClientFrame;
      switch (frame.cmd) {
        case Cmd.LOGIN:
          login(wire, frame.data);
          return true;
        case Cmd.HEARTBEAT:
          wire.down.push(JSON.stringify({ cmd: Cmd.HEARTBEAT, data: null }));
          return true;
        default:
          return frame satisfies never;
      }
    },
    forget(wire) {
      connections = connections.filter((connection) => connection.wire !== wire);
    },
    isOnline: (userId) => of(userId).length > 0,
    toUser(userId, frame) {
      for (const connection of of(userId)) push(connection, frame);
    },
    toOthersOf,
    toOwnOthers: (actor, frame) => toOthersOf(actor, actor.userId, frame),
    wireOf: (actor) =>
      of(actor.userId).findLast((connection) => connection.clientId === actor.clientId)?.wire ?? null,
    toWire(wire, frame) {
      for (const connection of connections) if (connection.wire === wire) push(connection, frame);
    },
    isThere: (wire) => connections.some((connection) => connection.wire === wire),
    pushChangesSignal(actor, userId) {
      for (const connection of of(userId)) {
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
