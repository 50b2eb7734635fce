import { loadSystemConfig } from "@parley/protocol/endpoints/account";
import { failGroupCall } from "@parley/protocol/endpoints/group-calls";
import { failPrivateCall } from "@parley/protocol/endpoints/private-calls";
import type { PushData } from "@parley/protocol/received-frame";
import { MessageType } from "@parley/protocol/codes";
import {
  receivedGroupCall,
  type ReceivedGroupCall,
  receivedPrivateCall,
  type ReceivedPrivateCall,
} from "@parley/protocol/received-call";
import type { CallPorts, IceServer } from "../call-ports.ts";
import type { CallActions } from "../call-actions.ts";
import type { Notice } from "../notice.ts";
import { type Api, localFailure, SILENT } from "../connection/api.ts";
import { createKeyedTimers } from "../connection/keyed-timers.ts";
import { type Call, CALL_REASONS, type LocalDevices } from "../model/calls/call.ts";
import { isSameData } from "../model/same-data.ts";
import type { Clock, Log } from "../ports.ts";
import type { Scope, SessionOutside } from "../session-scope.ts";
import { type StaleCalls, createStaleCalls } from "./stale-calls.ts";
import { createDeviceChoices } from "./device-choices.ts";
import { GroupCalls } from "./group-calls.ts";
import { createLocalMedia, DEFAULT_PROCESSING, type LocalMedia } from "./local-media.ts";
import { PrivateCalls } from "./private-calls.ts";
import { SHORT_TIMEOUT } from "./repeat-unanswered.ts";

/** The calls of one session. */
export interface CallService {
  readonly actions: CallActions;
  receive(data: PushData): void;
  wentOnline(): void;
  wentOffline(): void;
  leave(): void;
}

/** What calls need of the session. */
export interface CallServiceDeps extends SessionOutside {
  readonly session: Scope;
  readonly me: number;
  /** The name of this page for the server. */
  readonly clientId: string;
  notify(notice: Notice): void;
  /** Connects the socket at once instead of after 15 s. */
  reconnectNow(): void;
  /** The code of calls could not be loaded. */
  onLoadFailure(): void;
}

/** What the two kinds of calls share. */
export interface CallContext {
  readonly me: number;
  readonly api: Api;
  readonly clock: Clock;
  readonly log: Log;
  readonly callPorts: CallPorts;
  /** The devices of one call. */
  createMedia(onChange: (view: LocalDevices) => void): LocalMedia;
  /** With the credentials that were read when the call began. */
  iceServers(): Promise<readonly IceServer[]>;
  /** The server keeps the offer of a caller until the call is accepted. */
  isOfferHeld(): boolean;
  isSocketLost(): boolean;
  reconnectNow(): void;
  notify(notice: Notice): void;
  readonly staleCalls: Pick<StaleCalls, "trackEnd" | "reportLateEntry">;
  /** Something of the call has changed: shows it. */
  publish(): void;
}

/** Spec §9: the timer of a call ticks each second. */
const CALL_TICK_MS = 1_000;
/** A lost socket is shown after this time, because most come back at once. */
const SOCKET_LOSS_SHOWN_MS = 5_000;
/** How soon a socket that was lost in a call is opened again. */
const RECONNECT_MS = 500;
const RECONNECT_INTERVAL_MS = 3_000;

