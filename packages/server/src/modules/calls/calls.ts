/** Running calls: the handlers of clients, and what happens when clients come, go or are silent. */
import { CALL_DETACHED_MS, CALL_HEARTBEAT_MS } from "@parley/protocol/limits";
import { type Bus, type ClientInstance, endsSession } from "../../ports/bus.ts";
import { type CallClient, type CallMemberRow, type CallRow, groupCallKey } from "../../ports/call-store.ts";
import type { Handlers } from "../../api/api-call.ts";
import { forEachInOrder } from "../../concurrency/for-each-in-order.ts";
import { CallChange } from "./call-change.ts";
import { hasFailed, heardNow, isSameClient, heartbeatDeadline } from "./call-clients.ts";
import { type GroupCallsDeps, createGroupCalls, groupCallEvents } from "./group-calls.ts";
import { createPrivateCalls, privateCallEvents } from "./private-calls.ts";

/** People whose time is over are handled in batches of this many. */
const DUE_BATCH = 100;
/** How much later than expected a heartbeat may arrive without anything being wrong. */
const BEAT_DELAY_MS = 5_000;

export interface CallsDeps extends GroupCallsDeps {
  bus: Bus;
  /** Whether other nodes may have the sockets of people in calls. */
  hasOtherNodes: boolean;
  /** Whether the client has a socket on this node. */
  hasSocket(client: ClientInstance): boolean;
  /** Epoch milliseconds. */
  now(): number;
}

/** Running calls of a node. */
export interface Calls {
  handlers: ReturnType<typeof createPrivateCalls> &
    ReturnType<typeof createGroupCalls> &
    Pick<Handlers, "reportEndedClient">;
  /** A client has a socket: it gets what has waited for it, or rings. */
  attached(client: ClientInstance): void;
  /** A client has lost its socket; `isFinal`: it will not come back. */
  detached(client: ClientInstance, isFinal: boolean): void;
  /** Two people are no longer friends, or one has blocked the other. */
  parted(userId: number, otherId: number): Promise<void>;
  /** Ends what rings for too long, and takes out who is silent for too long. Called every second. */
  sweep(): Promise<void>;
  /**
   * For the start of a server: calls go on, and everybody has time to connect again. With other nodes, only those whose clients have been
   * silent for so long that their node must have ended; the others may have sockets there.
   */
  resume(): Promise<void>;
}

