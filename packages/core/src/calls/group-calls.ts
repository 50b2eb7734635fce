import {
  acceptGroupCall,
  beatGroupCall,
  cancelGroupCall,
  failGroupCall,
  findGroupCall,
  inviteToGroupCall,
  joinGroupCall,
  quitGroupCall,
  rejectGroupCall,
  sendGroupAnswer,
  sendGroupCandidate,
  sendGroupOffer,
  setGroupCallDevice,
  setupGroupCall,
} from "@parley/protocol/endpoints/group-calls";
import type { ReceivedGroupCall } from "@parley/protocol/received-call";
import { isUnanswered } from "../connection/api.ts";
import { type CallEnd, type GroupCallPersonView, type GroupCallView, NO_MEDIA } from "../model/calls/call.ts";
import { encoderLimits } from "../model/calls/encoder-limits.ts";
import {
  type GroupCall,
  type GroupCallEffect,
  type GroupCallInput,
  type GroupCallPerson,
  type GroupCallTimer,
  NO_GROUP_CALL,
  type PersonConnection,
} from "../model/calls/group-call-state.ts";
import { stepGroupCall } from "../model/calls/group-call.ts";
import type { Failure, Result } from "../model/state.ts";
import { CallRuntime, type OutgoingSignal } from "./call-runtime.ts";
import type { CallContext } from "./call-service.ts";
import type { DeviceReport } from "./device-reports.ts";
import type { LocalMedia } from "./local-media.ts";
import type { Peer } from "./peer.ts";
import { LAST_REQUEST, SHORT_TIMEOUT } from "./repeat-unanswered.ts";

type Entry = Extract<GroupCallEffect, { kind: "setup" | "accept" | "join" }>;

/** The call of a group, as `model/calls/group-call.ts` decides. */
export class GroupCalls extends CallRuntime<GroupCall, GroupCallInput, GroupCallEffect, GroupCallTimer> {
  constructor(context: CallContext) {
    super(context, NO_GROUP_CALL, (call, input) => stepGroupCall(call, input, context.me));
  }

  start(groupId: number, userIds: readonly number[]): void {
    const support = this.context.callPorts.media.support();
    this.dispatch({ kind: "start", groupId, userIds, support });
  }

  join(groupId: number): void {
    this.dispatch({ kind: "join", groupId, support: this.context.callPorts.media.support() });
  }

  invite(userIds: readonly number[]): void {
    this.dispatch({ kind: "invite", userIds });
  }

  receive(signal: ReceivedGroupCall, canCall: boolean): void {
    this.dispatch({ kind: "signal", signal, canCall });
  }

  view(): GroupCallView | null {
    const { call } = this;
    const parts = this.viewParts();
    if (call.stage === "closed" || parts === null) return null;
    const { groupId, stage, hostId } = call;
    const people = call.people.map((person) => viewPerson(person, this.peerOf(person.userId)?.peer));
    return { kind: "group", groupId, stage, hostId, people, ...parts };
  }

