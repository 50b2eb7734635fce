/** Decides which sockets get a frame, and publishes it to the bus once. */
import { ChatType, Cmd, MessageType } from "@parley/protocol/codes";
import type { LogoutReason } from "@parley/protocol/envelope";
import type { Capability, ServerFrame } from "@parley/protocol/frame";
import type { CHANGED_PEOPLE, CallResult, SystemMessage } from "@parley/protocol/message";
import type { Audience, Bus, ClientInstance } from "../ports/bus.ts";
import type { Actor } from "../api/api-call.ts";
import type { PassFailpoint } from "../ports/failpoints.ts";

type ContentCmd = typeof Cmd.PRIVATE | typeof Cmd.GROUP | typeof Cmd.SYSTEM;

/** What a frame of this kind holds: a row or a signal. */
export type FrameData<C extends ContentCmd> = Extract<ServerFrame, { cmd: C }>["data"];

/** A chat of one person; the system chat has the target 0. */
export interface ChatRef {
  type: ChatType;
  targetId: number;
}

/** A stored message, as far as it matters to somebody who has no page open. */
export interface AlertingMessage {
  /** Its id; in the system chat its seqNo. */
  position: number;
  type: number;
  act: CallResult | null;
  sendId: number | null;
  sendNickName: string | null;
  /** Null in private chats and in the system chat. */
  sendRole: number | null;
  atUserIds: readonly number[];
  content: string;
}

/** What web push has to know to alert people who have no page open. Nothing here waits or fails: what is left out, the next page shows. */
export interface WebPushEvents {
  /** A message was stored that these people see, in this chat. Its sender is left out. */
  messageStored(chat: ChatRef, message: AlertingMessage, userIds: readonly number[]): void;
  /** The message of a system chat is new, or its state has changed. */
  systemMessageStored(userId: number, message: SystemMessage): void;
  /** A message was recalled that these people saw, in this chat. */
  messageRecalled(chat: ChatRef, position: number, userIds: readonly number[]): void;
  /** A person has read a chat up to this position. */
  chatRead(userId: number, chat: ChatRef, upTo: number): void;
  /** A call of this chat rings for a person. */
  callRings(userId: number, chat: ChatRef, callerId: number): void;
  /** It rings no longer for them: it was answered somewhere, or is over. Nothing happens if it did not ring. */
  callStopsRinging(userId: number, chat: ChatRef): void;
}

/** Sends frames and invalidations to the sockets and caches of all nodes. */
export interface Delivery {
  /** Alerts devices that no frame reaches. */
  readonly webPush: WebPushEvents;
  /** Sends to every socket of these people. */
  toUsers(userIds: readonly number[], frame: string, capability?: Capability): void;
  /** Sends to the sockets of one client instance; with a capability only to those that declared it. */
  toClient(client: ClientInstance, frame: string, capability?: Capability): void;
  /** Sends to the sockets of the acting person's other client instances; with a capability only to those that declared it. */
  toOwnOthers(actor: Actor, frame: string, capability?: Capability): void;
  /** Sends to every socket of these people except those of this client instance. */
  toOthersOf(client: ClientInstance, userIds: readonly number[], frame: string): void;
  /**
   * Returns the current sockets of the acting client instance on this node, or the first that it opens here. Later ones are not included.
   */
  findRequester(actor: Actor): Requester;
  /** Closes the sockets of these sessions and invalidates their tokens. `allBut` ends all sessions of the person except this one; null ends all. */
  endSessions(
    userId: number,
    sessionIds: readonly string[],
    reason: LogoutReason,
    allBut?: string | null,
  ): void;
  /** Invalidates what all nodes cache about these people and about pairs of them. */
  invalidateUsers(userIds: readonly number[]): void;
  /** Invalidates what all nodes cache about this group and its members. */
  invalidateGroup(groupId: number): void;
}

/** The client instance that made a request and gets pushes as its answer. */
export interface Requester {
  /** A key that is unique for this client instance. */
  readonly instance: string;
  /** Ids of the sockets, as assigned by their gateways; empty until the client instance has opened one. */
  sockets(): readonly string[];
  /** Sends to these sockets, which are all of this node, so the bus takes no part. */
  push(frame: string): void;
  /** Waits until most of what was pushed is sent. Returns false if none of the sockets is left. */
  waitForDrain(): Promise<boolean>;
}

