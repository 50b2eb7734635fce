/** What requests about both kinds of calls share. */
import type { PrivateCallInfo } from "@parley/protocol/entities";
import type { Actor } from "../../api/api-call.ts";
import { ApiError, refuseIfLimited } from "../../api/api-error.ts";
import type { UserRow } from "../../ports/account-store.ts";
import type { CallClient, CallMemberRow } from "../../ports/call-store.ts";
import type { Presence } from "../../ports/presence.ts";
import type { RateLimiter } from "../../ports/rate-limiter.ts";
import { smallPicture } from "../../presenters/small-picture.ts";
import { CallChange, type CallChangeDeps, type CallSignal } from "./call-change.ts";
import { beatOf } from "./call-clients.ts";
import type { CallsTx } from "./calls-store.ts";

export interface CallRequestDeps extends CallChangeDeps {
  presence: Presence;
  rateLimiter: RateLimiter;
  /** Whether a person has a client with a socket, on any node, that is none of these. */
  hasOtherClient(userId: number, except: readonly CallClient[]): Promise<boolean>;
}

/** A request of a client, in the change that it makes. */
export interface Asking {
  change: CallChange;
  actor: Actor;
}

interface CallRequest {
  actor: Actor;
  now: number;
}

/** Creates changes of the call that a request is about. `find` finds it by the other person, or by the group. */
export function createCallRequests<Open>(
  deps: CallRequestDeps,
  find: (tx: CallsTx, actor: Actor, id: number) => Promise<Open | undefined>,
) {
  type Work<R> = (asked: Open & Asking) => Promise<R>;

  /** Runs a change; undefined if there is no call. */
  const changeIfRunning = <R>({ actor, now }: CallRequest, id: number, work: Work<R>) =>
    CallChange.run(deps, now, async (change) => {
      const open = await find(change.tx, actor, id);
      return open === undefined ? undefined : work({ ...open, change, actor });
    });

  /** Runs a change. Throws if there is no call. */
  const changeRunning = async (request: CallRequest, id: number, work: Work<void>): Promise<null> => {
    const isRunning = await changeIfRunning(request, id, async (asked) => {
      await work(asked);
      return true;
    });
    if (isRunning !== true) throw new ApiError("call.ended");
    return null;
  };

  /**
   * A client cannot take a call. If it rings, other clients of the person may still take it: then `note` only notes it, and returns those that have
   * failed so far. If there are no others, `failForAll` ends the ringing, unless the call has changed since.
   */
  const fail = async (
    request: CallRequest,
    id: number,
    note: Work<readonly CallClient[] | undefined>,
    failForAll: Work<void>,
  ): Promise<null> => {
    const failed = await changeIfRunning(request, id, note);
    // Outside of the transaction, because other nodes are asked. Those who fail at the same time are noted by now.
    if (failed === undefined || (await deps.hasOtherClient(request.actor.userId, failed))) return null;
    await changeIfRunning(request, id, failForAll);
    return null;
  };

  /** A heartbeat. If the client is not in the call, it has missed the end, and gets the signal that says so. */
  const beat = async (
    request: CallRequest,
    id: number,
    isIn: Work<boolean>,
    over: CallSignal,
  ): Promise<null> => {
    if ((await changeIfRunning(request, id, isIn)) !== true)
      await CallChange.run(deps, request.now, async (change) => change.toOne(request.actor, over));
    return null;
  };

  return { changeIfRunning, changeRunning, fail, beat };
}

/** Throws unless the person may begin a call, or join one, now. */
export async function requireReady(
  { rateLimiter, presence }: Pick<CallRequestDeps, "rateLimiter" | "presence">,
  userId: number,
): Promise<void> {
  refuseIfLimited(await rateLimiter.consume("startedCalls", userId));
  if (!(await presence.online([userId])).has(userId)) throw new ApiError("call.offline");
}

/** The client with which this person is in the call was heard. */
export async function noteBeat({ change, actor }: Asking, me: CallMemberRow): Promise<void> {
  await change.tx.updateCallMember(me.userId, beatOf(me, change.now));
  if (me.detachedAt !== null) change.findSocketOf(actor);
}

/** A person as clients show them in a call. */
export function viewUser(user: UserRow | undefined): PrivateCallInfo["host"] {
  return user === undefined ? null : { id: user.id, nickName: user.nickName, headImage: smallPicture(user) };
}
