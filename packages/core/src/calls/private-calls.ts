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
import { CALL_SIGNALS_MAX } from "@parley/protocol/limits";
import type { ReceivedPrivateCall } from "@parley/protocol/received-call";
import type { Description, PeerState, StreamData } from "../call-ports.ts";
import { isUnanswered, SILENT } from "../connection/api.ts";
import { createKeyedTimers } from "../connection/keyed-timers.ts";
import { type CallEnd, NO_MEDIA, type PrivateCallView, type RemoteMedia } from "../model/calls/call.ts";
import { encoderLimits } from "../model/calls/encoder-limits.ts";
import {
  CLOSED,
  type PrivateCall,
  type PrivateCallEffect,
  type PrivateCallInput,
  type PrivateCallTimer,
} from "../model/calls/private-call-state.ts";
import { stepPrivateCall } from "../model/calls/private-call.ts";
import type { Failure, Result } from "../model/state.ts";
import type { CallContext } from "./call-service.ts";
import { createDeviceReports, type DeviceReports } from "./device-reports.ts";
import type { LocalMedia } from "./local-media.ts";
import { SHORT_TIMEOUT, repeatUnanswered } from "./repeat-unanswered.ts";
import { createPeer, type Peer, type PeerView } from "./peer.ts";

/** The call between this person and another one, as `model/calls/private-call.ts` decides. */
export interface PrivateCalls {
  /** Whether there is a call, so that another one has to wait. */
  isBusy(): boolean;
  start(userId: number, mode: CallMode): void;
  accept(withCamera: boolean): void;
  end(): void;
  /** The page is closed, or the session ends. */
  leave(): void;
  receive(signal: ReceivedPrivateCall, canCall: boolean): void;
  networkChanged(): void;
  /** The socket has logged in. */
  wentOnline(): void;
  media(): LocalMedia | null;
  remoteStream(userId: number): StreamData | null;
  view(): PrivateCallView | null;
}

/** A signal from a connection to the other side. */
type UnsentSignal =
  | { readonly kind: "description"; readonly body: Description; isWanted(): boolean }
  | { readonly kind: "candidate"; readonly body: Record<string, unknown> };

/** What the runtime of a call has open. */
interface Resources {
  media: LocalMedia;
  peer: Peer | null;
  peerState: PeerState;
  stopRing: (() => void) | null;
  remote: RemoteMedia;
  /** Ends when the last description has been sent. */
  descriptions: Promise<void>;
  /** Signals that wait until the other side can be reached; null: it can be, and nothing waits. */
  unsent: UnsentSignal[] | null;
  connectedAt: number | null;
  readonly reports: DeviceReports;
}

