/** One change of a call: a transaction, and the pushes that follow its commit. */
import { ChatType, Cmd, MessageStatus, MessageType } from "@parley/protocol/codes";
import { CALL_SIGNALS_MAX } from "@parley/protocol/limits";
import type { CallResult } from "@parley/protocol/message";
import type { TipKey } from "@parley/protocol/tips";
import type { GroupCallSignal, PrivateCallSignal } from "@parley/protocol/signal";
import type { Capability } from "@parley/protocol/frame";
import { type ChatRef, type Delivery, frameOf } from "../../delivery/delivery.ts";
import type { Language } from "../../api/language.ts";
import type { Bus, ClientInstance } from "../../ports/bus.ts";
import type { CallClient, CallMemberRow, PrivateCallRow } from "../../ports/call-store.ts";
import type { GroupMessageRow } from "../../ports/group-message-store.ts";
import type { PrivateRow } from "../../ports/private-message-store.ts";
import { type CallEnding, callRecordText } from "../../presenters/call-record.ts";
import { nameInGroup } from "../../presenters/group-presenter.ts";
import { privateMessage } from "../../presenters/message-presenter.ts";
import { tipSentence } from "../../presenters/tip-sentences.ts";
import type { CallsStore, CallsTx } from "./calls-store.ts";

/** What changes of calls need. */
export interface CallChangeDeps {
  store: CallsStore;
  delivery: Pick<Delivery, "toUsers" | "toClient" | "toOthersOf" | "webPush">;
  bus: Pick<Bus, "publish">;
  /** The language of stored records and tips. */
  defaultLanguage: Language;
  /** Tells the members that the call of their group has begun or ended. */
  groupChanged(change: { groupId: number; by: number; tips: readonly GroupMessageRow[] }): Promise<void>;
  /** Takes over work that nobody waits for. */
  inBackground(work: Promise<void>): void;
}

/** Only clients that know the devices of the other person get them. */
const CAPABILITIES: Partial<Record<number, Capability>> = { [MessageType.RTC_DEVICE]: "rtc110" };

/** A signal of a call, of which each reader gets a frame: it says whether the reader has sent it. */
export interface CallSignal {
  type: number;
  /** Only clients that declared it get the signal. */
  capability: Capability | undefined;
  frameFor(readerId: number): string;
}

/** A signal of a private call. */
export function privateSignal(
  type: PrivateCallSignal["type"],
  { sendId, recvId }: { sendId: number; recvId: number },
  content: string | null = null,
): CallSignal {
  return {
    type,
    capability: CAPABILITIES[type],
    frameFor: (readerId) =>
      frameOf(Cmd.PRIVATE, { type, sendId, recvId, selfSend: readerId === sendId, content }),
  };
}

/** The offer of the caller, for clients that prepare their answer while it rings. */
export function earlyOffer(pair: { sendId: number; recvId: number }, offer: string): CallSignal {
  return { ...privateSignal(MessageType.RTC_OFFER, pair, offer), capability: "rtcEarlyOffer" };
}

/** A signal of the call of a group. */
export function groupSignal(
  type: GroupCallSignal["type"],
  { sendId, groupId }: { sendId: number; groupId: number },
  content = "",
): CallSignal {
  return {
    type,
    capability: undefined,
    frameFor: (readerId) =>
      frameOf(Cmd.GROUP, { type, sendId, groupId, selfSend: readerId === sendId, content }),
  };
}

/** A running change. What it sends is sent after the commit, in this order. */
export class CallChange {
  readonly tx: CallsTx;
  readonly now: number;
  readonly #deps: CallChangeDeps;
  readonly #sends: (() => void)[] = [];

  private constructor(tx: CallsTx, now: number, deps: CallChangeDeps) {
    this.tx = tx;
    this.now = now;
    this.#deps = deps;
  }

