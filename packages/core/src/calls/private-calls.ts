import {
  acceptPrivateCall,
  beatPrivateCall,
  cancelPrivateCall,
  failPrivateCall,
  hangUpPrivateCall,
  rejectPrivateCall,
  sendPrivateAnswer,
  sendPrivateCandidate,
  sendPrivateOffer,
  setPrivateCallDevice,
  setupPrivateCall,
} from "@parley/protocol/endpoints/private-calls";
import type { CallMode } from "@parley/protocol/entities";
import { MessageType } from "@parley/protocol/codes";
import type { ReceivedPrivateCall } from "@parley/protocol/received-call";
import { isUnanswered } from "../connection/api.ts";
import { type CallEnd, NO_MEDIA, type PrivateCallView, type RemoteMedia } from "../model/calls/call.ts";
import { encoderLimits } from "../model/calls/encoder-limits.ts";
import {
  CLOSED,
  type PeerSignal,
  type PrivateCall,
  type PrivateCallEffect,
  type PrivateCallInput,
  type PrivateCallTimer,
} from "../model/calls/private-call-state.ts";
import { stepPrivateCall } from "../model/calls/private-call.ts";
import type { Failure, Result } from "../model/state.ts";
import { CallRuntime, type OutgoingSignal } from "./call-runtime.ts";
import type { CallContext } from "./call-service.ts";
import type { DeviceReport } from "./device-reports.ts";
import type { LocalMedia } from "./local-media.ts";
import type { Peer } from "./peer.ts";
import { LAST_REQUEST, SHORT_TIMEOUT } from "./repeat-unanswered.ts";

/** The call between this person and another one, as `model/calls/private-call.ts` decides. */
export class PrivateCalls extends CallRuntime<
  PrivateCall,
  PrivateCallInput,
  PrivateCallEffect,
  PrivateCallTimer
