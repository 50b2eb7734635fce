/** "Tell these users": which sockets hear of an action, decided in one place and published once. */
import type { Cmd } from "@parley/protocol/codes";
import type { LogoutReason } from "@parley/protocol/envelope";
import type { Capability, ServerFrame } from "@parley/protocol/frame";
import type { Audience, Bus } from "./ports/bus.ts";
import type { Actor } from "./ports/call.ts";
import { failpoint } from "./ports/failpoints.ts";

type ContentCmd = typeof Cmd.PRIVATE | typeof Cmd.GROUP | typeof Cmd.SYSTEM;

/** What a frame of this kind holds: a row or a signal. */
export type FrameData<C extends ContentCmd> = Extract<ServerFrame, { cmd: C }>["data"];

export interface Delivery {
  /** To every socket of these people. */
  toUsers(userIds: readonly number[], frame: string): void;
  /** To every socket of the acting person but those of the acting client instance; with a cap only to those that named it. */
  toOwnOthers(actor: Actor, frame: string, cap?: Capability): void;
  /** To every socket of these people but those of the acting client instance. */
  toOthersOf(actor: Actor, userIds: readonly number[], frame: string): void;
  /** The sockets of the acting client instance as they are now, or the first that it opens; later ones are not among them. */
  findRequester(actor: Actor): Requester;
  /** Sockets of these sessions close and their tokens are dead. `allBut`: so it is with every other one of the person but this; null: with all. */
  endSessions(
    userId: number,
    sessionIds: readonly string[],
    reason: LogoutReason,
    allBut?: string | null,
  ): void;
  /** What is remembered about these people, or about two of them together, is stale. */
  invalidateUsers(userIds: readonly number[]): void;
  /** What is remembered about this group and its members is stale. */
  invalidateGroup(groupId: number): void;
}

/** Whose sockets take what they asked for. */
export interface Requester {
  /** Tells this client instance from every other one. */
  readonly instance: string;
  /** By the ids that their gateways gave them; none until the client instance has opened one. */
  sockets(): readonly string[];
  push(frame: string): void;
  /** Waits until most of what was pushed has gone out; false: none of the sockets is left. */
  waitForDrain(): Promise<boolean>;
}

export interface DeliveryOptions {
  bus: Bus;
  socketsOf(actor: Actor): readonly string[];
  waitForDrain(audience: Audience): Promise<boolean>;
}

/** A frame of data that is JSON already. */
export function frameOfJson(cmd: ContentCmd, json: string): string {
  return `{"cmd":${cmd},"data":${json}}`;
}

export function frameOf<C extends ContentCmd>(cmd: C, data: FrameData<C>): string {
  return frameOfJson(cmd, JSON.stringify(data));
}

function instanceOf({ userId, clientId, sessionId }: Actor): NonNullable<Audience["except"]> {
  return { userId, clientId, sessionId };
}

export function createDelivery({ bus, socketsOf, waitForDrain }: DeliveryOptions): Delivery {
  const push = (audience: Audience, frame: string) => {
    void failpoint("beforePublish");
    bus.publish({ kind: "push", audience, frame });
    void failpoint("afterPublish");
  };
  const toOthersOf = (actor: Actor, userIds: readonly number[], frame: string) =>
    push({ userIds, except: instanceOf(actor) }, frame);

  return {
    toUsers: (userIds, frame) => push({ userIds }, frame),
    toOwnOthers: (actor, frame, capability) =>
      push(
        {
          userIds: [actor.userId],
          except: instanceOf(actor),
          ...(capability !== undefined && { capability }),
        },
        frame,
      ),
    toOthersOf,
    findRequester(actor) {
      let found = socketsOf(actor);
      // A client may ask at the moment at which it logs in.
      const sockets = () => (found.length > 0 ? found : (found = socketsOf(actor)));
      const audience = (): Audience => ({ userIds: [actor.userId], sockets: sockets() });
      return {
        instance: `${actor.userId} ${actor.clientId ?? actor.sessionId}`,
        sockets,
        push: (frame) => push(audience(), frame),
        waitForDrain: () => waitForDrain(audience()),
      };
    },
    endSessions(userId, sessionIds, reason, allBut) {
      const event = { kind: "endSessions", userId, sessionIds, reason } as const;
      if (allBut !== undefined) bus.publish({ ...event, allBut });
      else if (sessionIds.length > 0) bus.publish(event);
    },
    invalidateUsers: (userIds) => bus.publish({ kind: "stale", userIds }),
    invalidateGroup: (groupId) => bus.publish({ kind: "staleGroup", groupId }),
  };
}