  /** Runs a change as one transaction, then sends. */
  static async run<R>(
    deps: CallChangeDeps,
    now: number,
    work: (change: CallChange) => Promise<R>,
  ): Promise<R> {
    const { result, sends } = await deps.store.write(async (tx) => {
      const change = new CallChange(tx, now, deps);
      const result = await work(change);
      return { result, sends: change.#sends };
    });
    for (const send of sends) send();
    return result;
  }

  /** Sends to every client of the reader, except one. */
  toPerson(readerId: number, signal: CallSignal, except?: CallClient): void {
    const { delivery } = this.#deps;
    const frame = signal.frameFor(readerId);
    this.#sends.push(() => {
      if (except === undefined) delivery.toUsers([readerId], frame, signal.capability);
      else delivery.toOthersOf({ userId: readerId, ...except }, [readerId], frame);
    });
  }

  /** Sends to the client with which this person is in the call. While it has no socket, the signal waits. */
  async toClientOf({ userId, client, detachedAt }: CallMemberRow, signal: CallSignal): Promise<void> {
    if (client === null) return;
    const frame = signal.frameFor(userId);
    if (detachedAt !== null) await this.tx.queueCallFrame(userId, frame, CALL_SIGNALS_MAX);
    else this.toOne({ userId, ...client }, signal);
  }

  /** Sends to one client, if it has a socket. */
  toOne({ userId, clientId, sessionId }: CallClient & { userId: number }, signal: CallSignal): void {
    const frame = signal.frameFor(userId);
    const { capability } = signal;
    this.#sends.push(() => this.#deps.delivery.toClient({ userId, clientId, sessionId }, frame, capability));
  }

  /** Does something else after the commit, behind what is sent so far. */
  afterCommit(work: () => void): void {
    this.#sends.push(work);
  }

  /** Lets the node that has a socket of this client say so, because the store says that there is none. */
  findSocketOf(client: ClientInstance): void {
    this.afterCommit(() => this.#deps.bus.publish({ kind: "callClientDetached", client }));
  }

  /** Sends a frame that has waited for this client's socket. */
  toAttached({ userId, clientId, sessionId }: CallClient & { userId: number }, frame: string): void {
    const { data } = JSON.parse(frame) as { data: { type: number } };
    this.#sends.push(() =>
      this.#deps.delivery.toClient({ userId, clientId, sessionId }, frame, CAPABILITIES[data.type]),
    );
  }

  /** Lets a call ring for a person who has just become a part of it. */
  async ringFor(member: CallMemberRow, chat: ChatRef, callerId: number): Promise<void> {
    await this.tx.insertCallMember(member);
    this.afterCommit(() => this.#deps.delivery.webPush.callRings(member.userId, chat, callerId));
  }

  /** It rings for these people no longer, if it did. */
  stopRinging(userIds: readonly number[], chat: ChatRef): void {
    this.afterCommit(() => {
      for (const userId of userIds) this.#deps.delivery.webPush.callStopsRinging(userId, chat);
    });
  }

  /** Ends a private call: frees both people and writes its record. */
  async end(call: PrivateCallRow, ending: CallEnding): Promise<void> {
    await this.tx.deleteCall(call.key);
    this.stopRinging([call.calleeId], { type: ChatType.PRIVATE, targetId: call.hostId });
    await this.record(call, ending);
  }

  /** Writes the record of a private call, and sends it to both people after all signals so far. */
  async record(
    {
      mode,
      hostId,
      calleeId,
      acceptedAt,
    }: Pick<PrivateCallRow, "mode" | "hostId" | "calleeId" | "acceptedAt">,
    ending: CallEnding,
  ): Promise<void> {
    const { defaultLanguage } = this.#deps;
    const seconds =
      ending === "ended" && acceptedAt !== null
        ? Math.max(0, Math.round((this.now - acceptedAt) / 1_000))
        : 0;
    const act: CallResult = { result: ending, seconds };
    const host = await this.tx.findUser(hostId);
    const { row } = await this.tx.appendPrivate({
      tmpId: null,
      type: mode === "voice" ? MessageType.ACT_RT_VOICE : MessageType.ACT_RT_VIDEO,
      sendId: hostId,
      recvId: calleeId,
      sendNickName: host?.nickName ?? "",
      content: callRecordText(ending, seconds, defaultLanguage),
      sendTime: this.now,
      act,
    });
    this.#sends.push(() => this.#sendRecord(row));
  }

  #sendRecord(row: PrivateRow): void {
    const { delivery, defaultLanguage } = this.#deps;
    const { id, type, act, sendId, recvId, sendNickName, content } = row;
    delivery.toUsers(
      [sendId, recvId],
      frameOf(Cmd.PRIVATE, privateMessage(row, MessageStatus.SENDED, defaultLanguage)),
    );
    delivery.webPush.messageStored(
      { type: ChatType.PRIVATE, targetId: sendId },
      { position: id, type, act, sendId, sendNickName, sendRole: null, atUserIds: [], content },
      [recvId],
    );
  }

  /** Stores a tip among the messages of a group, and tells the members of it and of the changed group. */
  async announce(
    groupId: number,
    by: number,
    key: Extract<TipKey, "group.callStarted" | "group.callEnded"> | null,
  ): Promise<void> {
    const { defaultLanguage, inBackground, groupChanged } = this.#deps;
    const tips: GroupMessageRow[] = [];
    const [member, user] = [await this.tx.findGroupMember(groupId, by), await this.tx.findUser(by)];
    if (key !== null && member !== undefined && user !== undefined) {
      const name = nameInGroup(member, user);
      const params: Record<string, string> = key === "group.callStarted" ? { name } : {};
      const { row } = await this.tx.appendGroup({
        tmpId: null,
        type: MessageType.TIP_TEXT,
        groupId,
        sendId: by,
        sendNickName: name,
        sendRole: member.role,
        content: tipSentence(key, defaultLanguage, params),
        sendTime: this.now,
        tip: { key, params },
      });
      tips.push(row);
    }
    this.afterCommit(() => inBackground(groupChanged({ groupId, by, tips })));
  }
}
