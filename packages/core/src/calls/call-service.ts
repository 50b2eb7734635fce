import { loadSystemConfig } from "@parley/protocol/endpoints/account";
import type { PushData } from "@parley/protocol/frame";
import { MessageType } from "@parley/protocol/codes";
import { receivedPrivateCall, type ReceivedPrivateCall } from "@parley/protocol/received-call";
import type { CallPorts, IceServer } from "../call-ports.ts";
import type { CallActions, Notice } from "../client-api.ts";
import { type Api, localFailure, SILENT } from "../connection/api.ts";
import { createKeyedTimers } from "../connection/keyed-timers.ts";
import type { Call, LocalDevices } from "../model/calls/call.ts";
import type { Clock, Log } from "../ports.ts";
import type { Scope, SessionOutside } from "../session-scope.ts";
import { createDeviceChoices } from "./device-choices.ts";
import { createLocalMedia, DEFAULT_PROCESSING, type LocalMedia } from "./local-media.ts";
import { createPrivateCalls } from "./private-calls.ts";

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
  iceServers(): readonly IceServer[];
  /** The server keeps the offer of a caller until the call is accepted. */
  isOfferHeld(): boolean;
  isSocketLost(): boolean;
  reconnectNow(): void;
  notify(notice: Notice): void;
  /** Something of the call has changed: shows it. */
  publish(): void;
}

/** Spec §9: the timer of a call ticks each second. */
const TICK_MS = 1_000;
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
  let isSocketLost = false;
  let shown = "null";
  let hadNetwork = environment.hasNetwork();

  const context: CallContext = {
    me,
    api,
    clock,
    log,
    callPorts,
    createMedia: (onChange) => createLocalMedia({ media: callPorts.media, clock, log, choices, onChange }),
    iceServers: () => stateStore.get().config?.webrtc.iceServers ?? [],
    isOfferHeld: () => stateStore.get().config?.webrtc.heldOffer === true,
    isSocketLost: () => isSocketLost,
    reconnectNow: deps.reconnectNow,
    notify,
    publish,
  };
  const privateCalls = createPrivateCalls(context);

  function publish(): void {
    const call: Call | null = privateCalls.view();
    const next = JSON.stringify(call);
    if (next === shown) return;
    shown = next;
    stateStore.set({ call });
    if (call === null) timers.cancelAll();
    else if (!timers.isSet("tick")) timers.set("tick", TICK_MS, tick);
  }

  function tick(): void {
    timers.set("tick", TICK_MS, tick);
    publish();
  }

  /** The media of the running call. */
  const media = (): LocalMedia | null => privateCalls.media();

  /** Credentials of TURN servers last an hour, so each call begins with new ones. */
  function refreshConfig(): void {
    void api.call(loadSystemConfig, {}, SILENT).then((result) => {
      if (result.ok) stateStore.set({ config: result.value });
    });
  }

  function refuseBusy(): boolean {
    if (!privateCalls.isBusy()) return false;
    notify({ kind: "failure", failure: localFailure("call.youAreInCall") });
    return true;
  }

  const actions: CallActions = {
    start(userId, mode) {
      if (refuseBusy()) return;
      refreshConfig();
      privateCalls.start(userId, mode);
    },
    startGroup: () => undefined,
    joinGroup: () => undefined,
    invite: () => undefined,
    accept: (withCamera) => privateCalls.accept(withCamera),
    end: () => privateCalls.end(),
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
    remoteStream: (userId) => privateCalls.remoteStream(userId),
  };

  function receivePrivate(signal: ReceivedPrivateCall): void {
    const isRing = signal.type === MessageType.RTC_SETUP_VOICE || signal.type === MessageType.RTC_SETUP_VIDEO;
    if (isRing) refreshConfig();
    privateCalls.receive(signal, callPorts.media.support() === "ok");
  }

  environment.onChange(() => {
    const hasNetwork = environment.hasNetwork();
    if (hasNetwork && !hadNetwork) privateCalls.networkChanged();
    hadNetwork = hasNetwork;
  });

  function reconnect(): void {
    if (!privateCalls.isBusy()) return;
    deps.reconnectNow();
    timers.set("reconnect", RECONNECT_INTERVAL_MS, reconnect);
  }

  session.onEnd(() => timers.cancelAll());

  return {
    actions,
    receive(data) {
      const signal = receivedPrivateCall.safeParse(data).data;
      if (signal !== undefined) receivePrivate(signal);
      else log.debug("ignored a signal of a call", { type: data.type });
    },
    wentOnline() {
      timers.cancel("reconnect");
      timers.cancel("socketLoss");
      isSocketLost = false;
      publish();
    },
    wentOffline() {
      if (!privateCalls.isBusy()) return;
      timers.set("reconnect", RECONNECT_MS, reconnect);
      timers.set("socketLoss", SOCKET_LOSS_SHOWN_MS, () => {
        isSocketLost = true;
        publish();
      });
    },
    leave: () => privateCalls.leave(),
  };
}
