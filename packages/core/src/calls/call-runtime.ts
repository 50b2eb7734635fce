import { MessageType } from "@parley/protocol/codes";
import { CALL_SIGNALS_MAX } from "@parley/protocol/limits";
import type { Description, PeerState, StreamData } from "../call-ports.ts";
import { createKeyedTimers } from "../connection/keyed-timers.ts";
import type { CallParts } from "../model/calls/call.ts";
import type {
  GroupCallEffect,
  GroupCallInput,
  PeerSignal as GroupPeerSignal,
} from "../model/calls/group-call-state.ts";
import type { PeerSignal as PrivatePeerSignal } from "../model/calls/private-call-state.ts";
import type { Failure, Result } from "../model/state.ts";
import type { CallContext } from "./call-service.ts";
import { createDeviceReports, type DeviceReport, type DeviceReports } from "./device-reports.ts";
import type { LocalMedia } from "./local-media.ts";
import { createPeer, type Peer } from "./peer.ts";
import { repeatUnanswered } from "./repeat-unanswered.ts";

/** Inputs that both machines take. */
type CommonInput<Timer> =
  | Extract<
      GroupCallInput,
      { kind: "devicesOpened" | "accept" | "end" | "leave" | "networkChanged" | "online" | "peer" }
    >
  | { readonly kind: "timer"; readonly timer: Timer };

/** Effects that mean the same for both machines. */
type CommonEffect<Timer> =
  | Extract<
      GroupCallEffect,
      { kind: "openDevices" | "closeDevices" | "ring" | "stopRing" | "reconnectSocket" }
    >
  | { readonly kind: "setTimer"; readonly timer: Timer; readonly ms: number }
  | { readonly kind: "clearTimer"; readonly timer: Timer };

/** Signals that a connection handles. */
type ConnectionSignal = GroupPeerSignal | Exclude<PrivatePeerSignal, { type: typeof MessageType.RTC_DEVICE }>;

/** A signal for the other side of a connection. `isWanted`: whether the other side can still use it. */
export type OutgoingSignal = { isWanted(): boolean } & (
  | { readonly kind: "description"; readonly body: Description }
  | { readonly kind: "candidate"; readonly body: Record<string, unknown> }
);

/** What one connection sends to its other side. */
interface OutgoingSignals {
  send(signal: OutgoingSignal): void;
  /** The other side can be reached now: sends what is held, and later signals at once. Returns whether signals were held until now. */
  release(): boolean;
  /** Takes the answer that is held, with the candidates found so far; null: there is none yet. */
  takeAnswer(): { answer: Record<string, unknown>; candidates: Record<string, unknown>[] } | null;
}

/** The connection with one of the others. */
interface OpenPeer {
  readonly peer: Peer;
  readonly signals: OutgoingSignals;
  state: PeerState;
}

/** What a call has open. */
interface OpenCall {
  media: LocalMedia;
  readonly peers: Map<number, OpenPeer>;
  readonly reports: DeviceReports;
  stopRing: (() => void) | null;
  connectedAt: number | null;
}

/**
 * Carries out what a state machine of `model/calls` decides. Only this class holds devices, connections, sounds and timers, so what a call has
 * open ends with it. A subclass for each machine knows the endpoints of its calls.
 */
export abstract class CallRuntime<
  Call extends { readonly stage: string },
  Input,
  Effect,
  Timer extends string,