/** Creates the calls of a node. */
export function createCalls(deps: CallsDeps): Calls {
  const { store, bus, now, inBackground, hasSocket, hasOtherNodes } = deps;

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

  const gone = (change: CallChange, call: CallRow, userId: number): Promise<void> =>
    call.groupId === null
      ? privateCallEvents.gone(change, call, userId)
      : groupCallEvents.gone(change, call, userId);

  /** These clients will not come back: a person who is in a call with one of them leaves it. */
  const leaveFor = (
    userId: number,
    isGone: (client: CallClient) => boolean,
    isMeant: (call: CallRow) => boolean = () => true,
  ): Promise<void> =>
    changeFor(userId, async (change, call, { client }) => {
      if (client !== null && isGone(client) && isMeant(call)) await gone(change, call, userId);
    });

  /** Removes people from the call of a group who are no longer members of the group. */
  const reviewGroup = async (groupId: number): Promise<void> => {
    const key = groupCallKey(groupId);
    if ((await store.findCall(key)) === undefined) return;
    await CallChange.run(deps, now(), async (change) => {
      const call = await change.tx.findCall(key);
      if (call !== undefined && call.groupId !== null) await groupCallEvents.groupChanged(change, call);
    });
  };
  bus.subscribe((event) => {
    if (event.kind === "staleGroup") inBackground(reviewGroup(event.groupId));
    if (event.kind === "endSessions")
      inBackground(leaveFor(event.userId, ({ sessionId }) => endsSession(event, sessionId)));
    if (event.kind === "callClientDetached" && hasSocket(event.client)) attached(event.client);
  });

  const handleInOrder = createArrivals(deps);

  const attach = (client: ClientInstance): Promise<void> =>
    changeFor(client.userId, async (change, call, member) => {
      if (member.client === null) {
        if (hasFailed(member, client)) return;
        if (call.groupId === null) return privateCallEvents.ringAgain(change, call, client);
        return groupCallEvents.ringAgain(change, call, client);
      }
      if (!isSameClient(member.client, client)) return;
      if (member.detachedAt === null)
        return call.groupId === null ? privateCallEvents.cameBack(change, call, client) : undefined;
      await change.tx.updateCallMember(client.userId, heardNow(change.now));
      for (const frame of await change.tx.takeCallFrames(client.userId)) change.toAttached(client, frame);
    });

  const leaveWith = (client: ClientInstance, isMeant?: (call: CallRow) => boolean): Promise<void> =>
    leaveFor(client.userId, (mine) => isSameClient(mine, client), isMeant);

  const detach = (client: ClientInstance): Promise<void> =>
    changeFor(client.userId, async (change, call, member) => {
      if (!isSameClient(member.client, client)) return;
      const detachedAt = change.now;
      const deadline = heartbeatDeadline({ ...member, detachedAt });
      await change.tx.updateCallMember(client.userId, { detachedAt, deadline });
      // The client may have come back on another node before the end of its old socket was noticed here.
      change.findSocketOf(client);
    });

  const attached = (client: ClientInstance): void => handleInOrder(client.userId, () => attach(client));

  return {
    handlers: {
      ...createPrivateCalls(deps),
      ...createGroupCalls(deps),
      async reportEndedClient({ actor: { userId, sessionId }, query: { clientId, uid, groupId } }) {
        await leaveWith({ userId, clientId, sessionId }, (call) => {
          if (uid === undefined && groupId === undefined) return true;
          if (call.groupId !== null) return call.groupId === groupId;
          return uid === (call.hostId === userId ? call.calleeId : call.hostId);
        });
        return null;
      },
    },
    attached,
    detached: (client, isFinal) =>
      handleInOrder(client.userId, () => (isFinal ? leaveWith(client) : detach(client))),

    parted: (userId, otherId) =>
      changeFor(userId, async (change, call) => {
        if (call.groupId !== null) return;
        const people = [call.hostId, call.calleeId];
        if (people.includes(userId) && people.includes(otherId)) await privateCallEvents.parted(change, call);
      }),

    async sweep() {
      const due = await store.listDueCallMembers(now(), DUE_BATCH);
      await forEachInOrder(due, ({ userId }) =>
        changeFor(userId, async (change, call, member) => {
          if (member.deadline > change.now) return;
          if (member.client !== null) return gone(change, call, userId);
          if (call.groupId === null) return privateCallEvents.unanswered(change, call);
          return groupCallEvents.unanswered(change, call);
        }),
      );
    },

    async resume() {
      const time = now();
      const silentSince = hasOtherNodes ? time - CALL_HEARTBEAT_MS - BEAT_DELAY_MS : time;
      await store.write((tx) => tx.renewCallMembers(time, time + CALL_DETACHED_MS, silentSince));
    },
  };
}

/** Handles clients that have come or gone, in an order that must not change: a client that came after it had gone has a socket. */
function createArrivals({ store, inBackground }: Pick<CallsDeps, "store" | "inBackground">) {
  const waiting: { readonly userId: number; run(): Promise<void> }[] = [];
  let isHandling = false;
  /** Asks once for all that have gathered who of them is in a call, because thousands may connect at once and hardly anybody is. */
  const handle = async (): Promise<void> => {
    isHandling = true;
    try {
      while (waiting.length > 0) {
        const batch = waiting.splice(0);
        const inCall = new Set(await store.listPeopleInCalls(batch.map(({ userId }) => userId)));
        const concerned = batch.filter(({ userId }) => inCall.has(userId));
        await forEachInOrder(concerned, ({ run }) => run());
      }
    } finally {
      isHandling = false;
    }
  };
  return (userId: number, run: () => Promise<void>): void => {
    waiting.push({ userId, run });
    if (!isHandling) inBackground(handle());
  };
}
