/** Running calls: the handlers of clients, and what happens when clients come, go or are silent. */
import { CALL_DETACHED_MS } from "@parley/protocol/limits";
import type { ClientInstance } from "../../ports/bus.ts";
import type { CallMemberRow, CallRow } from "../../ports/call-store.ts";
import { CallChange } from "./call-change.ts";
import { heardNow, isSameClient, heartbeatDeadline } from "./call-clients.ts";
import { type PrivateCallsDeps, createPrivateCalls } from "./private-calls.ts";

/** People whose time is over are handled in batches of this many. */
const DUE_BATCH = 100;

export interface CallsDeps extends PrivateCallsDeps {
  /** Epoch milliseconds. */
  now(): number;
  /** Takes over work that nobody waits for. */
  inBackground(work: Promise<void>): void;
}

/** Running calls of a node. */
export interface Calls {
  handlers: ReturnType<typeof createPrivateCalls>["handlers"];
  /** A client has a socket: it gets what has waited for it, or rings. */
  attached(client: ClientInstance): void;
  /** A client has no socket any more; `isFinal`: it will not come back. */
  detached(client: ClientInstance, isFinal: boolean): void;
  /** Two people are no longer friends, or one has blocked the other. */
  parted(userId: number, otherId: number): Promise<void>;
  /** Ends what rings for too long, and takes out who is silent for too long. Called every second. */
  sweep(): Promise<void>;
  /** For the start of a server: calls go on, and everybody has time to connect again. */
  resume(): Promise<void>;
}

/** Creates the calls of a node. */
export function createCalls(deps: CallsDeps): Calls {
  const { store, now, inBackground } = deps;
  const { handlers, events } = createPrivateCalls(deps);

  /** Runs a change for somebody who is in a call; nothing for somebody who is in none. */
  const changeFor = async (
    userId: number,
    work: (change: CallChange, call: CallRow, member: CallMemberRow) => Promise<void>,
  ): Promise<void> => {
    // Most people are in no call: a read is much cheaper than a transaction.
    if ((await store.findCallMember(userId)) === undefined) return;
    await CallChange.run(deps, now(), async (change) => {
      const member = await change.tx.findCallMember(userId);
      const call = member && (await change.tx.findCall(member.callKey));
      if (member !== undefined && call !== undefined) await work(change, call, member);
    });
  };

  /** Clients come and go in an order that must not change: who came last has a socket. */
  let last = Promise.resolve();
  const inOrder = (work: () => Promise<void>): Promise<void> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };

  const attach = (client: ClientInstance): Promise<void> =>
    changeFor(client.userId, async (change, call, member) => {
      if (member.client === null) {
        const hasFailed = member.failedClients.some((failed) => isSameClient(failed, client));
        if (!hasFailed) events.ringAgain(change, call, client);
        return;
      }
      if (!isSameClient(member.client, client) || member.detachedAt === null) return;
      await change.tx.updateCallMember(client.userId, heardNow(change.now));
      for (const frame of await change.tx.takeCallFrames(client.userId)) change.toAttached(client, frame);
    });

  const detach = (client: ClientInstance, isFinal: boolean): Promise<void> =>
    changeFor(client.userId, async (change, call, member) => {
      if (!isSameClient(member.client, client)) return;
      if (isFinal) return events.gone(change, call, client.userId);
      const detachedAt = change.now;
      const deadline = heartbeatDeadline({ ...member, detachedAt });
      await change.tx.updateCallMember(client.userId, { detachedAt, deadline });
    });

  return {
    handlers,
    attached: (client) => inBackground(inOrder(() => attach(client))),
    detached: (client, isFinal) => inBackground(inOrder(() => detach(client, isFinal))),

    parted: (userId, otherId) =>
      changeFor(userId, async (change, call) => {
        if (
          call.hostId + call.calleeId === userId + otherId &&
          [call.hostId, call.calleeId].includes(otherId)
        )
          await events.parted(change, call);
      }),

    async sweep() {
      for (const { userId } of await store.listDueCallMembers(now(), DUE_BATCH)) {
        await changeFor(userId, async (change, call, member) => {
          if (member.deadline > change.now) return;
          if (member.client === null) await events.unanswered(change, call);
          else await events.gone(change, call, userId);
        });
      }
    },

    async resume() {
      const time = now();
      await store.write((tx) => tx.renewCallMembers(time, time + CALL_DETACHED_MS));
    },
  };
}
