import { setImmediate as nextTurn } from "node:timers/promises";
import type { FriendVO, TokenPair, UserInfo } from "@parley/protocol/entities";
import type { Database, HttpAnswer, KeyValue, Ports, SocketHandlers } from "@parley/core/runtime/ports";

/** A world in memory around one client of the core: a server that knows its friends, a socket and a clock moved by hand. */
export interface CoreWorld {
  readonly ports: Ports;
  /** Hands a frame to the socket that is open. */
  push(frame: string): void;
  openSocket(): void;
  /** Runs all that is due within 100 ms, such as the write to disk, until nothing more is. */
  settle(): Promise<void>;
  /** Messages written to disk. */
  readonly written: { messages: number };
}

export const ME = 1;
/** What the client waits before it writes to disk; longer timers are watchdogs and repeats. */
const SOON_MS = 100;

export function makeCoreWorld(friends: number): CoreWorld {
  const due = new Set<() => void>();
  const after = (ms: number, run: () => void) => {
    if (ms <= SOON_MS) due.add(run);
    return () => void due.delete(run);
  };
  let ids = 0;
  let socket: SocketHandlers | undefined;
  const written = { messages: 0 };
  const answers = makeAnswers(friends);

  const ports: Ports = {
    clock: { now: () => Date.now(), after, soon: (run) => void due.add(() => run()) },
    random: { id: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, "0")}` },
    http: {
      async request({ url }): Promise<HttpAnswer> {
        const path = new URL(url).pathname.replace("/api", "");
        const data = answers.get(path) ?? null;
        return { kind: "answer", status: 200, text: envelope(data), retryAfterSeconds: null };
      },
    },
    sockets: {
      open(_url, handlers) {
        socket = handlers;
        return { send: () => {}, close: () => {} };
      },
    },
    storage: {
      local: keyValue(),
      session: keyValue(),
      vault: null,
      open: async () => memoryDatabase((messages) => (written.messages += messages)),
    },
    tabs: { tell: () => {}, listen: () => () => {}, exclusive: (_name, work) => work() },
    sound: { play: () => {} },
    environment: {
      origin: "https://im.example.org",
      os: "Linux",
      browser: "bench",
      deviceVersion: "1",
      appVersion: "0.1.0",
      language: () => "en-US",
      hasNetwork: () => true,
      isAttended: () => true,
      onChange: () => () => {},
    },
    log: { debug: () => {}, warn: () => {}, error: () => {} },
  };

  return {
    ports,
    written,
    push: (frame) => socket?.received(frame),
    openSocket: () => socket?.opened(),
    async settle() {
      for (let quiet = 0; quiet < 3; quiet++) {
        await nextTurn();
        for (const run of due) {
          due.delete(run);
          run();
          quiet = 0;
        }
      }
    },
  };
}

function envelope(data: unknown): string {
  return JSON.stringify({ code: 200, message: "ok", data });
}

function makeAnswers(friends: number): Map<string, unknown> {
  const pair: TokenPair = {
    accessToken: "access",
    accessTokenExpiresIn: 1_800,
    refreshToken: "refresh",
    refreshTokenExpiresIn: 604_800,
  };
  const changes = { next: "1", read: [], cleared: [], hidden: [], purged: [], system: [], receipts: [] };
  return new Map<string, unknown>([
    ["/login", pair],
    ["/user/self", person(ME)],
    ["/user/changes", changes],
    ["/friend/list", Array.from({ length: friends }, (_, index) => friend(ME + 1 + index))],
    ["/friend/request/list", []],
    ["/blacklist/list", []],
    ["/user/terminal/online", []],
    ["/message/private/history", []],
    [
      "/system/config",
      {
        webrtc: { maxChannel: 9, heldOffer: true, iceServers: [] },
        message: { recallSeconds: 300, editSeconds: 3_600 },
        upload: { imageMax: 1, fileMax: 1 },
      },
    ],
  ]);
}

function person(id: number): UserInfo {
  return {
    id,
    userName: `person${id}`,
    nickName: `Person ${id}`,
    sex: null,
    signature: null,
    birthday: null,
    mobile: null,
    email: null,
    headImage: null,
    headImageThumb: null,
    online: false,
    isManualApprove: true,
    isBanned: false,
    reason: null,
  };
}

function friend(id: number): FriendVO {
  return {
    id,
    userName: `person${id}`,
    nickName: `Person ${id}`,
    headImage: null,
    headImageThumb: null,
    showNickName: `Person ${id}`,
    remarkNickName: null,
    online: false,
    onlineWeb: false,
    onlineApp: false,
    isTop: false,
    msgRemind: 1,
    isDnd: false,
    isDeleted: false,
    deleted: false,
  };
}

function keyValue(): KeyValue {
  const values = new Map<string, string>();
  return {
    get: (key) => values.get(key) ?? null,
    set: (key, value) => void values.set(key, value),
    remove: (key) => void values.delete(key),
  };
}

/** Empty at first; only counts what is written, since the work of a real one is not the core's. */
function memoryDatabase(onMessages: (count: number) => void): Database {
  return {
    chats: async () => [],
    messagesBefore: async () => [],
    outbox: async () => [],
    value: async () => undefined,
    write: async (write) => onMessages(write.messages?.length ?? 0),
    onLost: () => {},
    close: () => {},
  };
}
