import { Cmd } from "@parley/protocol/codes";
import { LOGOUT_REASONS, type LogoutReason } from "@parley/protocol/envelope";
import { type Cap, type DownFrame, parseDownFrame, type UpFrame } from "@parley/protocol/frame";
import {
  connectionOf,
  type Link,
  type LinkEffect,
  type LinkInput,
  stepLink,
  type Timer,
} from "../model/connection.ts";
import { textOf } from "../model/shape.ts";
import type { Connection } from "../model/state.ts";
import type { Ports, SocketLink } from "./ports.ts";
import type { Server } from "./server.ts";
import type { Store } from "./store.ts";

/** What this client asks to be told beyond what older ones know. */
const MY_CAPS: readonly Cap[] = ["changes"];

export type ChatFrame = Extract<
  DownFrame,
  { cmd: typeof Cmd.PRIVATE | typeof Cmd.GROUP | typeof Cmd.SYSTEM }
>;

const LOST_AGAIN_MS = 60_000;

/** Performs the machine of `model/connection.ts`. */
export interface SocketLine {
  start(): void;
  stop(): void;
  hurry(): void;
  /** A ban or a deregistration came inside a frame. */
  endByServer(reason: LogoutReason, text: string): void;
  close(): void;
}

export interface LinkDeps {
  ports: Ports;
  store: Store;
  server: Server;
  deviceNo: string;
  clientId: string;
  accessToken(): string | null;
  /** Makes sure of a token; `renew`: the server refused the one at hand. */
  prepare(renew: boolean): Promise<"ok" | "ended" | "failed">;
  onOnline(epoch: string): void;
  onOffline(): void;
  onFrame(frame: ChatFrame): void;
  onLost(): void;
  onEnd(reason: LogoutReason, text: string): void;
}

export function createSocketLine(deps: LinkDeps): SocketLine {
  const { ports, store } = deps;
  let link: Link = { kind: "off" };
  let socket: SocketLink | null = null;
  /** A socket that was given up is an orphan: whatever it still says does no harm. */
  let socketNumber = 0;
  /** Whoever has left may be answered when somebody else's line waits for its own token. */
  let prepareNumber = 0;
  let epoch = "";
  let saidLostAt = -Infinity;
  const timers = new Map<Timer, () => void>();

  function feed(input: LinkInput): void {
    const [next, effects] = stepLink(link, input);
    link = next;
    store.batch(() => {
      for (const effect of effects) perform(effect);
      show();
    });
  }

  function show(): void {
    const shown = connectionOf(link, ports.environment.hasNetwork());
    const before = store.get().connection;
    const retryAt = (connection: Connection) => ("retryAt" in connection ? connection.retryAt : null);
    const isSame = before.kind === shown.kind && retryAt(before) === retryAt(shown);
    if (!isSame) store.set({ connection: shown });
  }

  function perform(effect: LinkEffect): void {
    switch (effect.kind) {
      case "prepare": {
        const number = ++prepareNumber;
        void deps.prepare(effect.renew).then((outcome) => {
          // `ended` has ended the session already, and with it this line.
          if (outcome !== "ended" && number === prepareNumber)
            feed({ kind: outcome === "ok" ? "prepared" : "notPrepared", now: ports.clock.now() });
        });
        return;
      }
      case "open":
        return open(deps.server.socketUrl(effect.scheme));
      case "close":
        socketNumber++;
        socket?.close(effect.code);
        socket = null;
        return;
      case "sendLogin":
        return send({
          cmd: Cmd.LOGIN,
          data: {
            accessToken: deps.accessToken() ?? "",
            devId: deps.deviceNo,
            clientId: deps.clientId,
            caps: [...MY_CAPS],
          },
        });
      case "sendHeartbeat":
        return send({ cmd: Cmd.HEARTBEAT, data: {} });
      case "setTimer":
        timers.get(effect.timer)?.();
        timers.set(
          effect.timer,
          ports.clock.after(effect.ms, () =>
            feed({ kind: "timer", timer: effect.timer, now: ports.clock.now() }),
          ),
        );
        return;
      case "clearTimer":
        timers.get(effect.timer)?.();
        timers.delete(effect.timer);
        return;
      case "rememberScheme":
        return deps.server.rememberScheme(effect.scheme);
      case "wentOnline":
        return deps.onOnline(epoch);
      case "wentOffline":
        return deps.onOffline();
      case "noticeLost":
        return sayLost();
      case "endSession":
        return deps.onEnd(effect.reason, effect.text);
      default:
        effect satisfies never;
    }
  }

  /** A line that comes and goes is told of once in a while; screens show at all times how it is. */
  function sayLost(): void {
    const now = ports.clock.now();
    if (Math.abs(now - saidLostAt) < LOST_AGAIN_MS) return;
    saidLostAt = now;
    deps.onLost();
  }

  function send(frame: UpFrame): void {
    socket?.send(JSON.stringify(frame));
  }

  function open(url: string): void {
    const number = ++socketNumber;
    const isMine = () => number === socketNumber;
    socket = ports.sockets.open(url, {
      opened: () => isMine() && feed({ kind: "opened", now: ports.clock.now() }),
      received: (text) => isMine() && receive(text),
      closed(code) {
        if (!isMine()) return;
        socket = null;
        feed({ kind: "closed", code, now: ports.clock.now() });
      },
    });
  }

  function receive(text: string): void {
    const frame = parseDownFrame(text);
    feed({ kind: "frame", now: ports.clock.now() });
    if (frame === null) {
      ports.log.warn("a frame that is none", { length: text.length });
      return;
    }
    switch (frame.cmd) {
      case Cmd.LOGIN:
        epoch = textOf(frame.data?.epoch);
        return feed({ kind: "loginOk" });
      case Cmd.HEARTBEAT:
        return feed({ kind: "heartbeatReply" });
      case Cmd.FORCED_LOGOUT:
        return feed({
          kind: "forcedLogout",
          reason: LOGOUT_REASONS.includes(frame.reason) ? frame.reason : "kicked",
          text: textOf(frame.data),
        });
      case Cmd.PRIVATE:
      case Cmd.GROUP:
      case Cmd.SYSTEM:
        return deps.onFrame(frame);
      default:
        return frame satisfies never;
    }
  }

  const stopWatching = ports.environment.onChange(() => {
    show();
    if (ports.environment.hasNetwork()) feed({ kind: "hurry" });
  });

  return {
    start: () => feed({ kind: "start", address: deps.server.address() }),
    stop: () => feed({ kind: "stop" }),
    hurry: () => feed({ kind: "hurry" }),
    endByServer: (reason, text) => feed({ kind: "forcedLogout", reason, text }),
    close() {
      stopWatching();
      feed({ kind: "stop" });
    },
  };
}
