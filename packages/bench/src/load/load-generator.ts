/** The load generator. It runs in its own process, so that its work does not count as a server's. */
import type { WebSocket } from "ws";
import { serveCalls } from "../process/ipc.ts";
import { openGroupLoad, type BenchmarkGroup, type GroupLoad } from "./group-load.ts";
import { openPrivateLoad, type PrivateLoad, type FriendPair, type SendResult } from "./private-load.ts";
import { openSocket, type SocketLogin } from "./socket.ts";

const LOGINS_AT_ONCE = 32;
const privateLoads = new Map<string, PrivateLoad>();
const groupLoads = new Map<string, GroupLoad>();
const idle: WebSocket[] = [];

function loadOf<Kind>(loadsOfKind: ReadonlyMap<string, Kind>, origin: string): Kind {
  const found = loadsOfKind.get(origin);
  if (found === undefined) throw new Error(`no load is open to ${origin}`);
  return found;
}

interface OpenPlan {
  origin: string;
  pairs: FriendPair[];
  peerOrigin?: string;
  name?: string;
}

const calls = {
  /** `peerOrigin`: another node, to which the friends are connected. `name`: how the load is called then, instead of its origin. */
  open: async ({ origin, pairs, peerOrigin = origin, name = origin }: OpenPlan): Promise<void> => {
    privateLoads.set(name, await openPrivateLoad({ origin, peerOrigin }, pairs));
  },
  sendClosed: (plan: { origin: string; messages: number; concurrency: number }): Promise<SendResult> =>
    loadOf(privateLoads, plan.origin).sendClosed(plan.messages, plan.concurrency),
  sendPaced: (plan: { origin: string; perSecond: number; seconds: number }): Promise<SendResult> =>
    loadOf(privateLoads, plan.origin).sendPaced(plan.perSecond, plan.seconds),
  sendPacedTyping: (plan: {
    origin: string;
    perSecond: number;
    seconds: number;
    signalsPerSecond: number;
  }): Promise<SendResult> =>
    loadOf(privateLoads, plan.origin).sendPacedTyping(plan.perSecond, plan.seconds, plan.signalsPerSecond),
  openGroup: async ({
    origin,
    benchmarkGroup,
  }: {
    origin: string;
    benchmarkGroup: BenchmarkGroup;
  }): Promise<void> => {
    groupLoads.set(origin, await openGroupLoad(origin, benchmarkGroup));
  },
  sendGroup: (plan: { origin: string; messages: number; concurrency: number }): Promise<SendResult> =>
    loadOf(groupLoads, plan.origin).send(plan.messages, plan.concurrency),
  prepareReactions: ({ origin }: { origin: string }): Promise<number> =>
    loadOf(groupLoads, origin).prepareReactions(),
  react: ({ origin, key }: { origin: string; key: string }): Promise<SendResult> =>
    loadOf(groupLoads, origin).react(key),
  /** Opens sockets that log in and then stay idle. */
  openIdle: async ({ origin, logins }: { origin: string; logins: SocketLogin[] }): Promise<void> => {
    const remaining = logins.values();
    await Promise.all(
      Array.from({ length: LOGINS_AT_ONCE }, async () => {
        for (const login of remaining) idle.push(await openSocket(origin, login, () => {}));
      }),
    );
  },
  closeIdle: async (): Promise<void> => {
    await Promise.all(
      idle.splice(0).map(
        (socket) =>
          new Promise((resolve) => {
            socket.once("close", resolve);
            socket.close(3000);
          }),
      ),
    );
  },
  closeAll: (): void => {
    for (const openLoad of [...privateLoads.values(), ...groupLoads.values()]) openLoad.close();
    privateLoads.clear();
    groupLoads.clear();
  },
};

/** The calls that the load generator serves. */
export type LoadGeneratorCalls = typeof calls;

serveCalls(calls);
process.on("disconnect", () => process.exit());