/** Creates the calls of a session; nobody is in a call. */
export function createCallService(deps: CallServiceDeps, callPorts: CallPorts): CallService {
  const { me, api, stateStore, session, notify } = deps;
  const { clock, log, storage, environment } = deps.ports;
  const timers = createKeyedTimers<"tick" | "socketLoss" | "reconnect">(clock);
  const choices = createDeviceChoices(storage.local, DEFAULT_PROCESSING);
  const staleCalls = createStaleCalls(deps);
  let isSocketLost = false;
  let shown: Call | null = null;
  let hadNetwork = environment.hasNetwork();
  let configRefresh: Promise<void> = Promise.resolve();

  const context: CallContext = {
    me,
    api,
    clock,
    log,
    callPorts,
    createMedia: (onChange) => createLocalMedia({ media: callPorts.media, clock, log, choices, onChange }),
    async iceServers() {
      await configRefresh;
      return stateStore.get().config?.webrtc.iceServers ?? [];
    },
    isOfferHeld: () => stateStore.get().config?.webrtc.heldOffer === true,
    isSocketLost: () => isSocketLost,
    reconnectNow: deps.reconnectNow,
    notify,
    staleCalls,
    publish,
  };
  const privateCalls = new PrivateCalls(context);
  const groupCalls = new GroupCalls(context);
  /** The runtime of the running call: never both have one. */
  const running = () => (groupCalls.isBusy() ? groupCalls : privateCalls);
  const isBusy = () => running().isBusy();

  function publish(): void {
    const call: Call | null = running().view();
    staleCalls.update(call !== null && call.stage !== "opening" && call.stage !== "ringing");
    if (isSameData(call, shown)) return;
    shown = call;
    stateStore.set({ call });
    if (call === null) timers.cancelAll();
    else if (!timers.isSet("tick")) timers.set("tick", CALL_TICK_MS, tick);
  }

  function tick(): void {
    timers.set("tick", CALL_TICK_MS, tick);
    publish();
  }

  /** The media of the running call. */
  const media = (): LocalMedia | null => running().media();

  /** Credentials of TURN servers last an hour, so each call begins with new ones. */
  function refreshConfig(): void {
    configRefresh = api.call(loadSystemConfig, {}, SHORT_TIMEOUT).then((result) => {
      if (result.ok) stateStore.set({ config: result.value });
    });
  }

  /** The call that begins when the server knows of the end of the one before. */
  let next: (() => void) | null = null;

  /** Begins a call, unless there is one. */
  function begin(run: () => void): void {
    if (isBusy()) return notify({ kind: "failure", failure: localFailure("call.youAreInCall") });
    // Until the server knows that the previous call is over, it takes this person for busy. Pressing again while waiting begins one call only.
    const reporting = staleCalls.pendingReports();
    if (reporting !== null) {
      const isWaiting = next !== null;
      next = run;
      if (!isWaiting) void reporting.then(beginNext);
      return;
    }
    refreshConfig();
    run();
  }

  function beginNext(): void {
    const run = next;
    next = null;
    if (run !== null && !session.isOver()) begin(run);
  }

  const actions: CallActions = {
    start: (userId, mode) => begin(() => privateCalls.start(userId, mode)),
    startGroup: (groupId, userIds) => begin(() => groupCalls.start(groupId, userIds)),
    joinGroup(groupId) {
      const call = groupCalls.view();
      // Joining a call that rings here accepts it.
      if (call?.stage === "ringing" && call.groupId === groupId) groupCalls.join(groupId);
      else begin(() => groupCalls.join(groupId));
    },
    invite: (userIds) => groupCalls.invite(userIds),
    accept: (withCamera) => running().accept(withCamera),
    end: () => running().end(),
    setMicrophone: (isOn) => media()?.setMicrophone(isOn),
    setCamera: (isOn) => media()?.setCamera(isOn),
    setScreen: (isOn) => media()?.setScreen(isOn),
    async devices() {
      const devices = await callPorts.media.devices();
      choices.update(devices);
      const chosen = {
        microphone: choices.chosen("microphone"),
        camera: choices.chosen("camera"),
        speaker: choices.chosen("speaker"),
      };
      return { devices, chosen, processing: choices.processing() };
    },
    async chooseDevice(kind, id) {
      const devices = await callPorts.media.devices();
      choices.update(devices);
      choices.choose(kind, devices.find((device) => device.kind === kind && device.id === id) ?? null);
      media()?.reopen(kind);
    },
    setProcessing(processing) {
      choices.setProcessing(processing);
      media()?.reopen("microphone");
    },
    localStream: () => media()?.picture() ?? null,
    remoteStream: (userId) => running().remoteStream(userId),
  };

  const canCall = () => callPorts.media.support() === "ok";

  function receivePrivate(signal: ReceivedPrivateCall): void {
    const isRing = signal.type === MessageType.RTC_SETUP_VOICE || signal.type === MessageType.RTC_SETUP_VIDEO;
    if (isRing) refreshConfig();
    // Our server does not ring people who are in a call; others may.
    if (isRing && groupCalls.isBusy() && signal.sendId !== me) {
      const query = { uid: signal.sendId, reason: CALL_REASONS.busy };
      void api.call(failPrivateCall, { query }, SILENT);
      return;
    }
    privateCalls.receive(signal, canCall());
  }

  function receiveGroup(signal: ReceivedGroupCall): void {
    const isRing = signal.type === MessageType.RTC_GROUP_SETUP;
    if (isRing) refreshConfig();
    if (isRing && privateCalls.isBusy() && signal.sendId !== me) {
      const body = { groupId: signal.groupId, reason: CALL_REASONS.busy };
      void api.call(failGroupCall, { body }, SILENT);
      return;
    }
    groupCalls.receive(signal, canCall());
  }

  environment.onChange(() => {
    const hasNetwork = environment.hasNetwork();
    if (hasNetwork && !hadNetwork) running().networkChanged();
    hadNetwork = hasNetwork;
  });

  function reconnect(): void {
    if (!isBusy()) return;
    deps.reconnectNow();
    timers.set("reconnect", RECONNECT_INTERVAL_MS, reconnect);
  }

  session.onEnd(() => timers.cancelAll());

  return {
    actions,
    receive(data) {
      const privateSignal = receivedPrivateCall.safeParse(data).data;
      if (privateSignal !== undefined) return receivePrivate(privateSignal);
      const groupSignal = receivedGroupCall.safeParse(data).data;
      if (groupSignal !== undefined) return receiveGroup(groupSignal);
      log.debug("ignored a signal of a call", { type: data.type });
    },
    wentOnline() {
      timers.cancel("reconnect");
      timers.cancel("socketLoss");
      isSocketLost = false;
      privateCalls.wentOnline();
      groupCalls.wentOnline();
      publish();
      staleCalls.report();
    },
    wentOffline() {
      if (!isBusy()) return;
      timers.set("reconnect", RECONNECT_MS, reconnect);
      timers.set("socketLoss", SOCKET_LOSS_SHOWN_MS, () => {
        isSocketLost = true;
        publish();
      });
    },
    leave() {
      privateCalls.leave();
      groupCalls.leave();
    },
  };
}