  /** The group of the call. Only while there is one. */
  get #groupId(): number {
    return this.call.stage === "closed" ? 0 : this.call.groupId;
  }

  protected perform(effect: GroupCallEffect): void {
    switch (effect.kind) {
      case "setup":
      case "accept":
      case "join":
        return this.#enter(effect);
      case "invite": {
        const { groupId, userIds } = effect;
        void this.context.api.call(inviteToGroupCall, { body: { groupId, userInfos: infosOf(userIds) } });
        return;
      }
      case "heartbeat":
        void this.context.api.call(beatGroupCall, { query: { groupId: effect.groupId } }, SHORT_TIMEOUT);
        return this.retryReports();
      case "readList":
        return this.#readList(effect.groupId);
      case "tell":
        return this.#tell(effect);
      case "createPeer":
        return this.connect(effect.userId, this.context.me > effect.userId, false);
      case "closePeer":
        return this.closePeer(effect.userId);
      case "offer":
        return this.peerOf(effect.userId)?.peer.connect();
      case "restart":
        return this.peerOf(effect.userId)?.peer.restart();
      case "repair":
        return this.peerOf(effect.userId)?.peer.repair();
      case "toPeer":
        return this.toPeer(effect.userId, effect.signal);
      case "setRepair": {
        const { userId, ms } = effect;
        return this.timers.set(repairOf(userId), ms, () => this.dispatch({ kind: "repairDue", userId }));
      }
      case "clearRepair":
        return this.timers.cancel(repairOf(effect.userId));
      case "personLeft": {
        const { kind: _, ...notice } = effect;
        return this.context.notify({ kind: "callPersonLeft", ...notice });
      }
      case "close":
        return this.#close(effect.groupId, effect.end);
      default:
        return this.performCommon(effect);
    }
  }

  protected isConnected(): boolean {
    const { call } = this;
    return call.stage === "talking" && call.people.some(({ connection }) => connection === "connected");
  }

  /** The server assumes that the microphone of somebody who comes is on, and the camera off. */
  protected assumedDevices(): DeviceReport {
    return { isCamera: false, isMicroPhone: true, isShareScreen: false };
  }

  protected canReport(): boolean {
    const { call } = this;
    return (call.stage === "calling" || call.stage === "talking") && call.isConfirmed;
  }

  protected report(report: DeviceReport): Promise<Result<null>> {
    const body = { groupId: this.#groupId, ...report };
    return this.context.api.call(setGroupCallDevice, { body }, SHORT_TIMEOUT);
  }

  protected postSignal(userId: number, { kind, body }: OutgoingSignal): Promise<Result<null>> {
    const { api } = this.context;
    const to = { groupId: this.#groupId, userId };
    if (kind === "candidate")
      return api.call(sendGroupCandidate, { body: { ...to, candidate: body } }, SHORT_TIMEOUT);
    const { type, sdp } = body;
    const description = { type, sdp };
    return type === "offer"
      ? api.call(sendGroupOffer, { body: { ...to, offer: description } }, SHORT_TIMEOUT)
      : api.call(sendGroupAnswer, { body: { ...to, answer: description } }, SHORT_TIMEOUT);
  }

  /** The server may know that I am not in the call. */
  protected refused(failure: Failure): void {
    if (failure.kind === "refused" && failure.key === "call.notIn")
      this.dispatch({ kind: "ended", groupId: this.#groupId });
  }

  /** The more people are in the call, the smaller is the picture that each of them gets. */
  protected limitPictures(media: LocalMedia, peers: readonly Peer[]): void {
    if (this.call.stage !== "talking") return;
    const people = this.call.people.filter(({ isIn }) => isIn).length + 1;
    const camera = encoderLimits(people);
    const limits = media.view().screen === "on" ? encoderLimits(people, true) : camera;
    for (const peer of peers) peer.setLimits(limits);
    media.setCameraRate(camera[0].framesPerSecond);
  }

  /** Starts, accepts or joins. Even if the call is over here, the answer counts: what the server has done then has to be undone. */
  #enter(effect: Entry): void {
    const { kind, groupId } = effect;
    void this.enter(
      () => this.#requestEntry(effect),
      (result) => {
        if (result.ok) return this.dispatch({ kind: `${kind}Done`, groupId });
        const { failure } = result;
        this.dispatch({ kind: `${kind}Refused`, groupId, failure, isUnanswered: isUnanswered(failure) });
      },
    );
  }

  #requestEntry(effect: Entry): Promise<Result<null>> {
    const { api } = this.context;
    const { kind, groupId } = effect;
    if (kind === "setup") {
      const body = { groupId, userInfos: infosOf(effect.userIds) };
      return api.call(setupGroupCall, { body }, SHORT_TIMEOUT);
    }
    const endpoint = kind === "accept" ? acceptGroupCall : joinGroupCall;
    return api.call(endpoint, { query: { groupId } }, SHORT_TIMEOUT);
  }

  #readList(groupId: number): void {
    void this.context.api.call(findGroupCall, { query: { groupId } }, SHORT_TIMEOUT).then((result) => {
      if (!result.ok) return this.dispatch({ kind: "listFailed", groupId });
      const { isChating, host, userInfos } = result.value;
      const list = { isChating, hostId: host?.id ?? null, people: userInfos };
      this.dispatch({ kind: "listRead", groupId, list });
    });
  }

  /** Does not wait for the server's answer. If there is none, the end is reported again later (`StaleCalls`). */
  #tell(effect: Extract<GroupCallEffect, { kind: "tell" }>): void {
    const { api, staleCalls } = this.context;
    const query = { groupId: effect.groupId };
    if (effect.what === "failed") {
      void api.call(failGroupCall, { body: { ...query, reason: effect.reason } }, LAST_REQUEST);
      return;
    }
    const endpoint = { cancel: cancelGroupCall, reject: rejectGroupCall, quit: quitGroupCall }[effect.what];
    staleCalls.trackEnd(api.call(endpoint, { query }, LAST_REQUEST), query);
  }

  #close(groupId: number, end: CallEnd | null): void {
    this.close();
    if (end !== null) this.context.notify({ kind: "callEnded", call: { kind: "group", groupId, end } });
  }
}

const repairOf = (userId: number) => `repair ${userId}`;

const infosOf = (userIds: readonly number[]) => userIds.map((id) => ({ id }));

function viewPerson(person: GroupCallPerson, peer: Peer | undefined): GroupCallPersonView {
  const { repairs: _, connection, ...rest } = person;
  const { isSpeaking, quality } = peer?.view() ?? NO_MEDIA;
  return { ...rest, connection: shownConnection(connection), isSpeaking, quality };
}

function shownConnection(connection: PersonConnection): GroupCallPersonView["connection"] {
  switch (connection) {
    case "waiting":
      return "connecting";
    case "shaky":
      return "connected";
    default:
      return connection;
  }
}