> {
  protected readonly context: CallContext;
  protected readonly timers;
  readonly #step: (call: Call, input: Input | CommonInput<Timer>) => readonly [Call, readonly Effect[]];
  #call: Call;
  #open: OpenCall | null = null;

  /** Creates the runtime; there is no call. */
  constructor(
    context: CallContext,
    closed: Call,
    step: (call: Call, input: Input | CommonInput<Timer>) => readonly [Call, readonly Effect[]],
  ) {
    this.context = context;
    this.timers = createKeyedTimers<string>(context.clock);
    this.#call = closed;
    this.#step = step;
  }

  /** Carries out an effect. `before`: the call before the step that has this effect. */
  protected abstract perform(effect: Effect, before: Call): void;
  /** Whether somebody is connected. The time of the call counts from then on. */
  protected abstract isConnected(): boolean;
  /** The devices that the others assume before the first report. */
  protected abstract assumedDevices(): DeviceReport;
  /** Whether the server takes reports of devices now. */
  protected abstract canReport(): boolean;
  protected abstract report(report: DeviceReport): Promise<Result<null>>;
  protected abstract postSignal(userId: number, signal: OutgoingSignal): Promise<Result<null>>;
  /** The server has refused a step of the running call. */
  protected abstract refused(failure: Failure): void;
  /** Says how large a picture each connection sends. */
  protected abstract limitPictures(media: LocalMedia, peers: readonly Peer[]): void;

  /** Whether there is a call, so that another one has to wait. */
  isBusy(): boolean {
    return this.#call.stage !== "closed";
  }

  accept(withCamera: boolean): void {
    this.dispatch({ kind: "accept", withCamera });
  }

  end(): void {
    this.dispatch({ kind: "end" });
  }

  /** The page is closed, or the session ends. */
  leave(): void {
    this.dispatch({ kind: "leave" });
  }

  networkChanged(): void {
    this.dispatch({ kind: "networkChanged" });
  }

  /** The socket has logged in. */
  wentOnline(): void {
    this.dispatch({ kind: "online" });
    this.retryReports();
  }

  media(): LocalMedia | null {
    return this.#open?.media ?? null;
  }

  remoteStream(userId: number): StreamData | null {
    return this.peerOf(userId)?.peer.stream ?? null;
  }

  protected get call(): Call {
    return this.#call;
  }

  /** Something has happened: the machine decides, and its effects are carried out. */
  protected dispatch(input: Input | CommonInput<Timer>): void {
    const before = this.#call;
    const [next, effects] = this.#step(before, input);
    this.#call = next;
    if (next.stage !== "closed") this.#open ??= this.#openCall();
    if (this.#open !== null && this.isConnected()) this.#open.connectedAt ??= this.context.callPorts.uptime();
    for (const effect of effects) this.perform(effect, before);
    this.#changed();
  }

  /** The call or one of its devices has changed. */
  #changed(): void {
    this.#limitPictures();
    this.#open?.reports.update();
    this.context.publish();
  }

  #createMedia(): LocalMedia {
    return this.context.createMedia(() => this.#changed());
  }

  #openCall(): OpenCall {
    const opened: OpenCall = {
      media: this.#createMedia(),
      peers: new Map(),
      reports: createDeviceReports({
        known: this.assumedDevices(),
        media: () => opened.media,
        canSend: () => this.#open === opened && this.canReport(),
        send: (report) => this.report(report),
        onFailure: (failure) => this.#open === opened && this.#refused(failure),
      }),
      stopRing: null,
      connectedAt: null,
    };
    return opened;
  }

  protected performCommon(effect: CommonEffect<Timer>): void {
    switch (effect.kind) {
      case "openDevices":
        return this.#openDevices(effect.withCamera);
      case "closeDevices":
        this.#open?.media.close();
        if (this.#open !== null) this.#open.media = this.#createMedia();
        return;
      case "ring":
        this.#stopRing();
        if (this.#open !== null) this.#open.stopRing = this.context.callPorts.ringtones.start(effect.which);
        return;
      case "stopRing":
        return this.#stopRing();
      case "reconnectSocket":
        return this.context.reconnectNow();
      case "setTimer": {
        const { timer, ms } = effect;
        return this.timers.set(timer, ms, () => this.dispatch({ kind: "timer", timer }));
      }
      case "clearTimer":
        return this.timers.cancel(effect.timer);
      default:
        effect satisfies never;
    }
  }

  #openDevices(withCamera: boolean): void {
    const media = this.media();
    void media?.open(withCamera).then((problem) => {
      if (this.media() === media) this.dispatch({ kind: "devicesOpened", problem });
    });
  }

  #stopRing(): void {
    this.#open?.stopRing?.();
    if (this.#open !== null) this.#open.stopRing = null;
  }

  #limitPictures(): void {
    if (this.#open === null) return;
    const { media, peers } = this.#open;
    this.limitPictures(
      media,
      [...peers.values()].map(({ peer }) => peer),
    );
  }

  /** Reports devices again if that has failed. */
  protected retryReports(): void {
    this.#open?.reports.retry();
  }

  /**
   * Asks the server to start the call, or to let me in. `isLate`: the call is over here by now, and the server may have done it all the same.
   */
  protected async enter(
    request: () => Promise<Result<null>>,
    answered: (result: Result<null>, isLate: boolean) => void,
  ): Promise<void> {
    const current = this.#open;
    const result = await repeatUnanswered(this.context.clock, request, () => this.#open === current);
    answered(result, this.#open !== current);
  }

  /** Asks the server for a step of the running call, as long as it is wanted. */
  protected async ask(request: () => Promise<Result<null>>, isWanted = () => true): Promise<void> {
    const current = this.#open;
    if (current === null || !isWanted()) return;
    const isStillWanted = () => this.#open === current && isWanted();
    const result = await repeatUnanswered(this.context.clock, request, isStillWanted);
    if (!result.ok && this.#open === current) this.#refused(result.failure);
  }

  #refused(failure: Failure): void {
    this.context.log.debug("a step of a call was not done", { failure: failure.kind });
    this.refused(failure);
  }

  protected peerOf(userId: number): OpenPeer | undefined {
    return this.#open?.peers.get(userId);
  }

  /** Creates the connection with somebody, in the place of a former one. `isHeld`: its signals wait until they are released. */
  protected connect(userId: number, isPolite: boolean, isHeld: boolean): void {
    if (this.#open === null) return;
    this.closePeer(userId);
    const { media, peers } = this.#open;
    const { callPorts, clock, log, iceServers } = this.context;
    const isOpen = () => this.peerOf(userId) === opened;
    const signals = createOutgoingSignals((signal) => {
      const isWanted = () => isOpen() && signal.isWanted();
      return this.ask(() => this.postSignal(userId, signal), isWanted);
    }, isHeld);
    const peer = createPeer({
      peers: callPorts.peers,
      clock,
      log,
      iceServers,
      media,
      isPolite,
      sendDescription: (body, isWanted) => signals.send({ kind: "description", body, isWanted }),
      sendCandidate: (body) => signals.send({ kind: "candidate", body, isWanted: () => true }),
      onChange: ({ state }) => isOpen() && this.#peerChanged(userId, opened, state),
    });
    const opened: OpenPeer = { peer, signals, state: "new" };
    peers.set(userId, opened);
    this.#limitPictures();
  }

  #peerChanged(userId: number, opened: OpenPeer, state: PeerState): void {
    const isNew = state !== opened.state;
    opened.state = state;
    const isKnown = state === "connected" || state === "disconnected" || state === "failed";
    if (isNew && isKnown) this.dispatch({ kind: "peer", userId, state });
    else this.context.publish();
  }

  protected closePeer(userId: number): void {
    this.peerOf(userId)?.peer.close();
    this.#open?.peers.delete(userId);
  }

  /** A signal of somebody about the connection with them. */
  protected toPeer(userId: number, signal: ConnectionSignal): void {
    const peer = this.peerOf(userId)?.peer;
    switch (signal.type) {
      case MessageType.RTC_OFFER:
      case MessageType.RTC_GROUP_OFFER:
        return peer?.takeDescription("offer", signal.content);
      case MessageType.RTC_ANSWER:
      case MessageType.RTC_GROUP_ANSWER:
        return peer?.takeDescription("answer", signal.content);
      case MessageType.RTC_CANDIDATE:
      case MessageType.RTC_GROUP_CANDIDATE:
        return peer?.takeCandidate(signal.content);
      default:
        signal satisfies never;
    }
  }

  /** The call is over: closes all that it has open. */
  protected close(): void {
    this.timers.cancelAll();
    this.#stopRing();
    for (const { peer } of this.#open?.peers.values() ?? []) peer.close();
    this.#open?.media.close();
    this.#open = this.isBusy() ? this.#openCall() : null;
  }

  /** What the views of both kinds show; null while there is no call. */
  protected viewParts(): CallParts | null {
    if (this.#open === null) return null;
    const { media, connectedAt } = this.#open;
    const ms = connectedAt === null ? null : this.context.callPorts.uptime() - connectedAt;
    const seconds = ms === null ? null : Math.floor(ms / 1_000);
    return { local: media.view(), seconds, isSocketLost: this.context.isSocketLost() };
  }
}

/** Creates the signals of a connection. `isHeld`: the other side cannot be reached yet, so they wait. */
function createOutgoingSignals(
  post: (signal: OutgoingSignal) => Promise<void>,
  isHeld: boolean,
): OutgoingSignals {
  let held: OutgoingSignal[] | null = isHeld ? [] : null;
  /** Ends when the last description has been sent. */
  let descriptions: Promise<void> = Promise.resolve();

  function send(signal: OutgoingSignal): void {
    if (held !== null) held.push(signal);
    else if (signal.kind === "candidate") void post(signal);
    // Send descriptions one after the other: one that arrives before another is taken for the answer to a different offer.
    else descriptions = descriptions.then(() => post(signal));
  }

  return {
    send,
    release() {
      const waiting = held;
      held = null;
      waiting?.forEach(send);
      return waiting !== null;
    },
    takeAnswer() {
      const waiting = held ?? [];
      const answer = waiting.findLast(({ kind }) => kind === "description")?.body;
      if (answer === undefined) return null;
      const candidates = waiting.filter((signal) => signal.kind === "candidate");
      // Candidates that do not fit into the request follow it.
      held = candidates.slice(CALL_SIGNALS_MAX);
      return {
        answer: { ...answer },
        candidates: candidates.slice(0, CALL_SIGNALS_MAX).map(({ body }) => body),
      };
    },
  };
}
