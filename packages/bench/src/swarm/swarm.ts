/** The load generator, in a process of its own so that its work is on no server's account. */
import type { WebSocket } from "ws";
import { offer } from "../process/ipc.ts";
import { openGroupLoad, type Crowd, type GroupLoad } from "./group-load.ts";
import { openLoad, type Load, type Pair, type Sent } from "./load.ts";
import { openSocket, type SocketLogin } from "./socket.ts";

const LOGINS_AT_ONCE = 32;
const loads = new Map<string, Load>();
const groupLoads = new Map<string, GroupLoad>();
const idle: WebSocket[] = [];

function load<Kind>(loadsOfKind: ReadonlyMap<string, Kind>, origin: string): Kind {
  const found = loadsOfKind.get(origin);
  if (found === undefined) throw new Error(`no load is open to ${origin}`);
  return found;
}

const calls = {
  open: async ({ origin, pairs }: { origin: string; pairs: Pair[] }): Promise<void> => {
    loads.set(origin, await openLoad(origin, pairs));
  },
  sendClosed: (plan: { origin: string; messages: number; lanes: number }): Promise<Sent> =>
    load(loads, plan.origin).sendClosed(plan.messages, plan.lanes),
  sendPaced: (plan: { origin: string; perSecond: number; seconds: number }): Promise<Sent> =>
    load(loads, plan.origin).sendPaced(plan.perSecond, plan.seconds),
  openGroup: async ({ origin, crowd }: { origin: string; crowd: Crowd }): Promise<void> => {
    groupLoads.set(origin, await openGroupLoad(origin, crowd));
  },
  sendGroup: (plan: { origin: string; messages: number; lanes: number }): Promise<Sent> =>
    load(groupLoads, plan.origin).send(plan.messages, plan.lanes),
  /** Opens sockets that log in and then stay idle. */
  openIdle: async ({ origin, logins }: { origin: string; logins: SocketLogin[] }): Promise<void> => {
    const rest = logins.values();
    await Promise.all(
      Array.from({ length: LOGINS_AT_ONCE }, async () => {
        for (const login of rest) idle.push(await openSocket(origin, login, () => {}));
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
    for (const open of [...loads.values(), ...groupLoads.values()]) open.close();
    loads.clear();
    groupLoads.clear();
  },
};

export type SwarmCalls = typeof calls;

offer(calls);
process.on("disconnect", () => process.exit());