/** What delivery needs of the bus and the gateway. */
export interface DeliveryOptions {
  bus: Bus;
  socketsOf(actor: Actor): readonly string[];
  /** Sends to sockets of this node. */
  send(audience: Audience, frame: string): void;
  waitForDrain(audience: Audience): Promise<boolean>;
  webPush: WebPushEvents;
  failpoint: PassFailpoint;
}

/** Encodes a frame whose data is already JSON. */
export function frameOfJson(cmd: ContentCmd, json: string): string {
  return `{"cmd":${cmd},"data":${json}}`;
}

/** Encodes a frame. */
export function frameOf<C extends ContentCmd>(cmd: C, data: FrameData<C>): string {
  return frameOfJson(cmd, JSON.stringify(data));
}

/** Tells a person's clients to load the change feed or, with content, their lists of people and their own user info. */
export function changesFrame(userId: number, content: "" | typeof CHANGED_PEOPLE): string {
  return frameOf(Cmd.PRIVATE, { type: MessageType.CHANGES, sendId: userId, recvId: userId, content });
}

/** Tells all clients of these people to load the change feed. */
export function tellOfChanges(delivery: Pick<Delivery, "toUsers">, userIds: Iterable<number>): void {
  for (const userId of userIds) delivery.toUsers([userId], changesFrame(userId, ""), "changes");
}

/** How frames begin: a message with its id, a signal with its type. */
const FRAME = /^\{"cmd":([345]),"data":\{"(id|type)":(\d+)/;
const CHATS: Partial<Record<number, ChatType>> = {
  [Cmd.PRIVATE]: ChatType.PRIVATE,
  [Cmd.GROUP]: ChatType.GROUP,
  [Cmd.SYSTEM]: ChatType.SYSTEM,
};

/** What a frame of this file contains: a message, or a signal; undefined for other frames. */
export function contentOfFrame(
  frame: string,
): { chat: ChatType; id: number } | { signal: number } | undefined {
  const [, cmd, name, number] = FRAME.exec(frame) ?? [];
  const chat = CHATS[Number(cmd)];
  if (chat === undefined) return undefined;
  return name === "id" ? { chat, id: Number(number) } : { signal: Number(number) };
}

const EXTRA_VERSION = /"extra":\{"v":(\d+)/;

/** The version of the extra in a frame for everybody who sees its message; undefined for other frames. */
export function extraVersionOfFrame(frame: string): number | undefined {
  // What the acting person did goes to nobody else.
  if (frame.includes('"mine":{')) return undefined;
  const version = EXTRA_VERSION.exec(frame)?.[1];
  return version === undefined ? undefined : Number(version);
}

function instanceOf({ userId, clientId, sessionId }: ClientInstance): ClientInstance {
  return { userId, clientId, sessionId };
}

/** Creates the delivery of one node. */
export function createDelivery({
  bus,
  socketsOf,
  send,
  waitForDrain,
  webPush,
  failpoint,
}: DeliveryOptions): Delivery {
  const push = (audience: Audience, frame: string) => {
    void failpoint("beforePublish");
    bus.publish({ kind: "push", audience, frame });
    void failpoint("afterPublish");
  };
  const toOthersOf = (client: ClientInstance, userIds: readonly number[], frame: string) =>
    push({ userIds, except: instanceOf(client) }, frame);

  return {
    webPush,
    toUsers: (userIds, frame, capability) => push({ userIds, capability }, frame),
    toClient: (client, frame, capability) =>
      push({ userIds: [client.userId], only: instanceOf(client), capability }, frame),
    toOwnOthers: (actor, frame, capability) =>
      push({ userIds: [actor.userId], except: instanceOf(actor), capability }, frame),
    toOthersOf,
    findRequester(actor) {
      let known = socketsOf(actor);
      // A client may send the request while its socket is still logging in.
      const sockets = () => (known.length > 0 ? known : (known = socketsOf(actor)));
      const audience = (): Audience => ({ userIds: [actor.userId], sockets: sockets() });
      return {
        instance: `${actor.userId} ${actor.clientId ?? actor.sessionId}`,
        sockets,
        push: (frame) => send(audience(), frame),
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