/** Creates the runtime; there is no call. */
export function createPrivateCalls(context: CallContext): PrivateCalls {
  const { me, api, clock, log, callPorts } = context;
  const timers = createKeyedTimers<PrivateCallTimer>(clock);
  let call: PrivateCall = CLOSED;
  let open: Resources | null = null;
  /** The call that was last tried, for the message if it cannot even begin. */
  let lastStart: { userId: number; mode: CallMode; isCaller: boolean } | null = null;

  function dispatch(input: PrivateCallInput): void {
    const before = call;
    const [next, effects] = stepPrivateCall(call, input);
    call = next;
    if (next.stage !== "closed") open ??= openResources();
    if (next.stage === "talking" && open !== null) open.connectedAt ??= callPorts.uptime();
    for (const effect of effects) perform(effect, before);
    open?.reports.update();
    context.publish();
  }

  function openResources(): Resources {
    const resources: Resources = {
      media: context.createMedia(mediaChanged),
      reports: createDeviceReports({
        // If a client does not report its devices, the others go by the kind of the call.
        known: { isCamera: isVideo(call), isMicroPhone: true, isShareScreen: false },
        media: () => resources.media,
        canSend: () => open === resources && isInCall(call),
        send: (report) =>
          api.call(setPrivateCallDevice, { body: { uid: otherId(), ...report } }, SHORT_TIMEOUT),
        onFailure: ({ kind }) =>
          log.debug("the devices could not be reported to the other person", { failure: kind }),
      }),
      peer: null,
      peerState: "new",
      stopRing: null,
      remote: NO_MEDIA,
      descriptions: Promise.resolve(),
      unsent: [],
      connectedAt: null,
    };
    return resources;
  }

  /** Only while there is a call. */
  const otherId = (): number => (call.stage === "closed" ? 0 : call.userId);

  /** `before`: the call that an end is about. */
  function perform(effect: PrivateCallEffect, before: PrivateCall): void {
    switch (effect.kind) {
      case "openDevices":
        return openDevices(effect.withCamera);
      case "ring":
        open?.stopRing?.();
        if (open !== null) open.stopRing = callPorts.ringtones.start(effect.which);
        return;
      case "stopRing":
        return stopRing();
      case "setup":
        return setup();
      case "accept":
        return accept();
      case "heartbeat":
        open?.reports.retry();
        return beat();
      case "tell":
        return tell(effect.what, effect.userId, effect.reason);
      case "createPeer":
        return connect();
      case "sendSignals":
        return sendSignals(effect.again);
      case "toPeer":
        return toPeer(effect.signal);
      case "restart":
        return open?.peer?.restart();
      case "repair":
        return open?.peer?.repair();
      case "reconnectSocket":
        return context.reconnectNow();
      case "setTimer":
        return timers.set(effect.timer, effect.ms, () => dispatch({ kind: "timer", timer: effect.timer }));
      case "clearTimer":
        return timers.cancel(effect.timer);
      case "close":
        return close(before, effect.end);
      default:
        effect satisfies never;
    }
  }

  function openDevices(withCamera: boolean): void {
    const current = open;
    void current?.media.open(withCamera).then((problem) => {
      if (open === current) dispatch({ kind: "devicesOpened", problem });
    });
  }

  function stopRing(): void {
    open?.stopRing?.();
    if (open !== null) open.stopRing = null;
  }

  function setup(): void {
    if (call.stage === "closed") return;
    const { userId, mode } = call;
    const current = open;
    const request = () => api.call(setupPrivateCall, { query: { uid: userId, mode } }, SHORT_TIMEOUT);
    void repeatUnanswered(clock, request, () => open === current).then((result) => {
      if (open !== current) return answeredLate(userId, result);
      if (result.ok) return dispatch({ kind: "setupDone", isOfferHeld: context.isOfferHeld() });
      const { failure } = result;
      const isCrossed = isRefusal(failure, "call.crossed");
      dispatch({ kind: "setupRefused", failure, isCrossed, isUnanswered: isUnanswered(failure) });
    });
  }

  function accept(): void {
    if (call.stage === "closed") return;
    const { userId } = call;
    const current = open;
    const body = takeAnswer();
    const input = { query: { uid: userId, held: "1" }, ...(body !== null && { body }) } as const;
    const request = () => api.call(acceptPrivateCall, input, SHORT_TIMEOUT);
    void repeatUnanswered(clock, request, () => open === current).then((result) => {
      if (open !== current) return answeredLate(userId, result);
      if (result.ok) return dispatch({ kind: "acceptDone" });
      const { failure } = result;
      dispatch({ kind: "acceptRefused", failure, isUnanswered: isUnanswered(failure) });
    });
  }

  /** The call is over here. If its end has overtaken the request, the server has it now. */
  function answeredLate(uid: number, result: Result<null>): void {
    if (call.stage === "closed" && (result.ok || isUnanswered(result.failure)))
      context.staleCalls.reportLateEntry({ uid });
  }

  function beat(): void {
    const isWaiting = call.stage === "calling" || call.stage === "ringing";
    void ask((uid) =>
      api.call(beatPrivateCall, { query: { uid, ...(isWaiting && { waiting: "1" }) } }, SHORT_TIMEOUT),
    );
  }

  /** The answer that was prepared while it rang, with the candidates that were found so far; null: there is none yet. */
  function takeAnswer() {
    const waiting = open?.unsent ?? [];
    const answer = waiting.findLast(({ kind }) => kind === "description")?.body;
    if (open === null || answer === undefined) return null;
    const candidates = waiting.flatMap((signal) => (signal.kind === "candidate" ? [signal] : []));
    // Candidates that do not fit into the request follow it.
    open.unsent = candidates.slice(CALL_SIGNALS_MAX);
    return {
      answer: { ...answer },
      candidates: candidates.slice(0, CALL_SIGNALS_MAX).map(({ body }) => body),
    };
  }

  /** Does not wait for the server's answer. If there is none, the end is reported again later (`StaleCalls`). */
  function tell(what: "cancel" | "reject" | "hangUp" | "failed", uid: number, reason?: string): void {
    const options = { ...SILENT, outlivesPage: true };
    if (what === "failed") {
      const query = { uid, ...(reason !== undefined && { reason }) };
      return context.staleCalls.trackEnd(api.call(failPrivateCall, { query }, options), { uid });
    }
    const endpoint = { cancel: cancelPrivateCall, reject: rejectPrivateCall, hangUp: hangUpPrivateCall }[
      what
    ];
    context.staleCalls.trackEnd(api.call(endpoint, { query: { uid } }, options), { uid });
  }

  /** Asks the server for a step of the running call, as long as it is wanted. Ends the call if the server says that it is over. */
  async function ask(
    request: (uid: number) => Promise<Result<null>>,
    isWanted: () => boolean = () => true,
  ): Promise<void> {
    if (call.stage === "closed" || !isWanted()) return;
    const current = open;
    const { userId } = call;
    const result = await repeatUnanswered(
      clock,
      () => request(userId),
      () => open === current && isWanted(),
    );
    if (result.ok || open !== current) return;
    log.debug("a step of a call was not done", { failure: result.failure.kind });
    if (isRefusal(result.failure, "call.ended")) dispatch({ kind: "gone" });
  }

  function connect(): void {
    if (call.stage === "closed" || open === null) return;
    const current = open;
    const { isCaller } = call;
    current.peer?.close();
    current.peerState = "new";
    // Do not send signals to the callee before their client rings, nor to the caller before the callee accepts.
    current.unsent = [];
    const peer = createPeer({
      peers: callPorts.peers,
      clock,
      log,
      iceServers: context.iceServers,
      media: current.media,
      isPolite: !isCaller,
      sendDescription: (body, isWanted) => send({ kind: "description", body, isWanted }),
      sendCandidate: (body) => send({ kind: "candidate", body }),
      onChange: (view) => open === current && peerChanged(view),
    });
    current.peer = peer;
    // If the other client does not report its devices, the kind of the call says whether its camera is on.
    current.remote = { ...NO_MEDIA, isCamera: isVideo(call), connection: "connecting" };
    limitPicture();
    if (isCaller) peer.connect();
  }

  function send(signal: UnsentSignal): void {
    if (open === null) return;
    if (open.unsent !== null) return void open.unsent.push(signal);
    if (signal.kind === "candidate") {
      const { body } = signal;
      return void ask((uid) => api.call(sendPrivateCandidate, { query: { uid }, body }, SHORT_TIMEOUT));
    }
    const { body, isWanted } = signal;
    const { type, sdp } = body;
    const endpoint = type === "offer" ? sendPrivateOffer : sendPrivateAnswer;
    const post = () =>
      ask((uid) => api.call(endpoint, { query: { uid }, body: { type, sdp } }, SHORT_TIMEOUT), isWanted);
    // Send descriptions one after the other: an answer that arrives before another offer would belong to neither.
    open.descriptions = open.descriptions.then(post);
  }

  function sendSignals(again: boolean): void {
    if (open === null) return;
    const { unsent } = open;
    open.unsent = null;
    if (unsent !== null) unsent.forEach(send);
    else if (again) open.peer?.resend();
  }

  function toPeer(signal: Extract<PrivateCallEffect, { kind: "toPeer" }>["signal"]): void {
    if (open === null) return;
    switch (signal.type) {
      case MessageType.RTC_OFFER:
        return open.peer?.takeDescription("offer", signal.content);
      case MessageType.RTC_ANSWER:
        return open.peer?.takeDescription("answer", signal.content);
      case MessageType.RTC_CANDIDATE:
        return open.peer?.takeCandidate(signal.content);
      case MessageType.RTC_DEVICE: {
        const { isCamera, isMicroPhone, isShareScreen = false } = signal.content;
        open.remote = { ...open.remote, isCamera, isMicroPhone, isShareScreen };
        return;
      }
      default:
        signal satisfies never;
    }
  }

  function peerChanged({ state, isSpeaking, quality }: PeerView): void {
    if (open === null) return;
    const isNew = state !== open.peerState;
    open.peerState = state;
    open.remote = { ...open.remote, isSpeaking, quality };
    const isKnown = state === "connected" || state === "disconnected" || state === "failed";
    if (isNew && isKnown) dispatch({ kind: "peer", state });
    else context.publish();
  }

  function mediaChanged(): void {
    limitPicture();
    open?.reports.update();
    context.publish();
  }

  /** A screen has other limits than a camera. */
  function limitPicture(): void {
    open?.peer?.setLimits(encoderLimits(2, open.media.view().screen === "on"));
  }

  function close(before: PrivateCall, end: CallEnd | null): void {
    timers.cancelAll();
    stopRing();
    open?.peer?.close();
    open?.media.close();
    open = call.stage === "closed" ? null : openResources();
    if (end === null) return;
    const about = before.stage === "closed" ? lastStart : before;
    if (about !== null) {
      const { userId, mode, isCaller } = about;
      context.notify({ kind: "callEnded", call: { kind: "private", userId, mode, isCaller, end } });
    }
  }

  function view(): PrivateCallView | null {
    if (call.stage === "closed" || open === null) return null;
    const { stage, userId, mode, isCaller } = call;
    const { remote, media, connectedAt } = open;
    return {
      kind: "private",
      stage,
      userId,
      mode,
      isCaller,
      peer: { ...remote, connection: connectionOf(call) },
      local: media.view(),
      seconds: connectedAt === null ? null : Math.floor((callPorts.uptime() - connectedAt) / 1_000),
      isSocketLost: context.isSocketLost(),
    };
  }

  return {
    isBusy: () => call.stage !== "closed",
    start(userId, mode) {
      lastStart = { userId, mode, isCaller: true };
      dispatch({ kind: "start", userId, mode, support: callPorts.media.support() });
    },
    accept: (withCamera) => dispatch({ kind: "accept", withCamera }),
    end: () => dispatch({ kind: "end" }),
    leave: () => dispatch({ kind: "leave" }),
    receive(signal, canCall) {
      const isMine = signal.sendId === me;
      const userId = isMine ? signal.recvId : signal.sendId;
      dispatch({ kind: "signal", signal, userId, isMine, canCall });
    },
    networkChanged: () => dispatch({ kind: "networkChanged" }),
    wentOnline: () => dispatch({ kind: "online" }),
    media: () => open?.media ?? null,
    remoteStream: (userId) =>
      call.stage !== "closed" && call.userId === userId ? (open?.peer?.stream ?? null) : null,
    view,
  };
}

function isRefusal(failure: Failure, key: string): boolean {
  return failure.kind === "refused" && failure.key === key;
}

const isVideo = (call: PrivateCall): boolean => call.stage !== "closed" && call.mode === "video";

const isInCall = ({ stage }: PrivateCall) => stage === "connecting" || stage === "talking";

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