> {
  /** The call that was last tried, for the message if it cannot even begin. */
  #lastStart: { userId: number; mode: CallMode; isCaller: boolean } | null = null;
  #remoteDevices: DeviceReport = NO_MEDIA;

  constructor(context: CallContext) {
    super(context, CLOSED, stepPrivateCall);
  }

  start(userId: number, mode: CallMode): void {
    this.#lastStart = { userId, mode, isCaller: true };
    this.dispatch({ kind: "start", userId, mode, support: this.context.callPorts.media.support() });
  }

  receive(signal: ReceivedPrivateCall, canCall: boolean): void {
    const isMine = signal.sendId === this.context.me;
    const userId = isMine ? signal.recvId : signal.sendId;
    this.dispatch({ kind: "signal", signal, userId, isMine, canCall });
  }

  view(): PrivateCallView | null {
    const { call } = this;
    const parts = this.viewParts();
    if (call.stage === "closed" || parts === null) return null;
    const { stage, userId, mode, isCaller } = call;
    const { isSpeaking, quality } = this.#other?.peer.view() ?? NO_MEDIA;
    const { isCamera, isMicroPhone, isShareScreen } = this.#remoteDevices;
    const connection = connectionOf(call);
    const peer = { connection, isCamera, isMicroPhone, isShareScreen, isSpeaking, quality };
    return { kind: "private", stage, userId, mode, isCaller, peer, ...parts };
  }

  /** The id of the other person. Only while there is a call. */
  get #uid(): number {
    return this.call.stage === "closed" ? 0 : this.call.userId;
  }

  get #other() {
    return this.peerOf(this.#uid);
  }

  protected perform(effect: PrivateCallEffect, before: PrivateCall): void {
    switch (effect.kind) {
      case "setup":
        return this.#setup();
      case "accept":
        return this.#accept();
      case "heartbeat":
        this.retryReports();
        return this.#beat();
      case "tell":
        return this.#tell(effect.what, effect.userId, effect.reason);
      case "createPeer":
        return this.#connect();
      case "sendSignals":
        return this.#sendSignals(effect.again);
      case "toPeer":
        return this.#takeSignal(effect.signal);
      case "restart":
        return this.#other?.peer.restart();
      case "repair":
        return this.#other?.peer.repair();
      case "close":
        return this.#close(before, effect.end);
      default:
        return this.performCommon(effect);
    }
  }

  protected isConnected(): boolean {
    return this.call.stage === "talking";
  }

  /** If a client does not report its devices, the others go by the kind of the call. */
  protected assumedDevices(): DeviceReport {
    const isCamera = this.call.stage !== "closed" && this.call.mode === "video";
    return { isCamera, isMicroPhone: true, isShareScreen: false };
  }

  protected canReport(): boolean {
    return this.call.stage === "connecting" || this.call.stage === "talking";
  }

  protected report(report: DeviceReport): Promise<Result<null>> {
    return this.context.api.call(
      setPrivateCallDevice,
      { body: { uid: this.#uid, ...report } },
      SHORT_TIMEOUT,
    );
  }

  protected postSignal(uid: number, { kind, body }: OutgoingSignal): Promise<Result<null>> {
    const { api } = this.context;
    const query = { uid };
    if (kind === "candidate") return api.call(sendPrivateCandidate, { query, body }, SHORT_TIMEOUT);
    const { type, sdp } = body;
    const endpoint = type === "offer" ? sendPrivateOffer : sendPrivateAnswer;
    return api.call(endpoint, { query, body: { type, sdp } }, SHORT_TIMEOUT);
  }

  protected refused(failure: Failure): void {
    if (isRefusal(failure, "call.ended")) this.dispatch({ kind: "gone" });
  }

  protected limitPictures(media: LocalMedia, peers: readonly Peer[]): void {
    // A screen has other limits than a camera.
    const limits = encoderLimits(2, media.view().screen === "on");
    for (const peer of peers) peer.setLimits(limits);
  }

  #setup(): void {
    const { call } = this;
    if (call.stage === "closed") return;
    const query = { uid: call.userId, mode: call.mode };
    const request = () => this.context.api.call(setupPrivateCall, { query }, SHORT_TIMEOUT);
    void this.enter(request, (result, isLate) => {
      if (isLate) return this.#answeredLate(query.uid, result);
      if (result.ok) return this.dispatch({ kind: "setupDone", isOfferHeld: this.context.isOfferHeld() });
      const { failure } = result;
      const isCrossed = isRefusal(failure, "call.crossed");
      this.dispatch({ kind: "setupRefused", failure, isCrossed, isUnanswered: isUnanswered(failure) });
    });
  }

  #accept(): void {
    const uid = this.#uid;
    const body = this.#other?.signals.takeAnswer() ?? null;
    const input = { query: { uid, held: "1" }, ...(body !== null && { body }) } as const;
    const request = () => this.context.api.call(acceptPrivateCall, input, SHORT_TIMEOUT);
    void this.enter(request, (result, isLate) => {
      if (isLate) return this.#answeredLate(uid, result);
      if (result.ok) return this.dispatch({ kind: "acceptDone" });
      const { failure } = result;
      this.dispatch({ kind: "acceptRefused", failure, isUnanswered: isUnanswered(failure) });
    });
  }

  /** The call is over here. If its end has overtaken the request, the server has it now. */
  #answeredLate(uid: number, result: Result<null>): void {
    if (!this.isBusy() && (result.ok || isUnanswered(result.failure)))
      this.context.staleCalls.reportLateEntry({ uid });
  }

  #beat(): void {
    const isWaiting = this.call.stage === "calling" || this.call.stage === "ringing";
    const query = { uid: this.#uid, ...(isWaiting && ({ waiting: "1" } as const)) };
    void this.ask(() => this.context.api.call(beatPrivateCall, { query }, SHORT_TIMEOUT));
  }

  /** Does not wait for the server's answer. If there is none, the end is reported again later (`StaleCalls`). */
  #tell(what: "cancel" | "reject" | "hangUp" | "failed", uid: number, reason?: string): void {
    const { api, staleCalls } = this.context;
    const endpoint = { cancel: cancelPrivateCall, reject: rejectPrivateCall, hangUp: hangUpPrivateCall };
    const answer =
      what === "failed"
        ? api.call(failPrivateCall, { query: { uid, ...(reason !== undefined && { reason }) } }, LAST_REQUEST)
        : api.call(endpoint[what], { query: { uid } }, LAST_REQUEST);
    staleCalls.trackEnd(answer, { uid });
  }

  #connect(): void {
    const { call } = this;
    if (call.stage === "closed") return;
    this.#remoteDevices = this.assumedDevices();
    // Do not send signals to the callee before their client rings, nor to the caller before the callee accepts.
    this.connect(call.userId, !call.isCaller, true);
    if (call.isCaller) this.#other?.peer.connect();
  }

  #sendSignals(again: boolean): void {
    const wereHeld = this.#other?.signals.release();
    if (wereHeld === false && again) this.#other?.peer.resend();
  }

  #takeSignal(signal: PeerSignal): void {
    if (signal.type !== MessageType.RTC_DEVICE) return this.toPeer(this.#uid, signal);
    const { isCamera, isMicroPhone, isShareScreen = false } = signal.content;
    this.#remoteDevices = { isCamera, isMicroPhone, isShareScreen };
  }

  #close(before: PrivateCall, end: CallEnd | null): void {
    this.close();
    this.#remoteDevices = NO_MEDIA;
    const about = before.stage === "closed" ? this.#lastStart : before;
    if (end === null || about === null) return;
    const { userId, mode, isCaller } = about;
    this.context.notify({ kind: "callEnded", call: { kind: "private", userId, mode, isCaller, end } });
  }
}

function isRefusal(failure: Failure, key: string): boolean {
  return failure.kind === "refused" && failure.key === key;
}

function connectionOf(call: PrivateCall): RemoteMedia["connection"] {
  switch (call.stage) {
    case "talking":
      return call.isLost ? "reconnecting" : "connected";
    case "accepting":
    case "connecting":
      return "connecting";
    default:
      return "none";
  }
}
